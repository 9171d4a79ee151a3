/* TLS on sockets that do not wait, by the system's OpenSSL. Called by HTTPServer; knows nothing of HTTP. The library is opened when the
 * first identity is made, so that no other start of the program loads anything of it. No function of this room waits or logs. */
#ifndef CTLS_H
#define CTLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A certificate with its chain and key: who a server says it is. Any number of threads may make sessions of one. */
typedef struct tls_identity tls_identity;

/* One connection. Belongs to one thread. */
typedef struct tls_session tls_session;

typedef enum {
    TLS_LOADED,
    TLS_NO_LIBRARY,
    TLS_NO_CERTIFICATE,
    TLS_NO_KEY,
    /* The key needs a password, and nobody is there who could be asked. */
    TLS_KEY_LOCKED,
    /* The key is another certificate's. */
    TLS_KEY_OTHER,
    /* The library does not take it; words say why. */
    TLS_REFUSED
} tls_loading;

typedef struct {
    const uint8_t *bytes;
    size_t count;
} tls_text;

typedef struct {
    tls_loading outcome;
    tls_identity *identity;
    /* Seconds since 1970 between which the certificate counts. */
    int64_t from, until;
    /* The library's, which never speak of what is in a file. */
    char words[128];
} tls_loaded;

/* Both as PEM; certificate: the server's own first, then those that it leads to. */
tls_loaded tls_load(tls_text certificate, tls_text key);
void tls_identity_free(tls_identity *identity);

/* NULL: no memory. The descriptor stays the caller's, and has to outlive the session. */
tls_session *tls_session_make(tls_identity *identity, int descriptor);
void tls_session_free(tls_session *session);

/* What takes and sends answer with, beside numbers of bytes. */
enum {
    /* The other side has said that nothing more comes. */
    TLS_ENDED = 0,
    /* Again, when the socket can be read. */
    TLS_WAITS_TO_READ = -1,
    /* Again, when the socket can be written to. */
    TLS_WAITS_TO_WRITE = -2,
    TLS_BROKEN = -3
};

/* 1: it is done. */
int tls_handshake(tls_session *session);
/* With room for a whole record, 16 KiB, nothing stays behind of which the socket does not tell. */
ssize_t tls_take(tls_session *session, void *room, size_t count);
/* What was not sent is to be given again, as it was, with or without more behind it. */
ssize_t tls_send(tls_session *session, const void *bytes, size_t count);
/* Says that nothing more comes, if the socket takes it. */
void tls_say_end(tls_session *session);

#endif
