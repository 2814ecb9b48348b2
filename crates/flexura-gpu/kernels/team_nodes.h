// Joins and partings by a team of threads, one warp for each assembly.
//
// Near the top of the tree there are fewer assemblies than a device has multiprocessors: what counts there is how long one of them
// takes. The operations are those of nodes.h in the same order, so that both give the same bits. Cost of a join some 15 phases, two
// factors of 5 x 5.

// Words of an assembly in a block (crates/flexura/src/lower/blocks.rs): node, its parts, whether it goes on, rows of its interface, lane
// of the first body of its right part. Numbers that a team works on.
enum { W_NODE, W_LEFT, W_RIGHT, W_OPEN, W_ROWS, W_LANE, W_ALL };
enum { HANDLES = E_BIAS + 6, ROOM = 2 * HANDLES + 36 + 4 * 42 + 2 * 36 + 21 };
// Assemblies that a block of threads takes in all, and teams that it has.
enum { TEAM_NODES = 32, TEAMS = 8 };

FX int rows_of(const int *words) {
#ifdef FX_ONE_FREE
    return 5;
#else
    return words[W_ROWS];
#endif
}

FX int tri_row(int e) { return (e >= 1) + (e >= 3) + (e >= 6) + (e >= 10) + (e >= 15); }
#ifdef __CUDACC__
// Many fields at once: all are under way before the first is put down. `from(e)` is read, `to(e)` written.
#define FETCH(most, count, from, to)                                                    \
    {                                                                                   \
        real held[(most) / 32];                                                         \
        UNROLL for (int c = 0; c < (most) / 32; c++) {                                  \
            int e = team.rank + 32 * c;                                                 \
            if (e < (count)) held[c] = from;                                            \
        }                                                                               \
        UNROLL for (int c = 0; c < (most) / 32; c++) {                                  \
            int e = team.rank + 32 * c;                                                 \
            if (e < (count)) to = held[c];                                              \
        }                                                                               \
    }
#else
#define FETCH(most, count, from, to)                                                    \
    for (int e = 0; e < (count); e++) to = from;
#endif

FX void join_team(const Args &a, const Team &team, const int *words, real *room) {
    (void)team;
    const int node = words[W_NODE], l = words[W_LEFT], r = words[W_RIGHT], n = rows_of(words), pairs = n * (n + 1) / 2;
    real *left = room, *right = left + HANDLES, *basis = right + HANDLES, *moved = basis + 36, *share = moved + 42, *passed = share + 42;
    real *stretched = passed + 42, *rows = stretched + 42, *felt = rows + 36, *factor = felt + 36, f[21];
    const real *compliance = left + E_COMPLIANCE, *x = left + E_TRANSFER, *beyond = right + E_TRANSFER;
    FETCH(224, 2 * HANDLES + 6 * n,
        e < HANDLES ? EL(e, l) : e < 2 * HANDLES ? EL(e - HANDLES, r) : EL(E_INTERFACE + e - 2 * HANDLES, words[W_LANE]), left[e])
    MEET;
    // Y: rows of P_B on what the joint does not free.
    EACH(e, 6 * n) moved[e] = symmetric_row(right + E_INERTIA, e % 6, basis + e / 6 * 6);
    MEET;
    EACH(e, pairs) {
        int q = tri_row(e), p = e - tri(q, 0);
        factor[e] = dot6(moved + 6 * p, basis + 6 * q);
    }
    MEET;
    UNROLL for (int i = 0; i < 21; i++) f[i] = i < pairs ? factor[i] : 0.0;
    semidefinite_factor(n, f);
    MEET;
    if (team.rank == 0) UNROLL for (int i = 0; i < 21; i++) factor[i] = f[i];
    MEET;
    EACH(e, 6 * n) {
        int p = e / 6, i = e % 6;
        real sum = 0;
        for (int q = p; q < n; q++) sum += factor[tri(q, p)] * basis[6 * q + i];
        rows[e] = sum;
    }
    MEET;
    // Z: rows of the interface.
    EACH(e, 6 * n) moved[e] = symmetric_row(compliance, e % 6, rows + e / 6 * 6);
    MEET;
    EACH(e, pairs) {
        int q = tri_row(e), p = e - tri(q, 0);
        real sum = dot6(moved + 6 * p, rows + 6 * q);
        factor[e] = p == q ? 1 + sum : sum;
    }
    MEET;
    UNROLL for (int i = 0; i < 21; i++) f[i] = i < pairs ? factor[i] : 1.0;
    unit_factor(n, f);
    EACH(i, 6) {
        real column[6];
        UNROLL for (int q = 0; q < 6; q++) {
            if (q < n) {
                column[q] = rows[6 * q + i];
                UNROLL for (int p = 0; p < q; p++) column[q] += -f[tri(q, p)] * column[p];
                column[q] *= f[tri(q, q)];
                rows[6 * q + i] = column[q];
                EL(E_INTERFACE + 6 * q + i, node) = column[q];
            }
        }
    }
    MEET;
    // Seven loads side by side: unit forces at the handle beyond, and what acts without them.
    EACH(e, 42) {
        int j = e / 6, i = e % 6;
        if (j == 6) {
            moved[e] = left[E_BIAS + i] - symmetric_row(compliance, i, right + E_FORCE);
        } else {
            real column[6];
            UNROLL for (int k = 0; k < 6; k++) column[k] = beyond[6 * k + j];
            moved[e] = -symmetric_row(compliance, i, column);
        }
    }
    EACH(e, 6 * n) felt[e] = row_times(x + 6 * (e % 6), rows + e / 6 * 6);
    MEET;
    EACH(e, 7 * n) share[e] = dot6(rows + 6 * (e % n), moved + 6 * (e / n));
    EACH(e, 21) {
        int i = at6_row(e), j = e - at6(i, i) + i;
        real sum = left[E_INERTIA + e];
        for (int p = 0; p < n; p++) sum += felt[6 * p + i] * felt[6 * p + j];
        EL(E_INERTIA + e, node) = sum;
    }
    MEET;
    EACH(e, 42) {
        int j = e / 6, i = e % 6;
        real sum = j == 6 ? right[E_FORCE + i] : beyond[6 * i + j];
        for (int p = 0; p < n; p++) sum += share[n * j + p] * rows[6 * p + i];
        passed[e] = sum;
    }
    MEET;
    EACH(e, 42) {
        int j = e / 6, i = e % 6;
        real out = row_times(x + 6 * i, passed + 6 * j), pull = symmetric_row(compliance, i, passed + 6 * j);
        if (j == 6) EL(E_FORCE + i, node) = left[E_FORCE + i] + out;
        else if (words[W_OPEN]) EL(E_TRANSFER + 6 * i + j, node) = out;
        stretched[e] = j == 6 ? left[E_BIAS + i] - pull : pull;
    }
    MEET;
    if (words[W_OPEN]) {
        EACH(e, 27) {
            if (e < 21) {
                int q = at6_row(e), j = e - at6(q, q) + q;
                real sum = right[E_COMPLIANCE + e];
                UNROLL for (int i = 0; i < 6; i++) sum += beyond[6 * i + q] * stretched[6 * j + i];
                EL(E_COMPLIANCE + e, node) = sum;
            } else {
                int j = e - 21;
                real column[6];
                UNROLL for (int i = 0; i < 6; i++) column[i] = beyond[6 * i + j];
                EL(E_BIAS + j, node) = right[E_BIAS + j] + dot6(column, stretched + 36);
            }
        }
    }
    MEET;
}

