#!/usr/bin/env bash
# Reports of two real takes: what is known to be wrong with them is what the reports say.
set -u
data=${UGOKI_DATA:-}
[ -n "$data" ] && [ -d "$data/data/c3d/nick" ] || { echo "skipped: no \$UGOKI_DATA"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
source "$UGOKI_SOURCE/tests/support/cli.sh"

chain() { # NAME SET TAKE
    printf 'stages:\n  - import: {}\n  - clean: {max_gap_s: "2"}\n  - calibrate: {template: humanoid, markers: %s}\n  - solve: {}\n  - retarget: {to: [troll]}\n' "$2" >"$1.yaml"
    expect 0 "retarget" run "$1.yaml" "$3" -o "$1"
    local stem
    stem=$(basename "$3" .c3d)
    expect 0 "wrote $1.html" report "$1/$stem/5-retarget-troll.h5" -o "$1.html"
    expect 0 '"files"' report "$1/$stem/5-retarget-troll.h5" --json
    cp out "$1.json"
    expect 0 '"files"' report "$1/$stem/4-solve.h5" --json
    cp out "$1-solve.json"
    [ "$(wc -c <"$1.html")" -lt 10000000 ] || fail "$1.html is larger than 10 MB"
}

chain nick vicon_53 "$data/data/c3d/nick/nick_freeform_001.c3d"
chain cmu cmu_41 "$data/data/c3d/cmu/85_12.c3d"
grep -q "CLAV is never seen in the whole take" nick.html || fail "CLAV is not on the page"
grep -q "RIWR and RTOE put right from frame 9[67]" nick.html || fail "RTOE is not on the page"
grep -q "labels &#39;LFSH&#39; and &#39;LBSH&#39;" nick.html || fail "the exchanged shoulders are not on the page"
python3 "$UGOKI_SOURCE/tests/real/check_report.py" nick cmu || fail "the reports say something else"
finish
