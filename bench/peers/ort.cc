// Runs an ONNX model through the C library of ONNX Runtime: no Python takes part in what is timed.
//
//   ort LIBRARY DIR SECONDS THREADS
//
// DIR has model.onnx, in.<i>.npy and out.<i>.npy; inputs and outputs of the model are called in<i>
// and as the lines of DIR/outputs say. The outputs are written into the memory that out.<i>.npy
// gave, and after the first run from there to out.<i>.bin. Prints {"version": ..., "times_ns":
// [...]}.
//
// The wheel has no header. What follows is the part of the library's binary interface that is used:
// a table of functions whose order does not change, by their places.
#include "peer.hh"

#include <dlfcn.h>

namespace {

using Status = void; // NULL: success

struct ApiBase {
  void *const *(*api)(uint32_t version);
  const char *(*version)();
};

enum Place {
  GET_ERROR_MESSAGE = 2,
  CREATE_ENV = 3,
  CREATE_SESSION = 7,
  RUN = 9,
  CREATE_SESSION_OPTIONS = 10,
  SET_INTRA_OP_THREADS = 24,
  SET_INTER_OP_THREADS = 25,
  CREATE_TENSOR_WITH_DATA = 49,
  CREATE_CPU_MEMORY_INFO = 69,
};

enum { LOG_ERRORS = 3, DEVICE_ALLOCATOR = 0, DEFAULT_MEMORY = 0 };

class Runtime {
public:
  Runtime(const char *library, const std::string &model, int threads) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) fail("the library cannot be loaded");
    auto get = reinterpret_cast<const ApiBase *(*)()>(dlsym(handle, "OrtGetApiBase"));
    if (!get) fail("the library has no OrtGetApiBase");
    version = get()->version();
    table = get()->api(1);
    void *env, *options;
    check(at<Status *(int, const char *, void **)>(CREATE_ENV)(LOG_ERRORS, "bench", &env));
    check(at<Status *(void **)>(CREATE_SESSION_OPTIONS)(&options));
    check(at<Status *(void *, int)>(SET_INTRA_OP_THREADS)(options, threads));
    check(at<Status *(void *, int)>(SET_INTER_OP_THREADS)(options, 1));
    check(at<Status *(int, int, void **)>(CREATE_CPU_MEMORY_INFO)(DEVICE_ALLOCATOR, DEFAULT_MEMORY,
                                                                  &memory));
    check(at<Status *(void *, const char *, void *, void **)>(CREATE_SESSION)(env, model.c_str(),
                                                                              options, &session));
  }

  // A tensor over the array's memory.
  void *tensor(Array &a) const {
    void *value;
    check(at<Status *(void *, void *, size_t, const int64_t *, size_t, int, void **)>(
        CREATE_TENSOR_WITH_DATA)(memory, a.bytes.data(), a.bytes.size(), a.shape.data(),
                                 a.shape.size(), type_of(a), &value));
    return value;
  }

  void run(const std::vector<const char *> &in, const std::vector<void *> &x,
           const std::vector<const char *> &out, std::vector<void *> &y) const {
    using Run = Status *(void *, const void *, const char *const *, void *const *, size_t,
                         const char *const *, size_t, void **);
    check(at<Run>(RUN)(session, nullptr, in.data(), x.data(), x.size(), out.data(), y.size(),
                       y.data()));
  }

  std::string version;

private:
  template <class F> F *at(Place place) const { return reinterpret_cast<F *>(table[place]); }

  void check(Status *status) const {
    if (status) fail(at<const char *(const void *)>(GET_ERROR_MESSAGE)(status));
  }

  // The element types of ONNX.
  static int type_of(const Array &a) {
    static const struct {
      const char *descr;
      int type;
    } types[] = {{"<f4", 1}, {"|u1", 2}, {"<i4", 6}, {"<i8", 7}, {"|b1", 9}, {"<f8", 11}};
    for (const auto &t : types)
      if (a.descr == t.descr) return t.type;
    fail("no ONNX type for " + a.descr);
  }

  void *const *table;
  void *memory, *session;
};

bool exists(const std::string &path) { return std::ifstream(path).good(); }

// in.<i>.npy or out.<i>.npy
std::vector<Array> read_arrays(const std::string &stem) {
  std::vector<Array> all;
  for (int i = 0;; i++) {
    std::string path = stem + "." + std::to_string(i) + ".npy";
    if (!exists(path)) return all;
    all.push_back(read_array(path));
  }
}

std::vector<const char *> pointers(const std::vector<std::string> &names) {
  std::vector<const char *> all;
  for (const std::string &name : names) all.push_back(name.c_str());
  return all;
}

void write_arrays(const std::string &stem, const std::vector<Array> &arrays) {
  for (size_t i = 0; i < arrays.size(); i++)
    std::ofstream(stem + "." + std::to_string(i) + ".bin", std::ios::binary)
        .write(arrays[i].bytes.data(), static_cast<std::streamsize>(arrays[i].bytes.size()));
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 5) fail("run this through run.py");
  std::string dir = argv[2];
  Runtime ort(argv[1], dir + "/model.onnx", std::atoi(argv[4]));
  std::vector<Array> in = read_arrays(dir + "/in"), out = read_arrays(dir + "/out");
  std::vector<std::string> in_names, out_names;
  for (size_t i = 0; i < in.size(); i++) in_names.push_back("in" + std::to_string(i));
  std::ifstream file(dir + "/outputs");
  for (std::string line; std::getline(file, line);) out_names.push_back(line);
  std::vector<void *> x, y;
  for (Array &a : in) x.push_back(ort.tensor(a));
  for (Array &a : out) y.push_back(ort.tensor(a));
  auto in_pointers = pointers(in_names), out_pointers = pointers(out_names);
  auto call = [&] { ort.run(in_pointers, x, out_pointers, y); };
  call();
  write_arrays(dir + "/out", out);
  std::vector<double> times = Peer::times(call, std::atof(argv[3]));
  std::printf("{\"version\": \"%s\", \"times_ns\": [", ort.version.c_str());
  for (size_t i = 0; i < times.size(); i++) std::printf("%s%.1f", i ? ", " : "", times[i]);
  std::printf("]}\n");
  std::fflush(stdout);
  std::_Exit(0); // without the library's own end, which takes its time
}
