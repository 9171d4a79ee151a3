/* Fuzzer: any bytes through the JSON reader. What reads must read again, the same, from its shortest text and from a
 * copy built value by value; what does not read names a place inside the text. Built by scripts/fuzz.sh. */
#include <CJSONDocument.h>
#include <stdlib.h>

static void demand(int holds) {
    if (!holds) abort();
}

static int same(const jd_node *a, const jd_node *b) {
    while (a->kind == JD_LINK) a = a->value.target;
    while (b->kind == JD_LINK) b = b->value.target;
    if (a->kind != b->kind || a->count != b->count || a->key_length != b->key_length) return 0;
    if (a->key_length && memcmp(a->key, b->key, a->key_length)) return 0;
    if (a->kind == JD_STRING) return a->length == b->length && (!a->length || !memcmp(a->text, b->text, a->length));
    if (a->kind == JD_INTEGER) return a->value.integer == b->value.integer;
    if (a->kind != JD_ARRAY && a->kind != JD_OBJECT) return 1;
    const jd_node *x = a + 1, *y = b + 1, *x_end = a + a->span, *y_end = b + b->span;
    for (;; x += x->span, y += y->span) {
        while (x < x_end && (x->flags & JD_SHADOWED)) x += x->span;
        while (y < y_end && (y->flags & JD_SHADOWED)) y += y->span;
        if (x >= x_end || y >= y_end) return x >= x_end && y >= y_end;
        if (!same(x, y)) return 0;
    }
}

static void quoted(const jd_node *node, jd_document *again) {
    if (node->kind != JD_STRING) return;
    unsigned char *out = malloc(jd_quote_room(node->length));
    if (!out) return;
    size_t length = jd_quote((const unsigned char *)(node->length ? node->text : ""), node->length, out);
    jd_fault fault;
    demand(length == jd_quoted_length((const unsigned char *)(node->length ? node->text : ""), node->length));
    demand(jd_document_read(again, (const char *)out, length, 1 << 24, 4, NULL, &fault) == JD_OK);
    const jd_node *root = jd_document_root(again);
    demand(root->kind == JD_STRING && root->length == node->length && (!node->length || !memcmp(root->text, node->text, node->length)));
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    jd_document *first = jd_document_new(), *second = jd_document_new();
    jd_builder *copy = jd_builder_new();
    jd_fault fault = {0};
    const char *text = size ? (const char *)bytes : "";
    if (jd_document_read(first, text, size, 1 << 20, 64, NULL, &fault) != JD_OK) {
        demand(fault.code != JD_OK && fault.offset <= size && fault.line >= 1 && fault.column >= 1);
    } else {
        const jd_node *root = jd_document_root(first);
        size_t length;
        const char *whole = jd_document_text(first, &length);
        char *small = malloc(length + 1);
        demand(small != NULL);
        size_t left = jd_minify(whole, length, small);
        demand(left <= length && jd_document_read(second, small, left, 1 << 20, 64, NULL, &fault) == JD_OK);
        demand(same(root, jd_document_root(second)));
        free(small);
        jd_builder_copy(copy, root);
        const jd_node *built = jd_builder_finish(copy);
        demand(built && same(root, built));
        for (uint32_t i = 0; i < root->span; i++) quoted(root + i, second);
    }
    jd_document_free(first);
    jd_document_free(second);
    jd_builder_free(copy);
    return 0;
}
