// Mass block and bias of a body: rigid, level ruthless, level gram.
//
// Sources: crates/flexura/src/model/body/flexible/{ruthless,gram}.rs, book/src/theory/inertia.md (IN.14) to (IN.18).
// inertia: 21 numbers; force: rigid bias, both added to what is there; modal: lower triangle by rows; coupling: 6 per mode;
// bias: per mode.

struct Rigid {
    real inertia[21], force[6];
};
struct Block : Rigid {
    real modal[FX_SPACE * (FX_SPACE + 1) / 2], coupling[6 * FX_SPACE], bias[FX_SPACE];
};

FX void add_mass(real mass, const real *c, const real *j, real *inertia) {
    inertia[0] += j[0]; inertia[1] += j[1]; inertia[2] += j[2]; inertia[6] += j[3]; inertia[7] += j[4]; inertia[11] += j[5];
    inertia[15] += mass; inertia[18] += mass; inertia[20] += mass;
    inertia[4] -= c[2]; inertia[5] += c[1]; inertia[8] += c[2]; inertia[10] -= c[0]; inertia[12] -= c[1]; inertia[13] += c[0];
}

// Adds a rigid inertia and its bias at angular velocity w.
FX void rigid_part(const real *m, const real *w, Rigid &o) {
    const real *c = m + 1, *j = m + 4;
    add_mass(m[0], c, j, o.inertia);
    real h[3] = {j[0] * w[0] + j[1] * w[1] + j[2] * w[2], j[1] * w[0] + j[3] * w[1] + j[4] * w[2], j[2] * w[0] + j[4] * w[1] + j[5] * w[2]};
    real t[3], pull[3];
    cross(w, h, t);
    add(3, t, o.force);
    cross(w, c, t);
    cross(w, t, pull);
    add(3, pull, o.force + 3);
}

FX void ruthless_part(const real *m, int n, const real *w, Block &o) {
    const real *coupling = m + 10, *modal = coupling + 6 * n, *form = modal + n * (n + 1) / 2;
    real squares[6] = {w[0] * w[0], w[0] * w[1], w[0] * w[2], w[1] * w[1], w[1] * w[2], w[2] * w[2]};
    rigid_part(m, w, o);
    for (int r = 0; r < n; r++) {
        copy(6, coupling + 6 * r, o.coupling + 6 * r);
        real sum = squares[0] * form[6 * r];
        UNROLL for (int i = 1; i < 6; i++) sum += squares[i] * form[6 * r + i];
        o.bias[r] = sum;
        for (int s = 0; s <= r; s++) o.modal[tri(r, s)] = modal[tri(r, s)];
    }
}

// What moves linearly beside the carriers; adds to inertia (6 numbers) and angular, writes coupling (angular) and bias.
FX void linear_body(const real *m, int n, int twisted, const real *eta, const real *rate, const real *w, real *inertia, real *angular, Block &o) {
    const real *inertia1 = m, *angular0 = inertia1 + 6 * n, *inertia2 = angular0 + 3 * n, *angular1 = inertia2 + 6 * n * n;
    real half[6] = {w[0] * w[0] * 0.5, w[0] * w[1], w[0] * w[2], w[1] * w[1] * 0.5, w[1] * w[2], w[2] * w[2] * 0.5};
    real growth[6] = {0, 0, 0, 0, 0, 0}, momentum[3] = {0, 0, 0};
    for (int r = 0; r < n; r++) {
        real bend[6] = {0, 0, 0, 0, 0, 0}, slope = 0, column[3], stir[3] = {0, 0, 0};
        for (int s = 0; s < n; s++) axpy(6, eta[s], inertia2 + 6 * (r * n + s), bend);
        UNROLL for (int i = 0; i < 6; i++) {
            real first = inertia1[6 * r + i] + bend[i], derivative = first + bend[i];
            inertia[i] += first * eta[r];
            growth[i] += derivative * rate[r];
            slope += half[i] * derivative;
        }
        copy(3, angular0 + 3 * r, column);
        if (twisted)
            for (int s = 0; s < n; s++) {
                axpy(3, eta[s], angular1 + 3 * (r * n + s), column);
                axpy(3, rate[s], angular1 + 3 * (r * n + s), stir);
            }
        o.bias[r] = dot(w, stir) * 2 - slope;
        axpy(3, rate[r], column, momentum);
        copy(3, column, o.coupling + 6 * r);
        clear(3, o.coupling + 6 * r + 3);
    }
    real h[3] = {inertia[0] * w[0] + inertia[1] * w[1] + inertia[2] * w[2], inertia[1] * w[0] + inertia[3] * w[1] + inertia[4] * w[2],
        inertia[2] * w[0] + inertia[4] * w[1] + inertia[5] * w[2]};
    real g[3] = {growth[0] * w[0] + growth[1] * w[1] + growth[2] * w[2], growth[1] * w[0] + growth[3] * w[1] + growth[4] * w[2],
        growth[2] * w[0] + growth[4] * w[1] + growth[5] * w[2]};
    real t[3];
    add(3, momentum, h);
    cross(w, h, t);
    UNROLL for (int i = 0; i < 3; i++) angular[i] += g[i] + t[i];
}

