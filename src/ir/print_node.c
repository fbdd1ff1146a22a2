/* One node as a statement, in the form torch.fx prints. */
#include <stdio.h>
#include <string.h>

#include "ir/print.h"

void print_annotation(str *out, const type *t) {
  if (!t) return;
  bool shown = t->kind == TYPE_TENSOR || (t->kind == TYPE_INT && t->i.e) ||
               ((t->kind == TYPE_FLOAT || t->kind == TYPE_BOOL) && !t->known && t->s && *t->s);
  if (!shown) return;
  str_append(out, ": \"");
  type_print(out, t);
  str_char(out, '"');
}

void print_stated_number(str *out, const node *n) {
  bool number = n->type && n->type->kind == TYPE_INT && !n->type->i.e;
  if (!number || !n->annotated) return;
  str_append(out, ": \"");
  type_print(out, n->type);
  str_char(out, '"');
}

/* self.a.b, or getattr(getattr(self, "0"), "1") where a part is not an identifier. */
static void print_self_path(str *out, const char *path) {
  int n_parts = 1;
  bool plain = true;
  str part = {0};
  for (const char *p = path;; p++) {
    if (*p && *p != '.') {
      str_char(&part, *p);
      continue;
    }
    plain = plain && print_is_identifier(str_cstr(&part));
    str_clear(&part);
    if (!*p) break;
    n_parts++;
  }
  str_free(&part);
  if (plain) {
    str_printf(out, "self.%s", path);
    return;
  }
  for (int i = 0; i < n_parts; i++) str_append(out, "getattr(");
  str_append(out, "self");
  for (const char *p = path;;) {
    const char *dot = strchr(p, '.');
    int n = dot ? (int)(dot - p) : (int)strlen(p);
    str_append(out, ", ");
    print_string(out, p, n, false);
    str_char(out, ')');
    if (!dot) break;
    p = dot + 1;
  }
}

void print_arguments(str *out, const node *n, int first) {
  str_char(out, '(');
  for (int i = first; i < n->n_args; i++) {
    if (i > first) str_append(out, ", ");
    if (i >= n->n_pos) str_printf(out, "%s = ", n->kw[i - n->n_pos]);
    val_print(out, n->args[i]);
  }
  str_char(out, ')');
}

static bool is_call_of(const node *n, const char *path, int n_args) {
  return n->kind == NODE_CALL_FUNCTION && n->n_args == n_args && n->n_pos == n_args &&
         !strcmp(n->path, path);
}

/* "+" for operator.iadd, NULL for anything else. */
static const char *augmented_of(const node *n) {
  if (n->kind != NODE_CALL_FUNCTION || n->n_args != 2 || n->n_pos != 2 ||
      strncmp(n->path, "operator.i", 10))
    return NULL;
  char path[64];
  size_t len = strlen(n->path + 10);
  if (len == 0 || len > 40 || n->args[0].kind != VAL_NODE) return NULL;
  for (int k = 0; k < 2; k++) { /* iand is the in-place form of and_ */
    snprintf(path, sizeof path, "operator.%s%s", n->path + 10, k ? "_" : "");
    const spelling *s = spelling_find(path);
    if (s && s->infix && !s->prefix) return s->infix;
  }
  return NULL;
}

static bool is_setitem(const node *n) {
  return is_call_of(n, "operator.setitem", 3) && n->args[0].kind == VAL_NODE;
}

/* Nodes that print as two statements: x[0] = 1;  setitem = x */
static bool print_is_in_place(const node *n) { return is_setitem(n) || augmented_of(n); }

static void print_in_place(str *out, const node *n) {
  val_print(out, n->args[0]);
  if (is_setitem(n)) {
    str_char(out, '[');
    val_print(out, n->args[1]);
    str_append(out, "] = ");
    val_print(out, n->args[2]);
  } else {
    str_printf(out, " %s= ", augmented_of(n));
    val_print(out, n->args[1]);
  }
  str_printf(out, ";  %s", n->name);
  print_annotation(out, n->type);
  str_append(out, " = ");
  val_print(out, n->args[0]);
}

static void print_attribute(str *out, val receiver, const char *name) {
  if (print_is_identifier(name) && receiver.kind == VAL_NODE) {
    str_printf(out, "%s.%s", receiver.node->name, name);
    return;
  }
  str_append(out, "getattr(");
  val_print(out, receiver);
  str_append(out, ", ");
  print_string(out, name, (int)strlen(name), false);
  str_char(out, ')');
}

/* torch.f stays, other functions become one identifier: operator.not_ is _operator_not_. */
static void print_function_name(str *out, const char *path) {
  if (!strncmp(path, "torch.", 6)) {
    str_append(out, path);
    return;
  }
  if (!strncmp(path, "operator.", 9)) str_char(out, '_');
  for (; *path; path++) str_char(out, *path == '.' ? '_' : *path);
}

static void print_function(str *out, const node *n) {
  const spelling *s = spelling_find(n->path);
  if (s && s->infix && n->n_args == n->n_pos && n->n_args == (s->prefix ? 1 : 2)) {
    if (!s->prefix) {
      print_operand(out, n->args[0]);
      str_char(out, ' ');
    }
    str_append(out, s->infix);
    if (!s->prefix) str_char(out, ' ');
    print_operand(out, n->args[n->n_args - 1]);
  } else if (is_call_of(n, "operator.getitem", 2)) {
    val_print(out, n->args[0]);
    str_char(out, '[');
    val_print(out, n->args[1]);
    str_char(out, ']');
  } else if (is_call_of(n, "builtins.getattr", 2) && n->args[1].kind == VAL_STR) {
    print_attribute(out, n->args[0], n->args[1].s);
  } else if (!strcmp(n->path, "builtins.getattr")) {
    str_append(out, "getattr");
    print_arguments(out, n, 0);
  } else {
    print_function_name(out, n->path);
    print_arguments(out, n, 0);
  }
}

void print_right_side(str *out, const node *n, const char *path) {
  if (!path) path = n->path;
  switch (n->kind) {
    case NODE_GET_ATTR: print_self_path(out, path); break;
    case NODE_CALL_MODULE:
      print_self_path(out, path);
      print_arguments(out, n, 0);
      break;
    case NODE_CALL_METHOD:
      print_attribute(out, n->args[0], path);
      print_arguments(out, n, 1);
      break;
    case NODE_CALL_FUNCTION: print_function(out, n); break;
    case NODE_PLACEHOLDER: str_append(out, path); break;
    case NODE_OUTPUT: val_print(out, n->args[0]); break;
  }
}

void node_print(str *out, const node *n) {
  if (n->kind == NODE_OUTPUT) {
    str_append(out, "return ");
    val_print(out, n->args[0]);
  } else if (print_is_in_place(n)) {
    print_in_place(out, n);
  } else {
    str_append(out, n->name);
    print_annotation(out, n->type);
    print_stated_number(out, n);
    str_append(out, " = ");
    print_right_side(out, n, NULL);
  }
}
