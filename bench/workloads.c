/* The table of workloads. */
#include "bench.h"

#define WORKLOAD(name) extern const workload w_##name;
#include "workloads.def"
#undef WORKLOAD

#define WORKLOAD(name) &w_##name,
const workload *const workloads[] = {
#include "workloads.def"
    NULL,
};
