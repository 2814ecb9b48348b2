// Motion of a body against its carrier, and the outward passes over a lane.
//
// Source: book/src/theory/kinematics.md (KI.7) to (KI.13), crates/flexura/src/motion/kinematics. Pose, angular velocity and
// bias of a body need the modal coordinates of its carrier beside its own state; nothing else crosses a joint outward but
// the angular velocity, which is an affine map along a path: w_k = E*(w_p + rate) + d.

struct Link {
    real rotation[9], from[3], lever[3], omega[3], bias[6];
};

FX void load_modes(const Args &a, int lane, const int *layout, int n, real *eta, real *rate) {
    for (int r = 0; r < n; r++) {
        eta[r] = a.q[AT(a, layout[Y_Q], r, lane)];
        rate[r] = a.v[AT(a, layout[Y_V], r, lane)];
    }
}

// Pose of a one-axis joint between still points.
FX void fixed_pose(const real *j, int dof, int turns, real sine, real cosine, real q, Link &o) {
    copy(9, j + J_ROTATION, o.rotation);
    copy(3, j + J_OFFSET, o.from);
    copy(3, j + J_LEVER, o.lever);
    if (dof == 1) {
        if (turns) {
            real versine = 1 - cosine;
            UNROLL for (int i = 0; i < 9; i++) o.rotation[i] = (o.rotation[i] + sine * j[J_ROTATION + 9 + i]) + versine * j[J_ROTATION + 18 + i];
            UNROLL for (int i = 0; i < 3; i++) o.from[i] = (o.from[i] + sine * j[J_OFFSET + 3 + i]) + versine * j[J_OFFSET + 6 + i];
        }
        axpy(3, q, j + J_SLIDE, o.from);
    }
}

// Angular velocity and bias of a one-axis joint; `rate` is the turning of the carrier's point by its modes.
FX void fixed_motion(const real *j, int dof, real u, const real *carrier, const real *rate, Link &o) {
    real relative[6], inherited[3], reach[3], inner[3], centripetal[3], turned[3], twice[3], t[3], point[3];
    UNROLL for (int i = 0; i < 6; i++) relative[i] = dof == 1 ? u * j[J_COLUMN + i] : 0.0;
    times_back(o.rotation, carrier, inherited);
    UNROLL for (int i = 0; i < 3; i++) {
        reach[i] = o.lever[i] + o.from[i];
        twice[i] = inherited[i] * 2 + relative[i];
        point[i] = carrier[i] + rate[i];
    }
    cross(carrier, reach, inner);
    cross(carrier, inner, centripetal);
    times_back(o.rotation, centripetal, turned);
    cross(twice, relative + 3, t);
    cross(inherited, relative, o.bias);
    UNROLL for (int i = 0; i < 3; i++) o.bias[3 + i] = turned[i] + t[i];
    times_back(o.rotation, point, o.omega);
    UNROLL for (int i = 0; i < 3; i++) o.omega[i] += relative[i];
}

// The point of the carrier on which a body hangs; where it moves, its columns referred to the carrier's hinge.
FX void carrier_point(const Args &a, const Slot &s, const real *eta_p, const real *rate_p, Point &outer, real *influence, real *scratch) {
    const int *type = s.type;
    const int np = parent_modes(s);
    const real origin[3] = {0, 0, 0};
    if (type[T_OUTER] == MOVING) evaluate_point(numbers(a, s, T_OUTER_AT), np, type[T_PARENT_RULE], eta_p, rate_p, outer, influence);
    else if (type[T_OUTER] == FROZEN) frozen_point(numbers(a, s, T_OUTER_AT), np, rate_p, outer, scratch);
    else {
        still_point(type[T_OUTER_AT] >= 0 ? numbers(a, s, T_OUTER_AT) + P_PLACE : origin, outer);
        if (type[T_INFLUENCE] == 2) clear(6 * np, influence);
    }
    if (type[T_INFLUENCE] == 2 && type[T_PARENT_INNER] == MOVING) {
        Point hinge;
        evaluate_point(numbers(a, s, T_PARENT_INNER_AT), np, type[T_PARENT_RULE], eta_p, rate_p, hinge, scratch);
        refer_inboard(hinge, np, scratch);
        for (int r = 0; r < np; r++) {
            shift_motion(outer.place, scratch + 6 * r);
            UNROLL for (int i = 0; i < 6; i++) influence[6 * r + i] -= scratch[6 * r + i];
        }
    }
}

