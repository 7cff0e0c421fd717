#!/usr/bin/env bash
# Labels: exchanged ones are put right, and people have the last word on them.
source "$UGOKI_SOURCE/tests/support/cli.sh"

# a box of five markers that tumbles; A and B are exchanged in frames 40-59 where $2 says so
write_box() {
    awk -v swap="$2" 'BEGIN {
        split("0 120 0 20 -60", x, " "); split("0 0 90 30 40", y, " "); split("0 0 10 80 -30", z, " ")
        split("A B C D E", name, " ")
        printf "frame,time"
        for (k = 1; k <= 5; k++) printf ",%s.x,%s.y,%s.z", name[k], name[k], name[k]
        print ""
        for (f = 0; f < 200; f++) {
            printf "%d,%.4f", f, f / 100
            a = 0.02 * f
            for (k = 1; k <= 5; k++) {
                i = k
                if (swap && f >= 40 && f < 60 && k < 3) i = 3 - k
                printf ",%.3f,%.3f,%.3f", x[i] * cos(a) - y[i] * sin(a) + 5 * f, 1000 + z[i],
                    x[i] * sin(a) + y[i] * cos(a)
            }
            print ""
        }
    }' >"$1"
}
# the positions of FILE as text
table() {
    rm -f table.csv
    "$UGOKI" export "$1" -o table.csv -q >/dev/null 2>&1 || fail "export $1"
    cat table.csv
}

write_box right.csv 0
write_box wrong.csv 1
expect 0 "" import right.csv -o right.h5 --unit mm --up +Y
expect 0 "" import wrong.csv -o wrong.h5 --unit mm --up +Y
table right.h5 >right.txt
table wrong.h5 >wrong.txt

expect 0 '"swap_count":1,"swap_candidates":0' clean wrong.h5 -o a.h5 --json
grep -q "labels 'A' and 'B' were exchanged, put right, frames 40-59 \[swap_repaired\]" err ||
    grep -q "frames 40-59" out || fail "no words on the exchange"
table a.h5 | cmp -s - right.txt || fail "the exchange was not put right"
expect 0 '"swap_count":1,"swap_candidates":1' clean wrong.h5 -o b.h5 --json --swaps report
table b.h5 | cmp -s - wrong.txt || fail "--swaps report changed something"
expect 5 "swap_candidates is 1" clean wrong.h5 -o b2.h5 --swaps report --require "swap_candidates<=0"
expect 0 "" clean wrong.h5 -o c.h5 --json --swaps off
grep -q swap_ out && fail "--swaps off speaks of swaps"
expect 0 '"swap_count":0,"swap_candidates":0' clean right.h5 -o d.h5 --json
table d.h5 | cmp -s - right.txt || fail "a right take was changed"
for j in 1 2 5; do
    expect 0 "" clean wrong.h5 -o j.h5 -y -j $j
    table j.h5 | cmp -s - right.txt || fail "-j $j gives another take"
done

# by hand: an exchange undone, one that is kept, and one of its own
printf -- '- {keep: [A, B], frames: [30, 45]}\n' >keep.yaml
expect 0 '"swap_count":0' clean wrong.h5 -o k.h5 --json --edits keep.yaml
table k.h5 | cmp -s - wrong.txt || fail "a keep did not hold"
printf -- '- {keep: [B, A]}\n' >keep.yaml
expect 0 '"swap_count":0' clean wrong.h5 -o k.h5 -y --json --edits keep.yaml
table k.h5 | cmp -s - wrong.txt || fail "a keep of the whole take did not hold"
printf -- '- {swap: [A, B], frames: [40, 59]}\n' >swap.yaml
expect 0 '"swap_count":0' clean right.h5 -o s.h5 --json --edits swap.yaml
table s.h5 | cmp -s - wrong.txt || fail "a swap by hand was undone"

# labels, on the command line and in the recipe
expect 0 '"marker_count":4' clean right.h5 -o l.h5 --json --drop E --rename A=LASI,B=RASI
table l.h5 | head -1 | grep -q '^frame,time,LASI.x,LASI.y,LASI.z,RASI.x,.*,D.z$' || fail "labels"
expect 0 '"marker_count":6' clean right.h5 -o m.h5 --json --split A=A2@50-99 --max-gap-s 0
table m.h5 | head -1 | grep -q ',E.z,A2.x,A2.y,A2.z$' || fail "split"
expect 0 '"marker_count":5' clean m.h5 -o n.h5 --json --merge A=A2 --max-gap-s 0
table n.h5 | cmp -s - right.txt || fail "a split and a merge give another take"
printf 'inputs: [right.h5]\nstages:\n  - clean: {drop: [D, E], rename: [C=SACR]}\n' >r.yaml
expect 0 "" run r.yaml -o r
table "$(find r -name '*.h5' | head -1)" | head -1 | grep -q ',SACR.z$' || fail "labels in a recipe"

expect 3 "drop 'X': there is no marker 'X'" clean right.h5 -o x.h5 --drop X
expect 3 "drop 'A': 'A' was dropped already" clean right.h5 -o x.h5 --drop A,A
expect 2 "rename 'A' must be OLD=NEW" clean right.h5 -o x.h5 --rename A
expect 2 "rename 'A=' must be OLD=NEW" clean right.h5 -o x.h5 --rename A=
expect 2 "split 'A=B' must be LABEL=NEW@FIRST-LAST" clean right.h5 -o x.h5 --split A=B
expect 2 "split 'A=B@9-8' must be" clean right.h5 -o x.h5 --split A=B@9-8
expect 3 "split 'A=Z@0-200': frames 0-200 are not within the take's 0-199" \
    clean right.h5 -o x.h5 --split A=Z@0-200
expect 3 "'A' cannot become 'B', which exists" clean right.h5 -o x.h5 --rename A=B
expect 3 "no subject 's01': the labels have no subject" clean right.h5 -o x.h5 --subject s01
[ -e x.h5 ] && fail "a refused call left a file"
finish
