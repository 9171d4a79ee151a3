/* The table library, bounded. Lists are read through views and read-only tables as well; only plain tables are written.
 * All may raise. */
#include "guard.h"
#include <limits.h>

/* Checks for a table that may be written. */
static void writable(lua_State *L, int index, const char *function) {
    if (lg_view_at(L, index)) luaL_error(L, "%s: msg, device and event are read-only", function);
    if (lua_type(L, index) != LUA_TTABLE) lg_bad_argument(L, index, function, "a table");
    if (lg_is_frozen(L, index)) luaL_error(L, "%s: this table is read-only", function);
}

/* Pushes what can be read by place: a view, or the content of a table. Its index. */
static int readable(lua_State *L, int index, const char *function) {
    if (lg_view_at(L, index)) lua_pushvalue(L, index);
    else if (lua_type(L, index) == LUA_TTABLE) lg_push_content(L, index);
    else lg_bad_argument(L, index, function, "a table");
    return lua_gettop(L);
}

static lua_Integer length_of(lua_State *L, int index) {
    lg_view *view = lg_view_at(L, index);
    return view ? (lua_Integer)lg_view_length(view) : (lua_Integer)lua_rawlen(L, index);
}

/* Pushes element i. */
static int element(lua_State *L, int index, lua_Integer i) {
    lg_view *view = lg_view_at(L, index);
    if (!view) return lua_rawgeti(L, index, i);
    const jd_node *node = lg_view_element(L, view, i);
    if (node) lg_push_node(L, node, view->root);
    else lua_pushnil(L);
    return lua_type(L, -1);
}

int lg_table_insert(lua_State *L) {
    writable(L, 1, "table.insert");
    lua_Integer length = (lua_Integer)lua_rawlen(L, 1), place = length + 1;
    int count = lua_gettop(L);
    if (count == 3) {
        place = lg_integer_argument(L, 2, "table.insert");
        if (place < 1 || place > length + 1) return luaL_error(L, "table.insert: place %I is not in the list", (LUAI_UACINT)place);
        lg_charge(L, lg_of(L), (uint64_t)(length + 1 - place) * 2);
        for (lua_Integer i = length + 1; i > place; i--) {
            lua_rawgeti(L, 1, i - 1);
            lua_rawseti(L, 1, i);
        }
    } else if (count != 2)
        return luaL_error(L, "table.insert takes a table, a place if it is not the end, and a value");
    lg_charge(L, lg_of(L), 3);
    lua_rawseti(L, 1, place);
    return 0;
}

int lg_table_remove(lua_State *L) {
    writable(L, 1, "table.remove");
    lua_Integer length = (lua_Integer)lua_rawlen(L, 1), place = lg_integer_or(L, 2, "table.remove", length);
    if (lua_gettop(L) > 1 && !(length == 0 && place == 0) && (place < 1 || place > length + 1))
        return luaL_error(L, "table.remove: place %I is not in the list", (LUAI_UACINT)place);
    lg_charge(L, lg_of(L), 3 + (length > place ? (uint64_t)(length - place) * 2 : 0));
    lua_rawgeti(L, 1, place);
    for (; place < length; place++) {
        lua_rawgeti(L, 1, place + 1);
        lua_rawseti(L, 1, place);
    }
    lua_pushnil(L);
    lua_rawseti(L, 1, place);
    return 1;
}

int lg_table_concat(lua_State *L) {
    size_t separator_length = 0;
    const char *separator = lua_isnoneornil(L, 2) ? "" : lg_text_argument(L, 2, "table.concat", &separator_length);
    lua_settop(L, 4);
    int list = readable(L, 1, "table.concat");
    lua_Integer first = lg_integer_or(L, 3, "table.concat", 1), last = lua_isnil(L, 4) ? length_of(L, list) : lg_integer_argument(L, 4, "table.concat");
    lg_buffer out;
    lg_buffer_begin(L, &out);
    for (lua_Integer i = first; i <= last; i++) {
        size_t length;
        int type = element(L, list, i);
        if (type != LUA_TSTRING && type != LUA_TNUMBER)
            return luaL_error(L, "table.concat: element %I is a %s, not text", (LUAI_UACINT)i, lg_type_name(L, -1));
        const char *text = lua_tolstring(L, -1, &length);
        lg_charge(L, lg_of(L), 3 + (length + separator_length) / 8 + (type == LUA_TNUMBER ? 30 : 0));
        lg_buffer_add(L, &out, text, length);
        if (i != last) lg_buffer_add(L, &out, separator, separator_length);
        lua_pop(L, 1);
        if (i == LUA_MAXINTEGER) break;
    }
    lg_buffer_finish(L, &out);
    return 1;
}

/* More would fill the stack. */
#define MOST_RESULTS 8000

int lg_table_unpack(lua_State *L) {
    lua_settop(L, 3);
    lua_Integer first = lg_integer_or(L, 2, "table.unpack", 1);
    int list = readable(L, 1, "table.unpack");
    lua_Integer last = lua_isnil(L, 3) ? length_of(L, list) : lg_integer_argument(L, 3, "table.unpack");
    if (first > last) return 0;
    lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
    if (count >= MOST_RESULTS || !lua_checkstack(L, (int)count + 4)) return luaL_error(L, "table.unpack: too many results");
    lg_charge(L, lg_of(L), 3 + (count + 1) * 2);
    for (lua_Integer i = first; i < last; i++) element(L, list, i);
    element(L, list, last);
    return (int)count + 1;
}

