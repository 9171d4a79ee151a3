/* JSON text without the white space between its tokens, every other byte as it was. */
#include "reading.h"

size_t jd_minify(const char *bytes, size_t length, char *out) {
    size_t to = 0;
    int in_string = 0;
    for (size_t at = 0; at < length; at++) {
        char c = bytes[at];
        if (in_string) {
            out[to++] = c;
            if (c == '\\' && at + 1 < length) out[to++] = bytes[++at];
            else if (c == '"') in_string = 0;
        } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            out[to++] = c;
            in_string = c == '"';
        }
    }
    return to;
}
