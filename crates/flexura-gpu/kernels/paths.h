// Poses and velocities in the inertial frame, for what acts at frames.
//
// Source: crates/flexura/src/motion/observe.rs; book/src/theory/devices.md (DV.4). A path is a rigid displacement with a velocity of its own:
// R_k = R_p R, x_k = x_p + R_p x, V_k = X* V_p + d with X* the shift and turn of motions. V is referred to the hinge of a body, as
// accelerations are. Where points are frozen the dynamics leaves them undeformed and force elements see them deformed: a way holds both
// displacements, one for poses and one for velocities. Cost per body about 200 products; in huge systems twice, as for the angular velocity.

// Fields of a slot in `pose`: orientation, place, velocity referred to the hinge, velocity of the frame.
enum { O_ROTATION = 0, O_PLACE = 9, O_HINGE = 12, O_VELOCITY = 18, O_ALL = 24 };
// Fields of a node in `path`: its way (poses, then velocities), then what the carrier of its first body does.
enum { H_ROTATION = 0, H_PLACE = 9, H_TURN = 12, H_REACH = 21, H_OFFSET = 24, H_BASE = 30, H_ALL = 48 };

#define PATH(f, node) a.path[(size_t)(f) * a.nodes + (node)]

struct Way {
    real rotation[9], place[3], turn[9], reach[3], offset[6];
};
struct Pose {
    real rotation[9], place[3], velocity[6];
};

FX void standstill(Pose &o) {
    unit3(o.rotation);
    clear(3, o.place);
    clear(6, o.velocity);
}

FX void displace(const real *rotation, const real *place, const real *way_rotation, const real *way_place, real *o_rotation, real *o_place) {
    real t[3];
    product(rotation, way_rotation, o_rotation);
    times(rotation, way_place, t);
    UNROLL for (int i = 0; i < 3; i++) o_place[i] = place[i] + t[i];
}

// X* V + d
FX void carry_velocity(const Way &way, const real *velocity, real *o) {
    real v[6];
    copy(6, velocity, v);
    shift_motion(way.reach, v);
    rotate_back6(way.turn, v, o);
    add(6, way.offset, o);
}

FX void follow(const Pose &base, const Way &way, Pose &o) {
    displace(base.rotation, base.place, way.rotation, way.place, o.rotation, o.place);
    carry_velocity(way, base.velocity, o.velocity);
}

// One way after the other.
FX void chain_ways(const Way &first, const Way &then, Way &o) {
    displace(first.rotation, first.place, then.rotation, then.place, o.rotation, o.place);
    displace(first.turn, first.reach, then.turn, then.reach, o.turn, o.reach);
    carry_velocity(then, first.offset, o.offset);
}

// Orientation and place of a frozen point as it deforms.
FX void deformed_point(const Args &a, const real *p, int n, int lane, const int *layout, Point &o) {
    real eta[FX_SPACE], rest[FX_SPACE], columns[6 * FX_SPACE];
    for (int r = 0; r < n; r++) {
        eta[r] = a.q[AT(a, layout[Y_Q], r, lane)];
        rest[r] = 0;
    }
    evaluate_point(p, n, 0, eta, rest, o, columns);
}

// Velocity on a carrier at rest whose modes move, own axes.
FX void own_velocity(const Args &a, const Slot &s, const Link &link, int carrier_lane, int carrier_slot, real *o) {
    real point[6] = {0, 0, 0, 0, 0, 0};
    if (influences(s)) {
        const int *layout = a.layout + carrier_slot * Y_WORDS;
        for (int r = 0; r < s.type[T_PARENT_MODES]; r++) {
            real column[6];
            load_influence(a, s, r, column);
            axpy(6, a.v[AT(a, layout[Y_V], r, carrier_lane)], column, point);
        }
        shift_motion(link.from, point);
    }
    rotate_back6(link.rotation, point, o);
    for (int c = 0; c < s.dof; c++) {
        real column[6];
        load_column(a, s, c, column);
        axpy(6, a.v[AT(a, s.layout[Y_V] + s.modes, c, s.lane)], column, o);
    }
}

