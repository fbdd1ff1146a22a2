/* Programs of one operator that plans have kernels for, through every executor (random/execute.c):
 * lengths around those where kernels change their form, static and symbolic, in every element type
 * and layout; some of them in the body of a scan. Usage:
 *   plan_ops COUNT [SEED [FIRST]]   COUNT programs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "levels.h"
#include "random/random.h"
#include "runtime/plan.h"

/* ---- operators ---- */

enum { F = 1, I = 2, B = 4, C = 8, ANY = 15, NONEMPTY = 16, DEEP = 32, FOLD = 64, SQUARE = 128 };

/* NONEMPTY: of at least one element; DEEP: of two dimensions or more; FOLD: elementwise operations
 * around it become part of it; SQUARE: the result has the square of a length, so lengths are short.
 * call: of x, with $d for a list of dimensions, $a for one dimension,
 * $k for True or False. */
typedef struct {
  const char *call;
  int classes, results;
} operation;

static const operation operations[] = {
    {"aten.sum.dim_IntList(x, $d, $k)", ANY | FOLD, 1},
    {"aten.sum.default(x)", ANY | FOLD, 1},
    {"aten.sum.dim_IntList(x, $d, $k, dtype = torch.float64)", F | I | B | FOLD, 1},
    {"aten.mean.dim(x, $d, $k)", F | C | FOLD, 1},
    {"aten.prod.dim_int(x, $a, $k)", ANY | FOLD, 1},
    {"aten.amax.default(x, $d, $k)", F | I | B | NONEMPTY | FOLD, 1},
    {"aten.amin.default(x, $d, $k)", F | I | B | NONEMPTY | FOLD, 1},
    {"aten.any.dim(x, $a, $k)", ANY | FOLD, 1},
    {"aten.all.dims(x, $d, $k)", ANY | FOLD, 1},
    {"aten.max.dim(x, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.min.dim(x, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.argmax.default(x, $a, $k)", F | I | NONEMPTY, 1},
    {"aten.argmin.default(x)", F | I | NONEMPTY, 1},
    {"aten.cumsum.default(x, $a)", ANY, 1},
    {"aten.cumprod.default(x, $a)", ANY, 1},
    {"aten.cumsum.default(x, $a, dtype = torch.float32)", F | I | B, 1},
    {"aten.cummax.default(x, $a)", F | I | B | NONEMPTY, 2},
    {"aten.cummin.default(x, $a)", F | I | B | NONEMPTY, 2},
    {"aten.logcumsumexp.default(x, $a)", F, 1},
    {"aten.constant_pad_nd.default(x, [2, 1], 3.5)", ANY, 1},
    {"aten.constant_pad_nd.default(x, [-1, 0], 1)", ANY | NONEMPTY, 1},
    {"aten.constant_pad_nd.default(x, [0, 300])", ANY, 1},
    {"aten.roll.default(x, [3], [$a])", ANY | NONEMPTY, 1},
    {"aten.roll.default(x, [-1, 200], [$a, 0])", ANY | NONEMPTY | DEEP, 1},
    {"aten.roll.default(x, [5])", ANY | NONEMPTY, 1},
    {"aten.repeat.default(x, [2, 1, 1, 3])", ANY, 1},
    {"aten.tile.default(x, [4])", ANY, 1},
    {"aten.repeat_interleave.self_int(x, 3, $a)", ANY, 1},
    {"aten.repeat_interleave.self_int(x, 2)", ANY, 1},
    {"aten.tril.default(x, -1)", ANY | DEEP, 1},
    {"aten.triu.default(x)", ANY | DEEP, 1},
    {"aten.diag_embed.default(x, 1)", ANY | SQUARE, 1},
    {"aten.sort.default(x, $a, $k)", F | I | B, 2},
    {"aten.argsort.default(x, $a, $k)", F | I | B, 1},
    {"aten.topk.default(x, 1, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.topk.default(x, 0, $a)", F | I | B, 2},
    {"aten.kthvalue.default(x, 1, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.median.dim(x, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.nanmedian.dim(x, $a, $k)", F | I | B | NONEMPTY, 2},
    {"aten.median.default(x)", F | I | B, 1},
    {"aten.nanmedian.default(x)", F | I | B, 1},
};

/* Whole programs: $t is an element type, $m and $n sizes, static or symbolic; $r a remainder, so
 * that indices are in range, or nothing. */
typedef struct {
  int classes;
  const char *inputs, *body;
} program_text;

static const program_text programs[] = {
#include "plan_ops.def"
};

/* ---- one program ---- */

enum { RANK = 3 };

typedef struct {
  rng r;
  const operation *op;
  scanc_dtype dtype;
  int rank, axis;
  int64_t size[RANK];
  bool symbolic[RANK];
} program_case;

static int class_of(scanc_dtype d) {
  char c = dtype_class(d);
  return c == 'f' ? F : c == 'i' ? I : c == 'b' ? B : C;
}

