/* The builder of scanc/build.h: what it builds is what the text reader reads, and its first error
 * stays. */
#include "built.h"

/* ---- what is built ---- */

START_TEST(equals_the_text) {
  static const char text[] =
      "ExportedProgram:\n"
      "    class GraphModule(torch.nn.Module):\n"
      "        def forward(self, w: \"f32[3]\", init: \"f32[3]\", xs: \"f32[T, 3]\"):\n"
      "            step = self.step\n"
      "            scan = torch.ops.higher_order.scan(step, [init], [xs], (w,))\n"
      "            last: \"f32[3]\" = scan[0]\n"
      "            ys: \"f32[T, 3]\" = scan[1]\n"
      "            return (last, ys)\n"
      "\n"
      "        class step(torch.nn.Module):\n"
      "            def forward(self, c: \"f32[3]\", x: \"f32[3]\", w: \"f32[3]\"):\n"
      "                mul: \"f32[3]\" = torch.ops.aten.mul.Tensor(w, c)\n"
      "                add: \"f32[3]\" = torch.ops.aten.add.Tensor(mul, x)\n"
      "                clone: \"f32[3]\" = torch.ops.aten.clone.default(add)\n"
      "                return [add, clone]\n"
      "\n"
      "Graph signature:\n"
      "    # inputs\n"
      "    w: PARAMETER target='w'\n"
      "    init: USER_INPUT\n"
      "    xs: USER_INPUT\n"
      "\n"
      "    # outputs\n"
      "    last: USER_OUTPUT\n"
      "    ys: USER_OUTPUT\n"
      "\n"
      "Range constraints: {T: VR[0, 100]}\n";
  scanc_module *mod = scanc_module_new(NULL);
  scanc_value steps = scanc_symbol(mod, "T", 0, 100);
  scanc_value w = scanc_parameter(mod, "w", SCANC_F32, SCANC_INTS(N));
  scanc_value init = scanc_input(mod, "init", SCANC_F32, SCANC_INTS(N));
  scanc_value xs = scanc_input(mod, "xs", SCANC_F32, SCANC_LIST(steps, scanc_i(N)));
  scanc_value r = scanc_scan(leaky_step(mod, w), init, xs, 0, false);
  scanc_output(mod, "last", scanc_get(r, 0));
  scanc_output(mod, "ys", scanc_get(r, 1));
  ck_assert_int_eq(scanc_n_results(r), 2);
  check_module(mod);
  scanc_error err = {0};
  str why = {0};
  module *read = scanc_module_parse(NULL, text, sizeof text - 1, "text", &err);
  ck_assert_msg(read != NULL, "%s", err.message);
  ck_assert_msg(module_equal(mod, read, &why), "%s", str_cstr(&why));
  scanc_module_free(read);
  scanc_module_free(mod);
}
END_TEST

