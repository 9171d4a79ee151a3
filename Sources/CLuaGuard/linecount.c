/* How often each line ran, over all evaluations and loads of the machines that count into one record.
 *
 * Lua's line hook stands beside the count hook while a machine counts or traces, and only then. It takes no fuel, makes no
 * text and cannot raise; the record is a counter for each line of the files that it was told of, and no machine's memory.
 */
#include "guard.h"
#include <stdlib.h>
#include <string.h>

typedef struct counted_file {
    char *name;
    uint32_t lines;
    uint32_t *hits;     /* while a message was decided */
    uint8_t *loaded;    /* whether a function's line ran in a load */
} counted_file;

struct lg_line_counts {
    counted_file *files;
    size_t count;
    size_t latest;
};

lg_line_counts *lg_line_counts_new(void) { return calloc(1, sizeof(lg_line_counts)); }

void lg_line_counts_free(lg_line_counts *c) {
    if (!c) return;
    for (size_t i = 0; i < c->count; i++) {
        free(c->files[i].name);
        free(c->files[i].hits);
        free(c->files[i].loaded);
    }
    free(c->files);
    free(c);
}

int lg_line_counts_add(lg_line_counts *c, const char *file, uint32_t lines) {
    counted_file *files = realloc(c->files, (c->count + 1) * sizeof *files);
    if (!files) return 0;
    c->files = files;
    counted_file added = {lg_copy_text(file, strlen(file)), lines, calloc((size_t)lines + 1, sizeof(uint32_t)), calloc((size_t)lines + 1, 1)};
    if (!added.name || !added.hits || !added.loaded) {
        free(added.name), free(added.hits), free(added.loaded);
        return 0;
    }
    c->files[c->count++] = added;
    return 1;
}

uint32_t lg_line_counts_hits(const lg_line_counts *c, size_t file, uint32_t line) {
    return file < c->count && line <= c->files[file].lines ? c->files[file].hits[line] : 0;
}

int lg_line_counts_loaded(const lg_line_counts *c, size_t file, uint32_t line) {
    return file < c->count && line <= c->files[file].lines && c->files[file].loaded[line];
}

void lg_machine_count_lines(lg_machine *m, lg_line_counts *counts) {
    m->counts = counts;
    if (counts && !m->sealed) m->cpu_allowed = m->limits.load_nanoseconds * LG_RECORDING_SLOWNESS;
    lg_arm_hook(m);
}

/* By name: texts of a machine that is gone may stand where others stand now. */
static counted_file *file_named(lg_line_counts *c, const char *name) {
    if (c->latest < c->count && strcmp(c->files[c->latest].name, name) == 0) return &c->files[c->latest];
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->files[i].name, name) != 0) continue;
        c->latest = i;
        return &c->files[i];
    }
    return NULL;
}

void lg_count_line(lg_machine *m, const lua_Debug *ar) {
    if (*ar->what == 'm') return; /* "main": the file itself, as it is loaded */
    counted_file *file = file_named(m->counts, *ar->source == '=' ? ar->source + 1 : ar->source);
    uint32_t line = (uint32_t)ar->currentline;
    if (!file || ar->currentline <= 0 || line > file->lines) return;
    if (!m->evaluating) file->loaded[line] = 1;
    else if (file->hits[line] < UINT32_MAX) file->hits[line]++;
}
