#!/usr/bin/env bash
# Outputs are refused, kept whole, or replaced; several inputs; quality gates; strictness.
source "$UGOKI_SOURCE/tests/support/cli.sh"

write_csv take.csv 60
expect 0 "wrote take.h5" import take.csv -o take.h5 --unit mm --up +Y
expect 2 "take.h5: is there already; -y overwrites it" import take.csv -o take.h5 --unit mm --up +Y
expect 0 "" import take.csv -o take.h5 --unit mm --up +Y -y -q
[ ! -s out ] || fail "-q printed figures"
expect 0 '"gap_count":0' clean take.h5 -o clean.h5 --json
expect 0 '"stage": "clean"' clean take.h5 -o clean2.h5 --json
expect 3 "no-such.h5: cannot be opened" info no-such.h5

# -v says on stderr what it was told, what it read and wrote, and how long each step took
expect 0 '"stage": "clean"' clean take.h5 -o clean3.h5 --json -v --max-gap-s 1.25
grep -qE '^ +[0-9.]+ s  \+[0-9.]+ s  options \{"max_gap_s":1.25,' err || fail "-v shows no options"
for words in 'read take.h5, [0-9.]+ MB' 'filled gaps, 60 frames of 2 markers' 'wrote clean3.h5, [0-9.]+ MB'; do
    grep -qE "^ +[0-9.]+ s  \+[0-9.]+ s  $words\$" err || fail "-v does not say '$words'"
done
[ "$(wc -l <out)" -eq 1 ] || fail "-v spoils --json"
expect 0 "" info take.h5 -v
grep -qE '^ +[0-9.]+ s  take.h5$' err || fail "info -v does not say how long it took"
expect 0 "" clean take.h5 -o clean4.h5
[ ! -s err ] || fail "a quiet call says something on stderr"
expect 6 "no/folder/x.h5: cannot be written" clean take.h5 -o no/folder/x.h5
expect 6 "cannot be written" clean take.h5 -o /proc/x.h5
expect 5 "quality gate: missing_pct is 0, wanted >5" clean take.h5 -o gate.h5 --require "missing_pct>5"
expect 2 "no figure 'nothing'" clean take.h5 -o gate2.h5 --require "nothing<5"

# an output never replaces what the call reads
expect 2 "take.h5: is an input of this call" clean take.h5 -o take.h5 -y
expect 2 "is an input of this call" import take.csv -o take.csv -y --unit mm --up +Y
expect 2 "names the take itself" synth -o one.h5 --truth one.h5 -y
ln -s clean2.h5 link.h5
expect 0 "wrote link.h5" clean take.h5 -o link.h5 -y
[ -L link.h5 ] || fail "a link was replaced by a file"
expect 2 "would write the same file" import take.csv many/../take.csv -o many2/ --unit mm --up +Y
(ulimit -f 4; "$UGOKI" clean take.h5 -o clean.h5 -y >out 2>err) && fail "a file size limit went unseen"
grep -q "clean.h5: cannot be written: File too large" err || fail "no words on a file size limit"
ls clean.h5.tmp.* 2>/dev/null && fail "a temporary was left behind"
expect 0 "usable" validate clean.h5

# an error names the file it is about
printf '' >empty.yaml
expect 3 "empty.yaml.*empty" calibrate take.h5 --markers empty.yaml -o x.h5
expect 3 "gone.yaml: cannot be opened" calibrate take.h5 --markers gone.yaml -o x.h5
expect 3 "empty.yaml.*empty" clean take.h5 --edits empty.yaml -o x.h5
expect 2 "has no figures to --require" info take.h5 --require "frame_count<1"

# an unreadable neighbour does not stop the others; the worst code is returned
printf 'not a motion file' >bad.c3d
expect 3 "bad.c3d" import bad.c3d take.csv -o many/ --unit mm --up +Y
[ -e many/take.h5 ] || fail "the good one of several was not done"

# a store from an interrupted or damaged copy is refused in one line, the original stays readable
head -c 3000 take.h5 >short.h5
expect 3 "short.h5" info short.h5
expect 0 "60 frames" info take.h5
expect 0 "usable" validate take.h5

# what a person edits elsewhere can be sealed again
write_bvh walk.bvh 5
expect 3 "ask|--unit|--up" import walk.bvh -o walk.h5
expect 0 "wrote walk.h5" import walk.bvh -o walk.h5 --unit cm --up +Y
expect 0 "wrote back.bvh" export walk.h5 -o back.bvh
expect 0 "Frame Time|joint_count" info back.bvh --unit cm --up +Y --json
expect 4 "has no markers" clean walk.h5 -o x.h5
expect 4 "has no motion" export take.h5 -o x.bvh
sed 's/^Frames: 5/Frames: 6/' walk.bvh >odd.bvh
expect 0 "wrote odd.h5" import odd.bvh -o odd.h5 --unit cm --up +Y
expect 3 "--strict: .*(5|6)" import odd.bvh -o strict.h5 --unit cm --up +Y --strict
[ ! -e strict.h5 ] || fail "--strict wrote its output"
finish
