/* The reader: one pass over a copy of the text, no recursion, no allocation once the buffers have grown. While a
 * container is open its node keeps what the reader has to come back to: `span` the container around it, `length` where
 * its keys begin among the members. */
#include <stdlib.h>

#include "document.h"

enum { JD_NO_NODE = UINT32_MAX };

/* A key that has been read and waits for its value. */
typedef struct {
    const char *text;
    uint32_t length;
    uint16_t id;
    uint8_t flags;
} jd_key;

static inline const jd_byte *skip_space(const jd_byte *p) {
    while (*p <= ' ' && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p++;
    return p;
}

/* Whether a byte that directly follows a number reads as a part of it. */
static int continues_word(jd_byte c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '.' || c == '+' || c == '-' ||
           c == '_';
}

/* The fault of a byte that stands where a value, a key, a comma or a bracket should. */
static int token_fault(jd_byte c) {
    return (c >= 0x80 && c < 0xC2) || c > 0xF4 ? JD_FAULT_UTF8 : JD_FAULT_TOKEN;
}

/* Compares the rest of true, false or null; on a fault NULL and the first byte that differs. */
static const jd_byte *read_word(const jd_byte *p, const char *word, const jd_byte **where) {
    for (; *word; word++, p++) {
        if (*p != (jd_byte)*word) {
            *where = p;
            return NULL;
        }
    }
    return p;
}

static int read_text(jd_document *d, const jd_byte *p, uint32_t max_depth, const jd_vocabulary *vocabulary,
                     const jd_byte **where) {
    const jd_byte *text = (const jd_byte *)d->text, *end = text + d->length;
    uint32_t open = JD_NO_NODE, depth = 0;
    jd_key key = {NULL, 0, 0, 0};
    jd_string string;
    jd_node *node;

#define FAULT(code, at)                                 \
    do {                                                \
        *where = (at);                                  \
        return (at) == end ? JD_FAULT_UNFINISHED : (code); \
    } while (0)

    p = skip_space(p);
    if (p == end) {
        *where = p;
        return JD_FAULT_EMPTY;
    }

value:
    if (d->count == d->capacity && !jd_grow_nodes(d)) {
        *where = p;
        return JD_FAULT_MEMORY;
    }
    node = &d->nodes[d->count++];
    *node = (jd_node){.key = key.text,
                      .key_length = key.length,
                      .offset = (uint32_t)(p - text),
                      .span = 1,
                      .key_id = key.id,
                      .flags = key.flags};
    switch (*p) {
    case '"': {
        int code = jd_read_string(d, p + 1, &string, where);
        if (code) return code;
        node->kind = JD_STRING;
        node->text = string.text;
        node->length = string.length;
        node->flags |= string.flags;
        p = string.end;
        break;
    }
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9': {
        const jd_byte *fault = NULL;
        p = jd_read_number(p, node, &fault);
        if (!p) FAULT(JD_FAULT_NUMBER, fault);
        if (continues_word(*p)) FAULT(JD_FAULT_NUMBER, p);
        break;
    }
    case '{': case '[': {
        if (depth == max_depth) {
            *where = p;
            return JD_FAULT_DEPTH;
        }
        depth++;
        jd_byte close = *p == '{' ? '}' : ']';
        node->kind = close == '}' ? JD_OBJECT : JD_ARRAY;
        node->span = open;
        node->length = d->member_count;
        open = d->count - 1;
        p = skip_space(p + 1);
        if (*p == close) goto close_container;
        key = (jd_key){NULL, 0, 0, 0};
        if (close == ']') goto value;
        goto key;
    }
    case 't': case 'f': case 'n': {
        const jd_byte *fault = NULL;
        node->kind = *p == 't' ? JD_TRUE : *p == 'f' ? JD_FALSE : JD_NULL;
        p = read_word(p, *p == 't' ? "true" : *p == 'f' ? "false" : "null", &fault);
        if (!p) FAULT(token_fault(*fault), fault);
        break;
    }
    case '+': case '.':
        FAULT(JD_FAULT_NUMBER, p);
    default:
        FAULT(token_fault(*p), p);
    }
    node->source_length = (uint32_t)(p - text) - node->offset;

after_value:
    if (open == JD_NO_NODE) {
        p = skip_space(p);
        if (p == end) return JD_OK;
        *where = p;
        return token_fault(*p) == JD_FAULT_UTF8 ? JD_FAULT_UTF8 : JD_FAULT_TRAILING;
    }
    node = &d->nodes[open];
    node->count++;
    p = skip_space(p);
    if (*p == ',') {
        p = skip_space(p + 1);
        if (node->kind == JD_OBJECT) goto key;
        key = (jd_key){NULL, 0, 0, 0};
        goto value;
    }
    if (*p != (node->kind == JD_OBJECT ? '}' : ']')) FAULT(token_fault(*p), p);

close_container:
    p++;
    node = &d->nodes[open];
    if (node->kind == JD_OBJECT) {
        uint32_t shadowed = jd_mark_shadowed(d->nodes, d->members + node->length, d->scratch,
                                             d->member_count - node->length);
        node->count -= shadowed;
        d->shadowed += shadowed;
    }
    d->member_count = node->length;
    node->length = 0;
    uint32_t around = node->span;
    node->span = d->count - open;
    node->source_length = (uint32_t)(p - text) - node->offset;
    open = around;
    depth--;
    goto after_value;

key:
    if (*p != '"') FAULT(token_fault(*p), p);
    int code = jd_read_string(d, p + 1, &string, where);
    if (code) return code;
    jd_ends ends = jd_key_ends(string.text, string.length);
    uint32_t hash = jd_key_hash(ends, string.length);
    key.text = string.text;
    key.length = string.length;
    key.flags = string.flags & JD_REPLACED;
    key.id = vocabulary ? jd_vocabulary_find(vocabulary, string.text, string.length, ends, hash) : 0;
    if (d->member_count == d->member_capacity && !jd_grow_members(d)) {
        *where = p;
        return JD_FAULT_MEMORY;
    }
    d->members[d->member_count++] = (jd_member){hash, d->count};
    p = skip_space(string.end);
    if (*p != ':') FAULT(token_fault(*p), p);
    p = skip_space(p + 1);
    goto value;
#undef FAULT
}

int jd_document_read(jd_document *d, const char *bytes, size_t length, size_t max_bytes, uint32_t max_depth,
                     const jd_vocabulary *vocabulary, jd_fault *fault) {
    const jd_byte *where = NULL;
    jd_clear(d);
    int code = JD_OK;
    size_t limit = max_bytes < JD_LARGEST_TEXT ? max_bytes : JD_LARGEST_TEXT;
    if (length > limit) {
        code = JD_FAULT_TOO_LARGE;
    } else if (!jd_take_text(d, bytes, length)) {
        code = JD_FAULT_MEMORY;
    } else {
        const jd_byte *p = (const jd_byte *)d->text;
        if (length >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) p += 3;
        code = read_text(d, p, max_depth, vocabulary, &where);
    }
    if (code == JD_OK) return JD_OK;
    if (fault) {
        fault->code = code;
        fault->offset = where ? (uint32_t)(where - (const jd_byte *)d->text) : code == JD_FAULT_TOO_LARGE ? (uint32_t)limit : 0;
        jd_place(bytes, length, fault->offset, &fault->line, &fault->column);
    }
    jd_clear(d);
    return code;
}
