//! Cross sections of beams with their shear areas.
//!
//! Area, second moments and St-Venant torsion of rectangles and circles come from
//! the engine ([`flexura::beam::Section`]). Thin-walled torsion: closed cells after
//! Bredt, open ones as sums of b t^3 / 3. Shear factors: rectangle 5/6; circle and
//! tube after G. R. Cowper, "The shear coefficient in Timoshenko's beam theory"
//! (1966) at zero Poisson ratio; I and box sections from the area of the walls
//! parallel to the shear force.
//!
//! Symbols: y and z principal axes of the section, x the beam axis,
//! I_y = int z^2 dA, I_z = int y^2 dA.

use crate::error::{FemError, not_negative, positive};
use flexura::beam::{self, Fibre, rectangle_fibres, round_fibres};

/// Most corners an outline keeps.
pub(crate) const MOST_CORNERS: usize = 8;

/// A cross section given by its dimensions or by its constants.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Section {
    /// Rectangle, circle or circular tube; a general section of the engine has no shear deformation.
    Plain(beam::Section),
    /// Rectangular tube of uniform wall.
    Box {
        /// Outer side along y (m).
        width_y: f64,
        /// Outer side along z (m).
        height_z: f64,
        /// Wall thickness (m).
        wall: f64,
    },
    /// I section, web along z, equal flanges along y.
    I {
        /// Width of the flanges along y (m).
        width_y: f64,
        /// Whole height along z (m).
        height_z: f64,
        /// Thickness of each flange (m).
        flange: f64,
        /// Thickness of the web (m).
        web: f64,
    },
    /// Any section, by its constants.
    General(BeamSection),
}

/// Constants of a section about its principal axes through the centroid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamSection {
    /// Area (m2).
    pub area: f64,
    /// Second moment about y, for bending in the x-z plane (m4).
    pub inertia_y: f64,
    /// Second moment about z, for bending in the x-y plane (m4).
    pub inertia_z: f64,
    /// St-Venant torsion constant (m4).
    pub torsion: f64,
    /// Shear area for forces along y (m2); zero means no shear deformation.
    pub shear_area_y: f64,
    /// Shear area for forces along z (m2); zero means no shear deformation.
    pub shear_area_z: f64,
    /// Outline, by which section forces become stresses; `None` where only the constants are known.
    pub outline: Option<Outline>,
}

/// Outline of a section (m).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outline {
    /// Sides of a solid rectangle along y and z.
    Rectangle([f64; 2]),
    /// Radius of a circle or outer radius of a tube.
    Round(f64),
    /// Outer sides along y and z, wall.
    Box([f64; 2], f64),
    /// Widths along y and z, and the thickest wall of an open section that is symmetric to both axes.
    Open([f64; 2], f64),
    /// Corners along y and z from the centroid, their number, and the shear stress of a torque over the torsion constant.
    Corners([[f64; 2]; MOST_CORNERS], usize, f64),
}

impl Outline {
    /// The same in other units of length.
    pub fn scaled(self, factor: f64) -> Self {
        let both = |[y, z]: [f64; 2]| [y * factor, z * factor];
        match self {
            Self::Rectangle(sides) => Self::Rectangle(both(sides)),
            Self::Round(radius) => Self::Round(radius * factor),
            Self::Box(sides, wall) => Self::Box(both(sides), wall * factor),
            Self::Open(sides, wall) => Self::Open(both(sides), wall * factor),
            Self::Corners(places, count, wall) => Self::Corners(places.map(both), count, wall * factor),
        }
    }

    /// The same with y and z exchanged.
    pub fn turned(self) -> Self {
        let swap = |[y, z]: [f64; 2]| [z, y];
        match self {
            Self::Rectangle(sides) => Self::Rectangle(swap(sides)),
            Self::Round(radius) => Self::Round(radius),
            Self::Box(sides, wall) => Self::Box(swap(sides), wall),
            Self::Open(sides, wall) => Self::Open(swap(sides), wall),
            Self::Corners(places, count, wall) => Self::Corners(places.map(swap), count, wall),
        }
    }

    /// Fibres where stresses are looked for, in a section of a torsion constant (m4). Corners of walls have the shear of the
    /// wall: T/(2 A_m t) of a closed one after Bredt, T t/J of an open one.
    pub fn fibres(self, torsion: f64) -> Vec<Fibre> {
        let corners = |[y, z]: [f64; 2], torsion_radius: f64| {
            let signs = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
            let at = |[a, b]: [f64; 2]| Fibre { place: [a * y / 2.0, b * z / 2.0], torsion_radius };
            signs.map(at).to_vec()
        };
        match self {
            Self::Rectangle([y, z]) => rectangle_fibres(y, z),
            Self::Round(radius) => round_fibres(radius),
            Self::Box(sides, wall) => {
                let enclosed = (sides[0] - wall) * (sides[1] - wall);
                corners(sides, torsion / (2.0 * enclosed * wall))
            }
            Self::Open(sides, wall) => corners(sides, wall),
            Self::Corners(places, count, wall) => {
                places.iter().take(count).map(|place| Fibre { place: *place, torsion_radius: wall }).collect()
            }
        }
    }
}

impl BeamSection {
    /// Polar second moment, which carries the spin inertia (m4).
    pub fn polar(&self) -> f64 {
        self.inertia_y + self.inertia_z
    }

    /// The same section without shear deformation (Euler-Bernoulli).
    pub fn without_shear(self) -> Self {
        Self { shear_area_y: 0.0, shear_area_z: 0.0, ..self }
    }

