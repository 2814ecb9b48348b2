// What acts at frames: applied wrenches, loads on points and modes, force elements between two frames.
//
// Source: crates/flexura/src/force/{applied,body,element}.rs and model/element, whose formulas stand here in the same order;
// book/src/theory/devices.md (DV.5). One thread per
// load writes, for each of its ends, the wrench at the frame of the body, the forces on its modes and the power of what is not stored; a
// body takes up its ends in a given order, so that sums do not depend on threads. Cost per load some hundred products, and those of the points.

// Words of a load, and of each of its frames: lane and slot of the body (-1: ground), how the point follows modes, their number, the
// rule, the numbers of the point, those of the mount.
enum { W_KIND, W_NUMBERS, W_FUNCTION, W_AXES, W_FIRST, W_SECOND = W_FIRST + 7, W_END1 = W_SECOND + 7, W_END2, W_WORDS };
enum { F_LANE, F_SLOT, F_FOLLOWS, F_MODES, F_RULE, F_POINT, F_MOUNT, F_WORDS };
enum { APPLIED, MODAL, SPRING, TORSION, BUSHING, DRAG, ACTUATOR };
enum { AXES_FRAME, AXES_INERTIAL, AXES_BODY };
// Numbers of a spring: axis (first whether there is one), free length, preload, then law and damping; of a torsional spring without length.
enum { B_AXIS = 1, B_LENGTH = 4, B_PRELOAD = 5, B_LAW = 6 };
enum { LAW_LINEAR, LAW_POLYNOMIAL, LAW_TABLE };
// Fields of an end: wrench at the frame of the body, power, then modes.
enum { N_WRENCH = 0, N_POWER = 6, N_MODAL = 7 };

struct Held {
    real rotation[9], place[3], velocity[6]; // inertial axes
    real world[9]; // of the body
    Point point;   // in the body; undeformed where it is frozen
    real arm[3];   // from the point to the frame, body axes
};

FX const real *mount_of(const Args &a, const int *f) { return a.table + f[F_MOUNT]; }

// Pose and velocity of a frame as elements see it; `columns` receives those of its point.
FX void hold_frame(const Args &a, const int *f, int system, Held &h, real *columns) {
    const real *mount = mount_of(a, f);
    if (f[F_SLOT] < 0) {
        copy(3, mount, h.place);
        copy(9, mount + 3, h.rotation);
        clear(6, h.velocity);
        return;
    }
    const int lane = IS_BATCH(a) ? system : f[F_LANE], slot = f[F_SLOT], n = FX_MODES > 0 ? f[F_MODES] : 0;
    const real *p = a.table + f[F_POINT];
    real turned[9], seen[3], body[6], place[3], t[3], at_point[6];
    if (n > 0 && f[F_FOLLOWS] != STILL) {
        real eta[FX_SPACE], rate[FX_SPACE];
        load_modes(a, lane, a.layout + slot * Y_WORDS, n, eta, rate);
        evaluate_point(p, n, f[F_FOLLOWS] == FROZEN ? 0 : f[F_RULE], eta, rate, h.point, columns);
        copy(9, h.point.rotation, turned);
        copy(3, h.point.place, seen);
        if (f[F_FOLLOWS] == FROZEN) {
            const real *shifts = p + P_SLOPES + 3 * n;
            frozen_point(p, n, rate, h.point, columns);
            copy(3, p + P_PLACE, seen);
            for (int r = 0; r < n; r++) axpy(3, eta[r], shifts + 3 * r, seen);
        }
    } else {
        still_point(p + P_PLACE, h.point);
        unit3(turned);
        copy(3, h.point.place, seen);
        clear(6 * n, columns);
    }
    UNROLL for (int i = 0; i < 9; i++) h.world[i] = POSE(O_ROTATION + i, slot, lane);
    UNROLL for (int i = 0; i < 3; i++) place[i] = POSE(O_PLACE + i, slot, lane);
    UNROLL for (int i = 0; i < 6; i++) body[i] = POSE(O_VELOCITY + i, slot, lane);
    times(h.point.rotation, mount, h.arm);
    times(turned, mount, t);
    add(3, seen, t);
    times(h.world, t, h.place);
    add(3, place, h.place);
    real in_body[9];
    product(turned, mount + 3, in_body);
    product(h.world, in_body, h.rotation);
    copy(6, body, at_point);
    shift_motion(h.point.place, at_point);
    add(6, h.point.rate, at_point);
    shift_motion(h.arm, at_point);
    rotate6(h.world, at_point, h.velocity);
}

#define END(f) a.wrench[(size_t)(base + (f)) * stride + system]

