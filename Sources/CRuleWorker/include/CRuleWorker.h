// Child processes that run rules: how one is started, and how it shuts itself in. Called by RuleWorkers alone. Nothing in
// here knows what the two say to each other.
#ifndef CRULEWORKER_H
#define CRULEWORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A child, as its parent holds it.
typedef struct {
    pid_t pid;
    /// Readable as soon as the child has ended. Owned.
    int pidfd;
    /// One end of a pair of stream sockets; the child has the other. Owned. Reads and writes of it give up after
    /// RW_TICK_MILLISECONDS with EAGAIN, so that whoever waits can look at the child in between.
    int socket;
} rw_child;

#define RW_TICK_MILLISECONDS 5

/// Starts `program` (never a fork: the parent may have threads) with the name `name` as its only argument but the
/// parent's process id. It has one open file, the socket, as number 0, no environment but what keeps Swift from writing
/// backtraces, and no blocked or ignored signals. The child dies with the *thread* that called: call from one that
/// stays. Answers 0 or an errno.
int rw_spawn(const char *_Nonnull program, const char *_Nonnull name, rw_child *_Nonnull child);

/// Lets everybody else go first on the processor, for as long as the child lives.
void rw_give_way(const rw_child *_Nonnull child);

/// Ends the child at once. No effect on one that has ended.
void rw_kill(const rw_child *_Nonnull child);

/// Waits for the child's end and frees what `rw_spawn` gave. Answers the signal that ended it, or -1 - its exit code, or
/// 0 when that is not known.
int rw_reap(rw_child *_Nonnull child);

/// Whether the child has ended already. Never waits.
bool rw_has_ended(const rw_child *_Nonnull child);

/// Whether bytes of the child are here that nobody has asked for. Never waits.
bool rw_speaks(const rw_child *_Nonnull child);

/// Processor time that the child has used so far, in microseconds; 0: not known.
int64_t rw_cpu(const rw_child *_Nonnull child);

/// What a child is doing.
typedef struct {
    /// Processor time that it has used so far.
    int64_t cpu_microseconds;
    /// It waits for something, or is stopped: it does not compute and does not want to.
    bool is_waiting;
} rw_activity;
rw_activity rw_look(const rw_child *_Nonnull child);

/// Lets the child compute for so many seconds more; a net under the parent's own clock, should the parent be busy.
void rw_allow_cpu(const rw_child *_Nonnull child, int64_t cpu_microseconds_used, unsigned seconds);

/// Microseconds of a clock that only goes forward.
int64_t rw_now(void);

/// Tells a number of bytes sent or received; 0: the other end is closed; -1: try again (a tick is over); -2: broken.
ssize_t rw_send(int socket, const void *_Nonnull bytes, size_t count);
ssize_t rw_receive(int socket, void *_Nonnull bytes, size_t room);

/// An eventfd, to wake a thread that waits for several things; -1: none left.
int rw_bell(void);
void rw_ring(int bell);
/// Waits until `bell` rings (and silences it) or one of the descriptors can be read; `ready` says which. A negative time
/// waits without end.
void rw_wait(int bell, const int *_Nullable descriptors, bool *_Nullable ready, size_t count, int milliseconds);
/// Waits until `bell` rings.
void rw_await(int bell);
void rw_close(int descriptor);

// In the child.

/// Number of the socket in the child.
#define RW_SOCKET 0

typedef struct {
    /// Bytes of address space beyond what the process has when it is sealed.
    uint64_t memory;
    /// Seconds of processor time until the parent allows more.
    uint64_t cpu_seconds;
} rw_limits;

/// What could not be done about shutting the process in; the exit code of a child that gives up.
typedef enum {
    RW_SEALED = 0,
    RW_NO_PARENT = 101,
    RW_NO_PRIVILEGES = 102,
    RW_NO_PROC = 103,
    RW_NO_LIMITS = 104,
    RW_NO_CLOSE_RANGE = 105,
    RW_NO_FILTER = 106,
} rw_seal_outcome;

/// Shuts the process in, for good: it dies with its parent, gains no rights, has no file but the socket, and may from
/// then on only read and write the socket, manage its memory, look at clocks and end; anything else ends it.
rw_seal_outcome rw_seal(pid_t parent, const rw_limits *_Nonnull limits);

/// Reads some of what is there, waiting for it; 0: the parent is gone.
ssize_t rw_read(void *_Nonnull bytes, size_t room);
/// Writes everything; false: the parent is gone.
bool rw_write_all(const void *_Nonnull bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
