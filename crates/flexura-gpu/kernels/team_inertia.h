// Mass block of a flexible body by a team of threads: the operations of inertia.h in the same order.
//
// Numbers of a lane in the room of its team. The first ninety are those of a node: inertia, force, then its handle.

enum {
    R_INERTIA = 0, R_FORCE = 21, R_HANDLE = 27, R_CHILD = 90, R_SUM = 117, R_TURNED = 144, R_GAIN = 180, R_RESPONSE = 186,
    R_ETA = 192, R_RATE = R_ETA + FX_SPACE, R_BIAS = R_RATE + FX_SPACE, R_MODAL = R_BIAS + FX_SPACE,
    R_COUPLING = R_MODAL + FX_SPACE * (FX_SPACE + 1) / 2, R_OUTER = R_COUPLING + 6 * FX_SPACE, R_INFLUENCE = R_OUTER + 6 * FX_SPACE,
    R_GRAM = R_INFLUENCE + 6 * FX_SPACE,
#if defined(FX_LEVEL) && FX_LEVEL == 1
    R_END = R_GRAM,
#else
    R_PLACE = R_GRAM, R_SPEED = R_PLACE + FX_ROWS, R_SECOND = R_SPEED + FX_ROWS, R_ZETA = R_SECOND + FX_ROWS,
    R_ZETA_RATE = R_ZETA + FX_SPACE, R_PULLED = R_ZETA_RATE + FX_SPACE, R_SLOPES = R_PULLED + 4 * FX_SPACE,
    R_END = R_SLOPES + FX_ROWS * FX_SPACE,
#endif
    // Lanes side by side start half of the banks apart.
    R_ALL = (R_END + 15) / 16 * 16 + 8
};

FX void ruthless_team(const Team &team, const real *table, int n, const real *w, real *m) {
    const int pairs = n * (n + 1) / 2;
    const real *coupling = table + 10, *modal = coupling + 6 * n, *form = modal + pairs;
    real squares[6] = {w[0] * w[0], w[0] * w[1], w[0] * w[2], w[1] * w[1], w[1] * w[2], w[2] * w[2]};
    if (team.rank == 0) rigid_part(table, w, *(Rigid *)m);
    EACH(e, 6 * n) m[R_COUPLING + e] = coupling[e];
    EACH(e, pairs) m[R_MODAL + e] = modal[e];
    EACH(r, n) {
        real sum = squares[0] * form[6 * r];
        UNROLL for (int i = 1; i < 6; i++) sum += squares[i] * form[6 * r + i];
        m[R_BIAS + r] = sum;
    }
    MEET;
}

