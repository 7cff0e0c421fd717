// SPDX-License-Identifier: MIT
#include "formats/file.h"

#include "tests/support/files.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const FOLDER = "test_file.dir";
static const char *const PATH = "test_file.dir/out.txt";

static int make_folder(void **state)
{
    (void)state;
    (void)mkdir(FOLDER, 0755);
    return test_write_text(PATH, "old") ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char path[512];
    DIR *dir = opendir(FOLDER);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        (void)snprintf(path, sizeof path, "%s/%s", FOLDER, e->d_name);
        (void)unlink(path);
    }
    if (dir) {
        closedir(dir);
    }
    return rmdir(FOLDER);
}

static size_t files_in_folder(void)
{
    size_t count = 0;
    DIR *dir = opendir(FOLDER);
    for (const struct dirent *e; (e = readdir(dir));) {
        count += e->d_name[0] != '.';
    }
    closedir(dir);
    return count;
}

static void assert_content(const char *want)
{
    char *text = test_read_text(PATH);
    assert_string_equal(text, want);
    free(text);
}

static void test_read_pads_with_zeros(void **state)
{
    (void)state;
    ug_bytes bytes = { 0 };
    assert_int_equal(ug_bytes_read(&bytes, PATH, NULL), UG_OK);
    assert_int_equal(bytes.size, 3);
    for (size_t i = 3; i < 3 + 64; i++) {
        assert_int_equal(bytes.data[i], 0);
    }
    // a reused buffer is padded anew, where something longer lay before
    memset(bytes.data, 'x', bytes.capacity);
    const uint8_t *before = bytes.data;
    assert_int_equal(ug_bytes_read_head(&bytes, PATH, 2, NULL), UG_OK);
    assert_ptr_equal(bytes.data, before);
    assert_int_equal(bytes.size, 2);
    assert_memory_equal(bytes.data, "ol\0\0", 4);
    ug_bytes_fini(&bytes);
    assert_null(bytes.data);
    ug_bytes_fini(NULL);
}

static void test_read_empty_and_large(void **state)
{
    (void)state;
    ug_bytes bytes = { 0 };
    assert_true(test_write_text(PATH, ""));
    assert_int_equal(ug_bytes_read(&bytes, PATH, NULL), UG_OK);
    assert_int_equal(bytes.size, 0);
    const size_t size = (3u << 20) + 17; // beyond the huge page threshold
    char *data = malloc(size);
    for (size_t i = 0; i < size; i++) {
        data[i] = (char)(i * 31);
    }
    assert_true(test_write_bytes(PATH, data, size));
    assert_int_equal(ug_bytes_read(&bytes, PATH, NULL), UG_OK);
    assert_int_equal(bytes.size, size);
    assert_memory_equal(bytes.data, data, size);
    assert_int_equal(bytes.data[size], 0);
    ug_bytes_fini(&bytes);
    free(data);
}

static void test_read_errors_name_the_file(void **state)
{
    (void)state;
    ug_bytes bytes = { 0 };
    ug_error err = { 0 };
    assert_int_equal(ug_bytes_read(&bytes, "no/such", &err), UG_E_IO);
    assert_string_equal(err.message, "cannot be opened: No such file or directory");
    assert_string_equal(err.where, "no/such");
    err = (ug_error){ 0 };
    assert_int_equal(ug_bytes_read(&bytes, FOLDER, &err), UG_E_IO);
    assert_string_equal(err.message, "is a folder, not a file");
    assert_string_equal(err.where, FOLDER);
    // success leaves the place open for the reader of the content
    err = (ug_error){ 0 };
    assert_int_equal(ug_bytes_read(&bytes, PATH, &err), UG_OK);
    assert_string_equal(err.where, "");
    ug_bytes_fini(&bytes);
}

