#include "loop/view_kernel.h"

#include <assert.h>
#include <limits.h>

view_kernel view_kernel_new(arena *mem, symtab *syms, const char *name) {
  return (view_kernel){.k = kernel_new(mem, name), .syms = syms};
}

enum { STANDS_STILL = INT_MIN }; /* instead of an axis: the stride is 0 */

static int add_int(view_kernel *v, const char *name, dim d) {
  vec_push(v->k->mem, &v->ints, d);
  return kernel_add_int(v->k, name);
}

/* Every axis has a parameter of its own, as a cut changes it. */
int vk_axis(view_kernel *v, const char *name, dim extent) {
  int param = add_int(v, name, extent), axis = kernel_add_axis(v->k, name, lexpr_param(param));
  if (dim_is_int(extent)) v->k->axes.data[axis].extent = lexpr_const(extent.k);
  return axis;
}

lexpr vk_number(view_kernel *v, const char *name, dim d) {
  return dim_is_int(d) ? lexpr_const(d.k) : lexpr_param(add_int(v, name, d));
}

int vk_size(view_kernel *v, stmt_list *where, dim d) {
  return dim_is_int(d) ? vk_integer(v, where, d.k)
                       : stmt_point(v->k, where, -1, vk_number(v, "size", d));
}

static lexpr stride_of(view_kernel *v, const char *of, dim stride) {
  str name = {0};
  str_printf(&name, "%s stride %d", of, v->ints.len);
  lexpr e = vk_number(v, str_cstr(&name), stride);
  str_free(&name);
  return e;
}

static lexpr size_of(view_kernel *v, const char *of, dim size, int axis) {
  if (axis >= 0) return v->k->axes.data[axis].extent;
  assert(dim_is_int(size) || axis <= INDEX_VALUE);
  str name = {0};
  str_printf(&name, "%s size %d", of, v->ints.len);
  lexpr e = vk_number(v, str_cstr(&name), size);
  str_free(&name);
  return e;
}

int vk_buffer(view_kernel *v, const char *name, buffer_space space, const nest_view *view,
              const int *axis) {
  buffer_dim dims[SCANC_MAX_RANK + 1];
  int parts = dtype_class(view->dtype) == 'c' ? 2 : 1;
  view_index index = {.rank = view->rank};
  for (int d = 0; d < view->rank; d++) {
    bool still = dim_is(view->stride[d], 0) && axis[d] > INDEX_VALUE;
    index.axis[d] = still ? STANDS_STILL : axis[d];
    dims[d].extent = still ? lexpr_const(1) : size_of(v, name, view->size[d], axis[d]);
    dims[d].stride = stride_of(v, name, dim_mul(v->syms, view->stride[d], dim_int(parts)));
  }
  dims[view->rank] = (buffer_dim){lexpr_const(parts), lexpr_const(1)};
  buffer b = {name, dtype_real(view->dtype), space, dims, view->rank + (parts == 2)};
  view_place p = {view->buffer, view->offset};
  vec_push(v->k->mem, &v->places, p);
  vec_push(v->k->mem, &v->indices, index);
  return kernel_add_buffer(v->k, b);
}

void vk_extent(view_kernel *v, int buf, int d, lexpr extent) {
  buffer *b = &v->k->buffers.data[buf];
  buffer_dim *dims = arena_copy(v->k->mem, b->dims, sizeof *dims * (size_t)b->n_dims);
  dims[d].extent = extent;
  b->dims = dims;
}

stmt_list *vk_parallel(view_kernel *v, stmt_list *where, const int *axis, int n) {
  for (int i = 0; i < n; i++) where = &loop_add(v->k, where, axis[i], ORDER_PARALLEL, 0)->body;
  return where;
}

static void index_of(const view_kernel *v, int buf, const int64_t *add, int part, index_map *out) {
  const view_index *x = &v->indices.data[buf];
  for (int d = 0; d < x->rank; d++) {
    bool still = x->axis[d] == STANDS_STILL;
    out[d] = (index_map){still ? -1 : x->axis[d], add && !still ? add[d] : 0};
  }
  out[x->rank] = (index_map){-1, part};
}

int vk_load(view_kernel *v, stmt_list *where, int buf, const int64_t *add, int part,
            const char *name) {
  index_map index[SCANC_MAX_RANK + 1];
  index_of(v, buf, add, part, index);
  return stmt_load(v->k, where, buf, index, name);
}

void vk_store(view_kernel *v, stmt_list *where, int buf, const int64_t *add, int part, int value) {
  index_map index[SCANC_MAX_RANK + 1];
  index_of(v, buf, add, part, index);
  stmt_store(v->k, where, buf, index, value);
}

int vk_load_by(view_kernel *v, stmt_list *where, int buf, const int *by, int n, int part,
               const char *name) {
  index_map index[SCANC_MAX_RANK + 1];
  index_of(v, buf, NULL, part, index);
  return stmt_load_by(v->k, where, buf, index, by, n, name);
}

void vk_store_by(view_kernel *v, stmt_list *where, int buf, const int *by, int n, int part,
                 int value) {
  index_map index[SCANC_MAX_RANK + 1];
  index_of(v, buf, NULL, part, index);
  stmt_store_by(v->k, where, buf, index, by, n, value);
}

