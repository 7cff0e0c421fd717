#!/usr/bin/env bash
# Set up, build the release, run every test. Arguments go to ctest (scripts/test.sh -R bvh).
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh --tests
cmake --preset release -G Ninja
cmake --build --preset release
ctest --preset release "$@"
