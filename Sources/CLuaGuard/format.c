/* string.format, bounded: at most two digits of width and precision as in Lua, no %p (addresses), and conversions of
 * floats charged by what they cost. May raise. */
#include "guard.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Longest text of one number: 99 digits behind the point and 309 before it. */
#define NUMBER_BYTES 512

typedef struct lg_spec {
    char text[32];          /* "%-08.3f", ready for snprintf */
    char conversion;
    int precision;          /* -1: none */
    int has_flags;
} lg_spec;

/* Flags that a conversion takes; others are errors, as in Lua. */
static const char *flags_of(char conversion) {
    switch (conversion) {
    case 'd':
    case 'i': return "-+ 0";
    case 'x':
    case 'X':
    case 'o': return "-#0";
    case 'c':
    case 's': return "-";
    default: return "-+ #0";
    }
}

/* Reads what stands behind a %; the offset behind it. */
static size_t read_spec(lua_State *L, const char *format, size_t length, size_t i, lg_spec *spec) {
    char *out = spec->text;
    *out++ = '%';
    spec->precision = -1;
    size_t begin = i;
    while (i < length && format[i] && strchr("-+ #0", format[i])) {
        if (i - begin >= 5) luaL_error(L, "invalid format (repeated flags)");
        *out++ = format[i++];
    }
    for (int digits = 0; i < length && format[i] >= '0' && format[i] <= '9'; digits++) {
        if (digits == 2) luaL_error(L, "invalid format (width greater than 99)");
        *out++ = format[i++];
    }
    if (i < length && format[i] == '.') {
        *out++ = format[i++];
        spec->precision = 0;
        for (int digits = 0; i < length && format[i] >= '0' && format[i] <= '9'; digits++) {
            if (digits == 2) luaL_error(L, "invalid format (precision greater than 99)");
            spec->precision = spec->precision * 10 + (format[i] - '0');
            *out++ = format[i++];
        }
    }
    spec->has_flags = i != begin;
    size_t flags_end = begin;
    while (flags_end < i && strchr("-+ #0", format[flags_end])) flags_end++;
    if (i >= length) luaL_error(L, "invalid format: it ends with '%%'");
    spec->conversion = format[i];
    for (size_t k = begin; k < flags_end; k++)
        if (!strchr(flags_of(spec->conversion), format[k])) luaL_error(L, "invalid format: flag '%c' does not go with '%%%c'", format[k], spec->conversion >= 32 && spec->conversion < 127 ? spec->conversion : '?');
    if (strchr("dioxX", spec->conversion)) {
        *out++ = 'l';
        *out++ = 'l';
    }
    *out++ = spec->conversion;
    *out = 0;
    return i + 1;
}

static void add_quoted(lua_State *L, lg_buffer *out, int index) {
    char number[64];
    switch (lua_type(L, index)) {
    case LUA_TSTRING: {
        size_t length;
        const char *text = lua_tolstring(L, index, &length);
        lg_charge(L, lg_of(L), length);
        lg_buffer_byte(L, out, '"');
        for (size_t i = 0; i < length; i++) {
            unsigned char c = (unsigned char)text[i];
            if (c == '"' || c == '\\' || c == '\n') {
                lg_buffer_byte(L, out, '\\');
                lg_buffer_byte(L, out, (char)c);
            } else if (c < 32 || c == 127) {
                int digit_follows = i + 1 < length && text[i + 1] >= '0' && text[i + 1] <= '9';
                lg_charge(L, lg_of(L), 8);
                lg_buffer_add(L, out, number, (size_t)snprintf(number, sizeof number, digit_follows ? "\\%03d" : "\\%d", c));
            } else
                lg_buffer_byte(L, out, (char)c);
        }
        lg_buffer_byte(L, out, '"');
        return;
    }
    case LUA_TNUMBER:
        lg_charge(L, lg_of(L), 50);
        if (lua_isinteger(L, index)) {
            lua_Integer n = lua_tointeger(L, index);
            snprintf(number, sizeof number, n == LUA_MININTEGER ? "0x%llx" : "%lld", (long long)n);
        } else {
            double n = lua_tonumber(L, index);
            if (n == HUGE_VAL) strcpy(number, "1e9999");
            else if (n == -HUGE_VAL) strcpy(number, "-1e9999");
            else if (n != n) strcpy(number, "(0/0)");
            else snprintf(number, sizeof number, "%a", n);
        }
        lg_buffer_add(L, out, number, strlen(number));
        return;
    case LUA_TNIL:
    case LUA_TBOOLEAN: {
        size_t length;
        const char *text = lg_push_text(L, index, &length);
        lg_buffer_add(L, out, text, length);
        lua_pop(L, 1);
        return;
    }
    default: luaL_error(L, "string.format: %%q cannot write a %s", lg_type_name(L, index));
    }
}

