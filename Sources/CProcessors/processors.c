// Processors that may be used.
#define _GNU_SOURCE
#include "CProcessors.h"

#include <sched.h>
#include <unistd.h>

int ps_usable(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    // More than the set has room for.
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 1 ? (int)online : 1;
}
