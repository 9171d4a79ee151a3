/* Counts calls of malloc, calloc and realloc in a process, for `rulehost bench`: loaded before the C library by
 * allocations.sh. It asks glibc's own functions for the memory, so nothing else changes. */
#include <stddef.h>
#include <stdint.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static uint64_t count;

uint64_t counted_allocations(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }

static void add(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
    add();
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
    add();
    return __libc_calloc(items, size);
}

void *realloc(void *block, size_t size) {
    add();
    return __libc_realloc(block, size);
}
