/* What one call of a rule's function did, line by line, with the values that each line touched: fields of msg, device and
 * event that it read, what it asked the host, and what the function returned. For `--trace=lines`; asked for by
 * lg_machine_trace_lines, kept until the next call.
 *
 * A line stands in the record once, where it first ran, however often it ran; lines, values and the length of a value are
 * bounded. Nothing here takes fuel, makes a text of Lua's or raises: the script cannot tell that it is watched.
 */
#include "guard.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 200, MOST_TOUCHES = 400, MOST_OF_A_LINE = 8, PATH_BYTES = 240, VALUE_BYTES = 512 };
/* From so many bytes on a value goes on as "…": a text, and a table between two of its entries. */
enum { LONG_TEXT = 80, LONG_KEY = 40, LONG_TABLE = 120, DEEP = 3 };

typedef struct traced_line {
    const char *file;
    uint32_t line, times, touches, left_out;
} traced_line;

typedef struct touch {
    uint32_t line;              /* its place in lines */
    int is_gone, is_container;
    const jd_node *around;      /* what was looked into, and for which key: the same is told once */
    uint64_t key;
    const jd_node *found;
    char path[PATH_BYTES], json[VALUE_BYTES];
} touch;

struct lg_line_trace {
    traced_line lines[MOST_LINES];
    touch touches[MOST_TOUCHES];
    size_t line_count, touch_count;
    uint32_t left_out;          /* runs of lines that found no place */
    /* The function that was called, and the line of it that ran last, from 1; 0: none. */
    const char *base_file;
    int base_defined;
    size_t base_line;
};

/* ---- values ---- */

typedef struct rendering {
    char *out;
    size_t used, room, text;   /* bytes of one text at most */
} rendering;

static void put(rendering *r, const char *bytes, size_t length) {
    if (length > r->room - r->used) length = r->room - r->used;
    memcpy(r->out + r->used, bytes, length);
    r->used += length;
}
static void put_text(rendering *r, const char *text) { put(r, text, strlen(text)); }

static void put_string(rendering *r, const char *text, size_t length, size_t most) {
    char clean[LONG_TEXT + 1];
    lg_clean_text(clean, most + 1, text, length);
    put_text(r, "\"");
    for (const char *c = clean; *c; c++) {
        if (*c == '"' || *c == '\\') put(r, "\\", 1);
        put(r, c, 1);
    }
    put_text(r, "\"");
}

/* With all its digits: two numbers that differ are told apart. JSON has no others than finite ones. */
static void put_number(rendering *r, double number) {
    char text[40];
    if (!isfinite(number)) {
        put_text(r, isnan(number) ? "\"nan\"" : number > 0 ? "\"inf\"" : "\"-inf\"");
        return;
    }
    put(r, text, jd_decimal_text(number, text));
}

static void put_integer(rendering *r, int64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    put_text(r, text);
}

static void put_node(rendering *r, const jd_node *node, int depth);

static void put_container(rendering *r, const jd_node *node, int depth) {
    int is_object = node->kind == JD_OBJECT;
    put_text(r, is_object ? "{" : "[");
    int is_first = 1;
    for (const jd_node *child = node + 1, *end = node + node->span; child < end; child += child->span) {
        if (child->flags & JD_SHADOWED) continue;
        if (!is_first) put_text(r, ",");
        is_first = 0;
        if (r->used > LONG_TABLE || depth >= DEEP) {
            put_text(r, is_object ? "\"…\":\"…\"" : "\"…\"");
            break;
        }
        if (is_object) {
            put_string(r, child->key, child->key_length, LONG_KEY);
            put_text(r, ":");
        }
        put_node(r, child, depth + 1);
    }
    put_text(r, is_object ? "}" : "]");
}

static void put_node(rendering *r, const jd_node *node, int depth) {
    if (!node) {
        put_text(r, "null");
        return;
    }
    node = lg_follow(node);
    switch (node->kind) {
    case JD_FALSE: put_text(r, "false"); return;
    case JD_TRUE: put_text(r, "true"); return;
    case JD_INTEGER: put_integer(r, node->value.integer); return;
    case JD_DECIMAL:
        /* What is beyond its numbers a script sees as text. */
        if ((node->flags & JD_OVERFLOW) && node->text) put_string(r, node->text, node->length, r->text);
        else put_number(r, node->value.decimal);
        return;
    case JD_STRING: put_string(r, node->text, node->length, r->text); return;
    case JD_ARRAY:
    case JD_OBJECT: put_container(r, node, depth); return;
    case JD_FUNCTION: put_text(r, "\"function\""); return;
    default: put_text(r, "null");
    }
}

