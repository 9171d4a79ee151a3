/* The compiler and the matcher of patterns.h. Both may raise (a malformed pattern, the end of the budget). */
#include "patterns.h"
#include <string.h>

enum { ITEM_CHARACTER, ITEM_ANY, ITEM_CLASS, ITEM_SET, ITEM_BALANCE, ITEM_FRONTIER, ITEM_SAME, ITEM_OPEN, ITEM_CLOSE, ITEM_POSITION, ITEM_END };
enum { REPEAT_ONCE, REPEAT_MANY, REPEAT_SOME, REPEAT_FEW, REPEAT_MAYBE };
enum { CHOICE_SKIP, CHOICE_SHORTER, CHOICE_LONGER };

static int is_letter(uint8_t c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
static int is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

/* Classes in the C locale, whatever the process has set. */
static int in_class(uint8_t letter, uint8_t c) {
    int in;
    switch (letter | 32) {
    case 'a': in = is_letter(c); break;
    case 'c': in = c < 32 || c == 127; break;
    case 'd': in = is_digit(c); break;
    case 'g': in = c > 32 && c < 127; break;
    case 'l': in = c >= 'a' && c <= 'z'; break;
    case 'p': in = c > 32 && c < 127 && !is_letter(c) && !is_digit(c); break;
    case 's': in = c == ' ' || (c >= 9 && c <= 13); break;
    case 'u': in = c >= 'A' && c <= 'Z'; break;
    case 'w': in = is_letter(c) || is_digit(c); break;
    case 'x': in = is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f'); break;
    case 'z': in = c == 0; break; /* as Lua still has it */
    default: return letter == c;
    }
    return letter & 32 ? in : !in;
}

static int is_class_letter(uint8_t c) { return c < 128 && c && strchr("acdglpsuwxzACDGLPSUWXZ", c) != NULL; }

static int malformed(lua_State *L, const char *why) { return luaL_error(L, "malformed pattern (%s)", why); }

static void put(uint8_t *bitmap, unsigned c) { bitmap[c >> 3] |= (uint8_t)(1u << (c & 7)); }
static int has(const uint8_t *bitmap, uint8_t c) { return bitmap[c >> 3] >> (c & 7) & 1; }

/* Reads a set from behind its '[' into a bitmap; the offset behind its ']'. */
static size_t read_set(lua_State *L, const char *text, size_t length, size_t i, uint8_t *bitmap) {
    memset(bitmap, 0, 32);
    int negated = i < length && text[i] == '^';
    i += (size_t)negated;
    for (size_t first = i;; ) {
        if (i >= length) malformed(L, "missing ']'");
        uint8_t c = (uint8_t)text[i];
        if (c == ']' && i != first) break;
        if (c == '%') {
            if (i + 1 >= length) malformed(L, "missing ']'");
            uint8_t letter = (uint8_t)text[i + 1];
            if (is_class_letter(letter)) {
                for (unsigned k = 0; k < 256; k++)
                    if (in_class(letter, (uint8_t)k)) put(bitmap, k);
            } else
                put(bitmap, letter);
            i += 2;
        } else if (i + 2 < length && text[i + 1] == '-' && text[i + 2] != ']') {
            for (unsigned k = c; k <= (uint8_t)text[i + 2]; k++) put(bitmap, k);
            i += 3;
        } else {
            put(bitmap, c);
            i++;
        }
    }
    if (negated)
        for (int k = 0; k < 32; k++) bitmap[k] = (uint8_t)~bitmap[k];
    return i + 1;
}

typedef struct lg_reading {
    lua_State *L;
    lg_pattern *p;
    const char *text;
    size_t length;
    uint32_t open[LG_CAPTURES], open_count;
    uint64_t closed; /* captures that are complete here */
} lg_reading;

static lg_item *add_item(lg_reading *r, int kind) {
    lg_item *item = &r->p->items[r->p->count++];
    *item = (lg_item){.kind = (uint8_t)kind};
    return item;
}

/* A % and what follows it, when it is no single character; 0 when it is one. */
static size_t read_special(lg_reading *r, size_t i) {
    uint8_t c = (uint8_t)r->text[i + 1];
    if (c == 'b') {
        if (i + 3 >= r->length) malformed(r->L, "missing arguments to '%b'");
        lg_item *item = add_item(r, ITEM_BALANCE);
        item->a = (uint8_t)r->text[i + 2];
        item->b = (uint8_t)r->text[i + 3];
        return i + 4;
    }
    if (c == 'f') {
        if (i + 2 >= r->length || r->text[i + 2] != '[') malformed(r->L, "missing '[' after '%f'");
        lg_item *item = add_item(r, ITEM_FRONTIER);
        item->set = r->p->sets++;
        return read_set(r->L, r->text, r->length, i + 3, r->p->bitmaps[item->set]);
    }
    if (is_digit(c)) {
        uint32_t capture = (uint32_t)(c - '1');
        if (c == '0' || capture >= r->p->captures || !(r->closed >> capture & 1)) luaL_error(r->L, "invalid capture index %%%c in a pattern", c);
        add_item(r, ITEM_SAME)->a = (uint8_t)capture;
        return i + 2;
    }
    return 0;
}

/* A character, class or set and its quantifier. */
static size_t read_single(lg_reading *r, size_t i) {
    lg_item *item = add_item(r, ITEM_CHARACTER);
    uint8_t c = (uint8_t)r->text[i++];
    if (c == '.') item->kind = ITEM_ANY;
    else if (c == '[') {
        item->kind = ITEM_SET;
        item->set = r->p->sets++;
        i = read_set(r->L, r->text, r->length, i, r->p->bitmaps[item->set]);
    } else if (c == '%') {
        item->a = (uint8_t)r->text[i++];
        if (is_class_letter(item->a)) item->kind = ITEM_CLASS;
    } else
        item->a = c;
    if (i < r->length) {
        switch (r->text[i]) {
        case '*': item->repeat = REPEAT_MANY; return i + 1;
        case '+': item->repeat = REPEAT_SOME; return i + 1;
        case '-': item->repeat = REPEAT_FEW; return i + 1;
        case '?': item->repeat = REPEAT_MAYBE; return i + 1;
        default: break;
        }
    }
    return i;
}

void lg_pattern_compile(lua_State *L, lg_pattern *p, const char *text, size_t length, int anchor) {
    if (length > LG_PATTERN_BYTES) luaL_error(L, "a pattern is longer than %d bytes", LG_PATTERN_BYTES);
    size_t sets = 0;
    for (size_t k = 0; k < length; k++) sets += text[k] == '[';
    lg_charge(L, lg_of(L), 5 + length + sets * 20);
    size_t items_size = (length + 1) * sizeof(lg_item), choices_size = (length + 1) * sizeof(lg_choice);
    char *block = lua_newuserdatauv(L, choices_size + items_size + sets * 32, 0);
    *p = (lg_pattern){.choices = (lg_choice *)block, .items = (lg_item *)(block + choices_size), .bitmaps = (uint8_t(*)[32])(block + choices_size + items_size)};
    lg_reading r = {.L = L, .p = p, .text = text, .length = length};
    size_t i = 0;
    if (anchor && length && text[0] == '^') {
        p->anchored = 1;
        i = 1;
    }
    while (i < length) {
        char c = text[i];
        if (c == '(') {
            if (p->captures == LG_CAPTURES) luaL_error(L, "too many captures");
            int position = i + 1 < length && text[i + 1] == ')';
            add_item(&r, position ? ITEM_POSITION : ITEM_OPEN)->a = (uint8_t)p->captures;
            if (position) r.closed |= 1ull << p->captures;
            else r.open[r.open_count++] = p->captures;
            p->captures++;
            i += 1 + (size_t)position;
        } else if (c == ')') {
            if (!r.open_count) luaL_error(L, "invalid pattern capture");
            uint32_t capture = r.open[--r.open_count];
            add_item(&r, ITEM_CLOSE)->a = (uint8_t)capture;
            r.closed |= 1ull << capture;
            i++;
        } else if (c == '$' && i + 1 == length) {
            add_item(&r, ITEM_END);
            i++;
        } else {
            if (c == '%') {
                if (i + 1 >= length) malformed(L, "ends with '%'");
                size_t behind = read_special(&r, i);
                if (behind) {
                    i = behind;
                    continue;
                }
            }
            i = read_single(&r, i);
        }
    }
    if (r.open_count) luaL_error(L, "unfinished capture");
}

static inline int fits(const lg_pattern *p, const lg_item *item, uint8_t c) {
    switch (item->kind) {
    case ITEM_CHARACTER: return item->a == c;
    case ITEM_ANY: return 1;
    case ITEM_CLASS: return in_class(item->a, c);
    default: return has(p->bitmaps[item->set], c);
    }
}

/* The offset behind a balanced stretch that begins at s; 0 = none. */
static size_t skip_balanced(const lg_item *item, const uint8_t *text, size_t length, size_t s, uint64_t *steps) {
    if (s >= length || text[s] != item->a) return 0;
    size_t depth = 1;
    for (size_t i = s + 1; i < length; i++) {
        if (text[i] == item->b) {
            if (--depth == 0) {
                *steps += i - s;
                return i + 1;
            }
        } else if (text[i] == item->a)
            depth++;
    }
    *steps += length - s;
    return 0;
}

int lg_pattern_match_at(lua_State *L, const lg_pattern *p, const char *subject, size_t length, size_t start, lg_match *out) {
    lg_machine *m = lg_of(L);
    const uint8_t *text = (const uint8_t *)subject;
    uint64_t steps = 1;
    size_t s = start;
    uint32_t at = 0, choices = 0;
    for (;;) {
        if (++steps >= 256) {
            lg_charge(L, m, steps);
            steps = 0;
        }
        if (at == p->count) {
            lg_charge(L, m, steps);
            out->start = start;
            out->end = s;
            return 1;
        }
        const lg_item *item = &p->items[at];
        int failed = 0;
        switch (item->kind) {
        case ITEM_OPEN: out->captures[item->a].start = s; break;
        case ITEM_CLOSE: out->captures[item->a].length = s - out->captures[item->a].start; break;
        case ITEM_POSITION:
            out->captures[item->a].start = s;
            out->captures[item->a].length = LG_POSITION;
            break;
        case ITEM_END: failed = s != length; break;
        case ITEM_BALANCE: {
            size_t behind = skip_balanced(item, text, length, s, &steps);
            if (behind) s = behind;
            else failed = 1;
            break;
        }
        case ITEM_FRONTIER: {
            const uint8_t *set = p->bitmaps[item->set];
            failed = has(set, s ? text[s - 1] : 0) || !has(set, s < length ? text[s] : 0);
            break;
        }
        case ITEM_SAME: {
            size_t size = out->captures[item->a].length;
            if (size == LG_POSITION) luaL_error(L, "a position capture cannot be matched again");
            steps += size / 8;
            if (size <= length - s && memcmp(text + out->captures[item->a].start, text + s, size) == 0) s += size;
            else failed = 1;
            break;
        }
        default:
            switch (item->repeat) {
            case REPEAT_ONCE:
                if (s < length && fits(p, item, text[s])) s++;
                else failed = 1;
                break;
            case REPEAT_MAYBE:
                if (s < length && fits(p, item, text[s])) {
                    p->choices[choices++] = (lg_choice){.item = at + 1, .kind = CHOICE_SKIP, .current = s};
                    s++;
                }
                break;
            case REPEAT_FEW: p->choices[choices++] = (lg_choice){.item = at, .kind = CHOICE_LONGER, .current = s}; break;
            default: {
                size_t end = s, low = s + (item->repeat == REPEAT_SOME);
                while (end < length && fits(p, item, text[end])) end++;
                steps += (end - s) / 2;
                if (end < low) failed = 1;
                else {
                    if (end > low) p->choices[choices++] = (lg_choice){.item = at + 1, .kind = CHOICE_SHORTER, .low = low, .current = end};
                    s = end;
                }
            }
            }
        }
        if (!failed) {
            at++;
            continue;
        }
        for (;;) { /* back to the last choice that has something left */
            if (!choices) {
                lg_charge(L, m, steps);
                return 0;
            }
            lg_choice *choice = &p->choices[choices - 1];
            if (choice->kind == CHOICE_SKIP) {
                choices--;
                s = choice->current;
                at = choice->item;
                break;
            }
            if (choice->kind == CHOICE_SHORTER) {
                s = --choice->current;
                at = choice->item;
                if (choice->current == choice->low) choices--;
                break;
            }
            if (choice->current < length && fits(p, &p->items[choice->item], text[choice->current])) {
                s = ++choice->current;
                at = choice->item + 1;
                break;
            }
            choices--;
        }
    }
}

int lg_pattern_search(lua_State *L, const lg_pattern *p, const char *subject, size_t length, size_t start, lg_match *out) {
    if (p->anchored) return lg_pattern_match_at(L, p, subject, length, start, out);
    const lg_item *first = p->count ? &p->items[0] : NULL;
    int plain = first && first->kind == ITEM_CHARACTER && (first->repeat == REPEAT_ONCE || first->repeat == REPEAT_SOME);
    for (size_t s = start; s <= length; s++) {
        if (plain) { /* nothing can begin before the next place of that character */
            const char *next = s < length ? memchr(subject + s, first->a, length - s) : NULL;
            size_t skipped = (next ? (size_t)(next - subject) : length) - s;
            lg_charge(L, lg_of(L), skipped / 8);
            if (!next) return 0;
            s += skipped;
        }
        if (lg_pattern_match_at(L, p, subject, length, s, out)) return 1;
    }
    return 0;
}
