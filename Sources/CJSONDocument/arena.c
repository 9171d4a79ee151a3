/* The blocks behind a builder's texts. */
#include "arena.h"

#include <stdlib.h>

enum { JD_BLOCK_SIZE = 4096 };

void *jd_arena_take_new(jd_arena *arena, size_t needed) {
    for (;;) {
        jd_block *block = arena->current;
        if (block && block->size - arena->used >= needed) {
            void *memory = block->bytes + arena->used;
            arena->used += needed;
            return memory;
        }
        if (block && block->next) {
            arena->current = block->next;
            arena->used = 0;
            continue;
        }
        size_t size = needed > JD_BLOCK_SIZE ? needed : JD_BLOCK_SIZE;
        if (size > (size_t)-1 - sizeof(jd_block)) return NULL;
        jd_block *added = malloc(sizeof(jd_block) + size);
        if (!added) return NULL;
        added->next = NULL;
        added->size = size;
        if (block) block->next = added;
        else arena->first = added;
        arena->current = added;
        arena->used = 0;
    }
}

void jd_arena_reset(jd_arena *arena) {
    arena->current = arena->first;
    arena->used = 0;
}

void jd_arena_free(jd_arena *arena) {
    for (jd_block *block = arena->first; block;) {
        jd_block *next = block->next;
        free(block);
        block = next;
    }
    *arena = (jd_arena){NULL, NULL, 0};
}
