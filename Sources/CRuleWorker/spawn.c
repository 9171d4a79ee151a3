// The parent's side: starting a child, watching it, ending it.
#define _GNU_SOURCE
#include "CRuleWorker.h"
#include "sanitized.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int start(const char *program, const char *name, int socket, pid_t *pid) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&files);
    if (failed) return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&files);
        return failed;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    failed = posix_spawn_file_actions_adddup2(&files, socket, RW_SOCKET);
    if (!failed) failed = posix_spawn_file_actions_addclosefrom_np(&files, RW_SOCKET + 1);
    if (!failed) failed = posix_spawnattr_setsigmask(&attributes, &none);
    if (!failed) failed = posix_spawnattr_setsigdefault(&attributes, &all);
    // A group of its own: an interrupt from the terminal is the parent's to answer.
    if (!failed) failed = posix_spawnattr_setpgroup(&attributes, 0);
    if (!failed) {
        failed = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    if (!failed) {
        char parent[24];
        snprintf(parent, sizeof parent, "%d", (int)getpid());
        char *words[] = {(char *)name, parent, NULL};
        char *environment[] = {
            "SWIFT_BACKTRACE=enable=no",
#ifdef RW_SANITIZED
            // A child has no output to report on and may start no program that looks for leaks or names places. What a
            // sanitizer finds still ends it, by SIGSYS when it begins to speak; a plain crash is to stay one.
            "ASAN_OPTIONS=detect_leaks=0:symbolize=0:handle_segv=0:handle_abort=0",
            "TSAN_OPTIONS=symbolize=0:handle_segv=0:handle_abort=0:atexit_sleep_ms=0",
#endif
            NULL,
        };
        failed = posix_spawn(pid, program, &files, &attributes, words, environment);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

int rw_spawn(const char *program, const char *name, rw_child *child) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    const struct timeval tick = {.tv_sec = 0, .tv_usec = RW_TICK_MILLISECONDS * 1000};
    int failed = 0;
    if (setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &tick, sizeof tick) != 0 ||
        setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &tick, sizeof tick) != 0) {
        failed = errno;
    }
    pid_t pid = 0;
    if (!failed) failed = start(program, name, ends[1], &pid);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        return failed;
    }
    const int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (pidfd < 0) {
        failed = errno;
        // It is our child and has not been waited for: the number is still its own.
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        close(ends[0]);
        return failed;
    }
    *child = (rw_child){.pid = pid, .pidfd = pidfd, .socket = ends[0]};
    return 0;
}

// A process of the idle class leaves the processor as soon as any other wakes up; a nice one would first end its slice,
// which is some milliseconds, and a neighbour's message is a tenth of one.
void rw_give_way(const rw_child *child) {
    const struct sched_param none = {.sched_priority = 0};
    sched_setscheduler(child->pid, SCHED_IDLE, &none);
}

void rw_kill(const rw_child *child) { syscall(SYS_pidfd_send_signal, child->pidfd, SIGKILL, NULL, 0); }

int rw_reap(rw_child *child) {
    siginfo_t end;
    memset(&end, 0, sizeof end);
    int found;
    do {
        found = waitid(P_PIDFD, (id_t)child->pidfd, &end, WEXITED);
    } while (found != 0 && errno == EINTR);
    close(child->pidfd);
    close(child->socket);
    if (found != 0) return 0;
    return end.si_code == CLD_EXITED ? -1 - end.si_status : end.si_status;
}

bool rw_has_ended(const rw_child *child) {
    struct pollfd end = {.fd = child->pidfd, .events = POLLIN};
    return poll(&end, 1, 0) == 1;
}

bool rw_speaks(const rw_child *child) {
    char byte;
    return recv(child->socket, &byte, 1, MSG_DONTWAIT | MSG_PEEK) > 0;
}

static int64_t microseconds(const struct timespec *time) {
    return (int64_t)time->tv_sec * 1000000 + time->tv_nsec / 1000;
}

/// R, S, D, T, …; 0: not known.
static char state_letter(pid_t pid) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[128];
    const ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    // The name stands in parentheses and may hold some itself; ours is short.
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' ? name_end[2] : 0;
}

int64_t rw_cpu(const rw_child *child) {
    clockid_t clock;
    struct timespec used;
    const bool is_known = clock_getcpuclockid(child->pid, &clock) == 0 && clock_gettime(clock, &used) == 0;
    return is_known ? microseconds(&used) : 0;
}

rw_activity rw_look(const rw_child *child) {
    rw_activity activity = {.cpu_microseconds = rw_cpu(child)};
    const char letter = state_letter(child->pid);
    activity.is_waiting = letter == 'S' || letter == 'T' || letter == 't';
    return activity;
}

void rw_allow_cpu(const rw_child *child, int64_t used, unsigned seconds) {
    const rlim_t allowed = (rlim_t)(used / 1000000) + seconds;
    const struct rlimit limit = {.rlim_cur = allowed, .rlim_max = RLIM_INFINITY};
    prlimit(child->pid, RLIMIT_CPU, &limit, NULL);
}

int64_t rw_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return microseconds(&now);
}

static ssize_t outcome(ssize_t count) {
    if (count >= 0) return count;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? -1 : -2;
}

ssize_t rw_send(int socket, const void *bytes, size_t count) { return outcome(send(socket, bytes, count, MSG_NOSIGNAL)); }

ssize_t rw_receive(int socket, void *bytes, size_t room) { return outcome(recv(socket, bytes, room, 0)); }

int rw_bell(void) { return eventfd(0, EFD_CLOEXEC); }

void rw_ring(int bell) {
    const uint64_t one = 1;
    ssize_t written;
    do {
        written = write(bell, &one, sizeof one);
    } while (written < 0 && errno == EINTR);
}

void rw_await(int bell) {
    uint64_t rings;
    ssize_t count;
    do {
        count = read(bell, &rings, sizeof rings);
    } while (count < 0 && errno == EINTR);
}

#define RW_MOST_WATCHED 1023

void rw_wait(int bell, const int *descriptors, bool *ready, size_t count, int milliseconds) {
    struct pollfd watched[RW_MOST_WATCHED + 1];
    if (count > RW_MOST_WATCHED) count = RW_MOST_WATCHED;
    watched[0] = (struct pollfd){.fd = bell, .events = POLLIN};
    for (size_t place = 0; place < count; place++) {
        watched[place + 1] = (struct pollfd){.fd = descriptors[place], .events = POLLIN};
        ready[place] = false;
    }
    if (poll(watched, count + 1, milliseconds) <= 0) return;
    for (size_t place = 0; place < count; place++) ready[place] = watched[place + 1].revents != 0;
    if (watched[0].revents & POLLIN) rw_await(bell);
}

void rw_close(int descriptor) { close(descriptor); }
