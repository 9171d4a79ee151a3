#!/usr/bin/env bash
# How long one whole `rulehost eval` of one message takes from a cold start, against `lua5.4 -e ""`, measured in one run.
# The goal is a ratio of at most 8. Needs hyperfine and lua5.4; builds the release first.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in hyperfine lua5.4; do
    command -v "$tool" >/dev/null || { echo "coldstart: $tool is missing: apt-get install ${tool/hyperfine/hyperfine}" >&2; exit 1; }
done
build=(swift build -c release --static-swift-stdlib --product rulehost)
"${build[@]}" -q
rulehost="$("${build[@]}" --show-bin-path)/rulehost"

figures=$(mktemp)
trap 'rm -f "$figures"' EXIT
hyperfine --shell=none --warmup 20 --runs "${RUNS:-300}" --style none --export-csv "$figures" \
    --command-name lua 'lua5.4 -e ""' \
    --command-name eval "$rulehost eval --app chat --state foreground --tab home examples/messages/chat-fcm-v1.json" \
    --command-name json "$rulehost eval --app chat --state foreground --tab home --format json examples/messages/chat-fcm-v1.json"

# Columns: command, mean, stddev, median, user, system, min, max. The median is what a machine that others use disturbs least.
awk -F, '
    NR > 1 { median[$1] = $4 * 1000 }
    END {
        printf "lua5.4 -e \"\"                 %6.2f ms\n", median["lua"]
        printf "rulehost eval               %6.2f ms  %.1f times\n", median["eval"], median["eval"] / median["lua"]
        printf "rulehost eval --format json %6.2f ms  %.1f times\n", median["json"], median["json"] / median["lua"]
        if (median["eval"] > 8 * median["lua"]) { print "coldstart: more than 8 times"; exit 1 }
    }' "$figures"
