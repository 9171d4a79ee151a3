/* The inside of a document and the two halves of its reader: buffers (buffers.c) and strings (string.c). */
#ifndef JD_DOCUMENT_H
#define JD_DOCUMENT_H

#include "reading.h"

/* Offsets and counts are 32 bits wide. */
#define JD_LARGEST_TEXT ((size_t)0xF0000000u)

struct jd_document {
    char *text;
    size_t length, text_capacity;
    /* Decoded strings; as large as the text, so that it never moves while one text is read. */
    char *decoded;
    size_t decoded_length, decoded_capacity;
    jd_node *nodes;
    uint32_t count, capacity;
    jd_member *members, *scratch;
    uint32_t member_count, member_capacity;
    uint32_t shadowed, replaced;
};

typedef struct jd_string {
    const char *text;
    const jd_byte *end; /* behind the closing quote */
    uint32_t length;
    uint8_t flags;
} jd_string;

void jd_clear(jd_document *);
/* Copies the text and puts the padding behind it. 0: no memory. */
int jd_take_text(jd_document *, const char *bytes, size_t length);
int jd_grow_nodes(jd_document *);
int jd_grow_members(jd_document *);
/* Where decoded bytes of the text may go; NULL: no memory. */
char *jd_decoding_room(jd_document *);

/* Reads a string from behind its opening quote, whatever stands in it. A fault's code, and *where the byte. */
int jd_read_any_string(jd_document *, const jd_byte *p, jd_string *string, const jd_byte **where);

/* The same; nearly every string is plain ASCII and is done here. */
static inline int jd_read_string(jd_document *d, const jd_byte *p, jd_string *string, const jd_byte **where) {
    const jd_byte *end = jd_plain_end(p);
    if (__builtin_expect(*end != '"', 0)) return jd_read_any_string(d, p, string, where);
    *string = (jd_string){(const char *)p, end + 1, (uint32_t)(end - p), 0};
    return JD_OK;
}

#endif
