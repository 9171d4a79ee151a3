#!/usr/bin/env bash
# Makes the machine ready to build: checks for Swift and installs the Debian packages that are missing, no others.
# Called by make before everything that builds.
set -euo pipefail

# Package, and what it is for.
packages=(
    "liblua5.4-dev:the Lua that runs the rules"
    "nettle-dev:SHA-256, for the name of a ruleset and stable percentages"
    "libsqlite3-dev:the store of a host"
    "libevent-dev:the loop of the server, and its buffers"
    "libssl-dev:TLS of serve, whose library is opened only then"
    "libseccomp-dev:the wall around processes that run rules"
    "libcctz-dev:the zones of the world, for quiet hours and dates"
    "libcurl4-openssl-dev:eval --fetch, which tries to fetch a picture"
    "ca-certificates:whom eval --fetch trusts"
    "curl:asks the host in the pages of docs and in the tests"
    "python3:the server that the tests fetch pictures from"
    "python3-venv:a place in .build for schemathesis, which holds the description of the HTTP API against a host"
    "openssl:that server's certificate"
    "python3-jsonschema:a validator that is not ours, for the schemas of docs schema"
    "lua-check:luacheck, which check asks for unused variables, with the settings that docs editor writes"
    "chromium:opens the reports in the tests, as whoever gets one does"
    "pkg-config:tells the build where the first two are"
)

if ! command -v swift >/dev/null; then
    echo "setup: Swift is missing. rulehost needs Swift 6.2 or later: https://www.swift.org/install/linux" >&2
    exit 1
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # Another system: the libraries may be there under other names, so ask the one who knows where they are.
    # cctz brings nothing that pkg-config could find: without it, the build says so.
    for library in lua5.4 nettle libcurl libssl sqlite3 libevent_core; do
        if ! pkg-config --exists "$library" 2>/dev/null; then
            echo "setup: this machine has no apt-get, and pkg-config does not find $library." >&2
            echo "setup: install the development files of Lua 5.4, Nettle, SQLite, libevent, OpenSSL 3, libcurl and cctz, and pkg-config, then try again. On Debian they are:" >&2
            for entry in "${packages[@]}"; do echo "setup:   ${entry%%:*} (${entry#*:})" >&2; done
            exit 1
        fi
    done
    exit 0
fi

missing=()
for entry in "${packages[@]}"; do
    name=${entry%%:*}
    # pkgconf brings the command pkg-config as well.
    if [ "$name" = pkg-config ] && command -v pkg-config >/dev/null; then continue; fi
    if [ "$name" = python3 ] && command -v python3 >/dev/null; then continue; fi
    status=$(dpkg-query -W -f='${Status}' "$name" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing+=("$name")
done
[ ${#missing[@]} -eq 0 ] && exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: missing Debian packages: ${missing[*]}. Install them as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    root=(sudo)
fi

echo "setup: installing the missing Debian packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1
}
# Without package lists, or with old ones, the first try fails; a second one after an update tells.
if ! install; then
    echo "setup: reading the package lists first (apt-get update)"
    "${root[@]}" apt-get update >"$log" 2>&1 || true
    if ! install; then
        tail -n 20 "$log" >&2
        echo "setup: apt-get could not install ${missing[*]}; the last lines above say why" >&2
        exit 1
    fi
fi