int lg_table_pack(lua_State *L) {
    int count = lua_gettop(L);
    lg_charge(L, lg_of(L), 5 + (uint64_t)count * 2);
    luaL_checkstack(L, 4, "table.pack: too many arguments");
    lua_createtable(L, count, 1);
    lua_insert(L, 1);
    for (int i = count; i >= 1; i--) lua_rawseti(L, 1, i);
    lua_pushinteger(L, count);
    lua_setfield(L, 1, "n");
    return 1;
}

int lg_table_move(lua_State *L) {
    lua_Integer first = lg_integer_argument(L, 2, "table.move"), last = lg_integer_argument(L, 3, "table.move");
    lua_Integer to = lg_integer_argument(L, 4, "table.move");
    int target = lua_isnoneornil(L, 5) ? 1 : 5;
    writable(L, target, "table.move");
    int list = readable(L, 1, "table.move");
    if (last >= first) {
        if (!(first > 0 || last < LUA_MAXINTEGER + first)) return luaL_error(L, "table.move: too many elements");
        lua_Integer count = last - first + 1;
        if (to > LUA_MAXINTEGER - count + 1) return luaL_error(L, "table.move: the new place is too large");
        lg_charge(L, lg_of(L), (uint64_t)count < 1u << 20 ? 3 + (uint64_t)count * 2 : (uint64_t)count);
        int same = lua_rawequal(L, 1, target);
        if (to > last || to <= first || !same) {
            for (lua_Integer i = 0; i < count; i++) {
                element(L, list, first + i);
                lua_rawseti(L, target, to + i);
            }
        } else {
            for (lua_Integer i = count - 1; i >= 0; i--) {
                element(L, list, first + i);
                lua_rawseti(L, target, to + i);
            }
        }
    }
    lua_pushvalue(L, target);
    return 1;
}

/* ---- sort: a stable merge sort on a copy, so that a comparator that lies or changes the list does no harm ---- */

typedef struct lg_sorting {
    lua_State *L;
    lg_machine *m;
    int values;     /* a table with the elements as they were */
    int function;   /* 0: by < */
} lg_sorting;

/* Whether element a comes before element b. */
static int before(lg_sorting *s, uint32_t a, uint32_t b) {
    lua_State *L = s->L;
    lg_charge(L, s->m, 4);
    if (s->function) {
        lua_pushvalue(L, s->function);
        lua_rawgeti(L, s->values, a);
        lua_rawgeti(L, s->values, b);
        lua_call(L, 2, 1);
        int result = lua_toboolean(L, -1);
        lua_pop(L, 1);
        return result;
    }
    int type_a = lua_rawgeti(L, s->values, a), type_b = lua_rawgeti(L, s->values, b), result;
    if (type_a == LUA_TSTRING && type_b == LUA_TSTRING) {
        lg_key left, right;
        lg_key_read(L, -2, &left);
        lg_key_read(L, -1, &right);
        lg_charge(L, s->m, (left.length < right.length ? left.length : right.length) / 8);
        result = lg_key_compare(&left, &right) < 0;
    } else if (type_a == LUA_TNUMBER && type_b == LUA_TNUMBER)
        result = lua_compare(L, -2, -1, LUA_OPLT);
    else if (type_a == type_b)
        return luaL_error(L, "table.sort: two %s values cannot be compared; give a function", lg_type_name(L, -1));
    else
        return luaL_error(L, "table.sort: a %s cannot be compared with a %s; give a function", lg_type_name(L, -2), lg_type_name(L, -1));
    lua_pop(L, 2);
    return result;
}

static void merge_sort(lg_sorting *s, uint32_t *order, uint32_t *room, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) order[i] = i + 1;
    for (uint32_t run = 1; run < count; run *= 2) {
        for (uint32_t start = 0; start < count; start += 2 * run) {
            uint32_t middle = start + run < count ? start + run : count, end = start + 2 * run < count ? start + 2 * run : count;
            uint32_t i = start, j = middle, out = start;
            while (i < middle && j < end) room[out++] = before(s, order[j], order[i]) ? order[j++] : order[i++];
            while (i < middle) room[out++] = order[i++];
            while (j < end) room[out++] = order[j++];
        }
        uint32_t *sorted = room;
        room = order;
        order = sorted;
    }
    if (order > room) /* the result stands in the second half: bring it to the first */
        for (uint32_t i = 0; i < count; i++) room[i] = order[i];
}

int lg_table_sort(lua_State *L) {
    writable(L, 1, "table.sort");
    if (!lua_isnoneornil(L, 2) && lua_type(L, 2) != LUA_TFUNCTION) return lg_bad_argument(L, 2, "table.sort", "a function");
    lua_settop(L, 2);
    size_t count = lua_rawlen(L, 1);
    if (count < 2) return 0;
    if (count > INT_MAX / 4) return luaL_error(L, "table.sort: the list is too long");
    lg_machine *m = lg_of(L);
    lg_charge(L, m, count * 6);
    lua_createtable(L, (int)count, 0);                                          /* 3 */
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i);
        lua_rawseti(L, 3, (lua_Integer)i);
    }
    uint32_t *order = lua_newuserdatauv(L, 2 * count * sizeof *order, 0);       /* 4 */
    lg_sorting sorting = {L, m, 3, lua_isnil(L, 2) ? 0 : 2};
    merge_sort(&sorting, order, order + count, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 3, order[i]);
        lua_rawseti(L, 1, (lua_Integer)i + 1);
    }
    return 0;
}
