#!/usr/bin/env bash
# A real take with real holes and lies, from C3D to three characters in one `ugoki run`, with the
# built-in set and with the subject's own VSK.
set -u
data=${UGOKI_DATA:-}
[ -n "$data" ] && [ -d "$data/data/c3d/nick" ] || { echo "skipped: no \$UGOKI_DATA"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
source "$UGOKI_SOURCE/tests/support/cli.sh"
take=$data/data/c3d/nick/nick_freeform_001.c3d

chain() { # NAME 'calibrate options'
    cat >"$1.yaml" <<Y
stages:
  - import: {}
  - clean: {max_gap_s: "2"}
  - calibrate: {$2}
  - solve: {}
  - retarget: {to: [troll, human, long_legs]}
  - export: {format: bvh}
Y
    expect 0 '"stages"' run "$1.yaml" "$take" -o "$1" --json
    cp out "$1.json"
    for c in troll human long_legs; do
        [ -s "$1/nick_freeform_001/nick_freeform_001-$c.bvh" ] || fail "$1: no BVH of $c"
    done
}

chain set 'template: humanoid, markers: vicon_53'
chain vsk "template: \"$data/data/c3d/nick/Nick01.vsk\""
python3 "$UGOKI_SOURCE/tests/real/check_nick.py" set.json vsk.json || fail "figures out of bounds"
finish
