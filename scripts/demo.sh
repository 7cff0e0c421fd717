#!/usr/bin/env bash
# Set up, build, and run the whole chain on a synthetic take. Results go to demo-out/.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
# the demo needs neither tests nor cmocka, but leaves a folder that has tests as it is
tests=()
[ -f build/release/CTestTestfile.cmake ] || tests=(-DUG_TESTS=OFF)
cmake --preset release -G Ninja "${tests[@]}" >/dev/null
cmake --build --preset release --target ugoki
build/release/ugoki demo -y -o "${1:-demo-out}"
