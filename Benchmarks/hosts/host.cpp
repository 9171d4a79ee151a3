// What a good engineer writes first: simdjson reads a message, liblua runs one function on it, the table that comes
// back is written as JSON. Built twice: eager (the whole message and the whole device become Lua tables) and lazy
// (-DLAZY: both are userdata that convert what the rule looks at). No state, no limits but a count hook, no checks.
//
// host RULE CONTEXTS ANSWERS MESSAGE MESSAGES [ROUNDS]
// checks the five answers with MESSAGE, then measures MESSAGES (one a line) with the first context.
#include <simdjson.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
}

namespace dom = simdjson::dom;

namespace {

void push_scalar(lua_State *lua, dom::element value) {
    using Type = dom::element_type;
    switch (value.type()) {
    case Type::STRING: {
        std::string_view text = value.get_string().value_unsafe();
        lua_pushlstring(lua, text.data(), text.size());
        break;
    }
    case Type::INT64: lua_pushinteger(lua, value.get_int64().value_unsafe()); break;
    case Type::UINT64: lua_pushnumber(lua, double(value.get_uint64().value_unsafe())); break;
    case Type::DOUBLE: lua_pushnumber(lua, value.get_double().value_unsafe()); break;
    case Type::BOOL: lua_pushboolean(lua, value.get_bool().value_unsafe()); break;
    default: lua_pushnil(lua);
    }
}

#ifdef LAZY

const char view_key = 0;

void push_value(lua_State *lua, dom::element value) {
    if (!value.is_object() && !value.is_array()) return push_scalar(lua, value);
    auto *view = static_cast<dom::element *>(lua_newuserdatauv(lua, sizeof(dom::element), 0));
    new (view) dom::element(value);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &view_key);
    lua_setmetatable(lua, -2);
}

int index_view(lua_State *lua) {
    auto *view = static_cast<dom::element *>(lua_touserdata(lua, 1));
    dom::element found;
    bool missing = true;
    if (lua_type(lua, 2) == LUA_TSTRING) {
        size_t length;
        const char *key = lua_tolstring(lua, 2, &length);
        missing = view->at_key(std::string_view(key, length)).get(found) != simdjson::SUCCESS;
    } else if (lua_isinteger(lua, 2) && lua_tointeger(lua, 2) > 0) {
        missing = view->at(size_t(lua_tointeger(lua, 2)) - 1).get(found) != simdjson::SUCCESS;
    }
    if (missing) lua_pushnil(lua);
    else push_value(lua, found);
    return 1;
}

void prepare(lua_State *lua) {
    lua_createtable(lua, 0, 1);
    lua_pushcfunction(lua, index_view);
    lua_setfield(lua, -2, "__index");
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &view_key);
}

#else

void push_value(lua_State *lua, dom::element value) {
    if (value.is_object()) {
        dom::object object = value.get_object().value_unsafe();
        lua_createtable(lua, 0, int(object.size()));
        for (auto field : object) {
            lua_pushlstring(lua, field.key.data(), field.key.size());
            push_value(lua, field.value);
            lua_rawset(lua, -3);
        }
    } else if (value.is_array()) {
        dom::array array = value.get_array().value_unsafe();
        lua_createtable(lua, int(array.size()), 0);
        lua_Integer place = 0;
        for (auto element : array) {
            push_value(lua, element);
            lua_rawseti(lua, -2, ++place);
        }
    } else {
        push_scalar(lua, value);
    }
}

void prepare(lua_State *) {}

#endif

void write_string(std::string_view text, std::string &out) {
    out += '"';
    for (unsigned char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += char(c);
        } else if (c < 0x20) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", c);
            out += escape;
        } else {
            out += char(c);
        }
    }
    out += '"';
}

/// A table with a first element is a list, any other an object.
void write_value(lua_State *lua, int index, std::string &out) {
    index = lua_absindex(lua, index);
    switch (lua_type(lua, index)) {
    case LUA_TSTRING: {
        size_t length;
        const char *text = lua_tolstring(lua, index, &length);
        write_string({text, length}, out);
        break;
    }
    case LUA_TNUMBER: {
        char digits[40];
        if (lua_isinteger(lua, index)) {
            out.append(digits, std::to_chars(digits, digits + sizeof digits, lua_tointeger(lua, index)).ptr);
        } else {
            out.append(digits, std::to_chars(digits, digits + sizeof digits, lua_tonumber(lua, index)).ptr);
        }
        break;
    }
    case LUA_TBOOLEAN: out += lua_toboolean(lua, index) ? "true" : "false"; break;
    case LUA_TTABLE: {
        lua_Integer count = lua_Integer(lua_rawlen(lua, index));
        if (count > 0) {
            out += '[';
            for (lua_Integer place = 1; place <= count; place++) {
                if (place > 1) out += ',';
                lua_rawgeti(lua, index, place);
                write_value(lua, -1, out);
                lua_pop(lua, 1);
            }
            out += ']';
            break;
        }
        out += '{';
        bool first = true;
        lua_pushnil(lua);
        while (lua_next(lua, index)) {
            if (!first) out += ',';
            first = false;
            size_t length;
            const char *key = lua_tolstring(lua, -2, &length);
            write_string({key, length}, out);
            out += ':';
            write_value(lua, -1, out);
            lua_pop(lua, 1);
        }
        out += '}';
        break;
    }
    default: out += "null";
    }
}

