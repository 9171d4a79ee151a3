/* The string library, bounded: every function charges for the bytes it reads and makes. All may raise. */
#define _GNU_SOURCE /* memmem */
#include "patterns.h"
#include <string.h>

/* An index from the end becomes one from the start; 0 stays below the text. */
static size_t from_start(lua_Integer i, size_t length) {
    if (i > 0) return (size_t)i;
    if (i == 0) return 1;
    return i < -(lua_Integer)length ? 1 : length + (size_t)(i + 1);
}

static size_t to_end(lua_Integer i, size_t length) {
    if (i > (lua_Integer)length) return length;
    if (i >= 0) return (size_t)i;
    return i < -(lua_Integer)length ? 0 : length + (size_t)(i + 1);
}

int lg_string_len(lua_State *L) {
    size_t length;
    lg_text_argument(L, 1, "string.len", &length);
    lua_pushinteger(L, (lua_Integer)length);
    return 1;
}

int lg_string_sub(lua_State *L) {
    size_t length;
    const char *text = lg_text_argument(L, 1, "string.sub", &length);
    size_t start = from_start(lg_integer_argument(L, 2, "string.sub"), length);
    size_t end = to_end(lg_integer_or(L, 3, "string.sub", -1), length);
    if (start > end) return lua_pushliteral(L, ""), 1;
    lg_charge(L, lg_of(L), 3 + (end - start) / 8);
    lua_pushlstring(L, text + start - 1, end - start + 1);
    return 1;
}

/* Makes a text of the same length from the first argument. */
static int mapped(lua_State *L, const char *function, void (*map)(char *out, const char *text, size_t length)) {
    size_t length;
    const char *text = lg_text_argument(L, 1, function, &length);
    lg_charge(L, lg_of(L), 3 + length / 4);
    char few[256];
    char *out = length <= sizeof few ? few : lua_newuserdatauv(L, length, 0);
    map(out, text, length);
    lua_pushlstring(L, out, length);
    return 1;
}

static void to_lower(char *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) out[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32) : text[i];
}
static void to_upper(char *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) out[i] = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 32) : text[i];
}
static void reversed(char *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) out[i] = text[length - 1 - i];
}
int lg_string_lower(lua_State *L) { return mapped(L, "string.lower", to_lower); }
int lg_string_upper(lua_State *L) { return mapped(L, "string.upper", to_upper); }
int lg_string_reverse(lua_State *L) { return mapped(L, "string.reverse", reversed); }

int lg_string_byte(lua_State *L) {
    size_t length;
    const char *text = lg_text_argument(L, 1, "string.byte", &length);
    lua_Integer first = lg_integer_or(L, 2, "string.byte", 1);
    size_t start = from_start(first, length);
    size_t end = to_end(lg_integer_or(L, 3, "string.byte", first), length);
    if (start > end) return 0;
    size_t count = end - start + 1;
    lg_charge(L, lg_of(L), 3 + count);
    luaL_checkstack(L, (int)(count < 1000000 ? count : 1000000), "string.byte: too many results");
    for (size_t i = 0; i < count; i++) lua_pushinteger(L, (uint8_t)text[start - 1 + i]);
    return (int)count;
}

int lg_string_char(lua_State *L) {
    int count = lua_gettop(L);
    lg_charge(L, lg_of(L), 3 + (uint64_t)count);
    char few[256];
    char *out = few;
    if (count > (int)sizeof few) {
        luaL_checkstack(L, 2, "string.char: too many arguments");
        out = lua_newuserdatauv(L, (size_t)count, 0);
    }
    for (int i = 1; i <= count; i++) {
        lua_Integer c = lg_integer_argument(L, i, "string.char");
        if (c < 0 || c > 255) return luaL_error(L, "string.char: argument %d must be from 0 to 255", i);
        out[i - 1] = (char)c;
    }
    lua_pushlstring(L, out, (size_t)count);
    return 1;
}

