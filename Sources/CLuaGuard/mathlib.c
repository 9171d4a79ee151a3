/* The math library: pure functions, and a random generator of our own that the host seeds for each evaluation, so that
 * the same input gives the same numbers. All may raise, but lg_seed_random. */
#include "guard.h"
#include <math.h>

/* A float that is a whole number becomes an integer when it fits. */
static void push_whole(lua_State *L, double value) {
    lua_Integer whole;
    if (lua_numbertointeger(value, &whole)) lua_pushinteger(L, whole);
    else lua_pushnumber(L, value);
}

/* Checks for a number; one written as text becomes a float. */
static void number_at(lua_State *L, int index, const char *function) {
    if (lua_type(L, index) == LUA_TNUMBER) return;
    lua_pushnumber(L, lg_number_argument(L, index, function));
    lua_replace(L, index);
}

int lg_math_abs(lua_State *L) {
    number_at(L, 1, "math.abs");
    if (lua_isinteger(L, 1)) {
        lua_Integer n = lua_tointeger(L, 1);
        lua_pushinteger(L, n < 0 ? (lua_Integer)(0u - (lua_Unsigned)n) : n);
    } else
        lua_pushnumber(L, fabs(lua_tonumber(L, 1)));
    return 1;
}

static int rounded(lua_State *L, const char *function, double (*round)(double)) {
    number_at(L, 1, function);
    if (lua_isinteger(L, 1)) return lua_settop(L, 1), 1;
    push_whole(L, round(lua_tonumber(L, 1)));
    return 1;
}
int lg_math_ceil(lua_State *L) { return rounded(L, "math.ceil", ceil); }
int lg_math_floor(lua_State *L) { return rounded(L, "math.floor", floor); }

int lg_math_fmod(lua_State *L) {
    number_at(L, 1, "math.fmod");
    number_at(L, 2, "math.fmod");
    if (lua_isinteger(L, 1) && lua_isinteger(L, 2)) {
        lua_Integer a = lua_tointeger(L, 1), b = lua_tointeger(L, 2);
        if (b == 0) return luaL_error(L, "math.fmod: argument 2 must not be zero");
        lua_pushinteger(L, b == -1 ? 0 : a % b);
    } else
        lua_pushnumber(L, fmod(lua_tonumber(L, 1), lua_tonumber(L, 2)));
    return 1;
}

static int extreme(lua_State *L, const char *function, int largest) {
    int count = lua_gettop(L), best = 1;
    lg_charge(L, lg_of(L), 2 + (uint64_t)count);
    number_at(L, 1, function);
    for (int i = 2; i <= count; i++) {
        number_at(L, i, function);
        if (largest ? lua_compare(L, best, i, LUA_OPLT) : lua_compare(L, i, best, LUA_OPLT)) best = i;
    }
    lua_pushvalue(L, best);
    return 1;
}
int lg_math_max(lua_State *L) { return extreme(L, "math.max", 1); }
int lg_math_min(lua_State *L) { return extreme(L, "math.min", 0); }

int lg_math_modf(lua_State *L) {
    number_at(L, 1, "math.modf");
    if (lua_isinteger(L, 1)) {
        lua_settop(L, 1);
        lua_pushnumber(L, 0);
        return 2;
    }
    double n = lua_tonumber(L, 1), whole = n < 0 ? ceil(n) : floor(n);
    push_whole(L, whole);
    lua_pushnumber(L, n == whole ? 0.0 : n - whole);
    return 2;
}

int lg_math_tointeger(lua_State *L) {
    int whole;
    size_t length;
    if (lua_gettop(L) == 0) return lg_bad_argument(L, 1, "math.tointeger", "a value");
    if (lua_type(L, 1) == LUA_TSTRING) {
        lua_tolstring(L, 1, &length);
        lg_charge(L, lg_of(L), length);
    }
    lua_Integer n = lua_tointegerx(L, 1, &whole);
    if (whole) lua_pushinteger(L, n);
    else lua_pushnil(L);
    return 1;
}