// A wrench at the point of a frame, body axes, becomes an end.
FX void write_end(const Args &a, const int *f, int base, int system, const Held &h, const real *columns, const real *at_point, real power) {
    const size_t stride = IS_BATCH(a) ? a.lanes : 1;
    const int n = FX_MODES > 0 ? f[F_MODES] : 0;
    real wrench[6];
    copy(6, at_point, wrench);
    shift_force(h.point.place, wrench);
    UNROLL for (int i = 0; i < 6; i++) END(N_WRENCH + i) = wrench[i];
    END(N_POWER) = power;
    for (int r = 0; r < n; r++) END(N_MODAL + r) = dot6(columns + 6 * r, at_point);
}

// A wrench at a frame in inertial axes becomes an end.
FX void write_inertial(const Args &a, const int *f, int base, int system, const Held &h, const real *columns, const real *wrench, real power) {
    real at_point[6];
    rotate_back6(h.world, wrench, at_point);
    shift_force(h.arm, at_point);
    write_end(a, f, base, system, h, columns, at_point, power);
}

FX real load_scale(const Args &a, const int *w, int system) {
    if (w[W_FUNCTION] < 0) return 1;
    const real *clock = clock_of(a, IS_BATCH(a) ? system : 0);
    real sample[3];
    sample_function(a.function, w[W_FUNCTION], clock[0], clock[1] != 0, sample);
    return sample[0];
}

FX void applied_wrench(const Args &a, const int *w, int system) {
    const int *f = w + W_FIRST;
    const real *given = a.table + w[W_NUMBERS];
    real factor = load_scale(a, w, system), columns[6 * FX_SPACE], wrench[6], in_body[6], velocity[6];
    if (f[F_SLOT] < 0) return;
    Held h;
    hold_frame(a, f, system, h, columns);
    UNROLL for (int i = 0; i < 6; i++) wrench[i] = factor * given[i];
    if (w[W_AXES] == AXES_INERTIAL) {
        rotate_back6(h.world, wrench, in_body);
    } else if (w[W_AXES] == AXES_FRAME) {
        real rotation[9];
        product(h.point.rotation, mount_of(a, f) + 3, rotation);
        rotate6(rotation, wrench, in_body);
    } else {
        copy(6, wrench, in_body);
    }
    shift_force(h.arm, in_body);
    const int lane = IS_BATCH(a) ? system : f[F_LANE];
    UNROLL for (int i = 0; i < 6; i++) velocity[i] = POSE(O_VELOCITY + i, f[F_SLOT], lane);
    shift_motion(h.point.place, velocity);
    add(6, h.point.rate, velocity);
    write_end(a, f, w[W_END1], system, h, columns, in_body, dot6(velocity, in_body));
}

FX void modal_load(const Args &a, const int *w, int system) {
    const int *f = w + W_FIRST, *layout = a.layout + f[F_SLOT] * Y_WORDS;
    const int n = FX_MODES > 0 ? f[F_MODES] : 0, base = w[W_END1], lane = IS_BATCH(a) ? system : f[F_LANE];
    const size_t stride = IS_BATCH(a) ? a.lanes : 1;
    const real *given = a.table + w[W_NUMBERS];
    real factor = load_scale(a, w, system), power = 0;
    UNROLL for (int i = 0; i < 6; i++) END(N_WRENCH + i) = 0;
    for (int r = 0; r < n; r++) {
        real force = factor * given[r];
        END(N_MODAL + r) = force;
        power += force * a.v[AT(a, layout[Y_V], r, lane)];
    }
    END(N_POWER) = power;
}

// Force of a table at x, continued straight beyond its ends: knots of deflection, force, slopes before and after.
FX real table_force(const real *t, real x) {
    const int n = (int)t[0];
    const real *knots = t + 1;
    if (x < knots[0]) return knots[1] + (x - knots[0]) * knots[2];
    const real *last = knots + 4 * (n - 1);
    if (x >= last[0]) return last[1] + (x - last[0]) * last[2];
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (knots[4 * middle] <= x) low = middle; else high = middle;
    }
    const real *from = knots + 4 * low, *to = from + 4;
    real h = to[0] - from[0], y = (x - from[0]) * (1 / h), rise = to[1] - from[1], start = h * from[3], end = h * to[2];
    real second = 3 * rise - (2 * start + end), third = start + end - 2 * rise;
    return from[1] + y * (start + y * (second + y * third));
}

