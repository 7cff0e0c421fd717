#!/usr/bin/env bash
# Where the demo was built without tests, the presets bring them back: demo.sh, then test.sh.
source "$UGOKI_SOURCE/tests/support/cli.sh"

configure() {
    cmake --preset release -G Ninja -S "$UGOKI_SOURCE" -B "$scratch/tree" "$@" >out 2>err || fail "cmake $*"
}
count() { ctest --test-dir "$scratch/tree" -N 2>/dev/null | sed -n 's/^Total Tests: //p'; }

configure -DUG_TESTS=OFF
[ "$(count)" = 0 ] || fail "tests were built that nobody wanted"
configure
[ "$(count)" -gt 50 ] || fail "the preset leaves the tests out once they were left out: '$(count)' of them"
checks=2
finish
