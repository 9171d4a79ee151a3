/* Memory for the texts of a builder: blocks that are handed out from front to back and all taken back at once, none
 * of them given to the system before the end. */
#ifndef JD_ARENA_H
#define JD_ARENA_H

#include <stddef.h>

typedef struct jd_block jd_block;
struct jd_block {
    jd_block *next;
    size_t size;
    _Alignas(16) char bytes[];
};

typedef struct {
    jd_block *first, *current;
    size_t used; /* of the current block */
} jd_arena;

/* The same where the block at hand has no room left. */
void *jd_arena_take_new(jd_arena *, size_t needed);
/* Aligned for any type; NULL: no memory. */
static inline void *jd_arena_take(jd_arena *arena, size_t length) {
    size_t needed = (length + 15) & ~(size_t)15;
    jd_block *block = arena->current;
    if (needed < length) return NULL;
    if (!block || block->size - arena->used < needed) return jd_arena_take_new(arena, needed);
    void *memory = block->bytes + arena->used;
    arena->used += needed;
    return memory;
}
void jd_arena_reset(jd_arena *);
void jd_arena_free(jd_arena *);

#endif
