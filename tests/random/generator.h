/* What the parts of the generator share. A scope is a graph that is being written, with the values
 * made so far; statements draw their operands from them. The library's own inference says which
 * statements are sound: those that are not are taken back. */
#ifndef SCANC_TESTS_GENERATOR_H
#define SCANC_TESTS_GENERATOR_H

#include "random.h"

enum { MAX_VALUES = 96, SPACE_RANK = 4, VALUE_RANK = 5, MAX_SYMBOLS = 3 };

typedef struct {
  rng r;
  module *m;
  dim space[SPACE_RANK]; /* the extents that the shapes of a program are made of; [0]: steps */
  int64_t size[N_ROUNDS][MAX_SYMBOLS];
  bool known[MAX_SYMBOLS];
  bool faults;  /* data may be divided by zero */
  bool complex; /* many complex numbers */
  int n_graphs, n_scans;
} gen;

typedef struct {
  gen *g;
  graph *graph;
  cursor at;
  int depth;           /* 0: the main graph */
  int64_t steps;       /* how often it is executed, at most */
  bool views;          /* statements may move along dimensions */
  node *v[MAX_VALUES]; /* tensors */
  int n;
  node *number[MAX_SYMBOLS]; /* symbolic integers */
  int n_numbers;
} scope;

/* Keeps a new node as a value of the scope, or takes it back when inference refused it or it is too
 * large; then NULL is returned. */
node *settle(scope *s, node *n);
/* aten.<name>(args..., dtype = d); d < 0: without dtype. Not kept. */
node *call(scope *s, const char *name, const val *args, int n, int dtype);
#define CALL(s, name, ...) \
  call((s), (name), (val[]){__VA_ARGS__}, (int)(sizeof((val[]){__VA_ARGS__}) / sizeof(val)), -1)

/* Elements that a type has in the largest round; -1: it cannot be told. */
int64_t elements(const gen *g, const type *t);
int64_t largest(const gen *g, dim d);
bool same_sizes(const type *a, const type *b);
bool broadcasts(const type *a, const type *b);

node *pick(scope *s);
node *pick_like(scope *s, const type *t); /* one that broadcasts with t, if there is one */
node *pick_with_rank(scope *s);           /* not 0-d; NULL: there is none */
val random_number(gen *g);
scanc_dtype random_dtype(gen *g);
/* v in dtype d; v itself if it has that dtype. */
node *cast_value(scope *s, node *v, scanc_dtype d);
/* A value with the type `want`, made from those from `first` on where possible, else from `base`,
 * which has its sizes. */
node *fit(scope *s, node *base, const type *want, int first);

void add_elementwise(scope *s);
void add_view(scope *s);
void add_creation(scope *s);
void add_reduction(scope *s);
void add_indexing(scope *s); /* (indexing.c) */
void add_ordering(scope *s); /* (ordering.c) */
/* One of the results of an operation with two, or both. */
void settle_items(scope *s, node *n);
void add_product(scope *s);
void add_cast(scope *s);
void add_scan(scope *s);
void add_fold(scope *s);
void add_cond(scope *s);
/* n statements. */
void grow(scope *s, int n);
/* A subgraph of s with no parameters yet. */
scope scope_inside(scope *s, const char *prefix, int64_t times, node **attr);
node *add_parameter(scope *s, const type *t);

#endif