int lg_string_rep(lua_State *L) {
    size_t length, separator_length = 0;
    const char *text = lg_text_argument(L, 1, "string.rep", &length);
    lua_Integer times = lg_integer_argument(L, 2, "string.rep");
    const char *separator = lua_isnoneornil(L, 3) ? "" : lg_text_argument(L, 3, "string.rep", &separator_length);
    lg_machine *m = lg_of(L);
    size_t unit = length + separator_length;
    if (times <= 0 || unit == 0) return lua_pushliteral(L, ""), 1;
    if (unit > m->limits.string_bytes || (uint64_t)times > m->limits.string_bytes / unit + 1
        || (uint64_t)times * unit - separator_length > m->limits.string_bytes)
        lg_stop(L, LG_MEMORY, "string.rep: the text is longer than the limit for one string");
    size_t total = (size_t)times * unit - separator_length;
    lg_charge(L, m, 5 + total / 16 + (uint64_t)times);
    char few[512];
    char *out = total <= sizeof few ? few : lua_newuserdatauv(L, total, 0);
    for (char *to = out; times-- > 0;) {
        memcpy(to, text, length);
        to += length;
        if (times > 0) {
            memcpy(to, separator, separator_length);
            to += separator_length;
        }
    }
    lua_pushlstring(L, out, total);
    return 1;
}

/* ---- find, match, gmatch, gsub ---- */

static void push_capture(lua_State *L, const lg_pattern *p, const lg_match *found, const char *subject, uint32_t i) {
    if (i >= p->captures) {
        if (i != 0) luaL_error(L, "invalid capture index %%%d", (int)i + 1);
        lua_pushlstring(L, subject + found->start, found->end - found->start);
    } else if (found->captures[i].length == LG_POSITION)
        lua_pushinteger(L, (lua_Integer)found->captures[i].start + 1);
    else
        lua_pushlstring(L, subject + found->captures[i].start, found->captures[i].length);
}

/* All captures; the whole match when there are none and whole is set. */
static int push_captures(lua_State *L, const lg_pattern *p, const lg_match *found, const char *subject, int whole) {
    uint32_t count = p->captures ? p->captures : (uint32_t)whole;
    luaL_checkstack(L, (int)count + 2, "too many captures");
    for (uint32_t i = 0; i < count; i++) push_capture(L, p, found, subject, i);
    return (int)count;
}

static int has_specials(const char *pattern, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (pattern[i] && strchr("^$*+?.([%-", pattern[i])) return 1;
    return 0;
}

static int find_plain(lua_State *L, const char *text, size_t length, const char *needle, size_t needle_length, size_t start) {
    lg_charge(L, lg_of(L), 3 + (length - start) / 2 + needle_length / 2);
    const char *place = needle_length ? memmem(text + start, length - start, needle, needle_length) : text + start;
    if (!place) return lua_pushnil(L), 1;
    lua_pushinteger(L, (lua_Integer)(place - text) + 1);
    lua_pushinteger(L, (lua_Integer)(place - text) + (lua_Integer)needle_length);
    return 2;
}

static int find_or_match(lua_State *L, int find) {
    const char *function = find ? "string.find" : "string.match";
    size_t length, pattern_length;
    const char *text = lg_text_argument(L, 1, function, &length);
    const char *pattern = lg_text_argument(L, 2, function, &pattern_length);
    size_t start = from_start(lg_integer_or(L, 3, function, 1), length) - 1;
    if (start > length) return lua_pushnil(L), 1;
    if (find && (lua_toboolean(L, 4) || (pattern_length < 4096 && !has_specials(pattern, pattern_length))))
        return find_plain(L, text, length, pattern, pattern_length, start);
    lg_pattern compiled;
    lg_match found;
    lg_pattern_compile(L, &compiled, pattern, pattern_length, 1);
    if (!lg_pattern_search(L, &compiled, text, length, start, &found)) return lua_pushnil(L), 1;
    if (!find) return push_captures(L, &compiled, &found, text, 1);
    lua_pushinteger(L, (lua_Integer)found.start + 1);
    lua_pushinteger(L, (lua_Integer)found.end);
    return 2 + push_captures(L, &compiled, &found, text, 0);
}

