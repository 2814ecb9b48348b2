// Joints: relative motion of the outboard frame O against the inboard frame O+ (crates/flexura/src/model/joint).
//
// R, p: pose of O in O+; columns of H, velocity H u and bias (acceleration at zero rates of u) in O components.

struct JointMotion {
    real rotation[9], translation[3], columns[36], velocity[6], bias[6];
};

FX void turn_about(const real *axis, real angle, real *r) {
    real s, c;
    sine_cosine(angle, s, c);
    rotation_from(axis, s, 1 - c, r);
}

FX void evaluate_joint(int kind, const real *g, const real *q, const real *u, JointMotion &o) {
    const real *axis = g + G_AXIS, *axis2 = g + G_AXIS2;
    unit3(o.rotation);
    clear(3, o.translation);
    clear(36, o.columns);
    clear(6, o.velocity);
    clear(6, o.bias);
    switch (kind) {
    case REVOLUTE:
    case HELICAL:
    case CYLINDRICAL: {
        turn_about(axis, q[0], o.rotation);
        real advance = kind == HELICAL ? g[G_PITCH] : 0.0;
        UNROLL for (int i = 0; i < 3; i++) {
            o.columns[i] = axis[i];
            o.columns[3 + i] = advance * axis[i];
            o.translation[i] = kind == CYLINDRICAL ? q[1] * axis[i] : q[0] * (advance * axis[i]);
            o.velocity[i] = u[0] * axis[i];
            o.velocity[3 + i] = kind == CYLINDRICAL ? u[1] * axis[i] : u[0] * (advance * axis[i]);
            if (kind == CYLINDRICAL) o.columns[9 + i] = axis[i];
        }
        break;
    }
    case PRISMATIC:
        UNROLL for (int i = 0; i < 3; i++) {
            o.translation[i] = q[0] * axis[i];
            o.columns[3 + i] = axis[i];
            o.velocity[3 + i] = u[0] * axis[i];
        }
        break;
    case UNIVERSAL: {
        real first[9], second[9], a1[3], w1[3], w2[3];
        turn_about(axis, q[0], first);
        turn_about(axis2, q[1], second);
        product(first, second, o.rotation);
        times_back(second, axis, a1);
        UNROLL for (int i = 0; i < 3; i++) {
            o.columns[i] = a1[i];
            o.columns[6 + i] = axis2[i];
            w1[i] = u[0] * a1[i];
            w2[i] = u[1] * axis2[i];
            o.velocity[i] = w1[i] + w2[i];
        }
        cross(w1, w2, o.bias);
        break;
    }
    case SPHERICAL:
        matrix_of_quaternion(q, o.rotation);
        UNROLL for (int i = 0; i < 3; i++) {
            o.columns[7 * i] = 1;
            o.velocity[i] = u[i];
        }
        break;
    case PLANAR: {
        const real z[3] = {0, 0, 1};
        turn_about(z, q[2], o.rotation);
        o.translation[0] = q[0];
        o.translation[1] = q[1];
        UNROLL for (int i = 0; i < 3; i++) {
            o.columns[3 + i] = o.rotation[i];
            o.columns[9 + i] = o.rotation[3 + i];
            o.velocity[3 + i] = o.rotation[i] * u[0] + o.rotation[3 + i] * u[1];
        }
        o.columns[14] = 1;
        o.velocity[2] = u[2];
        break;
    }
    case TRANSLATIONAL:
        UNROLL for (int i = 0; i < 3; i++) {
            o.translation[i] = q[i];
            o.columns[6 * i + 3 + i] = 1;
            o.velocity[3 + i] = u[i];
        }
        break;
    case FREE:
        matrix_of_quaternion(q, o.rotation);
        UNROLL for (int i = 0; i < 3; i++) o.translation[i] = q[4 + i];
        UNROLL for (int i = 0; i < 6; i++) {
            o.columns[7 * i] = 1;
            o.velocity[i] = u[i];
        }
        cross(o.velocity, o.velocity + 3, o.bias + 3);
        break;
    default:
        break;
    }
}

// The motion of O+ against O, where the tree runs through the joint from its second frame.
FX void reverse_joint(int dof, JointMotion &o) {
    real r[9], p[3], velocity[6], bias[6], t[3], turn[3], sway[3], coriolis[3];
    copy(9, o.rotation, r);
    copy(3, o.translation, p);
    rotate6(r, o.velocity, velocity);
    rotate6(r, o.bias, bias);
    cross(bias, p, turn);
    cross(velocity, velocity + 3, coriolis);
    cross(velocity, p, t);
    cross(velocity, t, sway);
    UNROLL for (int i = 0; i < 3; i++) {
        o.bias[i] = -bias[i];
        o.bias[3 + i] = -(((bias[3 + i] - turn[i]) - 2 * coriolis[i]) + sway[i]);
        o.velocity[i] = -velocity[i];
        o.velocity[3 + i] = -(velocity[3 + i] - t[i]);
    }
    for (int c = 0; c < dof; c++) {
        real in_a[6];
        rotate6(r, o.columns + 6 * c, in_a);
        cross(in_a, p, t);
        UNROLL for (int i = 0; i < 3; i++) {
            o.columns[6 * c + i] = -in_a[i];
            o.columns[6 * c + 3 + i] = -(in_a[3 + i] - t[i]);
        }
    }
    times_back(r, p, t);
    UNROLL for (int i = 0; i < 3; i++) o.translation[i] = -t[i];
    UNROLL for (int i = 0; i < 3; i++) UNROLL for (int j = 0; j < 3; j++) o.rotation[3 * i + j] = r[3 * j + i];
}

// q = start moved by a local increment.
FX void retract(int kind, int nq, const real *start, const real *step, real *q) {
    if (kind == SPHERICAL || kind == FREE) {
        real t[4], p[4];
        quaternion_exp(step, t);
        p[0] = start[0] * t[0] - start[1] * t[1] - start[2] * t[2] - start[3] * t[3];
        p[1] = start[0] * t[1] + start[1] * t[0] + start[2] * t[3] - start[3] * t[2];
        p[2] = start[0] * t[2] - start[1] * t[3] + start[2] * t[0] + start[3] * t[1];
        p[3] = start[0] * t[3] + start[1] * t[2] - start[2] * t[1] + start[3] * t[0];
        real inverse = 1 / sqrt(((p[0] * p[0] + p[1] * p[1]) + p[2] * p[2]) + p[3] * p[3]);
        UNROLL for (int i = 0; i < 4; i++) q[i] = p[i] * inverse;
        if (kind == FREE) UNROLL for (int i = 0; i < 3; i++) q[4 + i] = start[4 + i] + step[3 + i];
        return;
    }
    for (int i = 0; i < nq; i++) q[i] = start[i] + step[i];
}

// Rate of the local increment.
FX void increment_rate(int kind, int dof, const real *q, const real *step, const real *u, real *rate) {
    if (kind == SPHERICAL || kind == FREE) {
        right_jacobian_inverse(step, u, rate);
        if (kind == FREE) {
            real r[9];
            matrix_of_quaternion(q, r);
            times(r, u + 3, rate + 3);
        }
        return;
    }
    for (int i = 0; i < dof; i++) rate[i] = u[i];
}
