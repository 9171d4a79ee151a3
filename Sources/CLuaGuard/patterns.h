/* Lua's patterns (manual 6.4.1) with every step paid for.
 *
 * A pattern is compiled to items, so that it is read once and its sets are bitmaps; the matcher keeps its choices in a
 * list as long as the pattern has quantified items, so that it needs no C stack however long the text is.
 */
#ifndef LUAGUARD_PATTERNS_H
#define LUAGUARD_PATTERNS_H

#include "guard.h"

#define LG_CAPTURES 32
/* Longest pattern, in bytes. */
#define LG_PATTERN_BYTES 16384

typedef struct lg_item {
    uint8_t kind, repeat;
    uint8_t a, b;           /* a character, a class's letter, the two of %b, a capture's place */
    uint32_t set;           /* place of the bitmap */
} lg_item;

typedef struct lg_choice {
    uint32_t item;
    uint8_t kind;
    size_t low, current;    /* offsets in the subject */
} lg_choice;

typedef struct lg_pattern {
    uint32_t count, sets, captures;
    int anchored;
    lg_item *items;
    uint8_t (*bitmaps)[32];
    lg_choice *choices;
} lg_pattern;

#define LG_POSITION SIZE_MAX

typedef struct lg_match {
    size_t start, end;
    struct {
        size_t start, length; /* LG_POSITION: a position capture */
    } captures[LG_CAPTURES];
} lg_match;

/* Compiles into a userdata that it pushes; anchor = whether a leading ^ has its meaning. May raise. */
void lg_pattern_compile(lua_State *L, lg_pattern *out, const char *text, size_t length, int anchor);
/* Tries to match with the match beginning exactly at start. May raise. */
int lg_pattern_match_at(lua_State *L, const lg_pattern *p, const char *subject, size_t length, size_t start, lg_match *out);
/* The first match beginning at start or later. May raise. */
int lg_pattern_search(lua_State *L, const lg_pattern *p, const char *subject, size_t length, size_t start, lg_match *out);

#endif
