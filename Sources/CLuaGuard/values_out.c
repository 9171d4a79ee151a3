/* A Lua value becomes a tape, within budgets: what a rule returns, what a host function is given, what json.encode
 * writes. Read raw, so that nothing of a script runs meanwhile; shared tables count each time they are met, so that
 * small tables cannot grow huge; the order of keys is the order of pairs. May raise, naming the place in the value. */
#include "guard.h"
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

/* Where the value stands that is being written: for messages, built only when one is needed. */
typedef struct lg_step {
    const struct lg_step *around;
    const char *key;
    size_t key_length;
    lua_Integer place;      /* of an element; 0 in objects */
    const void *table;
} lg_step;

typedef struct lg_writing {
    lua_State *L;
    lg_machine *m;
    jd_builder *out;
    lg_budget *left;
    const char *what;
} lg_writing;

static size_t print_path(const lg_step *step, char *out, size_t room) {
    if (!step) return 0;
    size_t used = print_path(step->around, out, room);
    if (used + 80 > room) return used;
    if (step->place) return used + (size_t)snprintf(out + used, room - used, "[%lld]", (long long)step->place);
    char key[50];
    lg_clean_text(key, sizeof key, step->key, step->key_length);
    return used + (size_t)snprintf(out + used, room - used, used ? ".%s" : "%s", key);
}

_Noreturn static void refuse(lg_writing *w, const lg_step *step, const char *reason) {
    char path[400] = "";
    print_path(step, path, sizeof path);
    if (path[0]) luaL_error(w->L, "%s: '%s' %s", w->what, path, reason);
    luaL_error(w->L, "%s: the value %s", w->what, reason);
    __builtin_unreachable();
}

static void take_bytes(lg_writing *w, const lg_step *step, size_t bytes) {
    if (bytes > w->left->bytes) refuse(w, step, "goes over the limit of bytes for one value");
    w->left->bytes -= (uint32_t)bytes;
    lg_charge(w->L, w->m, bytes / 8);
}

static void take_node(lg_writing *w, const lg_step *step) {
    if (w->left->nodes == 0) refuse(w, step, "goes over the limit of entries for one value");
    w->left->nodes--;
    lg_charge(w->L, w->m, 3);
}

/* Most texts are short and ASCII. */
static int is_clean(const char *text, size_t length) {
    size_t i = 0, bad;
    uint64_t eight;
    for (; i + 8 <= length; i += 8) {
        memcpy(&eight, text + i, 8);
        if (eight & 0x8080808080808080u) return jd_utf8_valid(text, length, &bad);
    }
    for (; i < length; i++)
        if (text[i] & 0x80) return jd_utf8_valid(text, length, &bad);
    return 1;
}

static void write_text(lg_writing *w, const lg_step *step, const char *text, size_t length) {
    take_bytes(w, step, length);
    if (!is_clean(text, length)) refuse(w, step, "is not valid UTF-8");
    jd_builder_string(w->out, text, length);
}

static void copy_view(lg_writing *w, const lg_step *step, const jd_node *node) {
    /* The tape is flat: its span counts every value below, but for links. */
    node = lg_follow(node);
    take_node(w, step);
    if (node->text) take_bytes(w, step, node->length);
    if (node->kind != JD_ARRAY && node->kind != JD_OBJECT) {
        jd_builder_copy(w->out, node);
        return;
    }
    if (w->left->depth == 0) refuse(w, step, "is nested too deep");
    w->left->depth--;
    jd_builder_open(w->out, node->kind);
    for (const jd_node *child = node + 1, *end = node + node->span; child < end; child += child->span) {
        if (child->flags & JD_SHADOWED) continue;
        if (node->kind == JD_OBJECT) {
            if (lg_follow(child)->kind == JD_NULL) continue; /* a script sees no such member */
            take_bytes(w, step, child->key_length);
            jd_builder_key(w->out, child->key, child->key_length, child->key_id);
        }
        copy_view(w, step, child);
    }
    jd_builder_close(w->out);
    w->left->depth++;
}

static void write(lg_writing *w, int index, const lg_step *step);

/* The elements 1 … length of the content table. */
static void write_elements(lg_writing *w, int content, size_t length, lg_step *step, int as_members) {
    lua_State *L = w->L;
    char digits[24];
    for (size_t i = 1; i <= length; i++) {
        step->place = (lua_Integer)i;
        if (lua_rawgeti(L, content, (lua_Integer)i) == LUA_TNIL) refuse(w, step, "is missing: a list must not have holes");
        if (as_members) jd_builder_key(w->out, digits, (size_t)snprintf(digits, sizeof digits, "%zu", i), 0);
        write(w, lua_gettop(L), step);
        lua_pop(L, 1);
    }
    step->place = 0;
}

