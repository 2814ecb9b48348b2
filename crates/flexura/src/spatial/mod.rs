//! Small fixed-size algebra of mechanics: 3-vectors, rotations, spatial
//! (angular, linear) 6-vectors and symmetric spatial matrices.
//!
//! Storage is plain arrays; order is always [angular; linear]. Rotations and
//! shifts are applied as (R, l), never as full 6×6 products.

mod inertia;
mod rotation;
mod six;
mod three;

pub use inertia::SymmetricSpatial;
pub(crate) use rotation::left_jacobian_coefficient_rates;
pub(crate) use rotation::quaternion_log;
pub(crate) use rotation::right_jacobian_inverse;
pub(crate) use rotation::rotation_from;
pub use rotation::{
    ExpCoefficients, exp_coefficients, matrix_from_quaternion, quaternion_exp, quaternion_from_matrix,
    quaternion_product, rotation_exp,
};
pub use six::{
    Spatial, add6, angular, dot6, join, linear, negate6, rotate_back6, rotate6, scale6, shift_force,
    shift_motion, sub6,
};
pub(crate) use three::matrix_product_transposed;
pub use three::{
    Matrix3, Vector3, add, axpy, cross, dot, identity3, lift_matrix, lift3, matrix_product, matrix_vector,
    negate, norm, scale, skew, sub, transposed, transposed_matrix_vector, zero3,
};
