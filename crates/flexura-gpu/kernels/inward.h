// A lane eliminated tip to base: articulated inertias, with the equations of a second handle where its path goes on.
//
// Sources: JPL 90-26 eqs 7.10, 7.11 with errata A1-A3; Mukherjee & Anderson eqs 1, 2 (handles); the same recursion as
// crates/flexura/src/algorithm/divide_and_conquer/run_inward.rs, book/src/theory/divide_and_conquer.md (DC.1) to (DC.3):
//   f = P a + X g + z,  a' = X* a - W g + c.
// Cost per rigid body with one freedom about 700 products, 260 of them for the handle.

// Fields that a slot leaves behind for the outward pass.
struct Out {
    int gain, response, factor, innovation, coupling, outer, modal, force, acceleration, shown;
};
FX Out out_of(const Args &a, const Slot &s) {
    const int d = s.layout[Y_DOF], n = s.layout[Y_MODES], handle = IS_BATCH(a) ? 0 : 1;
    Out o;
    o.gain = s.layout[Y_OUT];
    o.response = o.gain + 6 * d;
    o.factor = o.response + 6 * d * handle;
    o.innovation = o.factor + d * d;
    o.coupling = o.innovation + d;
    o.outer = o.coupling + 6 * n;
    o.modal = o.outer + 6 * n * handle;
    o.force = o.modal + n * (n + 1) / 2;
    o.acceleration = o.force + n;
    o.shown = o.acceleration + 6;
    return o;
}

struct Handle {
    real transfer[36], compliance[21], bias[6];
};

FX void load_lever(const Args &a, const Slot &s, real *lever) {
    if (s.fixed) copy(3, numbers(a, s, T_JOINT_AT) + J_LEVER, lever);
    else UNROLL for (int i = 0; i < 3; i++) lever[i] = a.link[AT(a, s.layout[Y_LINK], K_LEVER + i, s.lane)];
}

// Adds what a child shows at the point where it hangs.
FX void take_up(const Args &a, const Slot &child, int n, real *inertia, real *force, Block &b) {
    if (n > 0 && influences(child)) {
        real lever[3];
        load_lever(a, child, lever);
        for (int r = 0; r < n; r++) {
            real column[6], reaction[6], other[6];
            load_influence(a, child, r, column);
            symmetric_times(inertia, column, reaction);
            b.bias[r] += dot6(column, force);
            for (int t = 0; t < r; t++) {
                load_influence(a, child, t, other);
                b.modal[tri(r, t)] += dot6(other, reaction);
            }
            b.modal[tri(r, r)] += dot6(column, reaction);
            shift_force(lever, reaction);
            add(6, reaction, b.coupling + 6 * r);
        }
        shift_symmetric(lever, inertia);
        shift_force(lever, force);
    }
    add(21, inertia, b.inertia);
    add(6, force, b.force);
}

// From the frame of a body to its carrier: to the point that moves with the modes, else to the carrier's frame.
FX void reach_of(const Slot &s, const Link &link, real *reach) {
    UNROLL for (int i = 0; i < 3; i++) reach[i] = influences(s) ? link.from[i] : link.lever[i] + link.from[i];
}

// Modes of a body, factor in b.modal, W in b.coupling, y in b.bias, V in `outer`.
FX bool eliminate_modes(int n, bool open, Block &b, real *outer, Handle &h) {
    bool regular = true;
    for (int r = 0; r < n; r++) {
        for (int s = 0; s <= r; s++) {
            real sum = b.modal[tri(r, s)];
            for (int p = 0; p < s; p++) sum -= b.modal[tri(r, p)] * b.modal[tri(s, p)];
            if (s < r) {
                b.modal[tri(r, s)] = sum * b.modal[tri(s, s)];
            } else {
                regular = regular && sum > 0;
                b.modal[tri(r, r)] = 1 / sqrt(sum);
            }
        }
        real y = -b.bias[r];
        for (int p = 0; p < r; p++) {
            real l = b.modal[tri(r, p)];
            y -= l * b.bias[p];
            UNROLL for (int i = 0; i < 6; i++) b.coupling[6 * r + i] -= l * b.coupling[6 * p + i];
            if (open) UNROLL for (int i = 0; i < 6; i++) outer[6 * r + i] -= l * outer[6 * p + i];
        }
        real inverse = b.modal[tri(r, r)];
        y *= inverse;
        b.bias[r] = y;
        UNROLL for (int i = 0; i < 6; i++) b.coupling[6 * r + i] *= inverse;
        add_square(-1.0, b.coupling + 6 * r, b.inertia);
        axpy(6, y, b.coupling + 6 * r, b.force);
        if (open) {
            UNROLL for (int i = 0; i < 6; i++) outer[6 * r + i] *= inverse;
            add_square(1.0, outer + 6 * r, h.compliance);
            axpy(6, y, outer + 6 * r, h.bias);
            UNROLL for (int i = 0; i < 6; i++) axpy(6, -b.coupling[6 * r + i], outer + 6 * r, h.transfer + 6 * i);
        }
    }
    return regular;
}

