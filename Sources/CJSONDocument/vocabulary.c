/* The words that readers compare by number: an open hash table that is built once and then only looked at, so that
 * one vocabulary may serve any number of documents and threads. */
#include <stdlib.h>

#include "reading.h"

jd_vocabulary *jd_vocabulary_new(const char *const *words, size_t count) {
    if (count > UINT16_MAX) return NULL;
    size_t slots = 16, bytes = JD_PADDING;
    while (slots < count * 4) slots *= 2;
    for (size_t i = 0; i < count; i++) bytes += strlen(words[i]) + JD_PADDING;
    jd_vocabulary *vocabulary = calloc(1, sizeof *vocabulary + slots * sizeof(jd_slot));
    char *copies = calloc(1, bytes);
    if (!vocabulary || !copies) {
        free(vocabulary);
        free(copies);
        return NULL;
    }
    vocabulary->mask = (uint32_t)slots - 1;
    vocabulary->words = copies;
    for (size_t i = 0; i < count; i++) {
        uint32_t length = (uint32_t)strlen(words[i]);
        memcpy(copies, words[i], length);
        jd_ends ends = jd_key_ends(copies, length);
        uint32_t at = jd_key_hash(ends, length) & vocabulary->mask;
        while (vocabulary->slots[at].id) at = (at + 1) & vocabulary->mask;
        vocabulary->slots[at] = (jd_slot){ends, copies, length, (uint16_t)(i + 1)};
        copies += length + JD_PADDING;
    }
    return vocabulary;
}

void jd_vocabulary_free(jd_vocabulary *vocabulary) {
    if (!vocabulary) return;
    free(vocabulary->words);
    free(vocabulary);
}
