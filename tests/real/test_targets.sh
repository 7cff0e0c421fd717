#!/usr/bin/env bash
# A walk moved onto real rigs whose zero pose is no body's: their own motion shows how they stand.
set -u
data=${UGOKI_DATA:-}
[ -n "$data" ] && [ -d "$data/data/bvh" ] || { echo "skipped: no \$UGOKI_DATA"; exit 77; }
source "$UGOKI_SOURCE/tests/support/cli.sh"
bvh=$data/data/bvh
expect 0 "wrote" import "$bvh/cmu_12_01_walk.bvh" -o walk.h5
for rig in rokoko_jesse_dance cmu_16_15_imusim fair1_wave_hello test_mocapbank; do
    expect 0 "wrote" retarget walk.h5 --to "$bvh/$rig.bvh" -o "$rig.h5" \
        --require "penetration_mm<10,foot_slide_pinned_mm<1,knee_accel_ratio<2.5,contact_count>10"
    ! grep -q "no upright pose" err || fail "$rig: no reference pose was found"
done
finish
