#!/usr/bin/env bash
# GLB as other programs see it: the Khronos validator finds nothing, three.js puts every joint where
# `--what joints` does. Solved and retargeted takes, odd rigs, one frame, no frame, cubic splines.
source "$UGOKI_SOURCE/tests/support/cli.sh"
node_folder=$UGOKI_SOURCE/tests/node
command -v node >/dev/null && [ -d "$node_folder/node_modules/gltf-validator" ] ||
    { echo "skipped: no node, or no \`npm ci\` in tests/node"; exit 77; }

# with_joints STORE GLB options…: write both, and put them on the list
with_joints() {
    local store=$1 glb=$2
    shift 2
    expect 0 "wrote" export "$store" -o "$glb.glb" "$@"
    expect 0 "wrote" export "$store" -o "$glb.csv" --what joints --unit m --up +Y
    printf '%s\t%s\n' "$glb.glb" "$glb.csv" >>list
}

expect 0 "wrote take.c3d" synth -o take.c3d --strides 3 --seed 3
printf 'stages:\n  - import: {}\n  - clean: {}\n  - calibrate: {markers: cmu_41, frames: "30"}\n  - solve: {}\n  - retarget: {to: [troll, human, long_legs]}\n' >r.yaml
expect 0 "retarget" run r.yaml take.c3d -o res
with_joints res/take/4-solve.h5 solved
with_joints res/take/4-solve.h5 cubic --interpolation cubic
with_joints res/take/4-solve.h5 bare --no-mesh
for name in troll human long_legs; do
    with_joints "res/take/5-retarget-$name.h5" "$name"
done
expect 0 "wrote" export res/take/3-calibrate.h5 -o rest.glb # a subject: a skeleton that has not moved
grep -q "glb_rest_pose" err || fail "nothing said of a rest pose"
printf 'rest.glb\t-\n' >>list

# several roots, names with letters that three.js drops, a joint with three children, no length
joint() { printf '%s %s\n{\nOFFSET %s\nCHANNELS %s\n' "$1" "$2" "$3" "$4"; }
six='6 Xposition Yposition Zposition Zrotation Xrotation Yrotation'
three='3 Zrotation Xrotation Yrotation'
{
    echo HIERARCHY
    joint ROOT 'Hüfte:links' '1 90 2' "$six"
    for side in 'a.b[c]' 'a.b/c' '膝 1'; do
        joint JOINT "$side" '0 -20 5' "$three"
        printf 'End Site\n{\nOFFSET 0 -15 0\n}\n}\n'
    done
    joint JOINT 'zero' '0 0 0' "$three"
    printf 'End Site\n{\nOFFSET 0 0 0\n}\n}\n}\n'
    joint ROOT 'prop "x"\y' '50 0 0' "$six"
    printf 'End Site\n{\nOFFSET 0 100 0\n}\n}\nMOTION\nFrames: 40\nFrame Time: 0.033367\n'
    for ((i = 0; i < 40; i++)); do
        printf '%d 90 0 %d 0 0  0 0 %d  45 0 0  0 %d 0  10 20 30  50 %d 0 0 0 %d\n' $i $((i * 9)) $i $((-i)) $i $((i * 20))
    done
} >odd.bvh
expect 0 "wrote" import odd.bvh -o odd.h5 --unit cm --up +Y
with_joints odd.h5 odd
with_joints odd.h5 odd-cubic --interpolation cubic
write_bvh one.bvh 1
expect 0 "wrote" import one.bvh -o one.h5 --unit cm --up +Y
with_joints one.h5 one
with_joints one.h5 one-cubic --interpolation cubic
node "$node_folder/glb_check.mjs" list >checked || { cat checked; fail "a GLB is not as it should be"; }
cat checked
[ "$(wc -l <list)" -eq 11 ] && [ "$(grep -c '0 errors, 0 warnings, 0 infos, 0 hints' checked)" -eq 11 ] ||
    fail "the validator has something to say"

# a recipe writes them too
printf 'stages:\n  - import: {unit: cm, up: "+Y"}\n  - export: {format: glb, interpolation: cubic}\n' >glb.yaml
expect 0 "export" run glb.yaml odd.bvh -o recipe
[ "$(head -c 4 recipe/odd/odd.glb)" = glTF ] || fail "no GLB from a recipe"

# the same file from the same input
expect 0 "wrote" export res/take/4-solve.h5 -o again.glb
cmp -s solved.glb again.glb || fail "two exports differ"

# the gate can fail: a wrong maximum, a joint elsewhere
node -e '
    const fs = require("fs"), bytes = fs.readFileSync("solved.glb");
    const found = /"max":\[-?\d+\.\d/.exec(bytes.toString("latin1")), at = found.index + found[0].length - 1;
    bytes[at] = bytes[at] === 0x39 ? 0x38 : bytes[at] + 1; // one digit of the first
    fs.writeFileSync("wrong.glb", bytes);
    const csv = fs.readFileSync("solved.csv", "utf8").split("\n");
    csv[1] = csv[1].split(",").map((v, i) => (i === 7 ? Number(v) + 2e-4 : v)).join(",");
    fs.writeFileSync("moved.csv", csv.join("\n"));'
printf 'wrong.glb\t-\n' >wrong
node "$node_folder/glb_check.mjs" wrong >checked && fail "a wrong maximum was not found"
grep -q "MAX_MISMATCH" checked || fail "the maximum is not what was found: $(cat checked)"
printf 'solved.glb\tmoved.csv\n' >wrong
node "$node_folder/glb_check.mjs" wrong >/dev/null && fail "a joint elsewhere was not found"

# what cannot be
expect 0 "wrote" import take.c3d -o take.h5
expect 4 "no skeleton.*ugoki solve" export take.h5 -o take.glb
expect 2 "glb cannot hold markers" export odd.h5 -o x.glb --what markers
expect 2 "glb cannot hold joint centres" export odd.h5 -o x.glb --what joints
expect 2 "metres" export odd.h5 -o x.glb --unit cm
expect 2 "Y up" export odd.h5 -o x.glb --up +Z
expect 3 "written here, not read" import solved.glb -o x.h5
expect 3 "no motion" export res/take/3-calibrate.h5 -o strict.glb --strict
[ ! -e x.glb ] && [ ! -e take.glb ] && [ ! -e strict.glb ] || fail "a refused export left a file"
expect 0 "wrote" export odd.h5 -o x.glb --what motion --unit m --up +Y
finish
