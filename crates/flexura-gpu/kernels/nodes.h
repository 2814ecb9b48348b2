// Assemblies of a huge system: maps of the angular velocity, handle equations, sums of branches.
//
// Source: Mukherjee & Anderson eqs 71-91; crates/flexura/src/algorithm/divide_and_conquer/element.rs,
// book/src/theory/divide_and_conquer.md (DC.4) to (DC.7). With P_B = Y* Y on the directions that the joint does not free, the
// loads between A and B follow from 1 + Y W_A Y*: symmetric, all eigenvalues at least one; nothing is pivoted.
// Fields of a node stand side by side over the nodes.

#define EL(f, node) a.element[(size_t)(f) * a.nodes + (node)]

FX void spin_up_of(const Args &a, int node, int l, int r) {
    real left[9], right[9], both[9], offset[3], beyond[3], t[3];
    UNROLL for (int i = 0; i < 9; i++) {
        left[i] = EL(E_SPIN + i, l);
        right[i] = EL(E_SPIN + i, r);
    }
    UNROLL for (int i = 0; i < 3; i++) {
        offset[i] = EL(E_OFFSET + i, l);
        beyond[i] = EL(E_OFFSET + i, r);
    }
    product(right, left, both);
    times(right, offset, t);
    UNROLL for (int i = 0; i < 9; i++) EL(E_SPIN + i, node) = both[i];
    UNROLL for (int i = 0; i < 3; i++) EL(E_OFFSET + i, node) = t[i] + beyond[i];
}
FX void spin_up(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS;
    spin_up_of(a, node, w[N_LEFT], w[N_RIGHT]);
}

// Angular velocity with which a path starts: that of its carrier.
FX void spin_root(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS, *words = lane_words(a, w[N_LANE]);
    real omega[3];
    carrier_omega(a, words[LN_CARRIER_LANE], words[LN_CARRIER_SLOT], omega);
    UNROLL for (int i = 0; i < 3; i++) EL(E_OMEGA + i, node) = omega[i];
}

FX void spin_down_of(const Args &a, int node, int l, int r) {
    real omega[3], map[9], offset[3], t[3];
    UNROLL for (int i = 0; i < 3; i++) omega[i] = EL(E_OMEGA + i, node);
    UNROLL for (int i = 0; i < 9; i++) map[i] = EL(E_SPIN + i, l);
    UNROLL for (int i = 0; i < 3; i++) offset[i] = EL(E_OFFSET + i, l);
    times(map, omega, t);
    UNROLL for (int i = 0; i < 3; i++) {
        EL(E_OMEGA + i, l) = omega[i];
        EL(E_OMEGA + i, r) = t[i] + offset[i];
    }
}
FX void spin_down(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS;
    spin_down_of(a, node, w[N_LEFT], w[N_RIGHT]);
}

// x - v (v.x)
FX void reflect(const real *v, real *x) { axpy(6, -dot6(v, x), v, x); }

// Free columns of the joint that carries the first body of a lane.
FX int free_columns(const Args &a, int lane, real *columns) {
    Slot s = slot_of(a, lane_words(a, lane), lane, 0);
    int m = 0;
    for (int c = 0; c < s.dof; c++)
        if (!(prescribed(s) >> c & 1)) load_column(a, s, c, columns + 6 * m++);
    return m;
}

// Orthonormal rows that span what `d` columns do not free (Householder); the columns become reflectors.
FX void complement_of(int d, real *columns, real *basis) {
    for (int c = 0; c < d; c++) {
        real *x = columns + 6 * c;
        for (int e = 0; e < c; e++) reflect(columns + 6 * e, x);
        for (int i = 0; i < c; i++) x[i] = 0;
        real length = sqrt(dot6(x, x));
        x[c] += x[c] < 0 ? -length : length;
        real square = dot6(x, x), scale = square > 0 ? sqrt(2 / square) : 0.0;
        UNROLL for (int i = 0; i < 6; i++) x[i] *= scale;
    }
    for (int j = d; j < 6; j++) {
        real *row = basis + 6 * (j - d);
        UNROLL for (int i = 0; i < 6; i++) row[i] = i == j ? 1.0 : 0.0;
        for (int c = d - 1; c >= 0; c--) reflect(columns + 6 * c, row);
    }
}

