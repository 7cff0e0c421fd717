// SPDX-License-Identifier: MIT
// Runs a fuzz target over files and folders of files, so that found inputs stay fixed.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return 0;
    }
    static uint8_t buffer[1 << 22];
    const size_t size = fread(buffer, 1, sizeof buffer, f);
    fclose(f);
    // an exact heap copy, so that a sanitizer sees reads past the end
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy) {
        memcpy(copy, buffer, size);
        LLVMFuzzerTestOneInput(copy, size);
        free(copy);
    }
    return 1;
}

static int replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        perror(path);
        return 0;
    }
    if (!S_ISDIR(st.st_mode)) {
        return replay_file(path);
    }
    int count = 0;
    DIR *dir = opendir(path);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        if (e->d_name[0] != '.') {
            char name[4096];
            (void)snprintf(name, sizeof name, "%s/%s", path, e->d_name);
            count += replay(name);
        }
    }
    if (dir) {
        closedir(dir);
    }
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        count += replay(argv[i]);
    }
    printf("%d inputs replayed\n", count);
    return count > 0 ? 0 : 1; // an empty corpus tests nothing
}