    /// Checks that the stiff directions are positive and nothing is negative.
    pub fn validate(&self) -> Result<(), FemError> {
        positive("section area", self.area)?;
        positive("section second moment about y", self.inertia_y)?;
        positive("section second moment about z", self.inertia_z)?;
        positive("section torsion constant", self.torsion)?;
        not_negative("section shear area along y", self.shear_area_y)?;
        not_negative("section shear area along z", self.shear_area_z)
    }
}

impl Section {
    /// A solid rectangle from its sides along y and z (m).
    pub fn rectangle(width_y: f64, height_z: f64) -> Self {
        Self::Plain(beam::Section::Rectangle { width_y, height_z })
    }

    /// A solid circle from its radius (m).
    pub fn circle(radius: f64) -> Self {
        Self::Plain(beam::Section::Circle { radius })
    }

    /// A solid ellipse from its diameters along y and z (m); torsion after St-Venant, shear factor of the circle.
    pub fn ellipse(width_y: f64, height_z: f64) -> Self {
        let (a, b) = (width_y / 2.0, height_z / 2.0);
        let area = std::f64::consts::PI * a * b;
        Self::General(BeamSection {
            area,
            inertia_y: area * b * b / 4.0,
            inertia_z: area * a * a / 4.0,
            torsion: area * a * a * b * b / (a * a + b * b),
            shear_area_y: cowper(0.0) * area,
            shear_area_z: cowper(0.0) * area,
            outline: None,
        })
    }

    /// A circular tube from its outer and inner radius (m).
    pub fn tube(outer_radius: f64, inner_radius: f64) -> Self {
        Self::Plain(beam::Section::Tube { outer_radius, inner_radius })
    }

    /// Constants of the section, or why its dimensions cannot be used.
    pub fn constants(&self) -> Result<BeamSection, FemError> {
        match *self {
            Self::Plain(section) => plain(section),
            Self::Box { width_y, height_z, wall } => box_section(width_y, height_z, wall),
            Self::I { width_y, height_z, flange, web } => i_section(width_y, height_z, flange, web),
            Self::General(constants) => constants.validate().map(|()| constants),
        }
    }
}

/// Shear factor of a tube, `hollow` = inner over outer radius.
fn cowper(hollow: f64) -> f64 {
    let square = (1.0 + hollow * hollow).powi(2);
    6.0 * square / (7.0 * square + 20.0 * hollow * hollow)
}

fn plain(section: beam::Section) -> Result<BeamSection, FemError> {
    let factor = match section {
        beam::Section::Rectangle { .. } => 5.0 / 6.0,
        beam::Section::Circle { .. } => cowper(0.0),
        beam::Section::Tube { outer_radius, inner_radius } => cowper(inner_radius / outer_radius),
        beam::Section::General(_) => 0.0,
    };
    let failed = |error: beam::BeamError| FemError::OutOfRange {
        what: "beam section".into(),
        value: f64::NAN,
        rule: error.to_string(),
    };
    let constants = section.constants().map_err(failed)?;
    Ok(BeamSection {
        area: constants.area,
        inertia_y: constants.inertia_y,
        inertia_z: constants.inertia_z,
        torsion: constants.torsion,
        shear_area_y: factor * constants.area,
        shear_area_z: factor * constants.area,
        outline: match section {
            beam::Section::Rectangle { width_y, height_z } => Some(Outline::Rectangle([width_y, height_z])),
            beam::Section::Circle { radius } => Some(Outline::Round(radius)),
            beam::Section::Tube { outer_radius, .. } => Some(Outline::Round(outer_radius)),
            beam::Section::General(_) => None,
        },
    })
}

fn box_section(width: f64, height: f64, wall: f64) -> Result<BeamSection, FemError> {
    positive("box wall", wall)?;
    positive("box width inside its walls", width - 2.0 * wall)?;
    positive("box height inside its walls", height - 2.0 * wall)?;
    let (inner_width, inner_height) = (width - 2.0 * wall, height - 2.0 * wall);
    let (middle_width, middle_height) = (width - wall, height - wall);
    Ok(BeamSection {
        area: width * height - inner_width * inner_height,
        inertia_y: (width * height.powi(3) - inner_width * inner_height.powi(3)) / 12.0,
        inertia_z: (height * width.powi(3) - inner_height * inner_width.powi(3)) / 12.0,
        torsion: 2.0 * wall * (middle_width * middle_height).powi(2) / (middle_width + middle_height),
        shear_area_y: 2.0 * wall * middle_width,
        shear_area_z: 2.0 * wall * middle_height,
        outline: Some(Outline::Box([width, height], wall)),
    })
}

fn i_section(width: f64, height: f64, flange: f64, web: f64) -> Result<BeamSection, FemError> {
    positive("flange thickness", flange)?;
    positive("web thickness", web)?;
    positive("height of the web", height - 2.0 * flange)?;
    positive("width of the flanges beside the web", width - web)?;
    let web_height = height - 2.0 * flange;
    Ok(BeamSection {
        area: 2.0 * width * flange + web * web_height,
        inertia_y: (width * height.powi(3) - (width - web) * web_height.powi(3)) / 12.0,
        inertia_z: (2.0 * flange * width.powi(3) + web_height * web.powi(3)) / 12.0,
        torsion: (2.0 * width * flange.powi(3) + (height - flange) * web.powi(3)) / 3.0,
        shear_area_y: 2.0 * width * flange * 5.0 / 6.0,
        shear_area_z: web * (height - flange),
        outline: Some(Outline::Open([width, height], flange.max(web))),
    })
}