/* How calls are spelled: numbers as operands, lists, names, results, sizes. */
START_TEST(spellings) {
  static const char *const lines[] = {
      "y: \"f32[T, 4]\" = torch.ops.aten.add.Tensor(x, x)",
      "add_1: \"f32[T, 4]\" = torch.ops.aten.add.Scalar(x, 2.0)",
      "add_2: \"f32[T, 4]\" = torch.ops.aten.add.Tensor(x, x, alpha = 3)",
      "pow_1: \"f32[T, 4]\" = torch.ops.aten.pow.Tensor_Scalar(x, 2)",
      "where: \"f32[T, 4]\" = torch.ops.aten.where.ScalarOther(gt, x, 0.0)",
      "div: \"f32[T, 4]\" = torch.ops.aten.div.Tensor_mode(x, x, rounding_mode = 'trunc')",
      "sum_1: \"f32[]\" = torch.ops.aten.sum.default(x)",
      "sum_2: \"f32[T]\" = torch.ops.aten.sum.dim_IntList(x, [1])",
      "sum_3: \"f64[T, 1]\" = torch.ops.aten.sum.dim_IntList(x, 1, True, dtype = torch.float64)",
      "mean: \"f32[T, 1]\" = torch.ops.aten.mean.dim(x, [-1], True)",
      "softmax: \"f32[T, 4]\" = torch.ops.aten.softmax.int(x, -1)",
      "permute: \"f32[4, T]\" = torch.ops.aten.permute.default(x, [1, 0])",
      "cat: \"f32[2*T, 4]\" = torch.ops.aten.cat.default([x, y])",
      "mm: \"f32[T, T]\" = torch.ops.aten.mm.default(x, permute)",
      "getitem: \"f32[T, 2]\" = topk[0]",
      "sym_size: \"Sym(T)\" = torch.ops.aten.sym_size.int(x, 0)",
      "mul: \"Sym(2*T)\" = sym_size * 2",
      "zeros: \"f32[T, 1]\" = torch.ops.aten.zeros.default([sym_size, 1])",
      "full: \"i64[2]\" = torch.ops.aten.full.default([2], 7, dtype = torch.int64)",
      "arange: \"f32[5]\" = torch.ops.aten.arange.default(5, dtype = torch.float32)",
      "clamp: \"f32[T, 4]\" = torch.ops.aten.clamp.default(x, max = 1.0)",
      "gelu: \"f32[T, 4]\" = torch.ops.aten.gelu.default(x, approximate = 'tanh')",
      "amax: \"f32[T]\" = torch.ops.aten.amax.default(x, [1])",
      "movedim: \"f32[4, T]\" = torch.movedim(x, 0, -1)",
      "full_1: \"b8[2]\" = torch.ops.aten.full.default([2], True)",
  };
  scanc_module *m = scanc_module_new(NULL);
  scanc_value s = scanc_symbol(m, "T", 2, 50), four = scanc_i(4);
  scanc_value x = scanc_input(m, "x", SCANC_F32, SCANC_LIST(s, four));
  scanc_value add = scanc_add(x, x), t;
  scanc_add(x, scanc_f(2));
  scanc_add_scaled(x, x, scanc_i(3));
  scanc_pow(x, scanc_i(2));
  scanc_where(scanc_gt(x, scanc_f(0)), x, scanc_f(0));
  scanc_div_trunc(x, x);
  scanc_sum(x);
  scanc_sum(x, SCANC_INTS(1));
  scanc_sum(x, scanc_i(1), scanc_kw("dtype", scanc_dt(SCANC_F64)),
            scanc_kw("keepdim", scanc_b(true)));
  scanc_mean(x, SCANC_INTS(-1), scanc_b(true));
  scanc_softmax(x, scanc_i(-1));
  t = scanc_permute(x, SCANC_INTS(1, 0));
  scanc_cat(SCANC_LIST(x, add));
  scanc_mm(x, t);
  scanc_get(scanc_topk(x, scanc_i(2)), 0);
  scanc_mul(s, scanc_i(2));
  scanc_zeros(m, SCANC_LIST(s, scanc_i(1)));
  scanc_full(m, SCANC_INTS(2), scanc_i(7), scanc_dt(SCANC_I64));
  scanc_arange(m, scanc_i(5), scanc_kw("dtype", scanc_dt(SCANC_F32)));
  scanc_clamp(x, scanc_kw("max", scanc_f(1)));
  scanc_gelu_tanh(x);
  SCANC_CALL(m, "aten.amax.default", x, SCANC_INTS(1));
  SCANC_CALL(m, "torch.movedim", x, scanc_i(0), scanc_i(-1));
  SCANC_CALL(m, "torch.ops.aten.full.default", SCANC_INTS(2), scanc_b(true));
  ck_assert_int_eq(scanc_n_results(x), 1);
  scanc_output(m, "y", add);
  check_module(m);
  char *text = scanc_module_print(m, NULL, NULL);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    ck_assert_msg(strstr(text, lines[i]) != NULL, "no '%s' in\n%s", lines[i], text);
  scanc_text_free(text);
  scanc_module_free(m);
}
END_TEST

/* Operand k of an elementwise op: a tensor of a class the op has, or a number for a parameter. */
static scanc_value sample(const op_info *op, int k, const scanc_value *tensors) {
  if (op_operand_is_parameter(op, k) || (op->id == OP_pow_scalar && k == 1)) return scanc_i(2);
  if (k == 0 && op->promo == PROMO_SELECT) return tensors[2];
  return tensors[op->classes & CLASS_F   ? 0
                 : op->classes & CLASS_I ? 1
                 : op->classes & CLASS_C ? 3
                                         : 2];
}

