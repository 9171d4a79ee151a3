// The system's libevent: readiness of sockets, and buffers for what a client has not taken yet. HTTPServer links it into the
// program, so that no other start of the program loads anything more.
// libevent's headers lead to select's types, of which nothing is needed here. Modules of the system declare them in two
// ways, and a file could not import those and this one.
#define _SYS_SELECT_H 1
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <sys/eventfd.h>

// What Swift's own view of the C library leaves out: a number that wakes a loop when it is written to.
static inline int ce_wake_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
