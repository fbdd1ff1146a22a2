/* What the parts of the FX reader share. The text is split into tokens once; a first walk over its
 * lines finds classes, their `def forward` and the trailer; then every class becomes a graph, inner
 * classes first, straight from the tokens of its body. */
#ifndef SCANC_FRONTEND_FX_READER_H
#define SCANC_FRONTEND_FX_READER_H

#include "frontend/lex.h"
#include "frontend/sym_call.h"
#include "ir/graph.h"

enum {
  FX_MAX_CLASS_DEPTH = 150,
  FX_MAX_ATTRS = 20000,
  FX_MAX_LEAVES = 20000,
  FX_MAX_TEXT = 1 << 30
};

/* A class of the text; `bare` stands for a def without class. */
typedef struct fx_class fx_class;
struct fx_class {
  const char *name;
  const token *at, *def;
  const token *params, *params_end; /* between the parentheses of the def */
  const token *body, *body_end;
  fx_class *parent, *first_child, *last_child, *next;
  int indent, depth;
  bool bare, referenced;
  graph *g;
};

/* A line of the signature as written. */
typedef struct {
  const char *name, *kind, *target;
  int persistent;
  const token *at;
} fx_port;

typedef struct {
  module *m;
  arena *mem; /* the module's: what values and types consist of */
  arena *tmp; /* freed when the reader is done: tokens, maps, names that nodes copy */
  lexed lx;
  fx_class *root, *last; /* last: the class whose lines are being read, NULL in the trailer */
  bool flat;             /* the indentation was lost */
  const token *signature;
  VEC(fx_port) inputs;
  VEC(fx_port) outputs;
} reader;

/* What a name of the text stands for. */
typedef struct {
  node *n;                /* NULL: only annotated so far */
  const token *released;  /* where it was set to None */
  const type *annotation; /* of `name: "f32[2]";` */
  int input;              /* number of the parameter from 1, 0: not a parameter */
} fx_binding;

/* A scan read in its older form: the ys were stacked on dim 0 back to front, or belong on dim. */
typedef struct {
  node *n;
  int n_init;
  bool reverse;
  int64_t dim; /* associative_scan only */
} fx_old_scan;

/* A body while it is being read. */
typedef struct {
  reader *r;
  fx_class *cls;
  graph *g;
  cursor c;
  const token *t; /* the next token */
  map names;      /* fx_binding by name */
  map defined;    /* token of the first definition, for all names the body defines */
  const token
      *leaves;  /* statement that unpacks the arguments (pytree); NULL: parameters are the inputs */
  bool started; /* a statement that is not an alias was seen */
  const token *returned;
  VEC(fx_old_scan *) old_scans;
  map old_by_name;
  int n_fresh;
  bool autocast; /* inside a region where PyTorch changes element types behind the operations */
  VEC(node *) placeholders;
  VEC(const char *) input_names; /* as written */
} fx_body;

/* An annotation. type NULL: says nothing that scanc can use. */
typedef struct {
  bool given;
  const type *type;
  const token *at;
} fx_annot;

typedef enum { FX_VALUE, FX_SELF, FX_PATH, FX_ATTR, FX_ITEM } fx_expr_kind;

/* The right side of an assignment before it becomes a node. */
typedef struct {
  fx_expr_kind kind;
  const token *at;
  val v;            /* VALUE; the receiver of ATTR and ITEM */
  val index;        /* ITEM; ATTR: the third argument of getattr, or absent */
  const char *path; /* SELF, PATH: dotted; ATTR: the attribute */
  bool called;
  VEC(val) args;
  VEC(const char *) kw;
} fx_expr;

src_loc fx_loc(const reader *r, const token *t);
#define fx_fail(...) (fx_record(__VA_ARGS__), err_false())
void fx_record(reader *r, const token *t, scanc_code code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
char *fx_text(reader *r, const token *t); /* the token as a string in tmp */
char *fx_span(reader *r, const token *from,
              const token *to); /* source text of [from, to) on one line */
const char *fx_show(reader *r,
                    const token *t); /* the token for a message: "'x'" or "end of line" */
const token *fx_line_end(const token *t);
bool fx_expect(reader *r, const token **t, unsigned op, const char *what);
/* The first token behind the bracket that closes the one at t; the lexer has matched them. */
const token *fx_skip_brackets(const token *t);

/* fx_forms.c: refuses listings, tables, module trees, archives and files of several printouts. */
bool fx_check_form(reader *r);
/* fx_class.c: builds the graph of cls and of its inner classes. */
bool fx_build(reader *r, fx_class *cls);
/* fx_stmt.c */
bool fx_body_read(fx_body *b);
bool fx_prescan(fx_body *b);
const char *fx_fresh(fx_body *b,
                     const char *base); /* a name that the body neither has nor will define */
/* fx_params.c */
bool fx_parameters(fx_body *b);
bool fx_unpack(fx_body *b); /* a, b, = fx_pytree.tree_flatten_spec(...) */
/* fx_expr.c */
bool fx_value(fx_body *b, val *out);
bool fx_expression(fx_body *b, fx_expr *e);
bool fx_lookup(fx_body *b, const token *name, fx_binding **out);
/* fx_call.c: turns the right side into a node; `name` may be NULL. */
node *fx_make(fx_body *b, const token *name, fx_expr *e, fx_annot ann);
node *fx_make_call(fx_body *b, const char *name, const char *path, const val *args, int n,
                   fx_annot ann);
/* fx_annot.c: an annotation behind ':'; stops before '=', ',' , ')' or the end of the statement. */
bool fx_annotation(reader *r, const token **t, const token *end, fx_annot *out);
/* fx_sym.c */
/* Reads an expression from *p, at most to end; stops at what cannot belong to it. */
bool fx_symbolic(reader *r, const char **p, const char *end, const token *at, fx_sym *out);
/* The text of an expression as it may be printed: in one line. */
const char *fx_sym_text(reader *r, const char *start, const char *end);
/* fx_signature.c */
bool fx_signature(reader *r, const token **t);
bool fx_ranges(reader *r, const token **t);
bool fx_check_signature(reader *r, fx_body *b);
/* fx_hop.c: an older form of scan or associative_scan; *done says whether it was one. */
node *fx_old_form(fx_body *b, const char *name, fx_expr *e, bool *done);
node *fx_old_item(fx_body *b, const char *name, const fx_old_scan *s, val index, fx_annot ann,
                  bool *done);
const fx_old_scan *fx_find_old(const fx_body *b, val v);
bool fx_check_old(fx_body *b);

#endif