// One free column: the common case, all in registers.
FX bool eliminate_one(const Args &a, const Slot &s, const Out &o, const real *bias, real effort, bool open, Rigid &b, Handle &h) {
    real column[6], gain[6], carried[6];
    load_column(a, s, 0, column);
    symmetric_times(b.inertia, bias, carried);
    add(6, carried, b.force);
    symmetric_times(b.inertia, column, gain);
    real pivot = dot6(column, gain), inverse = 1 / pivot, innovation = (effort - dot6(column, b.force)) * inverse;
    add_square(-inverse, gain, b.inertia);
    axpy(6, innovation, gain, b.force);
    UNROLL for (int i = 0; i < 6; i++) a.out[AT(a, o.gain, i, s.lane)] = gain[i];
    a.out[AT(a, o.factor, 0, s.lane)] = inverse;
    a.out[AT(a, o.innovation, 0, s.lane)] = innovation;
    if (open) {
        real response[6], free[6], t[6];
        transposed_times6(h.transfer, column, response);
        UNROLL for (int i = 0; i < 6; i++) free[i] = bias[i] + innovation * column[i];
        transposed_times6(h.transfer, free, t);
        add(6, t, h.bias);
        UNROLL for (int i = 0; i < 6; i++) {
            real f = gain[i] * inverse;
            UNROLL for (int j = 0; j < 6; j++) h.transfer[6 * i + j] -= f * response[j];
            a.out[AT(a, o.response, i, s.lane)] = response[i];
        }
        add_square(inverse, response, h.compliance);
    }
    return pivot > 0;
}

