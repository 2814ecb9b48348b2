//! 3-vectors and 3×3 matrices as arrays.

use crate::scalar::Scalar;

/// A 3-vector.
pub type Vector3<S = f64> = [S; 3];
/// A 3×3 matrix, rows first.
pub type Matrix3<S = f64> = [[S; 3]; 3];

/// The zero vector.
#[inline(always)]
#[doc(hidden)]
pub fn zero3<S: Scalar>() -> Vector3<S> {
    [S::ZERO; 3]
}

/// The unit matrix.
#[inline(always)]
#[doc(hidden)]
pub fn identity3<S: Scalar>() -> Matrix3<S> {
    let (o, i) = (S::ZERO, S::ONE);
    [[i, o, o], [o, i, o], [o, o, i]]
}

/// A constant vector as scalars.
#[inline(always)]
#[doc(hidden)]
pub fn lift3<S: Scalar>(v: &Vector3) -> Vector3<S> {
    [S::from_f64(v[0]), S::from_f64(v[1]), S::from_f64(v[2])]
}

/// A constant matrix as scalars.
#[inline(always)]
#[doc(hidden)]
pub fn lift_matrix<S: Scalar>(m: &Matrix3) -> Matrix3<S> {
    [lift3(&m[0]), lift3(&m[1]), lift3(&m[2])]
}

/// a + b.
#[inline(always)]
pub fn add<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> Vector3<S> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b.
#[inline(always)]
pub fn sub<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> Vector3<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// −a.
#[inline(always)]
#[doc(hidden)]
pub fn negate<S: Scalar>(a: &Vector3<S>) -> Vector3<S> {
    [-a[0], -a[1], -a[2]]
}

/// s a.
#[inline(always)]
pub fn scale<S: Scalar>(s: S, a: &Vector3<S>) -> Vector3<S> {
    [s * a[0], s * a[1], s * a[2]]
}

/// y += s a for a constant vector a.
#[inline(always)]
#[doc(hidden)]
pub fn axpy<S: Scalar>(y: &mut Vector3<S>, s: S, a: &Vector3) {
    y[0] += s * a[0];
    y[1] += s * a[1];
    y[2] += s * a[2];
}

/// Scalar product.
#[inline(always)]
pub fn dot<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> S {
    S::dot3(a, b)
}

/// Euclidean length.
#[inline(always)]
pub fn norm<S: Scalar>(a: &Vector3<S>) -> S {
    dot(a, a).sqrt()
}

/// Vector product a × b.
#[inline(always)]
pub fn cross<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> Vector3<S> {
    [S::minor(a[1], b[2], a[2], b[1]), S::minor(a[2], b[0], a[0], b[2]), S::minor(a[0], b[1], a[1], b[0])]
}

/// Matrix of the vector product: `skew(a) b = a × b`.
#[inline(always)]
#[doc(hidden)]
pub fn skew<S: Scalar>(a: &Vector3<S>) -> Matrix3<S> {
    let o = S::ZERO;
    [[o, -a[2], a[1]], [a[2], o, -a[0]], [-a[1], a[0], o]]
}

/// m v.
#[inline(always)]
#[doc(hidden)]
pub fn matrix_vector<S: Scalar>(m: &Matrix3<S>, v: &Vector3<S>) -> Vector3<S> {
    [dot(&m[0], v), dot(&m[1], v), dot(&m[2], v)]
}

/// mᵀ v.
#[inline(always)]
pub fn transposed_matrix_vector<S: Scalar>(m: &Matrix3<S>, v: &Vector3<S>) -> Vector3<S> {
    std::array::from_fn(|i| S::dot3(&[m[0][i], m[1][i], m[2][i]], v))
}

/// a b.
#[inline(always)]
#[doc(hidden)]
pub fn matrix_product<S: Scalar>(a: &Matrix3<S>, b: &Matrix3<S>) -> Matrix3<S> {
    std::array::from_fn(|i| std::array::from_fn(|j| S::dot3(&a[i], &[b[0][j], b[1][j], b[2][j]])))
}

/// a bᵀ.
#[inline(always)]
pub(crate) fn matrix_product_transposed<S: Scalar>(a: &Matrix3<S>, b: &Matrix3<S>) -> Matrix3<S> {
    std::array::from_fn(|i| std::array::from_fn(|j| dot(&a[i], &b[j])))
}

/// mᵀ.
#[inline(always)]
#[doc(hidden)]
pub fn transposed<S: Scalar>(m: &Matrix3<S>) -> Matrix3<S> {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}
