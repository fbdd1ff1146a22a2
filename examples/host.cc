// A C++17 host of scanc: builds a leaky integrator with a reset as a scan, runs it on its own
// arrays, and compares with a plain loop; then prints the program and runs what was read back.
//
//   c++ -std=c++17 host.cc -lscanc && ./a.out
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "scanc/build.h"

// ---- RAII for the handles; errors become exceptions ----

template <auto Free> struct deleter {
  template <class T> void operator()(T *p) const { Free(p); }
};
using context = std::unique_ptr<scanc_context, deleter<scanc_context_free>>;
using module_ = std::unique_ptr<scanc_module, deleter<scanc_module_free>>;
using program = std::unique_ptr<scanc_program, deleter<scanc_program_free>>;
using text = std::unique_ptr<char, deleter<scanc_text_free>>;

struct error : scanc_error {
  error() : scanc_error() {}
  void check() const {
    if (code != SCANC_OK) throw std::runtime_error(std::string(file) + ": " + message);
  }
};

static scanc_tensor tensor_of(std::vector<float> &v, std::vector<int64_t> sizes) {
  return scanc_tensor_contiguous(v.data(), SCANC_F32, (int)sizes.size(), sizes.data());
}

// ---- the program: level = leak * level + x; where it passes the threshold, it starts again at 0
// ----

static module_ build(scanc_context *ctx, int lanes) {
  module_ mod(scanc_module_new(ctx));
  scanc_value steps = scanc_symbol(mod.get(), "T", 0, INT64_MAX);
  scanc_value leak = scanc_parameter(mod.get(), "leak", SCANC_F32, SCANC_INTS(lanes));
  scanc_value init = scanc_input(mod.get(), "init", SCANC_F32, SCANC_INTS(lanes));
  scanc_value xs = scanc_input(mod.get(), "xs", SCANC_F32, SCANC_LIST(steps, scanc_i(lanes)));

  scanc_graph *step = scanc_graph_begin(mod.get(), "step");
  scanc_value level = scanc_graph_param_like(step, "level", init);
  scanc_value x = scanc_graph_param_step(step, "x", xs, 0);
  scanc_value next = scanc_add(scanc_mul(leak, level), x); // leak comes in as an additional input
  scanc_value fires = scanc_gt(next, scanc_f(1.0));
  scanc_graph_return(step, SCANC_LIST(scanc_where(fires, scanc_f(0), next), fires));

  scanc_value r = scanc_scan(step, init, xs, 0, false);
  scanc_output(mod.get(), "level", scanc_get(r, 0));
  scanc_output(mod.get(), "spikes", scanc_sum(scanc_get(r, 1), scanc_i(0)));
  return mod;
}

static void run(const scanc_module *mod, std::vector<float> leak, std::vector<float> xs) {
  int64_t lanes = (int64_t)leak.size(), steps = (int64_t)xs.size() / lanes;
  error err;
  program prog(scanc_compile(mod, nullptr, &err));
  err.check();
  scanc_tensor weights = tensor_of(leak, {lanes});
  scanc_program_bind(prog.get(), "leak", &weights, SCANC_BORROW, &err);
  err.check();
  std::vector<float> init(leak.size(), 0.0f);
  scanc_tensor in[] = {{}, tensor_of(init, {lanes}), tensor_of(xs, {steps, lanes})}, out[2] = {};
  scanc_run(prog.get(), in, 3, out, 2, &err);
  err.check();

  const float *level = (const float *)out[0].data;
  const int64_t *spikes = (const int64_t *)out[1].data;
  for (int64_t i = 0; i < lanes; i++) {
    float want = 0;
    int64_t count = 0;
    for (int64_t t = 0; t < steps; t++) {
      want = leak[i] * want + xs[t * lanes + i];
      if (want > 1) want = 0, count++;
    }
    if (level[i] != want || spikes[i] != count) throw std::runtime_error("a lane is wrong");
  }
  std::printf("%lld lanes over %lld steps are right\n", (long long)lanes, (long long)steps);
  for (scanc_tensor &t : out) scanc_tensor_release(&t);
}

int main() try {
  context ctx(scanc_context_new(nullptr));
  std::vector<float> leak = {0.5f, 0.9f, 0.99f, 0.25f, 0.75f}, xs(5 * 300);
  for (size_t i = 0; i < xs.size(); i++) xs[i] = 0.3f * (1 + std::sin((float)i));

  error err;
  module_ built = build(ctx.get(), (int)leak.size());
  run(built.get(), leak, xs);
  size_t n = 0;
  text printed(scanc_module_print(built.get(), &n, &err));
  err.check();
  module_ read(scanc_module_parse(ctx.get(), printed.get(), n, "printed", &err));
  err.check();
  run(read.get(), leak, xs);
  return 0;
} catch (const std::exception &e) {
  std::fprintf(stderr, "host: %s\n", e.what());
  return 1;
}
