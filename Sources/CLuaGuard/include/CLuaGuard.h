/* One Lua machine behind plain C calls: the only door between Swift and Lua.
 *
 * Called by LuaSandbox and nobody else. No function in this header can jump: each one runs its whole conversation
 * with Lua inside one protected call and returns a status (Lua manual 4.4.1). No Lua type, value or error object
 * leaves this room; values cross as tapes of jd_node within budgets. A machine belongs to one thread at a time.
 */
#ifndef CLUAGUARD_H
#define CLUAGUARD_H

#include <CJSONDocument.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lg_machine lg_machine;

/* How a conversation ended. From LG_FUEL on the machine is dead: free it and make a new one. */
enum {
    LG_OK = 0,
    LG_SYNTAX = 1,        /* the text is not Lua */
    LG_REFUSED = 2,       /* the text is Lua, but has what this sandbox does not read (see lg_fault.message) */
    LG_TOO_LARGE = 3,     /* the text is longer than limits.source_bytes */
    LG_RAISED = 4,        /* the script raised an error, or a library function did */
    LG_BAD_VALUE = 5,     /* a value that may not cross, or over its budget */
    LG_FUEL = 6,
    LG_MEMORY = 7,
    LG_TIME = 8,
    LG_HOST_STOP = 9,     /* the host's function asked for a stop; lg_fault.stop_code says which */
    LG_DEAD = 10          /* the machine had ended before this call */
};

typedef struct lg_limits {
    size_t memory_bytes;          /* all blocks together */
    size_t block_bytes;           /* one block */
    size_t string_bytes;          /* one string */
    size_t source_bytes;          /* one file */
    int64_t load_fuel;            /* all of a machine's files together */
    int64_t call_fuel;            /* one evaluation */
    uint64_t load_nanoseconds;    /* one file; thread CPU time, only a net: fuel ends a script before */
    uint64_t call_nanoseconds;
    uint32_t value_bytes, value_nodes, value_depth;                /* what a call returns, a host function gets */
    uint32_t definition_bytes, definition_nodes, definition_depth; /* what files return and rules' tables, all together */
    uint32_t rules;               /* declarations in all */
    uint32_t caught_errors;       /* errors that pcall may catch in one evaluation or load */
} lg_limits;

/* Why a conversation failed. Texts live in the machine until its next conversation; clean UTF-8 on one line. */
typedef struct lg_fault {
    const char *file;     /* "" when it is not known */
    const char *message;  /* without the place; at most 1 KiB */
    uint32_t line, column; /* from 1; 0 = not known */
    int32_t stop_code;    /* with LG_HOST_STOP: what the host's function gave */
} lg_fault;

/* What the host's side of a function says (lg_host_call). */
enum { LG_ANSWER_NOTHING = 0, LG_ANSWER_VALUE = 1, LG_ANSWER_FAILURE = 2, LG_ANSWER_STOP = 3 };

/* The host's functions, all behind one callback. `arguments` is an array node, one element an argument, null for
 * nil; it lives until the callback returns. With LG_ANSWER_VALUE *answer is the value; with LG_ANSWER_FAILURE it is a
 * string node, raised by C after the callback has returned; with LG_ANSWER_STOP *stop_code is kept for lg_fault.
 * *answer must live until the host's next callback. The callback must not enter the machine. */
typedef int (*lg_host_call)(void *context, uint32_t function, const jd_node *arguments, const jd_node **answer,
                            int32_t *stop_code);

/* Names a view has at its top: a field outside the list reads as nil and is noted (lg_unknown_field). A name with a
 * dot ("screen.tab") says the same of a table at its top; one that no dotted name begins with may hold anything. */
typedef struct lg_schema {
    const char *const *fields;  /* NULL = any field goes */
    size_t count;
} lg_schema;

typedef struct lg_setup {
    lg_limits limits;
    const char *const *functions;  /* "state.get", "log": tables are made from the dots */
    size_t function_count;
    size_t value_count;            /* the last so many of them are values: read ("time.now"), not called; each has a dot */
    lg_schema message, device, event;
    lg_host_call call;
    void *context;
} lg_setup;

/* NULL when there is no memory for it. The setup is copied. */
lg_machine *lg_machine_new(const lg_setup *setup);
void lg_machine_free(lg_machine *);
/* Why it is dead (LG_FUEL …), LG_OK while it lives. */
int lg_machine_state(const lg_machine *);
/* The last fault. */
const lg_fault *lg_machine_fault(const lg_machine *);

/* ---- loading ---- */

/* A module for require; compiled when it is first required. The texts are copied. */
int lg_machine_add_module(lg_machine *, const char *name, const char *file, const char *source, size_t length);
/* Runs a file. *value: what it returned, NULL for nothing; lives as long as the machine. */
int lg_machine_run(lg_machine *, const char *file, const char *source, size_t length, const jd_node **value);
/* Only looks at a text: LG_OK, or the fault a load would give before running it. */
int lg_machine_check(lg_machine *, const char *file, const char *source, size_t length);

typedef struct lg_declaration {
    const jd_node *definition;  /* lives as long as the machine */
    const char *name, *file;
    uint32_t name_length, line;
} lg_declaration;
size_t lg_machine_declaration_count(const lg_machine *);
lg_declaration lg_machine_declaration(const lg_machine *, size_t index);

/* A global name that a file has read while it was loaded, and that nothing has. */
typedef struct lg_missing_name {
    const char *name, *file;
    const char *advice;         /* for names that Lua has elsewhere; else NULL */
    uint32_t line;
} lg_missing_name;
size_t lg_machine_missing_count(const lg_machine *);
lg_missing_name lg_machine_missing(const lg_machine *, size_t index);
/* What to do without a name that Lua has elsewhere and rules have not; NULL for any other. Plain C. */
const char *lg_unavailable(const char *name);

