// Accelerations of a lane, base to tip, once its handles are known (JPL 90-26 eq. 7.12; book/src/theory/divide_and_conquer.md (DC.8)):
//   u' = v - D^-1 (U* a + r g),  n'' = L^-* (y - W a - V g).

// Motion that a body inherits from its carrier, own axes.
FX void inherit(const Args &a, const Slot &s, const Link &link, int carrier_lane, int carrier_slot, real *motion) {
    if (influences(s)) {
        const int *layout = a.layout + carrier_slot * Y_WORDS;
        shift_motion(link.lever, motion);
        for (int r = 0; r < s.type[T_PARENT_MODES]; r++) {
            real column[6];
            load_influence(a, s, r, column);
            axpy(6, a.rate[AT(a, layout[Y_V], r, carrier_lane)], column, motion);
        }
        shift_motion(link.from, motion);
    } else {
        real reach[3];
        UNROLL for (int i = 0; i < 3; i++) reach[i] = link.lever[i] + link.from[i];
        shift_motion(reach, motion);
    }
    real own[6];
    rotate_back6(link.rotation, motion, own);
    copy(6, own, motion);
}

FX void carrier_acceleration(const Args &a, int lane, int slot, real *motion) {
    if (slot < 0) { // the ground falls upward
        clear(3, motion);
        UNROLL for (int i = 0; i < 3; i++) motion[3 + i] = -a.gravity[i];
        return;
    }
    Slot s = slot_of(a, lane_words(a, lane), lane, slot);
    Out o = out_of(a, s);
    UNROLL for (int i = 0; i < 6; i++) motion[i] = a.out[AT(a, o.acceleration, i, lane)];
}

// Joint accelerations of several columns; returns the power of the drives.
FXN real several_columns(const Args &a, const Slot &s, const Out &o, const real *before, const real *pull, real *alpha) {
    const int d = s.dof, given = prescribed(s), base = s.layout[Y_V] + s.modes;
    real values[6], factor[21], power = 0;
    int free[6], m = 0;
    for (int c = 0; c < d; c++) {
        if (given >> c & 1) continue;
        real felt = 0;
        for (int i = 0; i < 6; i++) {
            felt += a.out[AT(a, o.gain, 6 * c + i, s.lane)] * before[i];
            if (pull) felt += a.out[AT(a, o.response, 6 * c + i, s.lane)] * pull[i];
        }
        values[m] = felt;
        free[m++] = c;
    }
    for (int i = 0; i < m * (m + 1) / 2; i++) factor[i] = a.out[AT(a, o.factor, i, s.lane)];
    for (int p = 0; p < m; p++) {
        for (int e = 0; e < p; e++) values[p] -= factor[tri(p, e)] * values[e];
        values[p] *= factor[tri(p, p)];
    }
    for (int p = m - 1; p >= 0; p--) {
        for (int e = p + 1; e < m; e++) values[p] -= factor[tri(e, p)] * values[e];
        values[p] *= factor[tri(p, p)];
        a.rate[AT(a, base, free[p], s.lane)] = a.out[AT(a, o.innovation, free[p], s.lane)] - values[p];
    }
    for (int c = 0; c < d; c++) {
        real column[6];
        load_column(a, s, c, column);
        axpy(6, a.rate[AT(a, base, c, s.lane)], column, alpha);
    }
    if (given && a.powered) {
        real q[7], u[6], effort[6];
        for (int i = 0; i < s.type[T_NQ]; i++) q[i] = a.q[AT(a, s.layout[Y_Q] + s.modes, i, s.lane)];
        for (int i = 0; i < d; i++) u[i] = a.v[AT(a, base, i, s.lane)];
        joint_efforts(a, s, q, u, effort);
        for (int c = 0; c < d; c++) {
            if (!(given >> c & 1)) continue;
            real need = a.out[AT(a, o.innovation, c, s.lane)] - effort[c];
            for (int i = 0; i < 6; i++) {
                need += a.out[AT(a, o.gain, 6 * c + i, s.lane)] * alpha[i];
                if (pull) need += a.out[AT(a, o.response, 6 * c + i, s.lane)] * pull[i];
            }
            power += need * u[c];
        }
    }
    return power;
}

