// Functions of time and laws of joint coordinates (crates/flexura/src/time_function, force/joint_law.rs, force/tree_joint.rs).

enum { CONSTANT, POLYNOMIAL, HARMONIC, CYCLOIDAL, SPLINE, PIECEWISE };

// Value, rate and acceleration at t; at a break point from the left where `before`.
FXN void sample_function(const real *all, int at, real t, int before, real *o) {
    const real *f = all + at;
    while ((int)f[0] == PIECEWISE) {
        int n = (int)f[1], index = 0;
        while (index < n && (before ? f[2 + index] < t : f[2 + index] <= t)) index++;
        f = all + (int)f[2 + n + index];
    }
    o[0] = o[1] = o[2] = 0;
    switch ((int)f[0]) {
    case CONSTANT:
        o[0] = f[1];
        break;
    case POLYNOMIAL: {
        real half = 0;
        for (int k = (int)f[1] - 1; k >= 0; k--) {
            half = half * t + o[1];
            o[1] = o[1] * t + o[0];
            o[0] = o[0] * t + f[2 + k];
        }
        o[2] = 2 * half;
        break;
    }
    case HARMONIC: {
        real s, c;
        sine_cosine(f[3] * t + f[4], s, c);
        o[0] = f[1] + f[2] * s;
        o[1] = f[2] * f[3] * c;
        o[2] = -f[2] * f[3] * f[3] * s;
        break;
    }
    case CYCLOIDAL: {
        real s = (t - f[3]) / f[4], rise = f[2] - f[1], sine, cosine;
        const real turn = 6.28318530717958647692;
        if (s <= 0) { o[0] = f[1]; break; }
        if (s >= 1) { o[0] = f[2]; break; }
        sine_cosine(turn * s, sine, cosine);
        o[0] = f[1] + rise * (s - sine / turn);
        o[1] = rise / f[4] * (1 - cosine);
        o[2] = rise / (f[4] * f[4]) * turn * sine;
        break;
    }
    default: { // cubic pieces: times, then four coefficients of the time since the start of each piece
        int n = (int)f[1], low = 0, high = n;
        const real *times = f + 2, *pieces = times + n + 1;
        if (before ? t <= times[0] : t < times[0]) { o[0] = pieces[0]; break; }
        if (before ? t > times[n] : t >= times[n]) {
            const real *c = pieces + 4 * (n - 1);
            real x = times[n] - times[n - 1];
            o[0] = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
            break;
        }
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (before ? times[middle] < t : times[middle] <= t) low = middle; else high = middle;
        }
        const real *c = pieces + 4 * low;
        real x = t - times[low];
        o[0] = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
        o[1] = c[1] + x * (2 * c[2] + x * 3 * c[3]);
        o[2] = 2 * c[2] + 6 * x * c[3];
    }
    }
}

FX const real *clock_of(const Args &a, int lane) { return a.time + (a.clocked ? 2 * (size_t)lane : 0); }

// Efforts on the speeds of a joint; returns their power.
FX real joint_efforts(const Args &a, const Slot &s, const real *q, const real *u, real *effort) {
    const int law = s.type[T_LAW], dof = s.dof, kind = s.type[T_KIND];
    UNROLL for (int i = 0; i < dof; i++) effort[i] = 0;
    if (law == 0) return 0;
    const real *laws = numbers(a, s, T_LAW_AT), *functions = numbers(a, s, T_FUNCTIONS_AT);
    bool round = kind == SPHERICAL || kind == FREE;
    if (law & LAW_SPRING) {
        real at[6] = {0, 0, 0, 0, 0, 0};
        if (round) {
            quaternion_log(q, at);
            if (kind == FREE) copy(3, q + 4, at + 3);
        } else {
            UNROLL for (int i = 0; i < dof; i++) at[i] = q[i];
        }
        for (int i = 0; i < dof; i++) effort[i] = -(at[i] - laws[L_ALL * i + L_REST]) * laws[L_ALL * i + L_STIFFNESS];
        if (round) {
            real minus[3] = {-at[0], -at[1], -at[2]}, mapped[3];
            right_jacobian_inverse(minus, effort, mapped);
            copy(3, mapped, effort);
        }
        if (kind == FREE) {
            real r[9], mapped[3];
            matrix_of_quaternion(q, r);
            times_back(r, effort + 3, mapped);
            copy(3, mapped, effort + 3);
        }
    }
    real power = 0;
    if (law & LAW_OTHER) {
        const real *clock = clock_of(a, s.lane);
        for (int i = 0; i < dof; i++) {
            const real *l = laws + L_ALL * i;
            real other = 0;
            if (l[L_DAMPING] != 0) other -= u[i] * l[L_DAMPING];
            if (l[L_FRICTION] != 0) other -= hyperbolic_tangent(u[i] * (1 / l[L_FRICTION_SPEED])) * l[L_FRICTION];
            if (functions[2 * i] >= 0) {
                real sample[3];
                sample_function(a.function, (int)functions[2 * i], clock[0], clock[1] != 0, sample);
                other += sample[0];
            }
            power += other * u[i];
            effort[i] += other;
        }
    }
    return power;
}

