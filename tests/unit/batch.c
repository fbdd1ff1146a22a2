/* Scans whose steps need no carry, as operations on all steps at once: compared with the
 * interpreter, bit by bit, for several lengths, in both directions. */
#include "programs.h"
#include "runtime/plan.h"

/* What becomes of x: f32[6], v: f32[6], m: f32[4, 6], k: f32[]; y is the result. */
static const char *const bodies[] = {
    "y = aten.add.Tensor(x, v)",
    "y = aten.mul.Tensor(x, x)",
    "a = aten.exp.default(x); y = aten.sub.Tensor(m, a)",
    "a = aten.tanh.default(k); y = aten.mul.Tensor(x, a)",
    "a = aten.sum.default(x); y = aten.mul.Tensor(a, m)",
    "a = aten.select.int(x, 0, -2); b = aten.mul.Tensor(a, k); y = aten.add.Tensor(b, 1)",
    "a = aten.sum.dim_IntList(x, [-1], True); y = aten.div.Tensor(x, a)",
    "a = aten.mul.Tensor(m, x); b = aten.mean.dim(a, [0]); y = aten.sub.Tensor(b, x)",
    "a = aten.mul.Tensor(m, x); b = aten.amax.default(a, [-1], True); y = aten.sub.Tensor(a, b)",
    "a = aten.mul.Tensor(m, x); b = aten.amin.default(a); y = aten.gt.Tensor(a, b)",
    "a = aten.view.default(x, [2, 3]); b = aten.sum.dim_IntList(a, [0]); y = aten.neg.default(b)",
    "a = aten.unsqueeze.default(x, 0); b = aten.unsqueeze.default(x, -1); y = aten.mul.Tensor(a, "
    "b)",
    "a = aten.mul.Tensor(m, x); b = aten.permute.default(a, [1, 0]); y = aten.add.Tensor(b, k)",
    "y = aten.mv.default(m, x)",
    "a = aten.mul.Tensor(m, x); y = aten.mv.default(a, v)",
    "y = aten.dot.default(x, v)",
    "y = aten.dot.default(v, x)",
    "a = aten.mul.Tensor(m, x); b = aten.permute.default(m, [1, 0]); y = aten.mm.default(a, b)",
    "a = aten.mul.Tensor(m, x); b = aten.permute.default(a, [1, 0]); y = aten.mm.default(m, b)",
    "a = aten.mul.Tensor(m, x); b = aten.permute.default(a, [1, 0]); y = aten.mm.default(a, b)",
    "a = aten.permute.default(m, [1, 0]); y = aten.matmul.default(x, a)",
    "a = aten.slice.Tensor(x, 0, 1, 9223372036854775807, 2); y = aten.mul.Tensor(a, k)",
    "a = aten.mul.Tensor(m, x); b = aten.slice.Tensor(a, -1, -4, -1); y = aten.neg.default(b)",
    "a = aten.view.default(x, [1, 6, 1]); b = aten.view.default(m, [1, 4, 6]); "
    "d = aten.bmm.default(b, a); y = aten.squeeze.default(d)",
    "a = aten.to.dtype(x, torch.float64); b = aten.sum.default(a); y = aten.mul.Tensor(b, a)",
};

/* "aten." gets its module; one statement a line. */
static void print_body(str *s, const char *body) {
  str_append(s, "            ");
  for (const char *p = body; *p; p++) {
    if (!strncmp(p, "aten.", 5)) str_append(s, "torch.ops.");
    if (*p == ';') {
      str_append(s, "\n           ");
      continue;
    }
    str_char(s, *p);
  }
}

