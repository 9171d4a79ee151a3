#!/usr/bin/env bash
# Builds and runs the fuzzers: the drivers of Tests/Fuzzing on the C rooms, under the address and undefined-behaviour
# sanitizers, and those of Tests/Fuzzers on the rooms in Swift, under the address sanitizer.
#   scripts/fuzz.sh SECONDS NAME…   the fuzzers named, else all, each so long, and memory that runs out at every allocation
#   scripts/fuzz.sh 0               builds them, with what they begin with, and runs none
# What a fuzzer finds is kept in .build/fuzz/found; it becomes a case before it is fixed.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10}
shift || true
in_c=(json lua)
in_swift=(message decision app state device answer question)
names=("$@")
(($# > 0)) || names=("${in_c[@]}" "${in_swift[@]}")
out=.build/fuzz
mkdir -p $out/found
for name in "${in_c[@]}" "${in_swift[@]}"; do mkdir -p "$out/$name"; done

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

# The whole package again, with libFuzzer's eyes in every room. lld, because gold stumbles over a library's lines.
RULEHOST_FUZZERS=1 swift build -q --product Fuzzers --sanitize=address --scratch-path $out/swift -Xswiftc -O -Xswiftc -use-ld=lld \
    -Xswiftc -sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link -Xcc -O1
cp $out/swift/debug/Fuzzers $out/swift.run

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
mapfile -t cases < <(find Tests/Cases examples rules -name '*.json' -size -32k)
mapfile -t apps < <(find rules Tests/Cases -name '*.lua' -not -path '*/attacks/*' -size -8k)
for name in "${in_swift[@]}"; do
    case $name in
        message | device | state) files=("${cases[@]}") ;;
        app) files=("${apps[@]}") ;;
        *) files=() ;;
    esac
    $out/swift.run seeds "$name" "$out/$name" "${files[@]}"
done
# Words that bytes by chance would not come upon: the keys and names of the cases.
cat "${cases[@]}" "${apps[@]}" | grep -ohE '[A-Za-z_][A-Za-z0-9_.-]{2,30}' | sort | uniq -c | sort -rn | awk 'NR <= 400 { print "\"" $2 "\"" }' >$out/words
[ "$seconds" -gt 0 ] || exit 0

if [ $# -eq 0 ]; then
    echo "fuzz: memory that runs out"
    mapfile -t apps < <(find rules -mindepth 1 -maxdepth 1 -type d | sort; find Tests/Cases/apps -mindepth 1 -maxdepth 1 -type d | sort)
    $out/faults.run "${apps[@]:0:${FAULT_APPS:-6}}"
fi
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=malloc_context_size=10:quarantine_size_mb=64
for name in "${names[@]}"; do
    echo "fuzz: $name, $seconds s"
    if [ -x "$out/$name.run" ]; then run=("$out/$name.run"); else run=($out/swift.run "$name" -dict=$out/words -max_len=8192); fi
    "${run[@]}" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -artifact_prefix="$out/found/$name-" -print_final_stats=1 \
        "$out/$name" >"$out/$name.log" 2>&1 || { tail -60 "$out/$name.log"; exit 1; }
    grep -aE "stat::number_of_executed_units" "$out/$name.log"
done
