/* Looks at a text before Lua's parser does, because nothing can stop the parser: it has no hook, recurses on nesting and
 * is quadratic in some things. What is refused here is refused with its place. Also refused are bytes that make a text
 * read differently from what it does, and two forms that this version of Lua compiles wrongly.
 *
 * The scan is exact as far as the text is Lua; where it is not, the parser stops there too. Plain C.
 */
#include "guard.h"
#include <stdio.h>
#include <string.h>

#define MAX_NESTING 100         /* brackets and blocks together */
#define MAX_FUNCTIONS 10        /* functions inside functions */
#define MAX_CHAIN 64            /* a.b.c[d](e) … */
#define MAX_LABELS 64
#define MAX_CHOICES 500         /* `and`, `or` in one expression: the parser goes through all of them for each */

enum { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_KEYWORD, TOKEN_OPERATOR };

typedef struct lg_token {
    int kind;
    const char *text;
    size_t length;
} lg_token;

typedef struct lg_level {
    char opener;            /* ( [ { i(ndex) g(roup) f(unction) b(lock) r(epeat) */
    unsigned chain;
    unsigned comparisons, choices, choices_here; /* the last: in the expression that is being read */
    const char *at;
} lg_level;

typedef struct lg_scanner {
    lg_machine *m;
    const char *file, *source, *at, *end;
    lg_level levels[MAX_NESTING + 1];
    unsigned depth, functions, labels;
    const char *problem, *problem_at;
} lg_scanner;

static int refuse(lg_scanner *s, const char *at, const char *problem) {
    if (!s->problem) {
        s->problem = problem;
        s->problem_at = at;
    }
    return 0;
}

static int is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* The number of = between two brackets of a long string, -1 when at is not one. */
static int long_bracket(const lg_scanner *s, const char *at) {
    int level = 0;
    const char *p = at + 1;
    while (p < s->end && *p == '=') p++, level++;
    return p < s->end && *p == '[' ? level : -1;
}

static void skip_long(lg_scanner *s, int level) {
    const char *p = s->at + level + 2;
    for (; p < s->end; p++) {
        if (*p != ']') continue;
        const char *q = p + 1;
        int found = 0;
        while (q < s->end && *q == '=' && found < level) q++, found++;
        if (found == level && q < s->end && *q == ']') {
            s->at = q + 1;
            return;
        }
    }
    s->at = s->end;
}

static void skip_quoted(lg_scanner *s) {
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n') {
        if (*s->at == '\\' && s->at + 1 < s->end) {
            s->at++;
            if (*s->at == 'z') {
                s->at++;
                while (s->at < s->end && (*s->at == ' ' || (*s->at >= '\t' && *s->at <= '\r'))) s->at++;
                continue;
            }
        }
        s->at++;
    }
    if (s->at < s->end) s->at++;
}

static void skip_blank(lg_scanner *s) {
    for (; s->at < s->end; s->at++) {
        char c = *s->at;
        if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
        if (c != '-' || s->at + 1 >= s->end || s->at[1] != '-') return;
        s->at += 2;
        if (s->at < s->end && *s->at == '[') {
            int level = long_bracket(s, s->at);
            if (level >= 0) {
                skip_long(s, level);
                s->at--;
                continue;
            }
        }
        while (s->at < s->end && *s->at != '\n') s->at++;
        if (s->at == s->end) return;
    }
}

