/* What the files of CLuaGuard share; nobody outside sees it.
 *
 * "May raise" in a comment means lua_error, that is, longjmp: such a function is only called from a function that Lua
 * called. Everything in lg_machine that is not Lua's own is plain C and outlives any jump.
 */
#ifndef LUAGUARD_GUARD_H
#define LUAGUARD_GUARD_H

#include "CLuaGuard.h"
#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>

/* Benchmarks/wall.sh measures what the first wall costs against the same machine without it: no hook, no fuel, no caps,
 * no look for hidden state. Never defined in a build that runs anybody's rules. */
#ifdef LG_WITHOUT_WALL
#define LG_WALL 0
#else
#define LG_WALL 1
#endif

/* Instructions between two calls of the hook; also the grain of fuel. Any count costs about the same. */
#define LG_HOOK_COUNT 100
/* Lines that are recorded take longer, and time must not end a script that has fuel. */
#define LG_RECORDING_SLOWNESS 20
/* Longest fault message, and longest file name that faults show. */
#define LG_MESSAGE_BYTES 1024
#define LG_FILE_BYTES 256
/* Unknown fields kept per evaluation. */
#define LG_UNKNOWN_MAX 16
#define LG_CAUGHT_PLACES 4
#define LG_MISSING_MAX 32

/* Blocks up to 512 bytes come from lists, one for each 16 bytes. */
#define LG_SMALL_STEP 16
#define LG_SMALL_CLASSES 32

/* Levels of calls from which on a script that is out of memory is told about its recursion. */
#define LG_DEEP_CALLS 1000
#define LG_DEEP_MESSAGE "calls are nested more than %d deep: the function calls itself without end"

/* Keys of one table that collide; more than that are chosen to. Fewer cost nothing: beside keys that are tables, whose
 * places are chance, they would not always be as many. */
#define LG_USUAL_CHAIN 24

/* The three views of an evaluation. */
enum { LG_ROOT_MESSAGE = 0, LG_ROOT_DEVICE = 1, LG_ROOT_EVENT = 2, LG_ROOTS = 3 };

typedef struct lg_place {
    char file[LG_FILE_BYTES];
    uint32_t line;
} lg_place;

typedef struct lg_names {   /* a copied list of names */
    char **items;
    uint32_t *lengths;
    size_t count;
    int free;               /* any name goes */
} lg_names;

typedef struct lg_module {
    char *name, *file, *source;
    char *fault;            /* why it did not load */
    size_t length;
    enum { LG_MODULE_WAITING, LG_MODULE_RUNNING, LG_MODULE_READY } phase;
} lg_module;

typedef struct lg_known_view {
    const jd_node *node;
    uint32_t generation, place;
} lg_known_view;

typedef struct lg_rule {
    char *name, *file;
    uint32_t name_length, line;
    jd_builder *tape;
    const jd_node *definition;
} lg_rule;

typedef struct lg_noted_field {
    int root;
    char field[64];
    uint32_t field_length;
    lg_place place;
} lg_noted_field;

typedef struct lg_noted_name {
    char name[64];
    lg_place place;
} lg_noted_name;

/* What a value that leaves Lua may still use. */
typedef struct lg_budget {
    uint32_t bytes, nodes, depth;
    int allow_functions;            /* at load */
    int allow_mixed;                /* positional and named entries in one table */
} lg_budget;

/* One job of a conversation, set by the entry and read by the protected body. */
typedef struct lg_request {
    const char *file, *source;
    size_t length;
    int64_t function;
    int expecting;
    int answer;
    const jd_node *value;
    jd_builder *builder;
} lg_request;

/* A list of builders that are used again for every evaluation. */
typedef struct lg_tapes {
    jd_builder **items;
    size_t count, used;
} lg_tapes;

typedef struct lg_line_trace lg_line_trace;

struct lg_machine {
    lua_State *L;
    lg_limits limits;

    /* memory (allocator.c) */
    size_t memory_used, memory_peak;
    int refused;                    /* the last request was refused: Lua tries it once more after a collection */
    size_t refused_size;
    int64_t overdrawn;              /* fuel that faults have cost beyond what was left */
    size_t live;                    /* in use when the load was over and all garbage gone */
    size_t made;                    /* of what has a price, in this evaluation, until it is clean */
    int is_clean;                   /* nothing of earlier evaluations is left */
    uint32_t collections;           /* that want of memory has brought about since then */
    char *new_state;                /* the first block, until the second is asked for */
    const char *global;             /* what all of Lua's state shares, in that block (meter.c) */
    char *stack, *latest;           /* where Lua's stack begins; the newest block without a kind */
    size_t latest_size;
    int out_of_memory;              /* refused for good */
    struct lg_chunk *chunks[LG_SMALL_CLASSES]; /* with room for small blocks, by their size */
    struct lg_chunk *empty_chunks;
    size_t empty_count, chunk_bytes;
    size_t large_used;              /* of memory_used, in blocks that are not small */
    size_t spare_at_seal;           /* small blocks that were given back, when the load was over */

