/* Tapes made by hand. As in the reader, an open container's `span` names the container around it until it is closed.
 * Whatever goes wrong (memory, a value without a key, a bracket too many) sticks until the next reset. */
#include <stdlib.h>

#include "arena.h"
#include "reading.h"

enum { JD_NO_NODE = UINT32_MAX };

/* A container being copied: its members not yet seen. */
typedef struct {
    const jd_node *next, *end;
} jd_rest;

struct jd_builder {
    jd_node *nodes;
    uint32_t count, capacity, open;
    int is_broken;
    const char *key;
    uint32_t key_length;
    uint16_t key_id;
    jd_arena texts;
    jd_rest *rests;
    size_t rest_capacity;
};

jd_builder *jd_builder_new(void) {
    jd_builder *b = calloc(1, sizeof *b);
    if (b) b->open = JD_NO_NODE;
    return b;
}

void jd_builder_free(jd_builder *b) {
    if (!b) return;
    free(b->nodes);
    free(b->rests);
    jd_arena_free(&b->texts);
    free(b);
}

void jd_builder_reset(jd_builder *b) {
    if (!b) return;
    b->count = 0;
    b->open = JD_NO_NODE;
    b->is_broken = 0;
    b->key = NULL;
    jd_arena_reset(&b->texts);
}

static inline char *take(jd_builder *b, size_t length) {
    char *memory = length <= UINT32_MAX - JD_PADDING ? jd_arena_take(&b->texts, length ? length : 1) : NULL;
    if (!memory) b->is_broken = 1;
    return memory;
}

char *jd_builder_memory(jd_builder *b, size_t length) { return b ? take(b, length) : NULL; }