START_TEST(every_elementwise_op) {
  static const scanc_dtype dtypes[4] = {SCANC_F32, SCANC_I32, SCANC_BOOL, SCANC_C64};
  static const char *const names[4] = {"f", "i", "b", "c"};
  int n = 0;
  for (int i = 0; i < N_OPS; i++) {
    const op_info *op = op_get((op_id)i);
    if (op->kind != OPK_EW || !aten_row_of_op(op->id)) continue;
    scanc_module *m = scanc_module_new(NULL);
    scanc_value tensors[4], operands[4];
    for (int k = 0; k < 4; k++) tensors[k] = scanc_input(m, names[k], dtypes[k], SCANC_INTS(2));
    for (int k = 0; k < op->n_operands; k++) operands[k] = sample(op, k, tensors);
    scanc_value r = scanc_op(NULL, op->name, operands, op->n_operands);
    ck_assert_msg(scanc_value_is_valid(r), "%s: %s", op->name, scanc_module_error(m)->message);
    const node *made = m->main->last;
    ck_assert_msg(made->op == op, "%s became %s", op->name, made->op->name);
    scanc_output(m, "result", r);
    check_module(m);
    scanc_module_free(m);
    n++;
  }
  ck_assert_int_gt(n, 100);
}
END_TEST

/* ---- errors ---- */

/* A module with inputs x f32[3], y f32[4], i i64[3]. */
static scanc_module *inputs(scanc_value *x, scanc_value *y, scanc_value *i) {
  scanc_module *mod = scanc_module_new(NULL);
  *x = scanc_input(mod, "x", SCANC_F32, SCANC_INTS(3));
  *y = scanc_input(mod, "y", SCANC_F32, SCANC_INTS(4));
  *i = scanc_input(mod, "i", SCANC_I64, SCANC_INTS(3));
  return mod;
}

START_TEST(the_first_error_stays) {
  scanc_value x, y, i;
  scanc_module *mod = inputs(&x, &y, &i);
  scanc_value bad = scanc_add(x, y);
  ck_assert(!scanc_value_is_valid(bad));
  char buf[32];
  ck_assert_str_eq(scanc_value_describe(bad, buf, sizeof buf), "invalid");
  ck_assert_str_eq(scanc_value_describe(x, buf, sizeof buf), "f32[3]");
  ck_assert_str_eq(scanc_value_describe(x, buf, 4), "f32");
  ck_assert(!scanc_value_is_valid(scanc_mul(bad, x)));
  ck_assert(!scanc_value_is_valid(scanc_exp(x))); /* nothing works any more */
  scanc_graph *g = scanc_graph_begin(mod, "step");
  scanc_value c = scanc_graph_param(g, "c", SCANC_F32, SCANC_INTS(3));
  ck_assert(!scanc_value_is_valid(c));
  scanc_graph_return(g, c);
  ck_assert(!scanc_value_is_valid(scanc_get(scanc_scan(g, x, x, 0, false), 0)));
  ck_assert_int_eq(scanc_n_results(bad), 0);
  scanc_output(mod, "y", bad);
  expect_error(mod, SCANC_ERR_SHAPE_MISMATCH, "(add of f32[3] and f32[4])");
}
END_TEST