// Any columns, some of them prescribed.
FXN bool eliminate_columns(const Args &a, const Slot &s, const Out &o, const real *own_bias, const real *effort, bool open, Rigid &b, Handle &h) {
    const int d = s.dof, given = prescribed(s);
    real columns[36], gain[36], response[36], bias[6], factor[21], innovation[6], rows[36], felt[36], t[6];
    int free[6], m = 0;
    copy(6, own_bias, bias);
    for (int c = 0; c < d; c++) {
        load_column(a, s, c, columns + 6 * c);
        symmetric_times(b.inertia, columns + 6 * c, gain + 6 * c);
        if (open) transposed_times6(h.transfer, columns + 6 * c, response + 6 * c);
        if (given >> c & 1) {
            a.out[AT(a, o.innovation, c, s.lane)] = dot6(columns + 6 * c, b.force);
            axpy(6, a.rate[AT(a, s.layout[Y_V] + s.modes, c, s.lane)], columns + 6 * c, bias);
        } else {
            free[m++] = c;
        }
        for (int i = 0; i < 6; i++) {
            a.out[AT(a, o.gain, 6 * c + i, s.lane)] = gain[6 * c + i];
            if (open) a.out[AT(a, o.response, 6 * c + i, s.lane)] = response[6 * c + i];
        }
    }
    symmetric_times(b.inertia, bias, t);
    add(6, t, b.force);
    if (open) {
        transposed_times6(h.transfer, bias, t);
        add(6, t, h.bias);
    }
    bool regular = true;
    for (int p = 0; p < m; p++) {
        innovation[p] = effort[free[p]] - dot6(columns + 6 * free[p], b.force);
        for (int c = 0; c <= p; c++) factor[tri(p, c)] = dot6(columns + 6 * free[c], gain + 6 * free[p]);
    }
    for (int p = 0; p < m; p++) {
        for (int c = 0; c <= p; c++) {
            real sum = factor[tri(p, c)];
            for (int e = 0; e < c; e++) sum -= factor[tri(p, e)] * factor[tri(c, e)];
            if (c < p) {
                factor[tri(p, c)] = sum * factor[tri(c, c)];
            } else {
                regular = regular && sum > 0;
                factor[tri(p, p)] = 1 / sqrt(sum);
            }
        }
        for (int e = 0; e < p; e++) innovation[p] -= factor[tri(p, e)] * innovation[e];
        innovation[p] *= factor[tri(p, p)];
    }
    for (int p = 0; p < m; p++) {
        copy(6, gain + 6 * free[p], rows + 6 * p);
        if (open) copy(6, response + 6 * free[p], felt + 6 * p);
        for (int e = 0; e < p; e++) {
            axpy(6, -factor[tri(p, e)], rows + 6 * e, rows + 6 * p);
            if (open) axpy(6, -factor[tri(p, e)], felt + 6 * e, felt + 6 * p);
        }
        for (int i = 0; i < 6; i++) rows[6 * p + i] *= factor[tri(p, p)];
        add_square(-1.0, rows + 6 * p, b.inertia);
        axpy(6, innovation[p], rows + 6 * p, b.force);
        if (open) {
            for (int i = 0; i < 6; i++) felt[6 * p + i] *= factor[tri(p, p)];
            for (int i = 0; i < 6; i++) axpy(6, -rows[6 * p + i], felt + 6 * p, h.transfer + 6 * i);
            add_square(1.0, felt + 6 * p, h.compliance);
            axpy(6, innovation[p], felt + 6 * p, h.bias);
        }
    }
    for (int p = m - 1; p >= 0; p--) {
        for (int e = p + 1; e < m; e++) innovation[p] -= factor[tri(e, p)] * innovation[e];
        innovation[p] *= factor[tri(p, p)];
        a.out[AT(a, o.innovation, free[p], s.lane)] = innovation[p];
    }
    for (int i = 0; i < m * (m + 1) / 2; i++) a.out[AT(a, o.factor, i, s.lane)] = factor[i];
    if (m == 6) { // a free joint transmits nothing; what is left is rounding
        clear(21, b.inertia);
        if (open) clear(36, h.transfer);
    }
    return regular;
}

// Joint of a body: efforts, elimination; returns the power of what acts along its coordinates.
FX real eliminate_joint(const Args &a, const Slot &s, const Out &o, bool open, Rigid &b, Handle &h, bool &regular) {
    real bias[6], q[7], u[6], effort[6];
    load_bias(a, s, bias);
#ifdef FX_ONE_FREE
    if (s.type[T_LAW]) {
        q[0] = a.q[AT(a, s.layout[Y_Q] + s.modes, 0, s.lane)];
        u[0] = a.v[AT(a, s.layout[Y_V] + s.modes, 0, s.lane)];
    }
#else
    if (s.type[T_LAW]) {
        for (int i = 0; i < s.type[T_NQ]; i++) q[i] = a.q[AT(a, s.layout[Y_Q] + s.modes, i, s.lane)];
        for (int i = 0; i < s.dof; i++) u[i] = a.v[AT(a, s.layout[Y_V] + s.modes, i, s.lane)];
    }
#endif
    real power = joint_efforts(a, s, q, u, effort);
    if (s.dof == 1 && !prescribed(s)) {
        regular = eliminate_one(a, s, o, bias, effort[0], open, b, h);
        return power;
    }
#ifndef FX_ONE_FREE
    if (s.dof == 0) {
        real t[6];
        symmetric_times(b.inertia, bias, t);
        add(6, t, b.force);
        if (open) {
            transposed_times6(h.transfer, bias, t);
            add(6, t, h.bias);
        }
        return power;
    }
    regular = eliminate_columns(a, s, o, bias, effort, open, b, h);
#endif
    return power;
}

