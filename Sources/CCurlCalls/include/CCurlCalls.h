/* libcurl by its names: opened with dlopen when somebody needs it first, so that neither it nor what it brings along is loaded at every
 * start. The one place that opens it; called by the C of CPictureFetch and CHTTPCall, which know what to do with it. */
#ifndef C_CURL_CALLS_H
#define C_CURL_CALLS_H
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef struct cc_calls {
    __typeof__(&curl_easy_init) init;
    __typeof__(&curl_easy_setopt) setopt;
    __typeof__(&curl_easy_perform) perform;
    __typeof__(&curl_easy_getinfo) getinfo;
    __typeof__(&curl_easy_strerror) strerror;
    __typeof__(&curl_easy_reset) reset;
    __typeof__(&curl_easy_cleanup) cleanup;
    __typeof__(&curl_slist_append) append;
    __typeof__(&curl_slist_free_all) free_all;
} cc_calls;

/* NULL: it is not installed. From any thread; the same each time. */
const cc_calls *cc_curl(void);

#endif
