#!/usr/bin/env bash
# `ugoki view` in a browser: the page plays, scrubs and shows what is in the file.
source "$UGOKI_SOURCE/tests/support/browser.sh"

expect 0 "wrote take.c3d" synth -o take.c3d --strides 3 --seed 5
printf 'stages:\n  - import: {}\n  - clean: {}\n  - calibrate: {markers: cmu_41, frames: "30"}\n  - solve: {}\n  - retarget: {to: [troll]}\n' >r.yaml
expect 0 "retarget" run r.yaml take.c3d -o res
expect 0 "wrote" export res/take/4-solve.h5 -o joints.csv --what joints --unit m --up +Y
browse view res/take/4-solve.h5 joints.csv res/take/5-retarget-troll.h5

expect 0 "wrote report.html" report res/take/5-retarget-troll.h5 -o report.html
browse report report.html

# a motion said over and over until it is as long as asked for
frames=${UGOKI_LONG:-100000}
expect 0 "wrote" export res/take/4-solve.h5 -o short.bvh --unit cm
awk -v want="$frames" '
/^Frames:/ { print "Frames: " want; next }
/^Frame Time:/ { print; body = 1; next }
!body { print; next }
{ row[n++] = $0 }
END { for (i = 0; i < want; i++) print row[i % n] }' short.bvh >long.bvh
expect 0 "wrote" import long.bvh -o long.h5 --unit cm --up +Y
rm long.bvh
browse stream long.h5 "$frames"
finish
