#!/usr/bin/env bash
# Install what ugoki needs on Debian 12+ or Ubuntu 24.04+. Safe to run again: says what it does,
# touches nothing that is there already.
#   scripts/setup.sh            build and run
#   scripts/setup.sh --tests    also what the tests use (h5py, node's packages where node is there)
#   scripts/setup.sh --check    also clang-format and clang, for scripts/check.sh and fuzz.sh
#   scripts/setup.sh --bench    also the peers that scripts/bench.sh compares with
#   scripts/setup.sh --viewer   also node and npm where they are missing: the page of `ugoki view`
#   scripts/setup.sh --browser  also chromium, for the tests of that page (brings --viewer along)
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(build-essential cmake ninja-build pkg-config libhdf5-dev libopenblas-dev liblapacke-dev
    libyaml-dev libcjson-dev libxml2-dev libxxhash-dev libcairo2-dev libfontconfig-dev
    fonts-dejavu-core libmicrohttpd-dev)
node_tests=false
viewer=false
browser=false
for option in "$@"; do
    case $option in
    --tests) packages+=(libcmocka-dev python3 python3-h5py); node_tests=true ;;
    --check) packages+=(clang clang-format) ;;
    --bench) packages+=(libcmocka-dev g++ libsimbody-dev) ;;
    --viewer) viewer=true ;;
    --browser) viewer=true; browser=true ;;
    -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "setup.sh: no option $option; -h lists them" >&2; exit 2 ;;
    esac
done
has() { command -v "$1" >/dev/null; }
# Debian's npm cannot stand beside another node that brings its own
if $viewer && ! { has node && has npm; }; then packages+=(nodejs npm); fi
if $browser && ! { has chromium || has google-chrome; }; then packages+=(chromium); fi

missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null || true)
    [ "${state:0:2}" = ii ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || {
        echo "setup.sh: needs Debian or Ubuntu; elsewhere install: ${missing[*]}" >&2
        exit 1
    }
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "setup.sh: packages are missing, and there is no sudo to install them; as root:" >&2
            echo "    apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
            exit 1
        }
        as_root=(sudo)
    fi
    echo "setup.sh: installing ${missing[*]} (minutes on a new machine)"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends "${missing[@]}" >/dev/null
else
    echo "setup.sh: all packages are there"
fi

# npm_packages FOLDER: what its lock file says, unless it is there already
npm_packages() {
    [ -f "$1/package-lock.json" ] || return 0
    [ ! -d "$1/node_modules" ] || [ "$1/package-lock.json" -nt "$1/node_modules" ] || return 0
    echo "setup.sh: installing the node packages of $1"
    (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules)
}
if has node && has npm; then
    npm_packages viewer || {
        ! $viewer || exit 1
        echo "setup.sh: that did not work; 'ugoki view' will have no page" >&2
    }
    if $node_tests; then npm_packages tests/node; fi
    if $browser; then npm_packages tests/browser; fi
else
    echo "setup.sh: no node and npm: 'ugoki view' will have no page (--viewer installs them)"
    if $node_tests; then echo "setup.sh: the tests that use node will be skipped"; fi
fi
