//! Arguments of kernels, laid out as in `kernels/tables.h` and `kernels/stepping.h`.

/// Address in the memory of a device; zero is none.
pub(crate) type Address = u64;

/// What every kernel reads.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Args {
    pub lanes: i32,
    pub slots: i32,
    pub nodes: i32,
    pub batch: i32,
    pub powered: i32,
    pub clocked: i32,
    pub split: i32,
    pub spare: i32,
    pub gravity: [f64; 3],
    pub layout: Address,
    pub types: Address,
    pub program: Address,
    pub lane: Address,
    pub branch: Address,
    pub node: Address,
    pub list: Address,
    pub variant: Address,
    pub table: Address,
    pub function: Address,
    pub time: Address,
    pub q: Address,
    pub v: Address,
    pub rate: Address,
    pub link: Address,
    pub out: Address,
    pub element: Address,
    pub power: Address,
    pub fault: Address,
    pub load: Address,
    pub load_variant: Address,
    pub ends: Address,
    pub pose: Address,
    pub path: Address,
    pub wrench: Address,
}

/// What steps in time read besides.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Steps {
    pub method: i32,
    pub stages: i32,
    pub speeds: i32,
    pub limits: i32,
    pub entries: i32,
    pub free_entries: i32,
    pub step: f64,
    pub relative: f64,
    pub absolute: f64,
    pub largest: f64,
    /// Where the end of the segment stands: it changes between replays of a recorded step.
    pub until: Address,
    pub limit: Address,
    pub limits_of: Address,
    pub clock: Address,
    pub start_q: Address,
    pub start_v: Address,
    pub increment: Address,
    pub slope_q: Address,
    pub slope_v: Address,
    pub slope_work: Address,
    pub work: Address,
    pub start_work: Address,
    pub partial: Address,
    pub time: Address,
    pub standing: Address,
}

/// Words of a clock.
pub(crate) const CLOCK_WORDS: usize = 16;
/// Places in a clock.
pub(crate) mod clock {
    pub const TIME: usize = 0;
    pub const PROPOSED: usize = 3;
    pub const PREVIOUS: usize = 4;
    pub const ACCEPTED: usize = 7;
    pub const REJECTED: usize = 8;
    pub const LAST: usize = 12;
    pub const FAULT: usize = 15;
}
