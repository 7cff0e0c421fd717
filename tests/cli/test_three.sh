#!/usr/bin/env bash
# A solved and a retargeted motion, written as BVH, stand in three.js where they stand in the store.
# (long_legs: three.js ends a name at the first blank, so a Biped has one name for all its bones.)
source "$UGOKI_SOURCE/tests/support/cli.sh"
command -v node >/dev/null && [ -d "$UGOKI_SOURCE/tests/node/node_modules/three" ] &&
    command -v python3 >/dev/null || { echo "skipped: no node, three.js or python3"; exit 77; }

expect 0 "wrote take.c3d" synth -o take.c3d --strides 3 --seed 3
printf 'stages:\n  - import: {}\n  - clean: {}\n  - calibrate: {markers: cmu_41, frames: "30"}\n  - solve: {}\n  - retarget: {to: [long_legs]}\n' >r.yaml
expect 0 "retarget" run r.yaml take.c3d -o res
for name in 4-solve 5-retarget-long_legs; do
    expect 0 "wrote" export "res/take/$name.h5" -o "$name.bvh" --unit cm
    expect 0 "wrote" export "res/take/$name.h5" -o "$name.csv" --what joints --unit cm --up +Y
    expect 0 "wrote" import "$name.bvh" -o "$name-back.h5" --unit cm --up +Y
    expect 0 "wrote" export "$name-back.h5" -o "$name-back.csv" --what joints --unit cm
    node "$UGOKI_SOURCE/tests/node/bvh_positions.mjs" "$name.bvh" 20 >"$name.three" ||
        fail "three.js cannot read $name.bvh"
    python3 - "$name" <<'P' || fail "$name: three.js puts joints elsewhere"
import csv, sys
name = sys.argv[1]
def table(path):
    rows = list(csv.reader(open(path, encoding='utf-8')))
    columns = {}
    for i, head in enumerate(rows[0][2:], 2):
        joint, axis = head.rsplit('.', 1)
        columns.setdefault(joint, {})[axis] = i
    return columns, [[float(v) if v else float('nan') for v in r] for r in rows[1:]]
ours, store = table(name + '.csv')
back, again = table(name + '-back.csv')
three = [[float(v) for v in line.split()] for line in open(name + '.three')]
size = 170.0  # cm
worst = seen = 0
for k, row in enumerate(three):
    # three.js lists bones in the file's order, as an import does
    for i, joint in enumerate(back):
        for a, axis in enumerate('xyz'):
            worst = max(worst, abs(row[3 * i + a] - again[20 * k][back[joint][axis]]))
            if joint in ours:
                worst = max(worst, abs(row[3 * i + a] - store[20 * k][ours[joint][axis]]))
                seen += 1
print('%s: %d joint places, at most %.1e of the size apart' % (name, seen // 3, worst / size))
sys.exit(not (seen > 1000 and worst < 1e-4 * size))
P
done
finish
