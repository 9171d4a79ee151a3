/* The functions of OpenSSL that this room uses, by their names: opened with dlopen. For the other files of this room only. */
#ifndef CTLS_NAMES_H
#define CTLS_NAMES_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#define TLS_NAMES(X) \
    X(TLS_server_method) X(SSL_CTX_new) X(SSL_CTX_free) X(SSL_CTX_ctrl) X(SSL_CTX_set_options) X(SSL_CTX_set_cipher_list) \
    X(SSL_CTX_use_certificate) X(SSL_CTX_use_PrivateKey) X(SSL_CTX_check_private_key) X(SSL_CTX_set_alpn_select_cb) \
    X(SSL_select_next_proto) X(SSL_new) X(SSL_free) X(SSL_set_bio) X(SSL_set_accept_state) X(SSL_do_handshake) X(SSL_read) X(SSL_write) \
    X(SSL_shutdown) X(SSL_get_error) X(PEM_read_bio_X509) X(PEM_read_bio_PrivateKey) X(X509_free) X(X509_get0_notBefore) \
    X(X509_get0_notAfter) X(ASN1_TIME_to_tm) X(EVP_PKEY_free) X(ERR_clear_error) X(ERR_peek_last_error) X(ERR_reason_error_string) \
    X(BIO_new_mem_buf) X(BIO_free) X(BIO_new) X(BIO_meth_new) X(BIO_meth_set_read) X(BIO_meth_set_write) X(BIO_meth_set_ctrl) \
    X(BIO_get_new_index) X(BIO_set_init) X(BIO_set_data) X(BIO_get_data) X(BIO_set_flags) X(BIO_clear_flags) X(BIO_test_flags)

#define TLS_NAME(name) __typeof__(&name) name##_;
struct tls_names {
    int are_there;
    /* How bytes get to a socket and from it. */
    BIO_METHOD *wire;
    TLS_NAMES(TLS_NAME)
};
#undef TLS_NAME

extern struct tls_names tls;

/* Whether the library is there. */
int tls_open(void);

/* Of session.c: bytes to a socket and from it, without the signal that a socket without a reader would mean. */
BIO_METHOD *tls_wire_method(void);

#endif
