/* msg, device and event as scripts see them: read-only tables that convert only what is read.
 *
 * A view is a userdata with a node of a tape and the evaluation it belongs to. One node has one view per evaluation, so
 * that `==` and table keys work as with tables. A view whose evaluation is over raises; it never looks at its node,
 * which may be the next message's by then. All functions may raise, but lg_view_path.
 */
#include "guard.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const root_names[LG_ROOTS] = {"msg", "device", "event"};

lg_view *lg_view_at(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA) return NULL; /* views are the only userdata a script can hold */
    lg_view *view = lua_touserdata(L, index);
    if (view->generation != lg_of(L)->generation)
        luaL_error(L, "this belongs to an earlier message; keep its values with state instead of the table");
    return view;
}

static void push_view(lua_State *L, lg_machine *m, const jd_node *node, int root) {
    lg_view *view = lua_newuserdatauv(L, sizeof *view, 0);
    *view = (lg_view){.node = node, .generation = m->generation, .root = root};
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_VIEW_METHODS);
    lua_setmetatable(L, -2);
}

/* The place in the hash where node stands or would stand. */
static lg_known_view *known_place(lg_machine *m, const jd_node *node) {
    uint32_t mask = m->known_room - 1, at = (uint32_t)((uintptr_t)node >> 4) * 2654435761u >> 16 & mask;
    while (m->known_views[at].generation == m->generation && m->known_views[at].node != node) at = (at + 1) & mask;
    return &m->known_views[at];
}

/* Doubles the hash; views of this evaluation keep their places. */
static void make_room(lua_State *L, lg_machine *m) {
    uint32_t old_room = m->known_room;
    lg_known_view *old = m->known_views, *larger = calloc(old_room ? 2 * old_room : 32, sizeof *larger);
    if (!larger) lg_stop(L, LG_MEMORY, "out of memory");
    m->known_views = larger;
    m->known_room = old_room ? 2 * old_room : 32;
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i].generation == m->generation) *known_place(m, old[i].node) = old[i];
    free(old);
}

static void push_known_view(lua_State *L, lg_machine *m, const jd_node *node, int root) {
    if (m->known_count * 2 >= m->known_room) make_room(L, m);
    lg_known_view *known = known_place(m, node);
    if (!lua_checkstack(L, 5)) luaL_error(L, "calls are nested too deep");
    lua_rawgeti(L, LUA_REGISTRYINDEX, LG_SLOT_VIEWS);
    if (known->generation == m->generation) {
        lua_rawgeti(L, -1, known->place);
    } else {
        push_view(L, m, node, root);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, m->known_count + 1);
        *known = (lg_known_view){node, m->generation, ++m->known_count};
    }
    lua_remove(L, -2);
}

/* Places of views are used again, so those of the last evaluation need not be cleared, unless they are many. */
void lg_forget_views(lua_State *L) {
    lg_machine *m = lg_of(L);
    if (m->known_count > 64) {
        lua_newtable(L);
        lua_rawseti(L, LUA_REGISTRYINDEX, LG_SLOT_VIEWS);
    }
    m->known_count = 0;
}

/* An integer beyond 64 bits and a number beyond doubles come as the text they were written as. */
static void push_decimal(lua_State *L, const jd_node *node) {
    if ((node->flags & JD_OVERFLOW) && node->text) lua_pushlstring(L, node->text, node->length);
    else lua_pushnumber(L, node->value.decimal);
}

void lg_push_node(lua_State *L, const jd_node *node, int root) {
    lg_machine *m = lg_of(L);
    node = lg_follow(node);
    switch (node->kind) {
    case JD_FALSE: lua_pushboolean(L, 0); return;
    case JD_TRUE: lua_pushboolean(L, 1); return;
    case JD_INTEGER: lua_pushinteger(L, node->value.integer); return;
    case JD_DECIMAL: push_decimal(L, node); return;
    case JD_STRING:
        if (node->length > 40) lg_charge(L, m, node->length / 8);
        lua_pushlstring(L, node->text, node->length);
        return;
    case JD_ARRAY:
    case JD_OBJECT:
        push_known_view(L, m, node, root);
        return;
    default: lua_pushnil(L);
    }
}

/* ---- reading ---- */

static void note_unknown(lua_State *L, lg_machine *m, int root, const char *field, size_t length) {
    const lg_names *schema = &m->schema[root];
    if (schema->free) return;
    for (size_t i = 0; i < schema->count; i++)
        if (schema->lengths[i] == length && memcmp(schema->items[i], field, length) == 0) return;
    if (length > sizeof m->unknown[0].field) length = sizeof m->unknown[0].field;
    for (size_t i = 0; i < m->unknown_count; i++) {
        const lg_noted_field *noted = &m->unknown[i];
        if (noted->root == root && noted->field_length == length && memcmp(noted->field, field, length) == 0) return;
    }
    if (m->unknown_count == LG_UNKNOWN_MAX) return;
    lg_noted_field *noted = &m->unknown[m->unknown_count++];
    noted->root = root;
    noted->field_length = (uint32_t)length;
    memcpy(noted->field, field, length);
    lg_where(L, &noted->place);
}

