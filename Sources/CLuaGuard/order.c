/* pairs, next and ipairs with an order that is the same on every machine: numbers ascending, then texts by their
 * bytes, then false and true. Lua's own order depends on addresses and the clock (manual 6.1, next).
 *
 * A traversal works on a sorted copy of the keys taken at its beginning: fields may be changed or cleared while it
 * runs, new ones are not visited. Views go in the order of their document. All functions here may raise, but
 * lg_key_sort and lg_key_compare.
 */
#include "guard.h"
#include <string.h>

int lg_key_compare(const lg_key *a, const lg_key *b) {
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    switch (a->kind) {
    case LG_KEY_NUMBER:
        if (a->is_integer && b->is_integer) return (a->integer > b->integer) - (a->integer < b->integer);
        if (a->number != b->number) return a->number < b->number ? -1 : 1;
        return a->is_integer - b->is_integer; /* an integer key never equals a float key, but may look like it as a double */
    case LG_KEY_TEXT: {
        size_t shorter = a->length < b->length ? a->length : b->length;
        int order = memcmp(a->text, b->text, shorter);
        return order ? order : (a->length > b->length) - (a->length < b->length);
    }
    case LG_KEY_BOOLEAN: return (a->integer > b->integer) - (a->integer < b->integer);
    default: return 0;
    }
}

void lg_key_sort(lg_key *keys, lg_key *room, size_t count) {
    size_t run = 8;
    for (size_t start = 0; start < count; start += run) {
        size_t end = start + run < count ? start + run : count;
        for (size_t i = start + 1; i < end; i++) {
            lg_key key = keys[i];
            size_t j = i;
            for (; j > start && lg_key_compare(&key, &keys[j - 1]) < 0; j--) keys[j] = keys[j - 1];
            keys[j] = key;
        }
    }
    for (; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            size_t middle = start + run < count ? start + run : count, end = start + 2 * run < count ? start + 2 * run : count;
            if (middle == end || lg_key_compare(&keys[middle - 1], &keys[middle]) <= 0) continue;
            memcpy(room + start, keys + start, (middle - start) * sizeof *keys);
            size_t i = start, j = middle, out = start;
            while (i < middle && j < end) keys[out++] = lg_key_compare(&keys[j], &room[i]) < 0 ? keys[j++] : room[i++];
            while (i < middle) keys[out++] = room[i++];
        }
    }
}

void lg_key_read(lua_State *L, int index, lg_key *out) {
    memset(out, 0, sizeof *out);
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        out->kind = LG_KEY_NUMBER;
        out->is_integer = lua_isinteger(L, index);
        out->integer = out->is_integer ? lua_tointeger(L, index) : 0;
        out->number = lua_tonumber(L, index);
        break;
    case LUA_TSTRING:
        out->kind = LG_KEY_TEXT;
        out->text = lua_tolstring(L, index, &out->length);
        break;
    case LUA_TBOOLEAN:
        out->kind = LG_KEY_BOOLEAN;
        out->integer = lua_toboolean(L, index);
        break;
    default: out->kind = LG_KEY_OTHER;
    }
}

/* Pushes an array of the sorted keys of the plain table at index. */
static void push_sorted_keys(lua_State *L, int index) {
    lg_machine *m = lg_of(L);
    luaL_checkstack(L, 8, "calls are nested too deep");
    index = lua_absindex(L, index);
    size_t length = lua_rawlen(L, index);
    lg_charge(L, m, 10 + length / 2);
    lg_charge_walk(L, index);
    lua_createtable(L, (int)(length < 65536 ? length : 0), 0);
    int keys = lua_gettop(L), sorted = 1, others = 0, texts = 0;
    lg_key previous, key;
    size_t count = 0, bytes = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        lg_key_read(L, -1, &key);
        if (key.kind == LG_KEY_OTHER && ++others > 1)
            luaL_error(L, "pairs and next cannot order keys that are tables or functions; use numbers or texts as keys");
        texts |= key.kind == LG_KEY_TEXT;
        if (count && sorted && lg_key_compare(&previous, &key) > 0) sorted = 0;
        previous = key;
        bytes += key.length;
        count++;
        if (count % 256 == 0) lg_charge(L, m, 256 * 5);
        lua_pushvalue(L, -1);
        lua_rawseti(L, keys, (lua_Integer)count);
    }
    lg_charge(L, m, count % 256 * 5);
    /* In which order Lua gives texts is chance: they always pay for being sorted. */
    if ((sorted && !texts) || count < 2) return;
    unsigned levels = 0;
    for (size_t n = count; n; n /= 2) levels++;
    lg_charge(L, m, count * levels * 2 + bytes / 8);
    lg_key *list = lua_newuserdatauv(L, 2 * count * sizeof *list, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, keys, (lua_Integer)i + 1);
        lg_key_read(L, -1, &list[i]); /* its text stays: the table of keys holds it */
        list[i].place = (int)i + 1;
        lua_pop(L, 1);
    }
    lg_key_sort(list, list + count, count);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, keys, list[i].place);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_replace(L, keys);
    lua_settop(L, keys);
}