    /* budget (fuel.c) */
    int64_t fuel, fuel_given;
    uint64_t cpu_begun, cpu_allowed, cpu_spent, wall_check;
    uint32_t caught;                /* errors that pcall has caught */
    uint32_t longest_chain;         /* of keys that collide in one table (meter.c) */
    int within_table;               /* a key is getting its place: hashes are asked for that cost nothing (meter.c) */
    int collects_texts;             /* many texts collided: what is left of them goes before the next evaluation */
    int stop;                       /* LG_FUEL … LG_HOST_STOP once it is final */
    int32_t stop_code;
    char stop_message[160];
    lg_place stop_place;

    /* faults (fault.c) */
    lg_fault fault;
    lg_place fault_place;
    char fault_message[LG_MESSAGE_BYTES + 1];
    lg_place raise_place;           /* where `error` was called last with a value that carries no place */
    int raise_is_plain;             /* the error under way is such a one */
    lg_place caught_places[LG_CAUGHT_PLACES]; /* where errors came from that pcall has caught: the last ones */
    uint32_t caught_count;
    int judging;                    /* a returned value is being read: an error now is LG_BAD_VALUE */

    /* host (host.c) */
    lg_host_call call;
    void *context;
    char **function_names;
    size_t function_count;
    size_t value_count; /* the last so many are read, not called */
    jd_builder *arguments;

    /* load (load.c) */
    int sealed;
    lg_module *modules;
    size_t module_count;
    lg_rule *rules;
    size_t rule_count, rule_room;
    lg_budget definitions;          /* left for what files return and rules declare, all together */
    lg_tapes load_tapes;            /* what files returned */
    char **files;                   /* every chunk name, so that an error's place can be told from its text */
    size_t file_count;
    int64_t function_refs;          /* functions kept for the host, 1 … */
    uint8_t *parameters;            /* how many of msg, device, event each of them takes; place 0 is function 1 */
    size_t parameter_room;
    lg_noted_name missing[LG_MISSING_MAX]; /* names that a script has read and nothing has */
    size_t missing_count;
    int sealing;                    /* running the modules that nobody has required yet */
    char syntax_message[LG_MESSAGE_BYTES + 1]; /* of the last text that did not compile, and that text */
    const char *syntax_source;
    size_t syntax_length;

    /* evaluation (evaluate.c, views.c) */
    uint32_t generation;            /* 0 = load */
    int evaluating;
    uint32_t watched;               /* local variables of files that functions can write (hidden.c) */
    const jd_node *roots[LG_ROOTS];
    uint32_t root_generation[LG_ROOTS]; /* evaluation in which the view was made */
    struct lg_known_view *known_views; /* a hash of nodes: which place of LG_SLOT_VIEWS holds a node's view */
    uint32_t known_room, known_count;
    uint32_t views_generation;      /* evaluation that known_count belongs to */
    lg_names schema[LG_ROOTS];
    lg_tapes call_tapes;
    uint64_t random[2];
    lg_noted_field unknown[LG_UNKNOWN_MAX];
    size_t unknown_count;
    jd_document *document;          /* json.decode */
    lg_request request;

    /* recording (linecount.c, linetrace.c); NULL while nobody asks */
    lg_line_counts *counts;         /* the host's */
    lg_line_trace *trace, *trace_memory; /* what trace points to while it is on */
};

static inline lg_machine *lg_of(lua_State *L) { return *(lg_machine **)lua_getextraspace(L); }

/* ---- allocator.c ---- */
/* Gives back what lg_allocate keeps for small blocks; after lua_close, when no block is in use. */
void lg_free_chunks(lg_machine *);
/* The load is over: what small blocks are free now is no wear. Plain C. */
void lg_note_spare(lg_machine *);
void *lg_allocate(void *machine, void *block, size_t old_size, size_t new_size);

