/* Text that grows inside C functions. Its bytes are a userdata in one stack slot, so that Lua frees them whatever error
 * comes, and its growth is charged and capped like a string's. */
#include "guard.h"
#include <string.h>

void lg_buffer_begin(lua_State *L, lg_buffer *b) {
    b->room = 256;
    b->length = 0;
    b->bytes = lua_newuserdatauv(L, b->room, 0);
    b->slot = lua_gettop(L);
}

void lg_buffer_add(lua_State *L, lg_buffer *b, const char *bytes, size_t length) {
    if (length > b->room - b->length) {
        lg_machine *m = lg_of(L);
        size_t cap = m->limits.string_bytes;
        if (length > cap || b->length + length > cap) lg_stop(L, LG_MEMORY, "a string is longer than the limit");
        size_t room = b->room;
        while (room < b->length + length) room *= 2;
        if (room > cap) room = cap;
        lg_charge(L, m, room / 16);
        char *larger = lua_newuserdatauv(L, room, 0);
        memcpy(larger, b->bytes, b->length);
        lua_replace(L, b->slot);
        b->bytes = larger;
        b->room = room;
    }
    if (length) memcpy(b->bytes + b->length, bytes, length);
    b->length += length;
}

void lg_buffer_finish(lua_State *L, lg_buffer *b) { lua_pushlstring(L, b->bytes, b->length); }
