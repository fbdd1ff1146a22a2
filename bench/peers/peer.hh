// What the peers in C++ share: .npy files, the check of results, the clock, the JSON lines.
//
// They are started by run.py as: PROGRAM CASE_DIR WHAT SECONDS THREADS RTOL ATOL
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

struct Array {
  std::string descr; // "<f4"
  std::vector<int64_t> shape;
  std::vector<char> bytes;

  size_t count() const {
    size_t n = 1;
    for (int64_t s : shape) n *= static_cast<size_t>(s);
    return n;
  }
  template <class T> const T *data() const { return reinterpret_cast<const T *>(bytes.data()); }
};

[[noreturn]] inline void fail(const std::string &what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

// The text between two marks of a .npy header.
inline std::string between(const std::string &text, const std::string &from, char to) {
  size_t at = text.find(from);
  if (at == std::string::npos) fail("not a .npy file of version 1 or 2");
  at += from.size();
  return text.substr(at, text.find(to, at) - at);
}

inline Array read_array(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  std::string text = all.str();
  if (text.size() < 12 || text.compare(1, 5, "NUMPY") != 0) fail("cannot read " + path);
  auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(text[i])); };
  size_t start = text[6] == 1 ? 10 : 12;
  size_t length = byte(8) | byte(9) << 8;
  if (text[6] != 1) length |= byte(10) << 16 | byte(11) << 24;
  std::string header = text.substr(start, length);
  Array a;
  a.descr = between(header, "'descr': '", '\'');
  std::stringstream sizes(between(header, "'shape': (", ')'));
  for (std::string one; std::getline(sizes, one, ',');)
    if (one.find_first_not_of(' ') != std::string::npos) a.shape.push_back(std::stoll(one));
  a.bytes.assign(text.begin() + static_cast<long>(start + length), text.end());
  return a;
}

struct Peer {
  std::string name, version, dir, what;
  double seconds, rtol, atol;
  int threads;

  Peer(const char *peer, const std::string &ver, int argc, char **argv) : name(peer), version(ver) {
    if (argc != 7) fail("run this through run.py");
    dir = argv[1];
    what = argv[2];
    seconds = std::atof(argv[3]);
    threads = std::atoi(argv[4]);
    rtol = std::atof(argv[5]);
    atol = std::atof(argv[6]);
  }

  Array input(int i) const { return read_array(dir + "/in." + std::to_string(i) + ".npy"); }
  Array expected(int i) const { return read_array(dir + "/out." + std::to_string(i) + ".npy"); }

  void say(const std::string &variant, bool ok, const std::vector<double> &times,
           const std::string &note) const {
    std::printf(
        "{\"peer\": \"%s\", \"variant\": \"%s\", \"version\": \"%s\", \"ok\": %s, \"times_ns\": [",
        name.c_str(), variant.c_str(), version.c_str(), ok ? "true" : "false");
    for (size_t i = 0; i < times.size(); i++) std::printf("%s%.1f", i ? ", " : "", times[i]);
    std::printf("], \"note\": \"%s\"}\n", note.c_str());
  }

  // "" or where the first difference is.
  template <class T> std::string difference(const T *got, const Array &want) const {
    for (size_t i = 0; i < want.count(); i++) {
      double a = static_cast<double>(got[i]), b = static_cast<double>(want.data<T>()[i]);
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      if (std::is_integral<T>::value || !(std::fabs(a - b) <= atol + rtol * std::fabs(b)))
        return "element " + std::to_string(i) + " is " + std::to_string(a) + ", expected " +
               std::to_string(b);
    }
    return "";
  }

  // Times of single calls in ns: at least 10 repetitions, then until the time is over; a call that
  // takes that long itself, three.
  static std::vector<double> times(const std::function<void()> &call, double seconds) {
    double once = time(call, 1), begin = now();
    int batch = once < 2e5 ? 1 + static_cast<int>(2e5 / (once + 1)) : 1;
    size_t at_least = once * 10 < 4e9 * seconds ? 10 : 3;
    std::vector<double> all;
    while (all.size() < 1000 && (all.size() < at_least || now() - begin < seconds * 1e9))
      all.push_back(time(call, batch));
    return all;
  }

  // `wrong` says after a first call whether the results are the expected ones.
  void measure(const std::string &variant, const std::function<void()> &call,
               const std::function<std::string()> &wrong, const std::string &note = "") const {
    call();
    std::string off = wrong();
    if (!off.empty()) return say(variant, false, {}, "result is off: " + off);
    say(variant, true, times(call, seconds), note);
  }

private:
  static double now() {
    auto t = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(t).count());
  }
  static double time(const std::function<void()> &call, int batch) {
    double start = now();
    for (int i = 0; i < batch; i++) call();
    return (now() - start) / batch;
  }
};