FX void gram_part(const Args &a, const Slot &s, const real *eta, const real *rate, const real *w, Block &o) {
    const int n = s.modes, all = s.type[T_ROWS], curved = s.type[T_CURVED], residual = s.type[T_RESIDUAL];
    const real *m = numbers(a, s, T_MASS_AT), *places = numbers(a, s, T_PLACES_AT);
    const real mass = m[0], root = m[1];
    const real *origin = m + 2, *base = origin + all, *curvature = base + all * n, *constant = curvature + n * curved * n;
    const real *lift = constant + n * (n + 1) / 2, *inertia0 = lift + n * residual, *linear = inertia0 + 6;
    real slopes[(FX_MODES > 0 ? FX_ROWS : 1) * FX_SPACE], place[FX_MODES > 0 ? FX_ROWS : 1], speed[FX_MODES > 0 ? FX_ROWS : 1], second[FX_MODES > 0 ? FX_ROWS : 1];
    for (int i = 0; i < all; i++) {
        real at = 0, along = 0, stirred = 0;
        for (int r = 0; r < n; r++) {
            real slope = base[i * n + r], stir = 0;
            if (i < curved)
                for (int t = 0; t < n; t++) {
                    real g = curvature[(t * curved + i) * n + r];
                    slope += eta[t] * g;
                    stir += rate[t] * g;
                }
            slopes[i * n + r] = slope;
            at += (slope + base[i * n + r]) * eta[r];
            along += slope * rate[r];
            stirred += stir * rate[r];
        }
        place[i] = origin[i] + at * 0.5;
        speed[i] = along;
        second[i] = stirred;
    }
    real inertia[6], angular[3] = {0, 0, 0};
    copy(6, inertia0, inertia);
    if (residual > 0) {
        // The residual body is taken at zeta = eta + U dy; T = 1 + U (J - V) carries its forces back.
        real zeta[FX_SPACE], zeta_rate[FX_SPACE];
        for (int r = 0; r < n; r++) {
            zeta[r] = eta[r];
            zeta_rate[r] = rate[r];
        }
        for (int u = 0; u < residual; u++) {
            int i = curved - residual + u;
            real y = place[i], y_rate = speed[i];
            for (int r = 0; r < n; r++) {
                y -= eta[r] * base[i * n + r];
                y_rate -= rate[r] * base[i * n + r];
            }
            for (int r = 0; r < n; r++) {
                zeta[r] += y * lift[r * residual + u];
                zeta_rate[r] += y_rate * lift[r * residual + u];
            }
        }
        linear_body(linear, n, s.type[T_ANGULAR1], zeta, zeta_rate, w, inertia, angular, o);
        // All pulls are taken before any column changes.
        real pulled[4 * FX_SPACE];
        for (int u = 0; u < residual; u++) {
            real sum[4] = {0, 0, 0, 0};
            for (int r = 0; r < n; r++) {
                axpy(3, lift[r * residual + u], o.coupling + 6 * r, sum);
                sum[3] += o.bias[r] * lift[r * residual + u];
            }
            copy(4, sum, pulled + 4 * u);
        }
        for (int u = 0; u < residual; u++) {
            int i = curved - residual + u;
            axpy(3, second[i], pulled + 4 * u, angular);
            for (int r = 0; r < n; r++) {
                real turn = slopes[i * n + r] - base[i * n + r];
                axpy(3, turn, pulled + 4 * u, o.coupling + 6 * r);
                o.bias[r] += pulled[4 * u + 3] * turn;
            }
        }
    } else {
        linear_body(linear, n, s.type[T_ANGULAR1], eta, rate, w, inertia, angular, o);
    }
    real moment[3] = {0, 0, 0}, pull[3] = {0, 0, 0};
    for (int c = 0; c < s.type[T_CARRIERS]; c++) {
        int row[3] = {(int)places[3 * c], (int)places[3 * c + 1], (int)places[3 * c + 2]};
        real z[3], inner[3], swirl[3], t[3];
        UNROLL for (int i = 0; i < 3; i++) z[i] = place[row[i]];
        cross(w, z, inner);
        UNROLL for (int i = 0; i < 3; i++) inner[i] += 2 * speed[row[i]];
        cross(w, inner, swirl);
        UNROLL for (int i = 0; i < 3; i++) {
            swirl[i] += second[row[i]];
            second[row[i]] = swirl[i];
        }
        real xx = z[0] * z[0], yy = z[1] * z[1], zz = z[2] * z[2];
        inertia[0] += yy + zz; inertia[1] -= z[0] * z[1]; inertia[2] -= z[0] * z[2];
        inertia[3] += xx + zz; inertia[4] -= z[1] * z[2]; inertia[5] += xx + yy;
        cross(z, swirl, t);
        add(3, t, angular);
        for (int r = 0; r < n; r++) {
            real slide[3] = {slopes[row[0] * n + r], slopes[row[1] * n + r], slopes[row[2] * n + r]};
            cross(z, slide, t);
            add(3, t, o.coupling + 6 * r);
            if (c == 0) UNROLL for (int i = 0; i < 3; i++) o.coupling[6 * r + 3 + i] = slide[i] * root;
        }
        if (c == 0) UNROLL for (int i = 0; i < 3; i++) {
            moment[i] = z[i] * root;
            pull[i] = swirl[i] * root;
        }
    }
    for (int r = 0; r < n; r++) {
        real sum = o.bias[r];
        for (int i = 0; i < all; i++) sum += slopes[i * n + r] * second[i];
        o.bias[r] = sum;
        for (int t = 0; t <= r; t++) {
            real entry = constant[tri(r, t)];
            for (int i = 0; i < curved; i++) entry += slopes[i * n + r] * slopes[i * n + t];
            o.modal[tri(r, t)] = entry;
        }
    }
    add_mass(mass, moment, inertia, o.inertia);
    UNROLL for (int i = 0; i < 3; i++) {
        o.force[i] += angular[i];
        o.force[3 + i] += pull[i];
    }
}