/* Whether a protected call ended for want of memory. The status alone says nothing: error("not enough memory") gives it too. */
static inline int lg_is_out_of_memory(const lg_machine *m, int status) {
    return m->out_of_memory || (status == LUA_ERRMEM && m->refused);
}

/* ---- fuel.c ---- */
/* Begins a budget. Plain C. */
void lg_budget_begin(lg_machine *, int64_t fuel, uint64_t nanoseconds);
/* Begins the time alone: each file has its own. Plain C. */
void lg_clock_resume(lg_machine *);
void lg_clock_pause(lg_machine *);
void lg_hook(lua_State *L, lua_Debug *);
/* The hook from now on, its count begun anew: every hundred instructions, and every line while lines are recorded. Plain C. */
void lg_arm_hook(lg_machine *);
/* Ends the script for good: nothing catches this. Raises. */
_Noreturn void lg_stop(lua_State *L, int why, const char *message);
/* What a script without fuel is told. Plain C. */
void lg_spent_message(const lg_machine *, char *out, size_t room);
/* Out of fuel in lg_charge. Raises. */
_Noreturn void lg_spent(lua_State *L);
/* Looks at the clock after much work at once. May raise. */
void lg_look_at_clock(lua_State *L, lg_machine *m);
/* The script's line that is running; leaves the place empty when there is none. Neither raises nor allocates. */
void lg_where(lua_State *L, lg_place *place);

/* Takes fuel for work about to be done. May raise. One unit is about ten nanoseconds. */
static inline void lg_charge(lua_State *L, lg_machine *m, uint64_t units) {
    if (!LG_WALL) return;
    if (units > (uint64_t)INT64_MAX / 4) units = (uint64_t)INT64_MAX / 4;
    m->fuel -= (int64_t)units;
    if (m->fuel < 0 || m->stop) lg_spent(L);
    if (units > 2000) lg_look_at_clock(L, m);
}

/* ---- meter.c ---- */
/* The machine whose conversation runs on this thread. */
extern _Thread_local lg_machine *lg_running;
/* Whether Lua's library is laid out as meter.c reads it, and its calls come through there. May raise. */
int lg_meter_fits(lua_State *L);
/* Takes fuel for going over the table at index with lua_next, which passes empty places too. May raise. */
void lg_charge_walk(lua_State *L, int index);
/* Ends a script whose calls, this one and so many more values included, hold too much on the stack. May raise. */
void lg_check_stack(lua_State *L, lg_machine *m, const void *call, int more);
/* Sets the seed of hashes in the block that lua_newstate has just filled, and remembers where Lua's state begins. Plain C. */
void lg_meter_seed(lg_machine *, char *state, size_t size);

/* ---- fault.c ---- */
/* Fills the machine's fault from a protected call's status and the error value on top of the stack. Plain C. */
void lg_note_caught(lg_machine *);
int lg_take_fault(lg_machine *, int status);
/* Sets a fault that no script raised. */
int lg_set_fault(lg_machine *, int code, const char *file, uint32_t line, uint32_t column, const char *message);
/* Copies text as one clean line of UTF-8. */
void lg_clean_text(char *out, size_t room, const char *text, size_t length);

/* ---- machine.c ---- */
/* Runs body() under lua_pcall; LG_OK or the fault's code. */
int lg_converse(lg_machine *, lua_CFunction body);
char *lg_copy_text(const char *text, size_t length);

/* ---- environment.c, frozen.c ---- */
/* Pushes the table that chunks get as _ENV. May raise. */
void lg_build_environment(lua_State *L);
/* Replaces the table on top by a read-only table with its content; name is for messages. May raise. */
void lg_push_frozen(lua_State *L, const char *name);
/* Turns the table on top read-only where it stands. May raise. */
void lg_freeze_in_place(lua_State *L);
/* The table at index (absolute or relative) without its read-only cover: pushes it and says whether it had one. */
int lg_push_content(lua_State *L, int index);
int lg_is_frozen(lua_State *L, int index);
/* Adds the value on top to the list of what is still to be looked at, if it can lead anywhere and is new; pops it. */
void lg_remember(lua_State *L, int seen, int todo);
/* Everything that the load's functions can still reach becomes read-only. May raise. */
void lg_freeze_reachable(lua_State *L);
/* From now on a name that nothing has is nil, and nobody is told. May raise. */
void lg_end_noting_missing(lua_State *L);
/* The nearest name of the environment; 0 when nothing is near. Plain C. */
int lg_near_name(const lg_machine *m, const char *name, size_t length, char out[32]);

