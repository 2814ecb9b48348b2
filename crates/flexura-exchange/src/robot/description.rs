//! A robot between its file and the model: links, joints, and where they meet.

use crate::finding::Place;
use nalgebra::{Isometry3, Matrix3, SymmetricEigen, Vector3};

/// Sweeps before a decomposition is given up; ordinary ones take two or three per row.
const SWEEPS: usize = 300;

/// Links and joints in any order.
#[derive(Clone, Debug, Default)]
pub struct Robot {
    pub name: String,
    /// Gravity in the inertial frame (m/s²).
    pub gravity: [f64; 3],
    /// Frames on the ground.
    pub ground_frames: Vec<Frame>,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
}

/// A rigid link.
#[derive(Clone, Debug, Default)]
pub struct Link {
    pub name: String,
    pub place: Place,
    /// `None`: a frame that the file calls a link.
    pub mass: Option<Mass>,
    /// Frames in addition to those of its joints.
    pub frames: Vec<Frame>,
    pub shapes: Vec<Shape>,
    /// What it is made of, where it bends.
    pub softness: Softness,
}

/// What a link is made of.
#[derive(Clone, Debug, Default)]
pub enum Softness {
    #[default]
    Rigid,
    /// A beam along x from the origin: its length (m), and the lines of its table.
    Beam { length: f64, lines: Vec<String> },
    /// A part: its file, and the name and place of its interfaces (m).
    Part { file: String, interfaces: Vec<(String, Vector3<f64>)> },
}

/// Mass, centre of mass, and inertia about it in the axes of the link.
#[derive(Clone, Copy, Debug)]
pub struct Mass {
    pub mass: f64,
    pub center: Vector3<f64>,
    pub inertia: Matrix3<f64>,
}

/// A named frame on a link.
#[derive(Clone, Debug)]
pub struct Frame {
    pub name: String,
    pub pose: Isometry3<f64>,
}

/// What is drawn of a link.
#[derive(Clone, Debug)]
pub struct Shape {
    pub pose: Isometry3<f64>,
    pub solid: Solid,
}

/// Solids that pictures have.
#[derive(Clone, Debug)]
pub enum Solid {
    /// Edges (m).
    Box([f64; 3]),
    /// Radius (m).
    Sphere(f64),
    /// Radius and length along z (m).
    Cylinder(f64, f64),
    /// A geometry file as the model names it, and factors of its coordinates.
    Mesh(String, [f64; 3]),
}

/// A joint between two links, or the ground and a link.
#[derive(Clone, Debug)]
pub struct Joint {
    pub name: String,
    pub place: Place,
    pub kind: Kind,
    /// Parent and child.
    pub ends: [End; 2],
    /// One per coordinate; none means none of them is more than zero.
    pub coordinates: Vec<Coordinate>,
    /// Pose of a free joint at the start.
    pub start: Option<Isometry3<f64>>,
}

/// Where a joint sits.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Index of the link; `None` on the ground.
    pub link: Option<usize>,
    pub pose: Isometry3<f64>,
}

/// Kinds of joint; axes are unit vectors in both joint frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Weld,
    Revolute(Vector3<f64>),
    Prismatic(Vector3<f64>),
    Cylindrical(Vector3<f64>),
    Universal(Vector3<f64>, Vector3<f64>),
    Spherical,
    /// In the plane x-y of the first frame.
    Planar,
    Translational,
    Free,
}

/// Law and limits of one joint coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coordinate {
    pub position: f64,
    pub stiffness: f64,
    pub rest: f64,
    pub damping: f64,
    pub friction: f64,
    pub limits: Option<[f64; 2]>,
}

impl Kind {
    /// The word of model files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Weld => "weld",
            Self::Revolute(_) => "revolute",
            Self::Prismatic(_) => "prismatic",
            Self::Cylindrical(_) => "cylindrical",
            Self::Universal(..) => "universal",
            Self::Spherical => "spherical",
            Self::Planar => "planar",
            Self::Translational => "translational",
            Self::Free => "free",
        }
    }

    /// Channels of the coordinates that are plain numbers.
    pub fn channels(&self) -> &'static [&'static str] {
        match self {
            Self::Weld | Self::Spherical | Self::Free => &[],
            Self::Revolute(_) => &["angle"],
            Self::Prismatic(_) => &["displacement"],
            Self::Cylindrical(_) => &["angle", "displacement"],
            Self::Universal(..) => &["angle1", "angle2"],
            Self::Planar => &["x", "y", "angle"],
            Self::Translational => &["x", "y", "z"],
        }
    }
}

impl Mass {
    /// Whether it has no rotary inertia at all.
    pub fn is_point(&self) -> bool {
        self.inertia == Matrix3::zeros()
    }

    /// Whether matter can have this inertia: principal moments are positive, each at most the sum of the others.
    pub fn is_sound(&self) -> bool {
        // The decomposition of numbers that are none would not end.
        let finite = self.inertia.iter().all(|x| x.is_finite());
        let found = finite.then(|| SymmetricEigen::try_new(self.inertia, f64::EPSILON, SWEEPS)).flatten();
        let Some(found) = found else { return false };
        let mut moments: [f64; 3] = found.eigenvalues.into();
        moments.sort_by(f64::total_cmp);
        // The slack is that of the engine, for rounded numbers.
        self.mass > 0.0 && moments[0] > 0.0 && moments[0] + moments[1] >= moments[2] * (1.0 - 1e-6)
    }

    /// Seen from another link, in which this one has the given pose.
    pub fn moved(&self, pose: &Isometry3<f64>) -> Self {
        let turn = pose.rotation.to_rotation_matrix();
        let inertia = turn.matrix() * self.inertia * turn.matrix().transpose();
        Self { mass: self.mass, center: (pose * nalgebra::Point3::from(self.center)).coords, inertia }
    }

    /// Both as one rigid body.
    pub fn joined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        // Two placeholders without mass have no centre: either will do.
        let center = match mass > 0.0 {
            true => (self.center * self.mass + other.center * other.mass) / mass,
            false => self.center,
        };
        let about = |part: &Self| {
            let arm = part.center - center;
            part.inertia + (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * part.mass
        };
        Self { mass, center, inertia: about(self) + about(other) }
    }
}