START_TEST(wrong_operands) {
  scanc_value x, y, i;
  scanc_module *mod = inputs(&x, &y, &i);
  scanc_add(x);
  expect_error(mod, SCANC_ERR_OP_ARITY, "add: operand 'other' is missing");
  mod = inputs(&x, &y, &i);
  scanc_op(NULL, "exp", (scanc_value[]){x, x}, 2);
  expect_error(mod, SCANC_ERR_OP_ARITY, "exp: too many operands");
  mod = inputs(&x, &y, &i);
  scanc_sum(x, scanc_kw("axis", scanc_i(0)));
  expect_error(mod, SCANC_ERR_OP_ARITY, "sum has no operand named 'axis'");
  mod = inputs(&x, &y, &i);
  scanc_sum(x, scanc_kw("dim", scanc_i(0)), scanc_b(true));
  expect_error(mod, SCANC_ERR_OP_ARITY, "without name behind a named one");
  mod = inputs(&x, &y, &i);
  scanc_sum(x, scanc_i(0), scanc_kw("self", x));
  expect_error(mod, SCANC_ERR_OP_ARITY, "operand 'self' is given twice");
  mod = inputs(&x, &y, &i);
  scanc_sum(x, scanc_i(3));
  expect_error(mod, SCANC_ERR_DIM_RANGE, "(sum of f32[3] and 3)");
  mod = inputs(&x, &y, &i);
  scanc_exp(scanc_str("x"));
  ck_assert_int_eq(scanc_module_error(mod)->code, SCANC_OK); /* no operand is of a module */
  scanc_add(x, scanc_str("x"));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "add does not take operands of these kinds");
  mod = inputs(&x, &y, &i);
  scanc_add(x, scanc_exp(scanc_f(1)));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "an operand is invalid");
  mod = inputs(&x, &y, &i);
  scanc_mm(x, i);
  expect_error(mod, SCANC_ERR_SHAPE_MISMATCH, "(mm of f32[3] and i64[3])");
  mod = inputs(&x, &y, &i);
  scanc_op(mod, "frobnicate", &x, 1);
  expect_error(mod, SCANC_ERR_UNKNOWN_OP, "frobnicate");
  mod = inputs(&x, &y, &i);
  SCANC_CALL(mod, "aten.frobnicate.default", x);
  expect_error(mod, SCANC_ERR_UNKNOWN_OP, "aten.frobnicate.default");
  mod = inputs(&x, &y, &i);
  SCANC_CALL(mod, "aten.sum.dim_IntList", x, scanc_str("0"));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "argument 'dim'");
  mod = inputs(&x, &y, &i);
  scanc_to(x, scanc_dt((scanc_dtype)99));
  expect_error(mod, SCANC_ERR_BAD_DTYPE, "element type");
}
END_TEST

START_TEST(wrong_values) {
  scanc_value x, y, i, a, b, c;
  scanc_module *other = inputs(&a, &b, &c), *mod = inputs(&x, &y, &i);
  scanc_add(x, a);
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "'x' is a value of another module");
  ck_assert_int_eq(scanc_module_error(other)->code, SCANC_OK);
  scanc_module_free(other);

  mod = inputs(&x, &y, &i);
  scanc_graph *g = scanc_graph_begin(mod, "step");
  scanc_value p = scanc_graph_param_like(g, "p", x), q = scanc_exp(p);
  scanc_graph_return(g, q);
  scanc_neg(q);
  expect_error(mod, SCANC_ERR_CODE_AFTER_RETURN,
               "'exp' is a value of graph 'step', which has returned");

  mod = inputs(&x, &y, &i);
  scanc_neg(scanc_topk(x, scanc_i(2)));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "neg");
  mod = inputs(&x, &y, &i);
  scanc_get(scanc_topk(x, scanc_i(2)), 2);
  expect_error(mod, SCANC_ERR_INDEX_RANGE, "result 2 of a value that has 2");
  mod = inputs(&x, &y, &i);
  scanc_add(x, scanc_list(NULL, 3));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "a list without items");
  mod = inputs(&x, &y, &i);
  scanc_size(x, 1);
  expect_error(mod, SCANC_ERR_DIM_RANGE, "no dimension 1");
}
END_TEST

