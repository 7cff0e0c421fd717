#!/usr/bin/env bash
# The first thing a newcomer runs: it leaves what it says it leaves, and what it says to type works.
source "$UGOKI_SOURCE/tests/support/cli.sh"

expect 0 "Results in here/take/" demo -o here
for name in troll human long_legs; do
    [ -s "here/take/take-$name.bvh" ] || fail "no take-$name.bvh"
done
grep -q "here/report.html .*in a browser" out || fail "it does not say where the report is"
grep -q "5-retarget-troll.h5</h2>" here/report.html || fail "no report of the take"
grep -q 'id="contacts-0"' here/report.html || fail "no contacts in the report"
hint=$(sed -n 's/.*the solved skeleton; //p' out)
[ -n "$hint" ] || fail "no command to look at the solved skeleton"
(eval "$hint") >info 2>&1 || fail "'$hint' does not work: $(cat info)"
grep -q "1551 frames" info || fail "'$hint' shows something else: $(cat info)"
expect 2 "is there already; -y overwrites it" demo -o here
expect 0 "Results in here/take/" demo -y -o here
finish
