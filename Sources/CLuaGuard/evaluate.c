/* One evaluation: begin, calls of the functions that loading has kept, end. This is the hot path: one protected call
 * per function, views made once per evaluation and only for the parameters a function has, tapes used again. */
#include "guard.h"
#include <stdlib.h>
#include <string.h>

static const jd_node empty_object = {.span = 1, .kind = JD_OBJECT};

void lg_machine_begin(lg_machine *m, const jd_node *message, const jd_node *device, const jd_node *event, uint64_t seed) {
    m->generation++;
    m->evaluating = 1;
    m->roots[LG_ROOT_MESSAGE] = message ? message : &empty_object;
    m->roots[LG_ROOT_DEVICE] = device ? device : &empty_object;
    m->roots[LG_ROOT_EVENT] = event ? event : &empty_object;
    m->call_tapes.used = 0;
    m->unknown_count = 0;
    m->memory_peak = m->memory_used;
    lg_seed_random(m, seed);
    lg_budget_begin(m, m->limits.call_fuel, m->limits.call_nanoseconds);
}

/* What an evaluation before this has left in the tables of views and traversals. */
static void forget_earlier(lua_State *L, lg_machine *m) {
    if (m->cached_views > 32) {
        lua_newtable(L);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &lg_slot_view_cache);
    } else if (m->cached_views) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &lg_slot_view_cache);
        lua_pushnil(L);
        while (lua_next(L, -2)) {
            lua_pop(L, 1);
            lua_pushvalue(L, -1);
            lua_pushnil(L);
            lua_rawset(L, -4);
        }
        lua_pop(L, 1);
    }
    m->cached_views = 0;
}

/* For faults of a returned value and of hidden state: where the function at index begins. */
static void place_at_function(lua_State *L, lg_machine *m, int index) {
    lua_Debug ar;
    lua_pushvalue(L, index);
    lua_getinfo(L, ">S", &ar);
    if (*ar.source != '=' || ar.linedefined <= 0) return;
    strncpy(m->raise_place.file, ar.source + 1, sizeof m->raise_place.file - 1);
    m->raise_place.line = (uint32_t)ar.linedefined;
}

static void refuse_hidden_state(lua_State *L, lg_machine *m) {
    char name[64];
    lg_charge(L, m, m->watched * 4);
    lg_restore_locals(L, name, sizeof name);
    if (!name[0]) return;
    place_at_function(L, m, 2);
    luaL_error(L, "the local variable '%s' of the file was changed; it would be gone or wrong at the next message: use state", name);
}

static int call_body(lua_State *L) {
    lg_machine *m = lg_of(L);
    if (m->root_generation[0] != m->generation) {
        m->root_generation[0] = m->generation;
        forget_earlier(L, m);
        lua_rawgetp(L, LUA_REGISTRYINDEX, &lg_slot_roots);
        for (int root = 0; root < LG_ROOTS; root++) {
            lg_push_node(L, m->roots[root], root);
            lua_rawseti(L, -2, root + 1);
        }
        lua_settop(L, 0);
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &lg_slot_functions);                  /* 1 */
    if (lua_rawgeti(L, 1, m->request.function) != LUA_TFUNCTION)            /* 2 */
        return luaL_error(L, "there is no function %d", (int)m->request.function);
    lua_pushvalue(L, 2);                                                    /* 3 */
    lua_rawgetp(L, LUA_REGISTRYINDEX, &lg_slot_roots);                      /* 4 */
    for (int root = 1; root <= LG_ROOTS; root++) lua_rawgeti(L, 4, root);
    lua_remove(L, 4);
    lg_charge(L, m, 50);
    lua_call(L, LG_ROOTS, 1);                                               /* 3: the answer */
    if (m->watched) refuse_hidden_state(L, m);
    if (m->request.expecting == LG_EXPECT_TRUTH) {
        m->request.answer = lua_toboolean(L, 3) ? LG_TRUE : LG_FALSE;
        return 0;
    }
    if (lua_isnil(L, 3)) {
        m->request.answer = LG_NOTHING;
        return 0;
    }
    m->judging = 1;
    place_at_function(L, m, 2);
    if (lua_type(L, 3) != LUA_TTABLE && lua_type(L, 3) != LUA_TUSERDATA)
        return luaL_error(L, "decide must return a table or nothing, not a %s", lg_type_name(L, 3));
    lg_budget budget = lg_value_budget(m);
    lg_write_value(L, 3, m->request.builder, &budget, "what decide returns");
    m->judging = 0;
    m->request.value = jd_builder_finish(m->request.builder);
    if (!m->request.value) lg_stop(L, LG_MEMORY, "out of memory");
    m->request.answer = LG_VALUE;
    return 0;
}

int lg_machine_call(lg_machine *m, int64_t function, int expecting, int *answer, const jd_node **value) {
    *answer = LG_NOTHING;
    *value = NULL;
    m->request = (lg_request){.function = function, .expecting = expecting};
    if (expecting == LG_EXPECT_TABLE && !(m->request.builder = lg_next_tape(&m->call_tapes))) return LG_DEAD;
    int code = lg_converse(m, call_body);
    if (code != LG_OK && m->watched && !m->stop && !m->out_of_memory) {
        char name[64];
        lg_restore_locals(m->L, name, sizeof name); /* an error must not leave a change behind either */
    }
    if (code == LG_OK) {
        *answer = m->request.answer;
        *value = m->request.value;
    }
    if (code != LG_OK || *answer != LG_VALUE) m->call_tapes.used -= expecting == LG_EXPECT_TABLE;
    return code;
}

/* The views of this evaluation end here: a table that a script has kept raises from now on. */
void lg_machine_end(lg_machine *m) {
    m->evaluating = 0;
    m->generation++;
}
