/* JSON text as a flat tape of nodes, and a builder for tapes that no text stands behind.
 *
 * Everything a rule can look at - the message, the device, the event, stored state, what a rule returned - has
 * this one shape, so that the reader of wire formats, the views of the Lua machine and the JSON writer share
 * one way of walking values.
 *
 * Nothing in here raises, jumps, prints or keeps global state. One document is used by one thread at a time.
 */
#ifndef CJSONDOCUMENT_H
#define CJSONDOCUMENT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Kinds of value (jd_node.kind). */
enum {
    JD_NULL = 0,
    JD_FALSE = 1,
    JD_TRUE = 2,
    JD_INTEGER = 3,  /* a literal without fraction and exponent that fits int64: `value.integer` */
    JD_DECIMAL = 4,  /* every other number: `value.decimal`; the literal stays in `text` */
    JD_STRING = 5,   /* `text`, `length`: decoded UTF-8, not NUL-terminated */
    JD_ARRAY = 6,
    JD_OBJECT = 7,
    JD_LINK = 8,     /* in built tapes only: the value stands at `value.target`, in another tape */
    JD_FUNCTION = 9  /* in tapes built from Lua only: `value.integer` names a function of that machine */
};

/* Marks of a node (jd_node.flags). */
enum {
    JD_ESCAPED = 1,    /* the string's text differs from its source */
    JD_REPLACED = 2,   /* at least one lone surrogate became U+FFFD in the string (or in the key) */
    JD_SHADOWED = 4,   /* a later member of the same object has the same key: skip this one */
    JD_BUILT = 8,      /* no source stands behind the node */
    JD_OVERFLOW = 16   /* a decimal whose literal is an integer beyond int64, or beyond a double's range */
};

typedef struct jd_node {
    const char *key;        /* decoded key of an object's member; NULL elsewhere */
    const char *text;       /* string: decoded bytes; number: the literal's bytes (NULL in a number that was built
                             * without one); else NULL */
    union {
        int64_t integer;
        double decimal;
        const struct jd_node *target;
    } value;
    uint32_t key_length;    /* bytes */
    uint32_t length;        /* bytes of text */
    uint32_t offset;        /* where the value's source begins, in bytes from the start of the text */
    uint32_t source_length; /* bytes of the value's source, quotes and brackets included */
    uint32_t span;          /* nodes of the value, itself included: the next sibling is `node + span` */
    uint32_t count;         /* array: elements; object: members that are not shadowed */
    uint16_t key_id;        /* 1-based place of the key in the vocabulary; 0 = not in it */
    uint8_t kind;
    uint8_t flags;
} jd_node;

/* ---- vocabulary: keys that readers compare by number -------------------------------------------------------- */

typedef struct jd_vocabulary jd_vocabulary;
/* Copies the words (NUL-terminated UTF-8, each once). The i-th word (from 0) gets key_id i + 1. NULL: no memory. */
jd_vocabulary *jd_vocabulary_new(const char *const *words, size_t count);
void jd_vocabulary_free(jd_vocabulary *);

/* ---- reading ------------------------------------------------------------------------------------------------- */

typedef struct jd_document jd_document;

enum {
    JD_OK = 0,
    JD_FAULT_EMPTY = 1,           /* nothing but white space */
    JD_FAULT_TOO_LARGE = 2,       /* more than max_bytes */
    JD_FAULT_UTF8 = 3,            /* a byte that cannot continue UTF-8 */
    JD_FAULT_TOKEN = 4,           /* a byte that cannot begin or continue a value here */
    JD_FAULT_STRING = 5,          /* a control character inside a string */
    JD_FAULT_ESCAPE = 6,          /* a bad escape */
    JD_FAULT_NUMBER = 7,          /* a number not written as JSON writes numbers */
    JD_FAULT_DEPTH = 8,           /* nested deeper than max_depth */
    JD_FAULT_TRAILING = 9,        /* text after the value */
    JD_FAULT_UNFINISHED = 10,     /* the text ends inside a value */
    JD_FAULT_MEMORY = 11
};

typedef struct jd_fault {
    int code;
    uint32_t offset;  /* bytes from 0: the first byte that cannot continue */
    uint32_t line;    /* from 1 */
    uint32_t column;  /* from 1, in Unicode scalars */
} jd_fault;

jd_document *jd_document_new(void);
void jd_document_free(jd_document *);
/* Copies the text and reads it. A UTF-8 byte order mark is skipped (offsets still count it). On a fault the
 * document is empty. Nodes and texts live until the next jd_document_read or jd_document_free.
 * max_depth counts containers: `[[]]` has depth 2. vocabulary may be NULL and must outlive the document. */
int jd_document_read(jd_document *, const char *bytes, size_t length, size_t max_bytes, uint32_t max_depth,
                     const jd_vocabulary *vocabulary, jd_fault *fault);