static void pick(program_case *c) {
  static const int lengths[] = {0,   1,   2,   5,   7,   8,    9,    16,   17,
                                31,  33,  64,  127, 128, 129,  136,  255,  256,
                                257, 511, 513, 640, 777, 1000, 1024, 1025, 2049};
  c->op = &PICK(&c->r, operations);
  do c->dtype = (scanc_dtype)below(&c->r, SCANC_N_DTYPES);
  while (!(class_of(c->dtype) & c->op->classes));
  c->rank = 1 + below(&c->r, RANK);
  if (c->op->classes & DEEP && c->rank < 2) c->rank = 2;
  c->axis = c->op->classes & DEEP ? 1 + below(&c->r, c->rank - 1) : below(&c->r, c->rank);
  for (int d = 0; d < c->rank; d++) {
    c->size[d] = d == c->axis ? PICK(&c->r, lengths) : 1 + below(&c->r, chance(&c->r, 20) ? 40 : 6);
    if (c->op->classes & NONEMPTY && !c->size[d]) c->size[d] = 3;
    if (c->op->classes & SQUARE) c->size[d] %= 65;
    c->symbolic[d] = chance(&c->r, 35);
  }
}

static void print_type(str *out, const program_case *c) {
  str_printf(out, "%s[", scanc_dtype_name(c->dtype));
  for (int d = 0; d < c->rank; d++) {
    if (d) str_append(out, ", ");
    if (!c->symbolic[d]) str_printf(out, "%d", (int)c->size[d]);
    else str_printf(out, d == c->axis ? "s9%d" : "s%d", d);
  }
  str_char(out, ']');
}

/* The axis and now and then others. */
static void print_dims(str *out, program_case *c) {
  str_char(out, '[');
  str_printf(out, "%d", c->axis - (chance(&c->r, 50) ? c->rank : 0));
  for (int d = 0; d < c->rank; d++)
    if (d != c->axis && chance(&c->r, 30)) str_printf(out, ", %d", d);
  str_char(out, ']');
}

static void print_call(str *out, program_case *c) {
  for (const char *p = c->op->call; *p; p++) {
    if (*p != '$') {
      str_char(out, *p);
      continue;
    }
    if (*++p == 'd') print_dims(out, c);
    if (*p == 'a') str_printf(out, "%d", c->axis);
    if (*p == 'k') str_append(out, chance(&c->r, 50) ? "True" : "False");
  }
}

/* What x is computed from, and what is made of the result; others may read the former. */
static void print_around(str *out, program_case *c) {
  static const char *const before[] = {"mul.Tensor(z, z)", "add.Tensor(z, 1)", "clone.default(z)"};
  static const char *const after[] = {"add.Tensor(r, r)", "mul.Tensor(r, r)"};
  bool other = chance(&c->r, 30), on = chance(&c->r, 60);
  str_printf(out, "        y = torch.ops.aten.%s\n", PICK(&c->r, before));
  str_printf(out, "        x = torch.ops.aten.%s.default(y)\n",
             class_of(c->dtype) & F && chance(&c->r, 50) ? "tanh" : "clone");
  str_append(out, "        r = torch.ops.");
  print_call(out, c);
  if (on) str_printf(out, "\n        q = torch.ops.aten.%s", PICK(&c->r, after));
  str_printf(out, "\n        return (%s, %s)\n", on ? "q" : "r", other ? "x" : "z");
}

static str text_of(program_case *c) {
  str s = {0};
  bool around = c->op->classes & FOLD && chance(&c->r, 60);
  str_printf(&s, "class GraphModule(torch.nn.Module):\n    def forward(self, %s: \"",
             around ? "z" : "x");
  print_type(&s, c);
  str_append(&s, "\"):\n");
  if (around) {
    print_around(&s, c);
    return s;
  }
  str_append(&s, "        r = torch.ops.");
  print_call(&s, c);
  str_append(&s, c->op->results == 1 ? "\n        return (r,)\n"
                                     : "\n        a = r[0]\n        b = r[1]\n"
                                       "        return (a, b)\n");
  return s;
}

/* ---- one of the programs ---- */

/* What $m and $n are. */
typedef struct {
  rng r;
  scanc_dtype dtype;
  char m[8], n[8];
  bool in_range;
} choice;

static void choose_size(rng *r, char *text, const char *symbol) {
  static const char *const sizes[] = {"1", "3", "8", "17", "33", "2", "0"};
  snprintf(text, 8, "%s", chance(r, 35) ? symbol : PICK(r, sizes));
}

/* Replaces $t, $m, $n and $r; "aten." gets its module. */
static void expand(str *out, const char *from, size_t len, const choice *c) {
  for (const char *p = from; p < from + len; p++) {
    if (!strncmp(p, "aten.", 5)) str_append(out, "torch.ops.");
    if (*p != '$') {
      str_char(out, *p);
      continue;
    }
    switch (*++p) {
      case 't': str_append(out, scanc_dtype_name(c->dtype)); break;
      case 'm': str_append(out, c->m); break;
      case 'n': str_append(out, c->n); break;
      default:
        if (c->in_range) {
          str_append(out, "torch.ops.aten.remainder.Scalar");
          break;
        }
        str_append(out, "torch.ops.aten.clone.default(");
        for (p += 2; *p != ','; p++) str_char(out, *p);
        while (*p != ')') p++;
        str_char(out, ')');
    }
  }
}