FX void lane_out(const Args &a, int lane) {
    const int *words = lane_words(a, lane);
    const bool huge = !IS_BATCH(a), open = huge && words[LN_NEXT_LANE] >= 0;
    real pull[6], last[6], drive = 0;
    if (open) UNROLL for (int i = 0; i < 6; i++) pull[i] = a.element[(size_t)(E_PULL + i) * a.nodes + words[LN_NODE]];
    for (int k = 0; k < words[LN_LENGTH]; k++) {
        Slot s = slot_of(a, words, lane, k);
        const int n = s.modes, flags = s.entry[S_FLAGS], base = s.layout[Y_V];
        const bool handle = open && (flags & ON_PATH);
        Out o = out_of(a, s);
        real before[6], alpha[6];
        if ((flags & BASE) && huge && words[LN_KIND] == RUN) {
            UNROLL for (int i = 0; i < 6; i++) before[i] = a.element[(size_t)(E_ACCELERATION + i) * a.nodes + words[LN_NODE]];
        } else {
            int carrier_lane, carrier_slot;
            carrier_of(s, words, carrier_lane, carrier_slot);
            if (!(flags & BASE) && carrier_slot == k - 1) copy(6, last, before);
            else carrier_acceleration(a, carrier_lane, carrier_slot, before);
            Link link;
            load_pose(a, s, link);
            if (carrier_slot < 0) {
                real own[6];
                rotate_back6(link.rotation, before, own);
                copy(6, own, before);
            } else {
                inherit(a, s, link, carrier_lane, carrier_slot, before);
            }
        }
        load_bias(a, s, alpha);
        add(6, before, alpha);
        if (s.dof == 1 && !prescribed(s)) {
            real felt = 0, column[6];
            UNROLL for (int i = 0; i < 6; i++) {
                felt += a.out[AT(a, o.gain, i, lane)] * before[i];
                if (handle) felt += a.out[AT(a, o.response, i, lane)] * pull[i];
            }
            real value = a.out[AT(a, o.innovation, 0, lane)] - felt * a.out[AT(a, o.factor, 0, lane)];
            a.rate[AT(a, base + n, 0, lane)] = value;
            load_column(a, s, 0, column);
            axpy(6, value, column, alpha);
        }
#ifndef FX_ONE_FREE
        else if (s.dof > 0) {
            drive += several_columns(a, s, o, before, handle ? pull : 0, alpha);
        }
#endif
        if (n > 0) {
            real x[FX_SPACE];
            for (int r = 0; r < n; r++) {
                real sum = a.out[AT(a, o.force, r, lane)];
                UNROLL for (int i = 0; i < 6; i++) {
                    sum -= a.out[AT(a, o.coupling, 6 * r + i, lane)] * alpha[i];
                    if (handle) sum -= a.out[AT(a, o.outer, 6 * r + i, lane)] * pull[i];
                }
                x[r] = sum;
            }
            for (int r = n - 1; r >= 0; r--) {
                real sum = x[r];
                for (int p = r + 1; p < n; p++) sum -= a.out[AT(a, o.modal, tri(p, r), lane)] * x[p];
                x[r] = sum * a.out[AT(a, o.modal, tri(r, r), lane)];
                a.rate[AT(a, base, r, lane)] = x[r];
            }
        }
#ifndef FX_CHAIN
        if (flags & SHOWN) UNROLL for (int i = 0; i < 6; i++) a.out[AT(a, o.acceleration, i, lane)] = alpha[i];
#endif
        copy(6, alpha, last);
    }
    if (a.powered) a.power[lane] += drive;
}
