/* Scans, loops and branches as loops and branches of the entry: compared with the interpreter, bit
 * by bit, also with no iteration and with one. */
#include <math.h>
#include <stdio.h>

#include "base/str.h"
#include "programs.h"
#include "runtime/plan.h"
#include "runtime/testing.h"

/* A recurrent cell whose input product is done ahead; both directions; the carry is a result too.
 */
static const char cell[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, h: \"f32[9]\", xs: \"f32[s0, 9]\", w: \"f32[9, 9]\"):\n"
    "        back = torch.ops.aten.flip.default(xs, [0])\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [h], [xs], (w,))\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        body_1 = self.body\n"
    "        scan_1 = torch.ops.higher_order.scan(body_1, [a], [back], (w,))\n"
    "        c = scan_1[1]\n"
    "        d = torch.ops.aten.flip.default(c, [0])\n"
    "        return (a, b, d)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[9]\", x: \"f32[9]\", w: \"f32[9, 9]\"):\n"
    "            t: \"f32[9, 9]\" = torch.ops.aten.t.default(w)\n"
    "            p: \"f32[9]\" = torch.ops.aten.mv.default(t, h)\n"
    "            u: \"f32[1, 9]\" = torch.ops.aten.unsqueeze.default(x, 0)\n"
    "            q: \"f32[1, 9]\" = torch.ops.aten.mm.default(u, w)\n"
    "            r: \"f32[9]\" = torch.ops.aten.squeeze.dim(q, 0)\n"
    "            s: \"f32[9]\" = torch.ops.aten.add.Tensor(p, r)\n"
    "            y: \"f32[9]\" = torch.ops.aten.tanh.default(s)\n"
    "            return [y, h]\n";

/* The same with the matrix on the left, of a vector and of columns. */
static const char left_cell[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, h: \"f32[9]\", xs: \"f32[s0, 9]\", w: \"f32[9, 9]\"):\n"
    "        back = torch.ops.aten.flip.default(xs, [0])\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [h], [xs, back], (w,))\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        return (a, b)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[9]\", x: \"f32[9]\", y: \"f32[9]\", w: \"f32[9, 9]\"):\n"
    "            p: \"f32[9]\" = torch.ops.aten.mv.default(w, h)\n"
    "            q: \"f32[9]\" = torch.ops.aten.mv.default(w, x)\n"
    "            u: \"f32[9, 1]\" = torch.ops.aten.unsqueeze.default(y, 1)\n"
    "            m: \"f32[9, 1]\" = torch.ops.aten.mm.default(w, u)\n"
    "            r: \"f32[9]\" = torch.ops.aten.squeeze.dim(m, 1)\n"
    "            s: \"f32[9]\" = torch.ops.aten.add.Tensor(p, q)\n"
    "            t: \"f32[9]\" = torch.ops.aten.sub.Tensor(s, r)\n"
    "            v: \"f32[9]\" = torch.ops.aten.tanh.default(t)\n"
    "            return [v, q]\n";

/* What moves along an axis of unknown size. */
static const char cable[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, c: \"f32[s0, 5]\", x: \"f32[7, s0, 5]\"):\n"
    "        s: \"Sym(s0)\" = torch.ops.aten.sym_size.int(c, 0)\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [c], [x], (s,))\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        return (a, b)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, c: \"f32[s0, 5]\", x: \"f32[s0, 5]\", s: \"Sym(s0)\"):\n"
    "            m: \"Sym(s0 - 1)\" = s - 1\n"
    "            l: \"f32[s0 - 1, 5]\" = torch.ops.aten.slice.Tensor(c, 0, 0, m)\n"
    "            r: \"f32[1, 5]\" = torch.ops.aten.slice.Tensor(c, 0, m, s)\n"
    "            k: \"f32[s0, 5]\" = torch.ops.aten.cat.default([r, l], 0)\n"
    "            f: \"f32[s0, 5]\" = torch.ops.aten.flip.default(c, [0])\n"
    "            q: \"f32[5]\" = torch.ops.aten.select.int(c, 0, m)\n"
    "            t: \"f32[s0, 5]\" = torch.ops.aten.add.Tensor(k, f)\n"
    "            u: \"f32[s0, 5]\" = torch.ops.aten.mul.Tensor(t, x)\n"
    "            v: \"f32[s0, 5]\" = torch.ops.aten.add.Tensor(u, q)\n"
    "            w: \"f32[s0, 5]\" = torch.ops.aten.roll.default(v, [2], [0])\n"
    "            return [w, k]\n";

static const char repeated[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, i: \"i64[]\", x: \"f32[4, 4]\", w: \"f32[4, 4]\"):\n"
    "        test = self.test\n"
    "        body = self.body\n"
    "        loop = torch.ops.higher_order.while_loop(test, body, (i, x), (w,))\n"
    "        a = loop[0]\n"
    "        b = loop[1]\n"
    "        return (a, b)\n"
    "    class test(torch.nn.Module):\n"
    "        def forward(self, i: \"i64[]\", x: \"f32[4, 4]\", w: \"f32[4, 4]\"):\n"
    "            lt: \"b8[]\" = torch.ops.aten.lt.Scalar(i, 5)\n"
    "            return lt\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, i: \"i64[]\", x: \"f32[4, 4]\", w: \"f32[4, 4]\"):\n"
    "            j: \"i64[]\" = torch.ops.aten.add.Tensor(i, 1)\n"
    "            m: \"f32[4, 4]\" = torch.ops.aten.mm.default(x, w)\n"
    "            t: \"f32[4, 4]\" = torch.ops.aten.tanh.default(m)\n"
    "            return (j, t)\n";

/* Numbers that a loop carries, or a branch gives, beside tensors. */
static const char counted[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, k: \"i64[]\", x: \"f32[4, 4]\"):\n"
    "        test = self.test\n"
    "        body = self.body\n"
    "        n: \"Sym(u0)\" = torch.ops.aten.item.default(k)\n"
    "        loop = torch.ops.higher_order.while_loop(test, body, (n, 0, x), ())\n"
    "        a: \"Sym(u1)\" = loop[0]\n"
    "        b: \"Sym(u2)\" = loop[1]\n"
    "        c: \"f32[4, 4]\" = loop[2]\n"
    "        p = b > 3\n"
    "        yes = self.yes\n"
    "        no = self.no\n"
    "        cond = torch.ops.higher_order.cond(p, yes, no, (c, b))\n"
    "        d: \"Sym(u5)\" = cond[0]\n"
    "        e: \"f32[4, 4]\" = cond[1]\n"
    "        f: \"f32[4, 4]\" = torch.ops.aten.add.Tensor(e, d)\n"
    "        return (a, b, f)\n"
    "    class test(torch.nn.Module):\n"
    "        def forward(self, n: \"Sym(u3)\", m: \"Sym(u4)\", x: \"f32[4, 4]\"):\n"
    "            lt = n < 5\n"
    "            return lt\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, n: \"Sym(u3)\", m: \"Sym(u4)\", x: \"f32[4, 4]\"):\n"
    "            i = n + 1\n"
    "            y: \"f32[4, 4]\" = torch.ops.aten.mul.Tensor(x, m)\n"
    "            z: \"f32[4, 4]\" = torch.ops.aten.roll.default(y, [n], [0])\n"
    "            return (i, n, z)\n"
    "    class yes(torch.nn.Module):\n"
    "        def forward(self, c: \"f32[4, 4]\", b: \"Sym(u2)\"):\n"
    "            i = b * 2\n"
    "            j: \"f32[4, 4]\" = torch.ops.aten.neg.default(c)\n"
    "            return (i, j)\n"
    "    class no(torch.nn.Module):\n"
    "        def forward(self, c: \"f32[4, 4]\", b: \"Sym(u2)\"):\n"
    "            j: \"f32[4, 4]\" = torch.ops.aten.exp.default(c)\n"
    "            return (7, j)\n";

/* A branch with an assertion on one side, in a loop. */
static const char asserted[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, c: \"f32[20]\", xs: \"f32[s0, 20]\"):\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [c], [xs], ())\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        return (a, b)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, c: \"f32[20]\", x: \"f32[20]\"):\n"
    "            s: \"f32[]\" = torch.ops.aten.sum.default(x)\n"
    "            p: \"b8[]\" = torch.ops.aten.gt.Scalar(s, 0)\n"
    "            yes = self.yes\n"
    "            no = self.no\n"
    "            cond = torch.ops.higher_order.cond(p, yes, no, (c, x))\n"
    "            d: \"f32[20]\" = cond[0]\n"
    "            e: \"f32[20]\" = torch.ops.aten.add.Tensor(d, 1)\n"
    "            return [e, d]\n"
    "        class yes(torch.nn.Module):\n"
    "            def forward(self, c: \"f32[20]\", x: \"f32[20]\"):\n"
    "                k: \"f32[20]\" = torch.ops.aten.cumsum.default(x, 0)\n"
    "                m: \"f32[20]\" = torch.ops.aten.mul.Tensor(c, k)\n"
    "                return (m,)\n"
    "        class no(torch.nn.Module):\n"
    "            def forward(self, c: \"f32[20]\", x: \"f32[20]\"):\n"
    "                g: \"b8[20]\" = torch.ops.aten.gt.Scalar(x, -50)\n"
    "                k: \"b8[]\" = torch.ops.aten.all.default(g)\n"
    "                z = torch.ops.aten._assert_async.msg(k, 'far below')\n"
    "                return (c,)\n";

/* Rows that are sorted, one after the other, and a part that begins at one of them. */
static const char mapped[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, x: \"f32[s0, 9]\", k: \"i64[]\"):\n"
    "        body = self.body\n"
    "        map_impl = torch.ops.higher_order.map_impl(body, [x], [k])\n"
    "        a = map_impl[0]\n"
    "        b = map_impl[1]\n"
    "        return (a, b)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, x: \"f32[9]\", k: \"i64[]\"):\n"
    "            n: \"Sym(u0)\" = torch.ops.aten.item.default(k)\n"
    "            p: \"f32[3]\" = torch.ops.aten.narrow.default(x, 0, n, 3)\n"
    "            s = torch.ops.aten.sort.default(x)\n"
    "            v: \"f32[9]\" = s[0]\n"
    "            t: \"f32[9]\" = torch.ops.aten.slice_scatter.default(v, p, 0, 2, 5)\n"
    "            return [t, x]\n";

/* What is the same in every step: beside what is not, as a result, as a part of one, and as what an
 * inner loop begins with. */
static const char captured[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, h: \"f32[4]\", xs: \"f32[s0, 4]\", k: \"f32[4]\", w: \"f32[4, 4]\"):\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [h], [xs], (k, w))\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        c = scan[2]\n"
    "        d = scan[3]\n"
    "        return (a, b, c, d)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[4]\", x: \"f32[4]\", k: \"f32[4]\", w: \"f32[4, 4]\"):\n"
    "            d: \"f32[4]\" = torch.ops.aten.digamma.default(k)\n"
    "            e: \"f32[4]\" = torch.ops.aten.mul.Tensor(d, k)\n"
    "            inner = self.inner\n"
    "            scan = torch.ops.higher_order.scan(inner, [e], [w], ())\n"
    "            i: \"f32[4]\" = scan[0]\n"
    "            m: \"f32[4]\" = torch.ops.aten.mul.Tensor(i, h)\n"
    "            n: \"f32[4]\" = torch.ops.aten.add.Tensor(m, d)\n"
    "            o: \"f32[4]\" = torch.ops.aten.sin.default(n)\n"
    "            f: \"f32[8]\" = torch.ops.aten.cat.default([e, x], 0)\n"
    "            z: \"f32[4]\" = torch.ops.aten.zeros.default([4])\n"
    "            y: \"f32[4]\" = torch.ops.aten.add.Tensor(z, e)\n"
    "            g: \"f32[4]\" = torch.ops.aten.exp.default(y)\n"
    "            p: \"f32[8]\" = torch.ops.aten.cat.default([g, o], 0)\n"
    "            q: \"f32[8]\" = torch.ops.aten.roll.default(p, [1], [0])\n"
    "            return [o, f, g, q]\n"
    "        class inner(torch.nn.Module):\n"
    "            def forward(self, c: \"f32[4]\", x: \"f32[4]\"):\n"
    "                r: \"f32[4]\" = torch.ops.aten.roll.default(c, [1], [0])\n"
    "                s: \"f32[4]\" = torch.ops.aten.add.Tensor(r, x)\n"
    "                return [s]\n";

static const char repeated_captured[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, i: \"i64[]\", x: \"f32[4]\", k: \"f32[4]\", w: \"f32[4, 4]\"):\n"
    "        test = self.test\n"
    "        body = self.body\n"
    "        loop = torch.ops.higher_order.while_loop(test, body, (i, x), (k, w))\n"
    "        a = loop[0]\n"
    "        b = loop[1]\n"
    "        return (a, b)\n"
    "    class test(torch.nn.Module):\n"
    "        def forward(self, i: \"i64[]\", x: \"f32[4]\", k: \"f32[4]\", w: \"f32[4, 4]\"):\n"
    "            s: \"f32[]\" = torch.ops.aten.sum.default(k)\n"
    "            lt: \"b8[]\" = torch.ops.aten.lt.Tensor(i, s)\n"
    "            return lt\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, i: \"i64[]\", x: \"f32[4]\", k: \"f32[4]\", w: \"f32[4, 4]\"):\n"
    "            j: \"i64[]\" = torch.ops.aten.add.Tensor(i, 1)\n"
    "            d: \"f32[4]\" = torch.ops.aten.digamma.default(k)\n"
    "            v: \"f32[4, 4]\" = torch.ops.aten.mul.Tensor(w, d)\n"
    "            m: \"f32[4]\" = torch.ops.aten.mv.default(v, x)\n"
    "            t: \"f32[4]\" = torch.ops.aten.add.Tensor(m, d)\n"
    "            u: \"f32[4]\" = torch.ops.aten.tanh.default(t)\n"
    "            return (j, u)\n";

/* Every scan is a loop, also where it could be one kernel. */
static scanc_program *compile_as_loops(const char *text) {
  const scanc_options opts = SCANC_OPTIONS_INIT;
  const program_choices choices = {.loops_only = true};
  return compile_choosing(text, &opts, &choices);
}

static void agree(const char *text, const scanc_tensor *in, int n_in, int n_out) {
  scanc_program *a = compile_as_loops(text), *b = compile_with(text, SCANC_EXEC_INTERP, 0);
  ck_assert(a->planned && !a->plans->hosts.len);
  check_runs(a, b, in, n_in, n_out);
  scanc_program_free(a);
  scanc_program_free(b);
}

START_TEST(test_products) {
  float h[9], x[8 * 9], w[81];
  fill(h, 9, -2), fill(x, 72, -3), fill(w, 81, -2);
  for (int n = 0; n <= 8; n++) {
    scanc_tensor in[3] = {f32(h, 1, 9, 1), f32(x, 2, n, 9), f32(w, 2, 9, 9)};
    agree(cell, in, 3, 3);
    agree(left_cell, in, 3, 2);
  }
}
END_TEST

START_TEST(test_moved_axes) {
  float c[9 * 5], x[7 * 9 * 5];
  fill(c, 45, -2), fill(x, 315, -3);
  for (int n = 1; n <= 9; n += n < 3 ? 1 : 3) {
    scanc_tensor in[2] = {f32(c, 2, n, 5), {.data = x, .dtype = SCANC_F32, .rank = 3}};
    in[1].sizes[0] = 7, in[1].sizes[1] = n, in[1].sizes[2] = 5;
    in[1].strides[0] = 5 * n, in[1].strides[1] = 5, in[1].strides[2] = 1;
    agree(cable, in, 2, 2);
  }
}
END_TEST

/* A result that is a cat of what is the same in every step. */
static const char joined[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, c: \"f32[4, 4]\", x: \"f32[s0, 4]\"):\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [c], [x], (c,))\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        return (a, b)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, c: \"f32[4, 4]\", x: \"f32[4]\", d: \"f32[4, 4]\"):\n"
    "            v = torch.ops.aten.amax.default(d, [1])\n"
    "            u = torch.ops.aten.amin.default(d, [1])\n"
    "            k = torch.ops.aten.cat.default([v, u], 0)\n"
    "            r = torch.ops.aten.roll.default(c, [1], [0])\n"
    "            s = torch.ops.aten.add.Tensor(r, x)\n"
    "            p = torch.ops.aten.cumsum.default(s, 1)\n"
    "            return [p, k]\n";

static int n_loops(const char *text) {
  scanc_program *p = compile_as_loops(text);
  int n = 0;
  ck_assert(p->planned);
  for (int i = 0; i < p->plans->entry.steps.len; i++)
    n += p->plans->entry.steps.data[i].kind == STEP_LOOP;
  scanc_program_free(p);
  return n;
}

/* The same cells with their input products done ahead for some steps at a time (four, in tests):
 * scans are loops in loops, and a loop for what is left. */
START_TEST(test_blocks) {
  static const struct {
    const char *length;
    int n, loops;
  } rows[] = {{"7", 7, 2}, {"8", 8, 4}, {"11", 11, 6}, {"20", 20, 4}};
  const char *const cells[] = {cell, left_cell};
  float h[9], x[20 * 9], w[81];
  fill(h, 9, -2), fill(x, 180, -3), fill(w, 81, -2);
  for (int i = 0; i < 8; i++) {
    int k = i / 2, scans = 2 - i % 2;
    char text[sizeof cell + sizeof left_cell];
    const char *symbol = strstr(cells[i % 2], "s0");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(symbol - cells[i % 2]), cells[i % 2],
             rows[k].length, symbol + 2);
    scanc_tensor in[3] = {f32(h, 1, 9, 1), f32(x, 2, rows[k].n, 9), f32(w, 2, 9, 9)};
    ck_assert_int_eq(n_loops(text), rows[k].loops * scans / 2);
    agree(text, in, 3, 1 + scans);
  }
}
END_TEST

START_TEST(test_joined) {
  float c[16], x[24];
  fill(c, 16, -2), fill(x, 24, -3);
  for (int n = 0; n <= 6; n++) {
    scanc_tensor in[2] = {f32(c, 2, 4, 4), f32(x, 2, n, 4)};
    agree(joined, in, 2, 2);
  }
}
END_TEST

START_TEST(test_while) {
  float x[16], w[16];
  fill(x, 16, -2), fill(w, 16, -3);
  for (int64_t i = 0; i <= 9; i++) {
    scanc_tensor in[3] = {array(&i, SCANC_I64, 0, 1, 1), f32(x, 2, 4, 4), f32(w, 2, 4, 4)};
    agree(repeated, in, 3, 2);
  }
}
END_TEST

START_TEST(test_numbers) {
  float x[16];
  fill(x, 16, -2);
  for (int64_t i = -1; i <= 6; i++) {
    scanc_tensor in[2] = {array(&i, SCANC_I64, 0, 1, 1), f32(x, 2, 4, 4)};
    agree(counted, in, 2, 3);
  }
}
END_TEST

START_TEST(test_captured) {
  float h[4], x[5 * 4], k[4] = {1, 2, 0.5F, 1.5F}, w[16];
  fill(h, 4, -2), fill(x, 20, -3), fill(w, 16, -2);
  for (int n = 0; n <= 5; n++) {
    scanc_tensor in[4] = {f32(h, 1, 4, 1), f32(x, 2, n, 4), f32(k, 1, 4, 1), f32(w, 2, 4, 4)};
    agree(captured, in, 4, 4);
  }
  for (int64_t i = 0; i <= 6; i++) {
    scanc_tensor in[4] = {array(&i, SCANC_I64, 0, 1, 1), f32(h, 1, 4, 1), f32(k, 1, 4, 1),
                          f32(w, 2, 4, 4)};
    agree(repeated_captured, in, 4, 2);
  }
}
END_TEST

START_TEST(test_branches) {
  float c[20], x[5 * 20];
  fill(c, 20, -2), fill(x, 100, -3);
  for (int i = 20; i < 40; i++) x[i] = -x[i]; /* the other side */
  for (int n = 0; n <= 5; n++) {
    scanc_tensor in[2] = {f32(c, 1, 20, 1), f32(x, 2, n, 20)};
    agree(asserted, in, 2, 2);
  }
}
END_TEST

START_TEST(test_map) {
  float x[9 * 9];
  fill(x, 81, -2);
  for (int64_t k = 0; k <= 6; k += 3) {
    scanc_tensor in[2] = {f32(x, 2, 9 - k, 9), {.data = &k, .dtype = SCANC_I64}};
    agree(mapped, in, 2, 2);
  }
}
END_TEST

/* The first one of the program as written, with what its author says. */
START_TEST(test_assertion) {
  float c[20], x[5 * 20];
  fill(c, 20, -2), fill(x, 100, -3);
  scanc_tensor in[2] = {f32(c, 1, 20, 1), f32(x, 2, 5, 20)}, out[2] = {0};
  scanc_program *p = compile_with(asserted, SCANC_EXEC_JIT, 0);
  x[47] = -1000;
  run_fails(p, in, 2, out, 2, SCANC_ERR_DATA, "far below");
  x[47] = 1000; /* its side is not taken */
  x[48] = -51;
  run(p, in, 2, out, 2);
  release(out, 2);
  scanc_program_free(p);
}
END_TEST

/* ---- loops that never end ---- */

/* The condition and the next values of a count and of an array. */
static void watched_text(str *out, const char *holds, const char *count, const char *array) {
  str_printf(out,
             "class GraphModule(torch.nn.Module):\n"
             "    def forward(self, i: \"i64[]\", x: \"f32[s0]\"):\n"
             "        test = self.test\n"
             "        body = self.body\n"
             "        loop = torch.ops.higher_order.while_loop(test, body, (i, x), ())\n"
             "        a = loop[0]\n"
             "        b = loop[1]\n"
             "        return (a, b)\n"
             "    class test(torch.nn.Module):\n"
             "        def forward(self, i: \"i64[]\", x: \"f32[s0]\"):\n"
             "            lt: \"b8[]\" = torch.ops.aten.lt.Scalar(i, %s)\n"
             "            return lt\n"
             "    class body(torch.nn.Module):\n"
             "        def forward(self, i: \"i64[]\", x: \"f32[s0]\"):\n"
             "            k: \"i64[]\" = torch.ops.aten.%s)\n"
             "            j: \"i64[]\" = torch.ops.aten.remainder.Scalar(k, 1000000)\n"
             "            y: \"f32[s0]\" = torch.ops.aten.%s)\n"
             "            return (j, y)\n",
             holds, count, array);
}

/* In steps of a scan. */
static const char watched_in_scan[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, i: \"i64[]\", x: \"f32[s0]\"):\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [i], [x], ())\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        return (a, b)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, i: \"i64[]\", x: \"f32[]\"):\n"
    "            test = self.test\n"
    "            step = self.step\n"
    "            loop = torch.ops.higher_order.while_loop(test, step, (x,), ())\n"
    "            y: \"f32[]\" = loop[0]\n"
    "            j: \"i64[]\" = torch.ops.aten.add.Tensor(i, 1)\n"
    "            return [j, y]\n"
    "        class test(torch.nn.Module):\n"
    "            def forward(self, x: \"f32[]\"):\n"
    "                lt: \"b8[]\" = torch.ops.aten.lt.Scalar(x, 3.0)\n"
    "                return lt\n"
    "        class step(torch.nn.Module):\n"
    "            def forward(self, x: \"f32[]\"):\n"
    "                y: \"f32[]\" = torch.ops.aten.add.Tensor(x, 1.0)\n"
    "                return (y,)\n";

/* Numbers, and nothing else. */
static const char watched_numbers[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, i: \"i64[]\", x: \"f32[s0]\"):\n"
    "        test = self.test\n"
    "        body = self.body\n"
    "        n: \"Sym(u0)\" = torch.ops.aten.item.default(i)\n"
    "        loop = torch.ops.higher_order.while_loop(test, body, (n, 2), ())\n"
    "        a: \"Sym(u1)\" = loop[0]\n"
    "        b: \"Sym(u2)\" = loop[1]\n"
    "        y: \"f32[s0]\" = torch.ops.aten.add.Tensor(x, a)\n"
    "        return (a, y)\n"
    "    class test(torch.nn.Module):\n"
    "        def forward(self, n: \"Sym(u3)\", m: \"Sym(u4)\"):\n"
    "            lt = n < 5000\n"
    "            return lt\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, n: \"Sym(u3)\", m: \"Sym(u4)\"):\n"
    "            i = n * m\n"
    "            j = 3 - m\n"
    "            return (i, j)\n";

/* All executors tell the same error, in the line of the loop, or (line 0) the same results. */
static void check_ends(const char *text, const scanc_tensor *in, int line) {
  scanc_error want = {0};
  scanc_tensor out[3][2] = {0};
  for (int k = 0; k < 3; k++) {
    scanc_program *p =
        compile_threaded(text, k ? SCANC_EXEC_JIT : SCANC_EXEC_INTERP, NULL, k > 1 ? 3 : 1);
    scanc_error err = {0};
    scanc_run(p, in, 2, out[k], 2, &err);
    ck_assert_msg((err.code == SCANC_ERR_DATA) == (line > 0) && err.line == line, "%d: %d: %s", k,
                  err.line, err.message);
    if (!k) want = err;
    ck_assert_str_eq(err.message, want.message);
    for (int i = 0; i < 2 && k && !line; i++) check_equal(&out[k][i], &out[0][i]);
    scanc_program_free(p);
  }
  ck_assert(!line || strstr(want.message, "loop: the loop never ends: its values repeat"));
  for (int k = 0; k < 3; k++) release(out[k], 2);
}

static void check_watched(const char *holds, const char *count, const char *array, int64_t i,
                          float first, int n, bool ends) {
  static float x[3000];
  str text = {0};
  for (int k = 0; k < n; k++) x[k] = k ? (float)k : first;
  scanc_tensor in[2] = {{.data = &i, .dtype = SCANC_I64}, f32(x, 1, n, 1)};
  watched_text(&text, holds, count, array);
  check_ends(str_cstr(&text), in, ends ? 0 : 5);
  str_free(&text);
}

START_TEST(test_endless) {
  static const char stays[] = "mul.Tensor(i, 1", counts[] = "add.Tensor(i, 1",
                    halves[] = "mul.Tensor(x, 0.5", same[] = "mul.Tensor(x, 1.0";
  check_watched("9", stays, halves, 0, 1, 5, false);                     /* after some time */
  check_watched("9", stays, "roll.default(x, [1], [0]", 0, 1, 3, false); /* in turn */
  check_watched("9", stays, "neg.default(x", 0, 0, 1, false);            /* zeros of both signs */
  check_watched("9", stays, same, 0, NAN, 2, false);
  check_watched("9", stays, same, 0, 0, 0, false); /* no elements */
  check_watched("9", stays, same, 0, 0, 3000, false);
  check_watched("2000000", counts, same, 999000, 0, 3, false); /* a long period */
  check_watched("2000000", "sub.Tensor(7, i", same, 1, 0, 3, false);
  check_watched("5000", counts, same, 0, 0, 3000, true);
  check_watched("9", stays, same, 9, 1, 3, true); /* no iteration */
}
END_TEST

START_TEST(test_endless_inside) {
  float x[3] = {2, -5, 1}, last[3] = {2, -5, -1e30F};
  int64_t i = 0, one = 1;
  scanc_tensor in[2] = {{.data = &i, .dtype = SCANC_I64}, f32(x, 1, 3, 1)};
  check_ends(watched_in_scan, in, 0);
  in[1] = f32(last, 1, 3, 1);
  check_ends(watched_in_scan, in, 12);
  check_ends(watched_numbers, in, 6); /* 0 stays 0 */
  in[0].data = &one;
  check_ends(watched_numbers, in, 0);
}
END_TEST

UNIT_MAIN("flows", test_products, test_blocks, test_joined, test_moved_axes, test_while,
          test_numbers, test_captured, test_branches, test_map, test_assertion, test_endless,
          test_endless_inside)
