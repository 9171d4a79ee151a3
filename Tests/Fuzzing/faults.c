/* Memory that runs out at every allocation of a machine's life, Lua's own and ours: each folder named is loaded,
 * evaluated and loaded again with the n-th and all later ones failing, for every n. Under the address sanitizer this
 * finds what a failure leaves behind. Built by scripts/fuzz.sh. */
#include "machine.h"
#include <dirent.h>

static long left = -1; /* allocations until they fail; -1 = never */
static int failed;

static int allowed(void) {
    if (left < 0) return 1;
    if (left > 0) return left--, 1;
    failed = 1;
    return 0;
}
void *__real_malloc(size_t), *__real_calloc(size_t, size_t), *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t n) { return allowed() ? __real_malloc(n) : NULL; }
void *__wrap_calloc(size_t n, size_t size) { return allowed() ? __real_calloc(n, size) : NULL; }
void *__wrap_realloc(void *p, size_t n) { return allowed() ? __real_realloc(p, n) : NULL; }

enum { MOST_FILES = 64 };
static file files[MOST_FILES];
static size_t count;

static void add(const char *folder, const char *name, const char *module) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    if (!in || count == MOST_FILES) return;
    char *text = malloc(65537);
    size_t length = text ? fread(text, 1, 65536, in) : 0;
    fclose(in);
    files[count++] = (file){strdup(name), module ? strdup(module) : NULL, text, length};
}

static void forget_files(void) {
    for (; count > 0; count--) free((char *)files[count - 1].name), free((char *)files[count - 1].module), free((char *)files[count - 1].source);
}

static void forget_list(struct dirent **list, int n) {
    for (int i = 0; i < n; i++) free(list[i]);
    if (n >= 0) free(list);
}

static void read_folder(const char *folder) {
    struct dirent **list;
    char lib[1000], module[300];
    forget_files();
    snprintf(lib, sizeof lib, "%s/lib", folder);
    int n = scandir(lib, &list, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char *dot = strrchr(list[i]->d_name, '.');
        if (!dot || strcmp(dot, ".lua")) continue;
        snprintf(module, sizeof module, "lib.%.*s", (int)(dot - list[i]->d_name), list[i]->d_name);
        add(lib, list[i]->d_name, module);
    }
    forget_list(list, n);
    n = scandir(folder, &list, NULL, alphasort);
    for (int i = 0; i < n; i++)
        if (strstr(list[i]->d_name, ".lua")) add(folder, list[i]->d_name, NULL);
    forget_list(list, n);
}

static outcome life(const jd_node *message) {
    outcome out = {.code = LG_MEMORY};
    for (int again = 0; again < 2; again++) {
        lg_machine *m = make_machine(5000000, 1000000);
        if (!m) continue;
        out = walk(m, files, count, message);
        lg_machine_free(m);
    }
    return out;
}

int main(int argc, char **argv) {
    static const char text[] = "{\"id\":\"m-1\",\"data\":{\"chat_id\":\"room-1\",\"type\":\"chat\",\"url\":\"https://example.com\"},\"title\":\"Mina\",\"raw\":{}}";
    jd_document *message = jd_document_new();
    jd_fault fault;
    jd_document_read(message, text, sizeof text - 1, 1 << 16, 16, NULL, &fault);
    for (int i = 1; i < argc; i++) {
        read_folder(argv[i]);
        outcome usual = life(jd_document_root(message));
        long n = 0;
        for (int more = 1; more; n++) {
            failed = 0;
            left = n;
            life(jd_document_root(message));
            left = -1;
            more = failed;
            if (n % 64 == 0) {
                outcome after = life(jd_document_root(message));
                if (after.code != usual.code || after.fuel != usual.fuel) return printf("%s: not as before after %ld: %d %lld, before %d %lld\n", argv[i], n, after.code, (long long)after.fuel, usual.code, (long long)usual.fuel), 1;
            }
        }
        uint64_t lua = 0;
        for (int more = 1; more;) {
            lg_fail_allocations_after(++lua);
            life(jd_document_root(message));
            more = lg_fail_allocations_after(0);
        }
        printf("%s: %zu files, %u calls, %ld allocations and %llu of Lua's, each failed once\n", argv[i], count, usual.calls, n, (unsigned long long)lua);
    }
    forget_files();
    jd_document_free(message);
    return 0;
}
