/* The graph primitives: names, cursors, def-use links, editing (the traps of FX named in
 * docs/design.md). */
#include <string.h>

#include "ir/build.h"
#include "ir/graph.h"
#include "unit.h"

static module *m;
static graph *g;
static node *x, *y;

static const type *f32_vector(int64_t n) {
  dim d = dim_int(n);
  return type_tensor(m->mem, SCANC_F32, &d, 1);
}

/* A graph f32[3], f32[3] -> nothing yet; every test starts with it. */
static void setup(void) {
  m = module_new("test");
  g = graph_new(m, "GraphModule");
  cursor c = cursor_end(g);
  x = node_placeholder(&c, "x", "x", f32_vector(3), val_absent());
  y = node_placeholder(&c, "y", "y", f32_vector(3), val_absent());
}

static node *add(cursor *c, node *a, node *b) { return build_add(c, V(a), V(b)); }

START_TEST(names_follow_fx) {
  setup();
  cursor c = cursor_end(g);
  node *a = add(&c, x, y), *b = add(&c, x, y);
  ck_assert_str_eq(a->name, "add");
  ck_assert_str_eq(b->name, "add_1");
  ck_assert_str_eq(graph_fresh_name(g, "x_01"), "x_1");
  ck_assert_str_eq(graph_fresh_name(g, "sum"), "sum_1");
  ck_assert_str_eq(graph_fresh_name(g, "a-b"), "a_b");
  ck_assert_str_eq(graph_fresh_name(g, "0"), "_0");
  ck_assert_str_eq(graph_fresh_name(g, ""), "_unnamed");
  ck_assert_str_eq(graph_fresh_name(g, "self"), "self");
  module_free(m);
}
END_TEST

START_TEST(after_cursor_advances) {
  setup();
  cursor c = cursor_after(x);
  node *first = add(&c, x, x), *second = add(&c, first, x);
  ck_assert_ptr_eq(x->next, first);
  ck_assert_ptr_eq(first->next, second);
  ck_assert_ptr_eq(second->next, y);
  module_free(m);
}
END_TEST

START_TEST(uses_are_counted_per_operand) {
  setup();
  cursor c = cursor_end(g);
  node *a = add(&c, x, x);
  ck_assert_int_eq(node_n_uses(x), 2);
  ck_assert_int_eq(node_n_users(x), 1);
  ck_assert_ptr_eq(node_user(x, 0), a);
  node_erase(a);
  ck_assert(!node_has_uses(x));
  ck_assert(a->erased);
  ck_assert_ptr_null(graph_find(g, "add"));
  module_free(m);
}
END_TEST

START_TEST(replace_uses_spares_the_replacement) {
  setup();
  cursor c = cursor_end(g);
  node *a = add(&c, x, y), *user = build_neg(&c, V(a));
  c = cursor_after(a);
  node *by = build_relu(&c, V(a)); /* uses a itself */
  node_replace_uses(a, by);
  ck_assert_ptr_eq(by->args[0].node, a);
  ck_assert_ptr_eq(user->args[0].node, by);
  ck_assert_int_eq(node_n_uses(a), 1);
  module_free(m);
}
END_TEST

START_TEST(nodes_inside_lists_are_uses) {
  setup();
  cursor c = cursor_end(g);
  val items[] = {V(x), V(y), V(x)};
  node *cat = build_cat(&c, items, 3, 0);
  ck_assert_int_eq(node_n_uses(x), 2);
  node_replace_input(cat, x, y);
  ck_assert(!node_has_uses(x));
  ck_assert_int_eq(node_n_uses(y), 3);
  ck_assert(dim_is(cat->type->dims[0], 9));
  module_free(m);
}
END_TEST

