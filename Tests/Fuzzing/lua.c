/* Fuzzer: any bytes as a rule file, loaded within limits, its functions called. It ends within its limits, with one
 * clean message, and the same way on a second machine. Built by scripts/fuzz.sh. */
#include "machine.h"

static void demand(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

static void clean(const lg_machine *m) {
    const lg_fault *fault = lg_machine_fault(m);
    size_t length = strlen(fault->message), bad;
    demand(length <= 1024 && jd_utf8_valid(fault->message, length, &bad), "the message is clean");
    for (size_t i = 0; i < length; i++) demand((unsigned char)fault->message[i] >= 32, "the message is one line");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static jd_document *message;
    static const char text[] = "{\"id\":\"m-1\",\"data\":{\"chat_id\":\"room-1\",\"n\":[1,2.5,null,true]},\"title\":\"Mina\"}";
    if (!message) {
        jd_fault fault;
        message = jd_document_new();
        jd_document_read(message, text, sizeof text - 1, 1 << 16, 16, NULL, &fault);
    }
    file one = {"rules.lua", NULL, size ? (const char *)bytes : "", size};
    outcome outcomes[2];
    for (int i = 0; i < 2; i++) {
        lg_machine *m = make_machine(300000, 100000);
        demand(m != NULL, "there is memory");
        outcomes[i] = walk(m, &one, 1, jd_document_root(message));
        demand(lg_machine_usage(m).memory_peak <= 8 << 20, "memory is within its limit");
        demand(outcomes[i].code != LG_TIME, "fuel ends it");
        if (outcomes[i].code) clean(m);
        lg_machine_free(m);
    }
    if (outcomes[0].code != outcomes[1].code || outcomes[0].fuel != outcomes[1].fuel)
        fprintf(stderr, "ended with %d and %d, fuel %lld and %lld\n", outcomes[0].code, outcomes[1].code, (long long)outcomes[0].fuel, (long long)outcomes[1].fuel);
    demand(outcomes[0].code == outcomes[1].code && outcomes[0].fuel == outcomes[1].fuel && outcomes[0].calls == outcomes[1].calls,
        "two machines do the same");
    return 0;
}