// A one-axis joint on a point that moves with the modes of its carrier.
FX void mounted_motion(const Args &a, const Slot &s, int carrier_lane, int carrier_slot, const real *carrier, Link &o, real *influence) {
    const real *j = numbers(a, s, T_JOINT_AT);
    real eta_p[FX_SPACE], rate_p[FX_SPACE], scratch[6 * FX_SPACE], sine = 0, cosine = 1, q = 0, u = 0;
    Point outer;
    load_modes(a, carrier_lane, a.layout + carrier_slot * Y_WORDS, parent_modes(s), eta_p, rate_p);
    carrier_point(a, s, eta_p, rate_p, outer, influence, scratch);
    if (s.dof == 1) {
        q = a.q[AT(a, s.layout[Y_Q] + s.modes, 0, s.lane)];
        u = a.v[AT(a, s.layout[Y_V] + s.modes, 0, s.lane)];
        if (s.type[T_TURNS]) sine_cosine(q, sine, cosine);
    }
    Link local;
    fixed_pose(j, s.dof, s.type[T_TURNS], sine, cosine, q, local);
    product(outer.rotation, local.rotation, o.rotation);
    times(outer.rotation, local.from, o.from);
    copy(3, outer.place, o.lever);
    real relative[6], omega[3], bias[6], own[3], angular[3], t[3], c1[3], c2[3], c3[3], twice[3];
    point_bias(outer, carrier, bias);
    UNROLL for (int i = 0; i < 6; i++) relative[i] = s.dof == 1 ? u * j[J_COLUMN + i] : 0.0;
    UNROLL for (int i = 0; i < 3; i++) omega[i] = carrier[i] + outer.rate[i];
    cross(bias, o.from, c1);
    cross(omega, o.from, t);
    cross(omega, t, c2);
    UNROLL for (int i = 0; i < 3; i++) t[i] = bias[3 + i] + (c1[i] + c2[i]);
    times_back(o.rotation, t, c3);
    times_back(o.rotation, omega, own);
    times_back(o.rotation, bias, angular);
    UNROLL for (int i = 0; i < 3; i++) {
        o.omega[i] = own[i] + relative[i];
        twice[i] = 2 * own[i] + relative[i];
    }
    cross(own, relative, c1);
    cross(twice, relative + 3, c2);
    UNROLL for (int i = 0; i < 3; i++) {
        o.bias[i] = angular[i] + c1[i];
        o.bias[3 + i] = c3[i] + c2[i];
    }
}

