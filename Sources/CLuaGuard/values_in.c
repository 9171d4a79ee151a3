/* A tape becomes Lua values: what a host function answers, what json.decode reads. Tables are made anew. May raise. */
#include "guard.h"

#define MAX_DEPTH 64

static void push(lua_State *L, const jd_node *node, int depth) {
    lg_machine *m = lg_of(L);
    node = lg_follow(node);
    if (node->kind != JD_ARRAY && node->kind != JD_OBJECT) {
        if (node->kind == JD_DECIMAL) lg_charge(L, m, 15); /* its digits were read, and powers of ten are dear */
        lg_push_node(L, node, LG_ROOT_MESSAGE);
        return;
    }
    if (depth == 0) luaL_error(L, "a value is nested deeper than %d", MAX_DEPTH);
    luaL_checkstack(L, 8, "a value is nested too deep");
    lg_charge(L, m, 5 + (uint64_t)node->count * 3);
    const jd_node *child = node + 1, *end = node + node->span;
    if (node->kind == JD_ARRAY) {
        lua_createtable(L, (int)node->count, 0);
        for (lua_Integer i = 1; child < end; child += child->span, i++) {
            push(L, child, depth - 1);
            lua_rawseti(L, -2, i);
        }
    } else {
        lua_createtable(L, 0, (int)node->count);
        for (; child < end; child += child->span) {
            if (child->flags & JD_SHADOWED) continue;
            lua_pushlstring(L, child->key, child->key_length);
            push(L, child, depth - 1);
            lua_rawset(L, -3);
        }
    }
}

void lg_push_value(lua_State *L, const jd_node *node) { push(L, node, MAX_DEPTH); }
