/* What the C files of this room share: the padding of texts, the step over one UTF-8 scalar, the scan over plain
 * string bytes, and the hash by which keys are told apart. Included by nobody outside this folder. */
#ifndef JD_READING_H
#define JD_READING_H

#include "CJSONDocument.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Every text and every decoded key is followed by so many bytes that may be read (zero behind a text). */
enum { JD_PADDING = 32 };

typedef unsigned char jd_byte;

/* The bytes of the scalar at p, 1 to 4; 0 when it is malformed, *bad then being the index of the first byte that
 * cannot continue it. Up to 4 bytes are read; a NUL behind the text ends it. */
static inline unsigned jd_scalar_length(const jd_byte *p, unsigned *bad) {
    jd_byte lead = p[0];
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) { *bad = 0; return 0; }
    if (lead < 0xE0) {
        if ((p[1] & 0xC0) != 0x80) { *bad = 1; return 0; }
        return 2;
    }
    jd_byte low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    jd_byte high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high) { *bad = 1; return 0; }
    if ((p[2] & 0xC0) != 0x80) { *bad = 2; return 0; }
    if (lead < 0xF0) return 3;
    if ((p[3] & 0xC0) != 0x80) { *bad = 3; return 0; }
    return 4;
}

/* From p on: the first byte that is a quote, a backslash, a control character or not ASCII. The NUL behind the text
 * stops the scan. */
static inline const jd_byte *jd_plain_end(const jd_byte *p) {
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1F);
    for (;; p += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i stops = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
        stops = _mm_or_si128(stops, _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes));
        /* movemask takes the top bit of each byte, which is set in every byte that is not ASCII. */
        unsigned mask = (unsigned)_mm_movemask_epi8(_mm_or_si128(stops, bytes));
        if (mask) return p + __builtin_ctz(mask);
    }
#else
    while (*p >= 0x20 && *p < 0x80 && *p != '"' && *p != '\\') p++;
    return p;
#endif
}

/* The first and the last eight bytes of a key; both together and the length are the whole key up to 16 bytes. No
 * branch: the lengths of keys follow no pattern. */
typedef struct jd_ends {
    uint64_t first, last;
} jd_ends;

static inline jd_ends jd_key_ends(const char *key, uint32_t length) {
    static const uint64_t masks[9] = {0,
                                      0xFF,
                                      0xFFFF,
                                      0xFFFFFF,
                                      0xFFFFFFFF,
                                      0xFFFFFFFFFF,
                                      0xFFFFFFFFFFFF,
                                      0xFFFFFFFFFFFFFF,
                                      0xFFFFFFFFFFFFFFFF};
    uint64_t mask = masks[length < 8 ? length : 8];
    jd_ends ends;
    memcpy(&ends.first, key, 8);
    memcpy(&ends.last, key + (length < 8 ? 0 : length - 8), 8);
    ends.first &= mask;
    ends.last &= mask;
    return ends;
}

static inline uint32_t jd_key_hash(jd_ends ends, uint32_t length) {
    uint64_t mixed = (ends.first ^ ((uint64_t)length << 56)) * 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 29) ^ ends.last) * 0xBF58476D1CE4E5B9u;
    return (uint32_t)(mixed >> 32);
}

/* A word of a vocabulary; id 0 marks a free place. */
typedef struct jd_slot {
    jd_ends ends;
    const char *word;
    uint32_t length;
    uint16_t id;
} jd_slot;

/* An open hash table, never more than a quarter full. */
struct jd_vocabulary {
    uint32_t mask;
    char *words;
    jd_slot slots[];
};

/* The key's number in the vocabulary, 0 when it has none. */
static inline uint16_t jd_vocabulary_find(const jd_vocabulary *vocabulary, const char *key, uint32_t length,
                                          jd_ends ends, uint32_t hash) {
    for (uint32_t at = hash & vocabulary->mask;; at = (at + 1) & vocabulary->mask) {
        const jd_slot *slot = &vocabulary->slots[at];
        if (!slot->id) return 0;
        if (slot->ends.first == ends.first && slot->ends.last == ends.last && slot->length == length &&
            (length <= 16 || memcmp(slot->word, key, length) == 0)) {
            return slot->id;
        }
    }
}

/* Reads the number at node->text (which ends in a byte no number has) into kind, value, length and flags. Returns
 * the byte behind it; on a fault NULL, and *fault is the byte that cannot continue. */
const jd_byte *jd_read_number(const jd_byte *text, jd_node *node, const jd_byte **fault);

/* strtod that knows no locale. */
double jd_read_double(const char *text);

/* Keys of the object being read, by which duplicates are found. */
typedef struct jd_member {
    uint32_t hash;
    uint32_t node;
} jd_member;

/* Marks all but the last of equal keys as shadowed and returns how many. `scratch` has room for count members and is
 * used beyond a few dozen; the order of `members` is lost then. */
uint32_t jd_mark_shadowed(jd_node *nodes, jd_member *members, jd_member *scratch, uint32_t count);

#endif