// Lower factor of a semidefinite matrix of order n, in place; pivots that are rounding give an empty column.
FX void semidefinite_factor(int n, real *f) {
    UNROLL for (int p = 0; p < 6; p++) {
        if (p >= n) continue;
        real diagonal = f[tri(p, p)], pivot = diagonal;
        UNROLL for (int k = 0; k < p; k++) pivot -= f[tri(p, k)] * f[tri(p, k)];
        bool empty = !(pivot > 8.881784197001252e-16 * diagonal);
        real inverse = empty ? 0.0 : 1 / sqrt(pivot);
        UNROLL for (int q = p; q < 6; q++) {
            if (q >= n) continue;
            real sum = f[tri(q, p)];
            UNROLL for (int k = 0; k < p; k++) sum -= f[tri(q, k)] * f[tri(p, k)];
            f[tri(q, p)] = sum * inverse;
        }
    }
}

// Lower factor of a matrix with eigenvalues of at least one, in place, its diagonal inverted.
FX void unit_factor(int n, real *f) {
    UNROLL for (int r = 0; r < 6; r++) {
        if (r >= n) continue;
        UNROLL for (int s = 0; s <= r; s++) {
            real sum = f[tri(r, s)];
            UNROLL for (int p = 0; p < s; p++) sum -= f[tri(r, p)] * f[tri(s, p)];
            f[tri(r, s)] = s < r ? sum * f[tri(s, s)] : 1 / sqrt(sum);
        }
    }
}

// Rows Y with Y* Y = inertia on the span of `basis`, n of them; pivots that are rounding give no row.
FX void semidefinite_rows(int n, const real *inertia, const real *basis, real *rows) {
    real f[21];
    for (int p = 0; p < n; p++) {
        real moved[6];
        symmetric_times(inertia, basis + 6 * p, moved);
        for (int q = p; q < n; q++) f[tri(q, p)] = dot6(moved, basis + 6 * q);
    }
    semidefinite_factor(n, f);
    for (int p = 0; p < n; p++) {
        clear(6, rows + 6 * p);
        for (int q = p; q < n; q++) axpy(6, f[tri(q, p)], basis + 6 * q, rows + 6 * p);
    }
}

// Rows Y with Y* Y = (1 + P W)^-1 P for the joint that carries the first body of a lane; returns how many. The product itself would do
// and be smaller, but its rounding also acts along the directions that the joint frees, where soft handles enlarge it (4e-9 over 10,000 bodies).
FX int interface_of(const Args &a, int lane, const real *inertia, const real *compliance, real *rows) {
    real columns[36], basis[36], system[21];
    int d = free_columns(a, lane, columns), n = 6 - d;
    complement_of(d, columns, basis);
    semidefinite_rows(n, inertia, basis, rows);
    for (int p = 0; p < n; p++) {
        real moved[6];
        symmetric_times(compliance, rows + 6 * p, moved);
        for (int q = p; q < n; q++) {
            real sum = dot6(moved, rows + 6 * q);
            system[tri(q, p)] = p == q ? 1 + sum : sum;
        }
    }
    unit_factor(n, system);
    for (int r = 0; r < n; r++) {
        for (int p = 0; p < r; p++) axpy(6, -system[tri(r, p)], rows + 6 * p, rows + 6 * r);
        UNROLL for (int i = 0; i < 6; i++) rows[6 * r + i] *= system[tri(r, r)];
    }
    return n;
}

