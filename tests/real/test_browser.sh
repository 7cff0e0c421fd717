#!/usr/bin/env bash
# `ugoki view` on a real take, solved and retargeted, in a browser.
data=${UGOKI_DATA:-}
[ -n "$data" ] && [ -d "$data/data/c3d/nick" ] || { echo "skipped: no \$UGOKI_DATA"; exit 77; }
source "$UGOKI_SOURCE/tests/support/browser.sh"
take=$data/data/c3d/nick/nick_freeform_001.c3d

printf 'stages:\n  - import: {}\n  - clean: {max_gap_s: "2"}\n  - calibrate: {markers: vicon_53}\n  - solve: {}\n  - retarget: {to: [long_legs]}\n' >r.yaml
expect 0 "retarget" run r.yaml "$take" -o res
expect 0 "wrote" export res/nick_freeform_001/4-solve.h5 -o joints.csv --what joints --unit m --up +Y
browse view res/nick_freeform_001/4-solve.h5 joints.csv res/nick_freeform_001/5-retarget-long_legs.h5
finish
