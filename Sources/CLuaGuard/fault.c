/* From Lua's error values to the machine's fault.
 *
 * What ended a script is told by the machine's own flags, never by the error value, which a script can make up. A text
 * is copied, cut and cleaned; every other value is only named by its type. Plain C: nothing here raises.
 */
#include "guard.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lg_clean_text(char *out, size_t room, const char *text, size_t length) {
    size_t used = 0, i = 0;
    while (i < length && used + 5 < room) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == 0x7f) {
            out[used++] = c == '\n' || c == '\t' ? ' ' : '?';
            i++;
        } else if (c < 0x80) {
            out[used++] = (char)c;
            i++;
        } else {
            size_t width = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2, bad;
            if (i + width > length || !jd_utf8_valid(text + i, width, &bad)) {
                out[used++] = '?';
                i++;
                continue;
            }
            if (used + width + 4 > room) break; /* behind it the mark of a cut and the end have to fit */
            /* marks that turn the reading direction round would change how the rest of a report looks */
            if (width == 3 && c == 0xe2 && (((unsigned char)text[i + 1] == 0x80 && (unsigned char)text[i + 2] >= 0xaa && (unsigned char)text[i + 2] <= 0xae)
                || ((unsigned char)text[i + 1] == 0x81 && (unsigned char)text[i + 2] >= 0xa6 && (unsigned char)text[i + 2] <= 0xa9)))
                out[used++] = '?';
            else {
                memcpy(out + used, text + i, width);
                used += width;
            }
            i += width;
        }
    }
    if (i < length) {
        memcpy(out + used, "\xe2\x80\xa6", 3);
        used += 3;
    }
    out[used] = 0;
}

int lg_set_fault(lg_machine *m, int code, const char *file, uint32_t line, uint32_t column, const char *message) {
    snprintf(m->fault_place.file, sizeof m->fault_place.file, "%s", file);
    m->fault_place.line = line;
    lg_clean_text(m->fault_message, sizeof m->fault_message, message, strlen(message));
    m->fault = (lg_fault){m->fault_place.file, m->fault_message, line, column, m->stop_code};
    return code;
}

/* Lua shows at most this many bytes of a chunk's name (LUA_IDSIZE less its end). */
#define SHOWN_NAME_BYTES (LUA_IDSIZE - 1)

/* Splits "file:line: message" when file is a chunk of this machine; the length of the prefix, else 0. */
static size_t split_place(const lg_machine *m, const char *text, lg_place *place) {
    for (size_t i = 0; i < m->file_count; i++) {
        size_t shown = strlen(m->files[i]);
        if (shown > SHOWN_NAME_BYTES) shown = SHOWN_NAME_BYTES;
        if (strncmp(text, m->files[i], shown) != 0 || text[shown] != ':') continue;
        const char *digits = text + shown + 1;
        char *end;
        if (*digits < '0' || *digits > '9') continue;
        unsigned long line = strtoul(digits, &end, 10);
        if (end[0] != ':') continue;
        snprintf(place->file, sizeof place->file, "%s", m->files[i]);
        place->line = (uint32_t)line;
        return (size_t)(end - text) + (end[1] == ' ' ? 2 : 1);
    }
    return 0;
}

/* An error that a script has caught and may raise again: its place is one that an error came from. */
void lg_note_caught(lg_machine *m) {
    lg_place place;
    if (!m->raise_is_plain && lua_type(m->L, -1) == LUA_TSTRING && split_place(m, lua_tolstring(m->L, -1, NULL), &place))
        m->caught_places[m->caught_count++ % LG_CAUGHT_PLACES] = place;
    m->raise_is_plain = 0;
}

static int was_caught(const lg_machine *m, const lg_place *place) {
    uint32_t count = m->caught_count < LG_CAUGHT_PLACES ? m->caught_count : LG_CAUGHT_PLACES;
    for (uint32_t i = 0; i < count; i++)
        if (m->caught_places[i].line == place->line && strcmp(m->caught_places[i].file, place->file) == 0) return 1;
    return 0;
}

static int is_blank(const char *text) { return text[strspn(text, " ")] == 0; }

