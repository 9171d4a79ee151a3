/* Duplicate keys of one object. Few members are compared pairwise by hash; many are sorted, so that no choice of keys
 * costs more than n log n. Of equal keys the last one counts. */
#include "reading.h"

enum { JD_FEW_MEMBERS = 32 };

static int same_key(const jd_node *a, const jd_node *b) {
    return a->key_length == b->key_length && memcmp(a->key, b->key, a->key_length) == 0;
}

/* Pairwise, behind a filter of 64 bits that spares nearly all of the comparing. */
static uint32_t mark_among_few(jd_node *nodes, const jd_member *members, uint32_t count) {
    uint64_t seen = 0;
    uint32_t shadowed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bit = (uint64_t)1 << (members[i].hash >> 26);
        if (seen & bit) {
            for (uint32_t j = 0; j < i; j++) {
                jd_node *earlier = &nodes[members[j].node];
                if (members[j].hash != members[i].hash || earlier->flags & JD_SHADOWED ||
                    !same_key(earlier, &nodes[members[i].node])) {
                    continue;
                }
                earlier->flags |= JD_SHADOWED;
                shadowed++;
            }
        }
        seen |= bit;
    }
    return shadowed;
}

/* Order by hash, key, place in the text. */
static int comes_before(const jd_node *nodes, const jd_member *a, const jd_member *b) {
    if (a->hash != b->hash) return a->hash < b->hash;
    const jd_node *x = &nodes[a->node], *y = &nodes[b->node];
    if (x->key_length != y->key_length) return x->key_length < y->key_length;
    int order = memcmp(x->key, y->key, x->key_length);
    return order != 0 ? order < 0 : a->node < b->node;
}

static void merge(const jd_node *nodes, const jd_member *from, jd_member *to, uint32_t low, uint32_t middle,
                  uint32_t high) {
    uint32_t left = low, right = middle;
    for (uint32_t at = low; at < high; at++) {
        int take_left = left < middle && (right >= high || comes_before(nodes, &from[left], &from[right]));
        to[at] = take_left ? from[left++] : from[right++];
    }
}

static const jd_member *sorted(const jd_node *nodes, jd_member *members, jd_member *scratch, uint32_t count) {
    jd_member *from = members, *to = scratch;
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t low = 0; low < count; low += 2 * width) {
            uint64_t middle = low + width < count ? low + width : count;
            uint64_t high = low + 2 * width < count ? low + 2 * width : count;
            merge(nodes, from, to, (uint32_t)low, (uint32_t)middle, (uint32_t)high);
        }
        jd_member *swapped = from;
        from = to;
        to = swapped;
    }
    return from;
}

uint32_t jd_mark_shadowed(jd_node *nodes, jd_member *members, jd_member *scratch, uint32_t count) {
    if (count <= JD_FEW_MEMBERS) return mark_among_few(nodes, members, count);
    const jd_member *order = sorted(nodes, members, scratch, count);
    uint32_t shadowed = 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (order[i].hash == order[i + 1].hash && same_key(&nodes[order[i].node], &nodes[order[i + 1].node])) {
            nodes[order[i].node].flags |= JD_SHADOWED;
            shadowed++;
        }
    }
    return shadowed;
}
