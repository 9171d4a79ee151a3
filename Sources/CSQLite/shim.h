// The system's SQLite. EffectStore links it into the program, so that no other start of the program loads anything more.
#include <sqlite3.h>

// Takes any number of arguments, which Swift cannot call: whether the last one who closes a file brings its log into it.
static inline int cs_keep_log_at_close(sqlite3 *database, int is_on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_on, (int *)0);
}

/* What Swift does not find in the system's own headers: a rename that takes the place of nothing. As rename(2), with errno.
 * syscall(2) is declared here: the header that does it brings types with it that would belong to this module from then on, and every
 * room that looks at files would have to import it. <sys/syscall.h> has numbers only. */
#include <sys/syscall.h>
extern long syscall(long number, ...);
static inline int cs_rename_to_nothing(const char *from, const char *to) {
    enum { here = -100 /* AT_FDCWD */, no_replace = 1 /* RENAME_NOREPLACE */ };
    return (int)syscall(SYS_renameat2, here, from, here, to, no_replace);
}