START_TEST(wrong_inputs_and_outputs) {
  scanc_value x, y, i;
  scanc_module *mod = inputs(&x, &y, &i);
  scanc_input(mod, "x", SCANC_F32, SCANC_INTS(3));
  expect_error(mod, SCANC_ERR_DUPLICATE_NAME, "'x'");
  mod = inputs(&x, &y, &i);
  scanc_input(mod, "a b", SCANC_F32, SCANC_INTS(3));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "'a b' is not an identifier");
  mod = inputs(&x, &y, &i);
  scanc_input(mod, "lambda", SCANC_F32, SCANC_INTS(3));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "'lambda'");
  mod = inputs(&x, &y, &i);
  scanc_input(mod, "z", SCANC_F32, SCANC_INTS(3, -1));
  expect_error(mod, SCANC_ERR_NEGATIVE_SIZE, "'z', dimension 1");
  mod = inputs(&x, &y, &i);
  scanc_input(mod, "z", SCANC_F32, SCANC_INTS(INT64_MAX, 2));
  expect_error(mod, SCANC_ERR_SIZE_OVERFLOW, "'z'");
  mod = inputs(&x, &y, &i);
  scanc_input(mod, "z", (scanc_dtype)-1, SCANC_INTS(3));
  expect_error(mod, SCANC_ERR_BAD_DTYPE, "'z'");
  mod = inputs(&x, &y, &i);
  scanc_output(mod, "x", scanc_exp(x));
  expect_error(mod, SCANC_ERR_DUPLICATE_NAME, "'x'");
  mod = inputs(&x, &y, &i);
  scanc_output(mod, "o", scanc_f(1));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "one computed tensor");
  mod = inputs(&x, &y, &i);
  scanc_output(mod, "o", scanc_topk(x, scanc_i(2)));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "several results");
  mod = inputs(&x, &y, &i);
  scanc_graph_begin(mod, "step");
  scanc_output(mod, "o", scanc_exp(x));
  expect_error(mod, SCANC_ERR_USAGE, "while graph 'step' is under construction");
  mod = scanc_module_new(NULL);
  scanc_error err = {0};
  ck_assert_ptr_null(scanc_compile(mod, NULL, &err));
  ck_assert_int_eq(err.code, SCANC_ERR_MISSING_RETURN);
  scanc_module_free(mod);
}
END_TEST

START_TEST(wrong_bodies) {
  scanc_value x, y, i;
  scanc_module *mod = inputs(&x, &y, &i);
  scanc_graph *g = scanc_graph_begin(mod, "step");
  scanc_scan(g, x, x, 0, false);
  expect_error(mod, SCANC_ERR_MISSING_RETURN, "graph 'step' has not returned");
  mod = inputs(&x, &y, &i);
  scanc_scan(leaky_step(mod, scanc_f(1)), y, SCANC_LIST(x), 0, false);
  expect_error(mod, SCANC_ERR_OPERAND_MISMATCH,
               "parameter 'c' of step: expected f32[3], got f32[4]");
  mod = inputs(&x, &y, &i);
  g = scanc_graph_begin(mod, "step");
  scanc_value c = scanc_graph_param_like(g, "c", x);
  scanc_graph_param_step(g, "x", x, 0);
  scanc_graph_return(g, scanc_sum(c));
  scanc_scan(g, x, x, 0, false);
  expect_error(mod, SCANC_ERR_CARRY_SHAPE, "carry 0 returned by step: expected f32[3], got f32[]");
  mod = inputs(&x, &y, &i);
  g = scanc_graph_begin(mod, "step");
  c = scanc_graph_param_like(g, "c", x);
  scanc_exp(c);
  scanc_graph_param_like(g, "late", x);
  expect_error(mod, SCANC_ERR_USAGE, "a parameter of 'step' behind its first operation");
  mod = inputs(&x, &y, &i);
  g = scanc_graph_begin(mod, "step");
  scanc_graph_return(g, scanc_exp(x));
  scanc_graph_param_like(g, "late", x);
  expect_error(mod, SCANC_ERR_USAGE, "a parameter of 'step' behind its first operation");
  mod = inputs(&x, &y, &i);
  g = scanc_graph_begin(mod, "outer");
  scanc_graph_begin(mod, "inner");
  scanc_graph_return(g, x);
  expect_error(mod, SCANC_ERR_USAGE, "'outer' returns while 'inner' is under construction");
  mod = inputs(&x, &y, &i);
  g = scanc_graph_begin(mod, "step");
  scanc_graph_return(g, scanc_f(1));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "result 0 of 'step'");
  mod = inputs(&x, &y, &i);
  scanc_scan(leaky_step(mod, x), x, x, 1, false);
  expect_error(mod, SCANC_ERR_SCAN_RANK, "no dimension 1");
}
END_TEST

