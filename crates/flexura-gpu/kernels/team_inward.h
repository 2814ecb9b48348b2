// A lane of flexible bodies eliminated tip to base by a team of threads: lane_in and lane_handle in one pass.
//
// From some six modes on the blocks of a body do not fit into the registers of one thread: eight threads share them in shared memory.
// Operations and their order are those of inward.h. Fields of neighbouring lanes are read by neighbouring threads of a warp, as there.

FX void influence_team(const Args &a, const Team &team, const Slot &child, int n, real *m) {
    const bool still = child.type[T_INFLUENCE] == 1;
    const real *columns = numbers(a, child, T_INFLUENCE_AT);
    EACH(e, 6 * n) m[R_INFLUENCE + e] = still ? columns[e] : a.link[AT(a, child.layout[Y_INFLUENCE], e, child.lane)];
    MEET;
}

// Columns of what is carried through turn r and way l: those of a symmetric matrix and a force, of the handle's transfer besides.
FX void carry_team(const Team &team, const real *r, const real *l, real *rigid, real *turned, real *transfer) {
    EACH(j, transfer ? 13 : 7) {
        real v[6], o[6];
        UNROLL for (int i = 0; i < 6; i++) v[i] = j < 6 ? rigid[at6(i, j)] : j == 6 ? rigid[R_FORCE + i] : transfer[6 * i + j - 7];
        if (r) carry(r, l, v, o);
        else {
            copy(6, v, o);
            shift_force(l, o);
        }
        UNROLL for (int i = 0; i < 6; i++) {
            if (j < 6) turned[i * 6 + j] = o[i];
            else if (j == 6) rigid[R_FORCE + i] = o[i];
            else transfer[6 * i + j - 7] = o[i];
        }
    }
    MEET;
    EACH(i, 6) {
        real v[6], o[6];
        copy(6, turned + 6 * i, v);
        if (r) carry(r, l, v, o);
        else {
            copy(6, v, o);
            shift_force(l, o);
        }
        UNROLL for (int j = 0; j < 6; j++)
            if (j >= i) rigid[at6(i, j)] = o[j];
    }
    MEET;
}

// Adds what a child shows at the point where it hangs; it stands in m[R_CHILD].
FX void take_up_team(const Args &a, const Team &team, const Slot &child, int n, real *m) {
    real *shown = m + R_CHILD;
    if (n > 0 && influences(child)) {
        real lever[3];
        const real *columns = m + R_INFLUENCE;
        real *reaction = m + R_OUTER;
        load_lever(a, child, lever);
        influence_team(a, team, child, n, m);
        EACH(e, 6 * n) reaction[e] = symmetric_row(shown, e % 6, columns + e / 6 * 6);
        EACH(r, n) m[R_BIAS + r] += dot6(columns + 6 * r, shown + R_FORCE);
        MEET;
        EACH(e, n * (n + 1) / 2) {
            const int r = row_of(e), t = e - tri(r, 0);
            m[R_MODAL + e] += dot6(columns + 6 * t, reaction + 6 * r);
        }
        EACH(e, 6 * n) {
            const int i = e % 6, j = (i + 1) % 3, k = (i + 2) % 3;
            const real *f = reaction + e / 6 * 6;
            const real lj = j == 0 ? lever[0] : j == 1 ? lever[1] : lever[2], lk = k == 0 ? lever[0] : k == 1 ? lever[1] : lever[2];
            m[R_COUPLING + e] += i < 3 ? f[i] + (lj * f[3 + k] - lk * f[3 + j]) : f[i];
        }
        MEET;
        carry_team(team, 0, lever, shown, m + R_TURNED, 0);
    }
    EACH(i, 27) m[i] += shown[i];
    MEET;
}

