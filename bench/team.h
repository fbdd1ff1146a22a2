/* Threads for what several CPUs compute together: C functions (references/rows.h) and memcpy. The
 * caller is member 0; the others keep to the other CPUs (machine.c) and spin between calls, until
 * team_rest. One caller at a time. */
#ifndef SCANC_BENCH_TEAM_H
#define SCANC_BENCH_TEAM_H

/* Members, the caller included: 1 before team_start. */
int team_size(void);
/* Makes members - 1 threads, which run where the caller may run; fewer if the system refuses. */
void team_start(int members);
/* Calls fn(arg, member) once for each member, at the same time; returns when all are done. */
void team_run(void (*fn)(void *arg, int member), void *arg);
/* They sleep until the next team_run, which takes longer then. */
void team_rest(void);
/* What a loop that waits does meanwhile; turn: how often it has. Gives the CPU to somebody else
 * where that takes long. */
void team_pause(unsigned turn);

#endif
