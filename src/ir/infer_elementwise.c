/* Type promotion, and the dtypes of elementwise ops. */
#include <float.h>
#include <math.h>

#include "ir/infer.h"

enum { DIMENSIONED, ZERO_DIM, NUMBER };

static void add(promotion *p, int group, scanc_dtype d) {
  p->dtype[group] = p->has[group] ? dtype_promote(p->dtype[group], d) : d;
  p->has[group] = true;
}

void promotion_tensor(promotion *p, scanc_dtype d, int rank) {
  add(p, rank ? DIMENSIONED : ZERO_DIM, d);
}

void promotion_number(promotion *p, char cls) {
  add(p, NUMBER,
      cls == 'b'   ? SCANC_BOOL
      : cls == 'i' ? SCANC_I64
      : cls == 'f' ? SCANC_F32
                   : SCANC_C64);
}

/* `higher` keeps its width against a later group of the same or a lower class. */
static scanc_dtype combine(scanc_dtype higher, scanc_dtype lower) {
  char h = dtype_class(higher), l = dtype_class(lower);
  if (h == 'c') return higher;
  if (h == 'f') return l == 'c' ? dtype_complex(higher) : higher;
  if (h == 'b' || l == 'f' || l == 'c') return dtype_promote(higher, lower);
  return higher;
}

scanc_dtype promotion_result(const promotion *p) {
  bool any = false;
  scanc_dtype d = SCANC_F32;
  for (int g = NUMBER; g >= DIMENSIONED; g--) {
    if (!p->has[g]) continue;
    d = any ? combine(p->dtype[g], d) : p->dtype[g];
    any = true;
  }
  return d;
}

scanc_dtype promotion_of_op(const op_info *op, const promotion *p) {
  scanc_dtype d = promotion_result(p);
  char cls = dtype_class(d);
  if (op->promo == PROMO_WHOLE && cls == 'b') return SCANC_I64;
  bool floats = op->promo == PROMO_FLOAT || op->promo == PROMO_FREAL;
  return floats && (cls == 'i' || cls == 'b') ? SCANC_F32 : d;
}

char infer_number_class(const type *t) {
  switch (t->kind) {
    case TYPE_INT: return 'i';
    case TYPE_FLOAT: return 'f';
    case TYPE_BOOL: return 'b';
    default: return 'c';
  }
}

/* Adds operand k, a tensor or a number, to p. */
static bool add_operand(infer_ctx *c, promotion *p, const type *t, int k) {
  if (!t) return false;
  if (type_is_tensor(t)) promotion_tensor(p, t->dtype, t->n);
  else if (type_is_scalar(t)) promotion_number(p, infer_number_class(t));
  else {
    str got = {0};
    type_print(&got, t);
    infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
               "argument '%s' of %s: expected a tensor or a number, got %.120s",
               k < c->op->n_operands ? op_operand_name(c->op, k) : "", c->op->name, str_cstr(&got));
    str_free(&got);
    return false;
  }
  return true;
}

bool infer_promote(infer_ctx *c, const type *const *args, int n, scanc_dtype *out) {
  promotion p = {0};
  for (int k = 0; k < n; k++)
    if (!add_operand(c, &p, args[k], k)) return false;
  *out = promotion_result(&p);
  return true;
}

static unsigned class_bit(scanc_dtype d) {
  switch (dtype_class(d)) {
    case 'b': return CLASS_B;
    case 'i': return CLASS_I;
    case 'f': return CLASS_F;
    default: return CLASS_C;
  }
}

static const char *class_text(scanc_dtype d) {
  switch (dtype_class(d)) {
    case 'b': return "bool";
    case 'i': return "integers";
    case 'f': return "floating point";
    default: return "complex numbers";
  }
}

/* PyTorch takes no fractional factor for integers. */
static bool check_factor(infer_ctx *c, scanc_dtype d) {
  op_id id = c->op->id;
  if (id != OP_add_scaled && id != OP_sub_scaled && id != OP_rsub_scaled) return true;
  char cls = dtype_class(d),
       factor = type_is_scalar(c->arg[2]) ? infer_number_class(c->arg[2]) : 'i';
  if ((cls == 'i' || cls == 'b') && (factor == 'f' || factor == 'c'))
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
                      "alpha: expected an integer for operands of %s, got a fraction",
                      scanc_dtype_name(d));
  return true;
}

