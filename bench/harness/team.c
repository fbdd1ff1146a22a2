#include "team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOST_HELPERS = 255, SPINS = 1 << 14 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  _Atomic bool awake; /* becomes true under `lock` only */
  int helpers;
  void (*fn)(void *arg, int member); /* these two change while no helper is at work */
  void *arg;
  _Alignas(64) _Atomic uint32_t job;
  _Alignas(64) _Atomic int at_work;
} team = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

void team_pause(unsigned turn) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
  if (turn % SPINS == SPINS - 1) sched_yield();
}

int team_size(void) { return team.helpers + 1; }

static void sleep_until_woken(void) {
  pthread_mutex_lock(&team.lock);
  while (!atomic_load(&team.awake)) pthread_cond_wait(&team.wake, &team.lock);
  pthread_mutex_unlock(&team.lock);
}

static void *help(void *member) {
  uint32_t seen = 0;
  for (unsigned turn = 0;; turn++) {
    uint32_t job = atomic_load_explicit(&team.job, memory_order_acquire);
    if (job != seen) {
      team.fn(team.arg, (int)(intptr_t)member);
      seen = job;
      atomic_fetch_sub_explicit(&team.at_work, 1, memory_order_release);
    } else if (atomic_load_explicit(&team.awake, memory_order_relaxed)) {
      team_pause(turn);
    } else {
      sleep_until_woken();
    }
  }
  return NULL;
}

void team_start(int members) {
  pthread_t thread;
  while (team.helpers < members - 1 && team.helpers < MOST_HELPERS &&
         pthread_create(&thread, NULL, help, (void *)(intptr_t)(team.helpers + 1)) == 0) {
    pthread_detach(thread);
    team.helpers++;
  }
}

static void wake_up(void) {
  pthread_mutex_lock(&team.lock);
  atomic_store(&team.awake, true);
  pthread_cond_broadcast(&team.wake);
  pthread_mutex_unlock(&team.lock);
}

void team_run(void (*fn)(void *arg, int member), void *arg) {
  team.fn = fn;
  team.arg = arg;
  atomic_store_explicit(&team.at_work, team.helpers, memory_order_relaxed);
  atomic_fetch_add_explicit(&team.job, 1, memory_order_release);
  if (team.helpers && !atomic_load_explicit(&team.awake, memory_order_relaxed)) wake_up();
  fn(arg, 0);
  for (unsigned turn = 0; atomic_load_explicit(&team.at_work, memory_order_acquire); turn++)
    team_pause(turn);
}

void team_rest(void) { atomic_store(&team.awake, false); }