static void add_text(lua_State *L, lg_buffer *out, const lg_spec *spec, int index) {
    size_t length;
    const char *text = lg_push_text(L, index, &length);
    lg_charge(L, lg_of(L), length / 8);
    if (!spec->has_flags || (spec->precision < 0 && length >= 100)) { /* longer than any width */
        lg_buffer_add(L, out, text, length);
    } else {
        char padded[128];
        if (strlen(text) != length) luaL_error(L, "string.format: a text with zero bytes cannot be padded");
        int size = snprintf(padded, sizeof padded, spec->text, text);
        lg_buffer_add(L, out, padded, (size_t)size);
    }
    lua_pop(L, 1);
}

static void add_float(lua_State *L, lg_buffer *out, const lg_spec *spec, int index) {
    char text[NUMBER_BYTES];
    double n = lg_number_argument(L, index, "string.format");
    int exponent = 0;
    if (isfinite(n)) frexp(n, &exponent);
    uint64_t digits = spec->precision > 0 ? (uint64_t)spec->precision : 6;
    if (exponent > 64 || exponent < -64) digits += (uint64_t)(exponent < 0 ? -exponent : exponent);
    lg_charge(L, lg_of(L), 40 + digits * 2);
    lg_buffer_add(L, out, text, (size_t)snprintf(text, sizeof text, spec->text, n));
}

int lg_string_format(lua_State *L) {
    size_t length;
    int arguments = lua_gettop(L), next = 1;
    const char *format = lg_text_argument(L, 1, "string.format", &length);
    lg_buffer out;
    char text[NUMBER_BYTES];
    lg_charge(L, lg_of(L), 5 + length / 8);
    luaL_checkstack(L, 8, "string.format: too many arguments");
    lg_buffer_begin(L, &out);
    for (size_t i = 0; i < length;) {
        if (format[i] != '%') {
            size_t run = 1;
            while (i + run < length && format[i + run] != '%') run++;
            lg_buffer_add(L, &out, format + i, run);
            i += run;
            continue;
        }
        if (++i < length && format[i] == '%') {
            lg_buffer_byte(L, &out, '%');
            i++;
            continue;
        }
        lg_spec spec;
        i = read_spec(L, format, length, i, &spec);
        if (++next > arguments) return luaL_error(L, "string.format: argument %d is missing", next);
        lg_charge(L, lg_of(L), 10);
        switch (spec.conversion) {
        case 'c': {
            lua_Integer c = lg_integer_argument(L, next, "string.format");
            lg_buffer_add(L, &out, text, (size_t)snprintf(text, sizeof text, spec.text, (int)(unsigned char)c));
            break;
        }
        case 'd':
        case 'i':
        case 'o':
        case 'x':
        case 'X': {
            long long n = lg_integer_argument(L, next, "string.format");
            lg_buffer_add(L, &out, text, (size_t)snprintf(text, sizeof text, spec.text, n));
            break;
        }
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G': add_float(L, &out, &spec, next); break;
        case 'q':
            if (spec.has_flags) return luaL_error(L, "string.format: %%q takes no width or precision");
            add_quoted(L, &out, next);
            break;
        case 's': add_text(L, &out, &spec, next); break;
        case 'p': return luaL_error(L, "string.format: %%p would show an address; use %%s");
        default: return luaL_error(L, "string.format: invalid conversion '%%%c'", spec.conversion >= 32 && spec.conversion < 127 ? spec.conversion : '?');
        }
    }
    lg_buffer_finish(L, &out);
    return 1;
}
