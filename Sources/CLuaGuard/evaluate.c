/* One evaluation: begin, calls of the functions that loading has kept, end. This is the hot path: one protected call
 * per function, views made once per evaluation and only for the parameters a function has, tapes used again. */
#include "guard.h"
#include <stdio.h>

#define TOOK_MUCH ((size_t)1 << 20)

static const jd_node empty_object = {.span = 1, .kind = JD_OBJECT};

void lg_machine_begin(lg_machine *m, const jd_node *message, const jd_node *device, const jd_node *event, uint64_t seed) {
    m->generation++;
    m->evaluating = 1;
    m->roots[LG_ROOT_MESSAGE] = message ? message : &empty_object;
    m->roots[LG_ROOT_DEVICE] = device ? device : &empty_object;
    m->roots[LG_ROOT_EVENT] = event ? event : &empty_object;
    m->call_tapes.used = 0;
    m->unknown_count = 0;
    /* An app that keeps much for itself has little room: there each begins without what the one before has left. So does one
     * after an evaluation that took much. */
    int keeps_much = m->live > m->limits.memory_bytes / 2, took_much = m->memory_peak > m->live + TOOK_MUCH;
    if (m->collects_texts || keeps_much || took_much) {
        m->collects_texts = 0;
        lua_gc(m->L, LUA_GCCOLLECT, 0); /* runs no finalizers, so it cannot raise */
    }
    m->memory_peak = m->memory_used;
    lg_seed_random(m, seed);
    lg_budget_begin(m, m->limits.call_fuel, m->limits.call_nanoseconds);
    m->is_clean = keeps_much;
}

/* Faults of a returned value and of hidden state are shown where the function begins. Neither raises nor allocates. */
static void place_at_function(lua_State *L, int64_t function, lg_place *place) {
    lua_Debug ar;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_FUNCTIONS);
    if (lua_rawgeti(L, -1, function) != LUA_TFUNCTION) {
        lua_pop(L, 2);
        return;
    }
    lua_getinfo(L, ">S", &ar);
    lua_pop(L, 1);
    if (*ar.source != '=' || ar.linedefined <= 0) return;
    snprintf(place->file, sizeof place->file, "%s", ar.source + 1);
    place->line = (uint32_t)ar.linedefined;
}

static void refuse_hidden_state(lua_State *L, lg_machine *m) {
    char name[64];
    lg_charge(L, m, m->watched * 4);
    lg_restore_locals(L, name, sizeof name);
    if (!name[0]) return;
    place_at_function(L, m->request.function, &m->raise_place);
    luaL_error(L, "the local variable '%s' of the file was changed; it would be gone or wrong at the next message: use state", name);
}

/* Pushes msg, device or event; its view is made when a function first takes it. */
static void push_root(lua_State *L, lg_machine *m, int root) {
    if (m->root_generation[root] == m->generation) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_ROOTS);
        lua_rawgeti(L, -1, root + 1);
        lua_remove(L, -2);
        return;
    }
    lg_push_node(L, m->roots[root], root);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_ROOTS);
    lua_pushvalue(L, -2);
    lua_rawseti(L, -2, root + 1);
    lua_pop(L, 1);
    m->root_generation[root] = m->generation;
}

static int call_body(lua_State *L) {
    lg_machine *m = lg_of(L);
    if (m->views_generation != m->generation) {
        m->views_generation = m->generation;
        lg_forget_views(L);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_FUNCTIONS);                  /* 1 */
    if (lua_rawgeti(L, 1, m->request.function) != LUA_TFUNCTION)            /* 2 */
        return luaL_error(L, "there is no function %d", (int)m->request.function);
    lua_pushvalue(L, 2);                                                    /* 3 */
    int parameters = m->parameters[m->request.function - 1];
    for (int root = 0; root < parameters; root++) push_root(L, m, root);
    lg_charge(L, m, 50);
    if (m->trace) lg_trace_begin(L, m, 2);
    lua_call(L, parameters, 1);                                             /* 3: the answer */
    if (m->watched) refuse_hidden_state(L, m);
    if (m->request.expecting == LG_EXPECT_TRUTH) {
        m->request.answer = lua_toboolean(L, 3) ? LG_TRUE : LG_FALSE;
        if (m->trace) lg_trace_return(L, m, 3, NULL);
        return 0;
    }
    if (lua_isnil(L, 3)) {
        m->request.answer = LG_NOTHING;
        if (m->trace) lg_trace_return(L, m, 3, NULL);
        return 0;
    }
    m->judging = 1;
    if (m->request.expecting == LG_EXPECT_TEXT) {
        if (lua_type(L, 3) != LUA_TSTRING)
            return luaL_error(L, "the key of a cap must be a text or nil, not a %s", lg_type_name(L, 3));
    } else if (lua_type(L, 3) != LUA_TTABLE && lua_type(L, 3) != LUA_TUSERDATA)
        return luaL_error(L, "decide must return a table or nothing, not a %s", lg_type_name(L, 3));
    lg_budget budget = lg_value_budget(m);
    lg_write_value(L, 3, m->request.builder, &budget, m->request.expecting == LG_EXPECT_TEXT ? "the key of a cap" : "what decide returns");
    m->judging = 0;
    m->request.value = jd_builder_finish(m->request.builder);
    if (!m->request.value) lg_stop(L, LG_MEMORY, "out of memory");
    m->request.answer = LG_VALUE;
    if (m->trace) lg_trace_return(L, m, 3, m->request.value);
    return 0;
}

int lg_machine_call(lg_machine *m, int64_t function, int expecting, int *answer, const jd_node **value) {
    *answer = LG_NOTHING;
    *value = NULL;
    m->request = (lg_request){.function = function, .expecting = expecting};
    if (expecting != LG_EXPECT_TRUTH && !(m->request.builder = lg_next_tape(&m->call_tapes))) return LG_DEAD;
    int code = lg_converse(m, call_body);
    if (code != LG_OK && m->watched && !m->stop && !m->out_of_memory) {
        char name[64];
        lg_restore_locals(m->L, name, sizeof name); /* an error must not leave a change behind either */
    }
    if (code == LG_BAD_VALUE || (code == LG_FUEL && !m->fault.line)) {
        place_at_function(m->L, function, &m->fault_place);
        m->fault.line = m->fault_place.line;
    }
    if (code == LG_OK) {
        *answer = m->request.answer;
        *value = m->request.value;
    }
    if (code == LG_RAISED || code == LG_BAD_VALUE) lg_machine_charge_fault(m); /* its text is cleaned, told, and written out */
    if (code != LG_OK || *answer != LG_VALUE) m->call_tapes.used -= expecting != LG_EXPECT_TRUTH;
    return code;
}

/* The views of this evaluation end here: a table that a script has kept raises from now on. */
void lg_machine_end(lg_machine *m) {
    m->evaluating = 0;
    m->generation++;
}