static bool check_condition(infer_ctx *c) {
  const type *t = c->arg[0];
  if (type_is_tensor(t) && t->dtype != SCANC_BOOL && t->dtype != SCANC_U8)
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH, "argument '%s' of %s: expected b8, got %s",
                      op_operand_name(c->op, 0), c->op->name, scanc_dtype_name(t->dtype));
  promotion ignored = {0};
  return add_operand(c, &ignored, t, 0);
}

static double largest(scanc_dtype d) {
  return d == SCANC_F16 ? 65504 : d == SCANC_BF16 ? 0x1.fep127 : d == SCANC_F32 ? FLT_MAX : DBL_MAX;
}

/* Whether PyTorch converts the number to d. Negative ones may wrap in unsigned types; infinity is
 * no overflow where there is one. */
static bool number_fits(const type *t, scanc_dtype d) {
  char cls = dtype_class(d);
  bool f = t->kind == TYPE_FLOAT;
  if (cls == 'b' || !t->known || (!f && (t->kind != TYPE_INT || !dim_is_int(t->i)))) return true;
  double x = f ? t->f : (double)t->i.k;
  if (cls != 'i') return isinf(x) || isnan(x) || fabs(x) <= largest(dtype_real(d));
  int bits = 8 * (int)scanc_dtype_size(d) - dtype_signed(d);
  if (f) return x <= ldexp(1, bits) - (bits < 53) && x >= -ldexp(1, bits) + !dtype_signed(d);
  if (bits >= 63) return true;
  int64_t most = ((int64_t)1 << bits) - 1;
  return t->i.k <= most && t->i.k >= -most - dtype_signed(d);
}

/* Only what a program says is checked: sizes and numbers that are inputs are converted. */
bool infer_numbers_fit(infer_ctx *c, scanc_dtype d) {
  for (int k = 0; c->mod && (c->op->traits & T_FITS) && k < c->op->n_operands; k++) {
    const type *t = c->arg[k];
    if (!t || (t->kind != TYPE_INT && t->kind != TYPE_FLOAT) || number_fits(t, d)) continue;
    return infer_fail(c, SCANC_ERR_BAD_ARGUMENT,
                      "argument '%s' of %s: expected a number that fits %s, got %.17g",
                      op_operand_name(c->op, k), c->op->name, scanc_dtype_name(d),
                      t->kind == TYPE_FLOAT ? t->f : (double)t->i.k);
  }
  return true;
}

bool infer_elementwise(infer_ctx *c, scanc_dtype *compute, scanc_dtype *result) {
  const op_info *op = c->op;
  promotion p = {0}, parameters = {0};
  if (op->promo == PROMO_SELECT && !check_condition(c)) return false;
  for (int k = op->promo == PROMO_SELECT; k < op->n_operands; k++)
    if (!add_operand(c, op_operand_is_parameter(op, k) ? &parameters : &p, c->arg[k], k))
      return false;
  scanc_dtype d = promotion_of_op(op, &p);
  if (!(op->classes & class_bit(d)))
    return infer_fail(c, SCANC_ERR_DTYPE_MISMATCH,
                      "%s has no meaning for %s (operands of dtype %s)", op->name, class_text(d),
                      scanc_dtype_name(d));
  if (op->id == OP_nextafter &&
      (d == SCANC_F16 || d == SCANC_BF16)) /* computed in f32: steps of another size */
    return infer_fail(c, SCANC_ERR_UNSUPPORTED, "nextafter of %s is not supported",
                      scanc_dtype_name(d));
  if (!check_factor(c, d) || !infer_numbers_fit(c, d)) return false;
  *compute = dtype_acc(d);
  *result = op->promo == PROMO_COMPARE                            ? SCANC_BOOL
            : op->promo == PROMO_REAL || op->promo == PROMO_FREAL ? dtype_real(d)
                                                                  : d;
  return true;
}