#if !defined(FX_FIXED_ONLY) && !defined(FX_ONE_AXIS)
// Any joint between any points; fills the columns of H and, where the carrier's point moves, its referred columns.
FXN void general_motion(const Args &a, const Slot &s, int carrier_lane, int carrier_slot, const real *carrier, Link &o, real *columns, real *influence) {
    const int *type = s.type;
    const real *g = numbers(a, s, T_JOINT_AT);
    const int n = s.modes, np = FX_MODES > 0 ? type[T_PARENT_MODES] : 0;
    real eta[FX_SPACE], rate[FX_SPACE], eta_p[FX_SPACE], rate_p[FX_SPACE], scratch[6 * FX_SPACE];
    Point inner, outer;
    const real origin[3] = {0, 0, 0};
    if (n > 0) load_modes(a, s.lane, s.layout, n, eta, rate);
    if (np > 0) load_modes(a, carrier_lane, a.layout + carrier_slot * Y_WORDS, np, eta_p, rate_p);
    // Own inboard point.
    if (type[T_INNER] == MOVING) evaluate_point(numbers(a, s, T_INNER_AT), n, type[T_RULE], eta, rate, inner, scratch);
    else if (type[T_INNER] == FROZEN) frozen_point(numbers(a, s, T_INNER_AT), n, rate, inner, scratch);
    else still_point(type[T_INNER_AT] >= 0 ? numbers(a, s, T_INNER_AT) + P_PLACE : origin, inner);
    carrier_point(a, s, eta_p, rate_p, outer, influence, scratch);
    JointMotion m;
    real q[7], u[6];
    for (int i = 0; i < type[T_NQ]; i++) q[i] = a.q[AT(a, s.layout[Y_Q] + n, i, s.lane)];
    for (int i = 0; i < s.dof; i++) u[i] = a.v[AT(a, s.layout[Y_V] + n, i, s.lane)];
    evaluate_joint(type[T_KIND], g, q, u, m);
    if (type[T_REVERSED]) reverse_joint(s.dof, m);
    // Orientation of O in the carrier and in the body, place of O from both.
    real outer_rotation[9], in_parent[9], in_body[9], to_hinge[3], t[3], arm[3], hinge[3];
    product(outer.rotation, g + G_OUTER_ROTATION, outer_rotation);
    product(outer_rotation, m.rotation, in_parent);
    product(inner.rotation, g + G_INNER_ROTATION, in_body);
    product_transposed(in_parent, in_body, o.rotation);
    times(outer.rotation, g + G_OUTER_POSITION, to_hinge);
    times(outer_rotation, m.translation, t);
    add(3, t, to_hinge);
    times(inner.rotation, g + G_INNER_POSITION, arm);
    UNROLL for (int i = 0; i < 3; i++) hinge[i] = inner.place[i] + arm[i];
    times(o.rotation, hinge, t);
    UNROLL for (int i = 0; i < 3; i++) {
        o.from[i] = to_hinge[i] - t[i];
        o.lever[i] = outer.place[i];
    }
    for (int c = 0; c < s.dof; c++) {
        rotate6(in_body, m.columns + 6 * c, columns + 6 * c);
        cross(hinge, columns + 6 * c, t);
        add(3, t, columns + 6 * c + 3);
    }
    real velocity[6], bias[6];
    rotate6(in_body, m.velocity, velocity);
    rotate6(in_body, m.bias, bias);
    // From the carrier's point over O to the inboard point and the frame of the body.
    real node_omega[3], node_carrier[3], node_bias[6], wt[3], al_t[3], a_t[3], lever[3], tip[3];
    if (type[T_OUTER] == MOVING) {
        point_bias(outer, carrier, node_bias);
    } else {
        clear(6, node_bias);
        cross(carrier, outer.place, t);
        cross(carrier, t, node_bias + 3);
    }
    UNROLL for (int i = 0; i < 3; i++) {
        node_omega[i] = carrier[i] + outer.rate[i];
        node_carrier[i] = type[T_OUTER] == MOVING ? node_omega[i] : carrier[i];
    }
    times_back(o.rotation, node_carrier, wt);
    times_back(o.rotation, node_bias, al_t);
    times_back(o.rotation, node_bias + 3, a_t);
    times_back(o.rotation, to_hinge, lever);
    times_back(o.rotation, node_omega, tip);
    real al_o[3], a_o[3], w_o[3], c1[3], c2[3], c3[3], c4[3];
    cross(wt, velocity, c1);
    cross(al_t, lever, c2);
    cross(wt, lever, c3);
    cross(wt, c3, c4);
    cross(wt, velocity + 3, c3);
    UNROLL for (int i = 0; i < 3; i++) {
        al_o[i] = al_t[i] + c1[i] + bias[i];
        a_o[i] = (a_t[i] + (c2[i] + c4[i])) + (2 * c3[i] + bias[3 + i]);
        w_o[i] = wt[i] + velocity[i];
        o.omega[i] = (tip[i] + velocity[i]) - inner.rate[i];
    }
    real d_bias[6], back[3] = {-arm[0], -arm[1], -arm[2]};
    if (type[T_INNER] == MOVING) {
        point_bias(inner, o.omega, d_bias);
    } else {
        clear(6, d_bias);
        cross(w_o, inner.place, t);
        cross(w_o, t, d_bias + 3);
    }
    cross(al_o, back, c1);
    cross(w_o, back, t);
    cross(w_o, t, c2);
    UNROLL for (int i = 0; i < 3; i++) o.bias[i] = al_o[i] - d_bias[i];
    cross(o.bias, inner.place, c3);
    UNROLL for (int i = 0; i < 3; i++) o.bias[3 + i] = ((a_o[i] + (c1[i] + c2[i])) - c3[i]) - d_bias[3 + i];
}

#endif

FX void carrier_rate(const Args &a, const Slot &s, int carrier_lane, int carrier_slot, real *rate) {
    clear(3, rate);
    if (FX_MODES == 0 || s.type[T_OUTER] != FROZEN) return;
    const real *slopes = numbers(a, s, T_OUTER_AT) + P_SLOPES;
    const int *layout = a.layout + carrier_slot * Y_WORDS;
    for (int r = 0; r < s.type[T_PARENT_MODES]; r++) axpy(3, a.v[AT(a, layout[Y_V], r, carrier_lane)], slopes + 3 * r, rate);
}

FX void subtract_inboard_rate(const Args &a, const Slot &s, real *omega) {
    if (FX_MODES == 0 || s.type[T_INNER] != FROZEN) return;
    const real *slopes = numbers(a, s, T_INNER_AT) + P_SLOPES;
    for (int r = 0; r < s.modes; r++) axpy(3, -a.v[AT(a, s.layout[Y_V], r, s.lane)], slopes + 3 * r, omega);
}

