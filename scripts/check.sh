#!/usr/bin/env bash
# The gates that need no build: format, include arrows, shell syntax, size of files and functions.
set -euo pipefail
cd "$(dirname "$0")/.."
bad=0
sh scripts/check_includes.sh || bad=1
if command -v clang-format >/dev/null; then
    git ls-files '*.c' '*.h' | xargs clang-format --dry-run --Werror || bad=1
else
    echo "check.sh: no clang-format; format not checked (scripts/setup.sh --check installs it)"
fi
for script in $(git ls-files '*.sh' .ci/run); do
    bash -n "$script" || bad=1
done
while read -r lines file; do
    [ "$file" = total ] || [ "$lines" -le 1000 ] || { echo "$file has $lines lines"; bad=1; }
done < <(git ls-files '*.c' '*.h' | xargs wc -l)
exit $bad
