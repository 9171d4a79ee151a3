/* Everything a script can reach, as one table with a reason per entry, and the building of _ENV from it.
 *
 * What is not in the list does not exist: no metatables, raw access, coroutines, load, garbage collector, files, clock,
 * environment. A test compares the list with what a script finds.
 */
#include "guard.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct lg_entry {
    const char *name, *reason;
    lua_CFunction function; /* NULL: a constant, see push_constant */
} lg_entry;

static const lg_entry entries[] = {
    {"assert", "checks; raises through the same path as error", lg_assert},
    {"error", "raises; the place is added by us, never the host's", lg_error},
    {"ipairs", "goes over lists, views included", lg_ipairs},
    {"next", "one step over a table in a fixed order", lg_next},
    {"pairs", "goes over a table in a fixed order", lg_pairs},
    {"pcall", "catches errors, never the end of a budget", lg_pcall},
    {"select", "reads variable arguments; charged by their number", lg_select},
    {"tonumber", "text to number", lg_tonumber},
    {"tostring", "value to text, without addresses", lg_tostring},
    {"type", "a value's type; a view is a table", lg_type},

    {"string.byte", "bounded by the stack, charged", lg_string_byte},
    {"string.char", "bounded by its arguments", lg_string_char},
    {"string.find", "own matcher: steps are charged", lg_string_find},
    {"string.format", "own: no addresses, conversions are charged", lg_string_format},
    {"string.gmatch", "own matcher: steps are charged", lg_string_gmatch},
    {"string.gsub", "own matcher: steps are charged, the result is capped", lg_string_gsub},
    {"string.len", "constant time", lg_string_len},
    {"string.lower", "charged by length", lg_string_lower},
    {"string.match", "own matcher: steps are charged", lg_string_match},
    {"string.rep", "own: the result's size is checked before it is made", lg_string_rep},
    {"string.reverse", "charged by length", lg_string_reverse},
    {"string.sub", "charged by length", lg_string_sub},
    {"string.upper", "charged by length", lg_string_upper},

    {"table.concat", "own: charged, the result is capped", lg_table_concat},
    {"table.insert", "own: charged by the elements moved", lg_table_insert},
    {"table.move", "own: charged by the elements moved", lg_table_move},
    {"table.pack", "bounded by the stack", lg_table_pack},
    {"table.remove", "own: charged by the elements moved", lg_table_remove},
    {"table.sort", "own stable merge sort: the same order everywhere", lg_table_sort},
    {"table.unpack", "own: bounded and charged", lg_table_unpack},

    {"math.abs", "pure", lg_math_abs},
    {"math.acos", "pure; the last digit may differ between processors", lg_math_acos},
    {"math.asin", "pure; the last digit may differ between processors", lg_math_asin},
    {"math.atan", "pure; the last digit may differ between processors", lg_math_atan},
    {"math.ceil", "pure", lg_math_ceil},
    {"math.cos", "pure; the last digit may differ between processors", lg_math_cos},
    {"math.exp", "pure; the last digit may differ between processors", lg_math_exp},
    {"math.floor", "pure", lg_math_floor},
    {"math.fmod", "pure", lg_math_fmod},
    {"math.huge", "constant", NULL},
    {"math.log", "pure; the last digit may differ between processors", lg_math_log},
    {"math.max", "pure", lg_math_max},
    {"math.maxinteger", "constant", NULL},
    {"math.min", "pure", lg_math_min},
    {"math.mininteger", "constant", NULL},
    {"math.modf", "pure", lg_math_modf},
    {"math.pi", "constant", NULL},
    {"math.random", "own generator, seeded by the host for each evaluation", lg_math_random},
    {"math.sin", "pure; the last digit may differ between processors", lg_math_sin},
    {"math.sqrt", "pure", lg_math_sqrt},
    {"math.tan", "pure; the last digit may differ between processors", lg_math_tan},
    {"math.tointeger", "pure", lg_math_tointeger},
    {"math.type", "pure", lg_math_type},
    {"math.ult", "pure", lg_math_ult},

    {"utf8.char", "bounded by its arguments", lg_utf8_char},
    {"utf8.charpattern", "constant", NULL},
    {"utf8.codepoint", "bounded by the stack, charged", lg_utf8_codepoint},
    {"utf8.codes", "own: checks every byte", lg_utf8_codes},
    {"utf8.len", "own: charged by length", lg_utf8_len},
    {"utf8.offset", "own: charged by length", lg_utf8_offset},

    {"json.decode", "the same reader as for messages", lg_json_decode},
    {"json.encode", "within the budget of one value", lg_json_encode},

    {"require", "this app's modules and the shared ones, from memory", lg_require},
    {"rule", "declares a rule; only while files are loaded", lg_rule_declare},
    {"suppress", "a decision as a plain table", lg_suppress},
    {"show", "a decision as a plain table", lg_show},
    {"defer", "a decision as a plain table", lg_defer},
    {"route", "a decision as a plain table", lg_route},
};

