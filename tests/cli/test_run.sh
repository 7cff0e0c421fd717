#!/usr/bin/env bash
# A recipe runs the whole chain, skips what has not changed, and stops a take where it fails.
source "$UGOKI_SOURCE/tests/support/cli.sh"

expect 0 "wrote take.c3d" synth -o take.c3d --strides 3 --seed 5
cat >recipe.yaml <<'Y'
inputs: [take.c3d]
stages:
  - import: {}
  - clean: {max_gap_s: "1.0", spikes: clear}
  - calibrate: {template: humanoid, markers: cmu_41, frames: "30"}
  - solve: {require: "marker_rms_mm<10"}
  - retarget: {to: [troll, human]}
  - export: {format: bvh}
Y
expect 0 "export +out_dir/take/take-human.bvh" run recipe.yaml -o out_dir
for f in 1-import.h5 2-clean.h5 3-calibrate.h5 4-solve.h5 5-retarget-troll.h5 take-troll.bvh; do
    [ -s "out_dir/take/$f" ] || fail "no out_dir/take/$f"
done
! grep -q skipped out || fail "a first run skipped something"
sums=$(cat out_dir/take/*.h5 out_dir/take/*.bvh | cksum)

expect 0 "" run recipe.yaml -o out_dir
[ "$(grep -c 'unchanged, skipped' out)" -eq 8 ] || fail "a second run did not skip all 8 steps"
[ "$(cat out_dir/take/*.h5 out_dir/take/*.bvh | cksum)" = "$sums" ] || fail "a skipping run changed a file"

# a changed option redoes its stage and what depends on it, and nothing before
sed -i 's/max_gap_s: "1.0"/max_gap_s: "0.9"/' recipe.yaml
expect 0 "import .*unchanged" run recipe.yaml -o out_dir
[ "$(grep -c 'unchanged, skipped' out)" -lt 8 ] || fail "a changed option was ignored"
grep -q "^clean .*0.9\|^clean .*seconds" out || fail "clean was not run again"

# a touched output is made again
echo x >>out_dir/take/take-troll.bvh
expect 0 "take-troll.bvh +frame_count" run recipe.yaml -o out_dir

# figures of all stages as one JSON object
expect 0 '"stages": \[' run recipe.yaml -o out_dir --json
cp out figures.json
if command -v python3 >/dev/null; then
    python3 -c 'import json; assert len(json.load(open("figures.json"))["stages"]) == 8' ||
        fail "run --json is not one object with 8 stages"
fi

grep -q '"skipped": true, "metrics": {"frame_count":' out || fail "a skipped step lost its figures"

# a stricter gate is checked even where nothing else changed
sed 's/marker_rms_mm<10/marker_rms_mm<0.001/' recipe.yaml >strict.yaml
expect 5 "quality gate: marker_rms_mm" run strict.yaml -o out_dir
expect 0 "" run recipe.yaml -o out_dir -q

# the unit of a character's BVH is the user's word: legs of a tenth take a tenth of the way
for unit in cm mm; do
    expect 0 "scale_ratio" retarget out_dir/take/4-solve.h5 --to out_dir/take/take-human.bvh --to-unit $unit -o "to_$unit.h5" --json
    grep -oE '"scale_ratio": ?[0-9.]+' out | grep -oE '[0-9.]+$' >"ratio_$unit"
done
awk -v cm="$(cat ratio_cm)" -v mm="$(cat ratio_mm)" 'BEGIN { exit !(cm > 0.2 && cm < 5 && cm / mm > 9.99 && cm / mm < 10.01) }' ||
    fail "--to-unit mm is not a tenth of cm: $(cat ratio_cm ratio_mm)"

# a file that no run made is not ours to replace
mkdir -p strange/take
echo precious >strange/take/take-troll.bvh
expect 2 "take-troll.bvh: is there already" run recipe.yaml -o strange
grep -q precious strange/take/take-troll.bvh || fail "a stranger's file was replaced"

# one bad take does not stop the others; a gate stops its take with code 5
printf 'nothing' >broken.c3d
expect 3 "broken.c3d" run recipe.yaml broken.c3d take.c3d -o both
[ -s both/take/take-human.bvh ] || fail "the good take was not finished"
sed -i 's/marker_rms_mm<10/marker_rms_mm<0.001/' recipe.yaml
expect 5 "quality gate: marker_rms_mm" run recipe.yaml -o gate
[ ! -e gate/take/take-human.bvh ] || fail "a failed gate did not stop the take"
expect 5 "quality gate: marker_rms_mm" run recipe.yaml -o gate

# a pattern that matches nothing is told, and the others are done; a name that looks like a pattern
# is a name where there is such a file, and so is the recipe's folder
mkdir 'odd [1]'
cp take.c3d 'odd [1]/[a].c3d'
cp take.c3d 'odd [1]/b.c3d'
printf 'inputs: [no*.c3d, "[a].c3d", "?.c3d", gone.c3d]\nstages:\n  - import: {}\n' >'odd [1]/r.yaml'
got=0
"$UGOKI" run 'odd [1]/r.yaml' -o odd_out >out 2>err || got=$?
[ "$got" -eq 3 ] || fail "patterns without a match: exit $got, wanted 3"
grep -q "r.yaml: inputs: nothing matches 'no\*.c3d'" err || fail "no word of the pattern without a match"
grep -q "inputs: nothing matches 'gone.c3d'" err || fail "no word of the file that is gone"
[ -s 'odd_out/[a]/1-import.h5' ] || fail "a name in brackets was not taken as a name"
[ -s odd_out/b/1-import.h5 ] || fail "a pattern in a folder with brackets found nothing"
printf 'inputs: [no*.c3d]\nstages:\n  - import: {}\n' >none.yaml
expect 3 "none.yaml: inputs: nothing matches" run none.yaml -o none

# takes of one name in two folders keep apart; the very same take twice is refused
mkdir monday tuesday
cp take.c3d monday/walk.c3d
cp take.c3d tuesday/walk.c3d
printf 'stages:\n  - import: {}\n' >short.yaml
expect 0 "twice/monday-walk/1-import.h5" run short.yaml monday/walk.c3d tuesday/walk.c3d -o twice
[ -s twice/tuesday-walk/1-import.h5 ] || fail "the second take of one name has no folder of its own"
expect 2 "two takes would write into the same folder 'monday-walk'" run short.yaml monday/walk.c3d monday/walk.c3d -o twice

printf 'stages:\n  - import: {}\n  - export: {format: csv}\n  - export: {format: csv, unit: m}\n' >same.yaml
expect 2 "two exports would write the same .csv file" run same.yaml take.c3d -o same
expect 6 "cannot be made" run short.yaml take.c3d -o /proc/nope

# mistakes in the recipe are found before anything runs, by line
sed 's/max_gap_s/max_gaps/' recipe.yaml >bad.yaml
expect 2 "bad.yaml:line 4: clean has no option 'max_gaps'; did you mean 'max_gap_s'" run bad.yaml -o bad
sed 's/- clean/- cleen/' recipe.yaml >bad.yaml
expect 2 "bad.yaml:line 4: no stage 'cleen'" run bad.yaml -o bad
sed 's/marker_rms_mm<[0-9.]*/marker_rms_mm=10/' recipe.yaml >bad.yaml
expect 2 "bad.yaml:line 6: --require 'marker_rms_mm=10': write name<value" run bad.yaml -o bad
[ ! -e bad/take ] || fail "a wrong recipe was started"
finish
