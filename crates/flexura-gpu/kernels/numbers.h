// Numbers, 3-vectors, rotations and 6-vectors of the device kernels.
//
// One source for the device (NVRTC) and for the emulation (a C++ compiler): the same operations in the same order,
// without contraction into fused operations, so that both give the same bits. Sine, cosine, exponential, hyperbolic
// tangent and arc tangent are written out here because library versions differ in the last bit.
//
// Sources: Cody & Waite, Software Manual for the Elementary Functions (1980), for the reduction of arguments; Taylor series
// and minimax polynomials for the kernels; conventions of the engine (crates/flexura/src/spatial).

#ifdef __CUDACC__
#define FX __device__ __forceinline__
#define FXN __device__ __noinline__
#define UNROLL _Pragma("unroll")
#else
#define FX static inline
#define FXN static
#define UNROLL
#include <cmath>
#include <cstddef>
#endif

typedef double real;
typedef unsigned long long word;

// sin and cos; the argument is reduced by pi/2 in three parts (exact up to some 10^6 rad).
FX void sine_cosine(real x, real &s, real &c) {
    real n = rint(x * 0.63661977236758134308);
    real r = ((x - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) - n * 2.02226624879595063154e-21;
    real z = r * r;
    real a = r + r * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
    real b = 1 - (0.5 * z - z * z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05
        + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))))));
    int k = ((int)(long long)n) & 3;
    s = k & 1 ? b : a;
    c = k & 1 ? a : b;
    if (k & 2) s = -s;
    if ((k + 1) & 2) c = -c;
}

// e^x by the Taylor series of a reduced argument.
FX real exponential(real x) {
    if (x > 700) x = 700;
    if (x < -700) return 0;
    real n = rint(x * 1.44269504088896338700e+00);
    real r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    real sum = 1.0 / 6227020800.0;
    const real c[13] = {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0,
        1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0};
    for (int i = 0; i < 13; i++) sum = sum * r + c[i];
    union { word bits; real value; } scale;
    scale.bits = (word)((long long)n + 1023) << 52;
    return sum * scale.value;
}

// log x of a positive number: exponent and atanh series of the mantissa.
FX real logarithm(real x) {
    union { word bits; real value; } u;
    u.value = x;
    int e = (int)(u.bits >> 52 & 2047) - 1023;
    u.bits = (u.bits & 0xfffffffffffffull) | 0x3ff0000000000000ull;
    real m = u.value;
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        e += 1;
    }
    real s = (m - 1) / (m + 1), z = s * s, sum = 0;
    for (int k = 11; k >= 0; k--) sum = 1.0 / (2 * k + 1) + z * sum;
    return (real)e * 6.93147180559945309417e-01 + 2 * s * sum;
}

FX real hyperbolic_tangent(real x) {
    real m = x < 0 ? -x : x;
    if (m > 22) return x < 0 ? -1.0 : 1.0;
    if (m < 0.05) {
        real z = x * x;
        return x + x * z * (-1.0 / 3 + z * (2.0 / 15 + z * (-17.0 / 315 + z * (62.0 / 2835 - z * (1382.0 / 155925)))));
    }
    real t = exponential(2 * m);
    real y = (t - 1) / (t + 1);
    return x < 0 ? -y : y;
}

// Arc tangent of y/x for y >= 0, x >= 0, not both zero.
FX real arc_tangent(real y, real x) {
    // Halved three times by tan(a/2) = t / (1 + sqrt(1 + t^2)), then a series.
    bool steep = y > x;
    real t = steep ? x / y : y / x;
    for (int i = 0; i < 3; i++) t = t / (1 + sqrt(1 + t * t));
    real z = t * t, sum = 0;
    for (int k = 10; k >= 0; k--) sum = (k & 1 ? -1.0 : 1.0) / (2 * k + 1) + z * sum;
    real a = 8 * t * sum;
    return steep ? 1.57079632679489661923 - a : a;
}