FX void store_modes(const Args &a, const Slot &s, const Out &o, bool open, const Block &b, const real *outer) {
    for (int r = 0; r < s.modes; r++) {
        UNROLL for (int i = 0; i < 6; i++) a.out[AT(a, o.coupling, 6 * r + i, s.lane)] = b.coupling[6 * r + i];
        if (open) UNROLL for (int i = 0; i < 6; i++) a.out[AT(a, o.outer, 6 * r + i, s.lane)] = outer[6 * r + i];
        for (int t = 0; t <= r; t++) a.out[AT(a, o.modal, tri(r, t), s.lane)] = b.modal[tri(r, t)];
        a.out[AT(a, o.force, r, s.lane)] = b.bias[r];
    }
}

// The outboard handle is the frame of the next body before its joint moves.
FX void begin_handle(const Args &a, int next, Handle &h) {
    Slot s = slot_of(a, lane_words(a, next), next, 0);
    Link link;
    real reach[3];
    load_pose(a, s, link);
    reach_of(s, link, reach);
    clear(36, h.transfer);
    UNROLL for (int i = 0; i < 6; i++) h.transfer[7 * i] = 1;
    clear(21, h.compliance);
    clear(6, h.bias);
    carry_columns(link.rotation, reach, h.transfer);
}

FX void store_handle(const Args &a, int node, const Handle &h) {
    real *e = a.element + node;
    const size_t stride = a.nodes;
    UNROLL for (int i = 0; i < 36; i++) e[(E_TRANSFER + i) * stride] = h.transfer[i];
    UNROLL for (int i = 0; i < 21; i++) e[(E_COMPLIANCE + i) * stride] = h.compliance[i];
    UNROLL for (int i = 0; i < 6; i++) e[(E_BIAS + i) * stride] = h.bias[i];
}

FX void store_element(const Args &a, int node, const Rigid &b, bool open, const Handle &h) {
    real *e = a.element + node;
    const size_t stride = a.nodes;
    UNROLL for (int i = 0; i < 21; i++) e[(E_INERTIA + i) * stride] = b.inertia[i];
    UNROLL for (int i = 0; i < 6; i++) e[(E_FORCE + i) * stride] = b.force[i];
    if (open) store_handle(a, node, h);
}

// Ends of loads at frames on a body, in order; returns their power. Modal forces are referred to the hinge as the block is: f - Pd* W.
FXN real take_ends(const Args &a, const Slot &s, const real *eta, const real *rate, real *bias, real *force) {
    const int place = IS_BATCH(a) ? s.k : s.lane * a.slots + s.k, n = s.modes, system = IS_BATCH(a) ? s.lane : 0;
    const size_t stride = IS_BATCH(a) ? a.lanes : 1;
    real sum[6] = {0, 0, 0, 0, 0, 0}, total = 0;
    for (int e = a.ends[place]; e < a.ends[place + 1]; e++) {
        const real *end = a.wrench + (size_t)a.ends[e] * stride + system;
        UNROLL for (int i = 0; i < 6; i++) sum[i] += end[(size_t)i * stride];
        total += end[6 * stride];
        for (int r = 0; r < n; r++) bias[r] -= end[(size_t)(7 + r) * stride];
    }
    if (n > 0 && s.type[T_INNER] == MOVING) {
        real columns[6 * FX_SPACE];
        Point inner;
        evaluate_point(numbers(a, s, T_INNER_AT), n, s.type[T_RULE], eta, rate, inner, columns);
        refer_inboard(inner, n, columns);
        for (int r = 0; r < n; r++) bias[r] += dot6(columns + 6 * r, sum);
    } else if (n > 0 && s.type[T_INNER] == FROZEN) {
        for (int r = 0; r < n; r++) bias[r] += dot6(numbers(a, s, T_INBOARD_AT) + 6 * r, sum);
    }
    UNROLL for (int i = 0; i < 6; i++) force[i] -= sum[i];
    return total;
}
FX bool has_ends(const Args &a, const Slot &s) {
    const int place = IS_BATCH(a) ? s.k : s.lane * a.slots + s.k;
    return IS_LOADED(a) && a.ends[place] < a.ends[place + 1];
}

