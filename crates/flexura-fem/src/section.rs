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
use flexura::beam;

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
    })
}