static int is_keyword(const char *text, size_t length) {
    static const char *const words[] = {"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
                                        "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) return 1;
    return 0;
}

static lg_token next_token(lg_scanner *s) {
    skip_blank(s);
    lg_token token = {TOKEN_END, s->at, 0};
    if (s->at >= s->end) return token;
    char c = *s->at;
    if (is_name_start(c)) {
        while (s->at < s->end && (is_name_start(*s->at) || is_digit(*s->at))) s->at++;
        token.length = (size_t)(s->at - token.text);
        token.kind = is_keyword(token.text, token.length) ? TOKEN_KEYWORD : TOKEN_NAME;
        return token;
    }
    if (is_digit(c) || (c == '.' && s->at + 1 < s->end && is_digit(s->at[1]))) {
        int hex = c == '0' && s->at + 1 < s->end && (s->at[1] | 32) == 'x';
        while (s->at < s->end && (is_name_start(*s->at) || is_digit(*s->at) || *s->at == '.'
                                  || ((*s->at == '+' || *s->at == '-') && (s->at[-1] | 32) == (hex ? 'p' : 'e'))))
            s->at++;
        token.kind = TOKEN_NUMBER;
    } else if (c == '"' || c == '\'') {
        skip_quoted(s);
        token.kind = TOKEN_STRING;
    } else if (c == '[' && long_bracket(s, s->at) >= 0) {
        skip_long(s, long_bracket(s, s->at));
        token.kind = TOKEN_STRING;
    } else {
        static const char *const longer[] = {"...", "..", "==", "~=", "<=", ">=", "::", "//", "<<", ">>"};
        size_t length = 1;
        for (size_t i = 0; i < sizeof longer / sizeof *longer && length == 1; i++) {
            size_t n = strlen(longer[i]);
            if ((size_t)(s->end - s->at) >= n && memcmp(s->at, longer[i], n) == 0) length = n;
        }
        s->at += length;
        token.kind = TOKEN_OPERATOR;
    }
    token.length = (size_t)(s->at - token.text);
    return token;
}

static int is(lg_token token, const char *text) { return token.length == strlen(text) && memcmp(token.text, text, token.length) == 0; }

/* Whether an index, call or field may follow. */
static int ends_primary(lg_token token) {
    return token.kind == TOKEN_NAME || token.kind == TOKEN_STRING || (token.kind == TOKEN_OPERATOR && (is(token, ")") || is(token, "]") || is(token, "}")));
}

static int open(lg_scanner *s, char opener, const char *at) {
    if (s->depth == MAX_NESTING) return refuse(s, at, "brackets and blocks are nested deeper than 100");
    if (opener == 'f' && ++s->functions > MAX_FUNCTIONS) return refuse(s, at, "functions are nested deeper than 10");
    s->levels[++s->depth] = (lg_level){.opener = opener, .at = at};
    return 1;
}

static void close(lg_scanner *s, const char *openers) {
    if (s->depth == 0 || !strchr(openers, s->levels[s->depth].opener)) return; /* the parser will say so */
    if (s->levels[s->depth].opener == 'f') s->functions--;
    s->depth--;
}

static int suffix(lg_scanner *s, lg_token token) {
    if (++s->levels[s->depth].chain > MAX_CHAIN) return refuse(s, token.text, "a chain of fields, indices and calls is longer than 64; use a local variable in between");
    return 1;
}

static int scan_operator(lg_scanner *s, lg_token token, lg_token before) {
    lg_level *level = &s->levels[s->depth];
    if (is(token, "(")) {
        if (!ends_primary(before)) {
            level->chain = 0;
            return open(s, 'g', token.text);
        }
        return suffix(s, token) && open(s, '(', token.text);
    }
    if (is(token, "[")) {
        if (!ends_primary(before)) return open(s, '[', token.text);
        return suffix(s, token) && open(s, 'i', token.text);
    }
    if (is(token, "{")) return (ends_primary(before) ? suffix(s, token) : 1) && open(s, '{', token.text);
    if (is(token, ")") || is(token, "]") || is(token, "}")) {
        lg_level closed = *level;
        close(s, is(token, ")") ? "(g" : is(token, "]") ? "[i" : "{");
        if (closed.opener == 'g') { /* a group alone is as good as what stands in it */
            s->levels[s->depth].comparisons += closed.comparisons && !closed.choices;
        }
        if (closed.opener == 'i' && closed.comparisons && !closed.choices)
            return refuse(s, closed.at, "an index that is a comparison is compiled wrongly by this Lua; put the comparison in a local variable first");
        return 1;
    }
    if (is(token, ".") || is(token, ":")) return suffix(s, token);
    if (is(token, ",") || is(token, ";") || is(token, "=")) level->choices_here = 0;
    if (is(token, "::") && ++s->labels > 2 * MAX_LABELS) return refuse(s, token.text, "more than 64 labels");
    if (is(token, "<") || is(token, ">") || is(token, "<=") || is(token, ">=") || is(token, "==") || is(token, "~=")) level->comparisons++;
    level->chain = 0;
    return 1;
}

static int scan_keyword(lg_scanner *s, lg_token token, lg_token before, lg_token before_that) {
    lg_level *level = &s->levels[s->depth];
    level->chain = 0;
    if (!is(token, "and") && !is(token, "or") && !is(token, "not") && !is(token, "nil") && !is(token, "true") && !is(token, "false")
        && !is(token, "function") && !is(token, "end"))
        level->choices_here = 0; /* a new statement, or another part of one */
    if (is(token, "and") || is(token, "or")) {
        level->choices++;
        if (++level->choices_here > MAX_CHOICES)
            return refuse(s, token.text, "more than 500 'and' and 'or' in one expression; use a table, or local variables in between");
        if (before.kind == TOKEN_NUMBER && before_that.kind == TOKEN_OPERATOR && is(before_that, "("))
            return refuse(s, before.text, "a number as first part of 'and' or 'or' is compiled wrongly by this Lua; leave it out, it decides nothing");
    }
    if (is(token, "function")) return open(s, 'f', token.text);
    if (is(token, "do") || is(token, "if")) return open(s, 'b', token.text);
    if (is(token, "repeat")) return open(s, 'r', token.text);
    if (is(token, "end")) close(s, "fb");
    if (is(token, "until")) close(s, "r");
    if (is(token, "goto") && ++s->labels > 2 * MAX_LABELS) return refuse(s, token.text, "more than 64 labels and gotos");
    return 1;
}

static void scan_tokens(lg_scanner *s) {
    lg_token before = {TOKEN_END, s->at, 0}, before_that = before;
    int in_local = 0; /* inside the names of `local a <const>, b` */
    for (;;) {
        lg_token token = next_token(s);
        if (token.kind == TOKEN_END) return;
        int good = 1;
        if (in_local && token.kind == TOKEN_NAME && before.kind == TOKEN_OPERATOR && is(before, "<") && is(token, "close"))
            good = refuse(s, token.text, "<close> is not available");
        if (token.kind == TOKEN_KEYWORD) {
            in_local = is(token, "local");
            good = good && scan_keyword(s, token, before, before_that);
        } else if (token.kind == TOKEN_OPERATOR) {
            if (!is(token, "<") && !is(token, ">") && !is(token, ",")) in_local = 0;
            good = good && scan_operator(s, token, before);
        } else if (token.kind == TOKEN_STRING && ends_primary(before))
            good = good && suffix(s, token); /* f "text" */
        else if (!(before.kind == TOKEN_OPERATOR && (is(before, ".") || is(before, ":"))))
            s->levels[s->depth].chain = 0;
        if (!good) return;
        before_that = before;
        before = token;
    }
}

/* Marks that show a text in another order than it is read in. */
static const char *find_bidi(const char *text, size_t length) {
    for (const char *p = text, *end = text + length; (p = memchr(p, 0xe2, (size_t)(end - p))) && end - p >= 3; p++) {
        unsigned char b = (unsigned char)p[1], c = (unsigned char)p[2];
        if ((b == 0x80 && c >= 0xaa && c <= 0xae) || (b == 0x81 && c >= 0xa6 && c <= 0xa9)) return p;
    }
    return NULL;
}

int lg_scan(lg_machine *m, const char *file, const char *source, size_t length) {
    if (m->stop || m->out_of_memory) return LG_DEAD;
    char message[200];
    if (length > m->limits.source_bytes) {
        snprintf(message, sizeof message, "the file has %zu bytes; at most %zu are read", length, m->limits.source_bytes);
        return lg_set_fault(m, LG_TOO_LARGE, file, 0, 0, message);
    }
    uint32_t line, column;
    size_t bad;
    if (!jd_utf8_valid(source, length, &bad)) {
        jd_place(source, length, bad, &line, &column);
        return lg_set_fault(m, LG_REFUSED, file, line, column, "the file is not valid UTF-8 here");
    }
    lg_scanner s = {.m = m, .file = file, .source = source, .at = source, .end = source + length};
    const char *bidi = find_bidi(source, length);
    if (bidi) refuse(&s, bidi, "a mark here changes the reading direction, so that the text shows something else than it does; write it as \\u{…}");
    if (length >= 3 && memcmp(source, "\xef\xbb\xbf", 3) == 0) s.at += 3;
    if (length && *source == 0x1b) refuse(&s, source, "a compiled file is not read, only Lua text");
    if (!s.problem) scan_tokens(&s);
    if (!s.problem) return LG_OK;
    jd_place(source, length, (size_t)(s.problem_at - source), &line, &column);
    return lg_set_fault(m, LG_REFUSED, file, line, column, s.problem);
}