// What acts on the modes of a body, and its mass block; returns the power of their damping and of loads at frames.
FX real own_block(const Args &a, const Slot &s, Block &b) {
    const int n = s.modes;
    real omega[3], total = 0;
    load_omega(a, s, omega);
    if (n == 0) {
        evaluate_block(a, s, 0, 0, omega, b);
        return has_ends(a, s) ? take_ends(a, s, 0, 0, b.bias, b.force) : 0;
    }
    real eta[FX_SPACE], rate[FX_SPACE];
    load_modes(a, s.lane, s.layout, n, eta, rate);
    evaluate_block(a, s, eta, rate, omega, b);
    if (s.type[T_DAMPING] != NOTHING) {
        real damping[FX_SPACE];
        for (int r = 0; r < n; r++) damping[r] = 0;
        modal_forces(s.type[T_DAMPING], numbers(a, s, T_DAMPING_AT), n, 1.0, rate, damping);
        for (int r = 0; r < n; r++) {
            b.bias[r] += damping[r];
            total -= damping[r] * rate[r];
        }
    }
    if (has_ends(a, s)) total += take_ends(a, s, eta, rate, b.bias, b.force);
    return total;
}

// Rows of the outboard handle on the modes of its carrier.
FX void pull_modes(const Args &a, const Slot &child, int n, Handle &h, real *outer) {
    if (!influences(child)) {
        clear(6 * n, outer);
        return;
    }
    real lever[3];
    load_lever(a, child, lever);
    for (int r = 0; r < n; r++) {
        real column[6];
        load_influence(a, child, r, column);
        transposed_times6(h.transfer, column, outer + 6 * r);
    }
    shift_columns(lever, h.transfer);
}

#ifndef FX_CHAIN
// Children that do not stand right behind their carrier, and branches of other lanes.
FX void take_others(const Args &a, const Slot &s, const int *words, int &branch, Block &b) {
    real inertia[21], force[6];
    for (int c = 0; c < s.entry[S_KIDS]; c++) {
        Slot child = slot_of(a, words, s.lane, a.list[s.entry[S_KIDS_AT] + c]);
        Out from = out_of(a, child);
        UNROLL for (int i = 0; i < 21; i++) inertia[i] = a.out[AT(a, from.shown, i, s.lane)];
        UNROLL for (int i = 0; i < 6; i++) force[i] = a.out[AT(a, from.shown, 21 + i, s.lane)];
        take_up(a, child, s.modes, inertia, force, b);
    }
    while (branch >= 0 && a.branch[(size_t)(words[LN_BRANCHES_AT] + branch) * B_WORDS + B_SLOT] == s.k) {
        const int *record = a.branch + (size_t)(words[LN_BRANCHES_AT] + branch) * B_WORDS;
        Slot child = slot_of(a, lane_words(a, record[B_LANE]), record[B_LANE], record[B_LINK]);
        UNROLL for (int i = 0; i < 21; i++) inertia[i] = a.element[(size_t)(E_SHOWN + i) * a.nodes + record[B_NODE]];
        UNROLL for (int i = 0; i < 6; i++) force[i] = a.element[(size_t)(E_SHOWN + 21 + i) * a.nodes + record[B_NODE]];
        take_up(a, child, s.modes, inertia, force, b);
        branch--;
    }
}
#endif