const lg_name *lg_allowed_name(size_t index) {
    static _Thread_local lg_name name;
    if (index >= sizeof entries / sizeof *entries) return NULL;
    name = (lg_name){entries[index].name, entries[index].reason};
    return &name;
}

static void push_constant(lua_State *L, const char *name) {
    if (strcmp(name, "math.huge") == 0) lua_pushnumber(L, HUGE_VAL);
    else if (strcmp(name, "math.pi") == 0) lua_pushnumber(L, 3.141592653589793);
    else if (strcmp(name, "math.maxinteger") == 0) lua_pushinteger(L, LUA_MAXINTEGER);
    else if (strcmp(name, "math.mininteger") == 0) lua_pushinteger(L, LUA_MININTEGER);
    else lua_pushlstring(L, "[\0-\x7F\xC2-\xFD][\x80-\xBF]*", 14);
}

/* Sets tables.a.b.c = the value on top, making tables on the way; pops it. */
static void set_dotted(lua_State *L, int root, const char *name) {
    lua_pushvalue(L, root);
    const char *dot;
    while ((dot = strchr(name, '.'))) {
        lua_pushlstring(L, name, (size_t)(dot - name));
        lua_pushvalue(L, -1);
        if (lua_rawget(L, -3) != LUA_TTABLE) {
            lua_pop(L, 1);
            lua_newtable(L);
            lua_pushvalue(L, -2);
            lua_pushvalue(L, -2);
            lua_rawset(L, -5);
        }
        lua_replace(L, -3); /* the table found takes the place of the one around it */
        lua_pop(L, 1);
        name = dot + 1;
    }
    lua_pushstring(L, name);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 2);
}

/* Makes tables.a.b a value that the host is asked for whenever a script reads it. Its table gets a metatable that knows
 * the names of its values; scripts meet the table only behind its read-only cover. */
static void set_value(lua_State *L, int root, const char *name, size_t function) {
    const char *dot = strrchr(name, '.');
    if (!dot) return;
    lua_pushvalue(L, root);
    for (const char *next; name < dot; name = next + 1) {
        next = strchr(name, '.');
        lua_pushlstring(L, name, (size_t)(next - name));
        if (lua_rawget(L, -2) != LUA_TTABLE) {
            lua_pop(L, 1);
            lua_newtable(L);
            lua_pushlstring(L, name, (size_t)(next - name));
            lua_pushvalue(L, -2);
            lua_rawset(L, -4);
        }
        lua_remove(L, -2);
    }
    if (!lua_getmetatable(L, -1)) {
        lua_newtable(L);
        lua_newtable(L); /* name to place */
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "values");
        lua_pushcclosure(L, lg_host_value, 1);
        lua_setfield(L, -2, "__index");
        lua_pushvalue(L, -1);
        lua_setmetatable(L, -3);
    }
    lua_getfield(L, -1, "values");
    lua_pushinteger(L, (lua_Integer)function);
    lua_setfield(L, -2, dot + 1);
    lua_pop(L, 3);
}

/* Puts read-only covers on the tables inside the table at index. */
static void freeze_members(lua_State *L, int index, const char *prefix) {
    luaL_checkstack(L, 8, "names are nested too deep");
    lua_newtable(L); /* frozen ones, set after the walk */
    int frozen = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        if (lua_type(L, -1) == LUA_TTABLE) {
            const char *name = prefix ? lua_pushfstring(L, "%s.%s", prefix, lua_tostring(L, -2)) : lua_pushstring(L, lua_tostring(L, -2));
            lua_pushvalue(L, -2);
            freeze_members(L, lua_gettop(L), name);
            lg_push_frozen(L, name);        /* key, table, name, cover */
            lua_pushvalue(L, -4);
            lua_insert(L, -2);
            lua_rawset(L, frozen);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pushnil(L);
    while (lua_next(L, frozen)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, index);
    }
    lua_settop(L, frozen - 1);
}

