// Teams of threads that share one piece of work.
//
// A team goes from phase to phase over numbers in shared memory: EACH spreads the items of a phase over its members, MEET ends the phase.
// Every item is computed by one member, in the order of operations of a single thread, so that the bits do not depend on the team. The
// emulation takes the items of a phase last to first: one that relied on another of its phase would show.

struct Team {
    int rank, size;
    unsigned members; // of the warp
};
#ifdef __CUDACC__
#define EACH(i, n) for (int i = team.rank; i < (n); i += team.size)
#define MEET __syncwarp(team.members)
#else
#define EACH(i, n) for (int i = (n) - 1; i >= 0; i--)
#define MEET ((void)0)
#endif

FX int at6_row(int e) { return (e >= 6) + (e >= 11) + (e >= 15) + (e >= 18) + (e >= 20); }
FX real symmetric_row(const real *s, int i, const real *v) {
    real sum = 0;
    UNROLL for (int j = 0; j < 6; j++) sum += s[at6(i, j)] * v[j];
    return sum;
}
FX real row_times(const real *row, const real *v) {
    real sum = 0;
    UNROLL for (int j = 0; j < 6; j++) sum += row[j] * v[j];
    return sum;
}
FX real column_times(const real *m, int j, const real *v) {
    real sum = 0;
    UNROLL for (int i = 0; i < 6; i++) sum += m[6 * i + j] * v[i];
    return sum;
}
// Row of entry e of a lower triangle.
FX int row_of(int e) {
    int r = (int)(0.5f * (sqrtf(8.0f * (float)e + 1.0f) - 1.0f));
    if (tri(r + 1, 0) <= e) r++;
    if (tri(r, 0) > e) r--;
    return r;
}