/* results: of the body; last: the last carry is an output, too. */
static str text_of(const char *body, const char *length, bool back, const char *results,
                   bool last) {
  str s = {0};
  str_printf(&s,
             "class GraphModule(torch.nn.Module):\n"
             "    def forward(self, x: \"f32[%s, 6]\", v: \"f32[6]\", m: \"f32[4, 6]\", k: "
             "\"f32[]\"):\n",
             length);
  if (back) str_append(&s, "        z = torch.ops.aten.flip.default(x, [0])\n");
  str_printf(&s,
             "        body = self.body\n"
             "        scan = torch.ops.higher_order.scan(body, [v], [%s], (v, m, k))\n"
             "        c = scan[0]\n        y = scan[1]\n",
             back ? "z" : "x");
  if (back) str_append(&s, "        w = torch.ops.aten.flip.default(y, [0])\n");
  str_printf(&s, "        return (%s%s,)\n", last ? "c, " : "", back ? "w" : "y");
  str_append(&s,
             "    class body(torch.nn.Module):\n"
             "        def forward(self, c: \"f32[6]\", x: \"f32[6]\", v: \"f32[6]\", m: \"f32[4, "
             "6]\", k: \"f32[]\"):\n");
  print_body(&s, body);
  str_printf(&s, "\n            return [%s]\n", results);
  return s;
}

static bool has_scan(const scanc_program *p) {
  bool has = false;
  for (const node *n = p->mod->main->first; n; n = n->next) has |= node_is_op(n, OP_scan);
  return has;
}

/* For sizes[0] to sizes[n_sizes - 1] steps. */
static void agree(const char *text, const int *sizes, int n_sizes, int n_out, bool gone) {
  float x[60], v[6], m[24], k = 0.75F;
  fill(x, 60, -2), fill(v, 6, -1), fill(m, 24, 1);
  scanc_program *p = compile_with(text, SCANC_EXEC_JIT, 0),
                *q = compile_with(text, SCANC_EXEC_INTERP, 0);
  ck_assert_msg(has_scan(p) != gone, "%s", text);
  for (int i = 0; i < n_sizes; i++) {
    scanc_tensor in[] = {f32(x, 2, sizes[i], 6), f32(v, 1, 6, 1), f32(m, 2, 4, 6),
                         f32(&k, 0, 1, 1)},
                 out[2][2] = {{{0}}};
    run(p, in, 4, out[0], n_out);
    run(q, in, 4, out[1], n_out);
    for (int o = 0; o < n_out; o++) check_equal(&out[0][o], &out[1][o]);
    release(out[0], n_out), release(out[1], n_out);
  }
  scanc_program_free(p), scanc_program_free(q);
}

START_TEST(test_maps) {
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    str s = text_of(bodies[i], "9", true, "c, y", false),
        t = text_of(bodies[i], "s0", false, "c, y", false);
    agree(str_cstr(&s), (int[]){9}, 1, 1, true);
    agree(str_cstr(&t), (int[]){0, 1, 9}, 3, 1, true);
    str_free(&s), str_free(&t);
  }
}
END_TEST

/* Of any width. */
START_TEST(test_wide_maps) {
  static const char text[] =
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, x: \"f32[s0, s1]\", v: \"f32[s1]\"):\n"
      "        body = self.body\n"
      "        scan = torch.ops.higher_order.scan(body, [v], [x], (v,))\n"
      "        y = scan[1]\n        z = scan[2]\n        return (y, z)\n"
      "    class body(torch.nn.Module):\n"
      "        def forward(self, c: \"f32[s1]\", x: \"f32[s1]\", v: \"f32[s1]\"):\n"
      "            a = torch.ops.aten.mul.Tensor(x, v)\n"
      "            b = torch.ops.aten.exp.default(a)\n"
      "            s = torch.ops.aten.sum.dim_IntList(b, [0])\n"
      "            t = torch.ops.aten.div.Tensor(b, s)\n"
      "            return [c, t, s]\n";
  float x[5 * 7], v[7];
  fill(x, 35, -2), fill(v, 7, -1);
  scanc_program *p = compile_with(text, SCANC_EXEC_JIT, 0),
                *q = compile_with(text, SCANC_EXEC_INTERP, 0);
  ck_assert(!has_scan(p));
  for (int n = 0; n <= 5; n++)
    for (int wide = 0; wide <= 7; wide += 7 - 3 * (n % 2)) {
      scanc_tensor in[] = {f32(x, 2, n, wide), f32(v, 1, wide, 1)};
      check_runs(p, q, in, 2, 2);
    }
  scanc_program_free(p), scanc_program_free(q);
}
END_TEST