#if !defined(FX_LEVEL) || FX_LEVEL != 1
// What moves linearly beside the carriers; inertia (6) and angular (3) in m[R_TURNED], both added to by one member.
FX void linear_team(const Team &team, const real *table, int n, int twisted, const real *eta, const real *rate, const real *w, real *m) {
    const real *inertia1 = table, *angular0 = inertia1 + 6 * n, *inertia2 = angular0 + 3 * n, *angular1 = inertia2 + 6 * n * n;
    real *inertia = m + R_TURNED, *growth = inertia + 9, *momentum = growth + 6;
    real half[6] = {w[0] * w[0] * 0.5, w[0] * w[1], w[0] * w[2], w[1] * w[1] * 0.5, w[1] * w[2], w[2] * w[2] * 0.5};
    EACH(e, 6 * n) {
        int r = e / 6, i = e % 6;
        real bend = 0;
        for (int s = 0; s < n; s++) bend += eta[s] * inertia2[6 * (r * n + s) + i];
        real first = inertia1[e] + bend;
        m[R_OUTER + e] = first;
        m[R_INFLUENCE + e] = first + bend;
    }
    EACH(e, 3 * n) {
        int r = e / 3, i = e % 3;
        real column = angular0[e], stir = 0;
        if (twisted)
            for (int s = 0; s < n; s++) {
                column += eta[s] * angular1[3 * (r * n + s) + i];
                stir += rate[s] * angular1[3 * (r * n + s) + i];
            }
        m[R_COUPLING + 6 * r + i] = column;
        m[R_COUPLING + 6 * r + 3 + i] = stir; // until the bias has taken it up
    }
    MEET;
    EACH(r, n) {
        real slope = 0;
        UNROLL for (int i = 0; i < 6; i++) slope += half[i] * m[R_INFLUENCE + 6 * r + i];
        m[R_BIAS + r] = dot(w, m + R_COUPLING + 6 * r + 3) * 2 - slope;
    }
    EACH(e, 15) {
        int i = e % 6;
        if (e < 6) {
            real sum = inertia[i];
            for (int r = 0; r < n; r++) sum += m[R_OUTER + 6 * r + i] * eta[r];
            inertia[i] = sum;
        } else if (e < 12) {
            real sum = 0;
            for (int r = 0; r < n; r++) sum += m[R_INFLUENCE + 6 * r + i] * rate[r];
            growth[i] = sum;
        } else {
            real sum = 0;
            for (int r = 0; r < n; r++) sum += rate[r] * m[R_COUPLING + 6 * r + i];
            momentum[i] = sum;
        }
    }
    MEET;
    EACH(e, 3 * n) m[R_COUPLING + e / 3 * 6 + 3 + e % 3] = 0;
    if (team.rank == 0) {
        real h[3] = {inertia[0] * w[0] + inertia[1] * w[1] + inertia[2] * w[2], inertia[1] * w[0] + inertia[3] * w[1] + inertia[4] * w[2],
            inertia[2] * w[0] + inertia[4] * w[1] + inertia[5] * w[2]};
        real g[3] = {growth[0] * w[0] + growth[1] * w[1] + growth[2] * w[2], growth[1] * w[0] + growth[3] * w[1] + growth[4] * w[2],
            growth[2] * w[0] + growth[4] * w[1] + growth[5] * w[2]};
        real t[3];
        add(3, momentum, h);
        cross(w, h, t);
        UNROLL for (int i = 0; i < 3; i++) inertia[6 + i] += g[i] + t[i];
    }
    MEET;
}

// Rows: slopes, place, speed and what stirs, six rows at a time.
FX void rows_team(const Team &team, int n, int all, int curved, const real *origin, const real *base, const real *curvature, real *m) {
    const real *eta = m + R_ETA, *rate = m + R_RATE;
    real *stirs = m + R_OUTER;
    for (int first = 0; first < all; first += 6) {
        const int count = all - first < 6 ? all - first : 6;
        EACH(e, count * n) {
            const int i = first + e / n, r = e % n;
            real slope = base[i * n + r], stir = 0;
            if (i < curved)
                for (int t = 0; t < n; t++) {
                    real g = curvature[(t * curved + i) * n + r];
                    slope += eta[t] * g;
                    stir += rate[t] * g;
                }
            m[R_SLOPES + first * n + e] = slope;
            stirs[e] = stir;
        }
        MEET;
        EACH(e, 3 * count) {
            const int i = first + e / 3, kind = e % 3;
            const real *slope = m + R_SLOPES + i * n;
            real sum = 0;
            if (kind == 0) {
                for (int r = 0; r < n; r++) sum += (slope[r] + base[i * n + r]) * eta[r];
                m[R_PLACE + i] = origin[i] + sum * 0.5;
            } else if (kind == 1) {
                for (int r = 0; r < n; r++) sum += slope[r] * rate[r];
                m[R_SPEED + i] = sum;
            } else {
                for (int r = 0; r < n; r++) sum += stirs[e / 3 * n + r] * rate[r];
                m[R_SECOND + i] = sum;
            }
        }
        MEET;
    }
}

