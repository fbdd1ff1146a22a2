/* Zip archives made in memory, right or wrong on purpose. */
#ifndef SCANC_TESTS_ZIP_H
#define SCANC_TESTS_ZIP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

typedef struct {
  str file, directory;
  int n;
  size_t shift; /* data begin so many bytes behind multiples of 64 */
} zip;

/* JSON of the program y = relu(w), with w of these sizes, and of its weights. */
#define ZIP_PROGRAM(sizes, strides) \
  "{\"graph_module\": {\"graph\": {\"inputs\": [{\"as_tensor\": {\"name\": \"p_w\"}}], " \
  "\"outputs\": [{\"as_tensor\": {\"name\": \"y\"}}], \"nodes\": [{\"target\": " \
  "\"torch.ops.aten.relu.default\", \"inputs\": [{\"name\": \"self\", \"arg\": {\"as_tensor\": " \
  "{\"name\": \"p_w\"}}}], \"outputs\": [{\"as_tensor\": {\"name\": \"y\"}}], \"metadata\": " \
  "{}}], " \
  "\"tensor_values\": {\"p_w\": {\"dtype\": 7, \"sizes\": [" sizes "], \"strides\": [" strides \
  "], \"layout\": 7}}, \"is_single_tensor_return\": false}, \"signature\": {\"input_specs\": " \
  "[{\"parameter\": {\"arg\": {\"name\": \"p_w\"}, \"parameter_name\": \"w\"}}], " \
  "\"output_specs\": [{\"user_output\": {\"arg\": {\"as_tensor\": {\"name\": \"y\"}}}}]}, " \
  "\"module_call_graph\": []}, \"schema_version\": {\"major\": 8, \"minor\": 2}}"
#define ZIP_CONFIG(sizes, strides) \
  "{\"config\": {\"w\": {\"path_name\": \"weight_0\", \"is_param\": true, \"use_pickle\": false, " \
  "\"tensor_meta\": {\"dtype\": 7, \"sizes\": [" sizes "], \"strides\": [" strides \
  "], \"storage_offset\": {\"as_int\": 0}, \"layout\": 7}}}}"

/* Appends the number, lowest byte first. */
void zip_put(str *s, uint64_t v, int bytes);
/* Adds an entry as PyTorch aligns them. `local`: the name in the entry's own header; wide: its row
 * of the directory is as zip64 has it. */
void zip_add(zip *z, const char *name, const char *local, const char *data, size_t n, int method,
             bool wide);
/* One that is in order. */
void zip_add_text(zip *z, const char *name, const char *text);
/* The archive is z->file then; the directory is freed. */
void zip_end(zip *z, bool wide);

/* Writes that program with a weight of a gigabyte of zeros, which the file system does not store.
 * False: it cannot be written. */
bool zip_write_gigabyte(const char *path);

#endif