/* The last carry is that of the last step, if there is one. */
START_TEST(test_ignored_carry) {
  static const char body[] = "a = aten.mul.Tensor(x, v); y = aten.exp.default(a)";
  for (int back = 0; back < 2; back++) {
    str s = text_of(body, "9", back, "a, y", true), t = text_of(body, "s0", back, "a, y", true);
    agree(str_cstr(&s), (int[]){9}, 1, 2, true);
    agree(str_cstr(&t), (int[]){0, 5}, 2, 2, false); /* the initial one otherwise */
    str_free(&s), str_free(&t);
  }
}
END_TEST

/* A chain of single elements, with costly functions of its xs, which become xs, and of what only a
 * y needs, which follow it. */
static const char chain[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, c: \"f32[]\", x: \"f32[s0]\", u: \"f32[s0, 2]\", k: \"f32[]\"):\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [c], [x, u], (k,))\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        return (a, b)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, c: \"f32[]\", x: \"f32[]\", u: \"f32[2]\", k: \"f32[]\"):\n"
    "            e = torch.ops.aten.exp.default(x)\n"
    "            m = torch.ops.aten.mul.Tensor(e, k)\n"
    "            t = torch.ops.aten.tanh.default(u)\n"
    "            s = torch.ops.aten.sum.default(t)\n"
    "            p = torch.ops.aten.mul.Tensor(c, 0.25)\n"
    "            q = torch.ops.aten.add.Tensor(p, m)\n"
    "            r = torch.ops.aten.add.Tensor(q, s)\n"
    "            o = torch.ops.aten.sub.Tensor(t, r)\n"
    "            v = torch.ops.aten.exp.default(o)\n"
    "            w = torch.ops.aten.add.Tensor(v, c)\n"
    "            return [r, w]\n";

/* Whether the body of the scan still computes that. */
static bool computes(const scanc_program *p, op_id op) {
  bool has = false;
  for (const node *n = p->mod->main->first; n; n = n->next)
    if (node_is_op(n, OP_scan))
      for (const node *k = val_graph(n->operands[0])->first; k; k = k->next)
        has |= node_is_op(k, op);
  return has;
}

START_TEST(test_chain) {
  float c = 0.5F, x[40], u[80], k = -0.75F;
  fill(x, 40, -2), fill(u, 80, -1);
  scanc_program *p = compile_with(chain, SCANC_EXEC_JIT, 0),
                *q = compile_with(chain, SCANC_EXEC_INTERP, 0);
  ck_assert(!computes(p, OP_exp) && !computes(p, OP_tanh) && computes(p, OP_add));
  ck_assert(computes(q, OP_exp) && computes(q, OP_tanh));
  for (int n = 0; n <= 40; n += 1 + n) {
    scanc_tensor in[] = {f32(&c, 0, 1, 1), f32(x, 1, n, 1), f32(u, 2, n, 2), f32(&k, 0, 1, 1)},
                 out[2][2] = {{{0}}};
    run(p, in, 4, out[0], 2);
    run(q, in, 4, out[1], 2);
    for (int i = 0; i < 2; i++) check_equal(&out[0][i], &out[1][i]);
    release(out[0], 2), release(out[1], 2);
  }
  scanc_program_free(p), scanc_program_free(q);
}
END_TEST

/* Neither quotient is part of a result: one is a carry that is ignored, one is of a carry that is.
 */
static const char failing[] = "class GraphModule(torch.nn.Module):\n"
                              "    def forward(self, c: \"i64[]\", xs: \"i64[n]\"):\n"
                              "        step = self.step\n"
                              "        scan = torch.ops.higher_order.scan(step, [c], [xs], ())\n"
                              "        last = scan[0]\n"
                              "        ys = scan[1]\n"
                              "        return (last, ys)\n"
                              "    class step(torch.nn.Module):\n"
                              "        def forward(self, c: \"i64[]\", x: \"i64[]\"):\n"
                              "            q = torch.ops.aten.floor_divide.default(c, x)\n"
                              "            u = torch.ops.aten.unsqueeze.default(x, 0)\n"
                              "            inner = self.inner\n"
                              "            s = torch.ops.higher_order.scan(inner, [q], [u], ())\n"
                              "            g = s[0]\n"
                              "            k = torch.ops.aten.clone.default(g)\n"
                              "            return [g, k]\n"
                              "        class inner(torch.nn.Module):\n"
                              "            def forward(self, q: \"i64[]\", x: \"i64[]\"):\n"
                              "                m = torch.ops.aten.mul.Tensor(x, 3)\n"
                              "                return [m]\n";

START_TEST(test_errors_stay) {
  int64_t c = 1, x[3] = {1, 0, 2};
  for (int how = SCANC_EXEC_AUTO; how <= SCANC_EXEC_JIT; how++) {
    scanc_program *p = compile_with(failing, (scanc_exec)how, 0);
    scanc_tensor in[] = {array(&c, SCANC_I64, 0, 1, 1), array(x, SCANC_I64, 1, 3, 1)}, out[2] = {0};
    run_fails(p, in, 2, out, 2, SCANC_ERR_DATA, "q: integer division by zero");
    in[1] = array(x, SCANC_I64, 1, 1, 1);
    run(p, in, 2, out, 2);
    ck_assert_int_eq(*(int64_t *)out[0].data, 3);
    release(out, 2);
    scanc_program_free(p);
  }
}
END_TEST

/* What is added to the product of a carry, of x: f32[70], w: f32[70, 70], k: f32[70],
 * v: f32[7, 7, 3]; no step is a kernel. */
static const char *const terms[] = {
    "p = aten.mv.default(w, x)",
    "a = aten.tanh.default(x); p = aten.mv.default(w, a)",
    "a = aten.exp.default(x); b = aten.unsqueeze.default(a, 0); c = aten.mm.default(b, w); "
    "d = aten.squeeze.dim(c, 0); p = aten.add.Tensor(d, k)",
    "a = aten.mul.Tensor(w, 2); b = aten.matmul.default(x, a); c = aten.sigmoid.default(b); "
    "d = aten.mv.default(w, c); p = aten.mul.Tensor(d, b)",
    "a = aten.view.default(x, [7, 10]); b = aten.view.default(w, [70, 7, 10]); "
    "c = aten.select.int(b, 0, 3); d = aten.permute.default(c, [1, 0]); e = aten.mm.default(a, d); "
    "f = aten.sum.default(e); p = aten.mul.Tensor(k, f)",
    "a = aten.view.default(x, [7, 10]); b = aten.view.default(w, [70, 7, 10]); "
    "c = aten.select.int(b, 0, 3); d = aten.permute.default(a, [1, 0]); e = aten.mm.default(c, d); "
    "f = aten.sum.dim_IntList(e, [0]); g = aten.amax.default(f); p = aten.mul.Tensor(k, g)",
    "a = aten.view.default(x, [7, 2, 5]); b = aten.permute.default(a, [0, 2, 1]); "
    "c = aten.bmm.default(b, a); f = aten.sum.default(c); p = aten.mul.Tensor(k, f)",
    "a = aten.view.default(x, [7, 2, 5]); b = aten.view.default(k, [7, 5, 2]); "
    "c = aten.bmm.default(b, a); d = aten.matmul.default(c, b); p = aten.view.default(d, [70])",
    "a = aten.view.default(x, [7, 2, 5]); b = aten.view.default(k, [7, 5, 2]); "
    "c = aten.bmm.default(a, b); f = aten.mean.dim(c, [0, 2]); g = aten.sum.default(f); "
    "p = aten.mul.Tensor(k, g)",
    "a = aten.dot.default(k, x); p = aten.mul.Tensor(k, a)",
    "a = aten.slice.Tensor(x, 0, -12, -2); b = aten.slice.Tensor(w, 1, 0, 10); "
    "p = aten.mv.default(b, a)",
    "a = aten.view.default(x, [1, 7, 10]); b = aten.relu.default(a); c = "
    "aten.convolution.default(b, v, None, [1], [1], [1], False, [0], 1); p = "
    "aten.view.default(c, [70])",
    "a = aten.view.default(x, [5, 7, 2]); b = aten.slice.Tensor(k, 0, 0, 7); c = "
    "aten.convolution.default(a, v, b, [1], [1], [1], False, [0], 1); p = "
    "aten.view.default(c, [70])",
};

static str ahead_text(const char *term, const char *length, bool back) {
  str s = {0};
  str_printf(&s,
             "class GraphModule(torch.nn.Module):\n"
             "    def forward(self, h: \"f32[70]\", x: \"f32[%s, 70]\", w: \"f32[70, 70]\", v: "
             "\"f32[7, 7, 3]\"):\n",
             length);
  if (back) str_append(&s, "        z = torch.ops.aten.flip.default(x, [0])\n");
  str_printf(&s,
             "        body = self.body\n"
             "        scan = torch.ops.higher_order.scan(body, [h], [%s], (w, h, v))\n"
             "        a = scan[0]\n        b = scan[1]\n        return (a, b)\n"
             "    class body(torch.nn.Module):\n"
             "        def forward(self, h: \"f32[70]\", x: \"f32[70]\", w: \"f32[70, 70]\", k: "
             "\"f32[70]\", v: \"f32[7, 7, 3]\"):\n",
             back ? "z" : "x");
  print_body(&s, term);
  str_append(&s, "\n            q = torch.ops.aten.mv.default(w, h)\n"
                 "            r = torch.ops.aten.add.Tensor(q, p)\n"
                 "            t = torch.ops.aten.tanh.default(r)\n"
                 "            return [t, t]\n");
  return s;
}

static int n_products(const scanc_program *p) {
  static const op_id ids[] = {OP_mm, OP_bmm, OP_mv, OP_dot, OP_matmul, OP_convolution};
  int count = 0;
  for (const node *n = p->mod->main->first; n; n = n->next)
    for (const node *k = node_is_op(n, OP_scan) ? val_graph(n->operands[0])->first : NULL; k;
         k = k->next)
      for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) count += node_is_op(k, ids[i]);
  return count;
}