// The residual body at zeta = eta + U dy; T = 1 + U (J - V) carries its forces back.
FX void residual_team(const Team &team, const Slot &s, int curved, int residual, const real *base, const real *lift, const real *linear, const real *w, real *m) {
    const int n = s.modes;
    const real *eta = m + R_ETA, *rate = m + R_RATE;
    EACH(u, 2 * residual) {
        const int i = curved - residual + u / 2;
        real y = u % 2 ? m[R_SPEED + i] : m[R_PLACE + i];
        const real *x = u % 2 ? rate : eta;
        for (int r = 0; r < n; r++) y -= x[r] * base[i * n + r];
        m[R_PULLED + u] = y;
    }
    MEET;
    EACH(e, 2 * n) {
        const int r = e / 2;
        real sum = e % 2 ? rate[r] : eta[r];
        for (int u = 0; u < residual; u++) sum += m[R_PULLED + 2 * u + e % 2] * lift[r * residual + u];
        m[(e % 2 ? (int)R_ZETA_RATE : (int)R_ZETA) + r] = sum;
    }
    MEET;
    linear_team(team, linear, n, s.type[T_ANGULAR1], m + R_ZETA, m + R_ZETA_RATE, w, m);
    // All pulls are taken before any column changes.
    EACH(e, 4 * residual) {
        const int u = e / 4, i = e % 4;
        real sum = 0;
        for (int r = 0; r < n; r++) sum += i < 3 ? lift[r * residual + u] * m[R_COUPLING + 6 * r + i] : m[R_BIAS + r] * lift[r * residual + u];
        m[R_PULLED + e] = sum;
    }
    MEET;
    EACH(e, 4 * n + 3) {
        const int r = e / 4, i = e % 4;
        real *to = r == n ? m + R_TURNED + 6 + i : i < 3 ? m + R_COUPLING + 6 * r + i : m + R_BIAS + r;
        real sum = *to;
        for (int u = 0; u < residual; u++) {
            const int row = curved - residual + u;
            const real turn = r == n ? m[R_SECOND + row] : m[R_SLOPES + row * n + r] - base[row * n + r];
            sum += turn * m[R_PULLED + 4 * u + i];
        }
        *to = sum;
    }
    MEET;
}

// What rows of carriers add: inertia and bias by one member, columns by all.
FX void carriers_team(const Team &team, int n, int carriers, const real *places, real root, const real *w, real *m) {
    EACH(c, carriers) {
        const int row[3] = {(int)places[3 * c], (int)places[3 * c + 1], (int)places[3 * c + 2]};
        real z[3], inner[3], swirl[3];
        UNROLL for (int i = 0; i < 3; i++) z[i] = m[R_PLACE + row[i]];
        cross(w, z, inner);
        UNROLL for (int i = 0; i < 3; i++) inner[i] += 2 * m[R_SPEED + row[i]];
        cross(w, inner, swirl);
        UNROLL for (int i = 0; i < 3; i++) m[R_SECOND + row[i]] = swirl[i] + m[R_SECOND + row[i]];
    }
    EACH(e, 3 * n) {
        const int r = e / 3, i = e % 3, j = (i + 1) % 3, k = (i + 2) % 3;
        real sum = m[R_COUPLING + 6 * r + i];
        for (int c = 0; c < carriers; c++) {
            const int rj = (int)places[3 * c + j], rk = (int)places[3 * c + k];
            sum += m[R_PLACE + rj] * m[R_SLOPES + rk * n + r] - m[R_PLACE + rk] * m[R_SLOPES + rj * n + r];
        }
        m[R_COUPLING + 6 * r + i] = sum;
        if (carriers > 0) m[R_COUPLING + 6 * r + 3 + i] = m[R_SLOPES + (int)places[i] * n + r] * root;
    }
    MEET;
    if (team.rank == 0) {
        real *inertia = m + R_TURNED, *angular = inertia + 6;
        for (int c = 0; c < carriers; c++) {
            real z[3], swirl[3], t[3];
            UNROLL for (int i = 0; i < 3; i++) {
                z[i] = m[R_PLACE + (int)places[3 * c + i]];
                swirl[i] = m[R_SECOND + (int)places[3 * c + i]];
            }
            real xx = z[0] * z[0], yy = z[1] * z[1], zz = z[2] * z[2];
            inertia[0] += yy + zz; inertia[1] -= z[0] * z[1]; inertia[2] -= z[0] * z[2];
            inertia[3] += xx + zz; inertia[4] -= z[1] * z[2]; inertia[5] += xx + yy;
            cross(z, swirl, t);
            add(3, t, angular);
        }
    }
}

