//! Places in the flat tables: the same names and orders as in the header of the kernels, against which a test of the device
//! crate holds them.

/// Words of a type record.
#[derive(Clone, Copy, Debug)]
#[repr(usize)]
#[allow(missing_docs)] // the names say it; meanings stand in the header
pub enum TypeWord {
    Kind,
    Dof,
    Nq,
    Reversed,
    Fixed,
    Turns,
    Modes,
    Level,
    ParentModes,
    Outer,
    Inner,
    ParentInner,
    Prescribed,
    Law,
    Stiffness,
    Damping,
    Influence,
    Rule,
    ParentRule,
    Rows,
    Curved,
    Residual,
    Carriers,
    Angular1,
    JointAt,
    MassAt,
    StiffnessAt,
    DampingAt,
    LawAt,
    OuterAt,
    InnerAt,
    ParentInnerAt,
    InfluenceAt,
    InboardAt,
    PlacesAt,
    FunctionsAt,
}

/// Words of a type record.
pub const TYPE_WORDS: usize = TypeWord::FunctionsAt as usize + 1;
/// Words of a slot in a program: type, carrier, flags, number of children apart, first of them in the list.
pub const SLOT_WORDS: usize = 5;
/// Words of a lane: program, length, node, lane and slot of the carrier, next lane, branches, first of them, kind.
pub const LANE_WORDS: usize = 9;
/// Words of a branch: slot it hangs on, node that shows it, lane and slot of its first body.
pub const BRANCH_WORDS: usize = 4;
/// Words of a slot in the layout: coordinates, speeds, link, out, modes, freedoms, coordinates of the joint, influence.
pub const LAYOUT_WORDS: usize = 8;
/// Words of a node: left, right, lane of the first body, whether open.
pub const NODE_WORDS: usize = 4;
/// Numbers of a node.
pub const NODE_FIELDS: usize = 153;
/// Words of a frame of a load: lane, slot, how its point follows modes, their number, rule, point, mount.
pub const FRAME_WORDS: usize = 7;
/// Words of a load: kind, numbers, function, axes, two frames, two ends.
pub const LOAD_WORDS: usize = 4 + 2 * FRAME_WORDS + 2;
/// Numbers of an end of a load before those of its modes.
pub const END: usize = 7;
/// Fields of a slot in the poses.
pub const POSE_FIELDS: usize = 24;
/// Fields of a node in the paths.
pub const PATH_FIELDS: usize = 48;
/// Fields of a compact link.
pub const COMPACT_LINK: usize = 11;
/// Fields of a link before its joint columns.
pub const LINK: usize = 24;

/// What a child shows stays in registers.
pub const KEPT: i32 = 1;
/// The body lies between two open handles.
pub const ON_PATH: i32 = 2;
/// The carrier lies outside the lane.
pub const BASE: i32 = 4;
/// Others need the acceleration of the body.
pub const SHOWN: i32 = 8;

/// Kind of a lane: a piece of a path.
pub const RUN: i32 = 0;
/// Kind of a lane: complete branches.
pub const BUNDLE: i32 = 1;
