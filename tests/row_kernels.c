#include "row_kernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ir/ops_kernel.h"

/* ---- data ---- */

uint64_t row_random(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

number row_random_number(char cls) {
  static const double f[] = {0,     -0.0,   1,      -1,   0.5,   -0.5,  2,     3,        -3,
                             1e-40, -1e-40, 1e-310, 1e30, -1e30, 1e38,  1e308, INFINITY, -INFINITY,
                             NAN,   0.1,    7.5,    -7.5, 2.5,   1.5,   -2.5,  255.7,    3e9,
                             -3e9,  1e19,   -1e19,  88,   -104,  65504, 65520, 6e-8,     -129};
  static const int64_t n[] = {0,         1,    -1,  2,     3,      -3,        7,         -7,
                              127,       -128, 255, 32767, -32768, INT32_MAX, INT32_MIN, INT64_MAX,
                              INT64_MIN, 5,    31,  32,    63,     64,        8,         9};
  uint64_t r = row_random();
  if (cls == 'f')
    return (number){.cls = cls,
                    .f = r % 3 ? f[(r >> 8) % (sizeof f / sizeof *f)] : (double)(int64_t)r / 1e18};
  if (cls == 'i')
    return (number){.cls = cls,
                    .i = r % 2 ? n[(r >> 8) % (sizeof n / sizeof *n)] : (int64_t)r >> (r % 50)};
  return (number){.cls = cls, .i = (int64_t)(r >> 8 & 1)};
}

bool row_same_element(scanc_dtype d, const char *a, const char *b) {
  if (!memcmp(a, b, scanc_dtype_size(d))) return true;
  if (dtype_class(d) != 'f') return false;
  number x = number_load(d, a), y = number_load(d, b);
  return x.f != x.f && y.f != y.f;
}

/* ---- rows ---- */

static int widest(scanc_dtype acc, const target *t) {
  int lanes = t->vector_bytes / (int)scanc_dtype_size(acc);
  return lanes < 16 ? lanes : 16;
}

void row_for_each(scanc_dtype io, const target *t, void (*fn)(const row_case *r, void *ctx),
                  void *ctx) {
  scanc_dtype acc = dtype_acc(io);
  for (int op = 0; op < N_OPS; op++) {
    const op_info *info = op_get((op_id)op);
    if (info->kind != OPK_EW || !ew_kernel_of((op_id)op, acc, false)) continue;
    fn(&(row_case){info, io, acc, widest(acc, t), 2}, ctx);
  }
}

void row_for_each_conversion(scanc_dtype io, const target *t,
                             void (*fn)(const row_case *r, void *ctx), void *ctx) {
  for (int to = 0; to < SCANC_N_DTYPES; to++)
    if (dtype_class((scanc_dtype)to) != 'c')
      fn(&(row_case){NULL, io, (scanc_dtype)to, widest(dtype_acc(io), t), 2}, ctx);
}

int row_n_args(const row_case *r) { return r->op ? r->op->n_operands : 1; }

scanc_dtype row_arg_dtype(const row_case *r, int a) {
  return r->op && r->op->promo == PROMO_SELECT && a == 0 ? SCANC_BOOL : r->io;
}

scanc_dtype row_result_dtype(const row_case *r) {
  return !r->op ? r->acc : r->op->promo == PROMO_COMPARE ? SCANC_BOOL : r->io;
}

const char *row_name(const row_case *r) {
  static char text[96];
  snprintf(text, sizeof text, "%s %s -> %s, %d lanes", r->op ? r->op->name : "cast",
           scanc_dtype_name(r->io), scanc_dtype_name(row_result_dtype(r)), r->lanes);
  return text;
}

/* ---- kernels ---- */

static int cast(kernel *k, stmt_list *where, int value, scanc_dtype to) {
  if (k->values.data[value].dtype == to) return value;
  return stmt_add(k, where,
                  (stmt){.kind = ST_CAST, .dtype = to, .arg = {value}, .n_args = 1, .fault = -1},
                  NULL);
}

static int add_op(kernel *k, stmt_list *where, const row_case *r, const int *args) {
  stmt st = {
      .kind = ST_OP, .op = r->op->id, .compute = r->acc, .n_args = row_n_args(r), .fault = -1};
  for (int a = 0; a < row_n_args(r); a++)
    st.arg[a] = row_arg_dtype(r, a) == SCANC_BOOL ? args[a] : cast(k, where, args[a], r->acc);
  st.dtype = r->op->promo == PROMO_COMPARE ? SCANC_BOOL : r->acc;
  fault_info f = {"integer division by zero", "n", {0}};
  if ((r->op->traits & T_DATA) && dtype_class(r->acc) == 'i') {
    vec_push(k->mem, &k->faults, f);
    st.fault = 0;
  }
  return stmt_add(k, where, st, "r");
}

static void add_array(kernel *k, const char *name, scanc_dtype d, buffer_space space) {
  buffer_dim dims[2] = {{k->axes.data[0].extent, lexpr_param(1)},
                        {k->axes.data[1].extent, lexpr_const(1)}};
  kernel_add_buffer(k, (buffer){name, d, space, dims, 2});
}

kernel *row_kernel(arena *mem, const row_case *r) {
  static const index_map index[2] = {{0, 0}, {1, 0}};
  kernel *k = kernel_new(mem, "scanc_k_test");
  int args[ROW_ARGS], n = row_n_args(r);
  kernel_add_axis(k, "t", lexpr_param(kernel_add_int(k, "length")));
  kernel_add_axis(k, "i", lexpr_param(kernel_add_int(k, "lanes")));
  for (int a = 0; a < n; a++) add_array(k, "x", row_arg_dtype(r, a), SPACE_INPUT);
  add_array(k, "y", row_result_dtype(r), SPACE_OUTPUT);
  loop *lanes = loop_add(k, &k->body, 1, ORDER_PARALLEL, 0);
  lanes->bind = BIND_LANES, lanes->lanes = r->lanes, lanes->unroll = r->unroll;
  stmt_list *body = &loop_add(k, &lanes->body, 0, ORDER_SEQUENTIAL, 0)->body;
  for (int a = 0; a < n; a++) args[a] = stmt_load(k, body, a, index, "x");
  int y = r->op ? add_op(k, body, r, args) : args[0];
  stmt_store(k, body, n, index, cast(k, body, y, row_result_dtype(r)));
  return k;
}
