//! Sections made of straight walls: T, channel, hat, cross, unequal I and box.
//!
//! A wall is a rectangle along y or z. Area and second moments are sums over the walls about the common centroid (Steiner);
//! St-Venant torsion is that of thin walls, sum b t^3/3 of open sections and 4 A_m^2/(closed integral of ds/t) of a closed one (Bredt);
//! a force is carried by the walls along it, by 5/6 of their area where nothing but their ends would. The axis goes through the
//! centroid and, as that of a bar in decks, takes the shear centre to be there too.
//!
//! Symbols: y and z axes of the section, I_y = int z^2 dA, I_z = int y^2 dA, b length and t thickness of a wall, A_m area inside
//! the middle lines.

use crate::error::{FemError, positive};
use crate::section::{BeamSection, MOST_CORNERS, Outline};

/// Share of the second moments up to which a product of inertia is rounding.
const SYMMETRIC: f64 = 1e-9;

/// A rectangle of the section: its middle and its sides along y and z (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Middle along y and z (m).
    pub middle: [f64; 2],
    /// Sides along y and z (m).
    pub sides: [f64; 2],
}

impl Wall {
    /// A wall between two heights y, at a middle z, of a width along z.
    pub fn new(from: f64, to: f64, z: f64, width: f64) -> Self {
        Self { middle: [0.5 * (from + to), z], sides: [to - from, width] }
    }

    fn area(&self) -> f64 {
        self.sides[0] * self.sides[1]
    }

    fn thickness(&self) -> f64 {
        self.sides[0].min(self.sides[1])
    }
}

/// Constants of an open section of walls, which must not overlap.
pub fn open(walls: &[Wall]) -> Result<BeamSection, FemError> {
    let torsion =
        walls.iter().map(|wall| wall.sides[0].max(wall.sides[1]) * wall.thickness().powi(3) / 3.0).sum();
    let thickest = walls.iter().map(Wall::thickness).fold(0.0, f64::max);
    build(walls, torsion, thickest)
}

/// Constants of a box of outer sides along y and z, with walls at its ends along y (top, bottom) and along z (left, right).
pub fn box_of(sides: [f64; 2], ends: [f64; 2], flanks: [f64; 2]) -> Result<BeamSection, FemError> {
    let [height, width] = sides;
    let ([top, bottom], [left, right]) = (ends, flanks);
    let (half, inner) = (0.5 * height, height - top - bottom);
    positive("box height inside its walls", inner)?;
    positive("box width inside its walls", width - left - right)?;
    let walls = [
        Wall::new(half - top, half, 0.0, width),
        Wall::new(-half, bottom - half, 0.0, width),
        Wall::new(bottom - half, half - top, 0.5 * (width - left), left),
        Wall::new(bottom - half, half - top, 0.5 * (right - width), right),
    ];
    // Middle lines.
    let (along_y, along_z) = (height - 0.5 * (top + bottom), width - 0.5 * (left + right));
    let path = along_z / top + along_z / bottom + along_y / left + along_y / right;
    let torsion = 4.0 * (along_y * along_z).powi(2) / path;
    // Bredt's shear flow T/(2 A_m) is hardest on the thinnest wall.
    let thinnest = top.min(bottom).min(left).min(right);
    build(&walls, torsion, torsion / (2.0 * along_y * along_z * thinnest))
}

/// `shear`: shear stress of a torque over the torsion constant (m).
fn build(walls: &[Wall], torsion: f64, shear: f64) -> Result<BeamSection, FemError> {
    for wall in walls {
        positive("the length of a wall", wall.sides[0])?;
        positive("the thickness of a wall", wall.sides[1])?;
    }
    let area: f64 = walls.iter().map(Wall::area).sum();
    let centre = [0, 1].map(|i| walls.iter().map(|wall| wall.area() * wall.middle[i]).sum::<f64>() / area);
    let (mut inertia, mut product) = ([0.0; 2], 0.0);
    for wall in walls {
        let arm = [0, 1].map(|i| wall.middle[i] - centre[i]);
        (0..2).for_each(|i| inertia[i] += wall.area() * (arm[i] * arm[i] + wall.sides[i].powi(2) / 12.0));
        product += wall.area() * arm[0] * arm[1];
    }
    let [inertia_z, inertia_y] = inertia;
    if product.abs() > SYMMETRIC * (inertia_y + inertia_z) {
        let rule = "the section has no axis of symmetry: its principal axes are turned".into();
        return Err(FemError::OutOfRange { what: "the product of inertia".into(), value: product, rule });
    }
    let carried = |axis: usize| {
        let along = walls.iter().filter(|wall| wall.sides[axis] > wall.sides[1 - axis]);
        let sum: f64 = along.map(Wall::area).sum();
        if sum > 0.0 { 5.0 / 6.0 * sum } else { 5.0 / 6.0 * area }
    };
    Ok(BeamSection {
        area,
        inertia_y,
        inertia_z,
        torsion,
        shear_area_y: carried(0),
        shear_area_z: carried(1),
        outline: outline(walls, centre, shear),
    })
}

