#!/usr/bin/env bash
# view: what it says, what it serves, and that neither strangers nor broken clients get anywhere.
source "$UGOKI_SOURCE/tests/support/cli.sh"

python=
for candidate in python3 /usr/bin/python3; do # another python may come first, without h5py
    "$candidate" -c 'import h5py' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || { echo "skipped: no python3 with h5py"; exit 77; }
expect 2 "which file\? ugoki view FILE" view
expect 2 "port: '70000' is not a whole number from 0 to 65535" view x.h5 --port 70000
expect 0 "" synth -o take.c3d --strides 3 --seed 2 -q
expect 0 "" import take.c3d -o a.h5 -q
expect 0 "" clean a.h5 -o b.h5 -q
expect 0 "" calibrate b.h5 --markers cmu_41 --frames 20 -o s.h5 -q
expect 0 "" solve b.h5 --subject s.h5 -o m.h5 -q
expect 0 "" export m.h5 --what joints --unit m --up +Y -o j.csv -q
if "$UGOKI" view no-such-file.h5 2>&1 | grep -q "built without its page"; then
    echo "skipped: this program was built without the page"
    exit 77
fi
expect 3 "nowhere.h5" view nowhere.h5
expect 3 "nowhere.h5" view m.h5 nowhere.h5 # one of them cannot be seen: none is shown
head -c 5000 m.h5 >cut.h5
expect 3 "cut.h5" view cut.h5
expect 4 "holds no frames of markers or motion" view s.h5
write_csv take.csv 12
tail -c +513 a.h5 >foreign.h5 # a store without our block: read in a child first, with a warning
expect 3 "foreign.h5: --strict" view foreign.h5 --strict

# a foreign file as it is, the address on stdout, the end at once
server=
trap '[ -z "$server" ] || kill -KILL "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
serve() {
    rm -f url
    "$UGOKI" view "$@" >url 2>err </dev/null &
    server=$!
    for ((i = 0; i < 600; i++)); do
        [ -s url ] && return
        sleep 0.05
    done
    fail "view $*: no address"
}
serve take.csv --unit mm --up +Y --port 0
grep -qE '^http://127\.0\.0\.1:[0-9]+/\?t=[0-9a-f]{32}$' url || fail "not an address: $(cat url)"
port=$(sed 's/.*:\([0-9]*\).*/\1/' url)
expect 2 "cannot listen on port $port" view take.csv --unit mm --up +Y --port "$port"
kill -INT "$server"
wait "$server" || fail "exit $? after SIGINT"
serve take.csv --unit mm --up +Y --port "$port" # free again at once
[ "$(sed 's/.*:\([0-9]*\).*/\1/' url)" = "$port" ] || fail "another port than was asked for"
kill -TERM "$server"
wait "$server" || fail "exit $? after SIGTERM"

"$python" "$UGOKI_SOURCE/tests/support/view.py" "$UGOKI" a.h5 m.h5 j.csv || fail "see above"
finish