/* Traversals made in one evaluation must not go on in another: what is left of them would be hidden state. */
static void check_generation(lua_State *L, lua_Integer made) {
    if (made != (lua_Integer)lg_of(L)->generation) luaL_error(L, "this loop began in an earlier evaluation and cannot go on");
}

/* Upvalues: keys, place, content, generation. */
static int table_step(lua_State *L) {
    lg_charge(L, lg_of(L), 2);
    check_generation(L, lua_tointeger(L, lua_upvalueindex(4)));
    lua_Integer place = lua_tointeger(L, lua_upvalueindex(2));
    for (;;) {
        place++;
        if (lua_rawgeti(L, lua_upvalueindex(1), place) == LUA_TNIL) return 1;
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(3)) != LUA_TNIL) break;
        lua_pop(L, 2);
        lg_charge(L, lg_of(L), 1);
    }
    lua_pushinteger(L, place);
    lua_replace(L, lua_upvalueindex(2));
    return 2;
}

/* The member or element at or after node, without shadowed ones and nulls; NULL at the end. */
static const jd_node *live_node(lua_State *L, const jd_node *container, const jd_node *node, int64_t *place) {
    const jd_node *end = container + container->span;
    while (node < end && ((node->flags & JD_SHADOWED) || lg_follow(node)->kind == JD_NULL)) {
        lg_charge(L, lg_of(L), 1);
        if (!(node->flags & JD_SHADOWED)) ++*place;
        node += node->span;
    }
    return node < end ? node : NULL;
}

static int push_member(lua_State *L, const lg_view *view, const jd_node *node, int64_t place) {
    lg_machine *m = lg_of(L);
    if (view->node->kind == JD_OBJECT) lua_pushlstring(L, node->key, node->key_length);
    else lua_pushinteger(L, place);
    if (m->trace) lg_trace_read(L, m, view, lua_gettop(L), lg_follow(node));
    lg_push_node(L, lg_follow(node), view->root);
    return 2;
}

/* Upvalues: view, offset of the next node from the container, place of the element before. */
static int view_step(lua_State *L) {
    lg_charge(L, lg_of(L), 2);
    lg_view *view = lg_view_at(L, lua_upvalueindex(1));
    const jd_node *container = view->node;
    int64_t place = lua_tointeger(L, lua_upvalueindex(3));
    const jd_node *node = live_node(L, container, container + lua_tointeger(L, lua_upvalueindex(2)), &place);
    if (!node) return lua_pushnil(L), 1;
    lua_pushinteger(L, (lua_Integer)(node + node->span - container));
    lua_replace(L, lua_upvalueindex(2));
    lua_pushinteger(L, ++place);
    lua_replace(L, lua_upvalueindex(3));
    return push_member(L, view, node, place);
}

