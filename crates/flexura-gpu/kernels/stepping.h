// Steps in time on the device: Runge-Kutta 4 and Dormand-Prince 5(4) on local increments, step control without the host.
//
// Sources: crates/flexura/src/integrate/{rk4,dopri5,step_control,fixed_step,flow}.rs, book/src/theory/integrators.md (TI.1) to (TI.3).
// One clock drives all lanes of a huge system; every system of a batch has its own. A clock that has reached the end of
// its segment, or has failed, stands still: its lanes keep their state until the host goes on.

enum { CK_TIME, CK_STEP, CK_END, CK_PROPOSED, CK_PREVIOUS, CK_REJECTED_LAST, CK_LIMIT, CK_ACCEPTED, CK_REJECTED, CK_STANDS,
       CK_ANCHOR, CK_COUNT, CK_LAST, CK_WANTED, CK_VERDICT, CK_FAULT, CK_WORDS };
enum { RUNGE_KUTTA, DORMAND_PRINCE };
enum { GROUP = 256 };

struct Steps {
    int method, stages, speeds, limits, entries, free_entries;
    real step, relative, absolute, largest;
    const real *until; // end of the segment; changes between replays of a recorded step
    const real *limit;
    const int *limits_of; // first limit of each system and one past its last; none where all have all
    real *clock, *start_q, *start_v, *increment, *slope_q, *slope_v, *slope_work, *work, *start_work, *partial, *time;
    int *standing;
};