/* The root node; NULL when empty. */
const jd_node *jd_document_root(const jd_document *);
/* The text that was read (the document's own copy; `offset` of a node counts from here). */
const char *jd_document_text(const jd_document *, size_t *length);
/* How many members are shadowed and how many strings or keys have a replaced surrogate: 0 spares the reader a walk. */
uint32_t jd_document_shadowed(const jd_document *);
uint32_t jd_document_replaced(const jd_document *);

/* Where a member of an object stands, in bytes from the start of the text: the key between its quotes, as it is written there,
 * and the value. */
typedef struct jd_member_place {
    uint32_t key, key_length, value, value_length;
} jd_member_place;

/* Finds the members of the object that a text holds without reading what is in them: no memory, about a tenth of the time
 * of reading. Only the outermost level is as JSON demands; a value that is found may be none. Of texts that hold JSON the places are
 * those of the nodes. Returns how many there are; -1 when it is no object, or has more members than there is room for. */
int jd_skim(const char *bytes, size_t length, jd_member_place *places, int room);

/* Where a byte of a text stands: line from 1, column from 1 in Unicode scalars (bytes that are not UTF-8 count one each,
 * a byte order mark at the start none). */
void jd_place(const char *bytes, size_t length, size_t offset, uint32_t *line, uint32_t *column);
/* Whether bytes are well-formed UTF-8 (no surrogates, no overlong forms); if not, *bad = offset of the first byte that
 * cannot continue, which is the length when the text ends inside a scalar. */
int jd_utf8_valid(const char *bytes, size_t length, size_t *bad);

/* ---- building ------------------------------------------------------------------------------------------------ */

/* A tape made by hand. Values are appended in document order; a container is opened, filled, closed. `key` is NULL
 * inside arrays and at the root. Keys and texts given to `*_borrowed` must outlive the builder's next reset; all
 * others are copied. A failed allocation or a call out of order (a value without its key, a bracket too many) is
 * sticky: jd_builder_finish then gives NULL. A builder that is NULL itself takes
 * every call and finishes nothing. */
typedef struct jd_builder jd_builder;
jd_builder *jd_builder_new(void);
void jd_builder_free(jd_builder *);
void jd_builder_reset(jd_builder *);
void jd_builder_open(jd_builder *, uint8_t kind /* JD_ARRAY or JD_OBJECT */);
void jd_builder_close(jd_builder *);
/* The key of the next value. */
void jd_builder_key(jd_builder *, const char *key, size_t length, uint16_t key_id);
void jd_builder_key_borrowed(jd_builder *, const char *key, size_t length, uint16_t key_id);
void jd_builder_null(jd_builder *);
void jd_builder_bool(jd_builder *, int value);
void jd_builder_integer(jd_builder *, int64_t value);
void jd_builder_decimal(jd_builder *, double value);
void jd_builder_number_literal(jd_builder *, const char *text, size_t length); /* copied; must be a JSON number */
void jd_builder_string(jd_builder *, const char *text, size_t length);
void jd_builder_string_borrowed(jd_builder *, const char *text, size_t length);
void jd_builder_link(jd_builder *, const jd_node *target); /* the target must outlive the builder's next reset */
void jd_builder_function(jd_builder *, int64_t reference);
/* Memory that lives until the next reset; NULL when there is none. */
char *jd_builder_memory(jd_builder *, size_t length);
/* The finished tape: its root. NULL when memory ran out or containers are still open. */
const jd_node *jd_builder_finish(jd_builder *);
/* A deep copy of a value into a builder, links resolved, texts copied. */
void jd_builder_copy(jd_builder *, const jd_node *value);

/* Whether two texts of the same length have the same bytes. */
static inline int jd_bytes_equal(const unsigned char *a, const unsigned char *b, size_t length) {
    return memcmp(a, b, length) == 0;
}

/* ---- text forms ---------------------------------------------------------------------------------------------- */

/* The shortest decimal text that reads back as the same double, with ".0" or an exponent so that it stays a decimal
 * (1e15 → "1000000000000000.0", 1e300 → "1e+300"; "null" for what is not finite). Independent of the C locale. Returns
 * its length (< 32). */
size_t jd_decimal_text(double value, char buffer[32]);
/* Writes a text as a JSON string, quotes included: quotes, backslashes and controls escaped, all else as it is. out has
 * room for jd_quote_room(length) bytes. Returns the length. */
size_t jd_quote(const unsigned char *bytes, size_t length, unsigned char *out);
/* At least 6 bytes for each, 2 for the quotes, and 16 that may be written beyond the end. */
static inline size_t jd_quote_room(size_t length) { return 6 * length + 18; }
/* How many bytes jd_quote writes. */
size_t jd_quoted_length(const unsigned char *bytes, size_t length);
/* Writes an integer's digits; out has room for 20 bytes. Returns the length. */
size_t jd_integer_text(int64_t value, unsigned char *out);
/* Copies JSON text without the white space between tokens; out has room for length bytes and may be the text itself.
 * Returns the new length. The text must be valid JSON. */
size_t jd_minify(const char *bytes, size_t length, char *out);

#endif
