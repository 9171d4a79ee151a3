/* Loading: a file or module is scanned, compiled as text and run once. Chunk names are the file's own name and nothing
 * else ("=" of the manual's lua_load), so that errors show no path of the host. */
#include "guard.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *lg_copy_text(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    if (length) memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

/* Remembers a chunk's name, so that "file:line:" can be told from a script's own text. */
static int know_file(lg_machine *m, const char *file) {
    for (size_t i = 0; i < m->file_count; i++)
        if (strcmp(m->files[i], file) == 0) return 1;
    char **files = realloc(m->files, (m->file_count + 1) * sizeof *files);
    if (!files) return 0;
    m->files = files;
    m->files[m->file_count] = lg_copy_text(file, strlen(file));
    if (!m->files[m->file_count]) return 0;
    m->file_count++;
    return 1;
}

void lg_compile(lua_State *L, const char *file, const char *source, size_t length) {
    lg_machine *m = lg_of(L);
    if (!know_file(m, file)) lg_stop(L, LG_MEMORY, "out of memory");
    lg_charge(L, m, length);
    if (length >= 3 && memcmp(source, "\xef\xbb\xbf", 3) == 0) source += 3, length -= 3;
    char name[LG_FILE_BYTES + 1];
    snprintf(name, sizeof name, "=%s", file);
    int status = luaL_loadbufferx(L, source, length, name, "t");
    if (status == LUA_ERRSYNTAX) {
        snprintf(m->syntax_message, sizeof m->syntax_message, "%s", lua_tostring(L, -1));
        m->syntax_source = source;
        m->syntax_length = length;
    }
    if (status != LUA_OK) lua_error(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_ENVIRONMENT);
    lua_setupvalue(L, -2, 1);
    lg_look_at_clock(L, m);
}

/* ---- files ---- */

static int run_body(lua_State *L) {
    lg_machine *m = lg_of(L);
    lg_compile(L, m->request.file, m->request.source, m->request.length);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) return 0;
    m->judging = 1;
    snprintf(m->raise_place.file, sizeof m->raise_place.file, "%s", m->request.file);
    m->raise_place.line = 1;
    m->definitions.depth = m->limits.definition_depth;
    lg_write_value(L, -1, m->request.builder, &m->definitions, "what the file returns");
    m->judging = 0;
    m->request.value = jd_builder_finish(m->request.builder);
    if (!m->request.value) lg_stop(L, LG_MEMORY, "out of memory");
    return 0;
}

static int compile_body(lua_State *L) {
    lg_machine *m = lg_of(L);
    lg_compile(L, m->request.file, m->request.source, m->request.length);
    return 0;
}

jd_builder *lg_next_tape(lg_tapes *tapes) {
    if (tapes->used == tapes->count) {
        jd_builder **items = realloc(tapes->items, (tapes->count + 1) * sizeof *items);
        if (!items) return NULL;
        tapes->items = items;
        if (!(tapes->items[tapes->count] = jd_builder_new())) return NULL;
        tapes->count++;
    }
    jd_builder *tape = tapes->items[tapes->used++];
    jd_builder_reset(tape);
    return tape;
}

int lg_machine_check(lg_machine *m, const char *file, const char *source, size_t length) {
    int code = lg_scan(m, file, source, length);
    if (code != LG_OK) return code;
    m->request = (lg_request){.file = file, .source = source, .length = length};
    return lg_converse(m, compile_body);
}

int lg_machine_run(lg_machine *m, const char *file, const char *source, size_t length, const jd_node **value) {
    *value = NULL;
    int code = lg_scan(m, file, source, length);
    if (code != LG_OK) return code;
    lg_clock_resume(m);
    m->request = (lg_request){.file = file, .source = source, .length = length, .builder = lg_next_tape(&m->load_tapes)};
    if (!m->request.builder) return lg_set_fault(m, LG_MEMORY, file, 0, 0, "out of memory");
    code = lg_converse(m, run_body);
    lg_clock_pause(m);
    if (code == LG_OK) *value = m->request.value;
    /* A module that failed is tried again by the next file: it shall fail for its own reason, not as a circle. */
    for (size_t i = 0; code != LG_OK && i < m->module_count; i++)
        if (m->modules[i].phase == LG_MODULE_RUNNING) m->modules[i].phase = LG_MODULE_WAITING;
    return code;
}

