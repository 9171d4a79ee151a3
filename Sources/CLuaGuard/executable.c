/* Which lines of a file can run: when it is loaded, and when a function in it is called. Called by whoever counts lines.
 *
 * Lua tells the lines of a function only to whoever holds it, and inner functions are made when the outer ones run. So the
 * text is compiled once more, in a state of its own that runs nothing, and the lines are read from what lua_dump writes
 * (ldump.c and lopcodes.h of Lua 5.4). Nothing here touches a machine, its fuel or its memory.
 */
#include "guard.h"
#include <stdlib.h>
#include <string.h>

_Static_assert(LUA_VERSION_RELEASE_NUM == 50404, "compare what is read below with this release of Lua (ldump.c)");

typedef struct dump {
    uint8_t *bytes;
    size_t length, room, at;
    int failed;
    uint8_t *lines;
    uint32_t count;
} dump;

static int take(lua_State *L, const void *bytes, size_t length, void *context) {
    (void)L;
    dump *d = context;
    if (d->room - d->length < length) {
        size_t room = 2 * (d->room + length);
        uint8_t *larger = realloc(d->bytes, room);
        if (!larger) return 1;
        d->bytes = larger;
        d->room = room;
    }
    memcpy(d->bytes + d->length, bytes, length);
    d->length += length;
    return 0;
}

/* ---- reading ---- */

static const uint8_t *skip(dump *d, size_t length) {
    if (d->length - d->at < length) {
        d->failed = 1;
        d->at = d->length;
        return NULL;
    }
    const uint8_t *start = d->bytes + d->at;
    d->at += length;
    return start;
}

static uint8_t byte(dump *d) {
    const uint8_t *start = skip(d, 1);
    return start ? *start : 0;
}

/* Seven bits a byte, the highest first; the last byte has its highest bit set. */
static size_t number(dump *d) {
    size_t value = 0;
    for (;;) {
        uint8_t next = byte(d);
        if (d->failed) return 0;
        value = value << 7 | (next & 0x7f);
        if (next & 0x80) return value;
    }
}

static void skip_text(dump *d) {
    size_t length = number(d);
    if (length > 1) skip(d, length - 1);
}

static void skip_constants(dump *d) {
    enum { INTEGER = 3, NUMBER = 19, SHORT_TEXT = 4, LONG_TEXT = 20 };
    for (size_t count = number(d); count && !d->failed; count--) {
        uint8_t tag = byte(d);
        if (tag == INTEGER || tag == NUMBER) skip(d, 8);
        else if (tag == SHORT_TEXT || tag == LONG_TEXT) skip_text(d);
    }
}

/* Some instructions are nobody's line: the last of each function is the return that Lua adds behind its end, which never runs
 * behind a `return` of the author; the end of a block may hold one that leaves its variables; a function with `...` begins
 * with one that fetches them. */
static void mark(dump *d, const uint8_t *code, size_t instructions, const uint8_t *steps, size_t line, int what) {
    enum { ABSOLUTE_LINE = -0x80, CLOSE = 54, FETCH_ARGUMENTS = 81, OPERATION = 0x7f };
    size_t after = d->at;
    size_t left = number(d);
    for (size_t i = 0; i + 1 < instructions && !d->failed; i++) {
        int8_t step = (int8_t)steps[i];
        if (step == ABSOLUTE_LINE && left) {
            left--;
            number(d);
            line = number(d);
        } else
            line += (size_t)(ptrdiff_t)step;
        uint32_t instruction;
        memcpy(&instruction, code + 4 * i, sizeof instruction);
        if ((instruction & OPERATION) == CLOSE || (instruction & OPERATION) == FETCH_ARGUMENTS) continue;
        if (line >= 1 && line <= d->count) d->lines[line - 1] |= (uint8_t)what;
    }
    d->at = after;
}

static void read_function(dump *d, int depth) {
    if (depth > 250) d->failed = 1; /* more than Lua's parser allows */
    if (d->failed) return;
    skip_text(d);
    size_t first_line = number(d);
    number(d);
    byte(d);
    byte(d);
    byte(d);
    size_t instructions = number(d);
    const uint8_t *code = skip(d, instructions * 4);
    skip_constants(d);
    skip(d, number(d) * 3);
    for (size_t inner = number(d); inner && !d->failed; inner--) read_function(d, depth + 1);
    size_t steps_count = number(d);
    const uint8_t *steps = skip(d, steps_count);
    if (d->failed) return;
    if (steps_count == instructions) mark(d, code, instructions, steps, first_line, depth ? LG_LINE_OF_FUNCTION : LG_LINE_OF_LOAD);
    for (size_t count = number(d); count && !d->failed; count--) number(d), number(d);
    for (size_t count = number(d); count && !d->failed; count--) skip_text(d), number(d), number(d);
    for (size_t count = number(d); count && !d->failed; count--) skip_text(d);
}

/* ---- the question ---- */

int lg_executable_lines(const char *source, size_t length, uint8_t *lines, uint32_t count) {
    memset(lines, 0, count);
    if (length >= 3 && memcmp(source, "\xef\xbb\xbf", 3) == 0) source += 3, length -= 3;
    lua_State *L = luaL_newstate();
    if (!L) return LG_MEMORY;
    dump d = {.lines = lines, .count = count};
    int code = LG_SYNTAX;
    if (luaL_loadbufferx(L, source, length, "=", "t") == LUA_OK) {
        code = LG_MEMORY;
        /* The header: its mark, version and format, six bytes of check, three sizes, two numbers; then how many upvalues. */
        enum { HEADER = 4 + 2 + 6 + 3 + 8 + 8 + 1 };
        if (lua_dump(L, take, &d, 0) == 0 && skip(&d, HEADER)) {
            read_function(&d, 0);
            code = d.failed || d.at != d.length ? LG_SYNTAX : LG_OK;
        }
    }
    free(d.bytes);
    lua_close(L);
    return code;
}
