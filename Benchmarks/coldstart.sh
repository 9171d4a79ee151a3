#!/usr/bin/env bash
# How long one whole `rulehost eval` of one message takes from a cold start, against `lua5.4 -e ""`, measured in one run.
# The goal is a ratio of at most 8. Needs hyperfine and lua5.4; builds the release first.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in hyperfine lua5.4; do
    command -v "$tool" >/dev/null || { echo "coldstart: $tool is missing: apt-get install $tool" >&2; exit 1; }
done
rulehost=$(scripts/release.sh)

figures=$(mktemp)
all=$(mktemp)
log=$(mktemp)
trap 'rm -f "$figures" "$all" "$log"' EXIT
eval="$rulehost eval --app chat --state foreground --tab home examples/messages/chat-fcm-v1.json"
# In rounds, so that whatever else the machine does meets all three alike.
for _ in 1 2 3 4 5 6 7; do
    hyperfine --shell=none --warmup 5 --runs "${RUNS:-40}" --style none --export-csv "$figures" \
        --command-name lua 'lua5.4 -e ""' --command-name eval "$eval" --command-name json "$eval --format json" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
    tail -n +2 "$figures" >> "$all"
done

# Columns: command, mean, stddev, median, user, system, min, max. Of the rounds' medians the middle one counts.
sort -t, -k1,1 -k4,4g "$all" | awk -F, '
    { place[$1]++; if (place[$1] == 4) median[$1] = $4 * 1000 }
    END {
        printf "lua5.4 -e \"\"                 %6.2f ms\n", median["lua"]
        printf "rulehost eval               %6.2f ms  %.1f times\n", median["eval"], median["eval"] / median["lua"]
        printf "rulehost eval --format json %6.2f ms  %.1f times\n", median["json"], median["json"] / median["lua"]
        if (median["eval"] > 8 * median["lua"]) { print "coldstart: more than 8 times"; exit 1 }
    }'