// Directions that the joint of the first body of a lane does not free: teams that join read them, at the node of the lane, which has no
// interface of its own.
FX void store_basis(const Args &a, int lane, int node) {
    real columns[36], basis[36];
    int d = free_columns(a, lane, columns);
    complement_of(d, columns, basis);
    for (int i = 0; i < 6 * (6 - d); i++) EL(E_INTERFACE + i, node) = basis[i];
}

// f + Y* Y e
FX void react(int n, const real *rows, const real *e, real *f) {
    for (int r = 0; r < n; r++) axpy(6, dot6(rows + 6 * r, e), rows + 6 * r, f);
}

// Rows of the joint that carries the first body of a lane.
FX int interface_rows(const Args &a, int lane) {
    Slot s = slot_of(a, lane_words(a, lane), lane, 0);
#ifdef FX_ONE_FREE
    return 5;
#else
    int n = 6;
    for (int c = 0; c < s.dof; c++)
        if (!(prescribed(s) >> c & 1)) n--;
    return n;
#endif
}

FX void join(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS;
    const int l = w[N_LEFT], r = w[N_RIGHT];
    real compliance[21], rows[36], x[36];
    int n;
    {
        real inertia[21];
        UNROLL for (int i = 0; i < 21; i++) {
            inertia[i] = EL(E_INERTIA + i, r);
            compliance[i] = EL(E_COMPLIANCE + i, l);
        }
        n = interface_of(a, a.node[(size_t)r * N_WORDS + N_LANE], inertia, compliance, rows);
    }
    for (int i = 0; i < 6 * n; i++) EL(E_INTERFACE + i, node) = rows[i];
    UNROLL for (int i = 0; i < 36; i++) x[i] = EL(E_TRANSFER + i, l);
    real force[6], bias[6], gap[6], between[6], t[6], rest[6];
    UNROLL for (int i = 0; i < 6; i++) {
        force[i] = EL(E_FORCE + i, r);
        bias[i] = EL(E_BIAS + i, l);
    }
    symmetric_times(compliance, force, t);
    UNROLL for (int i = 0; i < 6; i++) gap[i] = bias[i] - t[i];
    copy(6, force, between);
    react(n, rows, gap, between);
    times6(x, between, t);
    UNROLL for (int i = 0; i < 6; i++) EL(E_FORCE + i, node) = EL(E_FORCE + i, l) + t[i];
    // P_A + (X_A Y*)(X_A Y*)*
    {
        real inertia[21];
        UNROLL for (int i = 0; i < 21; i++) inertia[i] = EL(E_INERTIA + i, l);
        for (int p = 0; p < n; p++) {
            times6(x, rows + 6 * p, t);
            add_square(1.0, t, inertia);
        }
        UNROLL for (int i = 0; i < 21; i++) EL(E_INERTIA + i, node) = inertia[i];
    }
    if (!w[N_OPEN]) return;
    symmetric_times(compliance, between, t);
    UNROLL for (int i = 0; i < 6; i++) rest[i] = bias[i] - t[i];
    for (int j = 0; j < 6; j++) {
        real column[6], moved[6], passed[6], stretched[6], out[6];
        UNROLL for (int i = 0; i < 6; i++) column[i] = EL(E_TRANSFER + 6 * i + j, r);
        EL(E_BIAS + j, node) = EL(E_BIAS + j, r) + dot6(column, rest);
        symmetric_times(compliance, column, moved);
        UNROLL for (int i = 0; i < 6; i++) moved[i] = -moved[i];
        copy(6, column, passed);
        react(n, rows, moved, passed);
        times6(x, passed, out);
        UNROLL for (int i = 0; i < 6; i++) EL(E_TRANSFER + 6 * i + j, node) = out[i];
        symmetric_times(compliance, passed, stretched);
        for (int q = 0; q <= j; q++) {
            real sum = EL(E_COMPLIANCE + at6(q, j), r);
            UNROLL for (int i = 0; i < 6; i++) sum += EL(E_TRANSFER + 6 * i + q, r) * stretched[i];
            EL(E_COMPLIANCE + at6(q, j), node) = sum;
        }
    }
}

