/* json.decode and json.encode: the reader that reads messages, and the budget of one value for what is written. Both may
 * raise; a text that is not JSON is no error but nil and a message. */
#include "guard.h"
#include <stdio.h>
#include <string.h>

#define DECODE_DEPTH 64
/* Values in one text: its nodes are not Lua's memory, so they are counted before they are made. */
#define DECODE_VALUES 10000

static const char *fault_text(int code) {
    switch (code) {
    case JD_FAULT_EMPTY: return "the text is empty";
    case JD_FAULT_TOO_LARGE: return "the text is too long";
    case JD_FAULT_UTF8: return "the text is not valid UTF-8";
    case JD_FAULT_STRING: return "a control character inside a string";
    case JD_FAULT_ESCAPE: return "a bad escape";
    case JD_FAULT_NUMBER: return "a number that JSON does not write so";
    case JD_FAULT_DEPTH: return "nested too deep";
    case JD_FAULT_TRAILING: return "text behind the value";
    case JD_FAULT_UNFINISHED: return "the text ends inside a value";
    default: return "unexpected text";
    }
}

int lg_json_decode(lua_State *L) {
    lg_machine *m = lg_of(L);
    size_t length;
    if (lua_type(L, 1) != LUA_TSTRING) return lg_bad_argument(L, 1, "json.decode", "a text");
    const char *text = lua_tolstring(L, 1, &length);
    lg_charge(L, m, 20 + length / 2);
    size_t values = 1;
    for (size_t i = 0; i < length; i++) values += text[i] == ',' || text[i] == '[' || text[i] == '{';
    if (values > DECODE_VALUES) {
        lua_pushnil(L);
        lua_pushfstring(L, "the text has more than %d values", DECODE_VALUES);
        return 2;
    }
    jd_fault fault = {0};
    int code = jd_document_read(m->document, text, length, m->limits.value_bytes, DECODE_DEPTH, NULL, &fault);
    if (code == JD_FAULT_MEMORY) lg_stop(L, LG_MEMORY, "out of memory");
    if (code != JD_OK) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s at line %d, column %d", fault_text(code), (int)fault.line, (int)fault.column);
        return 2;
    }
    /* Keys that stand twice were sorted like all others, and no value of theirs is charged below. */
    lg_charge(L, m, 10 * (uint64_t)jd_document_shadowed(m->document));
    lg_push_value(L, jd_document_root(m->document));
    return 1;
}

static void write_text(lua_State *L, lg_buffer *out, const char *text, size_t length) {
    static const char hex[] = "0123456789abcdef", specials[] = "\"\\\n\t\r\b\f", letters[] = "\"\\ntrbf";
    lg_charge(L, lg_of(L), length / 4);
    lg_buffer_byte(L, out, '"');
    size_t plain = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c != '"' && c != '\\') continue;
        lg_buffer_add(L, out, text + plain, i - plain);
        plain = i + 1;
        const char *place = c ? strchr(specials, c) : NULL;
        if (place) {
            char escaped[2] = {'\\', letters[place - specials]};
            lg_buffer_add(L, out, escaped, 2);
        } else {
            char escaped[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
            lg_buffer_add(L, out, escaped, 6);
        }
    }
    lg_buffer_add(L, out, text + plain, length - plain);
    lg_buffer_byte(L, out, '"');
}

static void write_node(lua_State *L, lg_buffer *out, const jd_node *node) {
    char number[32];
    node = lg_follow(node);
    switch (node->kind) {
    case JD_NULL: lg_buffer_add(L, out, "null", 4); return;
    case JD_FALSE: lg_buffer_add(L, out, "false", 5); return;
    case JD_TRUE: lg_buffer_add(L, out, "true", 4); return;
    case JD_STRING: write_text(L, out, node->text, node->length); return;
    case JD_INTEGER:
    case JD_DECIMAL:
        if (node->text) lg_buffer_add(L, out, node->text, node->length);
        else if (node->kind == JD_INTEGER) lg_buffer_add(L, out, number, (size_t)snprintf(number, sizeof number, "%lld", (long long)node->value.integer));
        else lg_buffer_add(L, out, number, jd_decimal_text(node->value.decimal, number));
        return;
    default: break;
    }
    int first = 1, object = node->kind == JD_OBJECT;
    lg_buffer_byte(L, out, object ? '{' : '[');
    for (const jd_node *child = node + 1, *end = node + node->span; child < end; child += child->span) {
        if (child->flags & JD_SHADOWED) continue;
        if (!first) lg_buffer_byte(L, out, ',');
        first = 0;
        if (object) {
            write_text(L, out, child->key, child->key_length);
            lg_buffer_byte(L, out, ':');
        }
        write_node(L, out, child);
    }
    lg_buffer_byte(L, out, object ? '}' : ']');
}

int lg_json_encode(lua_State *L) {
    lg_machine *m = lg_of(L);
    if (lua_gettop(L) == 0) return lg_bad_argument(L, 1, "json.encode", "a value");
    lg_charge(L, m, 20);
    lg_budget budget = lg_value_budget(m);
    jd_builder_reset(m->arguments);
    lg_write_value(L, 1, m->arguments, &budget, "json.encode");
    const jd_node *root = jd_builder_finish(m->arguments);
    if (!root) lg_stop(L, LG_MEMORY, "out of memory");
    lg_buffer out;
    lg_buffer_begin(L, &out);
    write_node(L, &out, root);
    lg_buffer_finish(L, &out);
    return 1;
}
