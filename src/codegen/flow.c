/* Statements: one emitter per kind. */
#include "codegen/cg.h"

#include <math.h>

LLVMBasicBlockRef cg_block(cg *c, const char *name) {
  return LLVMAppendBasicBlockInContext(c->ctx, c->fn, name);
}

void cg_enter(cg *c, LLVMBasicBlockRef block) { LLVMPositionBuilderAtEnd(c->b, block); }

/* ---- values ---- */

void cg_set_uniform(cg *c, int v, LLVMValueRef scalar) {
  c->value[v].scalar = scalar;
  c->value[v].part[0] = cg_splat(c, scalar, c->lanes);
}

LLVMValueRef cg_part(cg *c, int v, int part) {
  cg_value *x = &c->value[v];
  if (!x->scalar) return x->part[part];
  /* A value from outside the lane loop has no splat of this width yet. */
  return cg_lanes_of(x->part[0]) == c->lanes ? x->part[0] : cg_splat(c, x->scalar, c->lanes);
}

bool cg_varies(const cg *c, int v) { return c->lane_axis >= 0 && c->varies[v]; }

/* ---- data errors ---- */

/* If some lane is bad: slot = min(slot, step << 16 | fault). */
static void note_fault(cg *c, LLVMValueRef bad, int fault) {
  LLVMBuilderRef b = c->b;
  LLVMBasicBlockRef hit = cg_block(c, "fault"), go_on = cg_block(c, "");
  if (c->counting && cg_lanes_of(bad) > 1) bad = LLVMBuildAnd(b, bad, c->counting, "");
  LLVMBuildCondBr(b, cg_any(c, bad), hit, go_on);
  cg_enter(c, hit);
  LLVMValueRef step = c->step ? LLVMBuildShl(b, c->step, cg_i64(c, 16), "") : cg_i64(c, 0);
  LLVMValueRef key = LLVMBuildOr(b, step, cg_i64(c, fault), "");
  LLVMValueRef old = LLVMBuildLoad2(b, LLVMInt64TypeInContext(c->ctx), c->fault, "");
  LLVMValueRef earlier = LLVMBuildICmp(b, LLVMIntULT, key, old, "");
  LLVMBuildStore(b, LLVMBuildSelect(b, earlier, key, old, ""), c->fault);
  LLVMBuildBr(b, go_on);
  cg_enter(c, go_on);
}

/* ---- statements ---- */

static LLVMValueRef op_on(cg *c, const stmt *s, LLVMValueRef *in) {
  LLVMValueRef bad, r = cg_elementwise(c, s->op, s->compute, in, &bad);
  if (!r) {
    c->unsupported = op_get(s->op)->name;
    return LLVMGetPoison(cg_wide(cg_type(c, s->dtype), cg_lanes_of(in[0])));
  }
  if (bad && s->fault >= 0) note_fault(c, bad, s->fault);
  return r;
}

/* A negative number is a large one without its sign. */
static LLVMValueRef checked_index(cg *c, const stmt *s, LLVMValueRef i) {
  LLVMValueRef n = cg_splat(c, cg_number(c, s->number), cg_lanes_of(i)),
               zero = LLVMConstNull(LLVMTypeOf(i));
  if (s->wrap) {
    LLVMValueRef from_end = LLVMBuildICmp(c->b, LLVMIntSLT, i, zero, "");
    i = LLVMBuildSelect(c->b, from_end, LLVMBuildAdd(c->b, i, n, ""), i, "");
  }
  LLVMValueRef bad = LLVMBuildICmp(c->b, LLVMIntUGE, i, n, "");
  LLVMValueRef r = LLVMBuildSelect(c->b, bad, zero, i, "");
  if (s->fault >= 0) note_fault(c, bad, s->fault);
  return r;
}

/* Of constants alone, even ordinary ones, a function may be subnormal. */
static void hide_constants(cg *c, LLVMValueRef *in, int n) {
  if (!c->machine.flushes) return;
  for (int i = 0; i < n; i++)
    if (!LLVMIsConstant(in[i])) return;
  for (int i = 0; i < n; i++) in[i] = cg_hidden(c, in[i]);
}