/* "attempt to call a nil value (global 'supress')" says little to somebody who mistyped a name. */
static void explain_unknown_global(const lg_machine *m, char *message, size_t room) {
    char *open = strstr(message, "a nil value (global '");
    if (!open) return;
    char name[64];
    const char *start = open + strlen("a nil value (global '"), *end = strchr(start, '\'');
    if (!end || (size_t)(end - start) >= sizeof name) return;
    memcpy(name, start, (size_t)(end - start));
    name[end - start] = 0;
    char near[32];
    const char *advice = lg_unavailable(name);
    if (advice) snprintf(message, room, "'%s' is not defined; %s", name, advice);
    else if (lg_near_name(m, name, strlen(name), near) && strcmp(name, near) == 0)
        snprintf(message, room, "'%s' is not in the table that stands in for the environment here (a local _ENV)", name);
    else if (lg_near_name(m, name, strlen(name), near)) snprintf(message, room, "'%s' is not defined; did you mean '%s'?", name, near);
    else snprintf(message, room, "'%s' is not defined; a text stands in quotes, and what another file makes comes with require", name);
}

/* Functions of the rule language that this host does not have. */
static void explain_missing_function(const lg_machine *m, char *message, size_t room) {
    static const char *const names[] = {"text.plural", "text.tr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char told[64];
        snprintf(told, sizeof told, "a nil value (field '%s')", strchr(names[i], '.') + 1);
        if (!strstr(message, told)) continue;
        for (size_t j = 0; j < m->function_count; j++)
            if (strcmp(m->function_names[j], names[i]) == 0) return;
        size_t length = strlen(message);
        snprintf(message + length, room - length, "; %s is not part of this version", names[i]);
        return;
    }
}

/* The place in the line of the token that a syntax error is "near", when it stands there only once. */
static uint32_t column_of_token(const char *source, size_t length, uint32_t line, const char *message) {
    const char *near = strstr(message, " near '"), *end = strrchr(message, '\'');
    const char *stop = source + length;
    for (; line > 1 && source < stop; source++) line -= *source == '\n';
    const char *line_end = memchr(source, '\n', (size_t)(stop - source));
    size_t line_length = (size_t)((line_end ? line_end : stop) - source), offset = 0, found = 0;
    if (near && end > near + 7) {
        const char *token = near + 7;
        size_t token_length = (size_t)(end - token);
        for (size_t i = 0; i + token_length <= line_length; i++)
            if (memcmp(source + i, token, token_length) == 0) offset = i, found++;
    } else if (strstr(message, " near <eof>"))
        offset = line_length, found = 1;
    if (found != 1) return 0;
    uint32_t ignored, column;
    jd_place(source, line_length, offset, &ignored, &column);
    return column;
}

int lg_take_fault(lg_machine *m, int status) {
    if (lg_is_out_of_memory(m, status)) {
        m->out_of_memory = 1;
        m->stop = LG_MEMORY;
        return lg_set_fault(m, LG_MEMORY, m->stop_place.file, m->stop_place.line, 0, m->stop_message[0] ? m->stop_message : "out of memory");
    }
    if (m->stop) return lg_set_fault(m, m->stop, m->stop_place.file, m->stop_place.line, 0, m->stop_message);
    int code = m->judging ? LG_BAD_VALUE : LG_RAISED;
    lua_State *L = m->L;
    if (lua_type(L, -1) != LUA_TSTRING) {
        char message[96];
        snprintf(message, sizeof message, "raised a %s; only a text can be shown", lg_type_name(L, -1));
        return lg_set_fault(m, code, m->raise_place.file, m->raise_place.line, 0, message);
    }
    size_t length;
    const char *text = lua_tolstring(L, -1, &length); /* a string already: nothing is made */
    lg_place place = m->raise_place;
    uint32_t column = 0;
    size_t prefix = split_place(m, text, &place);
    if (prefix && m->raise_is_plain && !was_caught(m, &place)) {
        place = m->raise_place;
        prefix = 0;
    }
    if (m->syntax_source && strncmp(text, m->syntax_message, sizeof m->syntax_message - 1) == 0) {
        code = LG_SYNTAX;
        column = column_of_token(m->syntax_source, m->syntax_length, place.line, text + prefix);
    }
    lg_clean_text(m->fault_message, sizeof m->fault_message, text + prefix, length - prefix);
    if (is_blank(m->fault_message))
        snprintf(m->fault_message, sizeof m->fault_message, "raised an error without a text; say what is wrong: error(\"…\")");
    explain_unknown_global(m, m->fault_message, sizeof m->fault_message);
    explain_missing_function(m, m->fault_message, sizeof m->fault_message);
    m->fault_place = place;
    m->fault = (lg_fault){m->fault_place.file, m->fault_message, place.line, column, 0};
    return code;
}
