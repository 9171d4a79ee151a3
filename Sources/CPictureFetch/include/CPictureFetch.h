/* One https request with libcurl, which is opened when the first is made: a program that fetches nothing loads nothing.
 * Called by PictureFetch alone. Nothing here raises or keeps a pointer of the caller beyond the call. */
#ifndef C_PICTURE_FETCH_H
#define C_PICTURE_FETCH_H
#include <stddef.h>
#include <stdint.h>

typedef enum pf_outcome {
    PF_DONE,
    /* `take` has had enough. */
    PF_STOPPED,
    PF_NO_LIBRARY,
    PF_UNREACHABLE,
    PF_TIMEOUT,
    PF_TRUNCATED,
    /* A redirect to something that is not https. */
    PF_INSECURE,
    /* Every address of the host was refused by `may_connect`. */
    PF_REFUSED,
    PF_TOO_LARGE,
} pf_outcome;

typedef struct pf_request {
    const char *url;
    /* A file of certificates that are trusted in place of the system's; NULL: the system's. */
    const char *trusted;
    /* For everything: names, connections, redirects, content. */
    long milliseconds;
    /* Content that is announced to be larger is not read. */
    int64_t most_bytes;
    /* Asked for each address that is about to be connected to: 4 or 16 bytes in network order. 0: not there. */
    int (*may_connect)(void *context, const uint8_t *address, size_t length);
    /* Given the content as it comes. 0: no more. */
    int (*take)(void *context, const uint8_t *bytes, size_t count);
    void *context;
} pf_request;

typedef struct pf_answer {
    pf_outcome outcome;
    /* Of the last response; 0: there was none. */
    int status;
    double seconds;
    /* A few words of libcurl's; "" when there is nothing to add. */
    char detail[256];
} pf_answer;

/* Whether libcurl is there; opens it. */
int pf_available(void);

pf_answer pf_fetch(const pf_request *request);

#endif
