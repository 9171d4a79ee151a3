#!/usr/bin/env bash
# Asks a host everything that its description allows, and much that it forbids, and fails when an answer is not what the description says:
# schemathesis, a program that is not ours. Called by `make test`, with fewer requests, and by `make api`. On a copy of the rules.
# First argument: examples for each operation and kind of fault; second: seconds at most.
set -euo pipefail
cd "$(dirname "$0")/.."

version=4.32.5
examples=${1:-15}
seconds=${2:-60}
tools=$PWD/.build/schemathesis
if [ ! -x "$tools/bin/st" ] || [ "$("$tools/bin/st" --version 2>/dev/null)" != "st, version $version" ]; then
    echo "schemathesis: bringing version $version from PyPI into .build (once)"
    log=$(mktemp)
    if ! { python3 -m venv "$tools" && "$tools/bin/pip" install -q "schemathesis==$version"; } >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        rm -f "$log"
        echo "schemathesis: it cannot be had; the description is not held against a host" >&2
        # Whoever asks for it by name wants to know.
        exit "${SCHEMATHESIS_NEEDED:-0}"
    fi
    rm -f "$log"
fi

folder=$(mktemp -d)
host=
trap '[ -z "$host" ] || kill "$host" 2>/dev/null || true; rm -rf "$folder"' EXIT
cp -r rules examples "$folder"
program="$(swift build --show-bin-path)/rulehost"
port=$((20000 + $$ % 20000))
(cd "$folder" && exec "$program" serve --rules rules --store memory --log-decisions decisions.ndjson --listen "127.0.0.1:$port") >"$folder/host.log" 2>&1 &
host=$!
until [ -s "$folder/host.log" ]; do
    kill -0 "$host" 2>/dev/null || { cat "$folder/host.log" >&2; exit 1; }
    sleep 0.1
done
if ! grep -q '^listening' "$folder/host.log"; then cat "$folder/host.log" >&2; exit 1; fi

echo "schemathesis: holding the description against a host (at most $seconds s of requests)"
# The stream of events has no end, so that nothing can be said of its answer.
if ! (cd "$folder" && SCHEMATHESIS_HOOKS=lines PYTHONPATH=$OLDPWD/scripts/schemathesis \
    "$tools/bin/st" --config-file "$OLDPWD/scripts/schemathesis/schemathesis.toml" run "http://127.0.0.1:$port/openapi.json" \
    --exclude-operation-id events --max-examples "$examples" --seed 1 --request-timeout 10 \
    --phases examples,coverage,fuzzing,stateful --suppress-health-check all --warnings off --no-color) >"$folder/report" 2>&1; then
    sed -n '/=== \(ERRORS\|FAILURES\)/,$p' "$folder/report" | cut -c 1-400 | head -n 300
    exit 1
fi
grep -E 'generated|Seed' "$folder/report" || true