/* ---- order.c ---- */
int lg_pairs(lua_State *L);
int lg_next(lua_State *L);
int lg_ipairs(lua_State *L);

typedef struct lg_key {
    enum { LG_KEY_NUMBER, LG_KEY_TEXT, LG_KEY_BOOLEAN, LG_KEY_OTHER } kind;
    int is_integer;
    int64_t integer;
    double number;
    const char *text;
    size_t length;
    int place;                      /* in the table of keys that anchors it */
} lg_key;
int lg_key_compare(const lg_key *a, const lg_key *b);
void lg_key_read(lua_State *L, int index, lg_key *out);
/* Sorts keys with room of the same size beside them; stable, n log n. Plain C. */
void lg_key_sort(lg_key *keys, lg_key *room, size_t count);

/* ---- values_out.c, values_in.c ---- */
/* Writes the value at index into the builder. what names it in errors ("state.set", "the rule's table"). May raise. */
void lg_write_value(lua_State *L, int index, jd_builder *out, lg_budget *budget, const char *what);
/* Pushes a fresh Lua value. May raise. */
void lg_push_value(lua_State *L, const jd_node *node);
lg_budget lg_value_budget(const lg_machine *m);

/* ---- views.c ---- */
typedef struct lg_view {
    const jd_node *node;
    const jd_node *last;            /* element last looked up in an array, and its place from 1 */
    uint32_t last_place;
    uint32_t generation;
    int root;
} lg_view;
void lg_build_views(lua_State *L);
/* Pushes a scalar, or the view of a container. May raise. */
void lg_push_node(lua_State *L, const jd_node *node, int root);
/* The view at index, or NULL when it is something else. Raises when its message is gone. */
lg_view *lg_view_at(lua_State *L, int index);
/* Forgets which views an evaluation before this has made. May raise. */
void lg_forget_views(lua_State *L);
size_t lg_view_length(const lg_view *view);
/* The i-th element (from 1) of an array view; NULL = none. */
const jd_node *lg_view_element(lua_State *L, lg_view *view, int64_t i);
/* "msg.data.sender" into out. */
void lg_view_path(const lg_machine *m, const lg_view *view, char *out, size_t room);
static inline const jd_node *lg_follow(const jd_node *node) {
    return node->kind == JD_LINK ? node->value.target : node;
}

/* ---- linecount.c, linetrace.c: none of these takes fuel, makes a text of Lua's or raises ---- */
/* A line begins; ar says which (lua_getinfo "S"). */
void lg_count_line(lg_machine *m, const lua_Debug *ar);
void lg_trace_line(lg_machine *m, const lua_Debug *ar);
/* The function at the index is about to be called for the host. */
void lg_trace_begin(lua_State *L, lg_machine *m, int function);
/* A script has looked into a view for the key at the index; found: NULL = nil. */
void lg_trace_read(lua_State *L, lg_machine *m, const lg_view *view, int key, const jd_node *found);
/* It has asked the host; answer: NULL = nil. */
void lg_trace_host(lua_State *L, lg_machine *m, size_t function, const jd_node *arguments, const jd_node *answer);
/* device:is_showing has answered; its arguments are the texts from 2 to last. */
void lg_trace_showing(lua_State *L, lg_machine *m, int last, int answer);
/* The function that was called has returned the value at the index; node: the same as a tape, or NULL. */
void lg_trace_return(lua_State *L, lg_machine *m, int index, const jd_node *node);

/* ---- base.c ---- */
int lg_assert(lua_State *L);
int lg_error(lua_State *L);
int lg_pcall(lua_State *L);
int lg_select(lua_State *L);
int lg_tonumber(lua_State *L);
int lg_tostring(lua_State *L);
int lg_type(lua_State *L);
/* A value's type as scripts see it: a view is a table. */
const char *lg_type_name(lua_State *L, int index);
/* Raises "what: expected …, got …". */
int lg_bad_argument(lua_State *L, int index, const char *function, const char *expected);
/* Pushes tostring's text. May raise. */
const char *lg_push_text(lua_State *L, int index, size_t *length);
/* Checked arguments; numbers count as text, as in Lua. May raise. */
const char *lg_text_argument(lua_State *L, int index, const char *function, size_t *length);
lua_Integer lg_integer_argument(lua_State *L, int index, const char *function);
lua_Integer lg_integer_or(lua_State *L, int index, const char *function, lua_Integer absent);
lua_Number lg_number_argument(lua_State *L, int index, const char *function);