/* Ends a text in what room is left. */
static void finish(rendering *r) { r->out[r->used] = 0; }
static rendering into(char *out, size_t room) { return (rendering){out, 0, room - 1, LONG_TEXT}; }

/* ---- lines ---- */

/* The machine's own copy of a chunk's name: it lives as long as the machine. */
static const char *known_file(const lg_machine *m, const char *name) {
    for (size_t i = 0; i < m->file_count; i++)
        if (strcmp(m->files[i], name) == 0) return m->files[i];
    return NULL;
}

static traced_line *line_at(lg_line_trace *t, const char *file, uint32_t line) {
    for (size_t i = t->line_count; i > 0; i--)
        if (t->lines[i - 1].line == line && t->lines[i - 1].file == file) return &t->lines[i - 1];
    return NULL;
}

void lg_trace_begin(lua_State *L, lg_machine *m, int function) {
    lg_line_trace *t = m->trace;
    lua_Debug ar;
    t->line_count = t->touch_count = t->base_line = 0;
    t->left_out = 0;
    t->base_file = NULL;
    lua_pushvalue(L, function);
    lua_getinfo(L, ">S", &ar);
    if (*ar.source == '=') t->base_file = known_file(m, ar.source + 1);
    t->base_defined = ar.linedefined;
}

void lg_trace_line(lg_machine *m, const lua_Debug *ar) {
    lg_line_trace *t = m->trace;
    const char *file = known_file(m, *ar->source == '=' ? ar->source + 1 : ar->source);
    if (!file || !m->evaluating || ar->currentline <= 0) return;
    traced_line *line = line_at(t, file, (uint32_t)ar->currentline);
    if (!line) {
        if (t->line_count == MOST_LINES) {
            if (t->left_out < UINT32_MAX) t->left_out++;
            return;
        }
        line = &t->lines[t->line_count++];
        *line = (traced_line){.file = file, .line = (uint32_t)ar->currentline};
    }
    if (line->times < UINT32_MAX) line->times++;
    if (file == t->base_file && ar->linedefined == t->base_defined) t->base_line = (size_t)(line - t->lines) + 1;
}

/* ---- what a line touched ---- */

/* The line of the script that is running, if it is in the record. */
static traced_line *running_line(lua_State *L, lg_machine *m) {
    lg_place place;
    lg_where(L, &place);
    const char *file = place.line ? known_file(m, place.file) : NULL;
    return file ? line_at(m->trace, file, place.line) : NULL;
}

/* A place for one more; NULL when there is none. */
static touch *new_touch(lg_line_trace *t, traced_line *line) {
    if (line->touches >= MOST_OF_A_LINE || t->touch_count == MOST_TOUCHES) {
        if (line->left_out < UINT32_MAX) line->left_out++;
        return NULL;
    }
    line->touches++;
    touch *new = &t->touches[t->touch_count++];
    new->line = (uint32_t)(line - t->lines);
    new->is_gone = new->is_container = 0;
    new->around = new->found = NULL;
    new->key = 0;
    return new;
}

static touch *latest_of(lg_line_trace *t, const traced_line *line) {
    for (size_t i = t->touch_count; i > 0; i--)
        if (!t->touches[i - 1].is_gone && &t->lines[t->touches[i - 1].line] == line) return &t->touches[i - 1];
    return NULL;
}

static void drop(lg_line_trace *t, touch *dropped) {
    t->lines[dropped->line].touches--;
    dropped->is_gone = 1;
    if (dropped == &t->touches[t->touch_count - 1]) t->touch_count--;
}

