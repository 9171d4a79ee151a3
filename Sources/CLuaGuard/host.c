/* The host's functions: arguments go out as a tape, the answer comes back as a tape, an error is raised here after the
 * host has returned. No frame of the host is ever on the stack when Lua jumps. */
#include "guard.h"
#include <stdlib.h>

/* Asks the host with the arguments on the stack and pushes its answer. Runs in the frame of a function of ours that a
 * script has called, so that errors carry the script's place. */
static int ask_host(lua_State *L, lua_Integer function) {
    lg_machine *m = lg_of(L);
    const char *name = m->function_names[function];
    if (!m->evaluating) return luaL_error(L, "%s works only while a message is decided, not when a file is loaded", name);
    lg_charge(L, m, 30);
    int count = lua_gettop(L);
    if (count > 16) return luaL_error(L, "%s: too many arguments", name);
    jd_builder_reset(m->arguments);
    jd_builder_open(m->arguments, JD_ARRAY);
    lg_budget budget = lg_value_budget(m);
    for (int i = 1; i <= count; i++) lg_write_value(L, i, m->arguments, &budget, name);
    jd_builder_close(m->arguments);
    const jd_node *arguments = jd_builder_finish(m->arguments), *answer = NULL;
    if (!arguments) lg_stop(L, LG_MEMORY, "out of memory");
    int32_t stop_code = 0;
    int kind = m->call(m->context, (uint32_t)function, arguments, &answer, &stop_code);
    if (m->trace && kind <= LG_ANSWER_VALUE) lg_trace_host(L, m, (size_t)function, arguments, kind == LG_ANSWER_VALUE ? answer : NULL);
    if (kind != LG_ANSWER_STOP) lg_charge(L, m, 0); /* what the host has taken (lg_take_fuel) may have been the rest */
    switch (kind) {
    case LG_ANSWER_VALUE:
        if (!answer) lg_stop(L, LG_MEMORY, "out of memory");
        lg_push_value(L, answer);
        return 1;
    case LG_ANSWER_FAILURE:
        if (!answer || lg_follow(answer)->kind != JD_STRING) return luaL_error(L, "%s failed", name);
        answer = lg_follow(answer);
        luaL_where(L, 1);
        lua_pushlstring(L, answer->text, answer->length);
        lua_concat(L, 2);
        return lua_error(L);
    case LG_ANSWER_STOP:
        m->stop_code = stop_code;
        lg_stop(L, LG_HOST_STOP, "the host ended the evaluation");
    default: lua_pushnil(L); return 1;
    }
}

void lg_take_fuel(uint64_t units) {
    lg_machine *m = lg_running;
    if (m) m->fuel -= (int64_t)(units < INT64_MAX / 4 ? units : INT64_MAX / 4);
}

/* Upvalue: the function's place in the host's list. */
int lg_host_function(lua_State *L) { return ask_host(L, lua_tointeger(L, lua_upvalueindex(1))); }

/* `__index` of a table with values: asks the host each time one is read. Upvalue: name to place in the host's list. */
int lg_host_value(lua_State *L) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TNIL) return 1;
    lua_Integer function = lua_tointeger(L, -1);
    lua_settop(L, 0);
    return ask_host(L, function);
}

int64_t lg_keep_function(lua_State *L, int index) {
    lg_machine *m = lg_of(L);
    lua_Debug ar;
    index = lua_absindex(L, index);
    lua_pushvalue(L, index);
    lua_getinfo(L, ">u", &ar);
    if ((size_t)m->function_refs == m->parameter_room) {
        size_t room = m->parameter_room ? 2 * m->parameter_room : 64;
        uint8_t *larger = realloc(m->parameters, room);
        if (!larger) lg_stop(L, LG_MEMORY, "out of memory");
        m->parameters = larger;
        m->parameter_room = room;
    }
    m->parameters[m->function_refs] = ar.isvararg || ar.nparams > LG_ROOTS ? LG_ROOTS : ar.nparams;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_FUNCTIONS);
    lua_pushvalue(L, index);
    lua_rawseti(L, -2, m->function_refs + 1);
    lua_pop(L, 1);
    return ++m->function_refs;
}