// What acts on the modes of a body, and its mass block; returns the power of their damping and of loads at frames (first member).
FX real own_block_team(const Args &a, const Team &team, const Slot &s, real *m) {
    const int n = s.modes;
    real omega[3], total = 0;
    load_omega(a, s, omega);
    if (n == 0) {
        if (team.rank == 0) {
            rigid_part(numbers(a, s, T_MASS_AT), omega, *(Rigid *)m);
            if (has_ends(a, s)) total = take_ends(a, s, 0, 0, m + R_BIAS, m + R_FORCE);
        }
        MEET;
        return total;
    }
    EACH(r, n) {
        m[R_ETA + r] = a.q[AT(a, s.layout[Y_Q], r, s.lane)];
        m[R_RATE + r] = a.v[AT(a, s.layout[Y_V], r, s.lane)];
    }
    MEET;
    block_team(a, team, s, omega, m);
    if (team.rank == 0 && s.type[T_DAMPING] != NOTHING) {
        real damping[FX_SPACE];
        for (int r = 0; r < n; r++) damping[r] = 0;
        modal_forces(s.type[T_DAMPING], numbers(a, s, T_DAMPING_AT), n, 1.0, m + R_RATE, damping);
        for (int r = 0; r < n; r++) {
            m[R_BIAS + r] += damping[r];
            total -= damping[r] * m[R_RATE + r];
        }
    }
    if (team.rank == 0 && has_ends(a, s)) total += take_ends(a, s, m + R_ETA, m + R_RATE, m + R_BIAS, m + R_FORCE);
    MEET;
    return total;
}

// Rows of the outboard handle on the modes of its carrier.
FX void pull_modes_team(const Args &a, const Team &team, const Slot &child, int n, real *m) {
    Handle &h = *(Handle *)(m + R_HANDLE);
    if (!influences(child)) {
        EACH(e, 6 * n) m[R_OUTER + e] = 0;
        MEET;
        return;
    }
    real lever[3];
    load_lever(a, child, lever);
    influence_team(a, team, child, n, m);
    EACH(e, 6 * n) m[R_OUTER + e] = column_times(h.transfer, e % 6, m + R_INFLUENCE + e / 6 * 6);
    MEET;
    EACH(j, 6) {
        real v[6];
        UNROLL for (int i = 0; i < 6; i++) v[i] = h.transfer[6 * i + j];
        shift_force(lever, v);
        UNROLL for (int i = 0; i < 6; i++) h.transfer[6 * i + j] = v[i];
    }
    MEET;
}

// Modes of a body, column after column: factor, W, y and V in place and in memory, then what they leave of inertia and handle.
FX bool eliminate_modes_team(const Args &a, const Team &team, const Slot &s, const Out &o, bool open, real *m) {
    const int n = s.modes, lane = s.lane;
    real *modal = m + R_MODAL, *coupling = m + R_COUPLING, *outer = m + R_OUTER, *y = m + R_BIAS;
    bool regular = true;
    for (int c = 0; c < n; c++) {
        const real *row = modal + tri(c, 0);
        real pivot = row[c];
        for (int p = 0; p < c; p++) pivot -= row[p] * row[p];
        regular = regular && pivot > 0;
        const real inverse = 1 / sqrt(pivot);
        MEET;
        const int below = n - c - 1, sides = open ? 13 : 7;
        EACH(e, below + sides) {
            real sum;
            if (e < below) {
                const real *other = modal + tri(c + 1 + e, 0);
                sum = other[c];
                for (int p = 0; p < c; p++) sum -= other[p] * row[p];
                modal[tri(c + 1 + e, c)] = sum * inverse;
                a.out[AT(a, o.modal, tri(c + 1 + e, c), lane)] = sum * inverse;
            } else if (e < below + 6) {
                const int i = e - below;
                sum = coupling[6 * c + i];
                for (int p = 0; p < c; p++) sum -= row[p] * coupling[6 * p + i];
                coupling[6 * c + i] = sum * inverse;
                a.out[AT(a, o.coupling, 6 * c + i, lane)] = sum * inverse;
            } else if (e == below + 6) {
                sum = -y[c];
                for (int p = 0; p < c; p++) sum -= row[p] * y[p];
                y[c] = sum * inverse;
                a.out[AT(a, o.force, c, lane)] = sum * inverse;
                modal[tri(c, c)] = inverse;
                a.out[AT(a, o.modal, tri(c, c), lane)] = inverse;
            } else {
                const int i = e - below - 7;
                sum = outer[6 * c + i];
                for (int p = 0; p < c; p++) sum -= row[p] * outer[6 * p + i];
                outer[6 * c + i] = sum * inverse;
                a.out[AT(a, o.outer, 6 * c + i, lane)] = sum * inverse;
            }
        }
        MEET;
    }
    EACH(e, open ? 90 : 27) {
        real sum = m[e];
        if (e < 21) {
            const int i = at6_row(e), j = e - at6(i, i) + i;
            for (int r = 0; r < n; r++) sum += -coupling[6 * r + i] * coupling[6 * r + j];
        } else if (e < 27) {
            for (int r = 0; r < n; r++) sum += y[r] * coupling[6 * r + e - 21];
        } else if (e < 63) {
            const int i = (e - 27) / 6, j = (e - 27) % 6;
            for (int r = 0; r < n; r++) sum += -coupling[6 * r + i] * outer[6 * r + j];
        } else if (e < 84) {
            const int i = at6_row(e - 63), j = e - 63 - at6(i, i) + i;
            for (int r = 0; r < n; r++) sum += outer[6 * r + i] * outer[6 * r + j];
        } else {
            for (int r = 0; r < n; r++) sum += y[r] * outer[6 * r + e - 84];
        }
        m[e] = sum;
    }
    MEET;
    return regular;
}

