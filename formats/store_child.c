// SPDX-License-Identifier: MIT
#include "formats/store_child.h"

#include "formats/store.h"
#include "formats/store_block.h"
#include "formats/store_copy.h"
#include "formats/store_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Shadow memory of a sanitizer is terabytes of address space: no limit there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMIT_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define LIMIT_MEMORY 0
#endif
#endif
#ifndef LIMIT_MEMORY
#define LIMIT_MEMORY 1
#endif

// A sound file of 16 MB is read in well under a second; a damaged one may loop for ever.
enum { BASE_SECONDS = 4, BASE_CPU_SECONDS = 2, BYTES_PER_SECOND = 16 << 20 };
// libhdf5 and the copy: a small file needs some tens of MB
#define BASE_MEMORY ((uint64_t)1 << 30)
#define MEMORY_PER_BYTE 8

static bool write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        const ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static uint64_t address_space(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f) {
        if (fscanf(f, "%lu", &pages) != 1) {
            pages = 0;
        }
        fclose(f);
    }
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void set_limit(int resource, uint64_t value)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) == 0) {
        limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
        (void)setrlimit((__rlimit_resource_t)resource, &limit);
    }
}

// From here on this process may die at any time, silently.
static void set_limits(uint64_t size)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) {
        (void)dup2(null, STDOUT_FILENO);
        (void)dup2(null, STDERR_FILENO); // glibc and sanitizers explain a crash; one line is ours
    }
    static const int DEADLY[] = { SIGALRM, SIGXCPU, SIGXFSZ, SIGSEGV, SIGBUS,
                                  SIGFPE,  SIGILL,  SIGABRT, SIGINT,  SIGTERM };
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof DEADLY / sizeof *DEADLY; i++) {
        (void)signal(DEADLY[i], SIG_DFL);
    }
    (void)sigprocmask(SIG_UNBLOCK, &all, NULL);
    const uint64_t more = size / BYTES_PER_SECOND;
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, RLIM_INFINITY); // a limit on files is none on the copy in memory
    set_limit(RLIMIT_CPU, BASE_CPU_SECONDS + more);
    if (LIMIT_MEMORY) {
        set_limit(RLIMIT_AS, address_space() + BASE_MEMORY + MEMORY_PER_BYTE * size);
    }
    (void)alarm((unsigned)(BASE_SECONDS + more));
}

static ug_status copy_members(ug_h5_image *image, const char *path, uint64_t size, ug_error *err)
{
    static const char *const NOTHING[] = { NULL };
    ug_h5_file from = { 0 }, to = { 0 };
    ug_status status = ug_h5_open(&from, path, size, err);
    if (status != UG_OK) {
        return status;
    }
    const ug_h5_group root = ug_h5_root(&from);
    ug_store_check_root(&root);
    ug_h5_check_enclosed(&from);
    status = from.status;
    if (status == UG_OK) {
        status = ug_h5_create(&to, image, size + size / 8, false, err);
        if (status == UG_OK) {
            ug_h5_copy_members(&to, &from, NOTHING);
        }
        status = ug_h5_finish(&to);
    }
    ug_h5_close(&from);
    return status;
}

// Everything the parent, or any stage after it, could ask of the copy, is asked here first.
static ug_status prove(const ug_h5_image *image, ug_error *err)
{
    ug_h5_file file = { 0 };
    ug_status status = ug_h5_open_image(&file, image->data, image->size, err);
    if (status == UG_OK) {
        ug_take take;
        ug_take_init(&take);
        ug_h5_read_everything(&file);
        status = ug_store_get_parts(&take, &file, UG_PART_ALL);
        ug_take_fini(&take);
        ug_h5_close(&file);
    }
    return status;
}

static ug_status work(int fd, const char *path, uint64_t size, ug_error *err)
{
    ug_h5_image image = { 0 };
    ug_status status = copy_members(&image, path, size, err);
    if (status != UG_OK) {
        return status;
    }
    const ug_store_block block =
        ug_store_block_make(image.data + UG_STORE_BLOCK_SIZE, image.size - UG_STORE_BLOCK_SIZE);
    memcpy(image.data, block.bytes, sizeof block.bytes);
    status = prove(&image, err);
    if (status == UG_OK && !write_all(fd, image.data, image.size)) {
        status = ug_fail(err, UG_E_NOMEM, "no memory for a copy of the file");
    }
    free(image.data);
    return status;
}

static _Noreturn void child_main(int answer, int fd, const char *path, uint64_t size)
{
    set_limits(size);
    ug_error err = { 0 };
    err.status = work(fd, path, size, &err);
    const bool told = write_all(answer, &err, sizeof err);
    _exit(told ? 0 : 1); // no exit handlers: files and streams belong to the parent
}

// The child's own words, or what its death means.
static ug_status hear(int answer, pid_t child, ug_error *err)
{
    ug_error said = { 0 };
    size_t got = 0;
    while (got < sizeof said) {
        const ssize_t n = read(answer, (char *)&said + got, sizeof said - got);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            break;
        }
        got += (size_t)n;
    }
    int ended = 0;
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) {
    }
    if (got == sizeof said) {
        said.message[sizeof said.message - 1] = '\0';
        return said.status == UG_OK ? UG_OK : ug_fail(err, said.status, "%s", said.message);
    }
    if (WIFSIGNALED(ended) && (WTERMSIG(ended) == SIGALRM || WTERMSIG(ended) == SIGXCPU)) {
        return ug_fail(err, UG_E_FORMAT, "damaged HDF5 file: reading it does not end");
    }
    return ug_fail(err, UG_E_FORMAT, "damaged HDF5 file: libhdf5 crashes on it");
}

static ug_status map_copy(ug_store_image *image, int copy, ug_error *err)
{
    struct stat st;
    if (fstat(copy, &st) == 0 && st.st_size > UG_STORE_BLOCK_SIZE) {
        void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, copy, 0);
        if (data != MAP_FAILED) {
            *image = (ug_store_image){ data, (size_t)st.st_size };
            return UG_OK;
        }
    }
    return ug_fail(err, UG_E_NOMEM, "no memory for a copy of the file");
}

ug_status ug_store_copy_clean(ug_store_image *image, const char *path, uint64_t size, ug_error *err)
{
    int answer[2];
    *image = (ug_store_image){ 0 };
    const int copy = memfd_create("ugoki-store", MFD_CLOEXEC);
    if (copy < 0 || pipe2(answer, O_CLOEXEC) != 0) {
        const int reason = errno;
        if (copy >= 0) {
            close(copy);
        }
        return ug_fail(err, UG_E_NOMEM, "no memory file for a copy: %s", strerror(reason));
    }
    const pid_t child = fork();
    if (child == 0) {
        close(answer[0]);
        child_main(answer[1], copy, path, size);
    }
    close(answer[1]);
    ug_status status = child > 0 ? hear(answer[0], child, err)
                                 : ug_fail(err, UG_E_NOMEM, "no process: %s", strerror(errno));
    close(answer[0]);
    if (status == UG_OK) {
        status = map_copy(image, copy, err);
    }
    close(copy);
    return status;
}

void ug_store_image_fini(ug_store_image *image)
{
    if (image->data) {
        munmap(image->data, image->size);
    }
    *image = (ug_store_image){ 0 };
}