static void write_member(lg_writing *w, const lg_key *key, int value, lg_step *step) {
    step->key = key->text;
    step->key_length = key->length;
    take_bytes(w, step, key->length);
    if (!is_clean(key->text, key->length)) refuse(w, step, "has a key that is not valid UTF-8");
    jd_builder_key(w->out, key->text, key->length, 0);
    write(w, value, step);
}

/* The members with text keys, sorted; numbers up to `listed` are elements and written already. */
static void write_members(lg_writing *w, int content, size_t count, size_t listed, lg_step *step) {
    lua_State *L = w->L;
    enum { FEW = 24 };
    lg_key few[2 * FEW];
    lg_key *keys = few;
    size_t room = count - listed, found = 0;
    lg_key wrong = {0}; /* of several the first in order, so that the message is always the same */
    int has_wrong = 0;
    if (room > FEW) keys = lua_newuserdatauv(L, 2 * room * sizeof *keys, 0);
    lua_pushnil(L);
    while (lua_next(L, content)) {
        lua_pop(L, 1);
        lg_key key;
        lg_key_read(L, -1, &key);
        if (key.kind == LG_KEY_NUMBER && key.is_integer && key.integer >= 1 && (uint64_t)key.integer <= listed) continue;
        if (key.kind != LG_KEY_TEXT) {
            if (!has_wrong || lg_key_compare(&key, &wrong) < 0) wrong = key;
            has_wrong = 1;
            continue;
        }
        if (found == room) refuse(w, step, "changed while it was read");
        keys[found++] = key;
    }
    if (has_wrong) {
        char name[80];
        if (wrong.kind == LG_KEY_NUMBER) snprintf(name, sizeof name, "has the key [%.14g] beside text keys", wrong.number);
        else snprintf(name, sizeof name, "has a key that is a %s; keys must be text", wrong.kind == LG_KEY_BOOLEAN ? "boolean" : "table or function");
        refuse(w, step->around, name);
    }
    lg_key_sort(keys, keys + room, found);
    for (size_t i = 0; i < found; i++) {
        lua_pushlstring(L, keys[i].text, keys[i].length);
        lua_rawget(L, content);
        write_member(w, &keys[i], lua_gettop(L), step);
        lua_pop(L, 1);
    }
}

/* A table that is no plain list: with numbers for keys and no text it is a list with holes; with both it is allowed only
 * where the budget says so. */
static void check_keys(lg_writing *w, int content, size_t length, lg_step *step) {
    lua_State *L = w->L;
    int numbers = 0, has_text = 0;
    lg_key key, text = {0};
    lua_pushnil(L);
    while (lua_next(L, content)) {
        lua_pop(L, 1);
        lg_key_read(L, -1, &key);
        if (key.kind == LG_KEY_NUMBER) numbers = 1;
        else if (key.kind != LG_KEY_TEXT || !length || w->left->allow_mixed) {
            lua_pop(L, 1);
            return; /* names, or keys that write_members refuses */
        } else {
            if (!has_text || lg_key_compare(&key, &text) < 0) text = key;
            has_text = 1;
        }
    }
    if (has_text) {
        char name[64], reason[120];
        lg_clean_text(name, sizeof name, text.text, text.length);
        snprintf(reason, sizeof reason, "has list entries and also the key '%s'", name);
        refuse(w, step->around, reason);
    }
    if (!numbers) return;
    step->place = (lua_Integer)length + 1;
    refuse(w, step, "is missing: a list must not have holes");
}

/* Tables with few keys, which most are, are read in one pass: keys and values stay on the stack, two places each from
 * `base` on. 0 = it is another kind of table and nothing has been written. */
static int write_small(lg_writing *w, int content, lg_step *step) {
    lua_State *L = w->L;
    enum { FEW = 16 };
    lg_key keys[2 * FEW];
    int places[FEW], base = content + 1, count = 0, texts = 0, largest = 0;
    luaL_checkstack(L, 2 * FEW + 8, "a value is nested too deep");
    lua_pushnil(L);
    for (; lua_next(L, content); count++) {
        if (count == FEW) return 0;
        int place = base + 2 * count, whole;
        if (lua_type(L, place) == LUA_TSTRING) {
            lg_key *key = &keys[texts++];
            key->kind = LG_KEY_TEXT;
            key->text = lua_tolstring(L, place, &key->length);
            key->place = place + 1;
        } else {
            lua_Integer i = lua_tointegerx(L, place, &whole); /* 0 for what is no number */
            if (i < 1 || i > FEW || !whole) return 0;
            places[i - 1] = place + 1;
            if ((int)i > largest) largest = (int)i;
        }
        if (texts && largest) return 0;
        lua_pushvalue(L, place);
    }
    if (!texts) {
        if (largest != count) return 0; /* a hole */
        jd_builder_open(w->out, JD_ARRAY);
        for (int i = 0; i < count; i++) {
            step->place = i + 1;
            write(w, places[i], step);
        }
        return 1;
    }
    if (count > 1) lg_key_sort(keys, keys + FEW, (size_t)count);
    jd_builder_open(w->out, JD_OBJECT);
    for (int i = 0; i < count; i++) write_member(w, &keys[i], keys[i].place, step);
    return 1;
}