// What a closed path shows to its carrier.
FX void show(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS, *words = lane_words(a, w[N_LANE]);
    Slot s = slot_of(a, words, w[N_LANE], 0);
    Link link;
    real inertia[21], force[6], turned[6], reach[3];
    UNROLL for (int i = 0; i < 21; i++) inertia[i] = EL(E_INERTIA + i, node);
    UNROLL for (int i = 0; i < 6; i++) force[i] = EL(E_FORCE + i, node);
    load_pose(a, s, link);
    reach_of(s, link, reach);
    carry_symmetric(link.rotation, reach, inertia);
    carry(link.rotation, reach, force, turned);
    UNROLL for (int i = 0; i < 21; i++) EL(E_SHOWN + i, node) = inertia[i];
    UNROLL for (int i = 0; i < 6; i++) EL(E_SHOWN + 21 + i, node) = turned[i];
}

FX void sum(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS;
    UNROLL for (int i = 0; i < 27; i++) EL(E_SHOWN + i, node) = EL(E_SHOWN + i, w[N_LEFT]) + EL(E_SHOWN + i, w[N_RIGHT]);
}

// Acceleration with which a path starts: that of its carrier, in the axes of its first body.
FX void hang(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS, *words = lane_words(a, w[N_LANE]);
    Slot s = slot_of(a, words, w[N_LANE], 0);
    Link link;
    real motion[6];
    load_pose(a, s, link);
    carrier_acceleration(a, words[LN_CARRIER_LANE], words[LN_CARRIER_SLOT], motion);
    if (words[LN_CARRIER_SLOT] < 0) {
        real own[6];
        rotate_back6(link.rotation, motion, own);
        copy(6, own, motion);
    } else {
        inherit(a, s, link, words[LN_CARRIER_LANE], words[LN_CARRIER_SLOT], motion);
    }
    UNROLL for (int i = 0; i < 6; i++) {
        EL(E_ACCELERATION + i, node) = motion[i];
        EL(E_PULL + i, node) = 0;
    }
}

FX void part(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS;
    const int l = w[N_LEFT], r = w[N_RIGHT];
    const int n = interface_rows(a, a.node[(size_t)r * N_WORDS + N_LANE]);
    real x[36], compliance[21], alpha[6], g[6], free[6], pull[6], t[6], between[6];
    UNROLL for (int i = 0; i < 6; i++) {
        alpha[i] = EL(E_ACCELERATION + i, node);
        g[i] = EL(E_PULL + i, node);
    }
    UNROLL for (int i = 0; i < 36; i++) x[i] = EL(E_TRANSFER + i, l);
    transposed_times6(x, alpha, free);
    UNROLL for (int i = 0; i < 6; i++) free[i] += EL(E_BIAS + i, l);
    UNROLL for (int i = 0; i < 6; i++) pull[i] = EL(E_FORCE + i, r);
    if (w[N_OPEN]) {
        UNROLL for (int i = 0; i < 36; i++) x[i] = EL(E_TRANSFER + i, r);
        times6(x, g, t);
        add(6, t, pull);
    }
    UNROLL for (int i = 0; i < 21; i++) compliance[i] = EL(E_COMPLIANCE + i, l);
    symmetric_times(compliance, pull, t);
    real gap[6];
    UNROLL for (int i = 0; i < 6; i++) gap[i] = free[i] - t[i];
    copy(6, pull, between);
    for (int p = 0; p < n; p++) {
        real row[6];
        UNROLL for (int i = 0; i < 6; i++) row[i] = EL(E_INTERFACE + 6 * p + i, node);
        react(1, row, gap, between);
    }
    symmetric_times(compliance, between, t);
    UNROLL for (int i = 0; i < 6; i++) {
        EL(E_ACCELERATION + i, l) = alpha[i];
        EL(E_PULL + i, l) = between[i];
        EL(E_ACCELERATION + i, r) = free[i] - t[i];
        EL(E_PULL + i, r) = g[i];
    }
}
