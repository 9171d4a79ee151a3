/* Making, sealing and ending a machine, and the one protected call that every conversation goes through. */
#include "guard.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Only an error outside every protected call comes here, and there is none; returning would abort(). */
static int panic(lua_State *L) {
    (void)L;
    static const char text[] = "rulehost: Lua raised an error outside a protected call; this is a fault of rulehost\n";
    ssize_t ignored = write(2, text, sizeof text - 1);
    (void)ignored;
    _exit(70);
}

/* The last of the fuel went behind the last look at it: the answer, or the error, is not one within the budget. */
static int spend_at_the_end(lg_machine *m, int code) {
    char message[80];
    if (code != LG_OK) m->stop_place = m->fault_place;
    m->stop = LG_FUEL;
    lg_spent_message(m, message, sizeof message);
    snprintf(m->stop_message, sizeof m->stop_message, "%s", message);
    return lg_set_fault(m, LG_FUEL, m->stop_place.file, m->stop_place.line, 0, message);
}

int lg_converse(lg_machine *m, lua_CFunction body) {
    if (m->stop || m->out_of_memory) return LG_DEAD;
    lua_State *L = m->L;
    m->judging = 0;
    m->raise_place.file[0] = 0;
    m->raise_place.line = 0;
    m->raise_is_plain = 0;
    m->caught_count = 0;
    m->syntax_source = NULL;
    lua_pushcfunction(L, body); /* a light C function: needs no memory */
    lg_machine *around = lg_running;
    lg_running = m;
    int status = lua_pcall(L, 0, 0, 0);
    lg_running = around;
    int code = LG_OK;
    if (status != LUA_OK) code = lg_take_fault(m, status);
    if (LG_WALL && m->fuel < 0 && m->generation && !m->stop && code <= LG_BAD_VALUE) code = spend_at_the_end(m, code);
    lua_settop(L, 0);
    return code;
}

static void free_names(lg_names *names) {
    for (size_t i = 0; i < names->count; i++) free(names->items[i]);
    free(names->items);
    free(names->lengths);
}

static int copy_names(lg_names *out, const lg_schema *schema) {
    out->free = schema->fields == NULL;
    if (out->free || schema->count == 0) return 1;
    out->items = calloc(schema->count, sizeof *out->items);
    out->lengths = calloc(schema->count, sizeof *out->lengths);
    if (!out->items || !out->lengths) return 0;
    for (size_t i = 0; i < schema->count; i++) {
        out->lengths[i] = (uint32_t)strlen(schema->fields[i]);
        if (!(out->items[i] = lg_copy_text(schema->fields[i], out->lengths[i]))) return 0;
        out->count++;
    }
    return 1;
}

static void free_tapes(lg_tapes *tapes) {
    for (size_t i = 0; i < tapes->count; i++) jd_builder_free(tapes->items[i]);
    free(tapes->items);
}

void lg_machine_free(lg_machine *m) {
    if (!m) return;
    if (m->L) lua_close(m->L); /* no finalizers, nothing to be closed: scripts cannot make either */
    for (int i = 0; i < LG_ROOTS; i++) free_names(&m->schema[i]);
    for (size_t i = 0; i < m->function_count; i++) free(m->function_names[i]);
    for (size_t i = 0; i < m->module_count; i++) {
        free(m->modules[i].name);
        free(m->modules[i].file);
        free(m->modules[i].source);
        free(m->modules[i].fault);
    }
    for (size_t i = 0; i < m->rule_count; i++) {
        free(m->rules[i].name);
        free(m->rules[i].file);
        jd_builder_free(m->rules[i].tape);
    }
    for (size_t i = 0; i < m->file_count; i++) free(m->files[i]);
    free(m->function_names);
    free(m->modules);
    free(m->rules);
    free(m->files);
    free_tapes(&m->load_tapes);
    free_tapes(&m->call_tapes);
    jd_builder_free(m->arguments);
    jd_document_free(m->document);
    free(m->known_views);
    free(m->parameters);
    free(m->trace_memory);
    lg_free_chunks(m);
    free(m);
}

