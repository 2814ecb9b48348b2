/* The few calls of MPI that Flexura needs: a library of its own, compiled by `flexura mpi --build` against the header of the
   MPI at hand, whose constants and types differ between libraries, so that no other file has to know them. */
#include <mpi.h>
#include <string.h>

/* Number of this list of functions: a program loads the libraries of its own number only. */
int flexura_mpi_interface(void) { return 1; }

/* The family, which says whose launcher it belongs to. */
const char *flexura_mpi_family(void) {
#if defined(OPEN_MPI)
    return "openmpi";
#elif defined(MPICH_VERSION) || defined(MPICH_NAME)
    return "mpich";
#else
    return "other";
#endif
}

int flexura_mpi_start(int *rank, int *size) {
    int provided = 0, begun = 0;
    int failed = MPI_Initialized(&begun);
    /* Somebody else in the process, such as mpi4py, may have started it. Calls come from one thread at a time, not always
       from the same. */
    if (!failed && begun) failed = MPI_Query_thread(&provided);
    else if (!failed) failed = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    if (failed) return failed;
    if (provided < MPI_THREAD_SERIALIZED) return -1;
    failed = MPI_Comm_rank(MPI_COMM_WORLD, rank);
    if (!failed) failed = MPI_Comm_size(MPI_COMM_WORLD, size);
    return failed ? failed : begun ? -2 : 0;
}

int flexura_mpi_all_gather(const double *own, int count, double *all, const int *counts, const int *starts) {
    return MPI_Allgatherv(own, count, MPI_DOUBLE, all, counts, starts, MPI_DOUBLE, MPI_COMM_WORLD);
}

int flexura_mpi_barrier(void) { return MPI_Barrier(MPI_COMM_WORLD); }

int flexura_mpi_send(const void *bytes, int count, int to, int tag) {
    return MPI_Send(bytes, count, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

/* Whether a message with this tag is there, from whom and how long; `from` is negative where there is none. */
int flexura_mpi_look(int tag, int *from, int *count) {
    int there = 0;
    MPI_Status status;
    int failed = MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
    *from = -1;
    if (failed || !there) return failed;
    *from = status.MPI_SOURCE;
    return MPI_Get_count(&status, MPI_BYTE, count);
}

int flexura_mpi_receive(void *bytes, int count, int from, int tag) {
    return MPI_Recv(bytes, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int flexura_mpi_end(void) { return MPI_Finalize(); }

void flexura_mpi_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

/* What the library calls itself. */
void flexura_mpi_library(char *text, int room) {
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (MPI_Get_library_version(name, &length)) length = 0;
    if (length >= room) length = room - 1;
    memcpy(text, name, length);
    text[length] = 0;
}
