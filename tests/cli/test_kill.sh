#!/usr/bin/env bash
# A stage that is killed leaves the old output, byte for byte, or the complete new one.
source "$UGOKI_SOURCE/tests/support/cli.sh"

expect 0 "" synth -o take.c3d --strides 3 --seed 2 -q
expect 0 "" import take.c3d -o a.h5 -q
expect 0 "" clean a.h5 -o b.h5 -q
expect 0 "" calibrate b.h5 --markers cmu_41 --frames 20 -o s.h5 -q
expect 0 "" solve b.h5 --subject s.h5 -o m.h5 -q
expect 0 "" retarget m.h5 --to human -o r.h5 -q
expect 0 "" export r.h5 -o r.bvh -q
expect 0 "" export b.h5 -o b.c3d -q

old=0 new=0
attack() { # OUTPUT args…
    local output=$1 sum
    shift
    for delay in 0.005 0.02 0.04 0.07 0.12 0.3; do
        sum=$(cksum <"$output")
        { timeout -s KILL "$delay" "$UGOKI" "$@" -o "$output" -y -q; } >/dev/null 2>&1
        if [ "$(cksum <"$output")" = "$sum" ]; then
            old=$((old + 1))
        else
            new=$((new + 1))
            "$UGOKI" validate "$output" -q --unit cm --up +Y >out 2>err || fail "$output is half a file"
        fi
    done
    checks=$((checks + 1))
}
attack a.h5 import take.c3d
attack b.h5 clean a.h5
attack s.h5 calibrate b.h5 --markers cmu_41 --frames 20
attack m.h5 solve b.h5 --subject s.h5
attack r.h5 retarget m.h5 --to human
attack r.bvh export r.h5
attack b.c3d export b.h5

# a run that is killed, wherever, knows its own files again
printf 'inputs: [take.c3d]\nstages:\n  - import: {}\n  - clean: {}\n  - export: {format: trc}\n' >r.yaml
for delay in 0.01 0.02 0.03 0.04 0.05 0.06 0.08 0.1; do
    { timeout -s KILL "$delay" "$UGOKI" run r.yaml -o "killed$delay" -q; } >/dev/null 2>&1
    expect 0 "" run r.yaml -o "killed$delay" -q
done
# the file there, and nothing said of it but the intent
sed -i 's/"key":/"intent":/; s/"hash":/"was":/' killed0.1/take/run.json
expect 0 "" run r.yaml -o killed0.1 -q
[ "$old" -gt 0 ] || fail "no kill came before an output was there"
echo "$old kills left the old file, $new the new one"
finish
