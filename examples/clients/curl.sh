#!/usr/bin/env bash
# Asks a host by curl. Reads standard input, writes what the host answers.
#
#   curl.sh HOST decide APP < request.json        one decision
#   curl.sh HOST stream < requests.ndjson         a decision for each line, as soon as it is there
#
# HOST is http://ADDRESS:PORT, https://NAME:PORT or unix:PATH. RULEHOST_TOKEN is sent when it is set.
set -euo pipefail

usage() { echo "usage: curl.sh HOST decide APP < request.json | curl.sh HOST stream < requests.ndjson; HOST is http://ADDRESS:PORT, https://NAME:PORT or unix:PATH" >&2; exit 2; }
case ${2-}:$# in decide:3 | stream:2) ;; *) usage ;; esac
host=$1 deed=$2
# Without progress, but with what it waits for when it tries again.
options=(--no-progress-meter --fail-with-body)
case $host in unix:*) options+=(--unix-socket "${host#unix:}") host=http://localhost ;; esac
# Not on the command line, where others could read it.
token() { if [ -n "${RULEHOST_TOKEN:-}" ]; then printf 'header = "Authorization: Bearer %s"\n' "$RULEHOST_TOKEN"; fi; }

case $deed in
decide)
    # The same key for every try: a decision whose answer was lost is not made twice. curl repeats what was answered with 408, 429 or 503,
    # after as long as Retry-After says, and what was never connected.
    exec curl --config <(token) "${options[@]}" --retry 5 --retry-connrefused --retry-max-time 60 \
        --header "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \
        --data-binary @- "$host/v1/apps/$3/decide"
    ;;
stream)
    # `.` is standard input, sent while answers are read. Whoever does not read them stops being asked for more.
    exec curl --config <(token) "${options[@]}" --no-buffer --request POST --header 'Content-Type: application/x-ndjson' --header 'Expect:' \
        --upload-file . "$host/v1/decide"
    ;;
esac
