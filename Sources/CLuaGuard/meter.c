/* Fuel for work that one instruction of Lua does behind our back: comparing and hashing long texts, making texts of
 * numbers, copying variable arguments, filling tables, walking chains of keys that collide.
 *
 * The linker leads these calls inside Lua's library here first (`--wrap` in Package.swift): `__wrap_x` is called for x,
 * `__real_x` is Lua's own. None of them may raise or allocate; they take fuel, and the next look at the budget ends the
 * script. What they take depends on values alone, never on addresses or on what an earlier evaluation has left behind -
 * nor on the linker: some lead calls from the file that defines a function here too, others do not.
 * The few places of Lua's structures that they read are checked when a machine is made (lg_meter_fits).
 */
#include "guard.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(LUA_VERSION_RELEASE_NUM == 50404, "compare the structures below with this release of Lua (lobject.h, lstate.h)");

/* lobject.h of Lua 5.4.4. */
typedef struct meter_value {
    union {
        void *object;
        int64_t integer;
        double number;
    } as;
    uint8_t tag;
} meter_value;

/* A table's entry: how far the next one of its chain is, in entries. */
#define NODE_BYTES 24
#define NODE_NEXT 12

typedef struct meter_text {
    void *next;
    uint8_t tag, marked, extra, short_length;
    uint32_t hash;
    union {
        size_t length;                  /* of long texts */
        const struct meter_text *other; /* of short ones: the next in the same place of the table that has each text once */
    };
} meter_text;

typedef struct meter_table {
    void *next;
    uint8_t tag, marked, flags, log_nodes;
    uint32_t array_limit;
    void *array;
    const char *nodes;
} meter_table;

enum { TAG_INTEGER = 3, TAG_NUMBER = 19, TAG_SHORT_TEXT = 4 | 64, TAG_LONG_TEXT = 20 | 64 };

/* The machine whose conversation runs on this thread. Some calls carry no lua_State, and while one is made (lua_newstate)
 * it cannot lead to a machine. */
_Thread_local lg_machine *lg_running;

/* What is taken here may be a whole budget at once: the hook then comes with the next instruction, not with the next
 * hundred. */
static inline void take_from(lg_machine *m, size_t units) {
    m->fuel -= (int64_t)units;
    if (m->fuel < 0) lua_sethook(m->L, lg_hook, LUA_MASKCOUNT, 1);
}

static inline void take(size_t units) {
    lg_machine *m = lg_running;
    if (LG_WALL && m) take_from(m, units);
}

/* ---- texts ---- */

/* lstate.h, from global_State's first field on, in bytes. */
enum { GLOBAL_TOTAL = 16, GLOBAL_DEBT = 24, GLOBAL_TEXTS = 48, GLOBAL_TEXT_PLACES = 60, GLOBAL_NIL_TAG = 88, GLOBAL_SEED = 96 };

/* Lua's limit: texts up to it are there once, and looked for when they are made. */
#define SHORT_TEXT 40

/* Texts in one place, as many as chance never brings together. */
#define USUAL_TEXTS 64

/* How many short texts stand in one place with this one: all of them may have been looked at to make it. */
static size_t texts_beside(const lg_machine *m, const meter_text *text) {
    const meter_text *const *places;
    int count;
    memcpy(&places, m->global + GLOBAL_TEXTS, sizeof places);
    memcpy(&count, m->global + GLOBAL_TEXT_PLACES, sizeof count);
    size_t beside = 0;
    for (const meter_text *other = places[text->hash & (uint32_t)(count - 1)]; other; other = other->other) beside++;
    return beside;
}

void *__real_luaS_newlstr(lua_State *, const char *, size_t);
void *__wrap_luaS_newlstr(lua_State *L, const char *text, size_t length) {
    void *made = __real_luaS_newlstr(L, text, length);
    lg_machine *m = lg_running;
    if (!LG_WALL || !m) return made;
    size_t units = 10, beside = length > SHORT_TEXT || !m->global ? 0 : texts_beside(m, made);
    if (beside > USUAL_TEXTS) {
        units += beside;
        m->collects_texts = 1;
    }
    take_from(m, units);
    return made;
}

/* Lua's own texts, such as names of fields. It keeps the last ones by their address and then does not make them again:
 * what is taken is the same in both cases. */
