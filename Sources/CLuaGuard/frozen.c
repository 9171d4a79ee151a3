/* Read-only tables. Scripts cannot set metatables, so ours hold: a read-only table is an empty one whose metatable leads
 * reading to the content (`__index`) and refuses writing (`__newindex`). Every function of ours that works on a table
 * directly goes through lg_push_content, and none of ours writes to content.
 */
#include "guard.h"
#include <string.h>

static const char slot_content = 0, slot_name = 0;

static int refuse_write(lua_State *L) {
    const char *name = NULL;
    if (lua_getmetatable(L, 1)) {
        lua_rawgetp(L, -1, &slot_name);
        name = lua_tostring(L, -1);
    }
    if (name && strcmp(name, "_ENV") == 0) {
        const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : lg_type_name(L, 2);
        lua_rawgetp(L, -2, &slot_content);
        lua_pushvalue(L, 2);
        if (lua_rawget(L, -2) != LUA_TNIL) return luaL_error(L, "'%s' cannot be changed; choose another name for a local variable", key);
        return luaL_error(L, "'%s' is not a local variable: declare it local, or keep it with state", key);
    }
    if (name) return luaL_error(L, "%s is read-only", name);
    return luaL_error(L, "this table was made when the file was loaded and is read-only now; make a new table, or keep values with state");
}

static int content_length(lua_State *L) {
    lg_push_content(L, 1);
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
    return 1;
}

/* Stack: …, content, cover → …, cover. */
static void cover(lua_State *L, const char *name) {
    lua_createtable(L, 0, 5);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, -3);
    lua_rawsetp(L, -2, &slot_content);
    lua_pushcfunction(L, refuse_write);
    lua_setfield(L, -2, "__newindex");
    lua_pushcfunction(L, content_length);
    lua_setfield(L, -2, "__len");
    if (name) {
        lua_pushstring(L, name);
        lua_rawsetp(L, -2, &slot_name);
    }
    lua_setmetatable(L, -2);
    lua_remove(L, -2);
}

void lg_push_frozen(lua_State *L, const char *name) {
    lua_newtable(L);
    cover(L, name);
}

int lg_is_frozen(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return 0;
    int frozen = lua_rawgetp(L, -1, &slot_content) == LUA_TTABLE;
    lua_pop(L, 2);
    return frozen;
}

int lg_push_content(lua_State *L, int index) {
    index = lua_absindex(L, index);
    if (lua_getmetatable(L, index)) {
        if (lua_rawgetp(L, -1, &slot_content) == LUA_TTABLE) {
            lua_remove(L, -2);
            return 1;
        }
        lua_pop(L, 2);
    }
    lua_pushvalue(L, index);
    return 0;
}

void lg_freeze_in_place(lua_State *L) {
    lg_machine *m = lg_of(L);
    int table = lua_gettop(L);
    luaL_checkstack(L, 8, "calls are nested too deep");
    if (lg_is_frozen(L, table)) return;
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lg_charge(L, m, 4);
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, table + 1);
    }
    lua_pushnil(L);
    while (lua_next(L, table)) { /* clearing a field while going over it is allowed (manual, lua_next) */
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, table);
    }
    lua_insert(L, table);
    cover(L, NULL);
}

/* Adds the value on top to the list of what is still to be looked at, if it can lead anywhere and is new; pops it. */
void lg_remember(lua_State *L, int seen, int todo) {
    int type = lua_type(L, -1);
    if (type == LUA_TTABLE || (type == LUA_TFUNCTION && !lua_iscfunction(L, -1))) {
        lua_pushvalue(L, -1);
        if (lua_rawget(L, seen) == LUA_TNIL) {
            lua_pushvalue(L, -2);
            lua_pushboolean(L, 1);
            lua_rawset(L, seen);
            lua_pushvalue(L, -2);
            lua_rawseti(L, todo, (lua_Integer)lua_rawlen(L, todo) + 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void lg_freeze_reachable(lua_State *L) {
    lg_machine *m = lg_of(L);
    luaL_checkstack(L, 12, "calls are nested too deep");
    lua_newtable(L);
    int seen = lua_gettop(L);
    lua_newtable(L);
    int todo = seen + 1;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_FUNCTIONS);
    for (lua_Integer i = 1; i <= m->function_refs; i++) {
        lua_rawgeti(L, todo + 1, i);
        lg_remember(L, seen, todo);
    }
    lua_pop(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_MODULES);
    for (size_t i = 0; i < m->module_count; i++) {
        lua_getfield(L, todo + 1, m->modules[i].name);
        lg_remember(L, seen, todo);
    }
    lua_pop(L, 1);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, todo); i++) {
        lg_charge(L, m, 5);
        lua_rawgeti(L, todo, i);
        int value = lua_gettop(L);
        if (lua_type(L, value) == LUA_TFUNCTION) {
            for (int up = 1; lua_getupvalue(L, value, up); up++) lg_remember(L, seen, todo);
        } else if (!lg_is_frozen(L, value)) {
            lua_pushnil(L);
            while (lua_next(L, value)) {
                lg_charge(L, m, 2);
                lg_remember(L, seen, todo);
                lua_pushvalue(L, -1);
                lg_remember(L, seen, todo);
            }
            lua_pushvalue(L, value);
            lg_freeze_in_place(L);
        }
        lua_settop(L, todo);
    }
    lua_settop(L, seen - 1);
}
