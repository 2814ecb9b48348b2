//! Flexible bodies: modes, inertia levels, stiffening, loads on bodies, segments.

#[path = "../common/mod.rs"]
mod common;

mod beam_modes;
mod beam_stiffening;
mod body_loads;
mod boundaries_and_joints;
mod built_in_code;
mod compressed_bar;
mod cuboid;
mod curvature;
mod far_bent;
mod gram;
mod invariants;
mod point_mass;
mod rotating_beam;
mod segments;
mod truncation;