static uint64_t key_mark(lua_State *L, int key) {
    if (lua_type(L, key) == LUA_TNUMBER) return (uint64_t)lua_tointegerx(L, key, NULL);
    uint64_t hash = 0xcbf29ce484222325u;
    size_t length = 0;
    const char *text = lua_type(L, key) == LUA_TSTRING ? lua_tolstring(L, key, &length) : "";
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

static int is_name(const char *text, size_t length) {
    if (!length || (*text >= '0' && *text <= '9')) return 0;
    for (size_t i = 0; i < length; i++)
        if (!((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z') || (text[i] >= '0' && text[i] <= '9') || text[i] == '_')) return 0;
    return 1;
}

static void put_path(lua_State *L, lg_machine *m, const lg_view *view, int key, char *out) {
    char around[PATH_BYTES - 2 * LONG_KEY - 20];
    rendering r = into(out, PATH_BYTES);
    char path[PATH_BYTES];
    lg_view_path(m, view, path, sizeof path);
    lg_clean_text(around, sizeof around, path, strlen(path));
    put_text(&r, around);
    if (lua_type(L, key) == LUA_TNUMBER) {
        put_text(&r, "[");
        put_integer(&r, lua_tointegerx(L, key, NULL));
        put_text(&r, "]");
    } else if (lua_type(L, key) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(L, key, &length);
        if (is_name(text, length) && length <= LONG_KEY) {
            put_text(&r, ".");
            put(&r, text, length);
        } else {
            put_text(&r, "[");
            put_string(&r, text, length, LONG_KEY);
            put_text(&r, "]");
        }
    }
    finish(&r);
}

void lg_trace_read(lua_State *L, lg_machine *m, const lg_view *view, int key, const jd_node *found) {
    lg_line_trace *t = m->trace;
    traced_line *line = running_line(L, m);
    if (!line) return;
    /* A table that was only on the way to this value says nothing of its own. */
    touch *before = latest_of(t, line);
    if (before && before->is_container && before->found == view->node) drop(t, before);
    uint64_t mark = key_mark(L, key);
    for (size_t i = 0; i < t->touch_count; i++) {
        const touch *known = &t->touches[i];
        if (!known->is_gone && known->around == view->node && known->key == mark && &t->lines[known->line] == line) return;
    }
    int is_container = found && (found->kind == JD_ARRAY || found->kind == JD_OBJECT);
    if (is_container && line->touches >= MOST_OF_A_LINE) return; /* on the way to a value, that is counted as left out */
    touch *new = new_touch(t, line);
    if (!new) return;
    new->around = view->node;
    new->key = mark;
    new->found = found;
    new->is_container = is_container;
    put_path(L, m, view, key, new->path);
    rendering r = into(new->json, VALUE_BYTES);
    put_node(&r, found, 0);
    finish(&r);
}

static void add_once(lg_line_trace *t, traced_line *line, const char *path, const char *json) {
    for (size_t i = 0; i < t->touch_count; i++) {
        const touch *known = &t->touches[i];
        if (!known->is_gone && &t->lines[known->line] == line && strcmp(known->path, path) == 0 && strcmp(known->json, json) == 0) return;
    }
    touch *new = new_touch(t, line);
    if (!new) return;
    snprintf(new->path, sizeof new->path, "%s", path);
    snprintf(new->json, sizeof new->json, "%s", json);
}

/* A value that is written stands as the value, not in the path: state.set("n", 3) is `state.set("n")`, 3. */
static int is_writer(const char *name) {
    const char *dot = strrchr(name, '.');
    return strcmp(dot ? dot + 1 : name, "set") == 0 || strcmp(name, "log") == 0;
}

void lg_trace_host(lua_State *L, lg_machine *m, size_t function, const jd_node *arguments, const jd_node *answer) {
    traced_line *line = running_line(L, m);
    if (!line) return;
    const char *name = m->function_names[function];
    char path[PATH_BYTES], json[VALUE_BYTES];
    rendering r = into(path, sizeof path), value = into(json, sizeof json);
    put_text(&r, name);
    uint32_t shown = arguments->count - (is_writer(name) && arguments->count > 0);
    const jd_node *argument = arguments + 1;
    int is_value = function >= m->function_count - m->value_count;
    if (!is_value && (shown || !is_writer(name))) put_text(&r, "(");
    for (uint32_t i = 0; i < shown; i++, argument += argument->span) {
        if (i) put_text(&r, ", ");
        if (r.used > PATH_BYTES - 2 * LONG_KEY - 20) {
            put_text(&r, "…");
            argument = NULL;
            break;
        }
        char one[VALUE_BYTES];
        rendering part = into(one, sizeof one);
        part.text = LONG_KEY;
        put_node(&part, argument, DEEP);
        finish(&part);
        put_text(&r, one);
    }
    if (!is_value && (shown || !is_writer(name))) put_text(&r, ")");
    put_node(&value, shown < arguments->count && argument ? argument : answer, 0);
    finish(&r);
    finish(&value);
    add_once(m->trace, line, path, json);
}

void lg_trace_showing(lua_State *L, lg_machine *m, int last, int answer) {
    traced_line *line = running_line(L, m);
    if (!line) return;
    char path[PATH_BYTES];
    rendering r = into(path, sizeof path);
    put_text(&r, "device:is_showing(");
    for (int i = 2; i <= last; i++) {
        size_t length = 0;
        const char *text = lua_type(L, i) == LUA_TSTRING ? lua_tolstring(L, i, &length) : NULL;
        if (i > 2) put_text(&r, ", ");
        if (text) put_string(&r, text, length, LONG_KEY);
        else if (lua_type(L, i) == LUA_TNUMBER && lua_isinteger(L, i)) put_integer(&r, lua_tointegerx(L, i, NULL));
        else put_text(&r, lua_isnil(L, i) ? "nil" : "…");
    }
    put_text(&r, ")");
    finish(&r);
    add_once(m->trace, line, path, answer ? "true" : "false");
}

/* The value at index is what the function returned; node: the same as a tape, where it is one. */
void lg_trace_return(lua_State *L, lg_machine *m, int index, const jd_node *node) {
    lg_line_trace *t = m->trace;
    if (!t->base_line) return;
    traced_line *line = &t->lines[t->base_line - 1];
    if (t->touch_count == MOST_TOUCHES) t->touch_count--; /* what a function says counts more than what it read last */
    if (line->touches >= MOST_OF_A_LINE) line->touches = MOST_OF_A_LINE - 1;
    touch *new = new_touch(t, line);
    if (!new) return;
    snprintf(new->path, sizeof new->path, "return");
    rendering r = into(new->json, VALUE_BYTES);
    int type = lua_type(L, index);
    size_t length = 0;
    const char *text = type == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
    if (node) put_node(&r, node, 0);
    else if (type == LUA_TBOOLEAN) put_text(&r, lua_toboolean(L, index) ? "true" : "false");
    else if (text) put_string(&r, text, length, LONG_TEXT);
    else if (type == LUA_TNUMBER && lua_isinteger(L, index)) put_integer(&r, lua_tointegerx(L, index, NULL));
    else if (type == LUA_TNUMBER) put_number(&r, lua_tonumberx(L, index, NULL));
    else if (type == LUA_TNIL) put_text(&r, "null");
    else put_string(&r, lg_type_name(L, index), strlen(lg_type_name(L, index)), LONG_TEXT);
    finish(&r);
}

/* ---- for the host ---- */

int lg_machine_trace_lines(lg_machine *m, int on) {
    if (on && !m->trace) {
        if (!m->trace_memory) m->trace_memory = calloc(1, sizeof *m->trace_memory);
        m->trace = m->trace_memory;
        if (!m->trace) return 0;
    } else if (!on)
        m->trace = NULL;
    return 1;
}

size_t lg_machine_traced_count(const lg_machine *m) { return m->trace ? m->trace->line_count : 0; }
uint32_t lg_machine_traced_left_out(const lg_machine *m) { return m->trace ? m->trace->left_out : 0; }
lg_traced_line lg_machine_traced_line(const lg_machine *m, size_t index) {
    const traced_line *line = &m->trace->lines[index];
    return (lg_traced_line){line->file, line->line, line->times, line->left_out};
}

size_t lg_machine_touched_count(const lg_machine *m) { return m->trace ? m->trace->touch_count : 0; }
lg_touched lg_machine_touched(const lg_machine *m, size_t index) {
    const touch *one = &m->trace->touches[index];
    return (lg_touched){one->line, one->is_gone ? NULL : one->path, one->json};
}
