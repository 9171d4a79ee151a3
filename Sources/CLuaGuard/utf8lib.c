/* The utf8 library (manual 6.5) with every byte checked. All may raise. */
#include "guard.h"

#define MOST 0x7FFFFFFFu

static int is_continuation(unsigned char c) { return (c & 0xC0) == 0x80; }

/* Decodes one character; its bytes, 0 when there is none. strict refuses surrogates and what lies beyond Unicode. */
static size_t decode(const char *text, size_t length, int strict, uint32_t *out) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};
    unsigned char c = (unsigned char)*text;
    if (c < 0x80) {
        *out = c;
        return 1;
    }
    size_t size = c >= 0xFE ? 0 : c >= 0xFC ? 6 : c >= 0xF8 ? 5 : c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 0;
    if (!size || size > length) return 0;
    uint32_t value = c & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (!is_continuation((unsigned char)text[i])) return 0;
        value = value << 6 | ((unsigned char)text[i] & 0x3Fu);
    }
    if (value < least[size] || (strict && (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)))) return 0;
    *out = value;
    return size;
}

static size_t encode(uint32_t value, char *out) {
    if (value < 0x80) return out[0] = (char)value, 1;
    size_t size = value < 0x800 ? 2 : value < 0x10000 ? 3 : value < 0x200000 ? 4 : value < 0x4000000 ? 5 : 6;
    for (size_t i = size - 1; i > 0; i--, value >>= 6) out[i] = (char)(0x80 | (value & 0x3F));
    out[0] = (char)((0xFF00u >> size & 0xFF) | value);
    return size;
}

static lua_Integer place(lua_Integer i, size_t length) {
    if (i >= 0) return i;
    return i < -(lua_Integer)length ? 0 : (lua_Integer)length + i + 1;
}

int lg_utf8_len(lua_State *L) {
    size_t length;
    const char *text = lg_text_argument(L, 1, "utf8.len", &length);
    lua_Integer i = place(lg_integer_or(L, 2, "utf8.len", 1), length), j = place(lg_integer_or(L, 3, "utf8.len", -1), length);
    int strict = !lua_toboolean(L, 4);
    if (i < 1 || i - 1 > (lua_Integer)length) return luaL_error(L, "utf8.len: argument 2 is out of bounds");
    if (j > (lua_Integer)length) return luaL_error(L, "utf8.len: argument 3 is out of bounds");
    lg_charge(L, lg_of(L), 3 + (j > i ? (uint64_t)(j - i) / 4 : 0));
    lua_Integer count = 0;
    for (i--; i < j; count++) {
        uint32_t value;
        size_t size = decode(text + i, length - (size_t)i, strict, &value);
        if (!size) {
            lua_pushnil(L);
            lua_pushinteger(L, i + 1);
            return 2;
        }
        i += (lua_Integer)size;
    }
    lua_pushinteger(L, count);
    return 1;
}

int lg_utf8_codepoint(lua_State *L) {
    size_t length;
    const char *text = lg_text_argument(L, 1, "utf8.codepoint", &length);
    lua_Integer i = place(lg_integer_or(L, 2, "utf8.codepoint", 1), length), j = place(lg_integer_or(L, 3, "utf8.codepoint", i), length);
    int strict = !lua_toboolean(L, 4), count = 0;
    if (i < 1 || j > (lua_Integer)length) return luaL_error(L, "utf8.codepoint: out of bounds");
    if (i > j) return 0;
    lg_charge(L, lg_of(L), 3 + (uint64_t)(j - i));
    if (j - i >= 1000000 || !lua_checkstack(L, (int)(j - i) + 1)) return luaL_error(L, "utf8.codepoint: too many results");
    for (i--; i < j; count++) {
        uint32_t value;
        size_t size = decode(text + i, length - (size_t)i, strict, &value);
        if (!size) return luaL_error(L, "utf8.codepoint: the text is not valid UTF-8");
        lua_pushinteger(L, value);
        i += (lua_Integer)size;
    }
    return count;
}

int lg_utf8_char(lua_State *L) {
    int count = lua_gettop(L);
    lg_buffer out;
    lg_charge(L, lg_of(L), 3 + (uint64_t)count * 2);
    luaL_checkstack(L, 4, "utf8.char: too many arguments");
    lg_buffer_begin(L, &out);
    for (int i = 1; i <= count; i++) {
        char bytes[8];
        lua_Unsigned value = (lua_Unsigned)lg_integer_argument(L, i, "utf8.char");
        if (value > MOST) return luaL_error(L, "utf8.char: argument %d is out of range", i);
        lg_buffer_add(L, &out, bytes, encode((uint32_t)value, bytes));
    }
    lg_buffer_finish(L, &out);
    return 1;
}

int lg_utf8_offset(lua_State *L) {
    size_t length;
    const char *text = lg_text_argument(L, 1, "utf8.offset", &length);
    lua_Integer n = lg_integer_argument(L, 2, "utf8.offset"), size = (lua_Integer)length;
    lua_Integer i = place(lg_integer_or(L, 3, "utf8.offset", n > 0 ? 1 : size + 1), length) - 1;
    if (i < 0 || i > size) return luaL_error(L, "utf8.offset: argument 3 is out of bounds");
    lg_charge(L, lg_of(L), 3 + length / 8);
#define INSIDE(at) ((at) < size && is_continuation((unsigned char)text[at]))
    if (n == 0) {
        while (i > 0 && INSIDE(i)) i--;
    } else {
        if (INSIDE(i)) return luaL_error(L, "utf8.offset: argument 3 is inside a character");
        if (n < 0) {
            for (; n < 0 && i > 0; n++) {
                do i--;
                while (i > 0 && INSIDE(i));
            }
        } else {
            for (n--; n > 0 && i < size; n--) {
                do i++;
                while (INSIDE(i));
            }
        }
    }
#undef INSIDE
    if (n == 0) lua_pushinteger(L, i + 1);
    else lua_pushnil(L);
    return 1;
}

/* for place, code in utf8.codes(text): the second argument is the place of the character before. */
static int codes_step(lua_State *L, int strict) {
    size_t length;
    const char *text = lg_text_argument(L, 1, "utf8.codes", &length);
    lua_Unsigned at = (lua_Unsigned)lua_tointeger(L, 2);
    lg_charge(L, lg_of(L), 6);
    if (at > 0 && at <= length)
        while (at < length && is_continuation((unsigned char)text[at])) at++;
    if (at >= length) return 0;
    uint32_t value;
    size_t size = decode(text + at, length - at, strict, &value);
    if (!size || (at + size < length && is_continuation((unsigned char)text[at + size])))
        return luaL_error(L, "utf8.codes: the text is not valid UTF-8");
    lua_pushinteger(L, (lua_Integer)at + 1);
    lua_pushinteger(L, value);
    return 2;
}
static int codes_strict(lua_State *L) { return codes_step(L, 1); }
static int codes_lax(lua_State *L) { return codes_step(L, 0); }

int lg_utf8_codes(lua_State *L) {
    size_t length;
    const char *text = lg_text_argument(L, 1, "utf8.codes", &length);
    if (length && is_continuation((unsigned char)*text)) return luaL_error(L, "utf8.codes: the text is not valid UTF-8");
    lua_pushcfunction(L, lua_toboolean(L, 2) ? codes_lax : codes_strict);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}