FX void part_team(const Args &a, const Team &team, const int *words, real *room) {
    (void)team;
    const int node = words[W_NODE], l = words[W_LEFT], r = words[W_RIGHT], n = rows_of(words);
    // Transfer, compliance and bias of the left part, force and transfer of the right one, rows, acceleration and pull.
    enum { FROM_LEFT = HANDLES - E_TRANSFER, FROM_RIGHT = E_COMPLIANCE - E_FORCE, OWN = 36, GIVEN = 12 };
    real *left = room, *right = left + FROM_LEFT, *rows = right + FROM_RIGHT, *alpha = rows + OWN, *g = alpha + 6;
    real *free = g + 6, *pull = free + 6, *gap = pull + 6, *between = gap + 6, *share = between + 6;
    const real *x = left, *compliance = left + E_COMPLIANCE - E_TRANSFER, *bias = left + E_BIAS - E_TRANSFER;
    const real *force = right, *beyond = right + E_TRANSFER - E_FORCE;
    FETCH(160, FROM_LEFT + FROM_RIGHT + OWN + GIVEN,
        e < FROM_LEFT ? EL(E_TRANSFER + e, l)
        : e < FROM_LEFT + FROM_RIGHT ? EL(E_FORCE + e - FROM_LEFT, r)
        : e < FROM_LEFT + FROM_RIGHT + OWN ? EL(E_INTERFACE + e - FROM_LEFT - FROM_RIGHT, node)
        : EL(E_ACCELERATION + e - FROM_LEFT - FROM_RIGHT - OWN, node), left[e])
    MEET;
    EACH(e, 12) {
        int i = e % 6;
        if (e < 6) {
            free[i] = column_times(x, i, alpha) + bias[i];
        } else {
            pull[i] = words[W_OPEN] ? force[i] + row_times(beyond + 6 * i, g) : force[i];
        }
    }
    MEET;
    EACH(i, 6) gap[i] = free[i] - symmetric_row(compliance, i, pull);
    MEET;
    EACH(p, n) share[p] = dot6(rows + 6 * p, gap);
    MEET;
    EACH(i, 6) {
        real sum = pull[i];
        for (int p = 0; p < n; p++) sum += share[p] * rows[6 * p + i];
        between[i] = sum;
    }
    MEET;
    EACH(i, 6) {
        EL(E_ACCELERATION + i, l) = alpha[i];
        EL(E_PULL + i, l) = between[i];
        EL(E_ACCELERATION + i, r) = free[i] - symmetric_row(compliance, i, between);
        EL(E_PULL + i, r) = g[i];
    }
    MEET;
}
