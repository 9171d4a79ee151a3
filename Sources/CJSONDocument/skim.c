/* The members of an object, found without reading their values. A stream of requests needs one word of each line before
 * it knows who reads the line, and a request holds a message that is read by itself: both would otherwise read every byte
 * twice. Nothing is checked in here but the outermost level; who reads a value finds what is wrong in it. */
#include "reading.h"

enum { BLOCK = 64 };

static const char *space_end(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p++;
    return p;
}

/* p is behind the opening quote. Returns what is behind the closing one, or NULL. */
static const char *string_end(const char *p, const char *end) {
    for (; p < end; p++) {
        if (*p == '"') return p + 1;
        if (*p == '\\' && ++p == end) return NULL;
    }
    return NULL;
}

/* Where a scan of a container stands. */
typedef struct {
    uint32_t depth;
    int in_string;
} jd_scan;

/* Byte by byte, for blocks with escapes and for the last bytes. Returns what is behind the end of the container or, when it does
 * not end in here, NULL and in *stop how far the scan has come: an escape may reach beyond the block. */
static const char *scan_bytes(const char *p, const char *block_end, const char *end, jd_scan *scan, const char **stop) {
    for (; p < block_end; p++) {
        char c = *p;
        if (scan->in_string) {
            if (c == '\\' && ++p == end) break;
            else if (c == '"') scan->in_string = 0;
        } else if (c == '"') {
            scan->in_string = 1;
        } else if (c == '{' || c == '[') {
            scan->depth++;
        } else if (c == '}' || c == ']') {
            if (--scan->depth == 0) return p + 1;
        }
    }
    *stop = p;
    return NULL;
}

#if defined(__SSE2__)
/* A bit for each of 64 bytes. */
typedef struct {
    uint64_t quotes, escapes, opening, closing;
} jd_block;

static inline uint64_t equal_bytes(const __m128i bytes[4], char c) {
    __m128i wanted = _mm_set1_epi8(c);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes[i], wanted)) << (16 * i);
    return mask;
}

/* `[` and `{`, `]` and `}` differ in one bit each. Other bytes that become these are none of JSON outside of strings. */
static inline jd_block read_block(const char *p) {
    __m128i bytes[4], brackets[4], bit = _mm_set1_epi8(0x20);
    for (int i = 0; i < 4; i++) {
        bytes[i] = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        brackets[i] = _mm_or_si128(bytes[i], bit);
    }
    return (jd_block){equal_bytes(bytes, '"'), equal_bytes(bytes, '\\'), equal_bytes(brackets, '{'), equal_bytes(brackets, '}')};
}

/* Each bit becomes the parity of itself and all below: from a quote up to the next one all are set. */
static inline uint64_t parity_below(uint64_t bits) {
    for (int shift = 1; shift < BLOCK; shift *= 2) bits ^= bits << shift;
    return bits;
}

/* As scan_bytes, for a whole block without escapes; NULL when the container goes on behind it. */
static const char *scan_block(const char *p, const jd_block *block, jd_scan *scan) {
    uint64_t strings = parity_below(block->quotes) ^ (scan->in_string ? ~(uint64_t)0 : 0);
    uint64_t opening = block->opening & ~strings, closing = block->closing & ~strings;
    uint32_t closed = (uint32_t)__builtin_popcountll(closing);
    if (scan->depth > closed) {
        scan->depth += (uint32_t)__builtin_popcountll(opening) - closed;
        scan->in_string = strings >> 63;
        return NULL;
    }
    for (uint64_t brackets = opening | closing; brackets; brackets &= brackets - 1) {
        uint64_t lowest = brackets & -brackets;
        if (opening & lowest) scan->depth++;
        else if (--scan->depth == 0) return p + __builtin_ctzll(brackets) + 1;
    }
    scan->in_string = strings >> 63;
    return NULL;
}
#endif

/* p is behind the opening bracket. Returns what is behind its partner, or NULL. */
static const char *container_end(const char *p, const char *end) {
    jd_scan scan = {.depth = 1, .in_string = 0};
    while (p < end) {
        const char *found, *stop = p;
#if defined(__SSE2__)
        if (end - p >= BLOCK) {
            jd_block block = read_block(p);
            if (!block.escapes) {
                if ((found = scan_block(p, &block, &scan))) return found;
                p += BLOCK;
                continue;
            }
        }
#endif
        if ((found = scan_bytes(p, end - p > BLOCK ? p + BLOCK : end, end, &scan, &stop))) return found;
        p = stop;
    }
    return NULL;
}

static const char *value_end(const char *p, const char *end) {
    if (p == end) return NULL;
    if (*p == '"') return string_end(p + 1, end);
    if (*p == '{' || *p == '[') return container_end(p + 1, end);
    const char *start = p;
    while (p < end && *p != ',' && *p != '}' && *p != ' ' && *p != '\n' && *p != '\r' && *p != '\t') p++;
    return p > start ? p : NULL;
}

int jd_skim(const char *bytes, size_t length, jd_member_place *places, int room) {
    const char *p = bytes, *end = bytes + length;
    int count = 0;
    if (length > UINT32_MAX) return -1;
    p = space_end(p, end);
    if (p == end || *p != '{') return -1;
    p = space_end(p + 1, end);
    if (p < end && *p == '}') return space_end(p + 1, end) == end ? 0 : -1;
    for (;;) {
        if (p == end || *p != '"' || count == room) return -1;
        const char *key = p + 1, *key_end = string_end(key, end);
        if (!key_end) return -1;
        p = space_end(key_end, end);
        if (p == end || *p != ':') return -1;
        const char *value = space_end(p + 1, end);
        const char *after = value_end(value, end);
        if (!after) return -1;
        places[count++] = (jd_member_place){(uint32_t)(key - bytes), (uint32_t)(key_end - 1 - key), (uint32_t)(value - bytes), (uint32_t)(after - value)};
        p = space_end(after, end);
        if (p == end) return -1;
        if (*p == '}') return space_end(p + 1, end) == end ? count : -1;
        if (*p != ',') return -1;
        p = space_end(p + 1, end);
    }
}
