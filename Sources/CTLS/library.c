/* Opens OpenSSL once, and makes identities of certificates and keys. Whatever the library says of a mistake is its own words about the
 * kind of mistake, never anything of a file. */
#include "CTLS.h"
#include "names.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct tls_names tls;

static void open_library(void) {
    /* Its names include those of libcrypto, which it brings along. */
    void *library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define TLS_NAME(name) if (!(tls.name##_ = (__typeof__(&name))dlsym(library, #name))) return;
    TLS_NAMES(TLS_NAME)
#undef TLS_NAME
    tls.wire = tls_wire_method();
    tls.are_there = tls.wire != NULL;
}

int tls_open(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    return tls.are_there;
}

/* Asked for a password of a key: remembers that it was, and has none. */
static int no_password(char *room, int size, int writes, void *asked) {
    (void)room, (void)size, (void)writes;
    *(int *)asked = 1;
    return -1;
}

/* HTTP/1.1 is all that is spoken; who wants only something else hears so (RFC 7301, section 3.2). */
static int choose_protocol(
    SSL *ssl, const unsigned char **out, unsigned char *count, const unsigned char *in, unsigned in_count, void *context) {
    static const unsigned char ours[] = "\x08http/1.1";
    (void)ssl, (void)context;
    unsigned char *chosen = NULL;
    int met = tls.SSL_select_next_proto_(&chosen, count, ours, sizeof(ours) - 1, in, in_count);
    if (met != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

static int64_t seconds(const ASN1_TIME *time) {
    struct tm parts;
    return time && tls.ASN1_TIME_to_tm_(time, &parts) == 1 ? (int64_t)timegm(&parts) : 0;
}

static SSL_CTX *context(void) {
    SSL_CTX *made = tls.SSL_CTX_new_(tls.TLS_server_method_());
    if (!made) return NULL;
    tls.SSL_CTX_ctrl_(made, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
    /* A connection that ends without a farewell has ended; whether a request was whole its own length says. */
    tls.SSL_CTX_set_options_(
        made, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
    /* What is idle holds no buffers; what was not sent may be given again from another place. */
    tls.SSL_CTX_ctrl_(
        made, SSL_CTRL_MODE, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, NULL);
    /* One record at a time also where it holds no bytes of a request: a client that sends nothing but new keys would keep the thread to
     * itself as long as it likes. */
    tls.SSL_CTX_ctrl_(made, SSL_CTRL_CLEAR_MODE, SSL_MODE_AUTO_RETRY, NULL);
    /* Clients keep their tickets; nothing of a session is kept here. */
    tls.SSL_CTX_ctrl_(made, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, NULL);
    tls.SSL_CTX_set_alpn_select_cb_(made, choose_protocol, NULL);
    /* Of TLS 1.2 only what keeps past connections secret when the key is lost. */
    if (tls.SSL_CTX_set_cipher_list_(made, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1) return made;
    tls.SSL_CTX_free_(made);
    return NULL;
}

static tls_loading use_certificates(SSL_CTX *made, BIO *source, tls_loaded *loaded) {
    X509 *first = tls.PEM_read_bio_X509_(source, NULL, NULL, NULL);
    if (!first) return TLS_NO_CERTIFICATE;
    loaded->from = seconds(tls.X509_get0_notBefore_(first));
    loaded->until = seconds(tls.X509_get0_notAfter_(first));
    int taken = tls.SSL_CTX_use_certificate_(made, first) == 1;
    tls.X509_free_(first);
    X509 *next;
    while (taken && (next = tls.PEM_read_bio_X509_(source, NULL, NULL, NULL))) {
        taken = tls.SSL_CTX_ctrl_(made, SSL_CTRL_CHAIN_CERT, 1, next) == 1;
        tls.X509_free_(next);
    }
    if (!taken) return TLS_REFUSED;
    /* Only that nothing begins any more is the end: half of a certificate is a file that is being written. */
    unsigned long why = tls.ERR_peek_last_error_();
    if (ERR_GET_LIB(why) != ERR_LIB_PEM || ERR_GET_REASON(why) != PEM_R_NO_START_LINE) return TLS_REFUSED;
    tls.ERR_clear_error_();
    return TLS_LOADED;
}

static tls_loading use_key(SSL_CTX *made, BIO *source) {
    int asked = 0;
    EVP_PKEY *key = tls.PEM_read_bio_PrivateKey_(source, NULL, no_password, &asked);
    if (!key) return asked ? TLS_KEY_LOCKED : TLS_NO_KEY;
    /* This says no to a key that is not the certificate's, too. */
    int taken = tls.SSL_CTX_use_PrivateKey_(made, key) == 1 && tls.SSL_CTX_check_private_key_(made) == 1;
    tls.EVP_PKEY_free_(key);
    return taken ? TLS_LOADED : TLS_KEY_OTHER;
}

tls_loaded tls_load(tls_text certificate, tls_text key) {
    tls_loaded loaded = {.outcome = TLS_NO_LIBRARY};
    if (!tls_open()) return loaded;
    tls.ERR_clear_error_();
    loaded.outcome = TLS_REFUSED;
    SSL_CTX *made = context();
    BIO *certificates = tls.BIO_new_mem_buf_(certificate.bytes, (int)certificate.count);
    BIO *keys = tls.BIO_new_mem_buf_(key.bytes, (int)key.count);
    if (made && certificates && keys) {
        loaded.outcome = use_certificates(made, certificates, &loaded);
        if (loaded.outcome == TLS_REFUSED) {
            const char *words = tls.ERR_reason_error_string_(tls.ERR_peek_last_error_());
            snprintf(loaded.words, sizeof(loaded.words), "%s", words ? words : "");
        }
        if (loaded.outcome == TLS_LOADED) loaded.outcome = use_key(made, keys);
    }
    tls.BIO_free_(certificates);
    tls.BIO_free_(keys);
    if (loaded.outcome == TLS_LOADED) loaded.identity = (tls_identity *)made;
    else tls.SSL_CTX_free_(made);
    tls.ERR_clear_error_();
    return loaded;
}

void tls_identity_free(tls_identity *identity) { tls.SSL_CTX_free_((SSL_CTX *)identity); }