/// Corners of the hull, from the centroid.
fn outline(walls: &[Wall], centre: [f64; 2], shear: f64) -> Option<Outline> {
    let mut corners: Vec<[f64; 2]> = Vec::new();
    for wall in walls {
        for [a, b] in [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]] {
            let at = |i: usize, sign: f64| wall.middle[i] + 0.5 * sign * wall.sides[i] - centre[i];
            corners.push([at(0, a), at(1, b)]);
        }
    }
    let hull = hull(corners);
    let mut places = [[0.0; 2]; MOST_CORNERS];
    if hull.len() > MOST_CORNERS {
        return None;
    }
    places[..hull.len()].copy_from_slice(&hull);
    Some(Outline::Corners(places, hull.len(), shear))
}

/// Convex hull, counterclockwise (A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979).
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    let size = points.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let chain = |points: &mut dyn Iterator<Item = &[f64; 2]>| {
        let mut kept: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = kept[..]
                && (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
                    <= 1e-12 * size * size
            {
                kept.pop();
            }
            kept.push(*point);
        }
        kept.pop();
        kept
    };
    let mut all = chain(&mut points.iter());
    all.extend(chain(&mut points.iter().rev()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::section::Section;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12 * b.abs().max(1e-30), "{a} against {b}");
    }

    /// An I and a box of equal walls have the constants of their own formulas.
    #[test]
    fn equal_walls_are_the_sections_known_already() {
        let walls = [
            Wall::new(-0.09, 0.09, 0.0, 0.006),
            Wall::new(0.09, 0.1, 0.0, 0.12),
            Wall::new(-0.1, -0.09, 0.0, 0.12),
        ];
        let found = open(&walls).expect("a section");
        let other =
            Section::I { width_y: 0.12, height_z: 0.2, flange: 0.01, web: 0.006 }.constants().expect("an I");
        close(found.area, other.area);
        close(found.inertia_z, other.inertia_y);
        close(found.inertia_y, other.inertia_z);
        let found = box_of([0.1, 0.06], [0.004; 2], [0.004; 2]).expect("a box");
        let other = Section::Box { width_y: 0.1, height_z: 0.06, wall: 0.004 }.constants().expect("a box");
        close(found.area, other.area);
        close(found.inertia_y, other.inertia_y);
        close(found.inertia_z, other.inertia_z);
        close(found.torsion, other.torsion);
    }

    /// A T by hand: flange 100 x 10 on a web 90 x 8 (mm).
    #[test]
    fn a_t_is_the_one_by_hand() {
        let walls = [Wall::new(90.0, 100.0, 0.0, 100.0), Wall::new(0.0, 90.0, 0.0, 8.0)];
        let found = open(&walls).expect("a T");
        let (flange, web) = (1000.0, 720.0);
        let middle = (flange * 95.0 + web * 45.0) / (flange + web);
        close(found.area, flange + web);
        let own = 100.0 * 1000.0 / 12.0 + 8.0 * 90.0_f64.powi(3) / 12.0;
        close(found.inertia_z, own + flange * (95.0 - middle).powi(2) + web * (45.0 - middle).powi(2));
        close(found.inertia_y, 10.0 * 1e6 / 12.0 + 90.0 * 512.0 / 12.0);
        close(found.torsion, (100.0 * 1000.0 + 90.0 * 512.0) / 3.0);
        let Some(Outline::Corners(places, count, wall)) = found.outline else { panic!("corners") };
        assert_eq!((count, wall), (6, 10.0));
        let lowest = places[..count].iter().map(|place| place[0]).fold(f64::INFINITY, f64::min);
        close(lowest, -middle);
    }

    #[test]
    fn sections_without_symmetry_are_refused() {
        let angle = [Wall::new(0.0, 10.0, 0.5, 1.0), Wall::new(0.0, 1.0, 5.5, 9.0)];
        assert!(open(&angle).expect_err("refused").to_string().contains("symmetry"));
        assert!(open(&[Wall::new(0.0, -1.0, 0.0, 1.0)]).is_err());
        assert!(box_of([0.1, 0.06], [0.05; 2], [0.004; 2]).is_err());
    }
}
