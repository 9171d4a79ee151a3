/* A request as CHTTPCall.h describes it, in libcurl's words. An option that this libcurl does not have ends the request before it is sent:
 * it could be one of those that keep it from going elsewhere. */
#include "CHTTPCall.h"
#include "CCurlCalls.h"
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

struct hc_caller {
    const cc_calls *curl;
    CURL *handle;
};

/* One request under way. */
typedef struct {
    const hc_request *request;
    hc_caller *caller;
    int stopped, elsewhere;
    /* Seconds; -1: none that are a number. */
    int64_t retry_after;
} transfer;

int hc_available(void) { return cc_curl() != NULL; }

hc_caller *hc_open(void) {
    const cc_calls *curl = cc_curl();
    hc_caller *caller = curl ? calloc(1, sizeof *caller) : NULL;
    if (!caller) return NULL;
    caller->curl = curl;
    caller->handle = curl->init();
    if (caller->handle) return caller;
    free(caller);
    return NULL;
}

void hc_close(hc_caller *caller) {
    if (!caller) return;
    caller->curl->cleanup(caller->handle);
    free(caller);
}

static int is_of_this_machine(const struct curl_sockaddr *address) {
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)&address->addr;
        return ntohl(four->sin_addr.s_addr) >> 24 == 127;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)&address->addr;
        return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
    }
    return address->family == AF_UNIX;
}

/* What is looked at here is what is connected to, whatever the name means a moment later. */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    transfer *t = context;
    (void)purpose;
    if (t->request->is_local && !is_of_this_machine(address)) {
        t->elsewhere = 1;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    transfer *t = context;
    size_t length = size * count;
    if (!t->request->take) return length;
    long status = 0;
    t->caller->curl->getinfo(t->caller->handle, CURLINFO_RESPONSE_CODE, &status);
    if (t->request->take(t->request->context, (int)status, (const uint8_t *)bytes, length)) return length;
    t->stopped = 1;
    return 0;
}

/* libcurl takes a number that is too large for it for none. A date is left to it. */
static size_t take_field(char *bytes, size_t size, size_t count, void *context) {
    static const char name[] = "retry-after:";
    transfer *t = context;
    size_t length = size * count, at = sizeof name - 1, end = length;
    /* There may have been another response before this one. */
    if (length >= 5 && memcmp(bytes, "HTTP/", 5) == 0) t->retry_after = -1;
    if (length < at || strncasecmp(bytes, name, at) != 0) return length;
    while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) at++;
    while (end > at && strchr(" \t\r\n", bytes[end - 1])) end--;
    int64_t seconds = at < end ? 0 : -1;
    for (; at < end && seconds >= 0; at++) {
        int digit = bytes[at] - '0';
        if (digit < 0 || digit > 9) seconds = -1;
        else seconds = seconds > (INT64_MAX - digit) / 10 ? INT64_MAX : seconds * 10 + digit;
    }
    t->retry_after = seconds;
    return length;
}

static int progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    transfer *t = context;
    (void)a, (void)b, (void)c, (void)d;
    if (!t->request->may_go_on || t->request->may_go_on(t->request->context)) return 0;
    t->stopped = 1;
    return 1;
}

static hc_outcome outcome(CURLcode code, const transfer *t) {
    if (t->stopped) return HC_STOPPED;
    switch (code) {
    case CURLE_OK: return HC_DONE;
    case CURLE_OPERATION_TIMEDOUT: return HC_TIMEOUT;
    case CURLE_PEER_FAILED_VERIFICATION: return HC_UNTRUSTED;
    case CURLE_COULDNT_CONNECT: return t->elsewhere ? HC_NOT_LOCAL : HC_UNREACHABLE;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL: return HC_BROKEN;
    default: return HC_UNREACHABLE;
    }
}

/* The names of the certificate that the other end has shown, as in "localhost, 127.0.0.1": those that are tried, or that of its subject where
 * it has no others. Only of one whose chain is good does libcurl tell them. */
static void names(hc_caller *caller, char *words, size_t size) {
    static const char alternative[] = "X509v3 Subject Alternative Name:", subject[] = "Subject:";
    struct curl_certinfo *chain = NULL;
    const char *others = NULL, *own = NULL;
    words[0] = 0;
    if (caller->curl->getinfo(caller->handle, CURLINFO_CERTINFO, &chain) != CURLE_OK || !chain || chain->num_of_certs < 1) return;
    for (struct curl_slist *line = chain->certinfo[0]; line; line = line->next) {
        if (strncmp(line->data, alternative, sizeof alternative - 1) == 0) others = line->data + sizeof alternative - 1;
        if (strncmp(line->data, subject, sizeof subject - 1) == 0) own = line->data + sizeof subject - 1;
    }
    if (!others) {
        while (own && strncmp(own += strspn(own, ", /"), "CN", 2) != 0) own = strpbrk(own, ",/");
        if (!own || own[2 + strspn(own + 2, " ")] != '=') return;
        own += 2;
        own += strspn(own, " =");
        size_t length = strcspn(own, ",/\n");
        if (length >= size) length = size - 1;
        memcpy(words, own, length);
        words[length] = 0;
        return;
    }
    /* "DNS:localhost, IP Address:127.0.0.1" */
    size_t at = 0;
    for (const char *name = others; *name;) {
        name += strspn(name, ", \n");
        size_t length = strcspn(name, ",\n");
        const char *value = memchr(name, ':', length);
        size_t skipped = value ? (size_t)(value + 1 - name) : 0, shown = length - skipped;
        if (shown > 0 && at + shown + 3 < size) {
            if (at > 0) at += (size_t)snprintf(words + at, size - at, ", ");
            memcpy(words + at, name + skipped, shown);
            words[at += shown] = 0;
        }
        name += length;
    }
}

