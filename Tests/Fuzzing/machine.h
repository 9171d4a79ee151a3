/* What the drivers of this folder share: a machine with the names that rules have, a message, and one walk over an app:
 * load, seal, call every function that was declared. */
#ifndef FUZZ_MACHINE_H
#define FUZZ_MACHINE_H
#include <CLuaGuard.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct file {
    const char *name, *module; /* module: what require calls it; NULL = a file that is run */
    const char *source;
    size_t length;
} file;

typedef struct outcome {
    int code;              /* the first that is not LG_OK */
    int64_t fuel;          /* of the load and all calls */
    uint32_t calls, failed;
} outcome;

static const char *const host_names[] = {"state.get", "state.set", "state.incr", "state.app.get", "state.app.set", "settings.get",
    "settings.set", "settings.reset", "text.fill", "text.truncate", "text.plural", "text.tr", "bucket", "log", "time.parse", "time.now"};

/* Answers as a host does: a value, nothing, an error, in turn by the function. */
static int answer(void *context, uint32_t function, const jd_node *arguments, const jd_node **value, int32_t *stop) {
    (void)context, (void)stop;
    *value = arguments->span > 1 ? arguments + 1 : NULL;
    if (function % 4 == 3) return LG_ANSWER_NOTHING;
    return *value ? LG_ANSWER_VALUE : LG_ANSWER_NOTHING;
}

static lg_machine *make_machine(int64_t load_fuel, int64_t call_fuel) {
    static const uint64_t patient = 20000000000u; /* fuel shall end it */
    lg_setup setup = {.limits = {8 << 20, 1 << 20, 256 << 10, 64 << 10, load_fuel, call_fuel, patient, patient, 64 << 10, 1000, 16, 1 << 20, 50000, 16, 1000, 1000},
        .functions = host_names, .function_count = sizeof host_names / sizeof *host_names, .value_count = 1, .call = answer};
    return lg_machine_new(&setup);
}

static void call_all(lg_machine *m, const jd_node *tape, const jd_node *message, outcome *out) {
    for (uint32_t i = 0; i < tape->span && !lg_machine_state(m); i++) {
        if (tape[i].kind != JD_FUNCTION) continue;
        const jd_node *value;
        int ignored;
        lg_machine_begin(m, message, message, message, 7);
        int code = lg_machine_call(m, tape[i].value.integer, i % 2 ? LG_EXPECT_TABLE : LG_EXPECT_TRUTH, &ignored, &value);
        lg_machine_end(m);
        out->calls++;
        out->fuel += lg_machine_usage(m).fuel;
        if (code != LG_OK) out->failed++;
        if (code != LG_OK && out->code == LG_OK) out->code = code;
    }
}

static outcome walk(lg_machine *m, const file *files, size_t count, const jd_node *message) {
    outcome out = {0};
    const jd_node *value;
    for (size_t i = 0; i < count; i++)
        if (files[i].module) lg_machine_add_module(m, files[i].module, files[i].name, files[i].source, files[i].length);
    for (size_t i = 0; i < count && !out.code; i++)
        if (!files[i].module) out.code = lg_machine_run(m, files[i].name, files[i].source, files[i].length, &value);
    if (!out.code) out.code = lg_machine_seal(m);
    out.fuel = lg_machine_usage(m).fuel;
    if (out.code) return out;
    for (size_t i = 0; i < lg_machine_declaration_count(m); i++) {
        const jd_node *definition = lg_machine_declaration(m, i).definition;
        if (definition) call_all(m, definition, message, &out);
    }
    return out;
}
#endif