FX real dot(const real *a, const real *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
FX real dot6(const real *a, const real *b) { return dot(a, b) + dot(a + 3, b + 3); }
FX void cross(const real *a, const real *b, real *o) {
    o[0] = a[1] * b[2] - a[2] * b[1];
    o[1] = a[2] * b[0] - a[0] * b[2];
    o[2] = a[0] * b[1] - a[1] * b[0];
}
FX void copy(int n, const real *a, real *o) { UNROLL for (int i = 0; i < n; i++) o[i] = a[i]; }
FX void clear(int n, real *o) { UNROLL for (int i = 0; i < n; i++) o[i] = 0; }
FX void add(int n, const real *a, real *o) { UNROLL for (int i = 0; i < n; i++) o[i] += a[i]; }
FX void axpy(int n, real x, const real *a, real *o) { UNROLL for (int i = 0; i < n; i++) o[i] += x * a[i]; }

// 3x3 matrices are row-major.
FX void times(const real *m, const real *v, real *o) { UNROLL for (int i = 0; i < 3; i++) o[i] = dot(m + 3 * i, v); }
FX void times_back(const real *m, const real *v, real *o) {
    UNROLL for (int i = 0; i < 3; i++) o[i] = m[i] * v[0] + m[i + 3] * v[1] + m[i + 6] * v[2];
}
FX void product(const real *a, const real *b, real *o) {
    UNROLL for (int i = 0; i < 3; i++) UNROLL for (int j = 0; j < 3; j++)
        o[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}
// a b*
FX void product_transposed(const real *a, const real *b, real *o) {
    UNROLL for (int i = 0; i < 3; i++) UNROLL for (int j = 0; j < 3; j++) o[3 * i + j] = dot(a + 3 * i, b + 3 * j);
}
FX void unit3(real *o) { UNROLL for (int i = 0; i < 9; i++) o[i] = i % 4 == 0 ? 1.0 : 0.0; }

FX void rotate6(const real *r, const real *a, real *o) { times(r, a, o); times(r, a + 3, o + 3); }
FX void rotate_back6(const real *r, const real *a, real *o) { times_back(r, a, o); times_back(r, a + 3, o + 3); }
// phi(l) f
FX void shift_force(const real *l, real *f) {
    real t[3];
    cross(l, f + 3, t);
    add(3, t, f);
}
// phi*(l) m
FX void shift_motion(const real *l, real *m) {
    real t[3];
    cross(l, m, t);
    UNROLL for (int i = 0; i < 3; i++) m[3 + i] -= t[i];
}

// 1 + a t~ + b t~^2
FX void rotation_from(const real *t, real a, real b, real *o) {
    real at[3] = {a * t[0], a * t[1], a * t[2]}, bt[3] = {b * t[0], b * t[1], b * t[2]};
    real xx = bt[0] * t[0], yy = bt[1] * t[1], zz = bt[2] * t[2], xy = bt[0] * t[1], xz = bt[0] * t[2], yz = bt[1] * t[2];
    o[0] = 1 - (yy + zz); o[1] = xy - at[2]; o[2] = xz + at[1];
    o[3] = xy + at[2]; o[4] = 1 - (xx + zz); o[5] = yz - at[0];
    o[6] = xz - at[1]; o[7] = yz + at[0]; o[8] = 1 - (xx + yy);
}

// Coefficients of the exponential map and its Jacobian (crates/flexura/src/spatial/rotation.rs).
struct Coefficients { real a, b, c, d, e; };
FX Coefficients coefficients(real x) {
    Coefficients o;
    if (x < 1) {
        // (-1)^k / (2k + 4)! and (-1)^k / (2k + 5)!
        const real fd[9] = {1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600.0, -1.0 / 87178291200.0,
            1.0 / 20922789888000.0, -1.0 / 6402373705728000.0, 1.0 / 2432902008176640000.0};
        const real fe[9] = {1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368000.0,
            1.0 / 355687428096000.0, -1.0 / 121645100408832000.0, 1.0 / 51090942171709440000.0};
        real d = fd[8], e = fe[8];
        UNROLL for (int k = 7; k >= 0; k--) {
            d = d * x + fd[k];
            e = e * x + fe[k];
        }
        o.d = d; o.e = e;
        o.c = 1.0 / 6.0 - x * e;
        o.b = 0.5 - x * d;
        o.a = 1 - x * o.c;
        return o;
    }
    real t = sqrt(x), s, c;
    sine_cosine(t, s, c);
    o.a = s / t; o.b = (1 - c) / x; o.c = (t - s) / (x * t);
    o.d = (0.5 - o.b) / x; o.e = (1.0 / 6.0 - o.c) / x;
    return o;
}

FX void matrix_of_quaternion(const real *q, real *o) {
    real two = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    real xs = q[1] * two, ys = q[2] * two, zs = q[3] * two;
    real wx = q[0] * xs, wy = q[0] * ys, wz = q[0] * zs, xx = q[1] * xs, xy = q[1] * ys, xz = q[1] * zs;
    real yy = q[2] * ys, yz = q[2] * zs, zz = q[3] * zs;
    o[0] = 1 - (yy + zz); o[1] = xy - wz; o[2] = xz + wy;
    o[3] = xy + wz; o[4] = 1 - (xx + zz); o[5] = yz - wx;
    o[6] = xz - wy; o[7] = yz + wx; o[8] = 1 - (xx + yy);
}

FX void quaternion_exp(const real *theta, real *q) {
    real h[3] = {0.5 * theta[0], 0.5 * theta[1], 0.5 * theta[2]}, x = dot(h, h);
    Coefficients e = coefficients(x);
    q[0] = 1 - x * e.b;
    UNROLL for (int i = 0; i < 3; i++) q[1 + i] = e.a * h[i];
}

// Rotation vector of a unit quaternion.
FX void quaternion_log(const real *q, real *theta) {
    real flip = q[0] < 0 ? -1.0 : 1.0, w = flip * q[0], v[3] = {flip * q[1], flip * q[2], flip * q[3]};
    real s2 = dot(v, v), factor;
    if (s2 < 1e-6) {
        real r = s2 / (w * w);
        factor = (1 + r * (-1.0 / 3 + r * (1.0 / 5 - r * (1.0 / 7)))) * 2 / w;
    } else {
        real s = sqrt(s2);
        factor = arc_tangent(s, w) * 2 / s;
    }
    UNROLL for (int i = 0; i < 3; i++) theta[i] = factor * v[i];
}

// Rate of the rotation vector of a body that turns at w (own axes).
FX void right_jacobian_inverse(const real *theta, const real *w, real *o) {
    real x = dot(theta, theta), k, a[3], b[3];
    if (x < 0.04) {
        k = 1.0 / 12 + x * (1.0 / 720 + x * (1.0 / 30240 + x * (1.0 / 1209600 + x * (1.0 / 47900160 + x * (691.0 / 1307674368000.0)))));
    } else {
        Coefficients e = coefficients(x);
        k = (1 - e.a * 0.5 / e.b) / x;
    }
    cross(theta, w, a);
    cross(theta, a, b);
    UNROLL for (int i = 0; i < 3; i++) o[i] = w[i] + 0.5 * a[i] + k * b[i];
}

// Symmetric 6x6 matrices: 21 numbers, upper triangle by rows.
FX int at6(int i, int j) { return i <= j ? i * 6 - i * (i - 1) / 2 + j - i : j * 6 - j * (j - 1) / 2 + i - j; }
FX void symmetric_times(const real *s, const real *v, real *o) {
    UNROLL for (int i = 0; i < 6; i++) {
        real sum = 0;
        UNROLL for (int j = 0; j < 6; j++) sum += s[at6(i, j)] * v[j];
        o[i] = sum;
    }
}
// s += x v v*
FX void add_square(real x, const real *v, real *s) {
    UNROLL for (int i = 0; i < 6; i++) {
        real f = x * v[i];
        UNROLL for (int j = i; j < 6; j++) s[at6(i, j)] += f * v[j];
    }
}
// A force-like 6-vector turned by r and referred to a point l inboard.
FX void carry(const real *r, const real *l, const real *f, real *o) {
    rotate6(r, f, o);
    shift_force(l, o);
}
FX void carry_symmetric(const real *r, const real *l, real *s) {
    real t[36];
    UNROLL for (int j = 0; j < 6; j++) {
        real v[6], o[6];
        UNROLL for (int i = 0; i < 6; i++) v[i] = s[at6(i, j)];
        carry(r, l, v, o);
        UNROLL for (int i = 0; i < 6; i++) t[i * 6 + j] = o[i];
    }
    UNROLL for (int i = 0; i < 6; i++) {
        real o[6];
        carry(r, l, t + 6 * i, o);
        UNROLL for (int j = i; j < 6; j++) s[at6(i, j)] = o[j];
    }
}
FX void shift_symmetric(const real *l, real *s) {
    real t[36];
    UNROLL for (int j = 0; j < 6; j++) {
        real v[6];
        UNROLL for (int i = 0; i < 6; i++) v[i] = s[at6(i, j)];
        shift_force(l, v);
        UNROLL for (int i = 0; i < 6; i++) t[i * 6 + j] = v[i];
    }
    UNROLL for (int i = 0; i < 6; i++) {
        shift_force(l, t + 6 * i);
        UNROLL for (int j = i; j < 6; j++) s[at6(i, j)] = t[6 * i + j];
    }
}
// Columns of a 6x6 matrix by rows, each a force.
FX void carry_columns(const real *r, const real *l, real *x) {
    UNROLL for (int j = 0; j < 6; j++) {
        real v[6], o[6];
        UNROLL for (int i = 0; i < 6; i++) v[i] = x[6 * i + j];
        carry(r, l, v, o);
        UNROLL for (int i = 0; i < 6; i++) x[6 * i + j] = o[i];
    }
}
FX void shift_columns(const real *l, real *x) {
    UNROLL for (int j = 0; j < 6; j++) {
        real v[6];
        UNROLL for (int i = 0; i < 6; i++) v[i] = x[6 * i + j];
        shift_force(l, v);
        UNROLL for (int i = 0; i < 6; i++) x[6 * i + j] = v[i];
    }
}
FX void transposed_times6(const real *m, const real *v, real *o) {
    UNROLL for (int j = 0; j < 6; j++) {
        real sum = 0;
        UNROLL for (int i = 0; i < 6; i++) sum += m[6 * i + j] * v[i];
        o[j] = sum;
    }
}
FX void times6(const real *m, const real *v, real *o) { UNROLL for (int i = 0; i < 6; i++) { real s = 0; UNROLL for (int j = 0; j < 6; j++) s += m[6 * i + j] * v[j]; o[i] = s; } }

// Lower triangle by rows: entry (r, s), s <= r.
FX int tri(int r, int s) { return r * (r + 1) / 2 + s; }
