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
expect 2 "'a<b'|'b' is not a number" clean take.h5 -o gate3.h5 --require "gap_count<9,a<b"
expect 2 "require is empty" clean take.h5 -o gate3.h5 --require ""
[ ! -e gate3.h5 ] || fail "a --require that cannot be read was found only after the work"
expect 2 "no figure 'nothing'" clean take.h5 -o gate2.h5 --require "nothing<5"

# who says what a unit and the vertical are
expect 0 "unit mm \(stated by you\), axes \+X\+Y\+Z \(stated by you\)" info take.csv --unit mm --up +Y
expect 0 "unit mm \(stated by you\), axes \+X\+Y\+Z \(stated by you\)" info take.h5

# an ending that says another format than what is written
expect 2 "x.csv: what is written here is a store, not .csv: name it x.h5, and let .ugoki export" import take.csv -o x.csv --unit mm --up +Y
expect 2 "is a store, not .bvh: name it d/x.h5" clean take.h5 -o d/x.BVH
expect 2 "is a store, not .vsk: name it x.h5$" clean take.h5 -o x.vsk
expect 2 "is a store, not .yaml" calibrate take.h5 --markers cmu_41 -o x.yaml
expect 2 "is a store, not .c3d" solve take.h5 --subject take.h5 -o x.c3d
expect 2 "is a store, not .trc" retarget take.h5 --to troll -o x.trc
expect 2 "is a store, not .csv" synth -o x.c3d --truth x.csv
expect 2 "x.c3d: --format csv does not make .c3d: name it .csv, or leave out --format" export take.h5 -o x.c3d --format csv
expect 2 "x.h5: --format csv does not make .h5" export take.h5 -o x.h5 --format csv
ls x.* d 2>/dev/null && fail "a refused ending was written"
expect 0 "wrote take.store" import take.csv -o take.store --unit mm --up +Y

# an output never replaces what the call reads
expect 2 "take.h5: is an input of this call" clean take.h5 -o take.h5 -y
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

# a pipe can be read only once: said in one line, at once, also where nobody writes to it
mkfifo empty.fifo
for call in "info empty.fifo" "validate empty.fifo" "seal empty.fifo" "import empty.fifo -o p.h5" \
    "clean empty.fifo -o p.h5" "solve take.h5 --subject empty.fifo -o p.h5" \
    "retarget take.h5 --to ./empty.fifo -o p.h5" "calibrate take.h5 --template ./empty.fifo -o p.h5"; do
    # shellcheck disable=SC2086
    timeout -s KILL 20 "$UGOKI" $call >out 2>err </dev/null
    [ $? -eq 3 ] || fail "ugoki $call: not refused"
    grep -q "empty.fifo: is a pipe, and this file is read more than once: save it" err || fail "ugoki $call: no word of a pipe"
done
cat take.csv | "$UGOKI" import /dev/stdin -o p.h5 --unit mm --up +Y 2>err && fail "a pipe was read"
grep -q "/dev/stdin: is a pipe" err || fail "no word of a pipe at /dev/stdin"
"$UGOKI" import /dev/stdin -o stdin.h5 --unit mm --up +Y -q <take.csv || fail "a file at /dev/stdin was not read"
[ ! -e p.h5 ] || fail "a refused pipe left an output"

# what a person edits elsewhere can be sealed again
write_bvh walk.bvh 5
expect 3 "ask|--unit|--up" import walk.bvh -o walk.h5
expect 0 "wrote walk.h5" import walk.bvh -o walk.h5 --unit cm --up +Y
expect 0 "wrote back.bvh" export walk.h5 -o back.bvh
expect 0 "Frame Time|joint_count" info back.bvh --unit cm --up +Y --json
# a character whose file shows neither unit nor vertical: asked for by the options' names there
expect 3 "walk.bvh: .*say it with --to-unit and --to-up, e.g. --to-unit cm --to-up .Y" retarget walk.h5 --to ./walk.bvh -o to.h5
expect 3 "walk.bvh: the unit is not declared, .*--to-unit" retarget walk.h5 --to ./walk.bvh --to-up +Y -o to.h5
expect 2 "furlong" retarget walk.h5 --to ./walk.bvh --to-up +Y --to-unit furlong -o to.h5
expect 4 "" retarget walk.h5 --to ./walk.bvh --to-up +Y --to-unit cm -o to.h5 # no body, but read
expect 4 "has no markers" clean walk.h5 -o x.h5
expect 4 "has no motion" export take.h5 -o x.bvh
sed 's/^Frames: 5/Frames: 6/' walk.bvh >odd.bvh
expect 0 "wrote odd.h5" import odd.bvh -o odd.h5 --unit cm --up +Y
expect 3 "--strict: .*(5|6)" import odd.bvh -o strict.h5 --unit cm --up +Y --strict
[ ! -e strict.h5 ] || fail "--strict wrote its output"
finish
