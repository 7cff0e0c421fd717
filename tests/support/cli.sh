# SPDX-License-Identifier: MIT
# Sourced by tests/cli/*.sh: a scratch folder and ways to say what is expected.
set -u
: "${UGOKI:?path of the program}" "${UGOKI_SOURCE:?root of the tree}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
checks=0

fail() {
    echo "FAILED: $*"
    [ -s err ] && { echo "--- stderr"; cat err; }
    [ -s out ] && { echo "--- stdout"; head -c 2000 out; }
    exit 1
}

# expect CODE 'PATTERN' args…: the program exits with CODE; PATTERN (grep -E) is in its stderr, or
# in its stdout when CODE is 0. An empty PATTERN asks for nothing.
expect() {
    local code=$1 pattern=$2 got=0
    shift 2
    "$UGOKI" "$@" >out 2>err </dev/null || got=$?
    [ "$got" -eq "$code" ] || fail "ugoki $*: exit $got, wanted $code"
    if [ -n "$pattern" ]; then
        if [ "$code" -eq 0 ]; then
            grep -qE -- "$pattern" out || fail "ugoki $*: no '$pattern' on stdout"
        else
            grep -qE -- "$pattern" err || fail "ugoki $*: no '$pattern' on stderr"
        fi
    fi
    if [ "$code" -ne 0 ] && [ "$code" -ne 5 ]; then
        [ "$(grep -c '^ugoki' err)" -eq 1 ] || fail "ugoki $*: not one line of error"
    fi
    checks=$((checks + 1))
}

# a small humanoid-free BVH: FILE ROWS
write_bvh() {
    {
        printf 'HIERARCHY\nROOT a\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n'
        printf ' JOINT b\n {\n  OFFSET 0 10 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 5 0\n  }\n }\n}\n'
        printf 'MOTION\nFrames: %d\nFrame Time: 0.0083333\n' "$2"
        for ((i = 0; i < $2; i++)); do printf '%d 2 3 30 40 50 10 20 30\n' "$i"; done
    } >"$1"
}

# a marker CSV with one gap: FILE FRAMES
write_csv() {
    {
        echo 'frame,time,A.x,A.y,A.z,B.x,B.y,B.z'
        for ((i = 0; i < $2; i++)); do
            if [ $i -ge 4 ] && [ $i -le 6 ]; then
                printf '%d,%d.%02d,%d,1000,0,,,\n' "$i" 0 "$i" "$i"
            else
                printf '%d,%d.%02d,%d,1000,0,%d,1500,10\n' "$i" 0 "$i" "$i" "$i"
            fi
        done
    } >"$1"
}

finish() {
    [ "$checks" -gt 0 ] || fail "nothing was checked"
    echo "$checks calls as expected"
}