int lg_string_find(lua_State *L) { return find_or_match(L, 1); }
int lg_string_match(lua_State *L) { return find_or_match(L, 0); }

/* Upvalues: text, pattern's block, its header as a userdata, state {next, last end, generation} as a userdata. */
typedef struct lg_iteration {
    lg_pattern pattern;
    size_t next, last;
    uint32_t generation;
} lg_iteration;

static int gmatch_step(lua_State *L) {
    size_t length;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &length);
    lg_iteration *state = lua_touserdata(L, lua_upvalueindex(3));
    if (state->generation != lg_of(L)->generation) return luaL_error(L, "this loop began in an earlier evaluation and cannot go on");
    lg_match found;
    for (size_t s = state->next; s <= length; s++) {
        if (!lg_pattern_search(L, &state->pattern, text, length, s, &found)) break;
        if (found.end != state->last) {
            state->next = state->last = found.end;
            return push_captures(L, &state->pattern, &found, text, 1);
        }
        s = found.start; /* an empty match where the last one ended: look further on */
    }
    state->next = length + 1;
    lua_pushnil(L);
    return 1;
}

int lg_string_gmatch(lua_State *L) {
    size_t length, pattern_length;
    lg_text_argument(L, 1, "string.gmatch", &length);
    const char *pattern = lg_text_argument(L, 2, "string.gmatch", &pattern_length);
    size_t start = from_start(lg_integer_or(L, 3, "string.gmatch", 1), length) - 1;
    lua_settop(L, 2);
    lg_pattern compiled;
    lua_pushvalue(L, 1);
    lg_pattern_compile(L, &compiled, pattern, pattern_length, 0);
    lg_iteration *state = lua_newuserdatauv(L, sizeof *state, 0);
    *state = (lg_iteration){compiled, start > length ? length + 1 : start, SIZE_MAX, lg_of(L)->generation};
    lua_pushcclosure(L, gmatch_step, 3);
    return 1;
}

/* The replacement text with %0 … %9 and %%. */
static void add_template(lua_State *L, lg_buffer *out, const lg_pattern *p, const lg_match *found, const char *subject) {
    size_t length;
    const char *text = lua_tolstring(L, 3, &length);
    lg_charge(L, lg_of(L), length / 8);
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '%') {
            size_t run = 1;
            while (i + run < length && text[i + run] != '%') run++;
            lg_buffer_add(L, out, text + i, run);
            i += run - 1;
            continue;
        }
        char c = ++i < length ? text[i] : 0;
        if (c == '%') lg_buffer_byte(L, out, '%');
        else if (c == '0') lg_buffer_add(L, out, subject + found->start, found->end - found->start);
        else if (c >= '1' && c <= '9') {
            size_t size;
            push_capture(L, p, found, subject, (uint32_t)(c - '1'));
            const char *capture = lua_tolstring(L, -1, &size);
            lg_buffer_add(L, out, capture, size);
            lua_pop(L, 1);
        } else
            luaL_error(L, "invalid use of '%%' in the replacement text");
    }
}

static void add_replacement(lua_State *L, lg_buffer *out, const lg_pattern *p, const lg_match *found, const char *subject, int type) {
    if (type == LUA_TSTRING) {
        add_template(L, out, p, found, subject);
        return;
    }
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(L, p, found, subject, 1), 1);
    } else {
        push_capture(L, p, found, subject, 0);
        lua_gettable(L, 3);
    }
    if (!lua_toboolean(L, -1)) {
        lg_buffer_add(L, out, subject + found->start, found->end - found->start);
    } else {
        size_t length;
        if (lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TNUMBER)
            luaL_error(L, "string.gsub: a replacement must be text, not a %s", lg_type_name(L, -1));
        const char *text = lua_tolstring(L, -1, &length);
        lg_buffer_add(L, out, text, length);
    }
    lua_pop(L, 1);
}

