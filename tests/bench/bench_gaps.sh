#!/usr/bin/env bash
# Gap filling against published methods, on $UGOKI_DATA/cases/gaps, through files only: cut the
# holes (expand.py), import, clean, export, score (score.py). One JSON object per protocol, mean of
# the takes. Fails when a masked sample stayed missing or a measured one was touched.
#   tests/bench/bench_gaps.sh [CASE…]      a1 c_arm …, all without
set -euo pipefail
cd "$(dirname "$0")/../.."
cases=${UGOKI_DATA:-}/cases/gaps
if [ -z "${UGOKI_DATA:-}" ] || [ ! -f "$cases/score.py" ]; then
    echo "bench gaps: skipped, \$UGOKI_DATA/cases/gaps is not there" >&2
    exit 0
fi
python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || { echo "bench gaps: needs python3 with numpy (apt-get install python3-numpy)" >&2; exit 2; }
ugoki=${UGOKI:-build/release/ugoki}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" "$cases/expand.py" "$cases" "$work/in"
one() { # TAKE__CASE: its score into out/TAKE__CASE.json
    local name=$1 take=${1%%__*} at=$work/out/$1
    local since
    "$ugoki" import "$work/in/$name.csv" -o "$at.h5" --unit mm --up +Z -y -q >/dev/null
    since=$(date +%s%N)
    "$ugoki" clean "$at.h5" -o "$at.clean.h5" --max-gap-s 60 --smooth none \
        --spikes report --swaps report --frozen report -j 1 -y -q --json >"$at.metrics.json"
    echo $(($(date +%s%N) - since)) >"$at.ns"
    "$ugoki" export "$at.clean.h5" -o "$at.csv" -y -q >/dev/null
    "$python" "$cases/score.py" "$cases/takes/$take.csv" "$at.csv" "$cases/masks/$name.csv" \
        --json >"$at.json"
    rm "$at.h5" "$at.clean.h5" "$at.csv"
}
export -f one
export ugoki python cases work
mkdir "$work/out"
for mask in "$cases"/masks/*.csv; do
    name=$(basename "$mask" .csv)
    if [ $# -eq 0 ] || [[ " $* " == *" ${name##*__} "* ]]; then echo "$name"; fi
done | xargs -P "${JOBS:-2}" -I{} bash -c 'set -euo pipefail; one {}'
"$python" tests/bench/bench_gaps.py "$work/out"
