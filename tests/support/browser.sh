# SPDX-License-Identifier: MIT
# Sourced by the tests that need a browser, in place of cli.sh: skipped with a message without one.
source "$UGOKI_SOURCE/tests/support/cli.sh"
browser_tests=$UGOKI_SOURCE/tests/browser
if ! command -v node >/dev/null || [ ! -d "$browser_tests/node_modules/playwright-core" ]; then
    echo "skipped: no node, or no tests/browser/node_modules (scripts/setup.sh --browser)"
    exit 77
fi
if ! node --input-type=module -e \
    "process.exit((await import('$browser_tests/browser.mjs')).findBrowser() ? 0 : 1)"; then
    echo "skipped: no chromium (scripts/setup.sh --browser)"
    exit 77
fi
if "$UGOKI" view no-such-file.h5 2>&1 | grep -q "built without its page"; then
    echo "skipped: built without the page (scripts/setup.sh --viewer)"
    exit 77
fi

# browse SCRIPT args…: tests/browser/SCRIPT.mjs passes; what it measured is printed
browse() {
    node "$browser_tests/$1.mjs" "${@:2}" >out 2>err || fail "$1.mjs ${*:2}"
    cat out
    checks=$((checks + 1))
}
