// The system's SQLite. EffectStore links it into the program, so that no other start of the program loads anything more.
#include <sqlite3.h>

// Takes any number of arguments, which Swift cannot call: whether the last one who closes a file brings its log into it.
static inline int cs_keep_log_at_close(sqlite3 *database, int is_on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_on, (int *)0);
}

/* What Swift does not find in the system's own headers: a rename that takes the place of nothing. As rename(2), with errno. */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
static inline int cs_rename_to_nothing(const char *from, const char *to) {
    /* RENAME_NOREPLACE */
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u);
}
