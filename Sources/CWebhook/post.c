/* libcurl by its names: opened with dlopen, so that neither it nor what it brings along is loaded at every start. Redirects are not
 * followed: who signs a body says where it goes. */
#define CURL_DISABLE_TYPECHECK
#include "CWebhook.h"
#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static struct {
    int ready;
    __typeof__(&curl_global_init) global_init;
    __typeof__(&curl_easy_init) init;
    __typeof__(&curl_easy_setopt) setopt;
    __typeof__(&curl_easy_perform) perform;
    __typeof__(&curl_easy_getinfo) getinfo;
    __typeof__(&curl_easy_strerror) strerror;
    __typeof__(&curl_easy_cleanup) cleanup;
    __typeof__(&curl_slist_append) append;
    __typeof__(&curl_slist_free_all) free_all;
} curl;

static void open_library(void) {
    /* Built with OpenSSL, and the same library built with GnuTLS: their functions are the same. */
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    curl.global_init = (__typeof__(&curl_global_init))dlsym(library, "curl_global_init");
    curl.init = (__typeof__(&curl_easy_init))dlsym(library, "curl_easy_init");
    curl.setopt = (__typeof__(&curl_easy_setopt))dlsym(library, "curl_easy_setopt");
    curl.perform = (__typeof__(&curl_easy_perform))dlsym(library, "curl_easy_perform");
    curl.getinfo = (__typeof__(&curl_easy_getinfo))dlsym(library, "curl_easy_getinfo");
    curl.strerror = (__typeof__(&curl_easy_strerror))dlsym(library, "curl_easy_strerror");
    curl.cleanup = (__typeof__(&curl_easy_cleanup))dlsym(library, "curl_easy_cleanup");
    curl.append = (__typeof__(&curl_slist_append))dlsym(library, "curl_slist_append");
    curl.free_all = (__typeof__(&curl_slist_free_all))dlsym(library, "curl_slist_free_all");
    curl.ready = curl.global_init && curl.init && curl.setopt && curl.perform && curl.getinfo && curl.strerror && curl.cleanup
        && curl.append && curl.free_all && curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

int wh_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    return curl.ready;
}

/* What is answered beside the status is not looked at. */
static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    (void)context;
    return size * count;
}

static struct curl_slist *list(const wh_request *request) {
    struct curl_slist *list = NULL;
    for (size_t i = 0; i < request->header_count; i++) {
        struct curl_slist *longer = curl.append(list, request->headers[i]);
        if (!longer) break;
        list = longer;
    }
    return list;
}

wh_answer wh_post(const wh_request *request) {
    wh_answer answer = {0};
    if (!wh_available()) return answer;
    CURL *handle = curl.init();
    if (!handle) return answer;
    struct curl_slist *headers = list(request);
    char words[CURL_ERROR_SIZE] = "";
    int set = curl.setopt(handle, CURLOPT_URL, request->url);
    set |= curl.setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    set |= curl.setopt(handle, CURLOPT_NOSIGNAL, 1L);
    set |= curl.setopt(handle, CURLOPT_TIMEOUT_MS, request->milliseconds);
    set |= curl.setopt(handle, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)1 << 20);
    set |= curl.setopt(handle, CURLOPT_USERAGENT, "rulehost");
    set |= curl.setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    set |= curl.setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    set |= curl.setopt(handle, CURLOPT_POST, 1L);
    set |= curl.setopt(handle, CURLOPT_POSTFIELDS, request->body);
    set |= curl.setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->length);
    set |= curl.setopt(handle, CURLOPT_HTTPHEADER, headers);
    set |= curl.setopt(handle, CURLOPT_WRITEFUNCTION, discard);
    set |= curl.setopt(handle, CURLOPT_ERRORBUFFER, words);
    CURLcode code = set ? CURLE_FAILED_INIT : curl.perform(handle);
    long status = 0;
    if (code == CURLE_OK) curl.getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    curl.cleanup(handle);
    curl.free_all(headers);
    answer.status = (int)status;
    const char *detail = words[0] ? words : code == CURLE_OK ? "" : curl.strerror(code);
    strncpy(answer.detail, detail, sizeof answer.detail - 1);
    return answer;
}
