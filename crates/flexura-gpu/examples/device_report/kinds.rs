//! Models and numbers that the sections share.

pub use crate::cases::{by_place as random, chain as template};
use flexura::model::description::InertiaLevel;
use flexura_gpu::{DeviceError, System};

/// Processor cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Mode counts and levels of the tables: all, or those of one mode count.
pub fn kinds(only: Option<usize>) -> impl Iterator<Item = (usize, InertiaLevel)> {
    let all = [
        (0, InertiaLevel::Gram),
        (4, InertiaLevel::Ruthless),
        (4, InertiaLevel::Gram),
        (10, InertiaLevel::Ruthless),
        (10, InertiaLevel::Gram),
    ];
    all.into_iter().filter(move |(modes, _)| only.is_none_or(|only| only == *modes))
}

pub fn level_word(modes: usize, level: InertiaLevel) -> &'static str {
    if modes == 0 { "rigid" } else { level.word() }
}

/// Moderate angles, speeds and deformations for a chain whose bodies have `modes` modes.
pub fn fill(system: &mut System<'_>, modes: usize) -> Result<(), DeviceError> {
    let lanes = system.lowered().lanes;
    let scale = move |i: usize| if i / lanes % (modes + 1) < modes { 0.01 } else { 1.0 };
    system.set_numbers(0.0, |i| scale(i) * random(i, 1), |i| 0.2 * random(i, 2))
}