int lg_string_gsub(lua_State *L) {
    size_t length, pattern_length;
    const char *text = lg_text_argument(L, 1, "string.gsub", &length);
    const char *pattern = lg_text_argument(L, 2, "string.gsub", &pattern_length);
    int type = lua_type(L, 3);
    if (type == LUA_TNUMBER) {
        lua_tolstring(L, 3, NULL);
        type = LUA_TSTRING;
    }
    if (type == LUA_TUSERDATA) type = LUA_TTABLE;
    if (type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE)
        return lg_bad_argument(L, 3, "string.gsub", "a text, a table or a function");
    lua_Integer most = lg_integer_or(L, 4, "string.gsub", (lua_Integer)length + 1), count = 0;
    lg_pattern compiled;
    lg_match found;
    lg_buffer out;
    lg_charge(L, lg_of(L), 20);
    lg_pattern_compile(L, &compiled, pattern, pattern_length, 1);
    lg_buffer_begin(L, &out);
    size_t s = 0, last = SIZE_MAX;
    while (count < most && s <= length) {
        if (!lg_pattern_search(L, &compiled, text, length, s, &found)) break;
        if (found.end == last && found.start == last) { /* empty, where the last one ended */
            if (s < length) lg_buffer_byte(L, &out, text[s]);
            s++;
            last = SIZE_MAX;
            if (compiled.anchored) break;
            continue;
        }
        lg_buffer_add(L, &out, text + s, found.start - s);
        count++;
        lg_charge(L, lg_of(L), 5);
        add_replacement(L, &out, &compiled, &found, text, type);
        s = last = found.end;
        if (compiled.anchored) break;
    }
    if (s < length) lg_buffer_add(L, &out, text + s, length - s);
    lg_buffer_finish(L, &out);
    lua_pushinteger(L, count);
    return 2;
}

/* ---- arithmetic on numbers written as text, as Lua has it ---- */

static int arithmetic(lua_State *L) {
    static const char *const names[] = {"+", "-", "*", "%", "^", "/", "//"};
    int op = (int)lua_tointeger(L, lua_upvalueindex(1));
    lua_settop(L, 2);
    for (int i = 1; i <= 2; i++) {
        if (lua_type(L, i) == LUA_TNUMBER) continue;
        size_t length;
        if (lua_type(L, i) == LUA_TSTRING) {
            const char *text = lua_tolstring(L, i, &length);
            lg_charge(L, lg_of(L), 5 + length);
            if (lua_stringtonumber(L, text) == length + 1) {
                lua_replace(L, i);
                continue;
            }
            return luaL_error(L, "attempt to perform arithmetic on a text that is no number");
        }
        return luaL_error(L, "attempt to perform arithmetic (%s) on a %s value", op < 7 ? names[op] : "-", lg_type_name(L, i));
    }
    lua_arith(L, op);
    return 1;
}

void lg_build_string_methods(lua_State *L, int string_table) {
    static const struct {
        const char *name;
        int op;
    } operators[] = {{"__add", LUA_OPADD}, {"__sub", LUA_OPSUB}, {"__mul", LUA_OPMUL}, {"__mod", LUA_OPMOD},
                     {"__pow", LUA_OPPOW}, {"__div", LUA_OPDIV}, {"__idiv", LUA_OPIDIV}, {"__unm", LUA_OPUNM}};
    string_table = lua_absindex(L, string_table);
    lua_pushliteral(L, "");
    lua_createtable(L, 0, 9);
    lua_pushvalue(L, string_table);
    lua_setfield(L, -2, "__index");
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        lua_pushinteger(L, operators[i].op);
        lua_pushcclosure(L, arithmetic, 1);
        lua_setfield(L, -2, operators[i].name);
    }
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}
