/* Opens libcurl once, and looks up what is called of it. A version without one of these functions counts as none. */
#include "CCurlCalls.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static cc_calls calls;
static int is_ready;

static void open_library(void) {
    /* Built with OpenSSL, and the same library built with GnuTLS: their functions are the same. */
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    __typeof__(&curl_global_init) global_init = (__typeof__(&curl_global_init))dlsym(library, "curl_global_init");
    calls.init = (__typeof__(&curl_easy_init))dlsym(library, "curl_easy_init");
    calls.setopt = (__typeof__(&curl_easy_setopt))dlsym(library, "curl_easy_setopt");
    calls.perform = (__typeof__(&curl_easy_perform))dlsym(library, "curl_easy_perform");
    calls.getinfo = (__typeof__(&curl_easy_getinfo))dlsym(library, "curl_easy_getinfo");
    calls.strerror = (__typeof__(&curl_easy_strerror))dlsym(library, "curl_easy_strerror");
    calls.reset = (__typeof__(&curl_easy_reset))dlsym(library, "curl_easy_reset");
    calls.cleanup = (__typeof__(&curl_easy_cleanup))dlsym(library, "curl_easy_cleanup");
    calls.append = (__typeof__(&curl_slist_append))dlsym(library, "curl_slist_append");
    calls.free_all = (__typeof__(&curl_slist_free_all))dlsym(library, "curl_slist_free_all");
    is_ready = global_init && calls.init && calls.setopt && calls.perform && calls.getinfo && calls.strerror && calls.reset
        && calls.cleanup && calls.append && calls.free_all && global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

const cc_calls *cc_curl(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    return is_ready ? &calls : NULL;
}