// Reads what the outward pass has left: pose of a slot.
FX void load_pose(const Args &a, const Slot &s, Link &o) {
    const int base = s.layout[Y_LINK];
    if (s.fixed) {
        real q = s.dof == 1 ? a.q[AT(a, s.layout[Y_Q] + s.modes, 0, s.lane)] : 0.0;
        fixed_pose(numbers(a, s, T_JOINT_AT), s.dof, s.type[T_TURNS], a.link[AT(a, base, C_SINE, s.lane)], a.link[AT(a, base, C_COSINE, s.lane)], q, o);
        return;
    }
    UNROLL for (int i = 0; i < 9; i++) o.rotation[i] = a.link[AT(a, base, K_ROTATION + i, s.lane)];
    UNROLL for (int i = 0; i < 3; i++) {
        o.from[i] = a.link[AT(a, base, K_FROM + i, s.lane)];
        o.lever[i] = a.link[AT(a, base, K_LEVER + i, s.lane)];
    }
}
FX void load_omega(const Args &a, const Slot &s, real *omega) {
    const int base = s.layout[Y_LINK] + (s.fixed ? (int)C_OMEGA : (int)K_OMEGA);
    UNROLL for (int i = 0; i < 3; i++) omega[i] = a.link[AT(a, base, i, s.lane)];
}
FX void load_bias(const Args &a, const Slot &s, real *bias) {
    const int base = s.layout[Y_LINK] + (s.fixed ? (int)C_BIAS : (int)K_BIAS);
    UNROLL for (int i = 0; i < 6; i++) bias[i] = a.link[AT(a, base, i, s.lane)];
}
FX void load_column(const Args &a, const Slot &s, int c, real *h) {
    if (s.fixed || s.mounted) {
        copy(6, numbers(a, s, T_JOINT_AT) + J_COLUMN, h);
        return;
    }
    UNROLL for (int i = 0; i < 6; i++) h[i] = a.link[AT(a, s.layout[Y_LINK] + K_COLUMNS, 6 * c + i, s.lane)];
}
// Column r of the referred influence of the carrier's point.
FX void load_influence(const Args &a, const Slot &s, int r, real *o) {
    if (s.type[T_INFLUENCE] == 1) {
        copy(6, numbers(a, s, T_INFLUENCE_AT) + 6 * r, o);
        return;
    }
    UNROLL for (int i = 0; i < 6; i++) o[i] = a.link[AT(a, s.layout[Y_INFLUENCE], 6 * r + i, s.lane)];
}

FX void carrier_of(const Slot &s, const int *words, int &lane, int &slot) {
    slot = s.entry[S_CARRIER];
    lane = s.lane;
    if (slot < 0) {
        lane = words[LN_CARRIER_LANE];
        slot = words[LN_CARRIER_SLOT];
    }
}

// Pose and motion of one slot on a carrier that turns at `carrier`; leaves them in memory and the motion in `o`.
FX void move_slot(const Args &a, const Slot &s, const int *words, const real *carrier, int known_sine, Link &o) {
    int carrier_lane, carrier_slot;
    carrier_of(s, words, carrier_lane, carrier_slot);
    const int base = s.layout[Y_LINK];
    if (s.fixed) {
        const real *j = numbers(a, s, T_JOINT_AT);
        real sine = 0, cosine = 1, q = 0, u = 0, rate[3];
        if (s.dof == 1) {
            q = a.q[AT(a, s.layout[Y_Q] + s.modes, 0, s.lane)];
            u = a.v[AT(a, s.layout[Y_V] + s.modes, 0, s.lane)];
            if (s.type[T_TURNS]) {
                if (known_sine) {
                    sine = a.link[AT(a, base, C_SINE, s.lane)];
                    cosine = a.link[AT(a, base, C_COSINE, s.lane)];
                } else {
                    sine_cosine(q, sine, cosine);
                }
            }
        }
        if (!known_sine) {
            a.link[AT(a, base, C_SINE, s.lane)] = sine;
            a.link[AT(a, base, C_COSINE, s.lane)] = cosine;
        }
        fixed_pose(j, s.dof, s.type[T_TURNS], sine, cosine, q, o);
        carrier_rate(a, s, carrier_lane, carrier_slot, rate);
        fixed_motion(j, s.dof, u, carrier, rate, o);
        subtract_inboard_rate(a, s, o.omega);
        return;
    }
#ifndef FX_FIXED_ONLY
    real influence[6 * FX_SPACE];
#ifdef FX_ONE_AXIS
    mounted_motion(a, s, carrier_lane, carrier_slot, carrier, o, influence);
#else
    real columns[36];
    if (s.mounted) mounted_motion(a, s, carrier_lane, carrier_slot, carrier, o, influence);
    else general_motion(a, s, carrier_lane, carrier_slot, carrier, o, columns, influence);
#endif
    if (known_sine) { // second visit: the angular velocity of the carrier is the true one
        UNROLL for (int i = 0; i < 9; i++) a.link[AT(a, base, K_ROTATION + i, s.lane)] = o.rotation[i];
        UNROLL for (int i = 0; i < 3; i++) {
            a.link[AT(a, base, K_FROM + i, s.lane)] = o.from[i];
            a.link[AT(a, base, K_LEVER + i, s.lane)] = o.lever[i];
        }
#ifndef FX_ONE_AXIS
        if (!s.mounted)
            for (int i = 0; i < 6 * s.dof; i++) a.link[AT(a, base, K_COLUMNS + i, s.lane)] = columns[i];
#endif
        if (s.type[T_INFLUENCE] == 2)
            for (int i = 0; i < 6 * parent_modes(s); i++) a.link[AT(a, s.layout[Y_INFLUENCE], i, s.lane)] = influence[i];
    }
#endif
}

