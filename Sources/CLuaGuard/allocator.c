/* Lua's allocator: exact accounting, three caps, and failures on demand for tests.
 *
 * Lua answers a refusal with a full collection and asks once more (manual 4.6, lua_Alloc); only the second refusal of
 * the same request is an end, and that end is final: `out_of_memory` is looked at wherever an error could be caught.
 * Nothing here raises. Fuel is taken only for new tables, functions, userdata and long strings, because every other request
 * depends on what an earlier evaluation has left behind (interned strings, grown stacks) or on hash seeds.
 */
#include "guard.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Strings up to this size are interned: whether they need memory depends on the past. */
#define SHORT_STRING_BYTES 128

/* ---- small blocks ---- */

/* Under the address sanitizer every block is the system's, so that it can watch them. */
#if defined(__SANITIZE_ADDRESS__)
#define SMALL_BYTES 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SMALL_BYTES 0
#endif
#endif
#ifndef SMALL_BYTES
#define SMALL_BYTES (LG_SMALL_STEP * LG_SMALL_CLASSES)
#endif
/* And where chunks begin: the chunk of a block is found by the block's address. */
#define CHUNK_BYTES 4096
#define CHUNK_HEADER 48
/* glibc keeps two words before a block. With these taken off, chunks lie one behind the other; otherwise each one would leave
 * a hole of its own size, which counts nowhere and is in memory all the same. */
#define CHUNK_ROOM (CHUNK_BYTES - 2 * sizeof(size_t))
/* Empty chunks that are kept for the next block of whatever size. */
#define EMPTY_CHUNKS 8

/* So much of what small blocks leave free between them is an app's beyond its limit; a machine that has gathered more
 * since it was loaded is worn out, and made anew before its next evaluation. */
#define SPARE_BYTES ((size_t)1 << 20)

/* Memory that small blocks of one size are cut from; goes back to the system when none of them is in use. */
typedef struct lg_chunk {
    struct lg_chunk *next, *previous; /* of those of its size that have room */
    void *free;                       /* a list of blocks that were given back */
    char *fresh, *end;                /* what no block was cut from yet */
    uint32_t used, class;
} lg_chunk;
_Static_assert(sizeof(lg_chunk) <= CHUNK_HEADER && CHUNK_HEADER % LG_SMALL_STEP == 0, "blocks begin behind the header");

/* What a block takes: small ones have sizes of sixteen bytes each. */
static size_t taken(size_t size) {
    return size <= SMALL_BYTES ? (size + LG_SMALL_STEP - 1) / LG_SMALL_STEP * LG_SMALL_STEP : size;
}

static size_t class_of(size_t size) { return (size - 1) / LG_SMALL_STEP; }

static lg_chunk *chunk_of(void *block) { return (lg_chunk *)((uintptr_t)block & ~(uintptr_t)(CHUNK_BYTES - 1)); }

static void link_chunk(lg_machine *m, lg_chunk *chunk) {
    chunk->previous = NULL;
    chunk->next = m->chunks[chunk->class];
    if (chunk->next) chunk->next->previous = chunk;
    m->chunks[chunk->class] = chunk;
}

static void unlink_chunk(lg_machine *m, lg_chunk *chunk) {
    if (chunk->next) chunk->next->previous = chunk->previous;
    if (chunk->previous) chunk->previous->next = chunk->next;
    else m->chunks[chunk->class] = chunk->next;
}

/* beyond: also over the limit. */
static lg_chunk *add_chunk(lg_machine *m, size_t class, int beyond) {
    lg_chunk *chunk = m->empty_chunks;
    if (chunk) {
        m->empty_chunks = chunk->next;
        m->empty_count--;
    } else {
        if (LG_WALL && !beyond && m->chunk_bytes + m->large_used + CHUNK_BYTES > m->limits.memory_bytes + SPARE_BYTES) return NULL;
        void *page;
        if (posix_memalign(&page, CHUNK_BYTES, CHUNK_ROOM) != 0) return NULL;
        chunk = page;
        m->chunk_bytes += CHUNK_BYTES;
    }
    size_t bytes = (class + 1) * LG_SMALL_STEP;
    chunk->free = NULL;
    chunk->fresh = (char *)chunk + CHUNK_HEADER;
    chunk->end = chunk->fresh + (CHUNK_ROOM - CHUNK_HEADER) / bytes * bytes;
    chunk->used = 0;
    chunk->class = (uint32_t)class;
    link_chunk(m, chunk);
    return chunk;
}

