/* One HTTP request with libcurl, which is opened when the first is made: a program that asks nobody loads nothing. Called by what tells
 * others (RuleHosting) and by verbs that ask a host (rulehost). Nothing here raises or keeps a pointer of the caller beyond the call.
 * Redirects are not followed, and no proxy of the environment is asked: who signs a body or sends a token says where it goes. */
#ifndef C_HTTP_CALL_H
#define C_HTTP_CALL_H
#include <stddef.h>
#include <stdint.h>

typedef enum hc_outcome {
    HC_DONE,
    HC_NO_LIBRARY,
    HC_UNREACHABLE,
    HC_TIMEOUT,
    /* `take` has had enough, or `may_go_on` has said no. */
    HC_STOPPED,
    /* What the other end has shown is not trusted; `detail` says why, as far as it is known. */
    HC_UNTRUSTED,
    /* It is trusted, and is that of another name; `detail` says which names it has. */
    HC_MISNAMED,
    /* The name leads to another machine. */
    HC_NOT_LOCAL,
    /* The answer has ended too early, or is no answer. */
    HC_BROKEN,
} hc_outcome;

typedef struct hc_request {
    const char *method;
    /* http or https. */
    const char *url;
    /* The file of a socket, in place of what the name in the address leads to; NULL: none. */
    const char *socket;
    /* A file of certificates that are trusted in place of the system's; NULL: the system's. */
    const char *trusted;
    /* "Name: value", each. */
    const char *const *headers;
    size_t header_count;
    /* NULL: none. */
    const uint8_t *body;
    size_t length;
    /* Until there is a connection; and for everything, 0: as long as something comes each minute. */
    long connect_milliseconds, milliseconds;
    /* Without milliseconds: for an answer that takes long to make nothing need come, as long as the other end is there. */
    int is_patient;
    /* Nothing but addresses of this machine. */
    int is_local;
    /* Given the content of the answer as it comes; NULL: nobody wants it. 0: no more. */
    int (*take)(void *context, int status, const uint8_t *bytes, size_t count);
    /* Asked again and again meanwhile; NULL: it may. 0: not any longer. */
    int (*may_go_on)(void *context);
    void *context;
} hc_request;

typedef struct hc_answer {
    hc_outcome outcome;
    /* Of the response; 0: there was none. */
    int status;
    /* Seconds after which the other end wants to be asked again; 0: it does not say. */
    int64_t retry_after;
    /* Of its content; "" when it does not say, or is too long. */
    char type[96];
    /* A few words, of libcurl's in most cases; "" when there is nothing to add. */
    char detail[256];
} hc_answer;

/* Who asks, with the connections that are still open from before. Belongs to one thread at a time. */
typedef struct hc_caller hc_caller;

/* Whether libcurl is there; opens it. */
int hc_available(void);

/* NULL: it is not there, or there is no memory. */
hc_caller *hc_open(void);
hc_answer hc_call(hc_caller *caller, const hc_request *request);
void hc_close(hc_caller *caller);

#endif