// The way of one body from its carrier.
FX void way_of(const Args &a, const Slot &s, const int *words, Way &o) {
    int carrier_lane, carrier_slot;
    carrier_of(s, words, carrier_lane, carrier_slot);
    Link link;
    load_pose(a, s, link);
    own_velocity(a, s, link, carrier_lane, carrier_slot, o.offset);
    copy(9, link.rotation, o.turn);
    UNROLL for (int i = 0; i < 3; i++) o.reach[i] = link.lever[i] + link.from[i];
    copy(9, o.turn, o.rotation);
    copy(3, o.reach, o.place);
    if (FX_MODES == 0 || (s.type[T_OUTER] != FROZEN && s.type[T_INNER] != FROZEN)) return;
    // R = Ro R0 Ri*, x = xo + Ro (from + R0 i0) - R xi
    real hinge[3], arm[3], t[9], place[3] = {0, 0, 0};
    Point outer, inner;
    still_point(link.lever, outer);
    still_point(place, inner);
    if (s.type[T_OUTER] == FROZEN)
        deformed_point(a, numbers(a, s, T_OUTER_AT), s.type[T_PARENT_MODES], carrier_lane, a.layout + carrier_slot * Y_WORDS, outer);
    if (s.type[T_INNER] == FROZEN) {
        deformed_point(a, numbers(a, s, T_INNER_AT), s.modes, s.lane, s.layout, inner);
        copy(3, numbers(a, s, T_INNER_AT) + P_PLACE, place);
    }
    times(link.rotation, place, arm);
    add(3, link.from, arm);
    times(outer.rotation, arm, hinge);
    product(outer.rotation, link.rotation, t);
    product_transposed(t, inner.rotation, o.rotation);
    times(o.rotation, inner.place, arm);
    UNROLL for (int i = 0; i < 3; i++) o.place[i] = (outer.place[i] + hinge[i]) - arm[i];
}

FX void store_way(const Args &a, int node, const Way &w) {
    UNROLL for (int i = 0; i < 9; i++) {
        PATH(H_ROTATION + i, node) = w.rotation[i];
        PATH(H_TURN + i, node) = w.turn[i];
    }
    UNROLL for (int i = 0; i < 3; i++) {
        PATH(H_PLACE + i, node) = w.place[i];
        PATH(H_REACH + i, node) = w.reach[i];
    }
    UNROLL for (int i = 0; i < 6; i++) PATH(H_OFFSET + i, node) = w.offset[i];
}
FX void load_way(const Args &a, int node, Way &w) {
    UNROLL for (int i = 0; i < 9; i++) {
        w.rotation[i] = PATH(H_ROTATION + i, node);
        w.turn[i] = PATH(H_TURN + i, node);
    }
    UNROLL for (int i = 0; i < 3; i++) {
        w.place[i] = PATH(H_PLACE + i, node);
        w.reach[i] = PATH(H_REACH + i, node);
    }
    UNROLL for (int i = 0; i < 6; i++) w.offset[i] = PATH(H_OFFSET + i, node);
}
FX void store_base(const Args &a, int node, const Pose &p) {
    UNROLL for (int i = 0; i < 9; i++) PATH(H_BASE + i, node) = p.rotation[i];
    UNROLL for (int i = 0; i < 3; i++) PATH(H_BASE + 9 + i, node) = p.place[i];
    UNROLL for (int i = 0; i < 6; i++) PATH(H_BASE + 12 + i, node) = p.velocity[i];
}
FX void load_base(const Args &a, int node, Pose &p) {
    UNROLL for (int i = 0; i < 9; i++) p.rotation[i] = PATH(H_BASE + i, node);
    UNROLL for (int i = 0; i < 3; i++) p.place[i] = PATH(H_BASE + 9 + i, node);
    UNROLL for (int i = 0; i < 6; i++) p.velocity[i] = PATH(H_BASE + 12 + i, node);
}

#define POSE(f, slot, lane) a.pose[((size_t)(slot) * O_ALL + (f)) * a.lanes + (lane)]

