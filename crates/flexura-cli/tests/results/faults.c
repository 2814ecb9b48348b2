/* Makes one operation on files fail, or that one and all after it: preloaded into a program under test.
 *
 *   FAULT_FOLDER  operations on files below this folder count
 *   FAULT_AT      number of the operation that fails, from one on; 0: none, operations are only counted
 *   FAULT_ERROR   errno of the failure
 *   FAULT_LASTS   1: every later operation that needs room fails too, as on a full disk: truncations succeed
 *   FAULT_LOG     file that gets a line with the number and kind of the operation that failed, or their count at the end
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST 4096
static atomic_long count;
static atomic_char watched[MOST];

static void note(const char *text, long number) {
    char line[256], *path = getenv("FAULT_LOG");
    if (!path) return;
    int length = snprintf(line, sizeof line, "%ld %s\n", number, text);
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0) return;
    if (syscall(SYS_write, file, line, length) != length) abort();
    syscall(SYS_close, file);
}

static int below(const char *path) {
    char whole[PATH_MAX], *folder = getenv("FAULT_FOLDER");
    if (!folder || !path) return 0;
    if (path[0] == '/') return strncmp(path, folder, strlen(folder)) == 0;
    return getcwd(whole, sizeof whole) && strncmp(whole, folder, strlen(folder)) == 0;
}

/* Whether the operation that begins now is to fail. */
static int fails(const char *kind) {
    char *mode = getenv("FAULT_LASTS");
    if (mode && mode[0] == '1' && strcmp(kind, "truncate") == 0) return 0;
    long number = atomic_fetch_add(&count, 1) + 1;
    char *at = getenv("FAULT_AT"), *lasts = getenv("FAULT_LASTS"), *error = getenv("FAULT_ERROR");
    long first = at ? atol(at) : 0;
    if (first == 0 || number < first || (number > first && !(lasts && lasts[0] == '1'))) return 0;
    if (number == first) note(kind, number);
    errno = error ? atoi(error) : EIO;
    return 1;
}

__attribute__((destructor)) static void end(void) {
    char *at = getenv("FAULT_AT");
    if (at && atol(at) == 0) note("operations", atomic_load(&count));
}

static int opened(int file, const char *path) {
    if (file >= 0 && file < MOST) atomic_store(&watched[file], below(path));
    return file;
}
static int seen(int file) { return file >= 0 && file < MOST && atomic_load(&watched[file]); }

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define OPEN(name)                                                                                   \
    int name(const char *path, int flags, ...) {                                                     \
        va_list list;                                                                                \
        va_start(list, flags);                                                                       \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(list, mode_t) : 0;                    \
        va_end(list);                                                                                \
        int writes = (flags & O_ACCMODE) != O_RDONLY;                                                \
        /* A file that is there is opened, and emptied, on a full disk too. */                       \
        int makes = (flags & O_CREAT) && access(path, F_OK) != 0;                                    \
        if (writes && below(path) && fails(makes ? "open" : "truncate")) return -1;                  \
        return opened((int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode), writes ? path : NULL); \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *data, size_t size) {
    if (seen(file) && fails("write")) return -1;
    return syscall(SYS_write, file, data, size);
}
ssize_t writev(int file, const struct iovec *parts, int number) {
    if (seen(file) && fails("write")) return -1;
    return syscall(SYS_writev, file, parts, number);
}
int fsync(int file) {
    if (seen(file) && fails("fsync")) return -1;
    return (int)syscall(SYS_fsync, file);
}
int fdatasync(int file) {
    if (seen(file) && fails("fsync")) return -1;
    return (int)syscall(SYS_fdatasync, file);
}
int ftruncate64(int file, off64_t size) {
    if (seen(file) && fails("truncate")) return -1;
    return (int)syscall(SYS_ftruncate, file, size);
}
int rename(const char *from, const char *to) {
    if (below(to) && fails("rename")) return -1;
    return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}
int close(int file) {
    if (file >= 0 && file < MOST) atomic_store(&watched[file], 0);
    return (int)syscall(SYS_close, file);
}
