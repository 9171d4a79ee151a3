# The house's commands. `make` alone lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build run test api shipped check asan tsan format lint attacks fuzz bench clean

RELEASE := scripts/release.sh
MESSAGE := examples/messages/chat-fcm-v1.json
DEVICE := examples/devices/terminated-tap.json
FUZZ_SECONDS := 1800
# Of a test run: what fails with all its lines, what a sanitizer or a trap says, and the closing line.
SHORT := awk '/^(◇|➜|Test Suite )/ || /^✔ (Test|Suite) [^r]/ { hidden = 1 } /^(✘|✔ Test run|\[|error: |=====|.*Sanitizer|.*Fatal error)/ { hidden = 0 } !hidden { print; fflush() }'

# A build of its own for each sanitizer. The programs that tests start are those of the same build.
define SANITIZED
echo "make: building the tests with the $(SANITIZER) sanitizer (a few minutes, and again after each change)"
swift build -q --build-tests --sanitize=$(SANITIZER) $(JUMPS) --scratch-path .build/$@ 2> >(grep -v 'Cannot export local symbol' >&2)
echo "make: running the tests (some minutes: everything takes several times as long)"
export ASAN_SYMBOLIZER_PATH=$$(command -v llvm-symbolizer || true) # also for programs that tests start without a PATH
RULEHOST_SANITIZER=$(SANITIZER) SWIFT_BACKTRACE=enable=no swift test --skip-build --sanitize=$(SANITIZER) $(JUMPS) --scratch-path .build/$@ 2>&1 | { $(SHORT); }
endef

help: ## list these commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/' | expand -t 18

setup:
	@scripts/setup.sh

build: setup
	@echo "make: building rulehost (release; a few minutes the first time)"
	@$(RELEASE) >/dev/null

run: build ## build rulehost, then show what a real message does on a phone
	@echo "make: rulehost eval --app chat --device $(DEVICE) $(MESSAGE)"
	@"$$($(RELEASE))" eval --app chat --device $(DEVICE) $(MESSAGE)

test: setup ## all tests: the rooms, the command line, the pages, the cases of the apps
	@scripts/operators.sh
	@echo "make: building the tests (a few minutes the first time)"
	@swift build -q --build-tests
	@echo "make: looking for mistakes in the rules that are shipped"
	@"$$(swift build --show-bin-path)/rulehost" check --strict
	@echo "make: running the cases of the apps"
	@"$$(swift build --show-bin-path)/rulehost" test
	@echo "make: running the tests"
	@swift test --skip-build 2>&1 | { $(SHORT); }
	@scripts/schemathesis.sh

api: setup ## hold the description of the HTTP API against a host, with many requests (schemathesis, some minutes)
	@swift build -q --product rulehost
	@SCHEMATHESIS_NEEDED=1 scripts/schemathesis.sh 200 400

shipped: build ## the cases of the apps on the program as it is shipped, in both kinds of isolation
	@echo "make: running the cases of the apps on the optimised program"
	@"$$($(RELEASE))" test
	@"$$($(RELEASE))" test --isolation process

check: lint test shipped ## the layout of the Swift files, all tests, the shipped program, and a short run of the fuzzers
	@scripts/fuzz.sh 10

asan tsan: SANITIZER = $(if $(filter asan,$@),address,thread)
asan: setup ## all tests under the address sanitizer and the leak sanitizer
	@$(SANITIZED)

# Debian's liblua raises errors by glibc's checked longjmp, which this sanitizer does not know: each error would leave the
# frames that it left on the sanitizer's own stack, until that is all it does.
tsan: JUMPS = -Xlinker --defsym=__longjmp_chk=longjmp
tsan: setup ## all tests under the thread sanitizer
	@$(SANITIZED)

format: ## lay out all Swift files
	@swift format -i -r -p Package.swift Sources Tests examples

lint: ## check the layout of all Swift files
	@echo "make: checking the layout of the Swift files"
	@swift format lint --strict -r -p Package.swift Sources Tests examples

attacks: setup ## hostile scripts at load and inside decide, in both isolation modes: how each ends, as a table
	@echo "make: building (a few minutes the first time)"
	@swift build -q --product AttackTable
	@"$$(swift build --show-bin-path)/AttackTable" .build/attacks.tsv

fuzz: ## the fuzzers, half an hour each (FUZZ_SECONDS), and memory that runs out at every allocation
	@FAULT_APPS=100 scripts/fuzz.sh $(FUZZ_SECONDS)

bench: build ## measure decisions per second and the cold start
	@"$$($(RELEASE))" bench
	@Benchmarks/coldstart.sh

clean:
	@swift package clean
