#!/usr/bin/env bash
# `ugoki report` as a user runs it: on every kind of file, with gates, and never over another file.
source "$UGOKI_SOURCE/tests/support/cli.sh"

expect 0 "report.html" report -h
expect 2 "which file" report
write_csv take.csv 40
expect 0 "" import take.csv --unit mm --up +Y -o take.h5
expect 0 "" clean take.h5 -o clean.h5
write_bvh walk.bvh 30

# what there is, and what there is not
expect 0 "wrote csv.html" report take.csv --unit mm --up +Y -o csv.html
grep -q "unit mm (stated by the user), axes +X+Y+Z (stated by the user)" csv.html || fail "who said the unit is not told"
grep -q "This file has no history" csv.html || fail "a foreign file has no history"
grep -q "this file has not been solved" csv.html || fail "not solved is not said"
expect 0 "wrote bvh.html" report walk.bvh --unit cm --up +Y -o bvh.html
grep -q "This file holds no markers" bvh.html || fail "no markers is not said"
expect 0 "wrote clean.html" report clean.h5 -o clean.html
grep -q '<data value="3" data-figure="filled_count">3</data>' clean.html || fail "three filled samples"
grep -q "None found" clean.html || fail "spikes were looked for"

# refusals: one line, the right code, nothing written
expect 2 "say where the result goes" report clean.h5
expect 2 "is there already; -y overwrites it" report clean.h5 -o clean.html
expect 0 "wrote" report clean.h5 -o clean.html -y
expect 2 "is an input of this call" report clean.h5 -o clean.h5 -y
expect 3 "no such|cannot be|No such" report none.h5 -o none.html
[ -e none.html ] && fail "a page about nothing"
expect 2 "cannot write 'x.foo': a report is a .html" report clean.h5 -o x.foo
expect 2 "cannot write '-': a report is a .html" report clean.h5 -o -
[ -e x.foo ] || [ -e ./- ] && fail "a page under a name that opens as something else"
expect 6 "ugoki report: no/such/folder/x.html: " report clean.h5 -o no/such/folder/x.html
expect 2 "no stage of this file has a figure 'rms'" report clean.h5 -o x.html --require 'rms<1'
expect 2 "write name<value" report clean.h5 -o x.html --require 'rms'
[ -e x.html ] && fail "wrong use wrote a page"

# a gate that fails: the page is there to look at
expect 5 "quality gate: filled_count is 3, wanted <1" report clean.h5 -o gate.html --require 'filled_count<1,gap_count<=0'
grep -q "Gates given with --require" gate.html || fail "the gates asked for are not shown"
expect 0 "wrote" report clean.h5 -o gate.html -y --require 'filled_count<4'

# the same bytes again; JSON alone needs no page
cp clean.html first.html
expect 0 "wrote" report clean.h5 -o clean.html -y
cmp -s first.html clean.html || fail "two runs differ"
expect 0 '"filled_count":3' report clean.h5 --json
expect 0 '"frame_rms_mm"|"worst_frames":null' report clean.h5 --json

# several files: side by side, called apart
mkdir a b
cp clean.h5 a/t.h5
cp take.h5 b/t.h5
expect 0 "wrote two.html" report a/t.h5 b/t.h5 -o two.html
grep -q "Side by side" two.html || fail "no comparison"
grep -q ">b/t.h5</a>" two.html || fail "two of one name are not told apart"

# a name that would be markup, and a label that would be
cp clean.h5 '<img src=x>.h5'
expect 0 "wrote" report '<img src=x>.h5' -o name.html
grep -q "<img src" name.html && fail "a file's name became markup"
sed 's/A\./<script>alert(1)<\/script>./g' take.csv >evil.csv
expect 0 "wrote" report evil.csv --unit mm --up +Y -o evil.html
grep -q "<script>alert" evil.html && fail "a label became markup"
grep -q "&lt;script&gt;alert(1)&lt;/script&gt;" evil.html || fail "the label is not shown"

# no network, ever: no address in the page that a browser would fetch
grep -oE '(src|href)="[^"#][^"]*"' clean.html | grep -v 'data:,' && fail "the page asks for something"
if grep -q 'id="ugoki-scenes"' clean.html; then # built with the player
    expect 0 "no player of clean.h5: the page says why" report clean.h5 -o small.html --max-mb 0.1
    grep -q "no room for it" small.html || fail "the page does not say why"
fi
expect 0 "wrote" report clean.h5 -o none.html --no-player
grep -q 'id="ugoki-scenes"' none.html && fail "--no-player has a player"
finish
