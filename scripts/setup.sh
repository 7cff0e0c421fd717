#!/usr/bin/env bash
# Install what ugoki needs on Debian 12+ or Ubuntu 24.04+. Safe to run again: says what it does,
# touches nothing that is there already.
#   scripts/setup.sh            build and run
#   scripts/setup.sh --tests    also what the tests use (h5py, node's packages where node is there)
#   scripts/setup.sh --check    also clang-format and clang, for scripts/check.sh and fuzz.sh
#   scripts/setup.sh --bench    also the peers that scripts/bench.sh compares with
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(build-essential cmake ninja-build pkg-config libhdf5-dev libopenblas-dev liblapacke-dev
    libyaml-dev libcjson-dev libxml2-dev libxxhash-dev libcairo2-dev fonts-dejavu-core)
node_tests=false
for option in "$@"; do
    case $option in
    --tests) packages+=(libcmocka-dev python3 python3-h5py); node_tests=true ;;
    --check) packages+=(clang clang-format) ;;
    --bench) packages+=(libcmocka-dev g++ libsimbody-dev) ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "setup.sh: no option $option; -h lists them" >&2; exit 2 ;;
    esac
done

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

if $node_tests && [ -f tests/node/package-lock.json ]; then
    if command -v node >/dev/null && command -v npm >/dev/null; then
        if [ ! -d tests/node/node_modules ] ||
            [ tests/node/package-lock.json -nt tests/node/node_modules ]; then
            echo "setup.sh: installing the node packages of tests/node"
            (cd tests/node && npm ci --ignore-scripts --no-audit --no-fund --silent &&
                touch node_modules)
        fi
    else
        echo "setup.sh: no node and npm; the tests that use them will be skipped"
    fi
fi
