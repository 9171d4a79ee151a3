/* One POST with libcurl, which is opened when the first is made: a host that tells nobody loads nothing. Called by RuleHosting alone.
 * Nothing here raises or keeps a pointer of the caller beyond the call. */
#ifndef C_WEBHOOK_H
#define C_WEBHOOK_H
#include <stddef.h>
#include <stdint.h>

typedef struct wh_request {
    /* http or https. */
    const char *url;
    /* "Name: value", each. */
    const char *const *headers;
    size_t header_count;
    const uint8_t *body;
    size_t length;
    /* For everything: names, connection, answer. */
    long milliseconds;
} wh_request;

typedef struct wh_answer {
    /* Of the response; 0: there was none. */
    int status;
    /* A few words of libcurl's; "" when there is nothing to add. */
    char detail[256];
} wh_answer;

/* Whether libcurl is there; opens it. */
int wh_available(void);

wh_answer wh_post(const wh_request *request);

#endif