void *__real_luaS_new(lua_State *, const char *);
void *__wrap_luaS_new(lua_State *L, const char *text) {
    lg_machine *m = lg_running;
    int64_t fuel = m ? m->fuel : 0;
    const meter_text *made = __real_luaS_new(L, text);
    if (m) m->fuel = fuel;
    take(10 + (made->tag == TAG_LONG_TEXT ? made->length / 16 : 0));
    return (void *)made;
}

void __real_luaO_tostring(lua_State *, meter_value *);
void __wrap_luaO_tostring(lua_State *L, meter_value *number) {
    take(number->tag == TAG_NUMBER ? 80 : 20);
    __real_luaO_tostring(L, number);
}

int __real_luaS_eqlngstr(const meter_text *, const meter_text *);
int __wrap_luaS_eqlngstr(const meter_text *a, const meter_text *b) {
    if (a != b && a->length == b->length) take(a->length / 64);
    return __real_luaS_eqlngstr(a, b);
}

unsigned int __real_luaS_hashlongstr(meter_text *);
unsigned int __wrap_luaS_hashlongstr(meter_text *text) {
    lg_machine *m = lg_running;
    /* Also when the text has kept it: one that stands in a function has, or not, from earlier messages. */
    if (!m || !m->within_table) take(text->length / 8);
    return __real_luaS_hashlongstr(text);
}

/* `<` and `<=` compare up to each zero byte with this. The order of bytes, whatever the locale. */
int __real_strcoll(const char *, const char *);
int __wrap_strcoll(const char *a, const char *b) {
    if (!LG_WALL) return __real_strcoll(a, b);
    size_t equal = 0;
    for (;;) {
        int order = strncmp(a + equal, b + equal, 256);
        if (order) {
            take(1 + equal / 16);
            return order;
        }
        if (memchr(a + equal, 0, 256)) break;
        equal += 256;
    }
    take(2 + equal / 16); /* Lua goes on behind the zero byte: a text of those costs a call for each */
    return 0;
}

/* `%` of fractions: a step for each binary digit between the two. */
double __real_fmod(double, double);
double __wrap_fmod(double a, double b) {
    int of_a = 0, of_b = 0;
    if (isfinite(a) && isfinite(b)) {
        frexp(a, &of_a);
        frexp(b, &of_b);
    }
    if (of_a > of_b) take((size_t)(of_a - of_b) / 4);
    return __real_fmod(a, b);
}

/* ---- values on the stack ---- */

/* lstate.h: how many arguments beyond its parameters a call got; what kind of call it is. */
#define CALL_EXTRA_ARGUMENTS 44
#define CALL_STATUS 62
#define CALL_OF_C 2

static int is_call_of_c(const char *call) {
    uint16_t status;
    memcpy(&status, call + CALL_STATUS, sizeof status);
    return status & CALL_OF_C;
}

/* Values on the stack: well below the limit for one block, where the end would depend on how large the stack was before. */
#define STACK_VALUES 16000
#define VALUE_BYTES 16

void lg_check_stack(lua_State *L, lg_machine *m, const void *call, int more) {
    char *function; /* the first field of a call: its place on the stack */
    lua_Debug ar;
    memcpy(&function, call, sizeof function);
    if ((function - m->stack) / VALUE_BYTES + more < STACK_VALUES) return;
    char message[120];
    if (lua_getstack(L, LG_DEEP_CALLS, &ar)) snprintf(message, sizeof message, LG_DEEP_MESSAGE, LG_DEEP_CALLS);
    else snprintf(message, sizeof message, "out of memory: calls under way may hold %d values", STACK_VALUES);
    lg_stop(L, LG_MEMORY, message);
}

void __real_luaT_getvarargs(lua_State *, const char *call, void *where, int wanted);
void __wrap_luaT_getvarargs(lua_State *L, const char *call, void *where, int wanted) {
    if (LG_WALL && wanted < 0) { /* all of them, `...` */
        int count;
        memcpy(&count, call + CALL_EXTRA_ARGUMENTS, sizeof count);
        take((size_t)count / 2);
        if (lg_running) lg_check_stack(L, lg_running, call, count); /* this call may raise, as Lua's own may */
    }
    __real_luaT_getvarargs(L, call, where, wanted);
}

/* Functions in C have been charged for what they return. */
void __real_luaD_poscall(lua_State *, char *call, int results);
void __wrap_luaD_poscall(lua_State *L, char *call, int results) {
    if (results > 8 && !is_call_of_c(call)) take((size_t)results / 8);
    __real_luaD_poscall(L, call, results);
}

/* ---- tables ---- */

