#!/usr/bin/env bash
# Make the pictures of the page in docs/ anew, from the synthetic demo.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v pngquant >/dev/null || {
    echo "screenshots.sh: needs pngquant (apt-get install pngquant)" >&2
    exit 1
}
scripts/setup.sh --browser
cmake --preset release -G Ninja >/dev/null
cmake --build --preset release --target ugoki
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
build/release/ugoki demo -q -y -o "$results" >/dev/null
UGOKI=$PWD/build/release/ugoki node tests/browser/screenshots.mjs "$results/take" docs
for picture in docs/view.png docs/view-characters.png; do
    pngquant --force --strip --speed 1 --quality 80-100 --output "$picture" "$picture"
done
ls -l docs/*.png