/* What is passed for it is not used. */
int vk_local(view_kernel *v, const char *name, scanc_dtype d, int64_t rows, int64_t columns) {
  nest_view view = {
      .buffer = v->places.data[0].buffer, .offset = dim_int(0), .dtype = d, .rank = 2};
  view.size[0] = dim_int(rows);
  view.size[1] = view.stride[0] = dim_int(columns);
  view.stride[1] = dim_int(1);
  return vk_buffer(v, name, SPACE_LOCAL, &view, (int[]){-1, -1});
}

int vk_op(view_kernel *v, stmt_list *where, op_id op, scanc_dtype d, const int *arg, int n) {
  stmt s = {.kind = ST_OP, .dtype = d, .n_args = n, .op = op, .compute = d, .fault = -1};
  if (op_get(op)->promo == PROMO_COMPARE) s.dtype = SCANC_BOOL;
  for (int i = 0; i < n; i++) s.arg[i] = arg[i];
  return stmt_add(v->k, where, s, NULL);
}

void vk_product(view_kernel *v, stmt_list *where, scanc_dtype d, const int *x, const int *y,
                int *product) {
  int p[2][2];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) p[i][k] = vk_op(v, where, OP_mul, d, (int[]){x[i], y[k]}, 2);
  product[0] = vk_op(v, where, OP_sub, d, (int[]){p[0][0], p[1][1]}, 2);
  product[1] = vk_op(v, where, OP_add, d, (int[]){p[0][1], p[1][0]}, 2);
}

int vk_cast(view_kernel *v, stmt_list *where, int value, scanc_dtype d) {
  stmt s = {.kind = ST_CAST, .dtype = d, .arg = {value}, .n_args = 1, .fault = -1};
  return v->k->values.data[value].dtype == d ? value : stmt_add(v->k, where, s, NULL);
}

int vk_zero(view_kernel *v, stmt_list *where, scanc_dtype d) {
  stmt s = {.kind = ST_CONST, .dtype = d, .fault = -1};
  return stmt_add(v->k, where, s, NULL);
}

int vk_const(view_kernel *v, stmt_list *where, double number, scanc_dtype d) {
  stmt s = {.kind = ST_CONST, .dtype = d, .fault = -1};
  if (dtype_class(d) == 'f') s.f = number;
  else s.i = (int64_t)number;
  return stmt_add(v->k, where, s, NULL);
}

stmt_list *vk_sequence(view_kernel *v, stmt_list *where, int axis) {
  return &loop_add(v->k, where, axis, ORDER_SEQUENTIAL, 0)->body;
}

static int like(view_kernel *v, int value) {
  return kernel_add_value(v->k, v->k->values.data[value].dtype, NULL);
}

loop *vk_carry(view_kernel *v, stmt_list *where, int axis, const int *init, int n, int *in) {
  loop *l = loop_add(v->k, where, axis, ORDER_SEQUENTIAL, n);
  for (int i = 0; i < n; i++)
    l->carry[i] = (loop_carry){.init = init[i], .in = in[i] = like(v, init[i])};
  return l;
}

void vk_carried(view_kernel *v, loop *l, const int *next, int *out) {
  for (int i = 0; i < l->n_carry; i++) {
    l->carry[i].next = next[i];
    l->carry[i].out = out[i] = like(v, next[i]);
  }
}

/* ---- views ---- */

static void drop_dim(nest_view *v, int d) {
  v->rank--;
  for (int i = d; i < v->rank; i++) v->size[i] = v->size[i + 1], v->stride[i] = v->stride[i + 1];
}

/* Dimensions d - 1 and d are one in memory. */
static bool is_run(symtab *syms, const nest_view *v, int d) {
  return dim_equal(v->stride[d - 1], dim_mul(syms, v->stride[d], v->size[d]));
}

void views_merge(symtab *syms, nest_view *const *views, int n) {
  for (int d = views[0]->rank - 1; d >= 0; d--) {
    bool one = dim_is(views[0]->size[d], 1), run = d + 1 < views[0]->rank;
    for (int i = 0; i < n; i++) run = run && is_run(syms, views[i], d + 1);
    for (int i = 0; i < n && (one || run); i++) {
      if (!one) {
        views[i]->size[d + 1] = dim_mul(syms, views[i]->size[d], views[i]->size[d + 1]);
      }
      drop_dim(views[i], d);
    }
  }
}

nest_view view_tiled(symtab *syms, const nest_view *v, int d, int64_t by) {
  nest_view r = *v;
  r.rank++;
  for (int i = r.rank - 1; i > d; i--) r.size[i] = v->size[i - 1], r.stride[i] = v->stride[i - 1];
  r.size[d] = dim_floordiv(syms, v->size[d], dim_int(by));
  r.stride[d] = dim_mul(syms, v->stride[d], dim_int(by));
  r.size[d + 1] = dim_int(by);
  return r;
}

nest_view view_range(symtab *syms, const nest_view *v, int d, dim from, dim to) {
  nest_view r = *v;
  dim bytes = dim_mul(syms, v->stride[d], dim_int((int64_t)scanc_dtype_size(v->dtype)));
  r.size[d] = dim_sub(syms, to, from);
  r.offset = dim_add(syms, v->offset, dim_mul(syms, from, bytes));
  return r;
}
