/* Lua's allocator: exact accounting, three caps, and failures on demand for tests.
 *
 * Lua answers a refusal with a full collection and asks once more (manual 4.6, lua_Alloc); only the second refusal of
 * the same request is an end, and that end is final: `out_of_memory` is looked at wherever an error could be caught.
 * Nothing here raises. Fuel for bytes is taken only for new long strings, because every other request depends on what
 * an earlier evaluation has left behind (interned strings, grown stacks, hash seeds).
 */
#include "guard.h"
#include <stdlib.h>
#include <string.h>

/* Strings up to this size are interned: whether they need memory depends on the past. */
#define SHORT_STRING_BYTES 128

static void *refuse(lg_machine *m, size_t size) {
    if (m->refused && m->refused_size == size) {
        m->out_of_memory = 1;
        if (m->L && !m->stop_place.line) lg_where(m->L, &m->stop_place);
    }
    m->refused = 1;
    m->refused_size = size;
    return NULL;
}

void *lg_allocate(void *machine, void *block, size_t old_size, size_t new_size) {
    lg_machine *m = machine;
    if (new_size == 0) {
        if (block) m->memory_used -= old_size;
        free(block);
        return NULL;
    }
    size_t held = block ? old_size : 0; /* without a block old_size is the kind of object (manual, lua_Alloc) */
    if (new_size > held) {
        if (m->allocations_left && --m->allocations_left == 0) {
            m->allocations_left = 1; /* and all after it */
            return refuse(m, new_size);
        }
        int is_string = !block && old_size == LUA_TSTRING;
        if (new_size > m->limits.block_bytes || new_size - held > m->limits.memory_bytes - m->memory_used
            || (is_string && new_size > m->limits.string_bytes + 64)) /* 64: the string's header and end */
            return refuse(m, new_size);
        if (is_string && new_size > SHORT_STRING_BYTES) m->fuel -= (int64_t)(new_size / 8);
    }
    void *result = realloc(block, new_size);
    if (!result) return new_size > held ? refuse(m, new_size) : block; /* a smaller block never fails */
    m->refused = 0;
    m->memory_used += new_size - held;
    if (m->memory_used > m->memory_peak) m->memory_peak = m->memory_used;
    return result;
}