/* A copy that is padded and ends in NUL. */
static const char *copied(jd_builder *b, const char *text, size_t length) {
    if (!b) return NULL;
    if (length > UINT32_MAX - JD_PADDING) {
        b->is_broken = 1;
        return NULL;
    }
    char *copy = take(b, length + 1);
    if (!copy) return NULL;
    if (length) memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

static int grow(jd_builder *b) {
    uint32_t capacity = b->capacity ? b->capacity + b->capacity / 2 : 64;
    jd_node *nodes = capacity > b->capacity ? realloc(b->nodes, (size_t)capacity * sizeof *nodes) : NULL;
    if (!nodes) {
        b->is_broken = 1;
        return 0;
    }
    b->nodes = nodes;
    b->capacity = capacity;
    return 1;
}

/* The next node, with the key that waits for it. NULL when the builder is broken or no value may stand here. */
static inline __attribute__((always_inline)) jd_node *add(jd_builder *b, uint8_t kind) {
    if (!b) return NULL;
    const char *key = b->key;
    if (b->open != JD_NO_NODE) {
        jd_node *around = &b->nodes[b->open];
        around->count++;
        if ((key != NULL) != (around->kind == JD_OBJECT)) b->is_broken = 1;
    } else if (b->count || key) {
        b->is_broken = 1;
    }
    if (b->is_broken || (b->count == b->capacity && !grow(b))) return NULL;
    jd_node *node = &b->nodes[b->count++];
    *node = (jd_node){.span = 1, .kind = kind, .flags = JD_BUILT};
    if (key) {
        node->key = key;
        node->key_length = b->key_length;
        node->key_id = b->key_id;
        b->key = NULL;
    }
    return node;
}

void jd_builder_open(jd_builder *b, uint8_t kind) {
    if (!b) return;
    if (kind != JD_ARRAY && kind != JD_OBJECT) b->is_broken = 1;
    jd_node *node = add(b, kind);
    if (!node) return;
    node->span = b->open;
    b->open = b->count - 1;
}

void jd_builder_close(jd_builder *b) {
    if (!b) return;
    if (b->open == JD_NO_NODE || b->key) b->is_broken = 1;
    if (b->is_broken) return;
    jd_node *node = &b->nodes[b->open];
    uint32_t around = node->span;
    node->span = b->count - b->open;
    b->open = around;
}

void jd_builder_key_borrowed(jd_builder *b, const char *key, size_t length, uint16_t key_id) {
    if (!b) return;
    if (b->key || length > UINT32_MAX) b->is_broken = 1;
    b->key = key ? key : "";
    b->key_length = (uint32_t)length;
    b->key_id = key_id;
}

void jd_builder_key(jd_builder *b, const char *key, size_t length, uint16_t key_id) {
    const char *copy = copied(b, key, length);
    if (copy) jd_builder_key_borrowed(b, copy, length, key_id);
}

void jd_builder_null(jd_builder *b) { add(b, JD_NULL); }
void jd_builder_bool(jd_builder *b, int value) { add(b, value ? JD_TRUE : JD_FALSE); }

void jd_builder_integer(jd_builder *b, int64_t value) {
    jd_node *node = add(b, JD_INTEGER);
    if (node) node->value.integer = value;
}

void jd_builder_decimal(jd_builder *b, double value) {
    jd_node *node = add(b, JD_DECIMAL);
    if (node) node->value.decimal = value;
}

void jd_builder_number_literal(jd_builder *b, const char *text, size_t length) {
    const char *copy = copied(b, text, length);
    jd_node *node = copy ? add(b, JD_INTEGER) : NULL;
    if (!node) return;
    const jd_byte *fault = NULL, *end = jd_read_number((const jd_byte *)copy, node, &fault);
    if (end != (const jd_byte *)copy + length) b->is_broken = 1;
}

void jd_builder_string_borrowed(jd_builder *b, const char *text, size_t length) {
    if (b && length > UINT32_MAX) b->is_broken = 1;
    jd_node *node = add(b, JD_STRING);
    if (!node) return;
    node->text = text ? text : "";
    node->length = (uint32_t)length;
}

void jd_builder_string(jd_builder *b, const char *text, size_t length) {
    const char *copy = copied(b, text, length);
    jd_node *node = copy ? add(b, JD_STRING) : NULL;
    if (!node) return;
    node->text = copy;
    node->length = (uint32_t)length;
}

void jd_builder_link(jd_builder *b, const jd_node *target) {
    jd_node *node = add(b, JD_LINK);
    if (node) node->value.target = target->kind == JD_LINK ? target->value.target : target;
}

void jd_builder_function(jd_builder *b, int64_t reference) {
    jd_node *node = add(b, JD_FUNCTION);
    if (node) node->value.integer = reference;
}

const jd_node *jd_builder_finish(jd_builder *b) {
    return !b || b->is_broken || b->open != JD_NO_NODE || b->key || !b->count ? NULL : b->nodes;
}

/* One value that is no container. */
static void copy_scalar(jd_builder *b, const jd_node *value) {
    const char *text = NULL;
    if (value->text) {
        text = copied(b, value->text, value->length);
        if (!text) return;
    }
    jd_node *node = add(b, value->kind);
    if (!node) return;
    node->text = text;
    node->length = value->length;
    node->value = value->value;
    node->flags |= value->flags & (JD_REPLACED | JD_OVERFLOW);
}

static int enter(jd_builder *b, size_t depth, const jd_node *container) {
    if (depth == b->rest_capacity) {
        size_t capacity = depth ? depth * 2 : 32;
        jd_rest *rests = realloc(b->rests, capacity * sizeof *rests);
        if (!rests) {
            b->is_broken = 1;
            return 0;
        }
        b->rests = rests;
        b->rest_capacity = capacity;
    }
    b->rests[depth] = (jd_rest){container + 1, container + container->span};
    jd_builder_open(b, container->kind);
    return 1;
}

void jd_builder_copy(jd_builder *b, const jd_node *value) {
    if (!b) return;
    size_t depth = 0;
    for (;;) {
        if (value->kind == JD_LINK) value = value->value.target;
        if (value->kind == JD_ARRAY || value->kind == JD_OBJECT) {
            if (!enter(b, depth, value)) return;
            depth++;
        } else {
            copy_scalar(b, value);
        }
        /* On to the next member of the innermost container that has one left. */
        for (;;) {
            if (!depth || b->is_broken) return;
            jd_rest *rest = &b->rests[depth - 1];
            while (rest->next < rest->end && rest->next->flags & JD_SHADOWED) rest->next += rest->next->span;
            if (rest->next < rest->end) {
                value = rest->next;
                rest->next += value->span;
                if (value->key) jd_builder_key(b, value->key, value->key_length, value->key_id);
                break;
            }
            jd_builder_close(b);
            depth--;
        }
    }
}