/* The same for a table of the root whose fields are known too: the schema has them as "table.field". */
static void note_unknown_below(lua_State *L, lg_machine *m, const lg_view *view, const char *field, size_t length) {
    const jd_node *node = view->node, *root = lg_follow(m->roots[view->root]);
    const lg_names *schema = &m->schema[view->root];
    char path[64];
    size_t table = node->key_length;
    if (table + 1 + length > sizeof path || root->kind != JD_OBJECT) return;
    int has_shape = 0;
    for (size_t i = 0; i < schema->count && !has_shape; i++)
        has_shape = schema->lengths[i] > table && schema->items[i][table] == '.' && memcmp(schema->items[i], node->key, table) == 0;
    if (!has_shape) return;
    const jd_node *child = root + 1, *end = root + root->span;
    while (child < end && lg_follow(child) != node) child += child->span;
    if (child >= end) return;
    memcpy(path, node->key, table);
    path[table] = '.';
    memcpy(path + table + 1, field, length);
    note_unknown(L, m, view->root, path, table + 1 + length);
}

static const jd_node *find_member(lua_State *L, const jd_node *object, const char *key, size_t length) {
    if (object->count > 16) lg_charge(L, lg_of(L), object->count / 4);
    const jd_node *node = object + 1, *end = object + object->span;
    for (; node < end; node += node->span)
        if (node->key_length == length && !(node->flags & JD_SHADOWED) && (length == 0 || *node->key == *key)
            && memcmp(node->key, key, length) == 0)
            return lg_follow(node);
    return NULL;
}

size_t lg_view_length(const lg_view *view) {
    const jd_node *node = view->node;
    if (node->kind != JD_ARRAY || node->count == 0) return 0;
    if (node->span != node->count + 1) return node->count;
    size_t length = node->count; /* as with tables, nil at the end does not count */
    while (length && lg_follow(node + length)->kind == JD_NULL) length--;
    return length;
}

const jd_node *lg_view_element(lua_State *L, lg_view *view, int64_t i) {
    const jd_node *array = view->node;
    if (array->kind != JD_ARRAY || i < 1 || i > array->count) return NULL;
    if (array->span == array->count + 1) return lg_follow(array + i); /* only scalars: every element is one node */
    const jd_node *node = array + 1;
    int64_t place = 1;
    if (view->last && view->last_place <= i) {
        node = view->last;
        place = view->last_place;
    }
    if (i - place > 16) lg_charge(L, lg_of(L), (uint64_t)(i - place) / 8);
    for (; place < i; place++) node += node->span;
    view->last = node;
    view->last_place = (uint32_t)i;
    return lg_follow(node);
}

/* device:is_showing(tab[, item]): the app is on the screen with that tab, and item is what is on top of it. */
static int is_showing(lua_State *L) {
    lg_machine *m = lg_of(L);
    int count = lua_gettop(L);
    lg_view *view = lg_view_at(L, 1);
    if (!view || view->root != LG_ROOT_DEVICE || view->node != lg_follow(m->roots[LG_ROOT_DEVICE]))
        return luaL_error(L, "call is_showing with a colon: device:is_showing(tab)");
    size_t tab_length;
    if (lua_type(L, 2) != LUA_TSTRING) return luaL_error(L, "device:is_showing: the tab must be text, not %s", lg_type_name(L, 2));
    const char *tab = lua_tolstring(L, 2, &tab_length);
    lua_pushboolean(L, 0);
    const jd_node *state = find_member(L, view->node, "state", 5), *screen = find_member(L, view->node, "screen", 6);
    if (!state || state->kind != JD_STRING || !screen || screen->kind != JD_OBJECT) return 1;
    int in_front = (state->length == 10 && memcmp(state->text, "foreground", 10) == 0)
        || (state->length == 8 && memcmp(state->text, "inactive", 8) == 0);
    const jd_node *open = find_member(L, screen, "tab", 3);
    if (!in_front || !open || open->kind != JD_STRING || open->length != tab_length || memcmp(open->text, tab, tab_length) != 0) return 1;
    if (count >= 3) {
        const jd_node *path = find_member(L, screen, "path", 4);
        if (lua_isnil(L, 3) || !path || path->kind != JD_ARRAY || path->count == 0) return 1;
        if (lua_type(L, 3) != LUA_TSTRING && lua_type(L, 3) != LUA_TNUMBER)
            return luaL_error(L, "device:is_showing: the item must be text, not %s", lg_type_name(L, 3));
        lg_view path_view = {.node = path};
        const jd_node *last = lg_view_element(L, &path_view, path->count);
        if (last->kind != JD_STRING && last->kind != JD_INTEGER) return 1;
        size_t item_length, last_length;
        const char *item = lua_tolstring(L, 3, &item_length);
        lg_push_node(L, last, LG_ROOT_DEVICE);
        const char *top = lua_tolstring(L, -1, &last_length);
        if (item_length != last_length || memcmp(item, top, item_length) != 0) return lua_pushboolean(L, 0), 1;
    }
    lua_pushboolean(L, 1);
    return 1;
}