void stop(lua_State *lua, lua_Debug *) { luaL_error(lua, "too many instructions"); }

class Host {
public:
    explicit Host(const char *rule) : lua(luaL_newstate()) {
        luaL_openlibs(lua);
        prepare(lua);
        if (luaL_dofile(lua, rule)) fail();
    }
    ~Host() { lua_close(lua); }

    const std::string &decide(const simdjson::padded_string &message, const simdjson::padded_string &device) {
        dom::element message_root, device_root;
        if (message_parser.parse(message).get(message_root) || device_parser.parse(device).get(device_root)) {
            fprintf(stderr, "an input is not JSON\n");
            exit(1);
        }
        lua_getglobal(lua, "decide");
        push_value(lua, message_root["message"].value());
        push_value(lua, device_root);
        lua_sethook(lua, stop, LUA_MASKCOUNT, 1000000);
        if (lua_pcall(lua, 2, 1, 0)) fail();
        out.clear();
        write_value(lua, -1, out);
        lua_pop(lua, 1);
        return out;
    }

private:
    lua_State *lua;
    dom::parser message_parser, device_parser;
    std::string out;

    void fail() {
        fprintf(stderr, "%s\n", lua_tostring(lua, -1));
        exit(1);
    }
};

std::vector<simdjson::padded_string> lines(const char *path) {
    std::ifstream file(path);
    std::vector<simdjson::padded_string> result;
    for (std::string line; std::getline(file, line);) result.emplace_back(line);
    if (result.empty()) {
        fprintf(stderr, "%s is empty\n", path);
        exit(1);
    }
    return result;
}

/// JSON with the members of every object in order of their keys, so that answers compare as text.
std::string sorted(dom::element value) {
    if (value.is_object()) {
        std::vector<std::string> members;
        dom::object object = value.get_object().value();
        for (auto field : object) {
            members.push_back('"' + std::string(field.key) + "\":" + sorted(field.value));
        }
        std::sort(members.begin(), members.end());
        std::string text;
        for (auto &member : members) text += member + ',';
        return '{' + text + '}';
    }
    if (value.is_array()) {
        std::string text;
        dom::array array = value.get_array().value();
        for (auto element : array) text += sorted(element) + ',';
        return '[' + text + ']';
    }
    return simdjson::minify(value);
}

void check(const char *rule, const char *contexts, const char *answers, const char *message) {
    Host host(rule);
    auto expected = lines(answers);
    auto situations = lines(contexts);
    auto sent = lines(message);
    for (size_t i = 0; i < situations.size(); i++) {
        simdjson::padded_string answer(host.decide(sent[0], situations[i]));
        dom::parser one, other;
        if (sorted(one.parse(answer)) != sorted(other.parse(expected[i]))) {
            fprintf(stderr, "check %zu gives %s\n", i + 1, answer.data());
            exit(1);
        }
    }
}

double cpu_nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

}  // namespace

int main(int count, char **arguments) {
    if (count < 6) {
        fprintf(stderr, "usage: host RULE CONTEXTS ANSWERS MESSAGE MESSAGES [ROUNDS]\n");
        return 2;
    }
    check(arguments[1], arguments[2], arguments[3], arguments[4]);
    auto device = std::move(lines(arguments[2])[0]);
    auto messages = lines(arguments[5]);
    int rounds = count > 6 ? atoi(arguments[6]) : 30;
    Host host(arguments[1]);
    std::vector<double> samples;
    size_t written = 0;
    for (int round = -2; round < rounds; round++) {
        double start = cpu_nanoseconds();
        for (auto &message : messages) written += host.decide(message, device).size();
        if (round >= 0) samples.push_back((cpu_nanoseconds() - start) / double(messages.size()));
    }
    std::sort(samples.begin(), samples.end());
    printf("%.0f\n", samples[samples.size() / 2]);
    return written == 0;
}
