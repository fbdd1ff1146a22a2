/* What the files of the harness share. Everything is made once per run of the program; running out
 * of memory ends it. */
#ifndef SCANC_BENCH_HARNESS_H
#define SCANC_BENCH_HARNESS_H

#include <jansson.h>
#include <sys/types.h>

#include "base/output.h"
#include "bench.h"
#include "team.h"

/* ---- options.c ---- */

typedef struct {
  bool list, quick, no_peers;
  bool fresh_pages;        /* see arrays.fresh_pages */
  bool compare;            /* the two words of `cases` are records of --json */
  const char *json, *html; /* files to write; NULL */
  const char
      *peers; /* names separated by commas; NULL: those that --quick or its absence stands for */
  uint64_t seed;
  double budget; /* seconds of timing per case */
  int threads;   /* scanc and others are measured with so many threads, too; 1: not */
  char **cases;  /* names or beginnings of names */
  int n_cases;
} bench_options;

/* Returns -1, or the exit status with which the program is to end. */
int options_read(int argc, char **argv, bench_options *o);

/* ---- util.c ---- */

double now_ns(void);
void *must_alloc(size_t bytes); /* zeroed, aligned to a page, all pages there; free() */
char *text_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Gives the pages that lie within back: they are there again, zeroed, when they are touched. */
void drop_pages(void *from, size_t bytes);
/* Takes the first line off *rest; NULL at the end. Writes into the text. */
char *next_line(char **rest);
/* "scanc-bench-XXXXXX" in the directory for temporary files (TMPDIR), for mkstemp and mkdtemp; to
 * be freed. */
char *temporary_name(void);

/* How a program is to be run, and what came of it. */
typedef struct {
  double limit;  /* seconds after which it is killed, with all that it started */
  bool all_cpus; /* it may use all CPUs that this process was given, not only the pinned one */
  double seconds;
  bool late, failed; /* it was killed; it could not be run, or its exit status was not 0 */
} process;
/* Runs a program with its standard error thrown away; returns what it printed, to be freed. */
char *run_process(const char *const *argv, process *p);
/* The same with five minutes of time; NULL if it was late or failed. `seconds` (may be NULL) gets
 * the time that took. */
char *run_program(const char *const *argv, double *seconds);

/* A process that answers lines: what it says up to an empty line is the answer. */
typedef struct {
  pid_t pid; /* 0: it does not run */
  int fd;
} server;
bool server_start(server *s, const char *const *argv, bool all_cpus);
/* The answer, to be freed; without its end where the process ended or was killed, because it took
 * longer than so many seconds (*late): it does not run any more then. */
char *server_ask(server *s, const char *line, double limit, bool *late);
void server_stop(server *s); /* kills it and what it started */

/* The tool that lies in the tree or the installation of this program; NULL if none does. */
const char *scanc_tool(void);

/* ---- arrays.c ---- */

typedef struct {
  scanc_tensor in[BENCH_MAX_ARRAYS], out[BENCH_MAX_ARRAYS], expected[BENCH_MAX_ARRAYS];
  void *in_data[BENCH_MAX_ARRAYS], *out_data[BENCH_MAX_ARRAYS], *expected_data[BENCH_MAX_ARRAYS];
  int n_in, n_out;
  bool fresh_pages; /* the pages of outputs are not there when a call begins */
} arrays;

/* Contiguous arrays as the program takes and returns them, inputs filled, all pages touched. */
bool arrays_make(arrays *a, const scanc_program *prog, const workload *w, uint64_t seed,
                 scanc_error *err);
/* Fills the inputs anew. */
void arrays_fill(arrays *a, const bench_fill *f, uint64_t seed);
void arrays_free(arrays *a);
/* Fills the outputs with bytes that no result has, so that what is not written is noticed. */
void arrays_spoil(arrays *a);
/* "" or what is wrong with the outputs. *worst becomes the largest |x - y| / max(|y|, 1) of numbers
 * that are not whole, if that is larger. */
const char *arrays_compare(const arrays *a, double rtol, double atol, double *worst);
size_t tensor_bytes(const scanc_tensor *t);
/* Writes a contiguous tensor as .npy; false: it cannot be written. */
bool tensor_write(const scanc_tensor *t, const char *path);