/* Products of xs are done for all steps at once, whatever else is in them; that of the carry stays.
 */
static void agree_ahead(const char *text, const int *sizes, int n_sizes) {
  static float h[70], x[9 * 70], w[70 * 70], v[147];
  fill(h, 70, -1), fill(x, 630, -2), fill(w, 4900, -3), fill(v, 147, -2);
  for (int i = 0; i < 4900; i++) w[i] /= 64;
  scanc_program *p = compile_with(text, SCANC_EXEC_JIT, 0),
                *q = compile_with(text, SCANC_EXEC_INTERP, 0);
  ck_assert_msg(n_products(p) == 1, "%s", text);
  for (int i = 0; i < n_sizes; i++) {
    scanc_tensor in[] = {f32(h, 1, 70, 1),
                         f32(x, 2, sizes[i], 70),
                         f32(w, 2, 70, 70),
                         {.data = v, .dtype = SCANC_F32, .rank = 3}};
    for (int d = 0; d < 3; d++) in[3].sizes[d] = d < 2 ? 7 : 3;
    in[3].strides[0] = 21, in[3].strides[1] = 3, in[3].strides[2] = 1;
    check_runs(p, q, in, 4, 2);
  }
  scanc_program_free(p), scanc_program_free(q);
}

START_TEST(test_products_ahead) {
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
    str s = ahead_text(terms[i], "9", true), t = ahead_text(terms[i], "s0", false);
    agree_ahead(str_cstr(&s), (int[]){9}, 1);
    agree_ahead(str_cstr(&t), (int[]){0, 1, 5}, 3);
    str_free(&s), str_free(&t);
  }
}
END_TEST