/* `__index` of what _ENV holds, while files are loaded. */
static int note_missing(lua_State *L) {
    lg_machine *m = lg_of(L);
    size_t length = 0;
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &length) : NULL;
    lua_pushnil(L);
    lg_charge(L, m, 30);
    if (!name || m->missing_count == LG_MISSING_MAX || length >= sizeof m->missing[0].name) return 1;
    lg_noted_name *noted = &m->missing[m->missing_count];
    lg_where(L, &noted->place);
    memcpy(noted->name, name, length);
    noted->name[length] = 0;
    for (size_t i = 0; i < m->missing_count; i++) {
        const lg_noted_name *other = &m->missing[i];
        if (other->place.line == noted->place.line && !strcmp(other->name, noted->name) && !strcmp(other->place.file, noted->place.file)) return 1;
    }
    m->missing_count++;
    return 1;
}

void lg_end_noting_missing(lua_State *L) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_ENVIRONMENT);
    lg_push_content(L, -1);
    lua_pushnil(L);
    lua_setmetatable(L, -2);
    lua_pop(L, 2);
}

void lg_build_environment(lua_State *L) {
    lg_machine *m = lg_of(L);
    lua_newtable(L);
    int root = lua_gettop(L);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (entries[i].function) lua_pushcfunction(L, entries[i].function);
        else push_constant(L, entries[i].name);
        set_dotted(L, root, entries[i].name);
    }
    size_t called = m->function_count - m->value_count;
    for (size_t i = 0; i < called; i++) {
        lua_pushinteger(L, (lua_Integer)i);
        lua_pushcclosure(L, lg_host_function, 1);
        set_dotted(L, root, m->function_names[i]);
    }
    for (size_t i = called; i < m->function_count; i++) set_value(L, root, m->function_names[i], i);
    lua_getfield(L, root, "string");
    lg_build_string_methods(L, lua_gettop(L));
    lua_pop(L, 1);
    freeze_members(L, root, NULL);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, note_missing);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, root);
    lg_push_frozen(L, "_ENV");
}

/* ---- names that are not there ---- */

const char *lg_unavailable(const char *name) {
    static const char *const names[] = {"io", "debug", "package", "coroutine", "load", "loadfile", "loadstring",
        "dofile", "setmetatable", "getmetatable", "rawget", "rawset", "rawequal", "rawlen", "collectgarbage", "_G"};
    if (strcmp(name, "print") == 0) return "use log, inside a function";
    if (strcmp(name, "os") == 0) return "it is not available to rules; the moment is time.now and time.wall()";
    if (strcmp(name, "msg") == 0 || strcmp(name, "device") == 0 || strcmp(name, "event") == 0)
        return "a function is given it: write function(msg, device, event)";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return "it is not available to rules";
    return NULL;
}

typedef struct near_name {
    size_t distance;
    char text[32];
} near_name;

static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    enum { LONGEST = 32 };
    size_t row[LONGEST + 1];
    if (a_length > LONGEST || b_length > LONGEST) return LONGEST;
    for (size_t j = 0; j <= b_length; j++) row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            size_t best = row[j] + 1 < row[j - 1] + 1 ? row[j] + 1 : row[j - 1] + 1;
            row[j] = best < replaced ? best : replaced;
        }
    }
    return row[b_length];
}

/* A dotted name counts as the table it stands in. */
static void consider(const char *name, size_t name_length, const char *candidate, near_name *best) {
    size_t candidate_length = strcspn(candidate, "."), d = distance(name, name_length, candidate, candidate_length);
    if (d >= best->distance || candidate_length >= sizeof best->text) return;
    best->distance = d;
    memcpy(best->text, candidate, candidate_length);
    best->text[candidate_length] = 0;
}

int lg_near_name(const lg_machine *m, const char *name, size_t length, char out[32]) {
    near_name best = {length <= 3 ? 2 : 3, ""}; /* at most one letter wrong in short names, two in longer ones */
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) consider(name, length, entries[i].name, &best);
    for (size_t i = 0; i < m->function_count; i++) consider(name, length, m->function_names[i], &best);
    memcpy(out, best.text, sizeof best.text);
    return out[0] != 0;
}