/* ---- what is compared: subject.c ---- */

typedef enum {
  SUBJECT_SCANC,     /* see subject.how */
  SUBJECT_REFERENCE, /* a C function */
  SUBJECT_MEMCPY,    /* of the bytes that the workload must move; threads: each a part */
  SUBJECT_PEER       /* timed by another process */
} subject_kind;

/* What a program or a C function is built for. */
typedef struct {
  bool v3;       /* x86-64-v3 on a CPU that can do more, else this CPU */
  bool contract; /* --fp=contract, -ffp-contract=fast */
  int threads;
} build_kind;

typedef struct {
  int n;
  double least, median;
  double spread; /* the middle half of the samples is so wide, as a part of the median */
} statistics;

typedef struct {
  subject_kind kind;
  build_kind how;
  const reference *ref; /* of SUBJECT_REFERENCE */
  scanc_program *prog;  /* of SUBJECT_SCANC */
  void *from, *to;      /* of SUBJECT_MEMCPY, with `copied` bytes each */
  size_t copied;
  char *peer;         /* the name of the peer */
  char *label, *note; /* note: NULL or what else there is to say */
  char *failure;      /* NULL, or why there are no times */
  double first_ns;    /* of the first call, whose result was compared, or of the second one */
  double worst;       /* error against the plain reference, see arrays_compare */
  int calls;          /* per sample */
  double *samples;    /* ns per call */
  statistics s;
  double ratio; /* time of scanc divided by the time of this one, the median of pairs; 0: not
                   known. scanc is what subject_rival gives */
  bool paired;  /* ratio comes from samples taken in turn */
} subject;

enum { MAX_PEER_VARIANTS = 64, MAX_SUBJECTS = BENCH_MAX_REFERENCES + MAX_PEER_VARIANTS + 7 };

typedef struct {
  const workload *w;
  const bench_size *size;
  char *name; /* cumsum_f32[65536] */
  char *text; /* the program */
  subject subjects[MAX_SUBJECTS];
  int n_subjects;                            /* the first is scanc */
  statistics compile_cold;                   /* in ms; n 0: not measured */
  double compile_cached_ms, first_result_ms; /* 0: not measured */
  char *executed;                            /* what `scanc explain` says of the whole program */
  char *interpreted; /* NULL, or a line per step that is interpreted, with the reason */
  int failures;
  double seconds; /* that all of it took */
} bench_case;

void statistics_make(statistics *s, const double *samples, int n);
/* The median of a[i] / b[i]. */
double median_of_ratios(const double *a, const double *b, int n);
bool subject_timed(const subject *s);
/* The fastest of the C functions of these kinds (bits of 1 << REF_...) that are built so (the plain
 * ones are built for this CPU only), reordered ones or the others; NULL: none was timed. */
const subject *best_reference(const bench_case *c, unsigned kinds, build_kind how, bool reordered);
const subject *find_copy(const bench_case *c, int threads);     /* memcpy; NULL: not measured */
const subject *find_scanc(const bench_case *c, build_kind how); /* NULL: not measured */
/* The fastest of a peer's variants with so many threads; peer NULL: of any. */
const subject *best_peer(const bench_case *c, const char *peer, int threads);
/* What of scanc is compared with s: what is built as it is. */
const subject *subject_rival(const bench_case *c, const subject *s);
/* strict, for this CPU, one thread */
#define PLAINLY ((build_kind){false, false, 1})
#define CONTRACTED ((build_kind){false, true, 1})
#define STRICT_V3 ((build_kind){true, false, 1})
#define CONTRACTED_V3 ((build_kind){true, true, 1})
enum { ANY_C = 1 << REF_PLAIN | 1 << REF_GOOD | 1 << REF_KERNEL | 1 << REF_LIBRARY };

/* ---- one case: case.c, timing.c ---- */

