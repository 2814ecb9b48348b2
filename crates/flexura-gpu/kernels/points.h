// Points of flexible bodies (crates/flexura/src/model/body/attachment.rs, book/src/theory/kinematics.md (KI.1) to (KI.6)).

struct Point {
    real rotation[9], place[3], rate[6], convective[6];
};

FX void still_point(const real *place, Point &o) {
    unit3(o.rotation);
    copy(3, place, o.place);
    clear(6, o.rate);
    clear(6, o.convective);
}

// Jl v = v + b t x v + c t x (t x v)
FX void jacobian_times(const real *theta, const real *v, real b, real c, real *o) {
    real first[3], second[3];
    cross(theta, v, first);
    cross(theta, first, second);
    UNROLL for (int i = 0; i < 3; i++) o[i] = v[i] + b * first[i] + c * second[i];
}

// Place, rates and columns of a point under rule `exact` (0) or `lambda_etad` (1); `columns` receives 6 numbers per mode.
FXN void evaluate_point(const real *p, int n, int rule, const real *eta, const real *rate, Point &o, real *columns) {
    const real *slopes = p + P_SLOPES, *shifts = slopes + 3 * n, *bends = shifts + 3 * n;
    const real *turns = bends + (p[P_QUADRATIC] != 0 ? 3 * n * n : 0);
    bool quadratic = p[P_QUADRATIC] != 0, bent = rule == 0 && p[P_TURN_QUADRATIC] != 0;
    copy(3, p + P_PLACE, o.place);
    clear(6, o.rate);
    clear(6, o.convective);
    real u[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    for (int r = 0; r < n; r++) {
        axpy(3, eta[r], slopes + 3 * r, u);
        axpy(3, rate[r], slopes + 3 * r, v);
        real along[3], bend[3] = {0, 0, 0}, bend_rate[3] = {0, 0, 0};
        copy(3, shifts + 3 * r, along);
        if (quadratic)
            for (int s = 0; s < n; s++) {
                axpy(3, eta[s], bends + 3 * (r * n + s), bend);
                axpy(3, rate[s], bends + 3 * (r * n + s), bend_rate);
            }
        UNROLL for (int i = 0; i < 3; i++) {
            o.place[i] += (along[i] + bend[i] * 0.5) * eta[r];
            along[i] += bend[i];
            o.convective[3 + i] += bend_rate[i] * rate[r];
            o.rate[3 + i] += rate[r] * along[i];
            columns[6 * r + 3 + i] = along[i];
        }
    }
    if (rule != 0) {
        for (int r = 0; r < n; r++) copy(3, slopes + 3 * r, columns + 6 * r);
        Coefficients e = coefficients(dot(u, u));
        rotation_from(u, e.a, e.b, o.rotation);
        copy(3, v, o.rate);
        return;
    }
    // Rotation vector with the terms of second and third order (section_turn.rs).
    real sixth = p[P_SIXTH], third = 2 * sixth;
    real uu = u[1] * u[1] + u[2] * u[2], uv = u[1] * v[1] + u[2] * v[2], vv = v[1] * v[1] + v[2] * v[2], grown = uu * sixth + 1;
    real theta[3] = {u[0], u[1] * grown, u[2] * grown};
    real theta_rate[3] = {v[0], v[1] * grown + u[1] * uv * third, v[2] * grown + u[2] * uv * third};
    real second[3] = {0, (v[1] * uv * 2 + u[1] * vv) * third, (v[2] * uv * 2 + u[2] * vv) * third};
    for (int r = 0; r < n; r++) {
        const real *slope = slopes + 3 * r;
        real along = (u[1] * slope[1] + u[2] * slope[2]) * third;
        real turn[3] = {slope[0], grown * slope[1] + along * u[1], grown * slope[2] + along * u[2]};
        if (bent) {
            real bend[3] = {0, 0, 0}, bend_rate[3] = {0, 0, 0};
            for (int s = 0; s < n; s++) {
                axpy(3, eta[s], turns + 3 * (r * n + s), bend);
                axpy(3, rate[s], turns + 3 * (r * n + s), bend_rate);
            }
            UNROLL for (int i = 0; i < 3; i++) {
                turn[i] += bend[i];
                theta[i] += bend[i] * eta[r] * 0.5;
                theta_rate[i] += bend[i] * rate[r];
                second[i] += bend_rate[i] * rate[r];
            }
        }
        copy(3, turn, columns + 6 * r);
    }
    real x = dot(theta, theta);
    Coefficients e = coefficients(x);
    for (int r = 0; r < n; r++) {
        real spin[3];
        jacobian_times(theta, columns + 6 * r, e.b, e.c, spin);
        copy(3, spin, columns + 6 * r);
    }
    rotation_from(theta, e.a, e.b, o.rotation);
    jacobian_times(theta, theta_rate, e.b, e.c, o.rate);
    real carried[3], b_slope, c_slope, a[3], b[3], c[3];
    jacobian_times(theta, second, e.b, e.c, carried);
    if (x < 1) {
        b_slope = e.d - e.c * 0.5;
        c_slope = (e.e * 3 - e.d) * 0.5;
    } else {
        real half = 0.5 / x;
        b_slope = (e.a - e.b * 2) * half;
        c_slope = (e.b - e.c * 3) * half;
    }
    real x_rate = dot(theta, theta_rate) * 2;
    cross(theta, theta_rate, a);
    cross(theta, a, b);
    cross(theta_rate, a, c);
    UNROLL for (int i = 0; i < 3; i++)
        o.convective[i] = (x_rate * b_slope * a[i] + x_rate * c_slope * b[i] + e.c * c[i]) + carried[i];
}

// An undeformed point that modes move: rates of the undeformed place, constant columns.
FX void frozen_point(const real *p, int n, const real *rate, Point &o, real *columns) {
    const real *slopes = p + P_SLOPES, *shifts = slopes + 3 * n;
    still_point(p + P_PLACE, o);
    for (int r = 0; r < n; r++) {
        copy(3, slopes + 3 * r, columns + 6 * r);
        copy(3, shifts + 3 * r, columns + 6 * r + 3);
        axpy(3, rate[r], slopes + 3 * r, o.rate);
        axpy(3, rate[r], shifts + 3 * r, o.rate + 3);
    }
}

// Acceleration of a point at rest accelerations when its body turns at w.
FX void point_bias(const Point &p, const real *w, real *o) {
    real turning[3], inner[3], centripetal[3], coriolis[3];
    cross(w, p.rate, turning);
    cross(w, p.place, inner);
    cross(w, inner, centripetal);
    cross(w, p.rate + 3, coriolis);
    UNROLL for (int i = 0; i < 3; i++) {
        o[i] = turning[i] + p.convective[i];
        o[3 + i] = centripetal[i] + coriolis[i] * 2 + p.convective[3 + i];
    }
}

// Pd = phi*(d, k) P^d of the inboard point: columns in place.
FX void refer_inboard(const Point &inner, int n, real *columns) {
    real back[3] = {-inner.place[0], -inner.place[1], -inner.place[2]};
    for (int r = 0; r < n; r++) shift_motion(back, columns + 6 * r);
}
