/* The words a rule is written with: rule, suppress, show, defer, route. All may raise. */
#include "guard.h"
#include <stdlib.h>
#include <string.h>

static int declare(lua_State *L, const char *name, size_t name_length, int table) {
    lg_machine *m = lg_of(L);
    if (m->sealed) return luaL_error(L, "rules are declared when a file is loaded, not while a message is decided");
    if (m->rule_count >= m->limits.rules) return luaL_error(L, "more than %d rules", (int)m->limits.rules);
    lg_charge(L, m, 100);
    if (m->rule_count == m->rule_room) {
        size_t room = m->rule_room ? m->rule_room * 2 : 16;
        lg_rule *rules = realloc(m->rules, room * sizeof *rules);
        if (!rules) lg_stop(L, LG_MEMORY, "out of memory");
        m->rules = rules;
        m->rule_room = room;
    }
    lg_place place;
    lg_where(L, &place);
    lg_rule *rule = &m->rules[m->rule_count];
    *rule = (lg_rule){.line = place.line, .name_length = (uint32_t)name_length};
    rule->name = lg_copy_text(name, name_length);
    rule->file = lg_copy_text(place.file, strlen(place.file));
    rule->tape = jd_builder_new();
    m->rule_count++; /* counted now, so that an error below still frees it; the load fails anyway */
    if (!rule->name || !rule->file || !rule->tape) lg_stop(L, LG_MEMORY, "out of memory");
    char what[120];
    lg_clean_text(what, sizeof what - 10, name, name_length);
    lua_pushfstring(L, "rule \"%s\"", what);
    m->definitions.depth = m->limits.definition_depth; /* an error that pcall caught may have left it short */
    lg_write_value(L, table, rule->tape, &m->definitions, lua_tostring(L, -1));
    rule->definition = jd_builder_finish(rule->tape);
    if (!rule->definition) lg_stop(L, LG_MEMORY, "out of memory");
    return 0;
}

/* `rule "name"` gives this, which then gets the table. Upvalue: the name. */
static int with_name(lua_State *L) {
    size_t length;
    const char *name = lua_tolstring(L, lua_upvalueindex(1), &length);
    if (lua_type(L, 1) != LUA_TTABLE)
        return luaL_error(L, "rule \"%s\" needs a table after its name: rule \"%s\" { … }", name, name);
    return declare(L, name, length, 1);
}

int lg_rule_declare(lua_State *L) {
    size_t length, bad;
    if (lua_type(L, 1) == LUA_TTABLE) return luaL_error(L, "a rule needs a name: rule \"what it does\" { … }");
    if (lua_type(L, 1) != LUA_TSTRING) return luaL_error(L, "a rule's name must be text, not %s", lg_type_name(L, 1));
    const char *name = lua_tolstring(L, 1, &length);
    if (length == 0) return luaL_error(L, "a rule's name must not be empty");
    if (length > 200) return luaL_error(L, "a rule's name must not be longer than 200 bytes");
    if (!jd_utf8_valid(name, length, &bad)) return luaL_error(L, "a rule's name must be valid UTF-8");
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) return luaL_error(L, "a rule's name must be one line of text");
    if (lg_of(L)->sealed) return declare(L, name, length, 2);
    if (lua_gettop(L) >= 2) {
        if (lua_type(L, 2) != LUA_TTABLE) return luaL_error(L, "rule \"%s\" needs a table, not %s", name, lg_type_name(L, 2));
        return declare(L, name, length, 2);
    }
    lua_settop(L, 1);
    lua_pushcclosure(L, with_name, 1);
    return 1;
}

/* The helpers may stand for `decide` itself; then they are called with the views, which say nothing about the answer.
 * Leaves two arguments, nil where there was none. */
static void forget_views(lua_State *L) {
    if (lua_type(L, 1) == LUA_TUSERDATA && lua_gettop(L) >= 3) lua_settop(L, 0);
    lua_settop(L, 2);
}