/* x: f32[3] becomes x: "f32[3]"; steps: what comes in front of the sizes, "". */
static void print_inputs(str *out, const char *inputs, const char *steps, const choice *c) {
  for (const char *in = inputs; *in;) {
    size_t name = strcspn(in, " ") + 1, dtype = strcspn(in + name, "[") + 1,
           rest = strcspn(in + name + dtype, "]") + 1;
    const char *sizes = in + name + dtype;
    expand(out, in, name, c);
    str_char(out, '"');
    expand(out, in + name, dtype, c);
    str_printf(out, *sizes == ']' || !*steps ? "%s" : "%s, ", steps);
    expand(out, sizes, rest, c);
    str_append(out, sizes[rest] ? "\", " : "\"):");
    in = sizes + rest + (sizes[rest] ? 2 : 0);
  }
}

static void print_body(str *out, const char *body, const char *indent, const choice *c) {
  for (const char *b = body; *b;) {
    size_t n = strcspn(b, ";");
    str_printf(out, "\n%s", indent);
    expand(out, b, n, c);
    b += n + (b[n] ? 2 : 0);
  }
}

/* The program in the body of a scan, whose carry is beside it. */
static void print_scan(str *s, const program_text *p, const choice *c, const char *steps) {
  str_append(s, "class GraphModule(torch.nn.Module):\n    def forward(self, carry: \"f32[2]\", ");
  print_inputs(s, p->inputs, steps, c);
  str_append(s, "\n        body = self.body\n"
                "        scan = torch.ops.higher_order.scan(body, [carry], [");
  for (const char *in = p->inputs; *in;) {
    size_t end = strcspn(in, "]") + 1;
    bool last = !in[end];
    str_printf(s, last ? "%.*s" : "%.*s, ", (int)strcspn(in, ":"), in);
    in += last ? end : end + 2;
  }
  str_append(s, "], ())\n        last = scan[0]\n        all = scan[1]\n"
                "        return (last, all)\n"
                "    class body(torch.nn.Module):\n"
                "        def forward(self, carry: \"f32[2]\", ");
  print_inputs(s, p->inputs, "", c);
  str_append(s, "\n            next = torch.ops.aten.add.Tensor(carry, 1)");
  print_body(s, p->body, "            ", c);
  str_append(s, "\n            return [next, r]\n");
}

static str program_of(rng r) {
  choice c = {.r = r};
  const program_text *p = &PICK(&c.r, programs);
  str s = {0};
  do c.dtype = (scanc_dtype)below(&c.r, SCANC_N_DTYPES);
  while (!(class_of(c.dtype) & p->classes));
  choose_size(&c.r, c.m, "s0");
  choose_size(&c.r, c.n, "s1");
  c.in_range = chance(&c.r, 85);
  if (chance(&c.r, 30)) {
    print_scan(&s, p, &c, chance(&c.r, 50) ? "3" : "s9");
    return s;
  }
  str_append(&s, "class GraphModule(torch.nn.Module):\n    def forward(self, ");
  print_inputs(&s, p->inputs, "", &c);
  print_body(&s, p->body, "        ", &c);
  str_append(&s, "\n        return (r,)\n");
  return s;
}

/* ---- all of them ---- */

/* Nothing of the program is left to the interpreter. */
static bool is_compiled(const str *text) {
  scanc_error err = {0};
  scanc_options opts = SCANC_OPTIONS_INIT;
  scanc_module *m = scanc_module_parse(NULL, text->data, text->len, "program", &err);
  scanc_program *p = m ? scanc_compile(m, &opts, &err) : NULL;
  bool ok = p && p->planned && !p->plans->hosts.len;
  if (!p) printf("%s\n", err.message);
  else if (!p->planned) printf("no plan: %s\n", p->no_plan);
  else if (!ok) printf("interpreted\n");
  scanc_program_free(p);
  scanc_module_free(m);
  return ok;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 100, failed = 0;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  int first = argc > 3 ? atoi(argv[3]) : 0;
  counts c = {0};
  if (THIN && count > 100) {
    printf("%d programs instead of %d: sanitizers make these runs slow\n", count / 3, count);
    count /= 3;
  }
  for (int i = first; i < first + count && failed < 10; i++) {
    program_case p = {.r = rng_make(mix(seed, (uint64_t)i))};
    pick(&p);
    bool one = i % 2;
    str text = one ? text_of(&p) : program_of(p.r);
    bool ok = (!one || is_compiled(&text)) && check_program(&text, mix(seed, (uint64_t)i), &c);
    if (!ok) printf("plan_ops 1 %llu %d:\n%s\n", (unsigned long long)seed, i, text.data);
    failed += !ok;
    str_free(&text);
  }
  printf("%d programs, %d runs, %d in threads\n", c.programs, c.runs, c.cut);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