START_TEST(inference_happens_at_creation) {
  setup();
  cursor c = cursor_end(g);
  node *lt = build_lt(&c, V(x), val_int(2));
  ck_assert_int_eq(lt->type->dtype, SCANC_BOOL);
  node *bad = node_placeholder(&c, "z", "z", f32_vector(4), val_absent());
  ck_assert_ptr_null(add(&c, x, bad));
  ck_assert_int_eq(m->err.code, SCANC_ERR_SHAPE_MISMATCH);
  ck_assert_ptr_null(add(&c, x, y)); /* the first error sticks and invalid values flow on */
  ck_assert_int_eq(m->err.code, SCANC_ERR_SHAPE_MISMATCH);
  module_free(m);
}
END_TEST

START_TEST(operands_are_bound_by_schema) {
  setup();
  cursor c = cursor_end(g);
  const char *kw[] = {"alpha"};
  val args[] = {V(x), V(y), val_int(2)};
  node *n = node_call(&c, NULL, "torch.ops.aten.add.Tensor", args, 2, kw, 1);
  ck_assert_int_eq(n->op->id, OP_add_scaled);
  ck_assert_int_eq((int)n->operands[2].i, 2);
  node *plain = node_call(&c, NULL, "torch.ops.aten.add.Tensor", args, 2, NULL, 0);
  ck_assert_int_eq(plain->op->id, OP_add);
  node *in_place = node_call(&c, NULL, "torch.ops.aten.add_.Tensor", args, 2, NULL, 0);
  ck_assert(in_place->in_place);
  node *method =
      node_call_method(&c, NULL, "reshape", (val[]){V(x), val_int(3), val_int(1)}, 3, NULL, 0);
  ck_assert_int_eq(m->err.code, SCANC_OK);
  ck_assert_int_eq(method->operands[1].kind, VAL_LIST);
  node *infix = node_call(&c, NULL, "operator.add", args, 2, NULL, 0);
  ck_assert_int_eq(infix->op->id, OP_add);
  module_free(m);
}
END_TEST

START_TEST(wrong_arguments_are_refused) {
  setup();
  cursor c = cursor_end(g);
  const char *kw[] = {"beta"};
  val args[] = {V(x), V(y), val_int(2)};
  node_call(&c, NULL, "torch.ops.aten.add.Tensor", args, 2, kw, 1);
  ck_assert_int_eq(m->err.code, SCANC_ERR_OP_ARITY);
  module_free(m);
}
END_TEST

START_TEST(copies_are_equal) {
  setup();
  cursor c = cursor_end(g);
  node *a = add(&c, x, y);
  node_output(&c, val_seq(m->mem, VAL_TUPLE, (val[]){V(a), val_none(), val_int(3)}, 3));
  module *copy = module_clone(m);
  str why = {0};
  ck_assert_msg(module_equal(m, copy, &why), "%s", str_cstr(&why));
  ck_assert(graph_find(copy->main, "add") != a);
  str_free(&why);
  module_free(copy);
  module_free(m);
}
END_TEST

static bool has_spelling(op_id op) {
  for (int i = 0; i < spelling_count(); i++)
    if (spelling_at(i)->sym_op == (int)op) return true;
  return aten_row_of_op(op) != NULL;
}

/* Every row of aten.def has to fit its op (building the tables asserts it), and every op can be
 * spelled. */
START_TEST(tables_are_consistent) {
  for (int i = 0; i < aten_n_rows(); i++)
    ck_assert_int_gt(aten_schema_of(aten_row_at(i))->n + 1, 0);
  for (int op = 0; op < N_OPS; op++) {
    if (op == OP_host_call) continue; /* its names are registered */
    ck_assert_msg(has_spelling((op_id)op), "op %s has no row in aten.def", op_get((op_id)op)->name);
  }
}
END_TEST

UNIT_MAIN("graph", names_follow_fx, after_cursor_advances, uses_are_counted_per_operand,
          replace_uses_spares_the_replacement, nodes_inside_lists_are_uses,
          inference_happens_at_creation, operands_are_bound_by_schema, wrong_arguments_are_refused,
          copies_are_equal, tables_are_consistent)
