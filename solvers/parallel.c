// SPDX-License-Identifier: MIT
#include "solvers/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { WORKERS_MAX = 256 };

typedef struct job {
    ug_piece_fn fn;
    void *context;
    size_t piece_count;
    atomic_size_t next; // first piece nobody has taken
} job;

typedef struct seat {
    job *job;
    size_t worker;
    pthread_t thread;
} seat;

static void work(job *j, size_t worker)
{
    for (;;) {
        const size_t piece = atomic_fetch_add(&j->next, 1);
        if (piece >= j->piece_count) {
            return;
        }
        j->fn(j->context, piece, worker);
    }
}

static void *thread_main(void *argument)
{
    const seat *s = argument;
    work(s->job, s->worker);
    return NULL;
}

void ug_parallel_for(size_t piece_count, size_t workers, ug_piece_fn fn, void *context)
{
    job j = { .fn = fn, .context = context, .piece_count = piece_count };
    seat seats[WORKERS_MAX];
    size_t wanted = workers < piece_count ? workers : piece_count;
    wanted = wanted < WORKERS_MAX ? wanted : WORKERS_MAX;
    size_t started = 1; // seat 0 is the calling thread
    atomic_init(&j.next, 0);
    while (started < wanted) {
        seats[started] = (seat){ .job = &j, .worker = started };
        if (pthread_create(&seats[started].thread, NULL, thread_main, &seats[started]) != 0) {
            break; // fewer threads, same result
        }
        started++;
    }
    work(&j, 0);
    for (size_t i = 1; i < started; i++) {
        pthread_join(seats[i].thread, NULL);
    }
}

size_t ug_processor_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    const int count = CPU_COUNT(&set);
    return count > 0 ? (size_t)count : 1;
}
