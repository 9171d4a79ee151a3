/* Texts and integers as JSON, for the writer. Most texts need no escape, so they are looked at and copied in one go,
 * sixteen or eight bytes a step. */
#include "reading.h"

static int needs_escape(jd_byte c) { return c < 0x20 || c == '"' || c == '\\'; }

/* Not zero when one of eight bytes needs an escape. */
static inline uint64_t any_escape(uint64_t eight) {
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t quote = eight ^ ones * '"', backslash = eight ^ ones * '\\';
    uint64_t found = ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((eight - ones * 0x20) & ~eight);
    return found & tops;
}

static size_t copy_bytes(const jd_byte *text, size_t at, size_t length, jd_byte *out) {
    for (; at < length && !needs_escape(text[at]); at++) out[at] = text[at];
    return at;
}

/* Copies what needs no escape and says how much that was; up to 16 bytes behind it may be overwritten. What is left
 * behind the last whole step is covered by a step that ends with the text and looks at some bytes once more. */
static inline size_t copy_plain(const jd_byte *text, size_t length, jd_byte *out) {
    size_t at = 0;
    uint64_t eight;
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1F);
    for (; length - at >= 16; at += 16) {
        __m128i sixteen = _mm_loadu_si128((const __m128i *)(const void *)(text + at));
        __m128i stops = _mm_or_si128(_mm_cmpeq_epi8(sixteen, quote), _mm_cmpeq_epi8(sixteen, backslash));
        stops = _mm_or_si128(stops, _mm_cmpeq_epi8(_mm_min_epu8(sixteen, control), sixteen));
        _mm_storeu_si128((__m128i *)(void *)(out + at), sixteen);
        unsigned mask = (unsigned)_mm_movemask_epi8(stops);
        if (mask) return at + (size_t)__builtin_ctz(mask);
    }
#endif
    for (; length - at >= 8; at += 8) {
        memcpy(&eight, text + at, 8);
        if (any_escape(eight)) return copy_bytes(text, at, length, out);
        memcpy(out + at, &eight, 8);
    }
    if (at == length) return length;
    if (at >= 8) {
        memcpy(&eight, text + length - 8, 8);
        if (any_escape(eight)) return copy_bytes(text, at, length, out);
        memcpy(out + length - 8, &eight, 8);
        return length;
    }
    if (length >= 4) {
        uint32_t first, last;
        memcpy(&first, text, 4);
        memcpy(&last, text + length - 4, 4);
        if (any_escape((uint64_t)last << 32 | first)) return copy_bytes(text, at, length, out);
        memcpy(out, &first, 4);
        memcpy(out + length - 4, &last, 4);
        return length;
    }
    return copy_bytes(text, at, length, out);
}

static jd_byte *put_escape(jd_byte c, jd_byte *out) {
    static const char digits[] = "0123456789abcdef";
    *out++ = '\\';
    switch (c) {
    case '"': case '\\': *out++ = c; break;
    case '\b': *out++ = 'b'; break;
    case '\t': *out++ = 't'; break;
    case '\n': *out++ = 'n'; break;
    case '\f': *out++ = 'f'; break;
    case '\r': *out++ = 'r'; break;
    default:
        *out++ = 'u';
        *out++ = '0';
        *out++ = '0';
        *out++ = (jd_byte)digits[c >> 4];
        *out++ = (jd_byte)digits[c & 15];
    }
    return out;
}

size_t jd_quote(const unsigned char *bytes, size_t length, unsigned char *out) {
    jd_byte *p = out;
    *p++ = '"';
    for (size_t at = 0;;) {
        size_t plain = copy_plain(bytes + at, length - at, p);
        p += plain;
        at += plain;
        if (at == length) break;
        p = put_escape(bytes[at++], p);
    }
    *p++ = '"';
    return (size_t)(p - out);
}

size_t jd_quoted_length(const unsigned char *bytes, size_t length) {
    size_t total = length + 2;
    jd_byte escape[6];
    for (size_t at = 0; at < length; at++) {
        if (needs_escape(bytes[at])) total += (size_t)(put_escape(bytes[at], escape) - escape) - 1;
    }
    return total;
}

size_t jd_integer_text(int64_t value, unsigned char *out) {
    jd_byte digits[20];
    size_t count = 0, length = 0;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do digits[count++] = (jd_byte)('0' + left % 10);
    while (left /= 10);
    if (value < 0) out[length++] = '-';
    while (count) out[length++] = digits[--count];
    return length;
}