static void *take_small(lg_machine *m, size_t size, int beyond) {
    size_t class = class_of(size);
    lg_chunk *chunk = m->chunks[class];
    if (!chunk && !(chunk = add_chunk(m, class, beyond))) return NULL;
    void *block = chunk->free;
    if (block) memcpy(&chunk->free, block, sizeof block);
    else {
        block = chunk->fresh;
        chunk->fresh += (class + 1) * LG_SMALL_STEP;
    }
    chunk->used++;
    if (!chunk->free && chunk->fresh == chunk->end) unlink_chunk(m, chunk);
    return block;
}

static void free_empty_chunks(lg_machine *m) {
    while (m->empty_chunks) {
        lg_chunk *next = m->empty_chunks->next;
        free(m->empty_chunks);
        m->empty_chunks = next;
        m->empty_count--;
        m->chunk_bytes -= CHUNK_BYTES;
    }
}

static void give_back(lg_machine *m, void *block, size_t size) {
    if (size == 0 || size > SMALL_BYTES) {
        free(block);
        return;
    }
    lg_chunk *chunk = chunk_of(block);
    if (!chunk->free && chunk->fresh == chunk->end) link_chunk(m, chunk);
    memcpy(block, &chunk->free, sizeof(void *));
    chunk->free = block;
    if (--chunk->used > 0) return;
    unlink_chunk(m, chunk);
    if (m->empty_count < EMPTY_CHUNKS) {
        chunk->next = m->empty_chunks;
        m->empty_chunks = chunk;
        m->empty_count++;
    } else {
        free(chunk);
        m->chunk_bytes -= CHUNK_BYTES;
    }
}

static void *take(lg_machine *m, size_t size, int beyond) {
    return size <= SMALL_BYTES ? take_small(m, size, beyond) : malloc(size);
}

static void *resize(lg_machine *m, void *block, size_t held, size_t size) {
    if (!block) return take(m, size, 0);
    if (held > SMALL_BYTES && size > SMALL_BYTES) return realloc(block, size);
    if (held <= SMALL_BYTES && size <= SMALL_BYTES && class_of(held) == class_of(size)) return block;
    void *moved = take(m, size, size < held); /* a block that shrinks gives back more than it takes */
    if (!moved) return NULL;
    memcpy(moved, block, held < size ? held : size);
    give_back(m, block, held);
    return moved;
}

void lg_free_chunks(lg_machine *m) { free_empty_chunks(m); }

/* ---- faults for tests ---- */

static _Thread_local uint64_t allocations_left;
static _Thread_local int allocations_failed;

int lg_fail_allocations_after(uint64_t n) {
    int failed = allocations_failed;
    allocations_left = n;
    allocations_failed = 0;
    return failed;
}

/* ---- limits ---- */

/* When a table's entries no longer fit, Lua makes room for the next power of two and puts every one in its place again:
 * that room is the one kind of block that comes new, without a kind and with such a size. 0 = it is another block. */
static int64_t entries_in(size_t size) {
    size_t entries = size / 24;
    return entries * 24 == size && (entries & (entries - 1)) == 0 ? (int64_t)entries : 0;
}

/* A list that is made as long as it is written down: few instructions fill much. Smaller blocks of no kind are Lua's own. */
#define LIST_BYTES 512

/* lobject.h: a function without variables from outside; each adds a pointer. */
#define CLOSURE_BYTES 32

/* What a new object costs in fuel, by its kind. */
static int64_t price_of(size_t kind, size_t size) {
    switch (kind) {
    case 0: {
        int64_t entries = entries_in(size);
        return entries ? entries * 5 : size >= LIST_BYTES ? (int64_t)(size / 64) : 0;
    }
    case LUA_TSTRING: return size > SHORT_STRING_BYTES ? (int64_t)(size / 16) : 0;
    case LUA_TTABLE: return 16;
    /* Each variable from outside is looked for among those that are open. */
    case LUA_TFUNCTION: return 16 + (size > CLOSURE_BYTES ? (int64_t)(size - CLOSURE_BYTES) / 8 * 12 : 0);
    case LUA_TUSERDATA: return 5 + (int64_t)(size / 64);
    default: return 0;
    }
}

/* When an evaluation has made so much, all garbage goes, once: what earlier ones have left behind is gone from then on, at a
 * point that depends on the script alone. Collections before that point cost nothing, because there may be one more of them
 * on one machine than on another; those after it do, but for the first few. */
#define CLEAN_BYTES ((size_t)128 << 10)
#define FREE_COLLECTIONS 8

