#!/usr/bin/env bash
# Ctrl-C: exit 130, the old output byte for byte or the new one whole, nothing half-written beside.
source "$UGOKI_SOURCE/tests/support/cli.sh"

expect 0 "" synth -o take.c3d --strides 30 --seed 2 -q
expect 0 "" import take.c3d -o a.h5 -q
expect 0 "" retarget take-truth.h5 --to human -o r.h5 -q
expect 0 "" export r.h5 -o r.bvh -q
expect 0 "" export a.h5 -o a.csv -q
expect 0 "" synth -o other.h5 --strides 3 -q

stopped=0 finished=0
attack() { # OUTPUT args…
    local output=$1 sum code
    shift
    for delay in 0.03 0.06 0.12 0.25 0.5; do
        sum=$(cksum <"$output") code=0
        timeout --preserve-status -s INT "$delay" "$UGOKI" "$@" -o "$output" -y -q >out 2>err || code=$?
        if [ "$code" -eq 130 ]; then
            stopped=$((stopped + 1))
            [ "$(cksum <"$output")" = "$sum" ] || "$UGOKI" validate "$output" -q --unit mm --up +Y ||
                fail "$output is half a file"
        else
            [ "$code" -eq 0 ] || fail "$* interrupted after $delay s: exit $code"
            finished=$((finished + 1))
        fi
        ls ./*.tmp.* 2>/dev/null && [ -s err ] && fail "$*: a temporary is left behind"
    done
    checks=$((checks + 1))
}
attack a.h5 import take.c3d
attack r.h5 retarget take-truth.h5 --to human
attack r.bvh export r.h5
attack a.csv export a.h5
attack a.h5 import a.csv --unit mm --up +Y
attack other.h5 synth --strides 30
[ "$stopped" -gt 0 ] || fail "no interruption came in time"

# where nobody asks, here for a pipe that no one writes to, the end comes all the same
mkfifo never.yaml
echo precious >kept.h5
for delay in 1 3 9; do # on a busy machine the program may not even have begun
    code=0
    timeout --preserve-status -k 20 -s INT $delay "$UGOKI" clean a.h5 --edits never.yaml -o kept.h5 -y >out 2>err || code=$?
    [ -s err ] && break
done
[ "$code" -eq 130 ] || fail "a stage that hangs was not ended: exit $code"
grep -q "ugoki clean: interrupted" err || fail "no words on the interruption"
grep -q precious kept.h5 || fail "an interrupted stage took the old output away"
code=0
timeout --preserve-status -k 20 -s INT 1 "$UGOKI" run never.yaml >out 2>err || code=$?
[ "$code" -eq 130 ] || fail "a run that hangs was not ended: exit $code"
checks=$((checks + 2))
echo "$stopped calls stopped, $finished were done before"
finish