LLVMValueRef cg_compute(cg *c, const stmt *s, LLVMValueRef *in) {
  hide_constants(c, in, s->n_args);
  if (s->kind == ST_INDEX) return checked_index(c, s, in[0]);
  if (s->kind == ST_CAST) return cg_cast(c, in[0], c->k->values.data[s->arg[0]].dtype, s->dtype);
  if (s->kind == ST_CALL) return cg_host_call(c, s->host, in);
  return op_on(c, s, in);
}

static void emit_compute(cg *c, const stmt *s, int part) {
  LLVMValueRef in[STMT_MAX_ARGS] = {NULL};
  bool wide = cg_varies(c, s->value);
  for (int a = 0; a < s->n_args; a++)
    in[a] = wide ? cg_part(c, s->arg[a], part) : c->value[s->arg[a]].scalar;
  LLVMValueRef r = cg_compute(c, s, in);
  if (!wide) {
    cg_set_uniform(c, s->value, r);
    return;
  }
  c->value[s->value].scalar = NULL;
  c->value[s->value].part[part] = r;
}

static void emit_const(cg *c, const stmt *s) {
  LLVMTypeRef t = cg_type(c, s->dtype);
  bool half = s->dtype == SCANC_F16 || s->dtype == SCANC_BF16;
  LLVMValueRef v;
  if (dtype_class(s->dtype) != 'f') v = cg_const_int(t, 1, s->i);
  else if (!half) v = cg_const_float(t, 1, s->f);
  else v = cg_cast(c, cg_const_float(cg_type(c, SCANC_F32), 1, s->f), SCANC_F32, s->dtype);
  double size = dtype_class(s->dtype) == 'f' ? fabs(s->f) : 1;
  bool ordinary = size == 0 || (size > 0x1p-60 && size < 0x1p60); /* so is what two of them give */
  cg_set_uniform(c, s->value, ordinary ? v : cg_hidden(c, v));
}

static void emit_point(cg *c, const stmt *s, int part) {
  LLVMValueRef first = cg_number(c, s->number), lane[CG_MAX_LANES] = {NULL};
  if (s->axis >= 0) first = LLVMBuildAdd(c->b, c->point[s->axis], first, "");
  if (!cg_varies(c, s->value)) {
    cg_set_uniform(c, s->value, first);
    return;
  }
  for (int i = 0; i < c->lanes; i++) lane[i] = cg_i64(c, (int64_t)part * c->lanes + i);
  LLVMValueRef steps = c->lanes > 1 ? LLVMConstVector(lane, (unsigned)c->lanes) : lane[0];
  c->value[s->value].scalar = NULL;
  c->value[s->value].part[part] = LLVMBuildAdd(c->b, cg_splat(c, first, c->lanes), steps, "");
}

/* ---- lists ---- */

bool cg_is_uniform(const cg *c, const stmt *s) {
  if (s->kind == ST_CONST) return true;
  if (s->kind == ST_STORE)
    return c->lane_axis < 0 || cg_dim_of_axis(c, s->buffer, s->index, c->lane_axis) < 0;
  return !cg_varies(c, s->value);
}

void cg_statement(cg *c, const stmt *s, int part) {
  if (part && cg_is_uniform(c, s)) return;
  switch (s->kind) {
    case ST_LOAD: cg_load(c, s, part); break;
    case ST_STORE: cg_store(c, s, part); break;
    case ST_CONST: emit_const(c, s); break;
    case ST_POINT: emit_point(c, s, part); break;
    case ST_OP:
    case ST_CALL:
    case ST_INDEX:
    case ST_CAST: emit_compute(c, s, part); break;
    case ST_LOOP: SCANC_UNREACHABLE("loops have no parts");
  }
}

/* Between loops, one part after the other: temporaries of one part are gone before the next begins,
 * so registers are needed for what is carried and for the temporaries of one part only. */
void cg_statements(cg *c, const stmt_list *list) {
  for (int begin = 0, end; begin < list->len; begin = end) {
    end = begin;
    if (list->data[begin].kind == ST_LOOP) {
      cg_loop(c, list->data[begin].loop);
      end++;
      continue;
    }
    while (end < list->len && list->data[end].kind != ST_LOOP) end++;
    for (int part = 0; part < c->parts; part++)
      for (int i = begin, block; i < end; i += block ? block : 1) {
        block = cg_access_block(c, &list->data[i], end - i, part);
        if (!block && !cg_store_pair(c, &list->data[begin], end - begin, i - begin, part))
          cg_statement(c, &list->data[i], part);
      }
  }
}