static void test_read_a_pipe(void **state)
{
    (void)state;
    int ends[2];
    char path[64];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        for (int i = 0; i < 200000; i++) {
            if (write(ends[1], "0123456789", 10) != 10) {
                _exit(1);
            }
        }
        _exit(0);
    }
    close(ends[1]);
    ug_bytes bytes = { 0 };
    (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(ug_bytes_read(&bytes, path, NULL), UG_OK);
    assert_int_equal(bytes.size, 2000000);
    assert_memory_equal(bytes.data + 1999990, "0123456789", 10);
    close(ends[0]);
    ug_bytes_fini(&bytes);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void test_commit_replaces(void **state)
{
    (void)state;
    ug_outfile out;
    ug_error err = { 0 };
    assert_int_equal(ug_outfile_open(&out, PATH, &err), UG_OK);
    fputs("new", out.stream);
    assert_content("old"); // nothing seen before the commit
    assert_int_equal(ug_outfile_commit(&out, &err), UG_OK);
    assert_content("new");
    assert_int_equal(files_in_folder(), 1);
    assert_string_equal(err.where, "");
    ug_outfile_discard(&out); // harmless afterwards
    assert_content("new");
    ug_outfile_discard(NULL);
}

static void test_discard_leaves_the_old_file(void **state)
{
    (void)state;
    ug_outfile out;
    assert_int_equal(ug_outfile_open(&out, PATH, NULL), UG_OK);
    fputs("new", out.stream);
    assert_int_equal(files_in_folder(), 2);
    ug_outfile_discard(&out);
    assert_int_equal(files_in_folder(), 1);
    assert_content("old");
}

static void test_a_kill_leaves_the_old_file(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        ug_outfile out;
        if (ug_outfile_open(&out, PATH, NULL) == UG_OK) {
            fputs("half of it", out.stream);
            fflush(out.stream);
            raise(SIGKILL);
        }
        _exit(1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_content("old");
    assert_int_equal(files_in_folder(), 2); // its half file lies there …
    ug_outfile out;
    assert_int_equal(ug_outfile_open(&out, PATH, NULL), UG_OK);
    fputs("new", out.stream);
    assert_int_equal(ug_outfile_commit(&out, NULL), UG_OK);
    assert_int_equal(files_in_folder(), 1); // … until the next write clears it away
    assert_content("new");
}

static void test_only_stale_temporaries_go(void **state)
{
    (void)state;
    char living[128];
    (void)snprintf(living, sizeof living, "%s.tmp.%ld", PATH, (long)getppid());
    assert_true(test_write_text(living, "at work"));
    assert_true(test_write_text("test_file.dir/out.txt.tmp.notes", "mine"));
    ug_outfile out;
    assert_int_equal(ug_outfile_open(&out, PATH, NULL), UG_OK);
    ug_outfile_discard(&out);
    assert_int_equal(access(living, F_OK), 0);
    assert_int_equal(access("test_file.dir/out.txt.tmp.notes", F_OK), 0);
}

static void test_unwritable_places(void **state)
{
    (void)state;
    ug_outfile out;
    ug_error err = { 0 };
    assert_int_equal(ug_outfile_open(&out, "no/such/out.txt", &err), UG_E_WRITE);
    assert_string_equal(err.message, "cannot be written: No such file or directory");
    assert_string_equal(err.where, "no/such/out.txt");
    assert_null(out.stream);
    ug_outfile_discard(&out);
    // a folder or a device of that name stays what it is
    err = (ug_error){ 0 };
    assert_int_equal(ug_outfile_open(&out, "test_file.dir/../test_file.dir", &err), UG_E_WRITE);
    assert_string_equal(err.message, "cannot be written: it is a folder, not a file");
    assert_string_equal(err.where, "test_file.dir/../test_file.dir");
    err = (ug_error){ 0 };
    assert_int_equal(ug_outfile_open(&out, "/dev/null", &err), UG_E_WRITE);
    assert_string_equal(err.message, "cannot be written: it is a device or pipe, not a file");
    if (geteuid() != 0) { // root may write anywhere
        assert_int_equal(chmod(FOLDER, 0555), 0);
        err = (ug_error){ 0 };
        assert_int_equal(ug_outfile_open(&out, PATH, &err), UG_E_WRITE);
        assert_string_equal(err.message, "cannot be written: Permission denied");
        assert_int_equal(chmod(FOLDER, 0755), 0);
    }
    assert_content("old");
}

static void test_a_link_stays_a_link(void **state)
{
    (void)state;
    ug_outfile out;
    struct stat st;
    const char *link = "test_file.dir/link.txt";
    assert_int_equal(symlink("out.txt", link), 0);
    assert_int_equal(ug_outfile_open(&out, link, NULL), UG_OK);
    fputs("new", out.stream);
    assert_int_equal(ug_outfile_commit(&out, NULL), UG_OK);
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_content("new");
    remove(link);
}

// a limit on file size is as good as a full disk: write() fails in the middle
static void test_a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = { 100000, 100000 };
        ug_outfile out;
        ug_error err = { 0 };
        (void)signal(SIGXFSZ, SIG_IGN);
        int code = setrlimit(RLIMIT_FSIZE, &limit) == 0 ? 0 : 10;
        if (ug_outfile_open(&out, PATH, NULL) != UG_OK) {
            _exit(11);
        }
        for (int i = 0; i < 1000000; i++) {
            fputc('x', out.stream);
        }
        code += ug_outfile_commit(&out, &err) == UG_E_WRITE ? 0 : 1;
        code += strcmp(err.message, "cannot be written: File too large") == 0 ? 0 : 2;
        code += out.stream == NULL ? 0 : 4;
        _exit(code);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_content("old");
    assert_int_equal(files_in_folder(), 1);
}

static void test_names(void **state)
{
    (void)state;
    char extension[16];
    assert_string_equal(ug_path_base("a/b/c.trc"), "c.trc");
    assert_string_equal(ug_path_base("c.trc"), "c.trc");
    assert_string_equal(ug_path_base("a/"), "");
    static const struct {
        const char *path, *extension;
    } CASES[] = {
        { "x/take.C3D", ".c3d" },
        { "take", "" },
        { "a.b/take", "" },
        { "a.tar.gz", ".gz" },
        { "a.", "." },
        { "", "" },
        { "a.abcdefghijklmnopqrstuvw", ".abcdefghijklmn" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        memset(extension, 'x', sizeof extension);
        ug_path_extension(extension, CASES[i].path);
        assert_string_equal(extension, CASES[i].extension);
    }
}

static void test_abandoned_outputs_leave_the_old_file_alone(void **state)
{
    (void)state;
    ug_outfile out, done;
    assert_int_equal(ug_outfile_open(&done, PATH, NULL), UG_OK);
    fputs("newer", done.stream);
    assert_int_equal(ug_outfile_commit(&done, NULL), UG_OK);
    assert_int_equal(ug_outfile_open(&out, PATH, NULL), UG_OK);
    fputs("half of", out.stream);
    fflush(out.stream);
    assert_int_equal(files_in_folder(), 2);
    ug_outfiles_abandon(); // what a signal handler does last
    assert_int_equal(files_in_folder(), 1);
    assert_content("newer");
    ug_outfile_discard(&out);
    ug_outfiles_abandon(); // and forgotten when it is over
    assert_content("newer");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_read_pads_with_zeros),
        IN_FOLDER(test_read_empty_and_large),
        IN_FOLDER(test_read_errors_name_the_file),
        IN_FOLDER(test_read_a_pipe),
        IN_FOLDER(test_commit_replaces),
        IN_FOLDER(test_discard_leaves_the_old_file),
        IN_FOLDER(test_a_kill_leaves_the_old_file),
        IN_FOLDER(test_only_stale_temporaries_go),
        IN_FOLDER(test_unwritable_places),
        IN_FOLDER(test_a_link_stays_a_link),
        IN_FOLDER(test_a_full_disk_leaves_the_old_file),
        IN_FOLDER(test_abandoned_outputs_leave_the_old_file_alone),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests_name("formats/file", tests, NULL, NULL);
}