// Coordinates, speeds and accelerations of prescribed joints (crates/flexura/src/state/prescribe.rs). The time is given: inside a
// step one thread writes it for the launches that follow, which others must not read yet.
FX void prescribe_slot(const Args &a, const Slot &s, real time, int before) {
    if (!prescribed(s)) return;
    const real *functions = numbers(a, s, T_FUNCTIONS_AT);
    const int kind = s.type[T_KIND], qb = s.layout[Y_Q] + s.modes, vb = s.layout[Y_V] + s.modes;
    bool round = kind == SPHERICAL || kind == FREE;
    real sample[6][3];
    for (int i = 0; i < s.dof; i++)
        if (functions[2 * i + 1] >= 0) sample_function(a.function, (int)functions[2 * i + 1], time, before, sample[i]);
    if (!round) {
        for (int i = 0; i < s.dof; i++)
            if (functions[2 * i + 1] >= 0) {
                a.q[AT(a, qb, i, s.lane)] = sample[i][0];
                a.v[AT(a, vb, i, s.lane)] = sample[i][1];
                a.rate[AT(a, vb, i, s.lane)] = sample[i][2];
            }
        return;
    }
    real q[7], u[6], w[6];
    UNROLL for (int i = 0; i < s.type[T_NQ]; i++) q[i] = a.q[AT(a, qb, i, s.lane)];
    UNROLL for (int i = 0; i < s.dof; i++) u[i] = a.v[AT(a, vb, i, s.lane)];
    if (s.type[T_PRESCRIBED] & 7) {
        real theta[3], rate[3], second[3], first[3], twice[3], mixed[3], j1[3], j2[3];
        UNROLL for (int i = 0; i < 3; i++) {
            theta[i] = sample[i][0];
            rate[i] = sample[i][1];
            second[i] = sample[i][2];
        }
        real x = dot(theta, theta), b_slope, c_slope, x_rate = 2 * dot(theta, rate);
        Coefficients e = coefficients(x);
        if (x < 1) {
            b_slope = e.d - e.c * 0.5;
            c_slope = (e.e * 3 - e.d) * 0.5;
        } else {
            real half = 0.5 / x;
            b_slope = (e.a - e.b * 2) * half;
            c_slope = (e.b - e.c * 3) * half;
        }
        // Jr = 1 - b t~ + c t~^2 is Jl with -b.
        jacobian_times(theta, rate, -e.b, e.c, j1);
        jacobian_times(theta, second, -e.b, e.c, j2);
        cross(theta, rate, first);
        cross(theta, first, twice);
        cross(rate, first, mixed);
        quaternion_exp(theta, q);
        UNROLL for (int i = 0; i < 3; i++) {
            u[i] = j1[i];
            w[i] = j2[i] + (-x_rate * b_slope * first[i] + x_rate * c_slope * twice[i] + e.c * mixed[i]);
            a.v[AT(a, vb, i, s.lane)] = u[i];
            a.rate[AT(a, vb, i, s.lane)] = w[i];
        }
        UNROLL for (int i = 0; i < 4; i++) a.q[AT(a, qb, i, s.lane)] = q[i];
    }
    if (kind == FREE && (s.type[T_PRESCRIBED] & 56)) {
        real r[9], p_rate[3], p_second[3], v[3], b[3], turning[3];
        UNROLL for (int i = 0; i < 3; i++) {
            p_rate[i] = sample[3 + i][1];
            p_second[i] = sample[3 + i][2];
        }
        matrix_of_quaternion(q, r);
        times_back(r, p_rate, v);
        times_back(r, p_second, b);
        cross(u, v, turning);
        UNROLL for (int i = 0; i < 3; i++) {
            a.q[AT(a, qb, 4 + i, s.lane)] = sample[3 + i][0];
            a.v[AT(a, vb, 3 + i, s.lane)] = v[i];
            a.rate[AT(a, vb, 3 + i, s.lane)] = b[i] - turning[i];
        }
    }
}

FX void prescribe_at(const Args &a, int slot, int lane) {
    const int *words = lane_words(a, lane);
    const real *clock = clock_of(a, lane);
    if (slot < words[LN_LENGTH]) prescribe_slot(a, slot_of(a, words, lane, slot), clock[0], clock[1] != 0);
}