FX real stage_weight(int method, int s, int j) {
    const real rk[4][4] = {{0, 0, 0, 0}, {0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 1, 0}};
    const real dp[7][6] = {{0, 0, 0, 0, 0, 0}, {1.0 / 5, 0, 0, 0, 0, 0}, {3.0 / 40, 9.0 / 40, 0, 0, 0, 0},
        {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0}, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656, 0},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    return method == RUNGE_KUTTA ? rk[s][j] : dp[s][j];
}
FX real stage_node(int method, int s) {
    const real rk[4] = {0, 0.5, 0.5, 1}, dp[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
    return method == RUNGE_KUTTA ? rk[s] : dp[s];
}
FX real end_weight(int j) {
    const real rk[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    return rk[j];
}
FX real error_weight(int j) {
    const real e[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    return e[j];
}

FX real *clock_words(const Args &a, const Steps &b, int lane) { return b.clock + (a.clocked ? (size_t)lane * CK_WORDS : 0); }

// Length and end of the next step of a clock.
FX void begin_step(const Args &a, const Steps &b, int clock) {
    real *c = b.clock + (size_t)clock * CK_WORDS;
    c[CK_STANDS] = c[CK_FAULT] != 0 || c[CK_TIME] >= *b.until;
    if (c[CK_STANDS]) return;
    real start = c[CK_TIME], limit = *b.until;
    const int first = b.limits_of ? b.limits_of[2 * clock] : 0, last = b.limits_of ? b.limits_of[2 * clock + 1] : b.limits;
    int at = first + (int)c[CK_LIMIT];
    while (at < last && b.limit[at] <= start) at++;
    c[CK_LIMIT] = at - first;
    if (at < last && b.limit[at] < limit) limit = b.limit[at];
    real end, h;
    if (b.method == RUNGE_KUTTA) {
        // anchor + n h, not a sum of steps
        h = b.step;
        if (start != c[CK_LAST]) {
            c[CK_ANCHOR] = start;
            c[CK_COUNT] = 0;
        }
        c[CK_COUNT] += 1;
        end = c[CK_ANCHOR] + h * c[CK_COUNT];
    } else {
        h = c[CK_PROPOSED] < b.largest ? c[CK_PROPOSED] : b.largest;
        c[CK_WANTED] = h;
        end = start + h;
    }
    if (end + 1e-4 * h >= limit) {
        end = limit;
        h = limit - start;
    }
    c[CK_STEP] = h;
    c[CK_END] = end;
    c[CK_LAST] = end;
    if (end == limit) {
        c[CK_ANCHOR] = limit;
        c[CK_COUNT] = 0;
    }
    if (b.method == DORMAND_PRINCE && h <= 1e-14 * (1 + (start < 0 ? -start : start)) && end < limit) c[CK_FAULT] = 1;
}

FX size_t entry(const Args &a, int field, int lane) { return (size_t)field * a.lanes + lane; }

// Slopes of the stage just evaluated.
FX void keep_slopes(const Args &a, const Steps &b, const Slot &s, int stage) {
    const size_t all = (size_t)b.speeds * a.lanes;
    const int vb = s.layout[Y_V], qb = s.layout[Y_Q], n = s.modes;
    for (int r = 0; r < n; r++) b.slope_q[stage * all + entry(a, vb + r, s.lane)] = a.v[entry(a, vb + r, s.lane)];
    real q[7], u[6], step[6], rate[6];
    for (int i = 0; i < s.type[T_NQ]; i++) q[i] = a.q[entry(a, qb + n + i, s.lane)];
    for (int i = 0; i < s.dof; i++) {
        u[i] = a.v[entry(a, vb + n + i, s.lane)];
        step[i] = b.increment[entry(a, vb + n + i, s.lane)];
    }
    increment_rate(s.type[T_KIND], s.dof, q, step, u, rate);
    for (int i = 0; i < s.dof; i++) b.slope_q[stage * all + entry(a, vb + n + i, s.lane)] = rate[i];
    for (int i = 0; i < n + s.dof; i++) b.slope_v[stage * all + entry(a, vb + i, s.lane)] = a.rate[entry(a, vb + i, s.lane)];
}

// y = start + h sum w_j k_j of `count` stages.
FX void place(const Args &a, const Steps &b, const Slot &s, real h, int count, int stage) {
    const size_t all = (size_t)b.speeds * a.lanes;
    const int vb = s.layout[Y_V], qb = s.layout[Y_Q], n = s.modes;
    real step[6], start[7], q[7];
    for (int i = 0; i < n + s.dof; i++) {
        size_t at = entry(a, vb + i, s.lane);
        real moved = 0, sped = 0;
        for (int j = 0; j < count; j++) {
            real w = stage < 0 ? end_weight(j) : stage_weight(b.method, stage, j);
            moved += w * b.slope_q[j * all + at];
            sped += w * b.slope_v[j * all + at];
        }
        moved *= h;
        b.increment[at] = moved;
        a.v[at] = b.start_v[at] + h * sped;
        if (i < n) a.q[entry(a, qb + i, s.lane)] = b.start_q[entry(a, qb + i, s.lane)] + moved;
        else step[i - n] = moved;
    }
    for (int i = 0; i < s.type[T_NQ]; i++) start[i] = b.start_q[entry(a, qb + n + i, s.lane)];
    retract(s.type[T_KIND], s.type[T_NQ], start, step, q);
    for (int i = 0; i < s.type[T_NQ]; i++) a.q[entry(a, qb + n + i, s.lane)] = q[i];
}

// Stage `stage` of a step, one slot of a lane: keeps the slopes of the stage before, goes to the next.
FX void advance(const Args &a, const Steps &b, int slot, int lane, int stage) {
    const real *c = clock_words(a, b, lane);
    const int *words = lane_words(a, lane);
    if (c[CK_STANDS] != 0) return;
    const bool last = stage >= (b.method == RUNGE_KUTTA ? 3 : 5);
    const real time = last ? c[CK_END] : c[CK_TIME] + stage_node(b.method, stage) * c[CK_STEP];
    if (slot == 0) {
        if (a.clocked || lane == 0) {
            b.time[2 * (size_t)(a.clocked ? lane : 0)] = time;
            b.time[2 * (size_t)(a.clocked ? lane : 0) + 1] = last ? 1.0 : 0.0;
        }
        if (stage == 0) b.start_work[lane] = b.work[lane];
        else b.slope_work[(size_t)(stage - 1) * a.lanes + lane] = a.power[lane];
    }
    if (slot >= words[LN_LENGTH]) return;
    Slot s = slot_of(a, words, lane, slot);
    if (stage == 0) {
        for (int i = 0; i < s.modes + s.type[T_NQ]; i++) {
            size_t at = entry(a, s.layout[Y_Q] + i, lane);
            b.start_q[at] = a.q[at];
        }
        for (int i = 0; i < s.modes + s.dof; i++) {
            size_t at = entry(a, s.layout[Y_V] + i, lane);
            b.start_v[at] = a.v[at];
            b.increment[at] = 0;
        }
    } else {
        keep_slopes(a, b, s, stage - 1);
        place(a, b, s, c[CK_STEP], stage, stage);
    }
    prescribe_slot(a, s, time, last);
}

// End of a Runge-Kutta 4 step, one slot of a lane.
FX void finish_slot(const Args &a, const Steps &b, int slot, int lane) {
    const real *c = clock_words(a, b, lane);
    const int *words = lane_words(a, lane);
    if (c[CK_STANDS] != 0) return;
    if (slot == 0) {
        const real *k = b.slope_work + lane;
        const size_t all = a.lanes;
        b.work[lane] = b.start_work[lane] + c[CK_STEP] * (((end_weight(0) * k[0] + end_weight(1) * k[all]) + end_weight(2) * k[2 * all]) + end_weight(3) * a.power[lane]);
    }
    if (slot >= words[LN_LENGTH]) return;
    Slot s = slot_of(a, words, lane, slot);
    keep_slopes(a, b, s, 3);
    place(a, b, s, c[CK_STEP], 4, -1);
    prescribe_slot(a, s, c[CK_END], 1);
    // Numbers that are none any more must not pass for a motion.
    for (int i = 0; i < s.modes + s.dof; i++) {
        real x = a.v[entry(a, s.layout[Y_V] + i, lane)];
        if (!(x - x == 0)) a.fault[lane] = slot + 1;
    }
}

// Error of a Dormand-Prince step in units of the tolerance, squared and summed over a lane; last, that of the work.
FX void lane_error(const Args &a, const Steps &b, int lane) {
    const real *c = clock_words(a, b, lane);
    const int *words = lane_words(a, lane);
    b.partial[2 * (size_t)lane] = b.partial[2 * (size_t)lane + 1] = 0;
    if (c[CK_STANDS] != 0) return;
    const size_t all = (size_t)b.speeds * a.lanes;
    const real h = c[CK_STEP];
    real sum = 0;
    for (int slot = 0; slot < words[LN_LENGTH]; slot++) {
        Slot s = slot_of(a, words, lane, slot);
        keep_slopes(a, b, s, 6);
        for (int i = 0; i < s.modes + s.dof; i++) {
            if (i >= s.modes && (prescribed(s) >> (i - s.modes) & 1)) continue;
            size_t at = entry(a, s.layout[Y_V] + i, lane);
            real moved = 0, sped = 0;
            for (int j = 0; j < 7; j++) {
                moved += error_weight(j) * b.slope_q[j * all + at];
                sped += error_weight(j) * b.slope_v[j * all + at];
            }
            real from = b.start_v[at], to = a.v[at], step = b.increment[at];
            from = from < 0 ? -from : from;
            to = to < 0 ? -to : to;
            step = step < 0 ? -step : step;
            real x = h * moved / (b.absolute + b.relative * step), y = h * sped / (b.absolute + b.relative * (from > to ? from : to));
            sum += x * x + y * y;
        }
    }
    // A stage without an answer is a step too long, not the end of the run.
    b.partial[2 * (size_t)lane] = a.fault[lane] ? 0.0 / 0.0 : sum;
    real power = 0, rate = 0;
    for (int j = 0; j < 7; j++) {
        real k = j < 6 ? b.slope_work[(size_t)j * a.lanes + lane] : a.power[lane];
        power += error_weight(j) * k;
        if (j < 6) rate += stage_weight(DORMAND_PRINCE, 6, j) * k;
    }
    b.partial[2 * (size_t)lane + 1] = h * power;
    b.work[lane] = b.start_work[lane] + h * rate;
}

// Verdict on a Dormand-Prince step from the sums of its errors.
FX void judge_step(const Args &a, const Steps &b, int clock, real sum, real work_error, real work) {
    real *c = b.clock + (size_t)clock * CK_WORDS;
    if (c[CK_STANDS] != 0) return;
    real w = work < 0 ? -work : work, x = work_error / (b.absolute + b.relative * w);
    real norm = sqrt((sum + x * x) / (real)b.free_entries), h = c[CK_STEP];
    bool finite = norm - norm == 0;
    c[CK_VERDICT] = finite && norm <= 1 ? 1 : 0;
    if (!finite) {
        c[CK_PROPOSED] = 0.1 * h;
        c[CK_REJECTED_LAST] = 1;
    } else {
        real raw = exponential((0.2 - 0.75 * 0.04) * logarithm(norm > 1e-10 ? norm : 1e-10));
        if (norm <= 1) {
            real factor = 0.9 * exponential(0.04 * logarithm(c[CK_PREVIOUS])) / raw;
            factor = factor < 0.2 ? 0.2 : factor > 10 ? 10.0 : factor;
            if (c[CK_REJECTED_LAST] != 0 && factor > 1) factor = 1;
            c[CK_PROPOSED] = h * factor;
            c[CK_PREVIOUS] = norm > 1e-4 ? norm : 1e-4;
            c[CK_REJECTED_LAST] = 0;
            // A step shortened to hit a limit says nothing about the next.
            if (c[CK_END] != c[CK_TIME] + h || h < c[CK_WANTED])
                if (c[CK_PROPOSED] < c[CK_WANTED]) c[CK_PROPOSED] = c[CK_WANTED];
        } else {
            real factor = 0.9 / raw;
            c[CK_PROPOSED] = h * (factor > 0.2 ? factor : 0.2);
            c[CK_REJECTED_LAST] = 1;
        }
    }
    if (c[CK_VERDICT] != 0) c[CK_ACCEPTED] += 1;
    else c[CK_REJECTED] += 1;
}

// Puts a rejected step back, one slot of a lane.
FX void settle_slot(const Args &a, const Steps &b, int slot, int lane) {
    const real *c = clock_words(a, b, lane);
    const int *words = lane_words(a, lane);
    if (c[CK_STANDS] != 0 || c[CK_VERDICT] != 0) return;
    if (slot == 0) {
        b.work[lane] = b.start_work[lane];
        a.fault[lane] = 0;
    }
    if (slot >= words[LN_LENGTH]) return;
    Slot s = slot_of(a, words, lane, slot);
    for (int i = 0; i < s.modes + s.type[T_NQ]; i++) {
        size_t at = entry(a, s.layout[Y_Q] + i, lane);
        a.q[at] = b.start_q[at];
    }
    for (int i = 0; i < s.modes + s.dof; i++) {
        size_t at = entry(a, s.layout[Y_V] + i, lane);
        a.v[at] = b.start_v[at];
    }
}

// Moves a clock to the end of an accepted step; `fault` of its lanes stops it.
FX void tick(const Args &a, const Steps &b, int clock, int faulty) {
    real *c = b.clock + (size_t)clock * CK_WORDS;
    if (c[CK_STANDS] != 0) return;
    if (b.method == RUNGE_KUTTA) {
        c[CK_ACCEPTED] += 1;
        c[CK_TIME] = c[CK_END];
        if (faulty) c[CK_FAULT] = 2;
    } else if (c[CK_VERDICT] != 0) {
        c[CK_TIME] = c[CK_END];
        if (faulty) c[CK_FAULT] = 2;
    }
    c[CK_STANDS] = c[CK_FAULT] != 0 || c[CK_TIME] >= *b.until;
}