// One free column.
FX bool eliminate_one_team(const Args &a, const Team &team, const Slot &s, const Out &o, const real *bias, real effort, bool open, real *m) {
    real column[6], *gain = m + R_GAIN, *response = m + R_RESPONSE, *force = m + R_FORCE, *transfer = m + R_HANDLE;
    load_column(a, s, 0, column);
    EACH(e, 12) {
        const int i = e % 6;
        if (e < 6) force[i] += symmetric_row(m, i, bias);
        else gain[i] = symmetric_row(m, i, column);
    }
    MEET;
    const real pivot = dot6(column, gain), inverse = 1 / pivot, innovation = (effort - dot6(column, force)) * inverse;
    real free[6];
    UNROLL for (int i = 0; i < 6; i++) free[i] = bias[i] + innovation * column[i];
    MEET;
    EACH(e, open ? 33 : 27) {
        if (e < 21) {
            const int i = at6_row(e), j = e - at6(i, i) + i;
            m[e] += -inverse * gain[i] * gain[j];
        } else if (e < 27) {
            const int i = e - 21;
            force[i] += innovation * gain[i];
            a.out[AT(a, o.gain, i, s.lane)] = gain[i];
        } else {
            const int i = e - 27;
            const real felt = column_times(transfer, i, column);
            response[i] = felt;
            m[R_HANDLE + 57 + i] += column_times(transfer, i, free);
            a.out[AT(a, o.response, i, s.lane)] = felt;
        }
    }
    if (team.rank == 0) {
        a.out[AT(a, o.factor, 0, s.lane)] = inverse;
        a.out[AT(a, o.innovation, 0, s.lane)] = innovation;
    }
    MEET;
    if (open) {
        EACH(e, 57) {
            if (e < 36) {
                const int i = e / 6, j = e % 6;
                transfer[e] -= gain[i] * inverse * response[j];
            } else {
                const int i = at6_row(e - 36), j = e - 36 - at6(i, i) + i;
                transfer[e] += inverse * response[i] * response[j];
            }
        }
        MEET;
    }
    return pivot > 0;
}

// Joint of a body; returns the power of what acts along its coordinates.
FX real eliminate_joint_team(const Args &a, const Team &team, const Slot &s, const Out &o, bool open, real *m, bool &regular) {
    if (s.dof == 1 && !prescribed(s)) {
        real bias[6], q[7], u[6], effort[6];
        load_bias(a, s, bias);
        if (s.type[T_LAW]) {
            q[0] = a.q[AT(a, s.layout[Y_Q] + s.modes, 0, s.lane)];
            u[0] = a.v[AT(a, s.layout[Y_V] + s.modes, 0, s.lane)];
        }
        const real power = joint_efforts(a, s, q, u, effort);
        regular = eliminate_one_team(a, team, s, o, bias, effort[0], open, m);
        return power;
    }
    real power = 0;
#ifndef FX_ONE_FREE
    if (team.rank == 0) {
        Handle &h = *(Handle *)(m + R_HANDLE);
        power = eliminate_joint(a, s, o, false, *(Rigid *)m, h, regular);
        if (open) {
            real bias[6];
            load_bias(a, s, bias);
            handle_columns(a, s, o, bias, h);
        }
    }
    MEET;
#endif
    return power;
}

