//! Cross-section constants of a beam.
//!
//! Sources: area and second moments are elementary; St-Venant torsion of the
//! rectangle after Timoshenko & Goodier, Theory of Elasticity, article 109:
//!
//! J = (1/3) l s^3 [ 1 - (192/pi^5) (s/l) sum_{n odd} tanh(n pi l / 2s) / n^5 ]
//!
//! Symbols: s short side, l long side, y and z the principal axes of the
//! section (the beam axis is x), I_y = int z^2 dA, I_z = int y^2 dA.
//!
//! Typeset: book/src/theory/beams.md (BM.7).

use super::{BeamError, not_negative, positive};
use std::f64::consts::PI;

/// Constants of a section about its principal axes through the centroid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionConstants {
    /// Area (m2).
    pub area: f64,
    /// Second moment about the y axis, int z^2 dA, for bending in the x-z plane (m4).
    pub inertia_y: f64,
    /// Second moment about the z axis, int y^2 dA, for bending in the x-y plane (m4).
    pub inertia_z: f64,
    /// St-Venant torsion constant (m4).
    pub torsion: f64,
}

/// A cross section given by its dimensions or by its constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Section {
    /// Solid rectangle.
    Rectangle {
        /// Side along y (m).
        width_y: f64,
        /// Side along z (m).
        height_z: f64,
    },
    /// Solid circle.
    Circle {
        /// Radius (m).
        radius: f64,
    },
    /// Circular tube.
    Tube {
        /// Outer radius (m).
        outer_radius: f64,
        /// Inner radius (m).
        inner_radius: f64,
    },
    /// Any section, by its constants.
    General(SectionConstants),
}

/// Rigidities and inertia of a beam per length: all that its equations need of section and material.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SectionProperties {
    /// EA (N).
    pub axial: f64,
    /// GJ (N m2).
    pub torsion: f64,
    /// Rigidity of bending along y, E I_z (N m2).
    pub bending_y: f64,
    /// Rigidity of bending along z, E I_y (N m2).
    pub bending_z: f64,
    /// k GA of shear along y and z (N); `None` is rigid in shear (Euler-Bernoulli).
    pub shear: [Option<f64>; 2],
    /// Mass per length (kg/m).
    pub mass: f64,
    /// Rotary inertia of a section about x, y and z per length (kg m).
    pub rotary: [f64; 3],
}

impl SectionProperties {
    /// Those of a homogeneous beam: density (kg/m3), Young's and shear modulus (N/m2); rigid in shear.
    pub fn homogeneous(density: f64, young: f64, shear: f64, section: &SectionConstants) -> Self {
        let SectionConstants { area, inertia_y, inertia_z, torsion } = *section;
        Self {
            axial: young * area,
            torsion: shear * torsion,
            bending_y: young * inertia_z,
            bending_z: young * inertia_y,
            shear: [None; 2],
            mass: density * area,
            rotary: [density * section.polar(), density * inertia_y, density * inertia_z],
        }
    }

    /// Checks that mass and stretching rigidity are positive and that nothing is negative.
    pub fn validate(&self) -> Result<(), BeamError> {
        positive("axial rigidity", self.axial)?;
        positive("mass per length", self.mass)?;
        not_negative("torsional rigidity", self.torsion)?;
        not_negative("bending rigidity along y", self.bending_y)?;
        not_negative("bending rigidity along z", self.bending_z)?;
        for shear in self.shear.into_iter().flatten() {
            positive("shear rigidity", shear)?;
        }
        self.rotary.iter().try_for_each(|inertia| not_negative("rotary inertia", *inertia))
    }

    /// 12 EI / (k GA L^2) of bending along y and z; zero where shear is rigid.
    pub fn shear_parameters(&self, length: f64) -> [f64; 2] {
        let bending = [self.bending_y, self.bending_z];
        let of = |i: usize| self.shear[i].map_or(0.0, |shear| 12.0 * bending[i] / (shear * length * length));
        [of(0), of(1)]
    }
}

impl SectionConstants {
    /// Polar second moment I_y + I_z, which carries the spin inertia (m4).
    pub fn polar(&self) -> f64 {
        self.inertia_y + self.inertia_z
    }

    /// Checks that the area is positive and that no other constant is negative.
    pub fn validate(&self) -> Result<(), BeamError> {
        positive("section area", self.area)?;
        not_negative("section inertia about y", self.inertia_y)?;
        not_negative("section inertia about z", self.inertia_z)?;
        not_negative("section torsion constant", self.torsion)
    }
}

impl Section {
    /// Constants of the section (m2, m4), or why its dimensions are not usable.
    pub fn constants(&self) -> Result<SectionConstants, BeamError> {
        match *self {
            Self::Rectangle { width_y, height_z } => rectangle(width_y, height_z),
            Self::Circle { radius } => {
                positive("circle radius", radius)?;
                Ok(annulus(radius, 0.0))
            }
            Self::Tube { outer_radius, inner_radius } => tube(outer_radius, inner_radius),
            Self::General(constants) => constants.validate().map(|()| constants),
        }
    }
}

