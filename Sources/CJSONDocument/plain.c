/* Where a text needs its first escape; read by the writer, which copies everything before it in one piece. */
#include "reading.h"

static int needs_escape(jd_byte c) { return c < 0x20 || c == '"' || c == '\\'; }

size_t jd_plain_length(const unsigned char *bytes, size_t length) {
    size_t at = 0;
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1F);
    for (; length - at >= 16; at += 16) {
        __m128i sixteen = _mm_loadu_si128((const __m128i *)(const void *)(bytes + at));
        __m128i stops = _mm_or_si128(_mm_cmpeq_epi8(sixteen, quote), _mm_cmpeq_epi8(sixteen, backslash));
        stops = _mm_or_si128(stops, _mm_cmpeq_epi8(_mm_min_epu8(sixteen, control), sixteen));
        unsigned mask = (unsigned)_mm_movemask_epi8(stops);
        if (mask) return at + (size_t)__builtin_ctz(mask);
    }
#endif
    while (at < length && !needs_escape(bytes[at])) at++;
    return at;
}
