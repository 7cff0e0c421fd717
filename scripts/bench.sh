#!/usr/bin/env bash
# Timings as ratios to a peer or limit of the same run, errors as ratios to a published figure: one
# JSON object a line.
#   scripts/bench.sh             every benchmark
#   scripts/bench.sh bvh c3d     some of them
set -euo pipefail
cd "$(dirname "$0")/.."
export OPENBLAS_NUM_THREADS=1
cmake --preset release -G Ninja >/dev/null
cmake --build --preset release >/dev/null
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
    for source in tests/bench/bench_*.c tests/bench/bench_*.sh; do
        name=$(basename "${source%.*}")
        names+=("${name#bench_}")
    done
fi
echo "{\"name\": \"machine\", \"value\": \"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)\", \"unit\": \"cpu\"}"
for name in "${names[@]}"; do
    program=build/release/tests/bench_$name
    [ ! -x "tests/bench/bench_$name.sh" ] || program=tests/bench/bench_$name.sh
    [ -x "$program" ] || { echo "bench.sh: no benchmark '$name'" >&2; exit 2; }
    if [ -x "tests/bench/peers/$name.sh" ]; then
        "tests/bench/peers/$name.sh" || true
    fi
    "$program"
done