char *case_name(const workload *w, const bench_size *size); /* to be freed */
/* Compiles, computes, compares and times: c holds w and size. Peers are not yet asked. */
void case_run(bench_case *c, const bench_options *o, arrays *a);
void case_free(bench_case *c);                        /* what takes much room; times stay */
void case_fail(bench_case *c, subject *s, char *why); /* takes the text */
/* Calls the subject once. False: scanc reports an error. */
bool subject_call(const bench_case *c, const subject *s, arrays *a, scanc_error *err);
/* Times all subjects that have no failure, in turn; ratios are left to subject_relate. */
void case_time(bench_case *c, arrays *a, double budget);
/* Time of a over time of b, from the samples of one round where both have them, else of medians. */
double subjects_ratio(const subject *a, const subject *b);
/* Fills `ratio` of a subject with statistics. */
void subject_relate(const bench_case *c, subject *s);
/* Whether it does not take so long that one call has to do. */
bool subject_may_repeat(const subject *s);
subject *case_add(bench_case *c, subject_kind kind, char *label); /* takes the text */

/* ---- peers.c ---- */

/* Finds out which peers there are to be asked. False with a message: --peers names one that is
 * unknown. */
bool peers_choose(const bench_options *o);
/* Writes the case into a directory of its own, asks every peer, and adds a subject per variant. */
void peers_run(bench_case *c, const bench_options *o, const arrays *a);
/* By name: the version, or why it is missing; the seconds that it was waited for. */
json_t *peers_describe(void);
void peers_stop(void); /* ends their processes */

/* ---- machine.c, probes.c ---- */

void machine_pin(void);     /* to one CPU, which child processes inherit */
void machine_release(void); /* the calling process may use all CPUs again */
int machine_cpus(void);     /* how many it was given */
/* Makes the threads of scanc and the team, which keep to the other CPUs. After machine_pin. */
void machine_start_threads(int threads);
json_t *machine_describe(void);
void machine_end(json_t *m); /* adds the load after everything was measured */
json_t *probes_run(const bench_options *o);

/* ---- main.c ---- */

void progress_note(const char *what); /* on the terminal, behind the name of the case */

/* ---- reports ---- */

typedef struct {
  const bench_options *options;
  json_t *machine, *probes, *peers;
  bench_case *cases;
  int n, failures;
  double seconds; /* that all cases took */
  char *left_out; /* NULL, or what there was no time for */
} report;

void table_head(void);
void table_row(const bench_case *c, bool all_subjects);
void table_end(const report *r);
/* The whole run, as --json writes it. */
json_t *report_json(const report *r);
/* Both write the whole file or none; false with a message on standard error. */
bool report_write_json(const report *r, const char *path);
bool report_write_html(const report *r, const char *path);
/* What the tables show of a case, by name: time of scanc over that of the other; 0: not known. */
enum {
  FIGURE_PLAIN,
  FIGURE_C,
  FIGURE_FUSED,
  FIGURE_REORDERED,
  FIGURE_COPY,
  FIGURE_C_V3,
  FIGURE_FUSED_V3,
  FIGURE_PLAIN_V3,  /* as FIGURE_PLAIN, but scanc is built for x86-64-v3 */
  FIGURE_THREADS,   /* the other is scanc with several threads */
  FIGURE_C_THREADS, /* both with several threads */
  FIGURE_COPY_THREADS,
  FIGURE_PEER,
  N_FIGURES
};
extern const char *const figure_names[N_FIGURES];
double case_figure(const bench_case *c, int figure);
/* ns that the workload takes at least: memcpy of its bytes, or its operations at the measured rate
 * of fused multiply-adds in f32 (*arithmetic), whichever is longer; 0: not known. */
double case_bound(const bench_case *c, const json_t *probes, bool *arithmetic);
const subject *case_figure_subject(const bench_case *c, int figure); /* the other; NULL */
/* Whether the figure is that of a C function for x86-64-v3 which is what the compiler makes of a
 * loop, while there is a kernel with intrinsics for this CPU: no equal of that of column C. */
bool case_figure_lacks_kernel(const bench_case *c, int figure);
/* Lines about what takes scanc longer than C, frameworks, or one thread; "" if nothing does. To be
 * freed. */
char *case_losses(const bench_case *c);
/* Compares the figures of two records of --json. Returns the exit status: 1 if those to C differ by
 * more than 10 % in the median. */
int records_compare(const char *first, const char *second);

#endif