int lg_math_type(lua_State *L) {
    if (lua_gettop(L) == 0) return lg_bad_argument(L, 1, "math.type", "a value");
    if (lua_type(L, 1) == LUA_TNUMBER) lua_pushstring(L, lua_isinteger(L, 1) ? "integer" : "float");
    else lua_pushnil(L);
    return 1;
}

int lg_math_ult(lua_State *L) {
    lua_Unsigned a = (lua_Unsigned)lg_integer_argument(L, 1, "math.ult"), b = (lua_Unsigned)lg_integer_argument(L, 2, "math.ult");
    lua_pushboolean(L, a < b);
    return 1;
}

static int computed(lua_State *L, const char *function, double (*compute)(double)) {
    lg_charge(L, lg_of(L), 10);
    lua_pushnumber(L, compute(lg_number_argument(L, 1, function)));
    return 1;
}
int lg_math_sqrt(lua_State *L) { return computed(L, "math.sqrt", sqrt); }
int lg_math_exp(lua_State *L) { return computed(L, "math.exp", exp); }
int lg_math_sin(lua_State *L) { return computed(L, "math.sin", sin); }
int lg_math_cos(lua_State *L) { return computed(L, "math.cos", cos); }
int lg_math_tan(lua_State *L) { return computed(L, "math.tan", tan); }
int lg_math_asin(lua_State *L) { return computed(L, "math.asin", asin); }
int lg_math_acos(lua_State *L) { return computed(L, "math.acos", acos); }

int lg_math_atan(lua_State *L) {
    lg_charge(L, lg_of(L), 10);
    double y = lg_number_argument(L, 1, "math.atan"), x = lua_isnoneornil(L, 2) ? 1 : lg_number_argument(L, 2, "math.atan");
    lua_pushnumber(L, atan2(y, x));
    return 1;
}

int lg_math_log(lua_State *L) {
    lg_charge(L, lg_of(L), 10);
    double n = lg_number_argument(L, 1, "math.log");
    if (lua_isnoneornil(L, 2)) {
        lua_pushnumber(L, log(n));
        return 1;
    }
    double base = lg_number_argument(L, 2, "math.log");
    lua_pushnumber(L, base == 2.0 ? log2(n) : base == 10.0 ? log10(n) : log(n) / log(base));
    return 1;
}

/* ---- random: xoroshiro128++, seeded through splitmix64 ---- */

static uint64_t turned(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t next_random(lg_machine *m) {
    uint64_t a = m->random[0], b = m->random[1], result = turned(a + b, 17) + a;
    b ^= a;
    m->random[0] = turned(a, 49) ^ b ^ b << 21;
    m->random[1] = turned(b, 28);
    return result;
}

void lg_seed_random(lg_machine *m, uint64_t seed) {
    for (int i = 0; i < 2; i++) {
        uint64_t z = seed += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        m->random[i] = z ^ z >> 31;
    }
}

int lg_math_random(lua_State *L) {
    lg_machine *m = lg_of(L);
    lua_Integer low = 1, high;
    int count = lua_gettop(L);
    lg_charge(L, m, 3);
    if (count == 0) {
        lua_pushnumber(L, (double)(next_random(m) >> 11) * 0x1p-53);
        return 1;
    }
    if (count > 2) return luaL_error(L, "math.random takes at most two numbers");
    if (count == 2) low = lg_integer_argument(L, 1, "math.random");
    high = lg_integer_argument(L, count, "math.random");
    if (count == 1 && high == 0) { /* all bits, as Lua has it */
        lua_pushinteger(L, (lua_Integer)next_random(m));
        return 1;
    }
    if (low > high) return luaL_error(L, "math.random: the interval is empty");
    uint64_t width = (uint64_t)high - (uint64_t)low, mask = UINT64_MAX >> (width ? __builtin_clzll(width) : 63), value;
    do value = next_random(m) & mask;
    while (value > width); /* half of the tries succeed, at least */
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + value));
    return 1;
}
