/* Scans whose steps are small: operations side by side in vectors, and elementwise work that a scan
 * takes in. Compared with the interpreter, bit by bit, for several lengths. */
#include <stdio.h>

#include "base/str.h"
#include "loop/target.h"
#include "programs.h"
#include "runtime/program.h"

static void check_says(const char *text, const char *says) {
  scanc_program *p = compile_with(text, SCANC_EXEC_JIT, 0);
  scanc_error err = {0};
  str out = {0};
  ck_assert_msg(explain_program(&out, p, NULL, &err), "%s", err.message);
  ck_assert_msg(strstr(str_cstr(&out), says) != NULL, "%s", str_cstr(&out));
  str_free(&out);
  scanc_program_free(p);
}

static void agree(const char *text, const scanc_tensor *in, int n_in, int n_out) {
  scanc_program *a = compile_with(text, SCANC_EXEC_JIT, 0),
                *b = compile_with(text, SCANC_EXEC_INTERP, 0);
  check_runs(a, b, in, n_in, n_out);
  scanc_program_free(a);
  scanc_program_free(b);
}

/* ---- side by side ---- */

static void list(str *out, const char *name, int n, const char *after) {
  for (int i = 0; i < n; i++) str_printf(out, "%s%s%d%s", i ? ", " : "", name, i, after);
}

/* n scalars, each of which looks at the next one; some are moved only, which leaves gaps. */
static void leaves_text(str *out, const char *elements, const char *first, const char *second,
                        int n) {
  char annotation[32];
  snprintf(annotation, sizeof annotation, ": \"%s[]\"", elements);
  str_printf(out,
             "class GraphModule(torch.nn.Module):\n"
             "    def forward(self, init: \"%s[%d]\", xs: \"%s[s0]\"):\n"
             "        unbind = torch.ops.aten.unbind.int(init)\n",
             elements, n, elements);
  for (int i = 0; i < n; i++) str_printf(out, "        c%d = unbind[%d]\n", i, i);
  str_append(out, "        body = self.body\n"
                  "        scan = torch.ops.higher_order.scan(body, [");
  list(out, "c", n, "");
  str_append(out, "], [xs], ())\n");
  for (int i = 0; i < n; i++) str_printf(out, "        l%d = scan[%d]\n", i, i);
  str_printf(out, "        ys = scan[%d]\n        last = torch.ops.aten.stack.default([", n);
  list(out, "l", n, "");
  str_append(out, "])\n        return (ys, last)\n"
                  "    class body(torch.nn.Module):\n"
                  "        def forward(self, ");
  list(out, "c", n, annotation);
  str_printf(out, ", x%s):\n", annotation);
  for (int i = 0; i < n; i++)
    str_printf(out,
               "            k%d = torch.ops.aten.%s(c%d, x)\n"
               "            n%d = torch.ops.aten.%s(k%d, c%d)\n",
               i, first, i, i, second, i, (i + 1 + i % 3) % n);
  str_append(out, "            return [");
  list(out, "n", n, "");
  str_append(out, ", k3]\n");
}

enum { LEAVES = 27, STEPS = 9 };

/* Lanes that come from several places have to be brought together: fewer than 8 do not pay for it.
 */
static bool pays_off(scanc_dtype d) {
  target here;
  return target_get("native", &here) &&
         here.vector_bytes >= 8 * (int)scanc_dtype_size(dtype_acc(d));
}

static void check_leaves(const char *elements, scanc_dtype d, const char *first,
                         const char *second) {
  static char init[LEAVES * 16], xs[STEPS * 16];
  str text = {0};
  int64_t size = (int64_t)scanc_dtype_size(d);
  for (int i = 0; i < LEAVES * size; i++) init[i] = d == SCANC_BOOL ? i % 3 == 0 : (char)(i * 37);
  for (int i = 0; i < STEPS * size; i++) xs[i] = d == SCANC_BOOL ? i % 2 == 0 : (char)(i * 11);
  leaves_text(&text, elements, first, second, LEAVES);
  if (pays_off(d)) check_says(str_cstr(&text), "side by side");
  else
    printf("%s: not asked whether operations are side by side, vectors are short here\n", elements);
  for (int n = 0; n <= STEPS; n += n < 2 ? 1 : 7) {
    scanc_tensor in[2] = {array(init, d, 1, LEAVES, 1), array(xs, d, 1, n, 1)};
    agree(str_cstr(&text), in, 2, 2);
  }
  str_free(&text);
}

START_TEST(test_leaves) {
  check_leaves("f64", SCANC_F64, "mul.Tensor", "sub.Tensor");
  check_leaves("f32", SCANC_F32, "mul.Tensor", "maximum.default");
  check_leaves("f16", SCANC_F16, "mul.Tensor", "sub.Tensor");
  check_leaves("i32", SCANC_I32, "mul.Tensor", "bitwise_xor.Tensor");
  check_leaves("i64", SCANC_I64, "add.Tensor", "mul.Tensor");
  check_leaves("u8", SCANC_U8, "mul.Tensor", "add.Tensor");
}
END_TEST

