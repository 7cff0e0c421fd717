#!/usr/bin/env bash
# Set up, build the release, run every test. Arguments go to ctest (scripts/test.sh -R bvh).
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh --tests
[ -n "${UGOKI_DATA:-}" ] ||
    echo "test.sh: no \$UGOKI_DATA (a folder of real takes); the tests on real takes will be skipped"
cmake --preset release -G Ninja
cmake --build --preset release
ctest --preset release "$@"
