/* Hidden state: a local variable of a file that a rule's function writes would carry something from one message to the
 * next. At the end of the load the variables that any kept function can write are looked up in its code, and their
 * values noted; after each call they are compared, put back, and the change is an error.
 *
 * Code is read from lua_dump's text form of a function (manual 4.6): only whether it has an instruction that sets an
 * upvalue. A test with such a function would fail if the form of Lua's code changed.
 */
#include "guard.h"
#include <stdlib.h>
#include <string.h>

#define OP_SETUPVAL 10
#define OPCODE(i) ((i) & 0x7F)
#define ARG_B(i) ((i) >> 16 & 0xFF)

/* Upvalues of a function that it, or a function made in it, can write. */
typedef struct lg_written {
    uint8_t bits[32];
} lg_written;

typedef struct lg_code {
    const uint8_t *at, *end;
    int broken;
} lg_code;

typedef struct lg_dump {
    char *bytes;
    size_t length, room;
} lg_dump;

static int take_dump(lua_State *L, const void *bytes, size_t size, void *context) {
    (void)L;
    lg_dump *dump = context;
    if (size > dump->room - dump->length) {
        size_t room = (dump->length + size) * 2 + 1024;
        char *larger = realloc(dump->bytes, room);
        if (!larger) return 1;
        dump->bytes = larger;
        dump->room = room;
    }
    memcpy(dump->bytes + dump->length, bytes, size);
    dump->length += size;
    return 0;
}

static void skip(lg_code *c, size_t bytes) {
    if (bytes > (size_t)(c->end - c->at)) c->broken = 1;
    else c->at += bytes;
}

static uint8_t read_byte(lg_code *c) {
    if (c->at >= c->end) return c->broken = 1, 0;
    return *c->at++;
}

/* Seven bits a byte, the last one marked. */
static size_t read_size(lg_code *c) {
    size_t value = 0;
    for (int i = 0; i < 10; i++) {
        uint8_t b = read_byte(c);
        value = value << 7 | (b & 0x7F);
        if (b & 0x80) return value;
    }
    c->broken = 1;
    return 0;
}

static void skip_string(lg_code *c) {
    size_t size = read_size(c);
    if (size) skip(c, size - 1);
}

static void skip_constants(lg_code *c) {
    for (size_t count = read_size(c); count && !c->broken; count--) {
        switch (read_byte(c)) {
        case LUA_TNUMBER:
        case LUA_TNUMBER | 1 << 4: skip(c, 8); break;
        case LUA_TSTRING:
        case LUA_TSTRING | 1 << 4: skip_string(c); break;
        default: break; /* nil, false, true */
        }
    }
}

/* Reads one function. out: which of its upvalues are written. */
static void read_function(lg_code *c, lg_written *out, int depth) {
    memset(out, 0, sizeof *out);
    if (depth > 64) c->broken = 1;
    if (c->broken) return;
    skip_string(c);
    read_size(c);
    read_size(c);
    skip(c, 3);
    size_t count = read_size(c);
    if (count > (size_t)(c->end - c->at) / 4) c->broken = 1;
    if (c->broken) return;
    for (size_t i = 0; i < count; i++) {
        uint32_t instruction;
        memcpy(&instruction, c->at + 4 * i, 4);
        if (OPCODE(instruction) == OP_SETUPVAL) out->bits[ARG_B(instruction) >> 3] |= (uint8_t)(1u << (ARG_B(instruction) & 7));
    }
    skip(c, 4 * count);
    skip_constants(c);
    count = read_size(c);
    skip(c, 3 * count); /* in stack, place, kind of each upvalue */
    for (size_t inner = read_size(c); inner && !c->broken; inner--) {
        /* An inner function's upvalues say where they come from; that list stands behind its constants, so the inner
         * function is read twice: once for what it writes, once for the list. */
        const uint8_t *begin = c->at;
        lg_written written;
        read_function(c, &written, depth + 1);
        lg_code again = {begin, c->end, 0};
        skip_string(&again);
        read_size(&again);
        read_size(&again);
        skip(&again, 3);
        skip(&again, 4 * read_size(&again));
        skip_constants(&again);
        size_t upvalues = read_size(&again);
        for (size_t i = 0; i < upvalues && i < 256 && !again.broken; i++) {
            uint8_t in_stack = read_byte(&again), place = read_byte(&again);
            read_byte(&again);
            if (!in_stack && (written.bits[i >> 3] >> (i & 7) & 1)) out->bits[place >> 3] |= (uint8_t)(1u << (place & 7));
        }
    }
    skip(c, read_size(c));                                           /* lines */
    for (size_t n = read_size(c); n && !c->broken; n--) read_size(c), read_size(c);
    for (size_t n = read_size(c); n && !c->broken; n--) skip_string(c), read_size(c), read_size(c);
    for (size_t n = read_size(c); n && !c->broken; n--) skip_string(c);
}

