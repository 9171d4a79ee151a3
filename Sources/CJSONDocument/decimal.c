/* Doubles as decimal text: the fewest digits that read back as the same double, laid out so that the result is still a
 * decimal (a point or an exponent), whatever the C locale says. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "reading.h"

/* A positive double as 0.d1d2d3… × 10^exponent. */
typedef struct {
    char digits[20];
    int count, exponent;
} jd_digits;

/* Correctly rounded to `count` digits. */
static jd_digits rounded(double value, int count) {
    char text[40];
    jd_digits result = {.count = 0, .exponent = 0};
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    const char *p = text;
    /* The point between the digits may be any byte or bytes: the locale's. */
    for (; *p != 'e'; p++) {
        if (*p >= '0' && *p <= '9' && result.count < 17) result.digits[result.count++] = *p;
    }
    int sign = p[1] == '-' ? -1 : 1;
    for (p += 2; *p >= '0' && *p <= '9'; p++) result.exponent = result.exponent * 10 + (*p - '0');
    result.exponent = result.exponent * sign + 1;
    return result;
}

static int reads_back(const jd_digits *d, double value) {
    char text[40];
    snprintf(text, sizeof text, "%.*se%d", d->count, d->digits, d->exponent - d->count);
    return jd_read_double(text) == value;
}

/* The next larger decimal of as many digits, when the last digit has room. Below a power of two the doubles stand
 * closer than above it, so that the nearest decimal may miss where this one does not. */
static int larger_neighbour(jd_digits *d) {
    if (d->digits[d->count - 1] == '9') return 0;
    d->digits[d->count - 1]++;
    return 1;
}

static jd_digits shortest(double value) {
    /* Up to 15 digits survive the way into a double and back, so rounding to 15 finds every short decimal but the
     * subnormal ones. */
    int from = value < 2.2250738585072014e-308 ? 1 : 15;
    jd_digits d = rounded(value, from);
    for (int count = from; count <= 17; count++) {
        d = rounded(value, count);
        if (reads_back(&d, value)) break;
        jd_digits larger = d;
        if (larger_neighbour(&larger) && reads_back(&larger, value)) {
            d = larger;
            break;
        }
    }
    while (d.count > 1 && d.digits[d.count - 1] == '0') d.count--;
    return d;
}

static char *put(char *out, const char *bytes, int count) {
    memcpy(out, bytes, (size_t)count);
    return out + count;
}

static char *put_zeros(char *out, int count) {
    memset(out, '0', (size_t)count);
    return out + count;
}

/* 1e-05, 1.5e+300 */
static char *put_scientific(char *out, const jd_digits *d) {
    int exponent = d->exponent - 1, size = exponent < 0 ? -exponent : exponent;
    *out++ = d->digits[0];
    if (d->count > 1) {
        *out++ = '.';
        out = put(out, d->digits + 1, d->count - 1);
    }
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    if (size >= 100) *out++ = (char)('0' + size / 100);
    *out++ = (char)('0' + size / 10 % 10);
    *out++ = (char)('0' + size % 10);
    return out;
}

/* 0.0001, 12.5, 1000000000000000.0 */
static char *put_plain(char *out, const jd_digits *d) {
    if (d->exponent <= 0) {
        out = put(out, "0.", 2);
        out = put_zeros(out, -d->exponent);
        return put(out, d->digits, d->count);
    }
    if (d->count <= d->exponent) {
        out = put(out, d->digits, d->count);
        out = put_zeros(out, d->exponent - d->count);
        return put(out, ".0", 2);
    }
    out = put(out, d->digits, d->exponent);
    *out++ = '.';
    return put(out, d->digits + d->exponent, d->count - d->exponent);
}

size_t jd_decimal_text(double value, char buffer[32]) {
    char *out = buffer;
    if (!isfinite(value)) return (size_t)(put(out, "null", 4) - buffer);
    if (signbit(value)) *out++ = '-';
    if (value == 0) return (size_t)(put(out, "0.0", 3) - buffer);
    jd_digits d = shortest(fabs(value));
    out = d.exponent < -3 || d.exponent > 16 ? put_scientific(out, &d) : put_plain(out, &d);
    return (size_t)(out - buffer);
}
