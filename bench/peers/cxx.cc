// What C++ and GCC bring for prefixes: std::inclusive_scan, the same parallel and vectorised (with
// TBB), and the OpenMP directive simd with an inclusive scan. One row, f32, f64 or i32.
#include "peer.hh"

#include <numeric>
#ifdef HAVE_TBB
#include <execution>
#endif

namespace {

#if defined(__clang__)
const char *const kCompiler = "clang ";
#else
const char *const kCompiler = "gcc ";
#endif

template <class T> struct Sum {
  T operator()(T a, T b) const { return a + b; }
};
template <class T> struct Product {
  T operator()(T a, T b) const { return a * b; }
};
template <class T> struct Maximum { // NaN wins
  T operator()(T a, T b) const { return a > b || a != a ? a : b; }
};
template <class T> struct Pair {
  T a, b;
};
template <class T> struct Affine {
  Pair<T> operator()(Pair<T> p, Pair<T> q) const { return {p.a * q.a, p.b * q.a + q.b}; }
};

template <class T, class Op>
void standard(const Peer &peer, const std::vector<T> &x, std::vector<T> &y, Op op,
              const std::function<std::string()> &wrong) {
  peer.measure(
      "std::inclusive_scan", [&] { std::inclusive_scan(x.begin(), x.end(), y.begin(), op); },
      wrong);
#ifdef HAVE_TBB
  peer.measure(
      "std::inclusive_scan, par_unseq",
      [&] { std::inclusive_scan(std::execution::par_unseq, x.begin(), x.end(), y.begin(), op); },
      wrong);
#else
  peer.say("std::inclusive_scan, par_unseq", false, {}, "built without TBB");
#endif
}

template <class T> void simd_sum(const T *x, T *y, size_t n) {
  T s = 0;
#pragma omp simd reduction(inscan, + : s)
  for (size_t i = 0; i < n; i++) {
    s += x[i];
#pragma omp scan inclusive(s)
    y[i] = s;
  }
}

template <class T, class Op> void prefix(const Peer &peer, Op op, bool sum) {
  Array in = peer.input(0), want = peer.expected(0);
  std::vector<T> x(in.data<T>(), in.data<T>() + in.count()), y(x.size());
  auto wrong = [&] { return peer.difference(y.data(), want); };
  standard(peer, x, y, op, wrong);
  if (sum) peer.measure("omp simd inscan", [&] { simd_sum(x.data(), y.data(), x.size()); }, wrong);
}

template <class T> void affine(const Peer &peer) {
  Array a = peer.input(0), b = peer.input(1), want = peer.expected(0);
  std::vector<Pair<T>> x(a.count()), y(a.count());
  for (size_t i = 0; i < x.size(); i++) x[i] = {a.data<T>()[i], b.data<T>()[i]};
  auto wrong = [&] {
    std::vector<T> h(y.size());
    for (size_t i = 0; i < h.size(); i++) h[i] = y[i].b;
    return peer.difference(h.data(), want);
  };
  standard(peer, x, y, Affine<T>(), wrong);
}

// T: the type of the elements; U: the one they are added and multiplied in.
template <class T, class U> void dispatch(const Peer &peer) {
  if (peer.what == "cumsum") prefix<U>(peer, Sum<U>(), true);
  else if (peer.what == "cumprod") prefix<U>(peer, Product<U>(), false);
  else if (peer.what == "cummax") prefix<T>(peer, Maximum<T>(), false);
  else if (peer.what == "affine") affine<T>(peer);
}

} // namespace

int main(int argc, char **argv) {
  Peer peer("cxx", std::string(kCompiler) + __VERSION__, argc, argv);
  std::string type = peer.input(0).descr;
  if (type == "<f4") dispatch<float, float>(peer);
  else if (type == "<f8") dispatch<double, double>(peer);
  else if (type == "<i4") dispatch<int32_t, uint32_t>(peer); // which wraps
  return 0;
}