// What a body does, velocity referred to its hinge; the ground stands still.
FX void body_pose(const Args &a, int lane, int slot, Pose &p) {
    if (slot < 0) {
        standstill(p);
        return;
    }
    UNROLL for (int i = 0; i < 9; i++) p.rotation[i] = POSE(O_ROTATION + i, slot, lane);
    UNROLL for (int i = 0; i < 3; i++) p.place[i] = POSE(O_PLACE + i, slot, lane);
    UNROLL for (int i = 0; i < 6; i++) p.velocity[i] = POSE(O_HINGE + i, slot, lane);
}

// The way along the path of a lane.
FX void lane_way(const Args &a, int lane) {
    const int *words = lane_words(a, lane);
    Way sum, own, both;
    bool begun = false;
    for (int k = 0; k < words[LN_LENGTH]; k++) {
        Slot s = slot_of(a, words, lane, k);
        if (!(s.entry[S_FLAGS] & ON_PATH)) continue;
        way_of(a, s, words, own);
        if (begun) {
            chain_ways(sum, own, both);
            sum = both;
        } else {
            sum = own;
        }
        begun = true;
    }
    if (begun) store_way(a, words[LN_NODE], sum);
}

FX void way_up(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS;
    Way left, right, both;
    load_way(a, w[N_LEFT], left);
    load_way(a, w[N_RIGHT], right);
    chain_ways(left, right, both);
    store_way(a, node, both);
}

// Where a path starts: on its carrier.
FX void way_root(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS, *words = lane_words(a, w[N_LANE]);
    Pose base;
    body_pose(a, words[LN_CARRIER_LANE], words[LN_CARRIER_SLOT], base);
    store_base(a, node, base);
}

FX void way_down(const Args &a, int node) {
    const int *w = a.node + (size_t)node * N_WORDS;
    Pose base, moved;
    Way left;
    load_base(a, node, base);
    load_way(a, w[N_LEFT], left);
    follow(base, left, moved);
    store_base(a, w[N_LEFT], base);
    store_base(a, w[N_RIGHT], moved);
}

// Velocity of the frame of a body from that referred to its hinge: V - Pd n'.
FX void frame_velocity(const Args &a, const Slot &s, real *velocity) {
    const int n = s.modes;
    if (n == 0 || s.type[T_INNER] == STILL) return;
    real eta[FX_SPACE], rate[FX_SPACE], columns[6 * FX_SPACE];
    load_modes(a, s.lane, s.layout, n, eta, rate);
    if (s.type[T_INNER] == MOVING) {
        Point inner;
        evaluate_point(numbers(a, s, T_INNER_AT), n, s.type[T_RULE], eta, rate, inner, columns);
        refer_inboard(inner, n, columns);
    } else {
        copy(6 * n, numbers(a, s, T_INBOARD_AT), columns);
    }
    for (int r = 0; r < n; r++) axpy(6, -rate[r], columns + 6 * r, velocity);
}

// Poses and velocities of a lane, base to tip.
FX void lane_pose(const Args &a, int lane) {
    const int *words = lane_words(a, lane);
    Pose last, carrier;
    for (int k = 0; k < words[LN_LENGTH]; k++) {
        Slot s = slot_of(a, words, lane, k);
        int carrier_lane, carrier_slot;
        carrier_of(s, words, carrier_lane, carrier_slot);
        if ((s.entry[S_FLAGS] & BASE) && !IS_BATCH(a) && words[LN_KIND] == RUN) load_base(a, words[LN_NODE], carrier);
        else if (!(s.entry[S_FLAGS] & BASE) && carrier_slot == k - 1) carrier = last;
        else body_pose(a, carrier_lane, carrier_slot, carrier);
        Way own;
        real velocity[6];
        way_of(a, s, words, own);
        follow(carrier, own, last);
        copy(6, last.velocity, velocity);
        frame_velocity(a, s, velocity);
        UNROLL for (int i = 0; i < 9; i++) POSE(O_ROTATION + i, k, lane) = last.rotation[i];
        UNROLL for (int i = 0; i < 3; i++) POSE(O_PLACE + i, k, lane) = last.place[i];
        UNROLL for (int i = 0; i < 6; i++) {
            POSE(O_HINGE + i, k, lane) = last.velocity[i];
            POSE(O_VELOCITY + i, k, lane) = velocity[i];
        }
    }
}