/* With a batch of any size; what is added is part of the product. */
static const char batched[] =
    "class GraphModule(torch.nn.Module):\n"
    "    def forward(self, h: \"f32[s1, 70]\", x: \"f32[s0, s1, 70]\", w: \"f32[70, 70]\", k: "
    "\"f32[70]\"):\n"
    "        body = self.body\n"
    "        scan = torch.ops.higher_order.scan(body, [h], [x], (w, k))\n"
    "        a = scan[0]\n"
    "        b = scan[1]\n"
    "        return (a, b)\n"
    "    class body(torch.nn.Module):\n"
    "        def forward(self, h: \"f32[s1, 70]\", x: \"f32[s1, 70]\", w: \"f32[70, 70]\", k: "
    "\"f32[70]\"):\n"
    "            e = torch.ops.aten.relu.default(x)\n"
    "            p = torch.ops.aten.linear.default(e, w, k)\n"
    "            q = torch.ops.aten.mm.default(h, w)\n"
    "            r = torch.ops.aten.add.Tensor(q, p)\n"
    "            t = torch.ops.aten.tanh.default(r)\n"
    "            return [t, t]\n";

START_TEST(test_batched_ahead) {
  static float h[4 * 70], x[5 * 4 * 70], w[70 * 70], k[70];
  fill(h, 280, -1), fill(x, 1400, -2), fill(w, 4900, -3), fill(k, 70, -2);
  for (int i = 0; i < 4900; i++) w[i] /= 64;
  scanc_program *p = compile_with(batched, SCANC_EXEC_JIT, 0),
                *q = compile_with(batched, SCANC_EXEC_INTERP, 0);
  ck_assert_int_eq(n_products(p), 1);
  for (int rows = 1; rows <= 4; rows++) {
    scanc_tensor in[] = {f32(h, 2, rows, 70),
                         {.data = x, .dtype = SCANC_F32, .rank = 3},
                         f32(w, 2, 70, 70),
                         f32(k, 1, 70, 1)};
    in[1].sizes[0] = 5, in[1].sizes[1] = rows, in[1].sizes[2] = 70;
    in[1].strides[0] = 70 * rows, in[1].strides[1] = 70, in[1].strides[2] = 1;
    check_runs(p, q, in, 4, 2);
  }
  scanc_program_free(p), scanc_program_free(q);
}
END_TEST

/* Without the product of the carry, what is left is one kernel. */
START_TEST(test_kernel_left) {
  str s = ahead_text(terms[2], "9", false);
  char *mv = strstr(s.data, "aten.mv.default(w, h)");
  memcpy(mv, "aten.mul.Tensor(k, h)", strlen("aten.mul.Tensor(k, h)"));
  scanc_program *p = compile_with(str_cstr(&s), SCANC_EXEC_JIT, 0);
  ck_assert_int_eq(n_products(p), 0);
  for (int i = 0; i < p->plans->entry.steps.len; i++)
    ck_assert_int_ne(p->plans->entry.steps.data[i].kind, STEP_LOOP);
  scanc_program_free(p);
  str_free(&s);
}
END_TEST

UNIT_MAIN("batch", test_maps, test_wide_maps, test_ignored_carry, test_chain, test_products_ahead,
          test_batched_ahead, test_kernel_left, test_errors_stay)
