//! Fibres of cross sections: where the stresses of a beam are largest.
//!
//! Normal stress by Navier's law, sigma = N/A + M_y z/I_y - M_z y/I_z. Torsional shear tau = T r/J at a fibre of effective
//! radius r: the outer radius of round sections; at the middles of the sides of a rectangle, after Timoshenko & Goodier,
//! Theory of Elasticity, article 109, with the short side s and the long one l,
//!
//! long side   r = s [ 1 - (8/pi^2) sum_{n odd} 1/(n^2 cosh(n pi l / 2s)) ]
//! short side  r = s (8/pi^2) sum_{n odd} (-1)^((n-1)/2) tanh(n pi l / 2s) / n^2
//!
//! and zero at its corners. Shear by transverse forces is left out: it vanishes where bending is largest.

use super::Section;
use std::f64::consts::{PI, TAU};

/// Fibres around a round section: the largest bending stress is missed by 1 - cos(pi/36) = 0.4 % at most.
const ROUND: usize = 36;

/// A fibre of a cross section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fibre {
    /// Place in the section's axes y and z (m).
    pub place: [f64; 2],
    /// Effective radius of torsional shear (m); zero leaves it out.
    pub torsion_radius: f64,
}

impl Fibre {
    /// Unit vector of the torsional shear stress along y and z, for a positive torque.
    pub fn shear_direction(&self) -> [f64; 2] {
        let [y, z] = self.place;
        let radius = y.hypot(z);
        if radius > 0.0 { [-z / radius, y / radius] } else { [0.0; 2] }
    }
}

/// Fibres of a circle of a radius (m).
pub fn round_fibres(radius: f64) -> Vec<Fibre> {
    let at = |k: usize| {
        let (sin, cos) = (TAU * k as f64 / ROUND as f64).sin_cos();
        Fibre { place: [radius * cos, radius * sin], torsion_radius: radius }
    };
    (0..ROUND).map(at).collect()
}

/// Corners and middles of the sides of a rectangle (m).
pub fn rectangle_fibres(width_y: f64, height_z: f64) -> Vec<Fibre> {
    let (y, z) = (width_y / 2.0, height_z / 2.0);
    let (long, short) = (width_y.max(height_z), width_y.min(height_z));
    let [on_long, on_short] = rectangle_radii(long, short);
    // The long side of a wide section lies along y: its middle is above the centre.
    let (beside, above) = if width_y >= height_z { (on_short, on_long) } else { (on_long, on_short) };
    let fibre = |y: f64, z: f64, torsion_radius: f64| Fibre { place: [y, z], torsion_radius };
    vec![
        fibre(y, z, 0.0),
        fibre(-y, z, 0.0),
        fibre(-y, -z, 0.0),
        fibre(y, -z, 0.0),
        fibre(y, 0.0, beside),
        fibre(-y, 0.0, beside),
        fibre(0.0, z, above),
        fibre(0.0, -z, above),
    ]
}

/// Effective radii at the middles of the long and of the short side (m).
fn rectangle_radii(long: f64, short: f64) -> [f64; 2] {
    // tanh = 1 - 2/(e^{2y}+1): the sum of the ones with their signs is Catalan's constant.
    const CATALAN: f64 = 0.915_965_594_177_219;
    let (mut on_long, mut on_short) = (0.0, CATALAN);
    for term in 0..12 {
        let n = f64::from(2 * term + 1);
        let angle = n * PI * long / (2.0 * short);
        let sign = if term % 2 == 0 { 1.0 } else { -1.0 };
        on_long += 1.0 / (n * n * angle.cosh());
        on_short -= sign * 2.0 / ((2.0 * angle).exp() + 1.0) / (n * n);
    }
    let factor = 8.0 / (PI * PI);
    [short * (1.0 - factor * on_long), short * factor * on_short]
}

impl Section {
    /// Where stresses are looked for; a section given by constants has no places.
    pub fn fibres(&self) -> Vec<Fibre> {
        match *self {
            Self::Rectangle { width_y, height_z } => rectangle_fibres(width_y, height_z),
            Self::Circle { radius } | Self::Tube { outer_radius: radius, .. } => round_fibres(radius),
            Self::General(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Timoshenko & Goodier, table 3: largest shear k1 2a G theta of rectangles b/a, with k1 0.675, 0.930, 0.999.
    #[test]
    fn torsion_of_rectangles_has_the_published_factors() {
        for (ratio, factor) in [(1.0, 0.675), (1.5, 0.848), (2.0, 0.930), (3.0, 0.985), (5.0, 0.999)] {
            let [on_long, on_short] = rectangle_radii(ratio, 1.0);
            assert!((on_long - factor).abs() < 6e-4, "{ratio}: {on_long}");
            assert!(on_short <= on_long + 1e-12);
        }
        // A square is the same both ways round, and a strip has 8 C / pi^2 = 0.742 at its ends.
        let [a, b] = rectangle_radii(1.0, 1.0);
        assert!((a - b).abs() < 1e-12, "{a} {b}");
        assert!((rectangle_radii(50.0, 1.0)[1] - 0.742_454_1).abs() < 1e-6);
        let wide = rectangle_fibres(0.2, 0.1);
        assert_eq!(wide[6].place, [0.0, 0.05]);
        assert!(wide[6].torsion_radius > wide[4].torsion_radius);
    }

    #[test]
    fn shear_turns_with_the_torque() {
        let fibre = round_fibres(0.3)[9];
        assert!((fibre.place[1] - 0.3).abs() < 1e-15);
        let [y, z] = fibre.shear_direction();
        assert!((y + 1.0).abs() < 1e-12 && z.abs() < 1e-12);
    }
}
