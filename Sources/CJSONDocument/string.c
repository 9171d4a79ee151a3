/* Strings: found, checked and, only where there are escapes, decoded. A surrogate that has no partner becomes U+FFFD
 * and is reported by a flag. */
#include "document.h"

/* Steps over everything that stands for itself. Returns the quote, backslash or control character behind it; NULL on
 * malformed UTF-8, *where then being the byte that cannot continue. */
static inline const jd_byte *skip_plain(const jd_byte *p, const jd_byte **where) {
    for (;;) {
        p = jd_plain_end(p);
        if (*p < 0x80) return p;
        do {
            unsigned bad = 0, step = jd_scalar_length(p, &bad);
            if (!step) {
                *where = p + bad;
                return NULL;
            }
            p += step;
        } while (*p >= 0x80);
    }
}

static int hex_value(jd_byte c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four hex digits. Returns how many of them are good; the value counts only if all are. */
static unsigned read_hex4(const jd_byte *p, uint32_t *value) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        int digit = hex_value(p[i]);
        if (digit < 0) return i;
        sum = sum << 4 | (uint32_t)digit;
    }
    *value = sum;
    return 4;
}

static char *put_scalar(char *out, uint32_t scalar) {
    if (scalar < 0x80) {
        *out++ = (char)scalar;
    } else if (scalar < 0x800) {
        *out++ = (char)(0xC0 | scalar >> 6);
        *out++ = (char)(0x80 | (scalar & 0x3F));
    } else if (scalar < 0x10000) {
        *out++ = (char)(0xE0 | scalar >> 12);
        *out++ = (char)(0x80 | (scalar >> 6 & 0x3F));
        *out++ = (char)(0x80 | (scalar & 0x3F));
    } else {
        *out++ = (char)(0xF0 | scalar >> 18);
        *out++ = (char)(0x80 | (scalar >> 12 & 0x3F));
        *out++ = (char)(0x80 | (scalar >> 6 & 0x3F));
        *out++ = (char)(0x80 | (scalar & 0x3F));
    }
    return out;
}

/* `p` is behind `\u`. Returns the byte behind the escape (and behind its partner), or NULL and *where. */
static const jd_byte *decode_unicode(const jd_byte *p, char **out, uint8_t *flags, const jd_byte **where) {
    uint32_t unit = 0, low = 0;
    unsigned good = read_hex4(p, &unit);
    if (good < 4) {
        *where = p + good;
        return NULL;
    }
    p += 4;
    if (unit >= 0xD800 && unit < 0xDC00 && p[0] == '\\' && p[1] == 'u' && read_hex4(p + 2, &low) == 4 &&
        low >= 0xDC00 && low < 0xE000) {
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        p += 6;
    } else if (unit >= 0xD800 && unit < 0xE000) {
        unit = 0xFFFD;
        *flags |= JD_REPLACED;
    }
    *out = put_scalar(*out, unit);
    return p;
}

/* `p` is behind the backslash. */
static const jd_byte *decode_escape(const jd_byte *p, char **out, uint8_t *flags, const jd_byte **where) {
    char c;
    switch (*p) {
    case '"': case '\\': case '/': c = (char)*p; break;
    case 'b': c = '\b'; break;
    case 'f': c = '\f'; break;
    case 'n': c = '\n'; break;
    case 'r': c = '\r'; break;
    case 't': c = '\t'; break;
    case 'u': return decode_unicode(p + 1, out, flags, where);
    default: *where = p; return NULL;
    }
    *(*out)++ = c;
    return p + 1;
}

/* The rest of a string whose first escape is at p; `start` is behind its opening quote. */
static int decode_string(jd_document *d, const jd_byte *start, const jd_byte *p, jd_string *string,
                         const jd_byte **where) {
    const jd_byte *end = (const jd_byte *)d->text + d->length;
    char *decoded = jd_decoding_room(d), *out = decoded;
    *where = p;
    if (!decoded) return JD_FAULT_MEMORY;
    uint8_t flags = JD_ESCAPED;
    for (;;) {
        memcpy(out, start, (size_t)(p - start));
        out += p - start;
        if (*p == '"') break;
        if (*p != '\\') {
            *where = p;
            return p == end ? JD_FAULT_UNFINISHED : JD_FAULT_STRING;
        }
        start = decode_escape(p + 1, &out, &flags, where);
        if (!start) return *where == end ? JD_FAULT_UNFINISHED : JD_FAULT_ESCAPE;
        p = skip_plain(start, where);
        if (!p) return *where == end ? JD_FAULT_UNFINISHED : JD_FAULT_UTF8;
    }
    d->decoded_length += (size_t)(out - decoded);
    d->replaced += (flags & JD_REPLACED) != 0;
    *string = (jd_string){decoded, p + 1, (uint32_t)(out - decoded), flags};
    return JD_OK;
}

int jd_read_any_string(jd_document *d, const jd_byte *start, jd_string *string, const jd_byte **where) {
    const jd_byte *p = skip_plain(start, where);
    const jd_byte *end = (const jd_byte *)d->text + d->length;
    if (!p) return *where == end ? JD_FAULT_UNFINISHED : JD_FAULT_UTF8;
    if (*p == '"') {
        *string = (jd_string){(const char *)start, p + 1, (uint32_t)(p - start), 0};
        return JD_OK;
    }
    if (*p == '\\') return decode_string(d, start, p, string, where);
    *where = p;
    return p == end ? JD_FAULT_UNFINISHED : JD_FAULT_STRING;
}