static int is_showing_told(lua_State *L) {
    lg_machine *m = lg_of(L);
    int count = lua_gettop(L), results = is_showing(L);
    if (m->trace) lg_trace_showing(L, m, count < 3 ? count : 3, lua_toboolean(L, -1));
    return results;
}

static int view_index(lua_State *L) {
    lg_machine *m = lg_of(L);
    lg_view *view = lg_view_at(L, 1);
    const jd_node *node = view->node, *found = NULL;
    int type = lua_type(L, 2);
    lg_charge(L, m, 5);
    if (node->kind == JD_OBJECT) {
        if (type != LUA_TSTRING) return lua_pushnil(L), 1;
        size_t length;
        const char *key = lua_tolstring(L, 2, &length);
        found = find_member(L, node, key, length);
        if (!found && node == lg_follow(m->roots[view->root])) {
            if (view->root == LG_ROOT_DEVICE && length == 10 && memcmp(key, "is_showing", 10) == 0)
                return lua_pushcfunction(L, is_showing_told), 1;
            note_unknown(L, m, view->root, key, length);
        } else if (!found)
            note_unknown_below(L, m, view, key, length);
    } else if (type == LUA_TNUMBER) {
        int whole;
        lua_Integer i = lua_tointegerx(L, 2, &whole);
        if (whole) found = lg_view_element(L, view, i);
    }
    if (m->trace) lg_trace_read(L, m, view, 2, found);
    if (!found) return lua_pushnil(L), 1;
    lg_push_node(L, found, view->root);
    return 1;
}

static int view_write(lua_State *L) {
    lg_view *view = lg_view_at(L, 1);
    if (!view) return luaL_error(L, "this table is read-only");
    return luaL_error(L, "%s is read-only; a rule returns its changes", root_names[view->root]);
}

static int view_count(lua_State *L) {
    lg_view *view = lg_view_at(L, 1);
    lg_charge(L, lg_of(L), 5);
    lua_pushinteger(L, view ? (lua_Integer)lg_view_length(view) : 0);
    return 1;
}

void lg_build_views(lua_State *L) {
    static const luaL_Reg methods[] = {{"__index", view_index}, {"__newindex", view_write}, {"__len", view_count}, {NULL, NULL}};
    lua_createtable(L, 0, 4);
    luaL_setfuncs(L, methods, 0);
    lua_pushliteral(L, "table"); /* what Lua's own messages call it */
    lua_setfield(L, -2, "__name");
    lua_rawseti(L, LUA_REGISTRYINDEX, LG_SLOT_VIEW_METHODS);
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LG_SLOT_VIEWS);
}

/* ---- names ---- */

static int is_identifier(const char *text, size_t length) {
    if (!length || (*text >= '0' && *text <= '9')) return 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return 0;
    }
    return 1;
}

/* Looks for wanted below node and appends its path; 1 when found. */
static int find_path(const jd_node *node, const jd_node *wanted, char *out, size_t room, int depth, unsigned *left) {
    if (node == wanted) return 1;
    if ((node->kind != JD_ARRAY && node->kind != JD_OBJECT) || depth == 0) return 0;
    size_t used = strlen(out);
    unsigned place = 0;
    for (const jd_node *child = node + 1, *end = node + node->span; child < end; child += child->span) {
        place++;
        if (*left == 0) return 0;
        --*left;
        const jd_node *target = lg_follow(child);
        if (target->kind != JD_ARRAY && target->kind != JD_OBJECT) continue;
        if (node->kind == JD_ARRAY) snprintf(out + used, room - used, "[%u]", place);
        else if (is_identifier(child->key, child->key_length)) snprintf(out + used, room - used, ".%.*s", (int)child->key_length, child->key);
        else snprintf(out + used, room - used, "[\"%.*s\"]", (int)child->key_length, child->key);
        if (find_path(target, wanted, out, room, depth - 1, left)) return 1;
        out[used] = 0;
    }
    return 0;
}

void lg_view_path(const lg_machine *m, const lg_view *view, char *out, size_t room) {
    unsigned left = 10000;
    snprintf(out, room, "%s", root_names[view->root]);
    find_path(lg_follow(m->roots[view->root]), view->node, out, room, 16, &left);
}
