// SPDX-License-Identifier: MIT
// A write that is killed or meets a full disk leaves the previous file as it was, byte for byte.
#include "formats/store.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/full_take.h"
#include "tests/support/h5_edit.h"

static const char PATH[] = "unit_store_atomic.h5";
static const char FOREIGN[] = "unit_store_atomic_foreign.h5";

enum { MOMENTS = 9 };

// The file before, and the larger one that is being written over it.
typedef struct fixture {
    ug_take before, after;
    ug_bytes old, new;
} fixture;

static int setup(void **state)
{
    static fixture fx;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    uint64_t seed = 3;
    full_take_init(&fx.before, 1);
    full_take_init(&fx.after, 2);
    ug_clip_destroy(fx.after.clip);
    fx.after.clip = ug_clip_create(20000, FULL_JOINTS, (int[]){ 0 }, 1, (ug_rate){ 120, 1 });
    for (size_t i = 0; i < (size_t)20000 * FULL_JOINTS; i++) {
        fx.after.clip->rotations[i].w = full_random(&seed);
    }
    if (ug_store_write(PATH, &fx.after, UG_PART_ALL, NULL, NULL) != UG_OK) {
        return 1;
    }
    read_bytes(&fx.new, PATH);
    if (ug_store_write(PATH, &fx.before, UG_PART_ALL, NULL, NULL) != UG_OK) {
        return 1;
    }
    read_bytes(&fx.old, PATH);
    *state = &fx;
    return fx.new.size > 3000000 ? 0 : 1;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    ug_take_fini(&fx->before);
    ug_take_fini(&fx->after);
    ug_bytes_fini(&fx->old);
    ug_bytes_fini(&fx->new);
    (void)remove(PATH);
    (void)remove(FOREIGN);
    return 0;
}

static bool holds(const char *path, const ug_bytes *want)
{
    ug_bytes bytes = { 0 };
    read_bytes(&bytes, path);
    const bool same = bytes.size == want->size && memcmp(bytes.data, want->data, want->size) == 0;
    ug_bytes_fini(&bytes);
    return same;
}

// Temporary files of PATH in the folder.
static int count_temporaries(void)
{
    int count = 0;
    DIR *dir = opendir(".");
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir));) {
        count += strncmp(e->d_name, "unit_store_atomic", 17) == 0 && strstr(e->d_name, ".tmp.");
    }
    closedir(dir);
    return count;
}

static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// The process dies on the write that would pass byte `at`: a kill at a known moment.
static void test_killed_at_a_known_byte(void **state)
{
    const fixture *fx = *state;
    for (int moment = 0; moment < MOMENTS; moment++) {
        const rlim_t at = (rlim_t)(fx->new.size - 1) * (rlim_t)moment / (MOMENTS - 1);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            (void)signal(SIGXFSZ, SIG_DFL);
            (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
            limit_file_size(at);
            _exit(ug_store_write(PATH, &fx->after, UG_PART_ALL, NULL, NULL) == UG_OK ? 0 : 1);
        }
        int ended = 0;
        assert_int_equal(waitpid(child, &ended, 0), child);
        assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGXFSZ);
        assert_true(holds(PATH, &fx->old));
        assert_int_equal(count_temporaries(), 1); // of the dead process; the next write removes it
    }
    assert_int_equal(ug_store_write(PATH, &fx->before, UG_PART_ALL, NULL, NULL), UG_OK);
    assert_int_equal(count_temporaries(), 0);
    assert_true(holds(PATH, &fx->old));
}

static void wait_ms(long ms)
{
    (void)nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

// SIGKILL anywhere, in a loop of writes: the file is always the old or the new one, whole.
static void test_killed_at_any_moment(void **state)
{
    const fixture *fx = *state;
    int old = 0, new = 0, midway = 0;
    for (int moment = 0; moment < 12; moment++) {
        assert_int_equal(ug_store_write(PATH, &fx->before, UG_PART_ALL, NULL, NULL), UG_OK);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            _exit(ug_store_write(PATH, &fx->after, UG_PART_ALL, NULL, NULL) == UG_OK ? 0 : 1);
        }
        // the even ones at a time, the odd ones as soon as the temporary file has grown so far
        char temp[64];
        struct stat st = { 0 };
        (void)snprintf(temp, sizeof temp, "%s.tmp.%ld", PATH, (long)child);
        if (moment % 2 == 0) {
            wait_ms(4L * moment);
        }
        for (int i = 0; moment % 2 == 1 && i < 1000000; i++) {
            if (stat(temp, &st) == 0 && st.st_size >= (off_t)fx->new.size * moment / 12) {
                break;
            }
            siginfo_t ended = { 0 };
            if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
                ended.si_pid != 0) {
                break; // faster than we looked
            }
        }
        (void)kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        midway += access(temp, F_OK) == 0;
        const bool is_old = holds(PATH, &fx->old), is_new = holds(PATH, &fx->new);
        assert_true(is_old || is_new);
        old += is_old;
        new += is_new;
    }
    print_message("killed 12 times: old file %d, new file %d, temporary left %d\n", old, new,
                  midway);
    assert_int_equal(ug_store_write(PATH, &fx->before, UG_PART_ALL, NULL, NULL), UG_OK);
    assert_int_equal(count_temporaries(), 0);
}

static void test_full_disk(void **state)
{
    const fixture *fx = *state;
    (void)signal(SIGXFSZ, SIG_IGN); // a write past the limit fails, as on a full disk
    for (int moment = 0; moment < MOMENTS; moment++) {
        ug_error err = { 0 };
        limit_file_size((rlim_t)(fx->new.size - 1) * (rlim_t)moment / (MOMENTS - 1));
        const ug_status status = ug_store_write(PATH, &fx->after, UG_PART_ALL, NULL, &err);
        limit_file_size(RLIM_INFINITY);
        assert_int_equal(status, UG_E_WRITE);
        assert_string_equal(err.message, "cannot be written: File too large");
        assert_string_equal(err.where, PATH);
        assert_true(holds(PATH, &fx->old));
        assert_int_equal(count_temporaries(), 0);
    }
    // in place, with the old file as base
    limit_file_size(fx->old.size / 2);
    ug_error err = { 0 };
    const ug_status status = ug_store_write(PATH, &fx->after, UG_PART_MOTION,
                                            &(ug_store_opts){ .base_path = PATH }, &err);
    limit_file_size(RLIM_INFINITY);
    assert_int_equal(status, UG_E_WRITE);
    assert_true(holds(PATH, &fx->old));
    (void)signal(SIGXFSZ, SIG_DFL);
}

static void test_seal_on_a_full_disk(void **state)
{
    (void)state;
    ug_bytes foreign = { 0 };
    strip_block(FOREIGN, PATH);
    read_bytes(&foreign, FOREIGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    limit_file_size(foreign.size / 2);
    ug_error err = { 0 };
    const ug_status status = ug_store_seal(FOREIGN, NULL, &err);
    limit_file_size(RLIM_INFINITY);
    (void)signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, UG_E_WRITE);
    assert_string_equal(err.message, "cannot be written: File too large");
    assert_true(holds(FOREIGN, &foreign));
    assert_int_equal(count_temporaries(), 0);
    ug_bytes_fini(&foreign);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed_at_a_known_byte),
        cmocka_unit_test(test_killed_at_any_moment),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_seal_on_a_full_disk),
    };
    return cmocka_run_group_tests_name("formats/store_atomic", tests, setup, teardown);
}
