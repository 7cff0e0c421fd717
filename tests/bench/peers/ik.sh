#!/bin/sh
# Build the peer of bench_ik beside it, where libsimbody-dev and a C++ compiler are installed.
set -eu
cd "$(dirname "$0")/../../.."
out=${1:-build/release/tests}/bench_ik_simbody
source=tests/bench/peers/ik_simbody.cpp
if [ ! -f /usr/include/simbody/Simbody.h ] || ! command -v c++ >/dev/null; then
    echo "bench ik: peer skipped (apt-get install libsimbody-dev g++ to compare)" >&2
    exit 0
fi
[ "$out" -nt "$source" ] ||
    c++ -O3 -march=native -w -I/usr/include/simbody "$source" -o "$out" \
        -lSimTKsimbody -lSimTKmath -lSimTKcommon