FX void lane_in(const Args &a, int lane) {
    const int *words = lane_words(a, lane);
    const bool huge = !IS_BATCH(a), open = huge && !IS_SPLIT(a) && words[LN_NEXT_LANE] >= 0;
    Handle h;
    Block b; // its inertia and force hold what the child right behind has shown
    real total = 0;
    int waiting = -1, path_lane = -1, path_slot = -1;
#ifndef FX_CHAIN
    real sum[21], sum_force[6];
    int branch = huge ? words[LN_BRANCHES] - 1 : -1;
    clear(21, sum);
    clear(6, sum_force);
#endif
    if (open) {
        begin_handle(a, words[LN_NEXT_LANE], h);
        path_lane = words[LN_NEXT_LANE];
        path_slot = 0;
    }
    clear(21, b.inertia);
    clear(6, b.force);
    for (int k = words[LN_LENGTH] - 1; k >= 0; k--) {
        Slot s = slot_of(a, words, lane, k);
        const int n = s.modes, flags = s.entry[S_FLAGS];
        const bool handle = open && (flags & ON_PATH);
        Out o = out_of(a, s);
        real outer[6 * FX_SPACE];
        if (n > 0 && waiting >= 0) {
            // What waits acts on the modes first: set aside while the own block is made.
            real inertia[21], force[6];
            copy(21, b.inertia, inertia);
            copy(6, b.force, force);
            clear(21, b.inertia);
            clear(6, b.force);
            total += own_block(a, s, b);
            take_up(a, slot_of(a, words, lane, waiting), n, inertia, force, b);
        } else {
            total += own_block(a, s, b);
        }
        waiting = -1;
#ifndef FX_CHAIN
        take_others(a, s, words, branch, b);
#endif
        bool regular = true, joint_regular = true;
        if (n > 0) {
            if (handle) pull_modes(a, slot_of(a, lane_words(a, path_lane), path_lane, path_slot), n, h, outer);
            regular = eliminate_modes(n, handle, b, outer, h);
            store_modes(a, s, o, handle, b, outer);
        }
        total += eliminate_joint(a, s, o, handle, b, h, joint_regular);
        if (!(regular && joint_regular) && a.fault[lane] == 0) a.fault[lane] = k + 1;
        if ((flags & BASE) && huge && words[LN_KIND] == RUN) store_element(a, words[LN_NODE], b, open, h);
        const bool ends = (flags & BASE) && (!huge || words[LN_KIND] == RUN || words[LN_CARRIER_SLOT] < 0);
        if (!ends) {
            Link link;
            real reach[3], turned[6];
            load_pose(a, s, link);
            reach_of(s, link, reach);
            carry_symmetric(link.rotation, reach, b.inertia);
            carry(link.rotation, reach, b.force, turned);
            copy(6, turned, b.force);
            if (handle) {
                carry_columns(link.rotation, reach, h.transfer);
                path_lane = lane;
                path_slot = k;
            }
            if (flags & KEPT) {
                waiting = k;
                continue;
            }
#ifndef FX_CHAIN
            if (flags & BASE) {
                add(21, b.inertia, sum);
                add(6, b.force, sum_force);
            } else {
                UNROLL for (int i = 0; i < 21; i++) a.out[AT(a, o.shown, i, lane)] = b.inertia[i];
                UNROLL for (int i = 0; i < 6; i++) a.out[AT(a, o.shown, 21 + i, lane)] = b.force[i];
            }
#endif
        }
        clear(21, b.inertia);
        clear(6, b.force);
    }
    if (a.powered) a.power[lane] = total;
#ifndef FX_CHAIN
    if (huge && words[LN_KIND] == BUNDLE) {
        UNROLL for (int i = 0; i < 21; i++) a.element[(size_t)(E_SHOWN + i) * a.nodes + words[LN_NODE]] = sum[i];
        UNROLL for (int i = 0; i < 6; i++) a.element[(size_t)(E_SHOWN + 21 + i) * a.nodes + words[LN_NODE]] = sum_force[i];
    }
#endif
}

// Modes of a body felt through the handle: V = L^-1 X_f, kept for the outward pass.
FX void handle_modes(const Args &a, const Slot &s, const Slot &child, const Out &o, Handle &h) {
    real outer[6 * FX_SPACE];
    const int n = s.modes;
    pull_modes(a, child, n, h, outer);
    for (int r = 0; r < n; r++) {
        real row[6], w[6];
        copy(6, outer + 6 * r, row);
        for (int p = 0; p < r; p++) axpy(6, -a.out[AT(a, o.modal, tri(r, p), s.lane)], outer + 6 * p, row);
        real inverse = a.out[AT(a, o.modal, tri(r, r), s.lane)], y = a.out[AT(a, o.force, r, s.lane)];
        UNROLL for (int i = 0; i < 6; i++) {
            row[i] *= inverse;
            w[i] = a.out[AT(a, o.coupling, 6 * r + i, s.lane)];
            a.out[AT(a, o.outer, 6 * r + i, s.lane)] = row[i];
        }
        copy(6, row, outer + 6 * r);
        add_square(1.0, row, h.compliance);
        axpy(6, y, row, h.bias);
        UNROLL for (int i = 0; i < 6; i++) axpy(6, -w[i], row, h.transfer + 6 * i);
    }
}