/* Products of small matrices, one of them transposed, and functions of the elements. */
static const char matrices[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, a: \"f64[4, 4]\", w: \"f64[4, 4]\", x: \"f64[s0, 4]\"):\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [a], [x], (w,))\n"
    "        b = scan[0]\n"
    "        c = scan[1]\n"
    "        return (b, c)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, a: \"f64[4, 4]\", x: \"f64[4]\", w: \"f64[4, 4]\"):\n"
    "            p: \"f64[4, 4]\" = torch.ops.aten.mm.default(w, a)\n"
    "            t: \"f64[4, 4]\" = torch.ops.aten.t.default(w)\n"
    "            q: \"f64[4, 4]\" = torch.ops.aten.mm.default(p, t)\n"
    "            r: \"f64[4, 4]\" = torch.ops.aten.add.Tensor(q, x)\n"
    "            u: \"f64[4, 4]\" = torch.ops.aten.tanh.default(r)\n"
    "            y: \"f64[4]\" = torch.ops.aten.mv.default(u, x)\n"
    "            g: \"b8[4, 4]\" = torch.ops.aten.gt.Tensor(u, x)\n"
    "            z: \"f64[4, 4]\" = torch.ops.aten.where.self(g, u, a)\n"
    "            return [z, y]\n";

START_TEST(test_matrices) {
  double a[16], w[16], x[6 * 4];
  for (int i = 0; i < 16; i++) a[i] = (i * 7 % 16) / 8.0 - 1, w[i] = (i * 5 % 16) / 16.0 - 0.3;
  for (int i = 0; i < 24; i++) x[i] = (i * 11 % 24) / 16.0 - 1;
  check_says(matrices, "side by side");
  for (int n = 0; n <= 6; n += n < 2 ? 1 : 4) {
    scanc_tensor in[3] = {array(a, SCANC_F64, 2, 4, 4), array(w, SCANC_F64, 2, 4, 4),
                          array(x, SCANC_F64, 2, n, 4)};
    agree(matrices, in, 3, 2);
  }
}
END_TEST

/* ---- what a scan takes in ---- */

/* Backwards; a factor is used twice, an x by the program, too; a result of the scan is only read by
 * what moves in, another one also by the program. */
static const char border[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, r: \"f32[s0, 33]\", v: \"f32[s0, 33]\", d: \"b8[s0, 33]\", h: "
    "\"f32[33]\"):\n"
    "        to: \"f32[s0, 33]\" = torch.ops.aten.to.dtype(d, torch.float32)\n"
    "        go: \"f32[s0, 33]\" = torch.ops.aten.rsub.Scalar(to, 1.0)\n"
    "        m: \"f32[s0, 33]\" = torch.ops.aten.mul.Tensor(v, go)\n"
    "        delta: \"f32[s0, 33]\" = torch.ops.aten.sub.Tensor(r, m)\n"
    "        f: \"f32[s0, 33]\" = torch.ops.aten.flip.default(delta, [0])\n"
    "        g: \"f32[s0, 33]\" = torch.ops.aten.flip.default(go, [0])\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [h], [f, g], ())\n"
    "        a = scan[1]\n"
    "        b = scan[2]\n"
    "        c: \"f32[s0, 33]\" = torch.ops.aten.flip.default(a, [0])\n"
    "        e: \"f32[s0, 33]\" = torch.ops.aten.flip.default(b, [0])\n"
    "        k: \"f32[s0, 33]\" = torch.ops.aten.add.Tensor(c, v)\n"
    "        l: \"f32[s0, 33]\" = torch.ops.aten.mul.Tensor(e, c)\n"
    "        return (c, k, l)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[33]\", x: \"f32[33]\", g: \"f32[33]\"):\n"
    "            m: \"f32[33]\" = torch.ops.aten.mul.Tensor(h, g)\n"
    "            n: \"f32[33]\" = torch.ops.aten.add.Tensor(m, x)\n"
    "            y: \"f32[33]\" = torch.ops.aten.tanh.default(n)\n"
    "            z: \"f32[33]\" = torch.ops.aten.clone.default(n)\n"
    "            return [n, z, y]\n";

START_TEST(test_border) {
  enum { T = 7, D = 33 };
  float r[T * D], v[T * D], h[D];
  bool d[T * D];
  fill(r, T * D, -2), fill(v, T * D, -3), fill(h, D, -1);
  for (int i = 0; i < T * D; i++) d[i] = i % 5 == 0;
  check_says(border, "one call, 1 kernel,");
  for (int n = 0; n <= T; n += n < 2 ? 1 : 5) {
    scanc_tensor in[4] = {f32(r, 2, n, D), f32(v, 2, n, D), array(d, SCANC_BOOL, 2, n, D),
                          f32(h, 1, D, 1)};
    agree(border, in, 4, 3);
  }
}
END_TEST

/* What depends on the last carry, on another order of the steps, or is used elsewhere, stays. */
static const char outside[] = "class GraphModule(torch.nn.Module):\n"
                              "    def forward(self, x: \"f32[6, 40]\", h: \"f32[40]\"):\n"
                              "        s: \"f32[6, 40]\" = torch.ops.aten.sin.default(x)\n"
                              "        body = self.body\n"
                              "        scan = torch.ops.higher_order.scan(body, [h], [s], ())\n"
                              "        last = scan[0]\n"
                              "        y: \"f32[6, 40]\" = scan[1]\n"
                              "        a: \"f32[6, 40]\" = torch.ops.aten.add.Tensor(y, last)\n"
                              "        f: \"f32[6, 40]\" = torch.ops.aten.flip.default(x, [0])\n"
                              "        g: \"f32[6, 40]\" = torch.ops.aten.exp.default(f)\n"
                              "        b: \"f32[6, 40]\" = torch.ops.aten.mul.Tensor(y, g)\n"
                              "        c: \"f32[6, 40]\" = torch.ops.aten.mul.Tensor(s, y)\n"
                              "        return (a, b, c)\n"
                              "    class body(torch.nn.Module):\n"
                              "        def forward(self, h: \"f32[40]\", x: \"f32[40]\"):\n"
                              "            n: \"f32[40]\" = torch.ops.aten.add.Tensor(h, x)\n"
                              "            y: \"f32[40]\" = torch.ops.aten.neg.default(h)\n"
                              "            return [n, y]\n";

START_TEST(test_outside) {
  float x[6 * 40], h[40];
  fill(x, 240, -2), fill(h, 40, -1);
  scanc_tensor in[2] = {f32(x, 2, 6, 40), f32(h, 1, 40, 1)};
  agree(outside, in, 2, 3);
}
END_TEST

/* The same at a loop of the entry: what joins the groups of its steps moves, in chains and with an
 * x more; what a product of the steps reads, or what would be stored anyway, stays. */
static const char loop_border[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, h: \"f32[70]\", u: \"f32[s0, 70]\", v: \"f32[s0, 70]\", w: \"f32[70, "
    "70]\"):\n"
    "        a: \"f32[s0, 70]\" = torch.ops.aten.mul.Tensor(u, 2.0)\n"
    "        b: \"f32[s0, 70]\" = torch.ops.aten.add.Tensor(a, v)\n"
    "        c: \"f32[s0, 70]\" = torch.ops.aten.neg.default(v)\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [h], [b, c], (w,))\n"
    "        y: \"f32[s0, 70]\" = scan[1]\n"
    "        z: \"f32[s0, 70]\" = scan[2]\n"
    "        d: \"f32[s0, 70]\" = torch.ops.aten.exp.default(y)\n"
    "        e: \"f32[s0, 70]\" = torch.ops.aten.mul.Tensor(d, u)\n"
    "        f: \"f32[s0, 70]\" = torch.ops.aten.abs.default(z)\n"
    "        return (e, f, y)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[70]\", x: \"f32[70]\", k: \"f32[70]\", w: \"f32[70, "
    "70]\"):\n"
    "            p: \"f32[70]\" = torch.ops.aten.mv.default(w, h)\n"
    "            q: \"f32[70]\" = torch.ops.aten.add.Tensor(p, x)\n"
    "            n: \"f32[70]\" = torch.ops.aten.tanh.default(q)\n"
    "            m: \"f32[70]\" = torch.ops.aten.mul.Tensor(n, k)\n"
    "            r: \"f32[70]\" = torch.ops.aten.mv.default(w, k)\n"
    "            s: \"f32[70]\" = torch.ops.aten.mv.default(w, m)\n"
    "            t: \"f32[70]\" = torch.ops.aten.add.Tensor(n, r)\n"
    "            return [t, n, s]\n";

START_TEST(test_loop_border) {
  enum { T = 7, D = 70 };
  static float h[D], u[T * D], v[T * D], w[D * D];
  fill(h, D, -1), fill(u, T * D, -2), fill(v, T * D, -3), fill(w, D * D, -3);
  for (int i = 0; i < D * D; i++) w[i] /= 64;
  check_says(loop_border,
             "elementwise operations around it (add, mul, abs, exp, mul), in its groups");
  for (int n = 0; n <= T; n += n < 2 ? 1 : 5) {
    scanc_tensor in[4] = {f32(h, 1, D, 1), f32(u, 2, n, D), f32(v, 2, n, D), f32(w, 2, D, D)};
    agree(loop_border, in, 4, 3);
  }
}
END_TEST

UNIT_MAIN("steps", test_leaves, test_matrices, test_border, test_outside, test_loop_border)
