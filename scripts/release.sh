#!/usr/bin/env bash
# Builds the program as it is shipped and prints where it stands. One program optimised as a whole: the decision's way
# goes through five rooms in two languages, and the calls between them are what it costs (about a tenth of its time).
# Words given to it go to the build.
set -euo pipefail
cd "$(dirname "$0")/.."
build=(swift build -c release --static-swift-stdlib --product rulehost --experimental-lto-mode=full -Xswiftc -use-ld=lld "$@")
"${build[@]}" -q >&2
echo "$("${build[@]}" --show-bin-path)/rulehost"
