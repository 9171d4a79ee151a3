/* The memory of a document: four buffers that grow and stay, so that a reader of a stream allocates nothing after the
 * first few messages. */
#include <stdlib.h>

#include "document.h"

jd_document *jd_document_new(void) { return calloc(1, sizeof(jd_document)); }

void jd_document_free(jd_document *d) {
    if (!d) return;
    free(d->text);
    free(d->decoded);
    free(d->nodes);
    free(d->members);
    free(d->scratch);
    free(d);
}

void jd_clear(jd_document *d) {
    d->length = d->decoded_length = 0;
    d->count = d->member_count = 0;
    d->shadowed = d->replaced = 0;
}

int jd_take_text(jd_document *d, const char *bytes, size_t length) {
    if (length + JD_PADDING > d->text_capacity) {
        size_t capacity = length + length / 2 + 2 * JD_PADDING;
        char *text = malloc(capacity);
        if (!text) return 0;
        free(d->text);
        d->text = text;
        d->text_capacity = capacity;
    }
    if (length) memcpy(d->text, bytes, length);
    memset(d->text + length, 0, JD_PADDING);
    d->length = length;
    return 1;
}

char *jd_decoding_room(jd_document *d) {
    /* A decoded string is never longer than its source, so the text's own size is enough for all of them. It must not
     * move while strings of this text stand in it: it only grows before the first. */
    if (d->decoded_capacity < d->length + JD_PADDING) {
        char *decoded = malloc(d->text_capacity);
        if (!decoded) return NULL;
        free(d->decoded);
        d->decoded = decoded;
        d->decoded_capacity = d->text_capacity;
    }
    return d->decoded + d->decoded_length;
}

int jd_grow_nodes(jd_document *d) {
    uint32_t capacity = d->capacity ? d->capacity + d->capacity / 2 : 128;
    if (capacity < d->capacity) return 0;
    jd_node *nodes = realloc(d->nodes, (size_t)capacity * sizeof *nodes);
    if (!nodes) return 0;
    d->nodes = nodes;
    d->capacity = capacity;
    return 1;
}

int jd_grow_members(jd_document *d) {
    uint32_t capacity = d->member_capacity ? d->member_capacity + d->member_capacity / 2 : 64;
    if (capacity < d->member_capacity) return 0;
    jd_member *scratch = malloc((size_t)capacity * sizeof *scratch);
    if (!scratch) return 0;
    free(d->scratch);
    d->scratch = scratch;
    jd_member *members = realloc(d->members, (size_t)capacity * sizeof *members);
    if (!members) return 0;
    d->members = members;
    d->member_capacity = capacity;
    return 1;
}

const jd_node *jd_document_root(const jd_document *d) { return d->count ? d->nodes : NULL; }

const char *jd_document_text(const jd_document *d, size_t *length) {
    *length = d->length;
    return d->text;
}

uint32_t jd_document_shadowed(const jd_document *d) { return d->shadowed; }
uint32_t jd_document_replaced(const jd_document *d) { return d->replaced; }
