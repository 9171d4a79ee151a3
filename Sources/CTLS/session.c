/* One connection: handshake, bytes in, bytes out, farewell. Each call does what can be done without waiting and says what it waits for.
 * A session is OpenSSL's SSL; its wire is our own, because OpenSSL's would end the process by SIGPIPE when a client has gone. */
#include "CTLS.h"
#include "names.h"
#include <errno.h>
#include <sys/socket.h>

static int wire_read(BIO *bio, char *room, int count) {
    ssize_t taken = recv((int)(intptr_t)tls.BIO_get_data_(bio), room, (size_t)count, 0);
    tls.BIO_clear_flags_(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
    if (taken < 0 && (errno == EAGAIN || errno == EINTR)) tls.BIO_set_flags_(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY);
    if (taken == 0) tls.BIO_set_flags_(bio, BIO_FLAGS_IN_EOF);
    return (int)taken;
}

static int wire_write(BIO *bio, const char *bytes, int count) {
    ssize_t sent = send((int)(intptr_t)tls.BIO_get_data_(bio), bytes, (size_t)count, MSG_NOSIGNAL);
    tls.BIO_clear_flags_(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) tls.BIO_set_flags_(bio, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY);
    return (int)sent;
}

static long wire_control(BIO *bio, int what, long number, void *pointer) {
    (void)number, (void)pointer;
    if (what == BIO_CTRL_EOF) return tls.BIO_test_flags_(bio, BIO_FLAGS_IN_EOF) != 0;
    /* Nothing is held back here. */
    return what == BIO_CTRL_FLUSH;
}

BIO_METHOD *tls_wire_method(void) {
    BIO_METHOD *method = tls.BIO_meth_new_(tls.BIO_get_new_index_() | BIO_TYPE_SOURCE_SINK, "socket without signals");
    if (!method) return NULL;
    tls.BIO_meth_set_read_(method, wire_read);
    tls.BIO_meth_set_write_(method, wire_write);
    tls.BIO_meth_set_ctrl_(method, wire_control);
    return method;
}

tls_session *tls_session_make(tls_identity *identity, int descriptor) {
    SSL *ssl = tls.SSL_new_((SSL_CTX *)identity);
    BIO *wire = ssl ? tls.BIO_new_(tls.wire) : NULL;
    if (!wire) {
        tls.SSL_free_(ssl);
        return NULL;
    }
    tls.BIO_set_data_(wire, (void *)(intptr_t)descriptor);
    tls.BIO_set_init_(wire, 1);
    tls.SSL_set_bio_(ssl, wire, wire);
    tls.SSL_set_accept_state_(ssl);
    return (tls_session *)ssl;
}

void tls_session_free(tls_session *session) { tls.SSL_free_((SSL *)session); }

static int reason(SSL *ssl, int answer) {
    switch (tls.SSL_get_error_(ssl, answer)) {
    case SSL_ERROR_WANT_READ: return TLS_WAITS_TO_READ;
    case SSL_ERROR_WANT_WRITE: return TLS_WAITS_TO_WRITE;
    case SSL_ERROR_ZERO_RETURN: return TLS_ENDED;
    default: return TLS_BROKEN;
    }
}

int tls_handshake(tls_session *session) {
    /* What is left in this thread's list of errors would be taken for this session's. */
    tls.ERR_clear_error_();
    int answer = tls.SSL_do_handshake_((SSL *)session);
    if (answer == 1) return 1;
    int why = reason((SSL *)session, answer);
    return why == TLS_ENDED ? TLS_BROKEN : why;
}

ssize_t tls_take(tls_session *session, void *room, size_t count) {
    tls.ERR_clear_error_();
    /* One record: when there is another one, the socket tells. */
    int taken = tls.SSL_read_((SSL *)session, room, count > 1 << 30 ? 1 << 30 : (int)count);
    return taken > 0 ? taken : reason((SSL *)session, taken);
}

ssize_t tls_send(tls_session *session, const void *bytes, size_t count) {
    size_t done = 0;
    while (done < count) {
        size_t left = count - done;
        tls.ERR_clear_error_();
        int sent = tls.SSL_write_((SSL *)session, (const char *)bytes + done, left > 1 << 30 ? 1 << 30 : (int)left);
        if (sent <= 0) {
            int why = reason((SSL *)session, sent);
            if (why == TLS_ENDED || why == TLS_BROKEN) return TLS_BROKEN;
            return done ? (ssize_t)done : why;
        }
        done += (size_t)sent;
    }
    return (ssize_t)done;
}

void tls_say_end(tls_session *session) {
    tls.ERR_clear_error_();
    tls.SSL_shutdown_((SSL *)session);
    tls.ERR_clear_error_();
}