// Map of the angular velocity from the carrier of a path to its last body.
FX void lane_spin(const Args &a, int lane) {
    const int *words = lane_words(a, lane);
    real map[9], offset[3] = {0, 0, 0};
    const real rest[3] = {0, 0, 0};
    unit3(map);
    for (int k = 0; k < words[LN_LENGTH]; k++) {
        Slot s = slot_of(a, words, lane, k);
        Link link;
        move_slot(a, s, words, rest, 0, link);
        if (!(s.entry[S_FLAGS] & ON_PATH)) continue;
        real turned[9], t[3];
        UNROLL for (int j = 0; j < 3; j++) {
            real column[3] = {map[j], map[3 + j], map[6 + j]}, moved[3];
            times_back(link.rotation, column, moved);
            UNROLL for (int i = 0; i < 3; i++) turned[3 * i + j] = moved[i];
        }
        copy(9, turned, map);
        times_back(link.rotation, offset, t);
        UNROLL for (int i = 0; i < 3; i++) offset[i] = t[i] + link.omega[i];
    }
    const int node = words[LN_NODE];
    UNROLL for (int i = 0; i < 9; i++) a.element[(size_t)(E_SPIN + i) * a.nodes + node] = map[i];
    UNROLL for (int i = 0; i < 3; i++) a.element[(size_t)(E_OFFSET + i) * a.nodes + node] = offset[i];
}

// Angular velocity of a carrier in memory; zero on the ground.
FX void carrier_omega(const Args &a, int lane, int slot, real *omega) {
    if (slot < 0) {
        clear(3, omega);
        return;
    }
    const int *words = lane_words(a, lane);
    Slot s = slot_of(a, words, lane, slot);
    load_omega(a, s, omega);
}

// Poses, angular velocities and biases of a lane, base to tip.
FX void lane_motion(const Args &a, int lane) {
    const int *words = lane_words(a, lane);
    real last[3] = {0, 0, 0};
    for (int k = 0; k < words[LN_LENGTH]; k++) {
        Slot s = slot_of(a, words, lane, k);
        real carrier[3];
        if (s.entry[S_FLAGS] & BASE) {
            if (!IS_BATCH(a) && words[LN_KIND] == RUN) {
                UNROLL for (int i = 0; i < 3; i++) carrier[i] = a.element[(size_t)(E_OMEGA + i) * a.nodes + words[LN_NODE]];
            } else {
                carrier_omega(a, words[LN_CARRIER_LANE], words[LN_CARRIER_SLOT], carrier);
            }
        } else if (s.entry[S_CARRIER] == k - 1) {
            copy(3, last, carrier);
        } else {
            carrier_omega(a, lane, s.entry[S_CARRIER], carrier);
        }
        Link link;
        // Runs of huge systems have their sines from the first pass.
        int known = s.fixed ? !IS_BATCH(a) : 1;
        move_slot(a, s, words, carrier, known, link);
        const int base = s.layout[Y_LINK];
        UNROLL for (int i = 0; i < 3; i++) a.link[AT(a, base, (s.fixed ? (int)C_OMEGA : (int)K_OMEGA) + i, lane)] = link.omega[i];
        UNROLL for (int i = 0; i < 6; i++) a.link[AT(a, base, (s.fixed ? (int)C_BIAS : (int)K_BIAS) + i, lane)] = link.bias[i];
        copy(3, link.omega, last);
    }
}