// Spring force over the deflection; `l` points behind the law afterwards.
FX real law_force(const real *&l, real x) {
    const int kind = (int)l[0], n = (int)l[1];
    real force = 0;
    if (kind == LAW_LINEAR) {
        force = x * l[2];
        l += 3;
    } else if (kind == LAW_POLYNOMIAL) {
        for (int i = n - 1; i >= 0; i--) force = force * x + l[2 + i];
        l += 2 + n;
    } else {
        force = table_force(l + 1, x);
        l += 2 + 4 * n;
    }
    return force;
}
FX real damping_force(const real *l, real rate) {
    if ((int)l[0] == LAW_LINEAR) return rate * (rate < 0 ? l[2] : l[3]);
    return table_force(l + 1, rate);
}

struct Between {
    real arm[3], velocity[3], spin[3];
};
FX void between(const Held &first, const Held &second, Between &o) {
    real t[3];
    UNROLL for (int i = 0; i < 3; i++) o.arm[i] = second.place[i] - first.place[i];
    cross(first.velocity, o.arm, t);
    UNROLL for (int i = 0; i < 3; i++) {
        o.velocity[i] = (second.velocity[3 + i] - first.velocity[3 + i]) - t[i];
        o.spin[i] = second.velocity[i] - first.velocity[i];
    }
}
FX void line_of(const Between &b, real &length, real &rate, real *direction) {
    length = sqrt(dot(b.arm, b.arm) + 1e-18);
    real inverse = 1 / length;
    UNROLL for (int i = 0; i < 3; i++) direction[i] = inverse * b.arm[i];
    rate = dot(direction, b.velocity);
}

FX void spring(const real *p, const Held &first, const Between &b, real *wrench, real &power) {
    real length, rate, direction[3];
    if (p[0] != 0) {
        times(first.rotation, p + B_AXIS, direction);
        length = dot(direction, b.arm);
        rate = dot(direction, b.velocity);
    } else {
        line_of(b, length, rate, direction);
    }
    const real *l = p + B_LAW;
    real force = law_force(l, length - p[B_LENGTH]), damper = damping_force(l, rate), tension = force + damper + p[B_PRELOAD];
    UNROLL for (int i = 0; i < 3; i++) wrench[3 + i] = -tension * direction[i];
    power = -(damper * rate);
}

// Unit quaternion (w >= 0) of a rotation matrix (Shepperd's method).
FX void quaternion_of(const real *r, real *q) {
    real trace = r[0] + r[4] + r[8];
    int best = 0;
    real most = trace;
    for (int i = 0; i < 3; i++)
        if (r[4 * i] > most) {
            most = r[4 * i];
            best = i + 1;
        }
    if (best == 0) {
        real s = sqrt(1 + trace) * 2;
        q[0] = s * 0.25;
        q[1] = (r[7] - r[5]) / s;
        q[2] = (r[2] - r[6]) / s;
        q[3] = (r[3] - r[1]) / s;
    } else {
        int i = best - 1, j = (i + 1) % 3, k = (i + 2) % 3;
        real s = sqrt(1 + r[4 * i] - r[4 * j] - r[4 * k]) * 2;
        q[0] = (r[3 * k + j] - r[3 * j + k]) / s;
        q[i + 1] = s * 0.25;
        q[j + 1] = (r[3 * j + i] + r[3 * i + j]) / s;
        q[k + 1] = (r[3 * k + i] + r[3 * i + k]) / s;
    }
    if (q[0] < 0) UNROLL for (int i = 0; i < 4; i++) q[i] = -q[i];
}
FX void relative_rotation(const Held &first, const Held &second, real *o) {
    real t[9];
    UNROLL for (int i = 0; i < 3; i++) UNROLL for (int j = 0; j < 3; j++) t[3 * i + j] = first.rotation[3 * j + i];
    product(t, second.rotation, o);
}

FX void torsion(const real *p, const Held &first, const Held &second, const Between &b, real *wrench, real &power) {
    real relative[9], q[4], tilt[3], gradient[3], spin[3], scaled[3];
    relative_rotation(first, second, relative);
    quaternion_of(relative, q);
    const real *axis = p + B_AXIS, *vector = q + 1;
    real along = dot(vector, axis), size = along * along + q[0] * q[0];
    if (size < 1e-20) return;
    // q[0] >= 0
    real angle = 2 * (along < 0 ? -arc_tangent(-along, q[0]) : arc_tangent(along, q[0]));
    cross(vector, axis, tilt);
    UNROLL for (int i = 0; i < 3; i++) gradient[i] = (q[0] * (q[0] * axis[i] + tilt[i]) + along * vector[i]) / size;
    times_back(first.rotation, b.spin, spin);
    real rate = dot(gradient, spin);
    const real *l = p + B_LAW;
    real force = law_force(l, angle - p[B_LENGTH]), damper = damping_force(l, rate), torque = force + damper + p[B_PRELOAD];
    UNROLL for (int i = 0; i < 3; i++) scaled[i] = -torque * gradient[i];
    times(first.rotation, scaled, wrench);
    power = -(damper * rate);
}

