/* UTF-8: whether bytes are well-formed, and where a byte stands for a person. Used on faults and by readers of files
 * that are not JSON; the document reader checks its strings by itself. */
#include "reading.h"

/* jd_scalar_length for text that no padding follows. */
static unsigned scalar_length_within(const jd_byte *p, size_t left, unsigned *bad) {
    if (left >= 4) return jd_scalar_length(p, bad);
    jd_byte copy[4] = {0, 0, 0, 0};
    memcpy(copy, p, left);
    return jd_scalar_length(copy, bad);
}

int jd_utf8_valid(const char *bytes, size_t length, size_t *bad) {
    const jd_byte *text = (const jd_byte *)bytes;
    size_t at = 0;
    while (at < length) {
        uint64_t eight;
        if (length - at >= 8) {
            memcpy(&eight, text + at, 8);
            if (!(eight & 0x8080808080808080u)) {
                at += 8;
                continue;
            }
        }
        if (text[at] < 0x80) {
            at++;
            continue;
        }
        unsigned index = 0, step = scalar_length_within(text + at, length - at, &index);
        if (!step) {
            if (bad) *bad = at + index;
            return 0;
        }
        at += step;
    }
    return 1;
}

void jd_place(const char *bytes, size_t length, size_t offset, uint32_t *line, uint32_t *column) {
    const jd_byte *text = (const jd_byte *)bytes;
    if (offset > length) offset = length;
    size_t at = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    uint32_t lines = 1, columns = 1;
    while (at < offset) {
        unsigned index = 0, step = scalar_length_within(text + at, offset - at, &index);
        if (text[at] == '\n') {
            lines++;
            columns = 1;
        } else {
            columns++;
        }
        at += step ? step : 1;
    }
    *line = lines;
    *column = columns;
}
