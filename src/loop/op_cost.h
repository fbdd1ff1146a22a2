/* What an elementwise row costs: for schedules and `scanc explain`. */
#ifndef SCANC_LOOP_OP_COST_H
#define SCANC_LOOP_OP_COST_H

#include "ir/op.h"

/* Machine instructions per vector, roughly, when computing in `acc`; a call of libm per lane counts
 * OP_COST_CALL. */
enum { OP_COST_CALL = 64, OP_COST_INDEX = 3 };
int op_cost(op_id op, scanc_dtype acc);

#endif
