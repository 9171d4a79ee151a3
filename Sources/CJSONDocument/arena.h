/* Memory for the texts of a builder: blocks that are handed out from front to back and all taken back at once, none
 * of them given to the system before the end. */
#ifndef JD_ARENA_H
#define JD_ARENA_H

#include <stddef.h>

typedef struct jd_block jd_block;

typedef struct {
    jd_block *first, *current;
    size_t used; /* of the current block */
} jd_arena;

/* Aligned for any type; NULL: no memory. */
void *jd_arena_take(jd_arena *, size_t length);
void jd_arena_reset(jd_arena *);
void jd_arena_free(jd_arena *);

#endif
