#!/bin/bash
# Measures the reference job in rulehost and in two bare hosts (simdjson + liblua, without state, limits or checks), in
# turns within one run, and prints ratios. Only ratios of one run mean anything.
# Usage: Benchmarks/compare.sh [TURNS]   (default 5). Needs g++, libsimdjson-dev and liblua5.4-dev.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/Benchmarks/build/hosts
turns=${1:-5}
mkdir -p "$build"
rulehost=$("$root/scripts/release.sh")
source=$root/Benchmarks/hosts/host.cpp
[ "$build/eager" -nt "$source" ] || g++ -O2 -march=native -std=c++17 -o "$build/eager" "$source" -lsimdjson -llua5.4
[ "$build/lazy" -nt "$source" ] || g++ -O2 -march=native -std=c++17 -DLAZY -o "$build/lazy" "$source" -lsimdjson -llua5.4
"$rulehost" bench --emit-messages > "$build/messages.ndjson"
reference=$root/Benchmarks/reference
host=("$root/Benchmarks/hosts/rule.lua" "$reference/contexts.jsonl" "$reference/answers.jsonl" "$reference/message.json" "$build/messages.ndjson")
one() {
  case $1 in
    rulehost) "$rulehost" bench reference --json | grep -o '"ns":[0-9]*' | cut -d: -f2 ;;
    *) "$build/$1" "${host[@]}" 30 ;;
  esac
}
for ((turn = 0; turn < turns; turn++)); do
  for name in eager rulehost lazy; do echo "$name $(one "$name")"; done
done | awk '
  { n[$1]++; ns[$1, n[$1]] = $2 }
  function median(name,   i, j, t) {
    for (i = 1; i <= n[name]; i++) for (j = i + 1; j <= n[name]; j++)
      if (ns[name, j] + 0 < ns[name, i] + 0) { t = ns[name, i]; ns[name, i] = ns[name, j]; ns[name, j] = t }
    return ns[name, int((n[name] + 1) / 2)]
  }
  END {
    own = median("rulehost")
    split("eager rulehost lazy", names, " ")
    printf "%-22s %12s %14s %10s\n", "", "CPU ns each", "a second", "of rulehost"
    for (i = 1; i <= 3; i++) {
      m = median(names[i])
      printf "%-22s %12d %14d %10.2f\n", (names[i] == "rulehost" ? "rulehost" : "bare host, " names[i]), m, 1e9 / m, m / own
    }
  }'