// N* M N and N* b with N = [1 0; -Pd 1]; `inboard` holds the columns of Pd.
FX void refer_block(int n, const real *inboard, const Rigid &o, real *modal, real *coupling, real *bias) {
    for (int r = 0; r < n; r++) {
        bias[r] -= dot6(inboard + 6 * r, o.force);
        for (int s = 0; s <= r; s++) modal[tri(r, s)] -= dot6(coupling + 6 * r, inboard + 6 * s);
    }
    for (int r = 0; r < n; r++) {
        real t[6];
        symmetric_times(o.inertia, inboard + 6 * r, t);
        UNROLL for (int i = 0; i < 6; i++) coupling[6 * r + i] -= t[i];
    }
    for (int r = 0; r < n; r++)
        for (int s = 0; s <= r; s++) modal[tri(r, s)] -= dot6(inboard + 6 * r, coupling + 6 * s);
}

// Refers a block to the hinge of its body where that moves with the modes.
FX void refer_inertia(const Args &a, const Slot &s, const real *eta, const real *rate, const Rigid &o, real *modal, real *coupling, real *bias) {
    const int n = s.modes;
    if (s.type[T_INNER] == MOVING) {
        real columns[6 * FX_SPACE];
        Point inner;
        evaluate_point(numbers(a, s, T_INNER_AT), n, s.type[T_RULE], eta, rate, inner, columns);
        refer_inboard(inner, n, columns);
        refer_block(n, columns, o, modal, coupling, bias);
    } else if (s.type[T_INNER] == FROZEN) {
        refer_block(n, numbers(a, s, T_INBOARD_AT), o, modal, coupling, bias);
    }
}

// out += sign * matrix * x
FX void modal_forces(int kind, const real *m, int n, real sign, const real *x, real *out) {
    if (kind == DIAGONAL)
        for (int r = 0; r < n; r++) out[r] += sign * (x[r] * m[r]);
    if (kind == FULL)
        for (int r = 0; r < n; r++) {
            real sum = 0;
            for (int s = 0; s < n; s++) sum += x[s] * m[r * n + s];
            out[r] += sign * sum;
        }
}

// Mass block with elastic forces in the bias; damping and loads are added by the caller.
FX void evaluate_block(const Args &a, const Slot &s, const real *eta, const real *rate, const real *w, Block &o) {
    int kind = level(s), n = s.modes;
    if (n == 0 || kind == RIGID) {
        rigid_part(numbers(a, s, T_MASS_AT), w, o);
        return;
    }
    if (kind == RUTHLESS) {
        ruthless_part(numbers(a, s, T_MASS_AT), n, w, o);
    } else {
        gram_part(a, s, eta, rate, w, o);
        refer_inertia(a, s, eta, rate, o, o.modal, o.coupling, o.bias);
    }
    modal_forces(s.type[T_STIFFNESS], numbers(a, s, T_STIFFNESS_AT), n, 1.0, eta, o.bias);
}
