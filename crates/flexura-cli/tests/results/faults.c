/* Makes one operation on files fail, or that one and all after it: preloaded into a program under test.
 *
 *   FAULT_FOLDER  operations on files below this folder count
 *   FAULT_AT      number of the operation that fails, from one on; 0: none, operations are only counted
 *   FAULT_ERROR   errno of the failure
 *   FAULT_LASTS   1: every later operation that needs room fails too, as on a full disk: truncations succeed
 *   FAULT_LOG     file that gets a line with the number and kind of the operation that failed, or their count at the end
 *   FAULT_MEMORY  number of the allocation that fails, from one on; 0: none, they are only counted, and the log gets their count
 *   FAULT_RECORD  file that gets every operation with its data, in their order: what a disk is told before the power goes
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
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST 4096
static atomic_long count;
static atomic_char watched[MOST], folders[MOST];

static void note(const char *text, long number) {
    char line[256], *path = getenv("FAULT_LOG");
    if (!path) return;
    int length = snprintf(line, sizeof line, "%ld %s\n", number, text);
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0) return;
    if (syscall(SYS_write, file, line, length) != length) abort();
    syscall(SYS_close, file);
}

/* One operation: a line of words, then `size` bytes of data. */
static void record(const void *data, size_t size, const char *words, ...) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char line[PATH_MAX * 2 + 64], *path = getenv("FAULT_RECORD");
    if (!path) return;
    va_list list;
    va_start(list, words);
    int length = vsnprintf(line, sizeof line, words, list);
    va_end(list);
    pthread_mutex_lock(&lock);
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (syscall(SYS_write, file, line, length) != length) abort();
    if (size && syscall(SYS_write, file, data, size) != (long)size) abort();
    syscall(SYS_close, file);
    pthread_mutex_unlock(&lock);
}

/* A path as it is named from the watched folder. */
static const char *inside(const char *path) {
    char *folder = getenv("FAULT_FOLDER");
    size_t length = folder ? strlen(folder) : 0;
    if (length && strncmp(path, folder, length) == 0) return path[length] == '/' ? path + length + 1 : path + length;
    return path;
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

/* Memory: the n-th time it is asked for there is none. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
static atomic_long asked;
static int none_left(void) {
    static atomic_long first = -2;
    long at = atomic_load(&first);
    if (at == -2) {
        char *text = getenv("FAULT_MEMORY");
        atomic_store(&first, at = text ? atol(text) : -1);
    }
    return at >= 0 && atomic_fetch_add(&asked, 1) + 1 == at;
}
void *malloc(size_t size) { return none_left() ? NULL : __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return none_left() ? NULL : __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return none_left() ? NULL : __libc_realloc(old, size); }
int posix_memalign(void **place, size_t alignment, size_t size) {
    if (none_left()) return ENOMEM;
    *place = __libc_memalign(alignment, size);
    return *place ? 0 : ENOMEM;
}

__attribute__((destructor)) static void end(void) {
    char *memory = getenv("FAULT_MEMORY");
    if (memory && atol(memory) == 0) note("allocations", atomic_load(&asked));
    char *at = getenv("FAULT_AT");
    if (at && atol(at) == 0) note("operations", atomic_load(&count));
}

static int opened(int file, const char *path, int flags) {
    if (file < 0 || file >= MOST) return file;
    struct stat found;
    int writes = (flags & O_ACCMODE) != O_RDONLY;
    atomic_store(&watched[file], writes && below(path));
    atomic_store(&folders[file], !writes && below(path) && fstat(file, &found) == 0 && S_ISDIR(found.st_mode));
    if (writes && below(path))
        record(NULL, 0, "open %d %d %d %s\n", file, !!(flags & O_TRUNC), !!(flags & O_APPEND), inside(path));
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
        return opened((int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode), path, flags); \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *data, size_t size) {
    if (seen(file) && fails("write")) return -1;
    long at = seen(file) ? lseek(file, 0, SEEK_CUR) : 0;
    ssize_t done = syscall(SYS_write, file, data, size);
    if (seen(file) && done > 0) record(data, done, "write %d %ld %zd\n", file, at, done);
    return done;
}
ssize_t writev(int file, const struct iovec *parts, int number) {
    if (seen(file) && fails("write")) return -1;
    if (seen(file) && getenv("FAULT_RECORD")) return number > 0 ? write(file, parts[0].iov_base, parts[0].iov_len) : 0;
    return syscall(SYS_writev, file, parts, number);
}
int fsync(int file) {
    if (seen(file) && fails("fsync")) return -1;
    if (seen(file)) record(NULL, 0, "sync %d\n", file);
    if (file >= 0 && file < MOST && atomic_load(&folders[file])) record(NULL, 0, "folder\n");
    return (int)syscall(SYS_fsync, file);
}
int fdatasync(int file) {
    if (seen(file) && fails("fsync")) return -1;
    if (seen(file)) record(NULL, 0, "sync %d\n", file);
    return (int)syscall(SYS_fdatasync, file);
}
int ftruncate64(int file, off64_t size) {
    if (seen(file) && fails("truncate")) return -1;
    if (seen(file)) record(NULL, 0, "truncate %d %ld\n", file, (long)size);
    return (int)syscall(SYS_ftruncate, file, size);
}
int rename(const char *from, const char *to) {
    if (below(to) && fails("rename")) return -1;
    if (below(to)) {
        /* Names are relative to different places; the second is told after the first. */
        record(NULL, 0, "from %s\n", inside(from));
        record(NULL, 0, "to %s\n", inside(to));
    }
    return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}
int close(int file) {
    if (file >= 0 && file < MOST) atomic_store(&watched[file], 0);
    return (int)syscall(SYS_close, file);
}