int lg_pairs(lua_State *L) {
    if (lg_view_at(L, 1)) {
        lua_pushvalue(L, 1);
        lua_pushinteger(L, 1);
        lua_pushinteger(L, 0);
        lua_pushcclosure(L, view_step, 3);
    } else {
        if (lua_type(L, 1) != LUA_TTABLE) return lg_bad_argument(L, 1, "pairs", "a table");
        lg_push_content(L, 1);
        int content = lua_gettop(L);
        push_sorted_keys(L, content);
        lua_pushinteger(L, 0);
        lua_pushvalue(L, content);
        lua_pushinteger(L, lg_of(L)->generation);
        lua_pushcclosure(L, table_step, 4);
    }
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

static int next_in_view(lua_State *L, lg_view *view) {
    const jd_node *container = view->node, *node = container + 1, *end = container + container->span;
    int64_t place = 0;
    if (lua_isnoneornil(L, 2)) {
        /* from the beginning */
    } else if (container->kind == JD_ARRAY) {
        int whole;
        int64_t from = lua_tointegerx(L, 2, &whole);
        if (!whole || from < 1 || from > container->count) return luaL_error(L, "next: no such key");
        for (; place < from; place++) node += node->span;
        lg_charge(L, lg_of(L), (uint64_t)from / 4);
    } else {
        size_t length;
        if (lua_type(L, 2) != LUA_TSTRING) return luaL_error(L, "next: no such key");
        const char *key = lua_tolstring(L, 2, &length);
        lg_charge(L, lg_of(L), container->count / 4);
        for (;; node += node->span) {
            if (node >= end) return luaL_error(L, "next: no such key");
            place++;
            if (!(node->flags & JD_SHADOWED) && node->key_length == length && memcmp(node->key, key, length) == 0) break;
        }
        node += node->span;
    }
    node = live_node(L, container, node, &place);
    if (!node) return lua_pushnil(L), 1;
    return push_member(L, view, node, place + 1);
}

/* The registry's slot holds {content, keys, place, generation} of the last traversal by next, so that a loop over next
 * costs one step a turn. */
enum { NEXT_CONTENT = 1, NEXT_KEYS, NEXT_PLACE, NEXT_GENERATION };

int lg_next(lua_State *L) {
    lg_machine *m = lg_of(L);
    lg_charge(L, m, 3);
    lg_view *view = lg_view_at(L, 1);
    if (view) return next_in_view(L, view);
    if (lua_type(L, 1) != LUA_TTABLE) return lg_bad_argument(L, 1, "next", "a table");
    lua_settop(L, 2);
    lg_push_content(L, 1);                                        /* 3 */
    if (lua_type(L, 2) == LUA_TNIL) {
        lg_charge_walk(L, 3);
        lua_pushnil(L);
        if (!lua_next(L, 3)) return lua_pushnil(L), 1;            /* empty: asked for often */
        lua_settop(L, 3);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_NEXT);             /* 4 */
    lua_rawgeti(L, 4, NEXT_CONTENT);
    lua_rawgeti(L, 4, NEXT_GENERATION);
    lua_Integer place = 0;
    int known = lua_rawequal(L, 3, 5) && lua_tointeger(L, 6) == (lua_Integer)m->generation && lua_type(L, 2) != LUA_TNIL;
    lua_settop(L, 4);
    if (known) {
        lua_rawgeti(L, 4, NEXT_PLACE);
        place = lua_tointeger(L, 5);
        lua_settop(L, 4);
        lua_rawgeti(L, 4, NEXT_KEYS);                             /* 5 */
        lua_rawgeti(L, 5, place);
        if (!lua_rawequal(L, 2, 6)) known = 0;
        lua_settop(L, known ? 5 : 4);
    }
    if (!known) {
        push_sorted_keys(L, 3);                                   /* 5 */
        lua_pushvalue(L, 3);
        lua_rawseti(L, 4, NEXT_CONTENT);
        lua_pushvalue(L, 5);
        lua_rawseti(L, 4, NEXT_KEYS);
        lua_pushinteger(L, m->generation);
        lua_rawseti(L, 4, NEXT_GENERATION);
        place = 0;
        if (lua_type(L, 2) != LUA_TNIL) {
            lg_key wanted, key;
            lg_key_read(L, 2, &wanted);
            lua_Integer low = 1, high = (lua_Integer)lua_rawlen(L, 5);
            while (low <= high) {
                lua_Integer middle = low + (high - low) / 2;
                lua_rawgeti(L, 5, middle);
                lg_key_read(L, -1, &key);
                int order = lg_key_compare(&key, &wanted);
                int same = order == 0 && (wanted.kind != LG_KEY_OTHER || lua_rawequal(L, -1, 2));
                lua_pop(L, 1);
                if (same) {
                    place = middle;
                    break;
                }
                if (order == 0) break;
                if (order < 0) low = middle + 1;
                else high = middle - 1;
            }
            if (!place) return luaL_error(L, "next: no such key");
        }
    }
    for (;;) {
        place++;
        if (lua_rawgeti(L, 5, place) == LUA_TNIL) break;
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 3) != LUA_TNIL) {
            lua_pushinteger(L, place);
            lua_rawseti(L, 4, NEXT_PLACE);
            return 2;
        }
        lua_pop(L, 2);
        lg_charge(L, m, 1);
    }
    lua_pushnil(L);
    return 1;
}

static int list_step(lua_State *L) {
    lua_Integer i = luaL_intop(+, lua_tointeger(L, 2), 1);
    lg_view *view = lg_view_at(L, 1);
    lua_pushinteger(L, i);
    if (view) {
        lg_charge(L, lg_of(L), 8);
        const jd_node *node = lg_view_element(L, view, i);
        if (!node || node->kind == JD_NULL) return lua_pushnil(L), 1;
        if (lg_of(L)->trace) lg_trace_read(L, lg_of(L), view, lua_gettop(L), node);
        lg_push_node(L, node, view->root);
        return 2;
    }
    if (lua_type(L, 1) != LUA_TTABLE) return lg_bad_argument(L, 1, "ipairs", "a table");
    lg_charge(L, lg_of(L), 3);
    return lua_geti(L, 1, i) == LUA_TNIL ? 1 : 2;
}

int lg_ipairs(lua_State *L) {
    if (lua_type(L, 1) != LUA_TTABLE && !lg_view_at(L, 1)) return lg_bad_argument(L, 1, "ipairs", "a table");
    lua_pushcfunction(L, list_step);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}