/* ---- modules ---- */

int lg_machine_add_module(lg_machine *m, const char *name, const char *file, const char *source, size_t length) {
    lg_module *modules = realloc(m->modules, (m->module_count + 1) * sizeof *modules);
    if (!modules) return LG_MEMORY;
    m->modules = modules;
    lg_module module = {lg_copy_text(name, strlen(name)), lg_copy_text(file, strlen(file)), lg_copy_text(source, length), NULL, length, LG_MODULE_WAITING};
    if (!module.name || !module.file || !module.source) {
        free(module.name), free(module.file), free(module.source);
        return LG_MEMORY;
    }
    m->modules[m->module_count++] = module;
    return LG_OK;
}

/* Runs the module and keeps what it returned, read-only. May raise. */
static void run_module(lua_State *L, lg_machine *m, lg_module *module) {
    int code = lg_scan(m, module->file, module->source, module->length);
    if (code != LG_OK) luaL_error(L, "%s:%d: %s", module->file, (int)m->fault.line, m->fault_message);
    module->phase = LG_MODULE_RUNNING;
    lg_compile(L, module->file, module->source, module->length);
    lua_call(L, 0, 1);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, 1);
    }
    if (lua_type(L, -1) == LUA_TTABLE) lg_freeze_in_place(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_MODULES);
    lua_insert(L, -2);
    lua_setfield(L, -2, module->name);
    lua_pop(L, 1);
    module->phase = LG_MODULE_READY;
}

static int run_module_body(lua_State *L) {
    lg_machine *m = lg_of(L);
    run_module(L, m, &m->modules[lua_tointeger(L, 1)]);
    return 0;
}

/* Modules that only functions require are run now: later would make an evaluation depend on those before it. */
void lg_run_waiting_modules(lua_State *L) {
    lg_machine *m = lg_of(L);
    for (size_t i = 0; i < m->module_count; i++) {
        lg_module *module = &m->modules[i];
        if (module->phase != LG_MODULE_WAITING) continue;
        lua_pushcfunction(L, run_module_body);
        lua_pushinteger(L, (lua_Integer)i);
        if (lua_pcall(L, 1, 0, 0) == LUA_OK) continue;
        if (m->stop || m->out_of_memory) lg_stop(L, LG_MEMORY, "out of memory");
        module->phase = LG_MODULE_WAITING;
        lg_note_caught(m);
        if (lua_type(L, -1) == LUA_TSTRING) module->fault = lg_copy_text(lua_tostring(L, -1), lua_rawlen(L, -1));
        lua_pop(L, 1);
    }
}

int lg_require(lua_State *L) {
    lg_machine *m = lg_of(L);
    size_t length;
    if (lua_type(L, 1) != LUA_TSTRING) return luaL_error(L, "require: the module's name must be text, not %s", lg_type_name(L, 1));
    const char *name = lua_tolstring(L, 1, &length);
    for (size_t i = 0; i < m->module_count; i++) {
        lg_module *module = &m->modules[i];
        if (strcmp(module->name, name) != 0) continue;
        lg_charge(L, m, 20);
        if (module->phase == LG_MODULE_RUNNING) return luaL_error(L, "require \"%s\": the module requires itself", name);
        if (module->phase == LG_MODULE_WAITING) {
            if (m->sealed && !m->sealing) return luaL_error(L, "require \"%s\": the module could not be loaded: %s", name, module->fault ? module->fault : "");
            run_module(L, m, module);
        }
        lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_MODULES);
        lua_getfield(L, -1, name);
        return 1;
    }
    char shown[80];
    lg_clean_text(shown, sizeof shown, name, length);
    if (lg_unavailable(name)) return luaL_error(L, "require \"%s\": there is no such module; %s", shown, lg_unavailable(name));
    return luaL_error(L, "require \"%s\": there is no such module; modules are \"lib.<file>\" of this app and \"shared.<file>\"", shown);
}