/* ---- text that grows (buffer.c): a userdata on Lua's stack, so that an error frees it ---- */
typedef struct lg_buffer {
    char *bytes;
    size_t length, room;
    int slot;
} lg_buffer;
void lg_buffer_begin(lua_State *L, lg_buffer *b);
void lg_buffer_add(lua_State *L, lg_buffer *b, const char *bytes, size_t length);
static inline void lg_buffer_byte(lua_State *L, lg_buffer *b, char c) { lg_buffer_add(L, b, &c, 1); }
/* Pushes the text. */
void lg_buffer_finish(lua_State *L, lg_buffer *b);

/* ---- libraries ---- */
int lg_string_byte(lua_State *), lg_string_char(lua_State *), lg_string_find(lua_State *), lg_string_match(lua_State *),
    lg_string_gmatch(lua_State *), lg_string_gsub(lua_State *), lg_string_format(lua_State *), lg_string_rep(lua_State *),
    lg_string_len(lua_State *), lg_string_lower(lua_State *), lg_string_upper(lua_State *), lg_string_reverse(lua_State *),
    lg_string_sub(lua_State *);
void lg_build_string_methods(lua_State *L, int string_table);
int lg_table_concat(lua_State *), lg_table_insert(lua_State *), lg_table_remove(lua_State *), lg_table_unpack(lua_State *),
    lg_table_pack(lua_State *), lg_table_move(lua_State *), lg_table_sort(lua_State *);
int lg_math_abs(lua_State *), lg_math_ceil(lua_State *), lg_math_floor(lua_State *), lg_math_fmod(lua_State *),
    lg_math_max(lua_State *), lg_math_min(lua_State *), lg_math_modf(lua_State *), lg_math_sqrt(lua_State *),
    lg_math_tointeger(lua_State *), lg_math_type(lua_State *), lg_math_ult(lua_State *), lg_math_random(lua_State *),
    lg_math_exp(lua_State *), lg_math_log(lua_State *), lg_math_sin(lua_State *), lg_math_cos(lua_State *),
    lg_math_tan(lua_State *), lg_math_asin(lua_State *), lg_math_acos(lua_State *), lg_math_atan(lua_State *);
int lg_utf8_char(lua_State *), lg_utf8_codepoint(lua_State *), lg_utf8_codes(lua_State *), lg_utf8_len(lua_State *),
    lg_utf8_offset(lua_State *);
int lg_json_decode(lua_State *), lg_json_encode(lua_State *);
void lg_seed_random(lg_machine *m, uint64_t seed);

/* ---- rules.c, host.c, modules.c ---- */
int lg_rule_declare(lua_State *), lg_suppress(lua_State *), lg_show(lua_State *), lg_defer(lua_State *), lg_route(lua_State *);
int lg_require(lua_State *);
int lg_host_function(lua_State *L);
int lg_host_value(lua_State *L);
/* Keeps the function at index for the host; its number. May raise. */
int64_t lg_keep_function(lua_State *L, int index);

/* ---- load.c ---- */
/* Compiles a text and pushes its function; raises its fault. */
void lg_compile(lua_State *L, const char *file, const char *source, size_t length);

/* The next of the builders, empty; NULL when there is no memory. Plain C. */
jd_builder *lg_next_tape(lg_tapes *tapes);
void lg_run_waiting_modules(lua_State *L);

/* ---- scan.c ---- */
/* Looks at a text before the parser does. LG_OK or the fault's code, with the fault set. Plain C. */
int lg_scan(lg_machine *m, const char *file, const char *source, size_t length);

/* ---- hidden.c ---- */
/* Notes the local variables of files that functions can write. May raise. */
void lg_watch_locals(lua_State *L);
/* Puts them back after a call and names the first that had changed, "" if none had. Does not raise. */
void lg_restore_locals(lua_State *L, char *changed, size_t room);

/* Our places in Lua's registry. Whole numbers behind Lua's own (LUA_RIDX_LAST) stand in its array part; luaL_ref, which
 * would use them too, is not used. */
enum {
    LG_SLOT_FUNCTIONS = LUA_RIDX_LAST + 1,
    LG_SLOT_ROOTS,
    LG_SLOT_VIEWS,
    LG_SLOT_VIEW_METHODS,
    LG_SLOT_ENVIRONMENT,
    LG_SLOT_MODULES,
    LG_SLOT_NEXT,
    LG_SLOT_WATCHED
};

#endif
