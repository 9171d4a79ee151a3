#!/bin/bash
# What the first wall costs the reference job: the program as it is, and the same program built without hook, fuel, caps
# and the look for hidden state (LG_WITHOUT_WALL in Sources/CLuaGuard/guard.h), in turns within one run.
# Usage: Benchmarks/wall.sh [TURNS]   (default 7). Fails when the wall costs more than 15 %.
set -euo pipefail
cd "$(dirname "$0")/.."
turns=${1:-7}
with=$(scripts/release.sh)
without=$(scripts/release.sh --scratch-path .build/without-wall -Xcc -DLG_WITHOUT_WALL)
one() { "$1" bench reference --json --rounds 40 | grep -o '"best_ns":[0-9]*' | cut -d: -f2; }
for ((turn = 0; turn < turns; turn++)); do
    echo "with $(one "$with")"
    echo "without $(one "$without")"
done | awk '
    function median(name,   i, j, t) {
        for (i = 1; i <= n[name]; i++) for (j = i + 1; j <= n[name]; j++)
            if (ns[name, j] + 0 < ns[name, i] + 0) { t = ns[name, i]; ns[name, i] = ns[name, j]; ns[name, j] = t }
        return ns[name, int((n[name] + 1) / 2)]
    }
    { ns[$1, ++n[$1]] = $2 }
    END {
        with = median("with"); without = median("without")
        printf "CPU ns each: with the wall %d, without %d: %+.1f %%\n", with, without, (with / without - 1) * 100
        exit with > without * 1.15
    }'