static void set_text(lua_State *L, const char *key, const char *value) {
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

/* Sets table.reason from the argument at index. */
static void set_reason(lua_State *L, int index, const char *function) {
    if (lua_isnoneornil(L, index)) return;
    if (lua_type(L, index) != LUA_TSTRING) luaL_error(L, "%s: the reason must be text, not %s", function, lg_type_name(L, index));
    lua_pushvalue(L, index);
    lua_setfield(L, -2, "reason");
}

int lg_suppress(lua_State *L) {
    lg_charge(L, lg_of(L), 10);
    forget_views(L);
    lua_createtable(L, 0, 2);
    set_text(L, "display", "suppress");
    set_reason(L, 1, "suppress");
    return 1;
}

int lg_defer(lua_State *L) {
    lg_charge(L, lg_of(L), 10);
    forget_views(L);
    lua_createtable(L, 0, 3);
    set_text(L, "display", "defer");
    int type = lua_type(L, 1);
    if (type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TTABLE) {
        lua_pushvalue(L, 1);
        lua_setfield(L, -2, "hold_until");
    } else if (!lua_isnoneornil(L, 1))
        return luaL_error(L, "defer: the time must be text or a number, not %s", lg_type_name(L, 1));
    set_reason(L, 2, "defer");
    return 1;
}

int lg_route(lua_State *L) {
    lg_charge(L, lg_of(L), 10);
    forget_views(L);
    int type = lua_type(L, 1);
    if (type != LUA_TSTRING && type != LUA_TTABLE && type != LUA_TUSERDATA && !(type == LUA_TBOOLEAN && !lua_toboolean(L, 1)))
        return luaL_error(L, "route: expected a URL, a table or false, not %s", lg_type_name(L, 1));
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "route");
    return 1;
}

/* show{"banner", badge = "+1"}: what stands by position are the options, none means all; the rest are decide's fields. */
int lg_show(lua_State *L) {
    lg_charge(L, lg_of(L), 10);
    forget_views(L);
    int type = lua_type(L, 1);
    if (type == LUA_TSTRING && lua_type(L, 2) == LUA_TSTRING)
        return luaL_error(L, "show takes one table; write show{\"%s\", \"%s\"}, with braces", lua_tostring(L, 1), lua_tostring(L, 2));
    lua_settop(L, 1);
    if (type == LUA_TSTRING) { /* show "banner" */
        lua_createtable(L, 1, 0);
        lua_insert(L, 1);
        lua_rawseti(L, 1, 1);
    } else if (type == LUA_TNIL) {
        lua_newtable(L);
        lua_replace(L, 1);
    } else if (type != LUA_TTABLE)
        return luaL_error(L, "show: expected a table or an option's name, not %s", lg_type_name(L, 1));
    lg_push_content(L, 1);      /* 2 */
    size_t options = lua_rawlen(L, 2);
    /* As large as they usually get: a table that grows entry by entry is made anew four times. */
    lua_createtable(L, 0, 4);                                   /* 3: the answer */
    lua_createtable(L, options < 16 ? (int)options : 0, 0);     /* 4: the options */
    lg_charge(L, lg_of(L), options * 2);
    lua_pushnil(L);                                             /* 5: a key */
    while (lua_next(L, 2)) {                                    /* 6: its value */
        lg_charge(L, lg_of(L), 3);
        if (lua_type(L, 5) == LUA_TSTRING) {
            size_t length;
            const char *key = lua_tolstring(L, 5, &length);
            if (length == 7 && memcmp(key, "display", 7) == 0)
                return luaL_error(L, "show: 'display' is what show sets; leave it out");
            lua_pushvalue(L, 5);
            lua_rotate(L, 6, 1);
            lua_rawset(L, 3);
        } else {
            int whole;
            lua_Integer place = lua_tointegerx(L, 5, &whole);
            if (whole && place >= 1 && (lua_Unsigned)place <= options) lua_rawseti(L, 4, place);
            else lua_pop(L, 1);
        }
    }
    lua_settop(L, 4);
    if (options == 0) {
        lua_settop(L, 3);
        set_text(L, "display", "show");
    } else
        lua_setfield(L, 3, "display");
    return 1;
}