/* Places in the array part. What the field says may be a guess that `#` has left: then it is the next power of two. */
static size_t array_places(const meter_table *table) {
    size_t limit = table->array_limit, power = 1;
    if (!(table->flags & 0x80) || (limit & (limit - 1)) == 0) return limit;
    while (power < limit) power *= 2;
    return power;
}

static size_t place_of_number(double number, size_t nodes) {
    int exponent;
    number = frexp(number, &exponent) * -(double)INT_MIN;
    if (!(number >= -9223372036854775808.0 && number < 9223372036854775808.0)) return 0;
    unsigned int hash = (unsigned int)exponent + (unsigned int)(int64_t)number;
    int folded = (int)(hash <= (unsigned int)INT_MAX ? hash : ~hash);
    return (size_t)(folded % (int)((nodes - 1) | 1));
}

/* How many keys stand in one chain with this one. Tables and functions as keys count as alone: where they stand depends
 * on addresses. */
static size_t chain_length(const meter_table *table, const meter_value *key) {
    size_t nodes = (size_t)1 << table->log_nodes, place, length = 0;
    if (key->tag == TAG_INTEGER) {
        uint64_t bits = (uint64_t)key->as.integer;
        place = (size_t)(bits % ((nodes - 1) | 1)); /* the same for both of Lua's ways, by int and by lua_Unsigned */
    } else if (key->tag == TAG_NUMBER) place = place_of_number(key->as.number, nodes);
    else if (key->tag == TAG_SHORT_TEXT || key->tag == TAG_LONG_TEXT) place = ((const meter_text *)key->as.object)->hash & (nodes - 1);
    else return 0;
    for (int next = 1; next && place < nodes && length < nodes; length++) {
        memcpy(&next, table->nodes + place * NODE_BYTES + NODE_NEXT, sizeof next);
        place += (size_t)next;
    }
    return length;
}

/* A chain is walked by every later look into it, which is one instruction: from the longest one on, each instruction
 * of this evaluation has a higher price (lg_hook). */
static void measure_chain(const meter_table *table, const meter_value *key) {
    if (!LG_WALL) return;
    size_t length = chain_length(table, key);
    take(4 + (length > LG_USUAL_CHAIN ? length / 4 : 0));
    lg_machine *m = lg_running;
    if (m && length > m->longest_chain) m->longest_chain = (uint32_t)length;
}

/* A table whose hash part has no place left is built anew, for which all places of its array part are looked at. The new
 * hash part is there before the old one is given back, so it is never at the same address. */
static void measure_rebuilding(const meter_table *table, const char *nodes_before) {
    if (table->nodes != nodes_before) take(array_places(table) / 16);
}

/* Some linkers also lead here what building a table anew does for each of its keys. */
static inline int is_rebuilding(void) { return lg_running && lg_running->within_table; }

/* While a key gets its place, Lua asks for the hash of whichever key stands there already, and all keys of a table that is
 * built anew. They have kept theirs, and which are asked depends on addresses where one key is a table - as where a rule
 * says nil: the compiler keeps it under a table. So only the key itself is charged. */
static inline const char *begin_setting(const meter_table *table, const meter_value *key) {
    /* nil and NaN are errors, from which a script goes on. What else may fail in there ends it. */
    int is_key = (key->tag & 15) && !(key->tag == TAG_NUMBER && isnan(key->as.number));
    if (lg_running) lg_running->within_table = is_key;
    return table->nodes;
}

static void end_setting(const meter_table *table, const meter_value *key, const char *nodes_before) {
    if (lg_running) lg_running->within_table = 0;
    if (key->tag == TAG_LONG_TEXT) take(((const meter_text *)key->as.object)->length / 8);
    measure_rebuilding(table, nodes_before);
    measure_chain(table, key);
}

void __real_luaH_finishset(lua_State *, meter_table *, const meter_value *key, const void *slot, void *value);
void __wrap_luaH_finishset(lua_State *L, meter_table *table, const meter_value *key, const void *slot, void *value) {
    if (is_rebuilding()) {
        __real_luaH_finishset(L, table, key, slot, value);
        return;
    }
    const char *before = begin_setting(table, key);
    __real_luaH_finishset(L, table, key, slot, value);
    end_setting(table, key, before);
}

void __real_luaH_set(lua_State *, meter_table *, const meter_value *key, void *value);
void __wrap_luaH_set(lua_State *L, meter_table *table, const meter_value *key, void *value) {
    if (is_rebuilding()) {
        __real_luaH_set(L, table, key, value);
        return;
    }
    const char *before = begin_setting(table, key);
    __real_luaH_set(L, table, key, value);
    end_setting(table, key, before);
}