FX void gram_team(const Args &a, const Team &team, const Slot &s, const real *w, real *m) {
    const int n = s.modes, all = s.type[T_ROWS], curved = s.type[T_CURVED], residual = s.type[T_RESIDUAL], pairs = n * (n + 1) / 2;
    const int carriers = s.type[T_CARRIERS];
    const real *table = numbers(a, s, T_MASS_AT), *places = numbers(a, s, T_PLACES_AT);
    const real mass = table[0], root = table[1];
    const real *origin = table + 2, *base = origin + all, *curvature = base + all * n, *constant = curvature + n * curved * n;
    const real *lift = constant + pairs, *inertia0 = lift + n * residual, *linear = inertia0 + 6;
    EACH(i, 9) m[R_TURNED + i] = i < 6 ? inertia0[i] : 0.0;
    rows_team(team, n, all, curved, origin, base, curvature, m);
    if (residual > 0) residual_team(team, s, curved, residual, base, lift, linear, w, m);
    else linear_team(team, linear, n, s.type[T_ANGULAR1], m + R_ETA, m + R_RATE, w, m);
    carriers_team(team, n, carriers, places, root, w, m);
    EACH(e, pairs + n) {
        if (e < pairs) {
            const int r = row_of(e), t = e - tri(r, 0);
            real entry = constant[e];
            for (int i = 0; i < curved; i++) entry += m[R_SLOPES + i * n + r] * m[R_SLOPES + i * n + t];
            m[R_MODAL + e] = entry;
        } else {
            const int r = e - pairs;
            real sum = m[R_BIAS + r];
            for (int i = 0; i < all; i++) sum += m[R_SLOPES + i * n + r] * m[R_SECOND + i];
            m[R_BIAS + r] = sum;
        }
    }
    if (team.rank == 0) {
        Rigid &o = *(Rigid *)m;
        real moment[3] = {0, 0, 0}, pull[3] = {0, 0, 0};
        if (carriers > 0) UNROLL for (int i = 0; i < 3; i++) {
            moment[i] = m[R_PLACE + (int)places[i]] * root;
            pull[i] = m[R_SECOND + (int)places[i]] * root;
        }
        add_mass(mass, moment, m + R_TURNED, o.inertia);
        UNROLL for (int i = 0; i < 3; i++) {
            o.force[i] += m[R_TURNED + 6 + i];
            o.force[3 + i] += pull[i];
        }
    }
    MEET;
}
#endif

// Mass block of a body with modes in the room of its lane, with elastic forces in the bias.
FX void block_team(const Args &a, const Team &team, const Slot &s, const real *w, real *m) {
    const int n = s.modes, kind = s.type[T_STIFFNESS];
#if !defined(FX_LEVEL) || FX_LEVEL != 1
    if (level(s) == RUTHLESS) {
        ruthless_team(team, numbers(a, s, T_MASS_AT), n, w, m);
    } else {
        gram_team(a, team, s, w, m);
        if (team.rank == 0) refer_inertia(a, s, m + R_ETA, m + R_RATE, *(Rigid *)m, m + R_MODAL, m + R_COUPLING, m + R_BIAS);
        MEET;
    }
#else
    ruthless_team(team, numbers(a, s, T_MASS_AT), n, w, m);
#endif
    const real *stiffness = numbers(a, s, T_STIFFNESS_AT), *eta = m + R_ETA;
    if (kind != NOTHING) EACH(r, n) {
        real sum = 0;
        if (kind == DIAGONAL) sum = eta[r] * stiffness[r];
        else for (int t = 0; t < n; t++) sum += eta[t] * stiffness[r * n + t];
        m[R_BIAS + r] += sum;
    }
    MEET;
}