/* Reading the stack neither allocates nor raises (manual 4.7, lua_getstack), so it may be done in here. */
static void note_end(lg_machine *m, const char *what, size_t limit) {
    lua_Debug ar;
    m->out_of_memory = 1;
    if (!m->L || m->stop) return;
    lg_where(m->L, &m->stop_place);
    if (lua_getstack(m->L, LG_DEEP_CALLS, &ar)) snprintf(m->stop_message, sizeof m->stop_message, LG_DEEP_MESSAGE, LG_DEEP_CALLS);
    else snprintf(m->stop_message, sizeof m->stop_message, "out of memory: %s is limited to %zu bytes", what, limit);
}

static void *refuse(lg_machine *m, size_t size, const char *what, size_t limit) {
    if (m->refused && m->refused_size == size) note_end(m, what, limit);
    m->refused = 1;
    m->refused_size = size;
    return NULL;
}

/* Lua collects everything now. What is in use is about the limit, give or take what machines differ in. */
static void *want_memory(lg_machine *m, size_t size) {
    if (!m->refused && (m->is_clean || !m->evaluating) && m->collections++ >= FREE_COLLECTIONS) m->fuel -= (int64_t)(m->limits.memory_bytes / 32);
    free_empty_chunks(m);
    return refuse(m, size, "all of an app", m->limits.memory_bytes);
}

/* Lua's stack grows and shrinks by a new block, after which the old one is given back. Its size depends on the past, so
 * it costs nothing. */
static void move_stack(lg_machine *m) {
    m->stack = m->latest;
    m->fuel += price_of(0, m->latest_size);
}

void *lg_allocate(void *machine, void *block, size_t old_size, size_t new_size) {
    lg_machine *m = machine;
    if (new_size == 0) {
        if (!block) return NULL;
        if (block == m->stack) move_stack(m);
        m->memory_used -= taken(old_size);
        if (old_size > SMALL_BYTES) m->large_used -= old_size;
        give_back(m, block, old_size);
        return NULL;
    }
    if (m->new_state) {
        lg_meter_seed(m, m->new_state, m->memory_used);
        m->new_state = NULL;
    }
    size_t held = block ? old_size : 0; /* without a block old_size is the kind of object (manual, lua_Alloc) */
    if (LG_WALL && new_size > held) {
        if (allocations_left && --allocations_left == 0) {
            allocations_left = allocations_failed = 1; /* and all after it */
            return refuse(m, new_size, "a test", 0);
        }
        int is_string = !block && old_size == LUA_TSTRING;
        if (is_string && new_size > m->limits.string_bytes + 64) /* 64: the string's header and end */
            return refuse(m, new_size, "one text", m->limits.string_bytes);
        if (new_size > m->limits.block_bytes) return refuse(m, new_size, "one table or text", m->limits.block_bytes);
        int is_much = new_size > SMALL_BYTES
            && m->chunk_bytes + m->large_used - (held > SMALL_BYTES ? held : 0) + new_size > m->limits.memory_bytes + SPARE_BYTES;
        if (is_much || taken(new_size) - taken(held) > m->limits.memory_bytes - m->memory_used) return want_memory(m, new_size);
        if (!block) {
            int64_t price = price_of(old_size, new_size);
            if (price > 0 && !m->is_clean && m->evaluating && old_size != 0) {
                m->made += new_size;
                if (m->made >= CLEAN_BYTES) {
                    m->is_clean = 1;
                    free_empty_chunks(m);
                    return refuse(m, new_size, "all of an app", m->limits.memory_bytes);
                }
            }
            m->fuel -= price;
        }
    }
    void *result = resize(m, block, held, new_size);
    if (!result) {
        if (new_size > held) return want_memory(m, new_size);
        if (held > SMALL_BYTES) return refuse(m, new_size, "this machine", 0);
        result = block; /* it stays where it is: its chunk knows how large it is */
    }
    if (!m->L && m->memory_used == 0) m->new_state = result;
    if (!block && old_size == 0) {
        if (!m->stack) m->stack = result; /* the first one of a new state */
        m->latest = result;
        m->latest_size = new_size;
    }
    m->refused = 0;
    m->memory_used += taken(new_size) - taken(held);
    if (new_size > SMALL_BYTES) m->large_used += new_size;
    if (held > SMALL_BYTES) m->large_used -= held;
    if (m->memory_used > m->memory_peak) m->memory_peak = m->memory_used;
    return result;
}

static size_t spare(const lg_machine *m) { return m->chunk_bytes - (m->memory_used - m->large_used); }

void lg_note_spare(lg_machine *m) { m->spare_at_seal = spare(m); }

int lg_machine_is_worn(const lg_machine *m) { return spare(m) > m->spare_at_seal + SPARE_BYTES; }
