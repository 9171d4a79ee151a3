/* Numbers as JSON writes them. The literal is kept by the reader; here it gets its kind and its value: int64 where it
 * fits, else the nearest double. */
/* For strtod_l. */
#define _GNU_SOURCE
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "reading.h"

static int is_digit(jd_byte c) { return (jd_byte)(c - '0') < 10; }

double jd_read_double(const char *text) {
    /* glibc answers with its built-in "C" locale here: nothing is allocated. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return strtod(text, NULL);
    double value = strtod_l(text, NULL, plain);
    freelocale(plain);
    return value;
}

/* Exact when both the digits and the power of ten are doubles without rounding (Clinger's fast path). */
static int small_decimal(uint64_t digits, int64_t exponent, double *value) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (digits > (uint64_t)1 << 53 || exponent < -22 || exponent > 22) return 0;
    *value = exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
    return 1;
}

const jd_byte *jd_read_number(const jd_byte *text, jd_node *node, const jd_byte **fault) {
    const jd_byte *p = text;
    int negative = *p == '-';
    p += negative;
    if (!is_digit(*p)) {
        *fault = p;
        return NULL;
    }
    uint64_t digits = 0;      /* the significant digits so far, while they fit 19 */
    const jd_byte *first = p; /* the first of the integer part */
    if (*p == '0') {
        p++;
        if (is_digit(*p)) {
            *fault = p;
            return NULL;
        }
    } else {
        do digits = digits * 10 + (*p++ - '0');
        while (is_digit(*p));
    }
    int64_t count = p - first, exponent = 0;
    int is_integer = 1;
    if (*p == '.') {
        const jd_byte *fraction = ++p;
        is_integer = 0;
        while (is_digit(*p)) digits = digits * 10 + (*p++ - '0');
        if (p == fraction) {
            *fault = p;
            return NULL;
        }
        exponent = -(p - fraction);
        count += p - fraction;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        is_integer = 0;
        int down = *p == '-';
        if (*p == '+' || *p == '-') p++;
        if (!is_digit(*p)) {
            *fault = p;
            return NULL;
        }
        int64_t written = 0;
        for (; is_digit(*p); p++) {
            if (written < 100000) written = written * 10 + (*p - '0');
        }
        exponent += down ? -written : written;
    }
    node->text = (const char *)text;
    node->length = (uint32_t)(p - text);
    if (is_integer && (count < 19 || (count == 19 && digits <= (uint64_t)INT64_MAX + (uint64_t)negative))) {
        node->kind = JD_INTEGER;
        node->value.integer = negative ? (int64_t)(0 - digits) : (int64_t)digits;
        return p;
    }
    double value;
    if (count > 19 || !small_decimal(digits, exponent, &value)) {
        value = fabs(jd_read_double((const char *)text));
    }
    node->kind = JD_DECIMAL;
    node->value.decimal = negative ? -value : value;
    if (is_integer || isinf(value)) node->flags |= JD_OVERFLOW;
    return p;
}
