#!/usr/bin/env bash
# Builds and runs the drivers of Tests/Fuzzing on the C rooms, under the address and undefined-behaviour sanitizers.
#   scripts/fuzz.sh SECONDS     each fuzzer so long, and memory that runs out at every allocation
# What a fuzzer finds is kept in .build/fuzz/found; it becomes a case before it is fixed.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10}
out=.build/fuzz
mkdir -p $out/found $out/json $out/lua

# The calls that lead through the meter, as Package.swift names them.
wrap=$(sed -n '/^let metered = \[/,/^\]/p' Package.swift | grep -oE '"[a-zA-Z_]+"' | grep -v Xlinker | tr -d '"' | sed 's/^/-Wl,--wrap=/')
flags=(-g -O1 -fno-omit-frame-pointer -fno-strict-aliasing -fno-sanitize-recover=all
    -ISources/CLuaGuard/include -ISources/CJSONDocument/include -ISources/CJSONDocument)
rooms=(Sources/CLuaGuard/*.c Sources/CJSONDocument/*.c)
build() { # NAME SANITIZERS LINKER-WORDS…
    local name=$1 sanitizers=$2
    shift 2
    clang "${flags[@]}" -fsanitize="$sanitizers" Tests/Fuzzing/"$name".c "${rooms[@]}" -l:liblua5.4.a -lm $wrap "$@" -o $out/"$name".run
}
build json fuzzer,address,undefined
build lua fuzzer,address,undefined
build faults address,undefined -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc

# Seeds: everything that the cases have of each kind.
seed() { # FOLDER FILE…
    local folder=$1 file
    shift
    for file; do cp "$file" "$folder/$(printf '%s' "$file" | md5sum | cut -c1-16)"; done
}
mapfile -t texts < <(find Tests/Cases examples -name '*.json' -size -64k; find Tests/Cases/json -type f -size -64k)
mapfile -t scripts < <(find rules Tests/Cases -name '*.lua' -size -16k)
seed $out/json "${texts[@]}"
seed $out/lua "${scripts[@]}"

echo "fuzz: memory that runs out"
mapfile -t apps < <(find rules -mindepth 1 -maxdepth 1 -type d | sort; find Tests/Cases/apps -mindepth 1 -maxdepth 1 -type d | sort)
$out/faults.run "${apps[@]:0:${FAULT_APPS:-6}}"
for name in json lua; do
    echo "fuzz: $name, $seconds s"
    $out/$name.run -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -artifact_prefix=$out/found/ -print_final_stats=1 \
        $out/$name >$out/$name.log 2>&1 || { tail -40 $out/$name.log; exit 1; }
    grep -E "stat::number_of_executed_units" $out/$name.log
done
