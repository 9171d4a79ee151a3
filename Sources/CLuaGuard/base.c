/* The basic functions as scripts get them: assert, error, pcall, select, tonumber, tostring, type.
 *
 * They differ from Lua's own in that pcall cannot swallow an end, tostring shows no addresses, and every error says
 * which function it is about. All of them may raise.
 */
#include "guard.h"
#include <stdio.h>
#include <string.h>

const char *lg_type_name(lua_State *L, int index) {
    int type = lua_type(L, index);
    return type == LUA_TUSERDATA ? "table" : type == LUA_TNONE ? "nothing" : lua_typename(L, type);
}

int lg_bad_argument(lua_State *L, int index, const char *function, const char *expected) {
    return luaL_error(L, "%s: argument %d must be %s, not %s", function, index, expected, lg_type_name(L, index));
}

const char *lg_text_argument(lua_State *L, int index, const char *function, size_t *length) {
    int type = lua_type(L, index);
    if (type != LUA_TSTRING && type != LUA_TNUMBER) lg_bad_argument(L, index, function, "a text");
    return lua_tolstring(L, index, length);
}

lua_Integer lg_integer_argument(lua_State *L, int index, const char *function) {
    int whole;
    if (lua_type(L, index) == LUA_TSTRING) lg_charge(L, lg_of(L), lua_rawlen(L, index));
    lua_Integer value = lua_tointegerx(L, index, &whole);
    if (!whole) lg_bad_argument(L, index, function, lua_type(L, index) == LUA_TNUMBER ? "a whole number" : "a number");
    return value;
}

lua_Integer lg_integer_or(lua_State *L, int index, const char *function, lua_Integer absent) {
    return lua_isnoneornil(L, index) ? absent : lg_integer_argument(L, index, function);
}

lua_Number lg_number_argument(lua_State *L, int index, const char *function) {
    int is_number;
    if (lua_type(L, index) == LUA_TSTRING) lg_charge(L, lg_of(L), lua_rawlen(L, index));
    lua_Number value = lua_tonumberx(L, index, &is_number);
    if (!is_number) lg_bad_argument(L, index, function, "a number");
    return value;
}

/* A text is raised as the script gives it: a place at its beginning counts only if an error was there (fault.c). */
static void begin_plain(lua_State *L, lg_machine *m) {
    lg_where(L, &m->raise_place);
    m->raise_is_plain = 1;
}

int lg_assert(lua_State *L) {
    if (lua_toboolean(L, 1)) return lua_gettop(L);
    lg_machine *m = lg_of(L);
    if (lua_gettop(L) == 0) return lg_bad_argument(L, 1, "assert", "a value");
    begin_plain(L, m);
    if (lua_gettop(L) < 2) {
        lua_pushliteral(L, "assertion failed!");
        return lua_error(L);
    }
    lua_settop(L, 2);
    return lua_error(L);
}

