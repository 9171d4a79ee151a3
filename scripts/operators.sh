#!/usr/bin/env bash
# Brings the programs with which the tests check what is in deploy/: promtool and nginx, unpacked from Debian's packages into
# .build/operators and not installed, because nothing of them is to run on this machine. Called by `make test`.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=.build/operators
[ -x $folder/usr/bin/promtool ] && [ -x $folder/usr/sbin/nginx ] && exit 0
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "operators: without Debian's packages the tests of deploy/ look for promtool and nginx where the system has them" >&2
    exit 0
fi
packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
echo "operators: unpacking promtool and nginx, with which the tests check what is in deploy/"
fetch() { (cd "$packages" && apt-get download prometheus nginx) >"$packages/log" 2>&1; }
# Without package lists, or with old ones, the first try fails.
if ! fetch; then
    apt-get update >/dev/null 2>&1 || true
    if ! fetch; then
        tail -n 5 "$packages/log" >&2
        echo "operators: the packages cannot be had; the tests of deploy/ that need them are left out" >&2
        exit 0
    fi
fi
mkdir -p $folder
for package in "$packages"/*.deb; do dpkg-deb -x "$package" $folder; done