/* Why a certificate does not do: whose it is, or what is wrong with it. Whose it is is looked at last. */
static hc_outcome untrusted(hc_caller *caller, const char *words, hc_answer *answer) {
    static const char problem[] = "SSL certificate problem: ";
    char own[192];
    names(caller, own, sizeof own);
    if (own[0] && strstr(words, "match")) {
        snprintf(answer->detail, sizeof answer->detail, "its certificate is for %s", own);
        return HC_MISNAMED;
    }
    const char *why = strncmp(words, problem, sizeof problem - 1) == 0 ? words + sizeof problem - 1 : "";
    snprintf(answer->detail, sizeof answer->detail, "its certificate is not trusted%s%s", why[0] ? ": " : "", why);
    return HC_UNTRUSTED;
}

static int set_up(hc_caller *caller, const hc_request *request, transfer *t, struct curl_slist *headers, char *words) {
    __typeof__(&curl_easy_setopt) setopt = caller->curl->setopt;
    CURL *handle = caller->handle;
    int set = setopt(handle, CURLOPT_URL, request->url);
    set |= setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    set |= setopt(handle, CURLOPT_PROXY, "");
    set |= setopt(handle, CURLOPT_NOSIGNAL, 1L);
    set |= setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
    set |= setopt(handle, CURLOPT_TIMEOUT_MS, request->milliseconds);
    /* The path is what the caller wrote: a step up in it would be another request. */
    set |= setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    set |= setopt(handle, CURLOPT_TCP_KEEPALIVE, 1L);
    if (request->milliseconds == 0 && !request->is_patient) {
        set |= setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
        set |= setopt(handle, CURLOPT_LOW_SPEED_TIME, 60L);
    }
    set |= setopt(handle, CURLOPT_USERAGENT, "rulehost");
    set |= setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    set |= setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    /* For who wants to know why it is not taken; a library without it has none to tell. */
    setopt(handle, CURLOPT_CERTINFO, 1L);
    if (request->trusted) set |= setopt(handle, CURLOPT_CAINFO, request->trusted);
    if (request->socket) set |= setopt(handle, CURLOPT_UNIX_SOCKET_PATH, request->socket);
    if (request->body) {
        set |= setopt(handle, CURLOPT_POST, 1L);
        set |= setopt(handle, CURLOPT_POSTFIELDS, request->body);
        set |= setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->length);
    }
    set |= setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
    set |= setopt(handle, CURLOPT_HTTPHEADER, headers);
    set |= setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    set |= setopt(handle, CURLOPT_OPENSOCKETDATA, t);
    set |= setopt(handle, CURLOPT_WRITEFUNCTION, take);
    set |= setopt(handle, CURLOPT_WRITEDATA, t);
    set |= setopt(handle, CURLOPT_HEADERFUNCTION, take_field);
    set |= setopt(handle, CURLOPT_HEADERDATA, t);
    set |= setopt(handle, CURLOPT_NOPROGRESS, 0L);
    set |= setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
    set |= setopt(handle, CURLOPT_XFERINFODATA, t);
    set |= setopt(handle, CURLOPT_ERRORBUFFER, words);
    return set;
}

/* NULL: there is no memory for all of them, and a request without one of them would be another. */
static struct curl_slist *list(const cc_calls *curl, const hc_request *request) {
    /* libcurl would ask before it sends a larger body, and wait a second for those who do not answer. */
    struct curl_slist *list = curl->append(NULL, "Expect:");
    for (size_t i = 0; list && i < request->header_count; i++) {
        struct curl_slist *longer = curl->append(list, request->headers[i]);
        if (!longer) curl->free_all(list);
        list = longer;
    }
    return list;
}

hc_answer hc_call(hc_caller *caller, const hc_request *request) {
    hc_answer answer = {.outcome = HC_UNREACHABLE};
    const cc_calls *curl = caller->curl;
    struct curl_slist *headers = list(curl, request);
    transfer t = {.request = request, .caller = caller, .retry_after = -1};
    char words[CURL_ERROR_SIZE] = "";
    CURLcode code = !headers ? CURLE_OUT_OF_MEMORY : CURLE_FAILED_INIT;
    if (headers && set_up(caller, request, &t, headers, words) == 0) code = curl->perform(caller->handle);
    long status = 0;
    const char *type = NULL;
    curl->getinfo(caller->handle, CURLINFO_RESPONSE_CODE, &status);
    curl->getinfo(caller->handle, CURLINFO_CONTENT_TYPE, &type);
    curl_off_t retry_after = 0;
    if (t.retry_after >= 0) answer.retry_after = t.retry_after;
    else if (curl->getinfo(caller->handle, CURLINFO_RETRY_AFTER, &retry_after) == CURLE_OK && retry_after > 0) answer.retry_after = retry_after;
    answer.outcome = outcome(code, &t);
    answer.status = (int)status;
    if (type && strlen(type) < sizeof answer.type) strcpy(answer.type, type);
    const char *detail = words[0] ? words : code == CURLE_OK ? "" : curl->strerror(code);
    if (code == CURLE_COULDNT_RESOLVE_HOST) detail = "there is no host of that name";
    if (code == CURLE_PEER_FAILED_VERIFICATION) answer.outcome = untrusted(caller, words, &answer);
    else strncpy(answer.detail, detail, sizeof answer.detail - 1);
    /* Forgets everything that points to the caller, and keeps the connection. */
    curl->reset(caller->handle);
    curl->free_all(headers);
    return answer;
}
