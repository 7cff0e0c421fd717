#!/usr/bin/env bash
# Set up, build, and run the whole chain on a synthetic take. Results go to demo-out/.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
cmake --preset release -G Ninja -DUG_TESTS=OFF >/dev/null
cmake --build --preset release
build/release/ugoki demo -y -o "${1:-demo-out}"