static void write_table(lg_writing *w, int index, const lg_step *around) {
    lua_State *L = w->L;
    const void *self = lua_topointer(L, index);
    for (const lg_step *s = around; s; s = s->around)
        if (s->table == self) refuse(w, around, "contains itself");
    if (w->left->depth == 0) refuse(w, around, "is nested too deep");
    luaL_checkstack(L, 8, "a value is nested too deep");
    w->left->depth--;
    int top = lua_gettop(L);
    lg_push_content(L, index);
    int content = lua_gettop(L);
    lg_step step = {.around = around, .key = "", .table = self};
    lg_charge_walk(L, content);
    if (write_small(w, content, &step)) {
        jd_builder_close(w->out);
        lua_settop(L, top);
        w->left->depth++;
        return;
    }
    lua_settop(L, content);
    size_t length = lua_rawlen(L, content), count = 0;
    lua_pushnil(L);
    while (lua_next(L, content)) {
        lua_pop(L, 1);
        if (++count > (size_t)w->left->nodes + 1) refuse(w, around, "goes over the limit of entries for one value");
    }
    lg_charge(L, w->m, count);
    if (length > count) { /* Lua's length of a list with holes: find the first */
        for (length = 0; lua_rawgeti(L, content, (lua_Integer)length + 1) != LUA_TNIL; length++) lua_pop(L, 1);
        lua_pop(L, 1);
    }
    if (count == 0 || length == count) {
        jd_builder_open(w->out, JD_ARRAY);
        write_elements(w, content, length, &step, 0);
    } else {
        check_keys(w, content, length, &step);
        jd_builder_open(w->out, JD_OBJECT);
        write_elements(w, content, length, &step, 1);
        write_members(w, content, count, length, &step);
    }
    jd_builder_close(w->out);
    lua_settop(L, top);
    w->left->depth++;
}

static void write(lg_writing *w, int index, const lg_step *step) {
    lua_State *L = w->L;
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        take_node(w, step);
        jd_builder_null(w->out);
        return;
    case LUA_TBOOLEAN:
        take_node(w, step);
        jd_builder_bool(w->out, lua_toboolean(L, index));
        return;
    case LUA_TNUMBER:
        take_node(w, step);
        if (lua_isinteger(L, index)) {
            jd_builder_integer(w->out, lua_tointeger(L, index));
        } else {
            double number = lua_tonumber(L, index);
            if (!isfinite(number)) refuse(w, step, isnan(number) ? "is not a number (0/0)" : "is infinite");
            int exponent; /* it becomes text sooner or later: up to three tries, each the longer the farther from 1 */
            frexp(number, &exponent);
            lg_charge(L, w->m, 150 + (uint64_t)abs(exponent) / 4);
            jd_builder_decimal(w->out, number);
        }
        return;
    case LUA_TSTRING: {
        size_t length;
        const char *text = lua_tolstring(L, index, &length);
        take_node(w, step);
        write_text(w, step, text, length);
        return;
    }
    case LUA_TTABLE:
        take_node(w, step);
        write_table(w, index, step);
        return;
    case LUA_TUSERDATA: copy_view(w, step, lg_view_at(L, index)->node); return;
    case LUA_TFUNCTION:
        if (!w->left->allow_functions) refuse(w, step, "is a function; only values can be kept or returned");
        take_node(w, step);
        jd_builder_function(w->out, lg_keep_function(L, index));
        return;
    default: refuse(w, step, "is of a kind that cannot be kept or returned");
    }
}

void lg_write_value(lua_State *L, int index, jd_builder *out, lg_budget *budget, const char *what) {
    lg_writing w = {L, lg_of(L), out, budget, what};
    write(&w, lua_absindex(L, index), NULL);
}

lg_budget lg_value_budget(const lg_machine *m) {
    return (lg_budget){.bytes = m->limits.value_bytes, .nodes = m->limits.value_nodes, .depth = m->limits.value_depth};
}
