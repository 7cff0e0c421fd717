#!/usr/bin/env bash
# Make the contact sheet that the docs show. Of the synthetic demo only: it is ours to ship.
#   scripts/sheets.sh            with build/release/ugoki, or $UGOKI
set -euo pipefail
cd "$(dirname "$0")/.."
program=${UGOKI:-build/release/ugoki}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" demo -q -y -o "$work"
"$program" render "$work/take/4-solve.h5" "$work/take/5-retarget-troll.h5" -o docs/sheet.png -y \
    --facing each --views side --frames 540,567,594,621,648,1310,1330,1345,1385 --width 1200
