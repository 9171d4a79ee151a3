// The child's side: shutting itself in before any rule text arrives. What is allowed stands in one list, with a reason for
// each call; a call that is not on it ends the process.
#define _GNU_SOURCE
#include "CRuleWorker.h"
#include "sanitized.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int limit(int resource, rlim_t most, rlim_t hard) {
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) != 0) return errno;
    if (now.rlim_max != RLIM_INFINITY && (hard == RLIM_INFINITY || hard > now.rlim_max)) hard = now.rlim_max;
    if (hard != RLIM_INFINITY && most > hard) most = hard;
    const struct rlimit wanted = {.rlim_cur = most, .rlim_max = hard};
    return setrlimit((__rlimit_resource_t)resource, &wanted) == 0 ? 0 : errno;
}

#ifndef RW_SANITIZED
/// Address space of the process in bytes; 0: not known.
static rlim_t address_space(void) {
    char text[32];
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    return (rlim_t)strtoull(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
}
#endif

static rw_seal_outcome set_limits(const rw_limits *limits) {
    int failed = 0;
#ifndef RW_SANITIZED
    // The sanitizers reserve terabytes.
    const rlim_t now = address_space();
    if (now == 0) return RW_NO_PROC;
    failed = limit(RLIMIT_AS, now + limits->memory, now + limits->memory);
#endif
    // The parent raises it while it is content, so the hard limit stays; the filter keeps the child from doing so.
    if (!failed) failed = limit(RLIMIT_CPU, limits->cpu_seconds, RLIM_INFINITY);
    // Lua's parser and the deepest patterns need less than half a MiB; where the system gives less than this, it stays so.
    if (!failed) failed = limit(RLIMIT_STACK, 8 << 20, 8 << 20);
    if (!failed) failed = limit(RLIMIT_FSIZE, 0, 0);
    if (!failed) failed = limit(RLIMIT_NPROC, 0, 0);
    if (!failed) failed = limit(RLIMIT_CORE, 0, 0);
    if (!failed) failed = limit(RLIMIT_NOFILE, RW_SOCKET + 1, RW_SOCKET + 1);
    return failed ? RW_NO_LIMITS : RW_SEALED;
}

/// Without conditions.
static const int allowed[] = {
    SCMP_SYS(brk),           // memory
    SCMP_SYS(munmap),        // memory
    SCMP_SYS(mremap),        // memory
    SCMP_SYS(madvise),       // memory
    SCMP_SYS(futex),         // locks of the runtime, of which there is one user
    SCMP_SYS(clock_gettime), // the net under fuel: processor time is no vdso call
    SCMP_SYS(getrandom),     // seeds of the runtime's hashing
    SCMP_SYS(exit_group),    // the end
    SCMP_SYS(exit),
    SCMP_SYS(rt_sigreturn),    // back from a signal that the kernel sends (SIGXCPU ends it anyway)
    SCMP_SYS(restart_syscall), // a read goes on after the process was stopped and continued
#ifdef RW_SANITIZED
    SCMP_SYS(sigaltstack), // the address sanitizer asks which stack it is on when an error of Lua jumps
    SCMP_SYS(sched_yield), // the sanitizers' own locks
#endif
};

static rw_seal_outcome set_filter(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return RW_NO_FILTER;
    int failed = 0;
    for (size_t place = 0; place < sizeof allowed / sizeof *allowed && !failed; place++) {
        failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[place], 0);
    }
    const struct scmp_arg_cmp socket = {.arg = 0, .op = SCMP_CMP_EQ, .datum_a = RW_SOCKET, .datum_b = 0};
    if (!failed) failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(read), 1, socket);
    if (!failed) failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, socket);
    // Memory that is neither code nor a file.
    const struct scmp_arg_cmp no_code = {.arg = 2, .op = SCMP_CMP_MASKED_EQ, .datum_a = PROT_EXEC, .datum_b = 0};
    const struct scmp_arg_cmp no_file = {
        .arg = 3, .op = SCMP_CMP_MASKED_EQ, .datum_a = MAP_ANONYMOUS, .datum_b = MAP_ANONYMOUS};
    if (!failed) failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, no_code, no_file);
    if (!failed) failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, no_code);
    // glibc's qsort asks for the size of the machine's memory and can do without the answer.
    if (!failed) failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(sysinfo), 0);
    if (!failed) failed = seccomp_load(filter);
    seccomp_release(filter);
    return failed ? RW_NO_FILTER : RW_SEALED;
}

rw_seal_outcome rw_seal(pid_t parent, const rw_limits *limits) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return RW_NO_PARENT;
    // It may have died before that was said.
    if (getppid() != parent) return RW_NO_PARENT;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return RW_NO_PRIVILEGES;
    const rw_seal_outcome failed = set_limits(limits);
    if (failed) return failed;
    if (close_range(RW_SOCKET + 1, ~0U, 0) != 0) return RW_NO_CLOSE_RANGE;
    return set_filter();
}

ssize_t rw_read(void *bytes, size_t room) {
    ssize_t count;
    do {
        count = read(RW_SOCKET, bytes, room);
    } while (count < 0 && errno == EINTR);
    return count < 0 ? 0 : count;
}

bool rw_write_all(const void *bytes, size_t count) {
    const char *place = bytes;
    while (count > 0) {
        const ssize_t done = write(RW_SOCKET, place, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        place += done;
        count -= (size_t)done;
    }
    return true;
}
