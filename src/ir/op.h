/* Ops and names. ops.def says what scanc can compute, aten.def how PyTorch spells it; this header
 * turns both tables into lookups. Nothing here allocates; everything is static and thread-safe.
 * Host ops (host_op.h) have rows of their own, all with the id OP_host_call. */
#ifndef SCANC_IR_OP_H
#define SCANC_IR_OP_H

#include <stdbool.h>
#include <stddef.h>

#include "ir/val.h"

typedef enum {
#define EW1(name, ...) OP_##name,
#define EW2(name, ...) OP_##name,
#define EW3(name, ...) OP_##name,
#define EW4(name, ...) OP_##name,
#define SYM(name, ...) OP_##name,
#define COMP(name, ...) OP_##name,
#define OP(name, ...) OP_##name,
#include "ir/ops.def"
  N_OPS
} op_id;

/* How the dtype an elementwise op computes in, and that of its result, follow from the operands. */
typedef enum {
  PROMO_NONE,    /* not elementwise */
  PROMO_SAME,    /* promoted operands; result the same */
  PROMO_WHOLE,   /* the same, bools as i64 */
  PROMO_FLOAT,   /* integers and bools become the default float; result the same */
  PROMO_COMPARE, /* promoted operands; result bool */
  PROMO_REAL,    /* promoted operands; result real where they are complex */
  PROMO_FREAL,   /* as FLOAT; result real where they are complex */
  PROMO_SELECT   /* first operand is a bool condition, the others are promoted; result as those */
} op_promo;

typedef enum { OPK_EW, OPK_SYM, OPK_COMP, OPK_OP } op_kind;

enum {                      /* traits */
       T_COMM = 1,          /* f(a, b) == f(b, a) */
       T_VIEW = 2,          /* the result shares memory with operand 0 */
       T_EFFECT = 4,        /* must not be moved or removed: assertions */
       T_BODY = 8,          /* has subgraph operands */
       T_DATA = 16,         /* input data can make it fail: division by zero, index out of range */
       T_DYNAMIC = 32,      /* the size of the result depends on data; eval allocates it */
       T_NOGRAD = 64,       /* integer or bool result, or constant: no derivative exists */
       T_WIDE_NUMBER = 512, /* of f16 and bf16: numbers and 0-d operands enter in f32, unrounded, as
                               PyTorch's mul and div have them */
       T_FITS = 2048,       /* numbers must fit the element type; so do those of decompositions */
       T_RESHAPE = 1024,    /* the elements of operand 0 in the same row-major order, other sizes */
       T_ALIAS_OK = 256,    /* eval may return a strided view although PyTorch's result is a copy */
       T_POINTWISE = 4096,  /* of rows that are not EW or SYM: an element of the result depends on
                               no elements of tensors but those at its own place */
       T_CLOSE = 128        /* no single rounding: executors agree within the op's stated bound only
                               (matmul, sums) */
};

enum { CLASS_F = 1, CLASS_I = 2, CLASS_B = 4, CLASS_C = 8 };

struct op_operand;
struct host_op;

typedef struct op_info {
  op_id id;
  op_kind kind;
  const char *name;
  const char *signature; /* operand names with defaults; see ops.def */
  int n_operands;
  int n_tensors; /* EW: operands that take part in promotion (those without `$`) */
  op_promo promo;
  unsigned traits;
  unsigned classes;                  /* EW: mask of CLASS_ bits that have a meaning */
  const struct op_operand *operands; /* the signature, parsed */
  const struct host_op *host;        /* OP_host_call: the functions of that name (host_op.h) */
} op_info;

const op_info *op_get(op_id id);
const op_info *op_by_name(const char *name); /* NULL: no such op */
/* Fills in what follows from op->signature, which must outlive op; memory comes from `a`. */
void op_parse_signature(arena *a, op_info *op);
/* Index of the operand `name` (or one of its aliases) in the op's signature, -1. */
int op_operand_index(const op_info *op, const char *name, size_t len);
/* Default of operand k; VAL_ABSENT if it is required. */
val op_operand_default(const op_info *op, int k);
const char *op_operand_name(const op_info *op, int k);  /* the first alias; static storage */
bool op_operand_is_parameter(const op_info *op, int k); /* written with `$` */

/* One overload: a row of aten.def. */
typedef struct aten_row {
  const char *name; /* "add.Tensor"; for higher-order ops "higher_order.scan" */
  op_id op;
  const char *schema; /* ATen's parameter list */
} aten_row;

enum { MAX_PARAMS = 20, MAX_OPERANDS = 16 };

/* A parsed parameter of a schema. */
typedef struct {
  const char
      *type; /* "Tensor", "int", "int[]", "Scalar", "bool", "float", "str", "ScalarType", "Any"...
                with ? for optional; "Rest": a list of all positional arguments that are left */
  int type_len;
  const char *name;
  int name_len;
  bool kw_only, optional, is_list;
  bool
      ignored; /* layout, device, pin_memory...: accepted, checked to be harmless, not an operand */
  int operand; /* index in the op's signature, -1 when ignored */
  bool has_default;
  val default_value;
} aten_param;

typedef struct {
  const aten_row *row;
  int n;
  const aten_param *p;
} aten_schema;

const aten_row *aten_find(const char *name, size_t len); /* "add.Tensor" */
const aten_schema *aten_schema_of(const aten_row *row);
/* The k-th overload of a packet ("add"), NULL past the end. */
const aten_row *aten_overload(const char *packet, size_t len, int k);
const aten_row *
aten_row_of_op(op_id op); /* the spelling used when an op is printed: its first row */
/* Whether a packet is spelled as an in-place form: "add_", but not "__and__". */
static inline bool aten_is_in_place(const char *packet, size_t n) {
  return n > 1 && packet[n - 1] == '_' && packet[n - 2] != '_';
}
/* The op a call of `row` means with these operands (in the order of row->op's signature): VARIANT
 * rows apply. */
op_id aten_variant(const aten_row *row, const val *operands);
/* The inverse: operands of `op` (in the order of its signature) moved to the places of row->op's
 * operands by name, and, for a variant, its deciding parameter set to the value that selects it.
 * out has MAX_OPERANDS entries. */
void aten_place_operands(const aten_row *row, const op_info *op, const val *operands, int n,
                         val *out);
int aten_n_rows(void);
const aten_row *aten_row_at(int i);

/* How a call target is written. */
typedef struct spelling {
  const char *path;   /* "operator.add", "torch._C._nn.linear" */
  const char *packet; /* ATen packet it means for tensors, NULL */
  int sym_op;         /* op_id for plain numbers and symbolic integers, -1 */
  const char *infix;  /* "+" for operators that print infix, NULL */
  bool prefix;        /* unary: printed before its operand */
} spelling;
const spelling *spelling_find(const char *path); /* rows of aten.def's SPELL only; NULL */
const spelling *spelling_of_infix(const char *op, bool prefix);
int spelling_count(void);
const spelling *spelling_at(int i);

/* What a call resolves to. row NULL: no row of the table fits. */
typedef struct {
  const spelling *spelling; /* NULL unless the path is a SPELL row */
  const aten_row *row;
  const op_info *op;
  bool in_place; /* the trailing-underscore form of row: the first argument is changed */
  val operands[MAX_OPERANDS];
} resolution;

#endif
