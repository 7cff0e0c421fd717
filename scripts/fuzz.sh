#!/bin/sh
# scripts/fuzz.sh NAME [SECONDS]: search with libFuzzer for inputs that tests/fuzz/fuzz_NAME.c cannot bear.
# Finds are left in build/fuzz/NAME/; what is mended goes into tests/fuzz/corpus/NAME/.
set -eu
cd "$(dirname "$0")/.."

name=${1:?"say which: $(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_//; s/\.c$//' | tr '\n' ' ')"}
seconds=${2:-180}
cc=$(command -v clang-14 || command -v clang) || { echo "clang is needed: scripts/setup.sh installs it" >&2; exit 2; }
packages="libxxhash libxml-2.0 yaml-0.1 libcjson hdf5-serial"
pkg-config --exists hdf5-serial || packages="libxxhash libxml-2.0 yaml-0.1 libcjson hdf5"
flags="-std=c17 -D_GNU_SOURCE -I. -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"

mkdir -p build/fuzz/obj "build/fuzz/$name/found"
# shellcheck disable=SC2046,SC2086 # lists of flags and of our own file names
for source in motion/*.c formats/*.c "tests/fuzz/fuzz_$name.c"; do
    object=build/fuzz/obj/$(echo "$source" | tr / _).o
    [ "$object" -nt "$source" ] && [ -z "$(find motion formats -name '*.h' -newer "$object" | head -1)" ] ||
        "$cc" $flags $(pkg-config --cflags $packages) -c "$source" -o "$object"
done
objects=$(for source in motion/*.c formats/*.c "tests/fuzz/fuzz_$name.c"; do
    echo "build/fuzz/obj/$(echo "$source" | tr / _).o"; done)
# shellcheck disable=SC2046,SC2086
"$cc" -fsanitize=fuzzer,address,undefined $objects -o "build/fuzz/$name/run" $(pkg-config --libs $packages) -lm -lpthread

exec "build/fuzz/$name/run" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 -max_len=65536 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/$name/" "build/fuzz/$name/found" "tests/fuzz/corpus/$name"
