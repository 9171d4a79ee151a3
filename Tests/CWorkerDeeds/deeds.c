// Each call as plainly as it goes, past the libraries.
#define _GNU_SOURCE
#include "CWorkerDeeds.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

static int outcome(long answer) { return answer < 0 ? errno : 0; }

static void *nothing(void *argument) { return argument; }

int wd_call(const char *word) {
    static char *words[] = {"true", NULL};
    char byte;
    if (!strcmp(word, "open")) return outcome(syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0));
    if (!strcmp(word, "create")) return outcome(syscall(SYS_openat, AT_FDCWD, "/tmp/worker-deed", O_WRONLY | O_CREAT, 0600));
    if (!strcmp(word, "socket")) return outcome(syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
    if (!strcmp(word, "connect")) return outcome(syscall(SYS_connect, 0, NULL, 0));
    if (!strcmp(word, "fork")) return outcome(fork());
    if (!strcmp(word, "vfork")) return outcome(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0));
    if (!strcmp(word, "thread")) {
        pthread_t thread;
        return pthread_create(&thread, NULL, nothing, NULL);
    }
    if (!strcmp(word, "exec")) return outcome(execv("/bin/true", words));
    if (!strcmp(word, "ptrace")) return outcome(syscall(SYS_ptrace, PTRACE_ATTACH, getppid(), NULL, NULL));
    if (!strcmp(word, "sleep")) {
        const struct timespec hour = {.tv_sec = 3600};
        return outcome(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &hour, NULL));
    }
    if (!strcmp(word, "polite")) return outcome(syscall(SYS_setpriority, PRIO_PROCESS, 0, -10));
    if (!strcmp(word, "signal")) return outcome(syscall(SYS_pidfd_open, getppid(), 0));
    if (!strcmp(word, "memory-of")) return outcome(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
    if (!strcmp(word, "kill")) return outcome(syscall(SYS_kill, 1, 0));
    if (!strcmp(word, "limit")) {
        const struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
        return outcome(syscall(SYS_prlimit64, 0, RLIMIT_CPU, &limit, NULL));
    }
    if (!strcmp(word, "code")) {
        return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0;
    }
    if (!strcmp(word, "make-code")) {
        void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return page == MAP_FAILED ? errno : outcome(mprotect(page, 4096, PROT_READ | PROT_EXEC));
    }
    if (!strcmp(word, "other-file")) return outcome(syscall(SYS_read, 5, &byte, 1));
    if (!strcmp(word, "other-output")) return outcome(syscall(SYS_write, 2, "x", 1));
    if (!strcmp(word, "memory")) {
        return mmap(NULL, 8ul << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0;
    }
    if (!strcmp(word, "sysinfo")) {
        struct sysinfo about;
        return outcome(syscall(SYS_sysinfo, &about));
    }
    return -1;
}