#ifndef FX_CHAIN
// Children that do not stand right behind their carrier, and branches of other lanes.
FX void take_others_team(const Args &a, const Team &team, const Slot &s, const int *words, int &branch, real *m) {
    for (int c = 0; c < s.entry[S_KIDS]; c++) {
        Slot child = slot_of(a, words, s.lane, a.list[s.entry[S_KIDS_AT] + c]);
        Out from = out_of(a, child);
        EACH(i, 27) m[R_CHILD + i] = a.out[AT(a, from.shown, i, s.lane)];
        MEET;
        take_up_team(a, team, child, s.modes, m);
    }
    while (branch >= 0 && a.branch[(size_t)(words[LN_BRANCHES_AT] + branch) * B_WORDS + B_SLOT] == s.k) {
        const int *record = a.branch + (size_t)(words[LN_BRANCHES_AT] + branch) * B_WORDS;
        Slot child = slot_of(a, lane_words(a, record[B_LANE]), record[B_LANE], record[B_LINK]);
        EACH(i, 27) m[R_CHILD + i] = a.element[(size_t)(E_SHOWN + i) * a.nodes + record[B_NODE]];
        MEET;
        take_up_team(a, team, child, s.modes, m);
        branch--;
    }
}
#endif

FX void lane_in_team(const Args &a, const Team &team, int lane, real *m) {
    const int *words = lane_words(a, lane);
    const bool huge = !IS_BATCH(a), open = huge && words[LN_NEXT_LANE] >= 0;
    real total = 0;
    int waiting = -1, path_lane = -1, path_slot = -1;
#ifndef FX_CHAIN
    int branch = huge ? words[LN_BRANCHES] - 1 : -1;
    EACH(i, 27) m[R_SUM + i] = 0;
#endif
    if (open) {
        path_lane = words[LN_NEXT_LANE];
        path_slot = 0;
        if (team.rank == 0) begin_handle(a, path_lane, *(Handle *)(m + R_HANDLE));
    }
    EACH(i, 27) m[i] = 0;
    MEET;
    for (int k = words[LN_LENGTH] - 1; k >= 0; k--) {
        Slot s = slot_of(a, words, lane, k);
        const int n = s.modes, flags = s.entry[S_FLAGS];
        const bool handle = open && (flags & ON_PATH);
        Out o = out_of(a, s);
        if (n > 0 && waiting >= 0) {
            // What waits acts on the modes first: set aside while the own block is made.
            EACH(i, 27) {
                m[R_CHILD + i] = m[i];
                m[i] = 0;
            }
            MEET;
            total += own_block_team(a, team, s, m);
            take_up_team(a, team, slot_of(a, words, lane, waiting), n, m);
        } else {
            total += own_block_team(a, team, s, m);
        }
        waiting = -1;
#ifndef FX_CHAIN
        take_others_team(a, team, s, words, branch, m);
#endif
        bool regular = true, joint_regular = true;
        if (n > 0) {
            if (handle) pull_modes_team(a, team, slot_of(a, lane_words(a, path_lane), path_lane, path_slot), n, m);
            regular = eliminate_modes_team(a, team, s, o, handle, m);
        }
        total += eliminate_joint_team(a, team, s, o, handle, m, joint_regular);
        if (team.rank == 0 && !(regular && joint_regular) && a.fault[lane] == 0) a.fault[lane] = k + 1;
        if ((flags & BASE) && huge && words[LN_KIND] == RUN) EACH(i, open ? 90 : 27) a.element[(size_t)i * a.nodes + words[LN_NODE]] = m[i];
        const bool ends = (flags & BASE) && (!huge || words[LN_KIND] == RUN || words[LN_CARRIER_SLOT] < 0);
        if (!ends) {
            Link link;
            real reach[3];
            load_pose(a, s, link);
            reach_of(s, link, reach);
            carry_team(team, link.rotation, reach, m, m + R_TURNED, handle ? m + R_HANDLE : 0);
            if (handle) {
                path_lane = lane;
                path_slot = k;
            }
            if (flags & KEPT) {
                waiting = k;
                continue;
            }
#ifndef FX_CHAIN
            EACH(i, 27) {
                if (flags & BASE) m[R_SUM + i] += m[i];
                else a.out[AT(a, o.shown, i, lane)] = m[i];
            }
#endif
        }
        MEET;
        EACH(i, 27) m[i] = 0;
        MEET;
    }
    if (team.rank == 0 && a.powered) a.power[lane] = total;
#ifndef FX_CHAIN
    if (huge && words[LN_KIND] == BUNDLE) EACH(i, 27) a.element[(size_t)(E_SHOWN + i) * a.nodes + words[LN_NODE]] = m[R_SUM + i];
#endif
}
