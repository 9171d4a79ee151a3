// libFuzzer's own loop, called by a program that has its own main: Tests/Fuzzers. Built only by scripts/fuzz.sh.
#ifndef CFUZZDRIVER_H
#define CFUZZDRIVER_H
#include <stddef.h>
#include <stdint.h>

/// Reads libFuzzer's words and calls `once` until they are fulfilled; a finding ends the process.
int LLVMFuzzerRunDriver(int *count, char ***words, int (*once)(const uint8_t *bytes, size_t size));

#endif
