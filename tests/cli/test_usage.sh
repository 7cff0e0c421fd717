#!/usr/bin/env bash
# Wrong use: exit 2, one line that says what to write instead. Help works everywhere.
source "$UGOKI_SOURCE/tests/support/cli.sh"

expect 2 "no verb 'improt'; did you mean 'import'" improt
expect 2 "no verb 'zzz'; ugoki -h lists them" zzz
expect 0 "ugoki demo" -h
expect 0 "^ugoki [0-9]+\.[0-9]+\.[0-9]+$" --version
for verb in import clean calibrate solve retarget export synth info validate render run demo seal; do
    expect 0 "ugoki $verb" "$verb" -h
    head -1 out | grep -q "  ugoki" || fail "$verb -h does not start with an example"
done
for verb in info validate seal; do
    expect 2 "which file\? ugoki $verb FILE" "$verb"
    expect 2 "$verb writes no output" "$verb" take.csv -o x.h5
    expect 2 "$verb has no configuration" "$verb" take.csv --print-config
done
expect 2 "which recipe\? ugoki run recipe.yaml" run
expect 2 "demo has no figures to --require" demo --require "frame_count<1"
write_csv take.csv 12
# one bad file of three: its line, the other two done, the worst code
write_bvh walk.bvh 3
expect 3 "nowhere.bvh" info --unit cm --up +Y walk.bvh nowhere.bvh walk.bvh
[ "$(grep -c '^walk.bvh' out)" -eq 2 ] || fail "a bad file kept the good ones from being shown"
expect 2 "no option --max-gapp-s; did you mean --max-gap-s" clean take.csv -o x.h5 --max-gapp-s 1
expect 2 "max_gap_s: '0.2s' is not a number from 0 to 3600" clean take.csv -o x.h5 --max-gap-s 0.2s
expect 2 "smooth: 'median' is none of none\|butterworth" clean take.csv -o x.h5 --smooth median
expect 2 "--max-gap-s needs a value" clean take.csv -o x.h5 --max-gap-s
expect 2 "say where the result goes with -o FILE" clean take.csv
expect 2 "clean takes one input file" clean
expect 2 "several inputs need a folder" clean take.csv take.csv -o x.h5
expect 2 "say who it is with --subject FILE" solve take.csv -o x.h5
"$UGOKI" import take.csv -o take.h5 --unit mm --up +Y -q || fail "import"
expect 2 "say which marker set with --markers" calibrate take.h5 -o x.h5
expect 2 "calibrate: --markers cmu_42: no marker set 'cmu_42'; there are cmu_41.* [(]looked in " calibrate take.h5 --markers cmu_42 -o x.h5
expect 2 "say which character with --to" retarget take.csv -o x.h5
expect 2 "calibrate: --template humanoids: no template 'humanoids'; there are humanoid" calibrate take.h5 --markers cmu_41 --template humanoids -o x.h5
expect 2 "retarget: --to trol: no character 'trol'; there are human, long_legs, troll" retarget take.h5 --to trol -o x.h5
printf 'stages:\n  - import: {}\n  - retarget: {to: [troll, trol]}\n' >names.yaml
expect 2 "names.yaml:line 3: no character 'trol'; there are" run names.yaml take.csv -o names
[ ! -e names ] || fail "a recipe with a wrong name was begun"
expect 2 "cannot write 'x.png'" export take.csv -o x.png
expect 2 "is not an axis" import take.csv -o x.h5 --up W
expect 2 "jobs: '0' is not a whole number" clean take.csv -o x.h5 -j 0
[ ! -e x.h5 ] || fail "a refused call left an output"
expect 0 "max_gap_s: \"1.50\"" clean --print-config --max-gap-s 1.50
finish