static int build_body(lua_State *L) {
    lua_gc(L, LUA_GCINC, 400, 200, 0); /* a machine is small: collect when it has grown fourfold, not twofold */
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LG_SLOT_FUNCTIONS);
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LG_SLOT_MODULES);
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LG_SLOT_NEXT);
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LG_SLOT_ROOTS);
    if (!lg_meter_fits(L)) return luaL_error(L, "this build of Lua is not the one that the meter was made for");
    lg_build_views(L);
    lg_build_environment(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LG_SLOT_ENVIRONMENT);
    return 0;
}

lg_machine *lg_machine_new(const lg_setup *setup) {
    lg_machine *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->limits = setup->limits;
    m->call = setup->call;
    m->context = setup->context;
    m->value_count = setup->value_count <= setup->function_count ? setup->value_count : setup->function_count;
    m->arguments = jd_builder_new();
    m->document = jd_document_new();
    const lg_schema *schemas[LG_ROOTS] = {&setup->message, &setup->device, &setup->event};
    int ready = m->arguments && m->document;
    for (int i = 0; i < LG_ROOTS && ready; i++) ready = copy_names(&m->schema[i], schemas[i]);
    m->function_names = calloc(setup->function_count + 1, sizeof *m->function_names);
    ready = ready && m->function_names;
    for (size_t i = 0; i < setup->function_count && ready; i++) {
        m->function_names[i] = lg_copy_text(setup->functions[i], strlen(setup->functions[i]));
        if (!m->function_names[i]) ready = 0;
        else m->function_count++;
    }
    if (ready) m->L = lua_newstate(lg_allocate, m);
    if (!m->L) {
        lg_machine_free(m);
        return NULL;
    }
    lua_atpanic(m->L, panic);
    m->definitions = (lg_budget){m->limits.definition_bytes, m->limits.definition_nodes, m->limits.definition_depth, 1, 1};
    *(lg_machine **)lua_getextraspace(m->L) = m;
    lg_seed_random(m, 0);
    lg_budget_begin(m, m->limits.load_fuel, m->limits.load_nanoseconds);
    if (lg_converse(m, build_body) != LG_OK) {
        lg_machine_free(m);
        return NULL;
    }
    lg_budget_begin(m, m->limits.load_fuel, m->limits.load_nanoseconds);
    return m;
}

static int seal_body(lua_State *L) {
    lg_machine *m = lg_of(L);
    m->sealed = m->sealing = 1;
    lg_end_noting_missing(L);
    lg_run_waiting_modules(L);
    m->sealing = 0;
    lg_freeze_reachable(L);
    lg_watch_locals(L);
    return 0;
}

int lg_machine_seal(lg_machine *m) {
    if (m->sealed) return LG_OK;
    lg_clock_resume(m);
    int code = lg_converse(m, seal_body);
    if (code == LG_OK) lua_gc(m->L, LUA_GCCOLLECT, 0); /* all machines of an app begin alike */
    m->live = m->memory_used;
    lg_note_spare(m);
    return code;
}

int lg_machine_state(const lg_machine *m) { return m->out_of_memory ? LG_MEMORY : m->stop; }
const lg_fault *lg_machine_fault(const lg_machine *m) { return &m->fault; }

size_t lg_machine_declaration_count(const lg_machine *m) { return m->rule_count; }
lg_declaration lg_machine_declaration(const lg_machine *m, size_t index) {
    const lg_rule *rule = &m->rules[index];
    return (lg_declaration){rule->definition, rule->name, rule->file, rule->name_length, rule->line};
}

lg_usage lg_machine_usage(const lg_machine *m) {
    int64_t left = m->fuel < 0 ? 0 : m->fuel;
    return (lg_usage){m->fuel_given - left + m->overdrawn, m->memory_used, m->memory_peak};
}

size_t lg_machine_missing_count(const lg_machine *m) { return m->missing_count; }
lg_missing_name lg_machine_missing(const lg_machine *m, size_t index) {
    const lg_noted_name *noted = &m->missing[index];
    return (lg_missing_name){noted->name, noted->place.file, lg_unavailable(noted->name), noted->place.line};
}

size_t lg_machine_unknown_count(const lg_machine *m) { return m->unknown_count; }
lg_unknown_field lg_machine_unknown(const lg_machine *m, size_t index) {
    static const char *const names[LG_ROOTS] = {"msg", "device", "event"};
    const lg_noted_field *noted = &m->unknown[index];
    return (lg_unknown_field){names[noted->root], noted->field, noted->place.file, noted->field_length, noted->place.line};
}