// Numbers: stiffness and damping (36 each by rows), cubic stiffness, preload.
FX void bushing(const real *p, const Held &first, const Held &second, const Between &b, real *wrench, real &power) {
    real relative[9], q[4], x[6], spin[3], rate[6], force[6], minus[3], moment[3], push[3];
    relative_rotation(first, second, relative);
    quaternion_of(relative, q);
    quaternion_log(q, x);
    times_back(second.rotation, b.spin, spin);
    times_back(first.rotation, b.arm, x + 3);
    right_jacobian_inverse(x, spin, rate);
    times_back(first.rotation, b.velocity, rate + 3);
    power = 0;
    for (int i = 0; i < 6; i++) {
        real spring = 0, damper = 0;
        for (int j = 0; j < 6; j++) {
            spring += x[j] * p[6 * i + j];
            damper += rate[j] * p[36 + 6 * i + j];
        }
        force[i] = spring + (x[i] * x[i] * x[i] * p[72 + i] + damper + p[78 + i]);
        power -= damper * rate[i];
    }
    UNROLL for (int i = 0; i < 3; i++) minus[i] = -x[i];
    right_jacobian_inverse(minus, force, moment);
    times(second.rotation, moment, wrench);
    times(first.rotation, force + 3, push);
    UNROLL for (int i = 0; i < 3; i++) {
        wrench[i] = -wrench[i];
        wrench[3 + i] = -push[i];
    }
}

// Numbers: velocity of the medium, then -1/2 density coefficient area of each axis.
FX void drag(const real *p, const Held &first, const Held &second, const Between &b, real *wrench, real &power) {
    real medium[3], seen[3], flow[3], force[3];
    times(first.rotation, p, medium);
    UNROLL for (int i = 0; i < 3; i++) seen[i] = b.velocity[i] - medium[i];
    times_back(second.rotation, seen, flow);
    real square = dot(flow, flow), speed = square > 0 ? sqrt(square) : 0.0;
    UNROLL for (int i = 0; i < 3; i++) force[i] = speed * flow[i] * p[3 + i];
    times(second.rotation, force, wrench + 3);
    power = dot(wrench + 3, b.velocity);
}

// A force along the line, or a torque about an axis of the first frame.
FX void actuator(const real *p, real effort, const Held &first, const Between &b, real *wrench, real &power) {
    real length, rate, direction[3];
    if (p[0] != 0) {
        times(first.rotation, p + B_AXIS, direction);
        rate = dot(direction, b.spin);
    } else {
        line_of(b, length, rate, direction);
    }
    UNROLL for (int i = 0; i < 3; i++) wrench[(p[0] != 0 ? 0 : 3) + i] = direction[i] * effort;
    power = rate * effort;
}

FX void frame_element(const Args &a, const int *w, int system) {
    const real *p = a.table + w[W_NUMBERS];
    real columns[6 * FX_SPACE], others[6 * FX_SPACE], wrench[6] = {0, 0, 0, 0, 0, 0}, on_first[6], power = 0;
    Held first, second;
    Between b;
    hold_frame(a, w + W_FIRST, system, first, columns);
    hold_frame(a, w + W_SECOND, system, second, others);
    between(first, second, b);
    switch (w[W_KIND]) {
    case SPRING: spring(p, first, b, wrench, power); break;
    case TORSION: torsion(p, first, second, b, wrench, power); break;
    case BUSHING: bushing(p, first, second, b, wrench, power); break;
    case DRAG: drag(p, first, second, b, wrench, power); break;
    default: actuator(p, load_scale(a, w, system), first, b, wrench, power); break;
    }
    copy(6, wrench, on_first);
    shift_force(b.arm, on_first);
    UNROLL for (int i = 0; i < 6; i++) on_first[i] = -on_first[i];
    // Power counts once, with the first end there is.
    if (w[W_END1] >= 0) write_inertial(a, w + W_FIRST, w[W_END1], system, first, columns, on_first, power);
    if (w[W_END2] >= 0) write_inertial(a, w + W_SECOND, w[W_END2], system, second, others, wrench, w[W_END1] >= 0 ? 0.0 : power);
}

// Load `index` of a system.
FXN void frame_load(const Args &a, int index, int system) {
    int record = index;
    if (IS_BATCH(a) && a.load_variant) record = a.load_variant[(size_t)index * a.lanes + system];
    const int *w = a.load + (size_t)record * W_WORDS;
    if (w[W_KIND] == APPLIED) applied_wrench(a, w, system);
    else if (w[W_KIND] == MODAL) modal_load(a, w, system);
    else frame_element(a, w, system);
}
