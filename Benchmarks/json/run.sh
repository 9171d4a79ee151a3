#!/bin/bash
# Builds and runs the comparison of JSON readers. Needs clang (part of the Swift toolchain), g++ and libsimdjson-dev.
# Usage: Benchmarks/json/run.sh [MESSAGE]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../../Sources/CJSONDocument
message=$(realpath "${1:-$here/../reference/message.json}")
build=$here/../build/json
mkdir -p "$build"
for file in "$source"/*.c; do
  clang -O2 -fno-strict-aliasing -I"$source/include" -c "$file" -o "$build/$(basename "$file" .c).o"
done
# simdjson chooses On-Demand's kernel when it is compiled, so it gets this machine's; our own files are built as always.
g++ -O2 -march=native -std=c++17 -I"$source/include" -o "$build/compare" "$here/compare.cpp" "$build"/*.o -lsimdjson
"$build/compare" "$message"
