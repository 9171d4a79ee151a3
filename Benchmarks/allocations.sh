#!/bin/bash
# `rulehost bench` with the calls of malloc, calloc and realloc counted; the times are then those of a counting run.
# Usage: Benchmarks/allocations.sh [NAME…]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/Benchmarks/build/counting
mkdir -p "$build"
clang -O2 -shared -fPIC -o "$build/counting.so" "$root/Benchmarks/counting/counting.c"
rulehost=$("$root/scripts/release.sh")
LD_PRELOAD=$build/counting.so "$rulehost" bench "$@"
