/* Matrix products of tensors: batches, vectors and dtypes on top of gemm.h. */
#include "runtime/eval.h"
#include "runtime/fold.h"
#include "runtime/gemm.h"

/* An operand in the type of computation; NULL when memory ran out. Strides are kept where nothing
 * is converted. */
static const tensor *operand(eval_ctx *c, const tensor *t, scanc_dtype acc) {
  return t->dtype == acc ? t : eval_contiguous(c, t, acc);
}

/* One batch axis: its size and the steps in both operands and the result. */
typedef struct {
  int64_t size, a, b, c;
} batch_axis;

/* Batch axes of a and b, broadcast; n_a, n_b: how many each has. Steps in c are those of a
 * contiguous result. */
static int batch_axes(const tensor *a, int n_a, const tensor *b, int n_b, int64_t matrix,
                      batch_axis *out) {
  int n = n_a > n_b ? n_a : n_b;
  for (int i = n - 1; i >= 0; i--) {
    int p = i - (n - n_a), q = i - (n - n_b);
    int64_t as = p >= 0 ? a->sizes[p] : 1, bs = q >= 0 ? b->sizes[q] : 1;
    out[i] = (batch_axis){as == 1 ? bs : as, as == 1 ? 0 : a->strides[p],
                          bs == 1 ? 0 : b->strides[q], matrix};
    matrix *= out[i].size;
  }
  return n;
}

/* Batches that share b and lie in a as further rows become rows. */
static int fold_batches(batch_axis *x, int n, gemm *g) {
  while (n > 0 && x[n - 1].b == 0 && (g->m == 1 || x[n - 1].a == g->m * g->a_row) &&
         x[n - 1].c == g->m * g->c_row) {
    if (g->m == 1) g->a_row = x[n - 1].a;
    g->m *= x[n - 1].size;
    n--;
  }
  return n;
}

static void run_batches(eval_ctx *c, const batch_axis *x, int n, gemm *g, scanc_dtype acc) {
  if (n == 0) {
    gemm_run(g, acc, c->tmp);
    return;
  }
  int64_t bytes = (int64_t)scanc_dtype_size(acc);
  gemm h = *g;
  for (int64_t i = 0; i < x->size; i++) {
    h.a = (const char *)g->a + i * x->a * bytes;
    h.b = (const char *)g->b + i * x->b * bytes;
    h.c = (char *)g->c + i * x->c * bytes;
    gemm h_copy = h;
    run_batches(c, x + 1, n - 1, &h_copy, acc);
  }
}

/* out = a @ b as torch.matmul has it. */
static bool product(eval_ctx *c, const tensor *a, const tensor *b, const tensor *out) {
  scanc_dtype acc = dtype_fold(out->dtype);
  tensor wide = *out;
  if (!(a = operand(c, a, acc)) || !(b = operand(c, b, acc))) return false;
  if (acc != out->dtype) {
    wide.dtype = acc;
    storage *s = pool_alloc(c->mem, (size_t)tensor_numel(out) * scanc_dtype_size(acc));
    if (!s) return eval_fail(c, SCANC_ERR_NO_MEMORY, "out of memory");
    wide.store = s;
    wide.data = s->data;
  }
  int ar = a->rank, br = b->rank;
  gemm g = {.m = ar > 1 ? a->sizes[ar - 2] : 1,
            .n = br > 1 ? b->sizes[br - 1] : 1,
            .k = a->sizes[ar - 1],
            .a = a->data,
            .b = b->data,
            .a_row = ar > 1 ? a->strides[ar - 2] : 0,
            .a_col = a->strides[ar - 1],
            .b_row = b->strides[br > 1 ? br - 2 : 0],
            .b_col = br > 1 ? b->strides[br - 1] : 0,
            .c = wide.data,
            .c_col = 1};
  g.c_row = g.n;
  batch_axis batch[SCANC_MAX_RANK];
  int n = batch_axes(a, ar > 2 ? ar - 2 : 0, b, br > 2 ? br - 2 : 0, g.m * g.n, batch);
  run_batches(c, batch, fold_batches(batch, n, &g), &g, acc);
  if (acc == out->dtype) return true;
  tensor_copy(out, &wide);
  storage_release(wide.store);
  return true;
}

static bool product_of_operands(eval_ctx *c) {
  return product(c, eval_tensor(c, 0), eval_tensor(c, 1), &c->out[0]);
}

bool eval_mm(eval_ctx *c) { return product_of_operands(c); }
bool eval_bmm(eval_ctx *c) { return product_of_operands(c); }
bool eval_mv(eval_ctx *c) { return product_of_operands(c); }
bool eval_dot(eval_ctx *c) { return product_of_operands(c); }
bool eval_matmul(eval_ctx *c) { return product_of_operands(c); }