/* Which upvalues of the function on top can be written; all of them if its code cannot be read. */
static lg_written written_upvalues(lua_State *L) {
    lg_written written;
    lg_dump dump = {0};
    memset(&written, 0xFF, sizeof written);
    if (lua_dump(L, take_dump, &dump, 1) == 0 && dump.length > 32) {
        lg_code code = {(const uint8_t *)dump.bytes + 32, (const uint8_t *)dump.bytes + dump.length, 0}; /* header and number of upvalues */
        lg_written found;
        read_function(&code, &found, 0);
        if (!code.broken) written = found;
    }
    free(dump.bytes);
    return written;
}

/* The registry's slot holds {function, place, value, …} for each variable that is watched. */
static void watch(lua_State *L, int list, int function, int place, lua_Integer *count) {
    lua_pushvalue(L, function);
    lua_rawseti(L, list, ++*count);
    lua_pushinteger(L, place);
    lua_rawseti(L, list, ++*count);
    lua_getupvalue(L, function, place);
    lua_rawseti(L, list, ++*count); /* nil leaves a hole, which reads as nil */
}

void lg_watch_locals(lua_State *L) {
    if (!LG_WALL) return;
    lg_machine *m = lg_of(L);
    luaL_checkstack(L, 16, "calls are nested too deep");
    lua_newtable(L);
    lua_newtable(L);
    lua_newtable(L);
    int watched = lua_gettop(L), todo = watched - 1, seen = watched - 2;
    lua_Integer count = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_FUNCTIONS);
    lg_remember(L, seen, todo);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_MODULES);
    lg_remember(L, seen, todo);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, todo); i++) {
        lg_charge(L, m, 5);
        lua_rawgeti(L, todo, i);
        int value = lua_gettop(L);
        if (lua_type(L, value) == LUA_TTABLE) {
            lg_push_content(L, value);
            lua_pushnil(L);
            while (lua_next(L, value + 1)) {
                lg_remember(L, seen, todo);
                lua_pushvalue(L, -1);
                lg_remember(L, seen, todo);
            }
        } else {
            lua_pushvalue(L, value);
            lg_written written = written_upvalues(L);
            lua_pop(L, 1);
            lg_charge(L, m, 100);
            for (int up = 1; lua_getupvalue(L, value, up); up++) {
                lg_remember(L, seen, todo);
                if (up <= 256 && (written.bits[(up - 1) >> 3] >> ((up - 1) & 7) & 1)) {
                    lua_pushlightuserdata(L, lua_upvalueid(L, value, up));
                    if (lua_rawget(L, seen) == LUA_TNIL) {
                        lua_pushlightuserdata(L, lua_upvalueid(L, value, up));
                        lua_pushboolean(L, 1);
                        lua_rawset(L, seen);
                        watch(L, watched, value, up, &count);
                    }
                    lua_pop(L, 1);
                }
            }
        }
        lua_settop(L, watched);
    }
    m->watched = (uint32_t)(count / 3);
    lua_rawseti(L, LUA_REGISTRYINDEX, LG_SLOT_WATCHED);
    lua_settop(L, seen - 1);
}

void lg_restore_locals(lua_State *L, char *changed, size_t room) {
    lg_machine *m = lg_of(L);
    changed[0] = 0;
    if (!m->watched) return;
    int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_WATCHED);
    for (uint32_t i = 0; i < m->watched; i++) {
        lua_rawgeti(L, top + 1, 3 * i + 1);
        lua_rawgeti(L, top + 1, 3 * i + 2);
        int place = (int)lua_tointeger(L, -1);
        lua_rawgeti(L, top + 1, 3 * i + 3);
        const char *name = lua_getupvalue(L, top + 2, place);
        if (!lua_rawequal(L, -1, -2)) {
            lua_pop(L, 1);
            lua_setupvalue(L, top + 2, place);
            if (name && !changed[0]) lg_clean_text(changed, room, name, strlen(name));
        }
        lua_settop(L, top + 1);
    }
    lua_settop(L, top);
}
