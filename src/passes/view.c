/* Permuting views in one form. */
#include "passes/view.h"

#include <string.h>

bool view_axis(val v, int rank, int *axis) {
  if (v.kind != VAL_INT) return false;
  int64_t i = v.i < 0 ? v.i + rank : v.i;
  if (i < 0 || i >= rank) return false;
  *axis = (int)i;
  return true;
}

static void identity(int *perm, int rank) {
  for (int i = 0; i < rank; i++) perm[i] = i;
}

static bool swapped(int *perm, int rank, val a, val b) {
  int i, j;
  identity(perm, rank);
  if (rank == 0) return true;
  if (!view_axis(a, rank, &i) || !view_axis(b, rank, &j)) return false;
  perm[i] = j;
  perm[j] = i;
  return true;
}

static bool reversed(int *perm, int rank) {
  for (int i = 0; i < rank; i++) perm[i] = rank - 1 - i;
  return true;
}

static bool listed(int *perm, int rank, val dims) {
  if (dims.kind != VAL_LIST && dims.kind != VAL_TUPLE && dims.kind != VAL_SIZE) return false;
  if (dims.n != rank) return false;
  for (int i = 0; i < rank; i++)
    if (!view_axis(dims.items[i], rank, &perm[i])) return false;
  return true;
}

static bool axis_list(val v, int rank, int *axes, int *n) {
  bool seq = v.kind == VAL_LIST || v.kind == VAL_TUPLE;
  *n = seq ? v.n : 1;
  if (*n > rank) return false;
  for (int i = 0; i < *n; i++)
    if (!view_axis(seq ? v.items[i] : v, rank, &axes[i])) return false;
  return true;
}

/* Moved dimensions go to their places, the others keep their order in what is left. */
static bool moved(int *perm, int rank, val source, val destination) {
  int from[SCANC_MAX_RANK], to[SCANC_MAX_RANK], n, m, next = 0;
  bool taken[SCANC_MAX_RANK] = {false};
  identity(perm, rank);
  if (rank == 0) return true;
  if (!axis_list(source, rank, from, &n) || !axis_list(destination, rank, to, &m) || n != m)
    return false;
  for (int i = 0; i < rank; i++) perm[i] = -1;
  for (int i = 0; i < n; i++) {
    perm[to[i]] = from[i];
    taken[from[i]] = true;
  }
  for (int i = 0; i < rank; i++) {
    if (perm[i] >= 0) continue;
    while (next < rank && taken[next]) next++;
    perm[i] = next++;
  }
  return true;
}

bool view_permutation(const node *n, int *perm) {
  if (!n->op || n->op->n_operands < 1 || n->operands[0].kind != VAL_NODE) return false;
  const type *t = n->operands[0].node->type;
  if (!t || !type_is_tensor(t)) return false;
  const val *v = n->operands;
  switch (n->op->id) {
    case OP_permute: return listed(perm, t->n, v[1]);
    case OP_transpose: return swapped(perm, t->n, v[1], v[2]);
    case OP_movedim: return moved(perm, t->n, v[1], v[2]);
    case OP_numpy_T: return reversed(perm, t->n);
    case OP_t: return t->n <= 2 && reversed(perm, t->n);
    case OP_mT: return t->n >= 2 && swapped(perm, t->n, val_int(-2), val_int(-1));
    case OP_getattr:
      if (v[1].kind != VAL_STR) return false;
      if (!strcmp(v[1].s, "T")) return reversed(perm, t->n);
      return !strcmp(v[1].s, "mT") && t->n >= 2 && swapped(perm, t->n, val_int(-2), val_int(-1));
    default: return false;
  }
}