/* NULL where something must be given: the module has the error, or there is no module. */
START_TEST(missing_arguments) {
  scanc_value x, y, i, none = {0};
  char buf[8] = "kept";
  ck_assert_int_eq(scanc_module_error(NULL)->code, SCANC_ERR_USAGE);
  ck_assert_ptr_null(scanc_graph_begin(NULL, "step"));
  scanc_graph_return(NULL, none);
  scanc_output(NULL, "y", none);
  scanc_value made[] = {scanc_symbol(NULL, "T", 0, 1),
                        scanc_input(NULL, "x", SCANC_F32, none),
                        scanc_parameter(NULL, "x", SCANC_F32, none),
                        scanc_op(NULL, "add", NULL, 2),
                        scanc_call(NULL, "aten.add.Tensor", NULL, 2),
                        scanc_graph_param(NULL, "c", SCANC_F32, none),
                        scanc_graph_param_like(NULL, "c", none),
                        scanc_graph_param_step(NULL, "c", none, 0),
                        scanc_scan(NULL, none, none, 0, false),
                        scanc_associative_scan(NULL, none, 0, false),
                        scanc_cond(none, NULL, NULL, none),
                        scanc_while_loop(NULL, NULL, none),
                        scanc_map(NULL, none),
                        scanc_get(none, 0)};
  for (size_t k = 0; k < sizeof made / sizeof *made; k++)
    ck_assert_msg(!scanc_value_is_valid(made[k]), "call %zu", k);
  ck_assert_ptr_null(scanc_value_describe(none, NULL, 8));
  ck_assert_str_eq(scanc_value_describe(none, buf, 0), "kept");

  scanc_module *mod = inputs(&x, &y, &i);
  scanc_op(mod, NULL, &x, 1);
  expect_error(mod, SCANC_ERR_USAGE, "scanc_op: 'op' is NULL");
  mod = inputs(&x, &y, &i);
  scanc_op(mod, "exp", NULL, 1);
  expect_error(mod, SCANC_ERR_USAGE, "scanc_op: 'operands' is NULL");
  mod = inputs(&x, &y, &i);
  scanc_call(mod, NULL, &x, 1);
  expect_error(mod, SCANC_ERR_USAGE, "scanc_call: 'path' is NULL");
  mod = inputs(&x, &y, &i);
  scanc_call(mod, "aten.exp.default", NULL, 1);
  expect_error(mod, SCANC_ERR_USAGE, "scanc_call: 'args' is NULL");
  mod = inputs(&x, &y, &i);
  scanc_sum(x, scanc_kw(NULL, scanc_i(0)));
  expect_error(mod, SCANC_ERR_OP_ARITY, "sum has no operand named ''");
  mod = inputs(&x, &y, &i);
  scanc_input(mod, NULL, SCANC_F32, none);
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "'NULL' is not an identifier");
  mod = inputs(&x, &y, &i);
  scanc_symbol(mod, NULL, 0, 1);
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "symbol 'NULL'");
  mod = inputs(&x, &y, &i);
  scanc_output(mod, NULL, scanc_exp(x));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "'NULL' is not an identifier");
  mod = inputs(&x, &y, &i);
  scanc_graph_param_step(scanc_graph_begin(mod, "step"), NULL, x, 1);
  expect_error(mod, SCANC_ERR_SCAN_RANK, "parameter 'NULL': no dimension 1");
  mod = inputs(&x, &y, &i);
  scanc_graph_begin(mod, NULL);
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "graph 'NULL': not an identifier");
  mod = inputs(&x, &y, &i);
  scanc_scan(NULL, x, x, 0, false);
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "scan: expected a graph of this module");
  mod = inputs(&x, &y, &i);
  scanc_add(x, scanc_str(NULL));
  expect_error(mod, SCANC_ERR_BAD_ARGUMENT, "a string is NULL");
}
END_TEST

START_TEST(modules_that_were_read_are_finished) {
  static const char text[] = "def forward(self, x: \"f32[2]\"):\n"
                             "    neg: \"f32[2]\" = torch.ops.aten.neg.default(x)\n"
                             "    return (neg,)\n";
  scanc_error err = {0};
  scanc_module *mod = scanc_module_parse(NULL, text, sizeof text - 1, "t", &err);
  ck_assert(!scanc_value_is_valid(scanc_input(mod, "y", SCANC_F32, SCANC_INTS(2))));
  expect_error(mod, SCANC_ERR_USAGE, "was read");
}
END_TEST

UNIT_MAIN("build_api", equals_the_text, spellings, every_elementwise_op, the_first_error_stays,
          wrong_operands, wrong_values, wrong_inputs_and_outputs, wrong_bodies, missing_arguments,
          modules_that_were_read_are_finished)