/* The load is over: what it made is read-only from now on. */
int lg_machine_seal(lg_machine *);

/* ---- evaluating ---- */

/* What a call's answer may be. */
enum { LG_EXPECT_TRUTH = 0, LG_EXPECT_TABLE = 1, LG_EXPECT_TEXT = 2 };
/* What it was. */
enum { LG_NOTHING = 0, LG_FALSE = 1, LG_TRUE = 2, LG_VALUE = 3 };

/* Begins an evaluation: fresh budget, new views. Tapes must live until lg_machine_end; message may be NULL (then the
 * view is empty). seed feeds math.random. */
void lg_machine_begin(lg_machine *, const jd_node *message, const jd_node *device, const jd_node *event, uint64_t seed);
/* function(msg, device, event). *answer one of LG_NOTHING …; with LG_VALUE *value lives until the next begin. */
int lg_machine_call(lg_machine *, int64_t function, int expecting, int *answer, const jd_node **value);
void lg_machine_end(lg_machine *);
/* Whether evaluations have left more free blocks behind than memory allows for: make the machine anew. */
int lg_machine_is_worn(const lg_machine *);
/* For the host, while it answers a call: takes fuel for work that does not show in its arguments. The script ends after the
 * answer when none is left. Without a call on this thread it does nothing. */
void lg_take_fuel(uint64_t units);
/* The answer of the last call is refused: that costs as much as a call that fails, which has paid already. */
void lg_machine_charge_fault(lg_machine *);

/* How many times as long as usual this build needs: 1, and more where a sanitizer looks at every access. Limits of time, the
 * net under fuel, are multiples of it. */
int lg_slowness(void);

typedef struct lg_usage {
    int64_t fuel;          /* spent in this evaluation (after seal) or load (before) */
    size_t memory_bytes;   /* now */
    size_t memory_peak;    /* since begin */
} lg_usage;
lg_usage lg_machine_usage(const lg_machine *);

/* A field outside its view's schema that a script read in this evaluation. */
typedef struct lg_unknown_field {
    const char *view;  /* "msg", "device" or "event" */
    const char *field, *file; /* the field below the top with its table: "screen.tabb" */
    uint32_t field_length, line;
} lg_unknown_field;
size_t lg_machine_unknown_count(const lg_machine *);
lg_unknown_field lg_machine_unknown(const lg_machine *, size_t index);

/* ---- recording which lines run: changes no fuel and no answer, and costs nothing while it is off ---- */

enum { LG_LINE_OF_LOAD = 1, LG_LINE_OF_FUNCTION = 2 };
/* Which lines of a text hold something that can run: lines[0] is the first line, its value some of the marks above. LG_OK, or
 * LG_SYNTAX or LG_MEMORY. Compiles in a state of its own; give it only texts that a machine has loaded. */
int lg_executable_lines(const char *source, size_t length, uint8_t *lines, uint32_t count);

/* A counter for each line of some files. May be shared by machines of one thread, and outlives them. */
typedef struct lg_line_counts lg_line_counts;
lg_line_counts *lg_line_counts_new(void);
void lg_line_counts_free(lg_line_counts *);
/* Files are numbered from 0 in the order in which they are added; runs of other files are not counted. 0: no memory. */
int lg_line_counts_add(lg_line_counts *, const char *file, uint32_t lines);
/* How often a line of a function ran while messages were decided, and whether it ran in a load. Lines from 1. */
uint32_t lg_line_counts_hits(const lg_line_counts *, size_t file, uint32_t line);
int lg_line_counts_loaded(const lg_line_counts *, size_t file, uint32_t line);
/* From now on the machine counts into these; NULL: into none. They must live as long as it does. */
void lg_machine_count_lines(lg_machine *, lg_line_counts *);

/* From the next begin on, what each call does is kept line by line until the next call; 0 ends that. 0: no memory. */
int lg_machine_trace_lines(lg_machine *, int on);
typedef struct lg_traced_line {
    const char *file;       /* lives as long as the machine */
    uint32_t line, times;
    uint32_t left_out;      /* values of this line that found no place */
} lg_traced_line;
/* The lines that the last call has run, each once, in the order in which they first ran. */
size_t lg_machine_traced_count(const lg_machine *);
lg_traced_line lg_machine_traced_line(const lg_machine *, size_t index);
/* Runs of lines that found no place. */
uint32_t lg_machine_traced_left_out(const lg_machine *);
/* What the lines touched, in order. Texts live until the next call. */
typedef struct lg_touched {
    size_t line;            /* its place among the lines */
    const char *path;       /* "msg.data.room", "state.get(\"n\")", "return"; NULL: passed over */
    const char *json;       /* long texts and tables are cut, marked by "…" */
} lg_touched;
size_t lg_machine_touched_count(const lg_machine *);
lg_touched lg_machine_touched(const lg_machine *, size_t index);

/* ---- for tests and docs ---- */

/* On this thread the n-th allocation of Lua's from now (from 1) and all after it fail, whichever machine asks; 0 = none.
 * Returns whether any has failed since it was called last. */
int lg_fail_allocations_after(uint64_t n);
/* The allow-list: every name a script can reach, with its reason. NULL past the end. */
typedef struct lg_name {
    const char *name, *reason;
} lg_name;
const lg_name *lg_allowed_name(size_t index);

#endif
