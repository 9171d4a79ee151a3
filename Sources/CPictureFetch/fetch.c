/* One picture with libcurl: from addresses that the caller allows, up to as many bytes as he takes. */
#include "CPictureFetch.h"
#include "CCurlCalls.h"
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int pf_available(void) { return cc_curl() != NULL; }

/* One request under way. */
typedef struct {
    const pf_request *request;
    int refused, stopped;
    int64_t taken;
} transfer;

/* After the name was looked up and before anything is sent: what is checked here is what is connected to, whatever the
 * name will mean a moment later. */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    transfer *t = context;
    (void)purpose;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        bytes = (const uint8_t *)&((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr;
        length = 4;
    } else if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        bytes = (const uint8_t *)&((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr;
        length = 16;
    }
    if (!bytes || !t->request->may_connect(t->request->context, bytes, length)) {
        t->refused = 1;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t write_content(char *bytes, size_t size, size_t count, void *context) {
    transfer *t = context;
    size_t length = size * count;
    t->taken += (int64_t)length;
    if (t->request->take(t->request->context, (const uint8_t *)bytes, length)) return length;
    t->stopped = 1;
    return 0;
}

static pf_outcome outcome(CURLcode code, const transfer *t) {
    if (t->stopped) return PF_STOPPED;
    switch (code) {
    case CURLE_OK:
    case CURLE_HTTP_RETURNED_ERROR: return PF_DONE;
    case CURLE_OPERATION_TIMEDOUT: return PF_TIMEOUT;
    case CURLE_FILESIZE_EXCEEDED: return PF_TOO_LARGE;
    case CURLE_PARTIAL_FILE: return PF_TRUNCATED;
    /* The address itself was https: only a redirect can have asked for another protocol. */
    case CURLE_UNSUPPORTED_PROTOCOL: return PF_INSECURE;
    case CURLE_COULDNT_CONNECT: return t->refused ? PF_REFUSED : PF_UNREACHABLE;
    default: return t->taken > 0 ? PF_TRUNCATED : PF_UNREACHABLE;
    }
}

pf_answer pf_fetch(const pf_request *request) {
    pf_answer answer = {.outcome = PF_NO_LIBRARY};
    const cc_calls *curl = cc_curl();
    if (!curl) return answer;
    CURL *handle = curl->init();
    if (!handle) return answer;
    transfer t = {.request = request};
    char words[CURL_ERROR_SIZE] = "";
    int set = curl->setopt(handle, CURLOPT_URL, request->url);
    set |= curl->setopt(handle, CURLOPT_PROTOCOLS_STR, "https");
    set |= curl->setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "https");
    set |= curl->setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    set |= curl->setopt(handle, CURLOPT_MAXREDIRS, 5L);
    /* A proxy of the environment would connect in our place, wherever it likes. */
    set |= curl->setopt(handle, CURLOPT_PROXY, "");
    set |= curl->setopt(handle, CURLOPT_NOSIGNAL, 1L);
    set |= curl->setopt(handle, CURLOPT_TIMEOUT_MS, request->milliseconds);
    set |= curl->setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, request->milliseconds);
    set |= curl->setopt(handle, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)request->most_bytes);
    set |= curl->setopt(handle, CURLOPT_FAILONERROR, 1L);
    set |= curl->setopt(handle, CURLOPT_USERAGENT, "rulehost");
    set |= curl->setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    set |= curl->setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    set |= curl->setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    set |= curl->setopt(handle, CURLOPT_OPENSOCKETDATA, &t);
    set |= curl->setopt(handle, CURLOPT_WRITEFUNCTION, write_content);
    set |= curl->setopt(handle, CURLOPT_WRITEDATA, &t);
    set |= curl->setopt(handle, CURLOPT_ERRORBUFFER, words);
    if (request->trusted) set |= curl->setopt(handle, CURLOPT_CAINFO, request->trusted);
    /* An option that this libcurl does not have could be one of those that keep it inside. */
    CURLcode code = set ? CURLE_FAILED_INIT : curl->perform(handle);
    long status = 0;
    curl->getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    curl->getinfo(handle, CURLINFO_TOTAL_TIME, &answer.seconds);
    curl->cleanup(handle);
    answer.outcome = outcome(code, &t);
    answer.status = (int)status;
    const char *detail = words[0] ? words : code == CURLE_OK ? "" : curl->strerror(code);
    if (code == CURLE_COULDNT_RESOLVE_HOST) detail = "there is no host of that name";
    if (code == CURLE_PEER_FAILED_VERIFICATION) detail = "its certificate is not trusted";
    if (code == CURLE_TOO_MANY_REDIRECTS) detail = "it leads on and on";
    strncpy(answer.detail, detail, sizeof answer.detail - 1);
    return answer;
}