int lg_error(lua_State *L) {
    lg_machine *m = lg_of(L);
    lua_Integer level = lg_integer_or(L, 2, "error", 1);
    begin_plain(L, m);
    lua_settop(L, 1);
    if (lua_type(L, 1) == LUA_TSTRING && level > 0 && level < 200) {
        luaL_where(L, (int)level);
        m->raise_is_plain = lua_rawlen(L, -1) == 0;
        lua_insert(L, 1);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

int lg_pcall(lua_State *L) {
    lg_machine *m = lg_of(L);
    if (lua_gettop(L) == 0) return lg_bad_argument(L, 1, "pcall", "a function");
    lg_charge(L, m, 20);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
    if (status == LUA_OK) return lua_gettop(L);
    if (m->stop || lg_is_out_of_memory(m, status)) lg_stop(L, LG_MEMORY, "out of memory");
    if (status == LUA_ERRERR) lg_stop(L, LG_MEMORY, "calls are nested too deep");
    lg_note_caught(m);
    lg_charge(L, m, 500);
    if (++m->caught > m->limits.caught_errors) {
        char message[80];
        snprintf(message, sizeof message, "pcall has caught more than %u errors", m->limits.caught_errors);
        lg_stop(L, LG_FUEL, message);
    }
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

int lg_select(lua_State *L) {
    int count = lua_gettop(L);
    lg_charge(L, lg_of(L), 2 + (uint64_t)count / 4);
    if (lua_type(L, 1) == LUA_TSTRING && *lua_tostring(L, 1) == '#') {
        lua_pushinteger(L, count - 1);
        return 1;
    }
    lua_Integer i = lg_integer_argument(L, 1, "select");
    if (i < 0) i = count + i;
    else if (i > count) i = count;
    if (i < 1) return luaL_error(L, "select: argument 1 is out of range");
    return count - (int)i;
}

static int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Digits in a base from 2 to 36, white space around them allowed; pushes a number or nil. */
static int number_in_base(lua_State *L, lua_Integer base) {
    size_t length;
    if (lua_type(L, 1) != LUA_TSTRING) return lg_bad_argument(L, 1, "tonumber", "a text when a base is given");
    const char *text = lua_tolstring(L, 1, &length), *end = text + length;
    if (base < 2 || base > 36) return luaL_error(L, "tonumber: the base must be 2 to 36");
    lg_charge(L, lg_of(L), length / 4);
    while (text < end && is_space(*text)) text++;
    while (end > text && is_space(end[-1])) end--;
    int negative = text < end && *text == '-';
    text += negative;
    if (text == end) return lua_pushnil(L), 1;
    lua_Unsigned value = 0;
    for (; text < end; text++) {
        int digit = digit_of(*text);
        if (digit >= base) return lua_pushnil(L), 1;
        value = value * (lua_Unsigned)base + (lua_Unsigned)digit;
    }
    lua_pushinteger(L, (lua_Integer)(negative ? 0u - value : value));
    return 1;
}

int lg_tonumber(lua_State *L) {
    if (!lua_isnoneornil(L, 2)) return number_in_base(L, lg_integer_argument(L, 2, "tonumber"));
    if (lua_type(L, 1) == LUA_TNUMBER) return lua_settop(L, 1), 1;
    if (lua_type(L, 1) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(L, 1, &length);
        lg_charge(L, lg_of(L), 5 + length);
        if (lua_stringtonumber(L, text) == length + 1) return 1;
    } else if (lua_gettop(L) == 0)
        return lg_bad_argument(L, 1, "tonumber", "a value");
    lua_pushnil(L);
    return 1;
}

const char *lg_push_text(lua_State *L, int index, size_t *length) {
    index = lua_absindex(L, index);
    switch (lua_type(L, index)) {
    case LUA_TNIL: lua_pushliteral(L, "nil"); break;
    case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"); break;
    case LUA_TNUMBER:
        lg_charge(L, lg_of(L), 30);
        lua_pushvalue(L, index);
        lua_tolstring(L, -1, NULL);
        break;
    case LUA_TSTRING: lua_pushvalue(L, index); break;
    case LUA_TUSERDATA: {
        char path[200];
        lg_view *view = lg_view_at(L, index);
        lg_charge(L, lg_of(L), 300);
        lg_view_path(lg_of(L), view, path, sizeof path);
        lua_pushfstring(L, "table: %s", path);
        break;
    }
    default: lua_pushstring(L, lua_typename(L, lua_type(L, index))); break;
    }
    return lua_tolstring(L, -1, length);
}

int lg_tostring(lua_State *L) {
    if (lua_gettop(L) == 0) return lg_bad_argument(L, 1, "tostring", "a value");
    lg_push_text(L, 1, NULL);
    return 1;
}

int lg_type(lua_State *L) {
    if (lua_gettop(L) == 0) return lg_bad_argument(L, 1, "type", "a value");
    lua_pushstring(L, lg_type_name(L, 1));
    return 1;
}