// One free column felt through the handle.
FX void handle_one(const Args &a, const Slot &s, const Out &o, const real *bias, Handle &h) {
    real column[6], response[6], free[6], t[6];
    const real inverse = a.out[AT(a, o.factor, 0, s.lane)], innovation = a.out[AT(a, o.innovation, 0, s.lane)];
    load_column(a, s, 0, column);
    transposed_times6(h.transfer, column, response);
    UNROLL for (int i = 0; i < 6; i++) free[i] = bias[i] + innovation * column[i];
    transposed_times6(h.transfer, free, t);
    add(6, t, h.bias);
    UNROLL for (int i = 0; i < 6; i++) {
        real f = a.out[AT(a, o.gain, i, s.lane)] * inverse;
        UNROLL for (int j = 0; j < 6; j++) h.transfer[6 * i + j] -= f * response[j];
        a.out[AT(a, o.response, i, s.lane)] = response[i];
    }
    add_square(inverse, response, h.compliance);
}

#ifndef FX_ONE_FREE
// Any columns felt through the handle, some of them prescribed.
FXN void handle_columns(const Args &a, const Slot &s, const Out &o, const real *own_bias, Handle &h) {
    const int d = s.dof, given = prescribed(s);
    real response[36], bias[6], rows[36], felt[36], t[6];
    int free[6], m = 0;
    copy(6, own_bias, bias);
    for (int c = 0; c < d; c++) {
        real column[6];
        load_column(a, s, c, column);
        transposed_times6(h.transfer, column, response + 6 * c);
        if (given >> c & 1) {
            axpy(6, a.rate[AT(a, s.layout[Y_V] + s.modes, c, s.lane)], column, bias);
        } else {
            axpy(6, a.out[AT(a, o.innovation, c, s.lane)], response + 6 * c, h.bias);
            free[m++] = c;
        }
        for (int i = 0; i < 6; i++) a.out[AT(a, o.response, 6 * c + i, s.lane)] = response[6 * c + i];
    }
    transposed_times6(h.transfer, bias, t);
    add(6, t, h.bias);
    for (int p = 0; p < m; p++) {
        for (int i = 0; i < 6; i++) {
            rows[6 * p + i] = a.out[AT(a, o.gain, 6 * free[p] + i, s.lane)];
            felt[6 * p + i] = response[6 * free[p] + i];
        }
        for (int e = 0; e < p; e++) {
            real f = a.out[AT(a, o.factor, tri(p, e), s.lane)];
            axpy(6, -f, rows + 6 * e, rows + 6 * p);
            axpy(6, -f, felt + 6 * e, felt + 6 * p);
        }
        real inverse = a.out[AT(a, o.factor, tri(p, p), s.lane)];
        for (int i = 0; i < 6; i++) {
            rows[6 * p + i] *= inverse;
            felt[6 * p + i] *= inverse;
        }
        for (int i = 0; i < 6; i++) axpy(6, -rows[6 * p + i], felt + 6 * p, h.transfer + 6 * i);
        add_square(1.0, felt + 6 * p, h.compliance);
    }
    if (m == 6) clear(36, h.transfer);
}
#endif

// Equations of the second handle of a lane, after its inertias: the same recursion over the path alone.
FX void lane_handle(const Args &a, int lane) {
    const int *words = lane_words(a, lane);
    if (words[LN_NEXT_LANE] < 0) return;
    Handle h;
    int path_lane = words[LN_NEXT_LANE], path_slot = 0;
    begin_handle(a, path_lane, h);
    for (int k = words[LN_LENGTH] - 1; k >= 0; k--) {
        Slot s = slot_of(a, words, lane, k);
        if (!(s.entry[S_FLAGS] & ON_PATH)) continue;
        Out o = out_of(a, s);
        real bias[6];
        if (s.modes > 0) handle_modes(a, s, slot_of(a, lane_words(a, path_lane), path_lane, path_slot), o, h);
        load_bias(a, s, bias);
        if (s.dof == 1 && !prescribed(s)) handle_one(a, s, o, bias, h);
#ifndef FX_ONE_FREE
        else handle_columns(a, s, o, bias, h);
#endif
        if (s.entry[S_FLAGS] & BASE) break;
        Link link;
        real reach[3];
        load_pose(a, s, link);
        reach_of(s, link, reach);
        carry_columns(link.rotation, reach, h.transfer);
        path_lane = lane;
        path_slot = k;
    }
    store_handle(a, words[LN_NODE], h);
}
