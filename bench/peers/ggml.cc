// ggml's ssm_scan (the selective scan of Mamba-1) from a source tree of the user's.
//
// ggml applies softplus to its time steps, so it is given their inverse under softplus.
#include "peer.hh"

#include <cstring>

#include "ggml-cpu.h"
#include "ggml.h"

namespace {

void fill(ggml_tensor *t, const Array &a) { std::memcpy(t->data, a.data<char>(), ggml_nbytes(t)); }

void mamba(const Peer &peer) {
  Array a = peer.input(0), dt = peer.input(1), x = peer.input(2), b = peer.input(3),
        c = peer.input(4), h0 = peer.input(5), y = peer.expected(0), last = peer.expected(1);
  int64_t d = a.shape[0], n = a.shape[1], t = dt.shape[0];
  size_t numbers =
      a.count() + dt.count() + x.count() + b.count() + c.count() + 2 * h0.count() + y.count();
  ggml_context *ctx = ggml_init({4 * numbers + (64u << 20), nullptr, false});
  ggml_tensor *s = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, n, 1, d, 1);
  ggml_tensor *gx = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 1, d, t, 1);
  ggml_tensor *gdt = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, d, t, 1);
  ggml_tensor *ga = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, d);
  ggml_tensor *gb = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, n, 1, t, 1);
  ggml_tensor *gc = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, n, 1, t, 1);
  ggml_tensor *ids = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 1);
  *static_cast<int32_t *>(ids->data) = 0;
  fill(s, h0);
  fill(gx, x);
  fill(ga, a);
  fill(gb, b);
  fill(gc, c);
  for (size_t i = 0; i < dt.count(); i++) {
    double v = dt.data<float>()[i];
    static_cast<float *>(gdt->data)[i] = static_cast<float>(v > 20 ? v : std::log(std::expm1(v)));
  }
#ifdef GGML_SSM_SCAN_KEEPS_STATES // how many states of the last steps to keep: newer trees ask
  ggml_tensor *result = ggml_ssm_scan(ctx, s, gx, gdt, ga, gb, gc, ids, 1);
#else
  ggml_tensor *result = ggml_ssm_scan(ctx, s, gx, gdt, ga, gb, gc, ids);
#endif
  ggml_cgraph *graph = ggml_new_graph(ctx);
  ggml_build_forward_expand(graph, result);
  ggml_cplan plan = ggml_graph_plan(graph, peer.threads, nullptr);
  std::vector<uint8_t> work(plan.work_size);
  plan.work_data = work.data();
  const float *got = static_cast<const float *>(result->data);
  auto wrong = [&] {
    std::string off = peer.difference(got, y);
    return off.empty() ? peer.difference(got + y.count(), last) : off;
  };
  peer.measure(
      "ssm_scan", [&] { ggml_graph_compute(graph, &plan); }, wrong,
      "also applies softplus to the time steps");
  ggml_free(ctx);
}

} // namespace

int main(int argc, char **argv) {
  Peer peer("ggml", GGML_TREE, argc, argv);
  if (peer.what == "mamba_scan") mamba(peer);
  return 0;
}