/* lua_rawseti, with which the functions of `table` write. */
void __real_luaH_setint(lua_State *, meter_table *, int64_t key, void *value);
void __wrap_luaH_setint(lua_State *L, meter_table *table, int64_t key, void *value) {
    if (is_rebuilding()) {
        __real_luaH_setint(L, table, key, value);
        return;
    }
    const meter_value place = {.as.integer = key, .tag = TAG_INTEGER};
    const char *before = begin_setting(table, &place);
    __real_luaH_setint(L, table, key, value);
    if (table->nodes != before) end_setting(table, &place, before);
    else if (lg_running) lg_running->within_table = 0;
}

/* ---- the seed of hashes ---- */

/* Lua takes it from addresses and the time of day. When keys are removed from a table and others set, it decides when
 * the table is built anew, which costs fuel; so it is the same everywhere. Colliding texts can then be chosen; that
 * costs fuel by the chain. */
#define SEED 0x52756c65u

void lg_meter_seed(lg_machine *m, char *state, size_t size) {
    void *allocate, *machine;
    for (size_t at = 0; at + GLOBAL_SEED + 4 <= size; at += sizeof(void *)) {
        memcpy(&allocate, state + at, sizeof allocate);
        memcpy(&machine, state + at + sizeof allocate, sizeof machine);
        size_t total, debt;
        memcpy(&total, state + at + GLOBAL_TOTAL, sizeof total);
        memcpy(&debt, state + at + GLOBAL_DEBT, sizeof debt);
        if (allocate != (void *)lg_allocate || machine != m || total != size || debt || state[at + GLOBAL_NIL_TAG] != TAG_INTEGER) continue;
        memcpy(state + at + GLOBAL_SEED, &(uint32_t){SEED}, 4);
        m->global = state + at;
        return;
    }
}

static int has_seed(const meter_text *text) {
    const char *bytes = (const char *)(text + 1);
    uint32_t hash = SEED ^ text->short_length;
    for (size_t i = text->short_length; i > 0; i--) hash ^= (hash << 5) + (hash >> 2) + (unsigned char)bytes[i - 1];
    return hash == text->hash;
}

/* ---- going over tables ---- */

void lg_charge_walk(lua_State *L, int index) {
    if (!LG_WALL) return;
    const meter_table *table = lua_topointer(L, index);
    size_t places = array_places(table) + ((size_t)1 << table->log_nodes);
    if (places > 32) lg_charge(L, lg_of(L), places / 4);
}

/* ---- whether all this fits ---- */

int lg_meter_fits(lua_State *L) {
    if (!LG_WALL) return 1;
    lg_machine *m = lg_of(L);
    static const char text[] = "a text that is longer than the forty bytes that Lua keeps only once";
    int64_t fuel = m->fuel;
    const meter_text *header = (const void *)(lua_pushlstring(L, text, sizeof text - 1) - sizeof(meter_text));
    int fits = m->fuel < fuel && header->length == sizeof text - 1 && header->extra == 0;
    lua_pushliteral(L, "short");
    const meter_text *brief = (const void *)(lua_tostring(L, -1) - sizeof(meter_text));
    fits = fits && has_seed(brief) && m->global && texts_beside(m, brief) > 0 && texts_beside(m, brief) < USUAL_TEXTS;
    lua_createtable(L, 0, 4);
    for (int i = 0; i < 4; i++) { /* 0, 3, 6, 9: with four places all four begin at the first */
        lua_pushinteger(L, 3 * i);
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
    }
    const meter_table *table = lua_topointer(L, -1);
    const meter_value last = {.as.integer = 9, .tag = TAG_INTEGER};
    fits = fits && table->log_nodes == 2 && chain_length(table, &last) == 4;
    lua_settop(L, -4);
    /* A text of ours costs the same when Lua has kept it, whichever way the linker leads. */
    static const char own[] = "made twice";
    for (int i = 0; i < 2; i++) {
        fuel = m->fuel;
        lua_pushstring(L, own);
        fits = fits && m->fuel == fuel - 10;
    }
    lua_settop(L, -3);
    lua_Debug ar;
    char *function = NULL;
    if (lua_getstack(L, 0, &ar)) memcpy(&function, ar.i_ci, sizeof function);
    fits = fits && function == m->stack + VALUE_BYTES && is_call_of_c((const char *)ar.i_ci); /* the first call there is: only the state's own place is below */
    return fits;
}