fn rectangle(width_y: f64, height_z: f64) -> Result<SectionConstants, BeamError> {
    positive("rectangle width along y", width_y)?;
    positive("rectangle height along z", height_z)?;
    Ok(SectionConstants {
        area: width_y * height_z,
        inertia_y: width_y * height_z.powi(3) / 12.0,
        inertia_z: height_z * width_y.powi(3) / 12.0,
        torsion: rectangle_torsion(width_y.max(height_z), width_y.min(height_z)),
    })
}

fn tube(outer_radius: f64, inner_radius: f64) -> Result<SectionConstants, BeamError> {
    positive("tube outer radius", outer_radius)?;
    not_negative("tube inner radius", inner_radius)?;
    if inner_radius >= outer_radius {
        return Err(BeamError::TubeWithoutWall { outer_radius, inner_radius });
    }
    Ok(annulus(outer_radius, inner_radius))
}

/// Circle or circular tube: the torsion constant is the polar second moment.
fn annulus(outer: f64, inner: f64) -> SectionConstants {
    // Factored differences keep thin walls accurate.
    let squares = (outer - inner) * (outer + inner);
    let fourths = squares * (outer * outer + inner * inner);
    SectionConstants {
        area: PI * squares,
        inertia_y: PI * fourths / 4.0,
        inertia_z: PI * fourths / 4.0,
        torsion: PI * fourths / 2.0,
    }
}

/// St-Venant constant of a rectangle, long >= short (m4).
fn rectangle_torsion(long: f64, short: f64) -> f64 {
    // tanh = 1 - 2/(e^{2y}+1): the sum of the ones is (31/32) zeta(5), the rest
    // falls like e^{-n pi}, so that twelve terms reach machine precision.
    const SUM_OF_ODD_INVERSE_FIFTH_POWERS: f64 = 1.004_523_762_795_139_6;
    let ratio = long / short;
    let mut sum = SUM_OF_ODD_INVERSE_FIFTH_POWERS;
    for term in 0..12 {
        let n = f64::from(2 * term + 1);
        sum -= 2.0 / ((n * PI * ratio).exp() + 1.0) / n.powi(5);
    }
    long * short.powi(3) / 3.0 * (1.0 - 192.0 / PI.powi(5) / ratio * sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, relative: f64) {
        assert!((a - b).abs() <= relative * b.abs(), "{a} against {b}");
    }

    #[test]
    fn rectangle_second_moments_follow_their_axes() {
        let (width_y, height_z) = (0.02, 0.05);
        let c = Section::Rectangle { width_y, height_z }.constants().unwrap();
        close(c.area, 1e-3, 1e-15);
        close(c.inertia_y, 0.02 * 0.05f64.powi(3) / 12.0, 1e-15);
        close(c.inertia_z, 0.05 * 0.02f64.powi(3) / 12.0, 1e-15);
    }

    #[test]
    fn rectangle_torsion_matches_tables_and_the_plain_series() {
        // Timoshenko & Goodier, table of k1 in J = k1 l s^3.
        for (ratio, k1) in [(1.0, 0.1406), (2.0, 0.229), (5.0, 0.291), (10.0, 0.312)] {
            assert!((rectangle_torsion(ratio, 1.0) / ratio - k1).abs() < 6e-4);
        }
        close(rectangle_torsion(1.0, 1.0), 0.140_577_014_955_153_7, 1e-14);
        let ratio: f64 = 1.7;
        let sum: f64 = (0..2000)
            .rev()
            .map(|i| f64::from(2 * i + 1))
            .map(|n| (n * PI * ratio / 2.0).tanh() / n.powi(5))
            .sum();
        let series = ratio / 3.0 * (1.0 - 192.0 / PI.powi(5) / ratio * sum);
        close(rectangle_torsion(ratio, 1.0), series, 1e-14);
    }

    #[test]
    fn circle_and_tube_have_polar_torsion() {
        let circle = Section::Circle { radius: 0.1 }.constants().unwrap();
        close(circle.area, PI * 0.01, 1e-15);
        close(circle.inertia_y, PI * 1e-4 / 4.0, 1e-14);
        close(circle.torsion, circle.polar(), 1e-15);
        let (outer_radius, inner_radius) = (0.03, 0.027);
        let tube = Section::Tube { outer_radius, inner_radius };
        let c = tube.constants().unwrap();
        close(c.area, PI * (9e-4 - 7.29e-4), 1e-12);
        let fourths = outer_radius.powi(4) - inner_radius.powi(4);
        close(c.inertia_z, PI / 4.0 * fourths, 1e-12);
    }

    #[test]
    fn unusable_dimensions_are_refused() {
        let (outer_radius, inner_radius) = (0.1, 0.1);
        let tube = Section::Tube { outer_radius, inner_radius };
        assert!(matches!(tube.constants(), Err(BeamError::TubeWithoutWall { .. })));
        assert!(Section::Circle { radius: f64::NAN }.constants().is_err());
        let general =
            Section::General(SectionConstants { area: 1.0, inertia_y: -1.0, inertia_z: 0.0, torsion: 0.0 });
        assert!(general.constants().is_err());
    }
}
