#!/usr/bin/env bash
# The characters in datasets/ are what their script writes.
set -u
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
cd "${UGOKI_SOURCE:?}" && python3 scripts/make_characters.py --check && echo "3 characters as made"
