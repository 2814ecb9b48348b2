//! Strains of a uniform beam by equilibrium, against those of its modes.
//!
//! A beam is a chain: the forces beyond a section are what it carries, σ(x) = Σ_{x_a > x} (n_a − r(x) × f_a, f_a) with r(x) on
//! the deformed axis, which shortens as it bends: r_x = x − ½∫p² with the slopes p. Sections are Gauss points between the
//! places of all forces, where σ is linear. Beams with curvature to third order hold EI (c + ½ (p·c) p) in bending, c = p′
//! (`model/body/curvature.rs`; the turn of the sections is left out here).
//!
//! | family | strain | σ | rigidity |
//! |---|---|---|---|
//! | axial | f' | f_x | EA |
//! | bending y | f'' | n_z, with shear f_y | EI_z, k GA_y |
//! | bending z | f'' | −n_y, with shear f_z | EI_y, k GA_z |
//! | torsion | f' | n_x | GJ |
//!
//! Bending pinned at both ends: the frame is the line through both ends, so a moment on the frame is a couple of forces at the
//! ends. Stretch and twist fixed at both ends: the mean of σ is what the ends share, and strains nothing.

use super::acting::Acting;
use super::verdict::Family;
use crate::beam::{BeamInput, ModeKind, Shape, gauss_legendre, prepare, rigidity, shear_rigidity, strain};
use crate::spatial::{Spatial, add6, angular, cross, linear, negate6, sub};

/// Families in the order of all lists here.
pub(super) const FAMILIES: [(Family, ModeKind); 4] = [
    (Family::Axial, ModeKind::Axial),
    (Family::BendingY, ModeKind::BendingY),
    (Family::BendingZ, ModeKind::BendingZ),
    (Family::Torsion, ModeKind::Torsion),
];

/// Gauss points between two neighbouring places of forces.
const POINTS: usize = 3;

/// Main and shear part of strains or internal forces.
pub(super) type Pair = [f64; 2];

/// One cross-section.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub x: f64,
    pub weight: f64,
    /// Strain and shear of each mode.
    strains: Vec<Pair>,
    /// Displacement of the axis by each mode: shape value.
    values: Vec<f64>,
    /// Slope of the axis by each mode.
    slopes: Vec<f64>,
}

/// The beam, cut at its sections.
#[derive(Clone, Debug)]
pub(super) struct Beam {
    pub input: BeamInput,
    pub family_of: Vec<usize>,
    /// From the tip to the root.
    pub sections: Vec<Section>,
    /// Forces by place, from the tip to the root.
    order: Vec<usize>,
    /// Families whose frame is the line through both ends, or whose ends are both held.
    chord: [bool; 4],
    /// Whether curvature is kept to third order.
    curved: bool,
}

impl Beam {
    /// The beam `input` with forces at the places of `acting`; `None` where its shapes cannot be evaluated.
    pub fn new(input: &BeamInput, acting: &Acting, curved: bool) -> Option<Self> {
        let modes = prepare(input).ok()?;
        let length = input.length;
        let place = |i: usize| acting.list[i].place[0].clamp(0.0, length);
        let mut order: Vec<usize> = (0..acting.list.len()).collect();
        order.sort_by(|&a, &b| place(b).total_cmp(&place(a)));
        let mut cuts: Vec<f64> = order.iter().map(|&i| place(i)).chain([0.0, length]).collect();
        cuts.sort_by(|a, b| b.total_cmp(a));
        cuts.dedup_by(|a, b| (*a - *b).abs() < 1e-9 * length);
        let mut sections = Vec::new();
        for pair in cuts.windows(2) {
            let rule = gauss_legendre(POINTS, pair[1], pair[0]);
            for (x, weight) in rule.points.into_iter().zip(rule.weights).rev() {
                let strains = modes.iter().map(|mode| [strain(mode, x), mode.shape.at(x).shear]).collect();
                let values = modes.iter().map(|mode| mode.shape.at(x).value).collect();
                let slopes = modes.iter().map(|mode| mode.shape.at(x).slope).collect();
                sections.push(Section { x, weight, strains, values, slopes });
            }
        }
        let index = |kind| FAMILIES.iter().position(|(_, known)| *known == kind).unwrap_or(0);
        let family_of: Vec<usize> = input.modes.iter().map(|mode| index(mode.kind)).collect();
        let chord = [0, 1, 2, 3].map(|family| {
            let own = || modes.iter().filter(|mode| index(mode.kind) == family).map(|mode| &mode.shape);
            let rests = |value: f64| value.abs() < 1e-9;
            let held = own().all(|shape| rests(shape.at(0.0).value) && rests(shape.at(length).value));
            let bending = family == 1 || family == 2;
            // Shapes clamped at the root leave the frame there.
            held && own().any(|shape| !bending || !rests(shape.at(0.0).slope * length))
        });
        Some(Self { input: input.clone(), family_of, sections, order, chord, curved })
    }

    /// Number of modes of a family.
    pub fn count(&self, family: usize) -> usize {
        self.family_of.iter().filter(|of| **of == family).count()
    }

    /// Rigidities of a family: main and shear; zero is rigid.
    pub fn rigidities(&self, family: usize) -> Pair {
        let kind = FAMILIES[family].1;
        [rigidity(&self.input, kind), shear_rigidity(&self.input, kind)]
    }

    /// Strain of the modes `eta` of a family at a section.
    pub fn modal_strain(&self, family: usize, section: &Section, eta: &[f64]) -> Pair {
        let mut sum = [0.0; 2];
        for ((strain, x), of) in section.strains.iter().zip(eta).zip(&self.family_of) {
            if *of == family {
                sum[0] += strain[0] * x;
                sum[1] += strain[1] * x;
            }
        }
        sum
    }

    /// What curvature to third order adds to the strain of a family at a section: ½ (p·c) p.
    pub fn strain_beyond(&self, family: usize, section: &Section, eta: &[f64]) -> f64 {
        if !self.curved || (family != 1 && family != 2) {
            return 0.0;
        }
        let slope = self.slope(section, eta);
        let linear = [1, 2].map(|plane| self.modal_strain(plane, section, eta)[0]);
        0.5 * (slope[0] * linear[0] + slope[1] * linear[1]) * slope[family - 1]
    }

    /// Slopes of the deflected axis along y and z.
    fn slope(&self, section: &Section, eta: &[f64]) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for ((slope, x), of) in section.slopes.iter().zip(eta).zip(&self.family_of) {
            if *of == 1 || *of == 2 {
                sum[*of - 1] += slope * x;
            }
        }
        sum
    }

    /// ½ p² over a section: how much it shortens the axis (m).
    fn shortens(&self, section: &Section, eta: &[f64]) -> f64 {
        if !self.input.foreshortening {
            return 0.0;
        }
        let [y, z] = self.slope(section, eta);
        0.5 * section.weight * (y * y + z * z)
    }

    /// Internal forces at every section, family by family, under the wrench that `of` takes of every force.
    pub fn internal_forces(
        &self,
        acting: &Acting,
        eta: &[f64],
        of: impl Fn(usize) -> Spatial,
        out: &mut [[Pair; 4]],
    ) {
        // What holds the frame balances the rest.
        let others = (1..acting.list.len()).fold([0.0; 6], |sum, i| add6(&sum, &of(i)));
        let mut beyond = self.couple(&negate6(&others));
        let mut next = 0;
        // From the tip to the root: what the sections before the present one shorten.
        let mut short = 0.0;
        for (section, out) in self.sections.iter().zip(out.iter_mut()) {
            out[0][0] = self.shortens(section, eta);
            short += out[0][0];
        }
        for (section, out) in self.sections.iter().zip(out.iter_mut()) {
            while next < self.order.len() && acting.list[self.order[next]].place[0] > section.x {
                beyond = add6(&beyond, &of(self.order[next]));
                next += 1;
            }
            let own = out[0][0];
            *out = self.at_section(section, eta, short - 0.5 * own, &beyond);
            short -= own;
        }
        self.share_between_ends(out);
    }

    /// Resultants of the wrench `beyond` (at the frame) on the deformed axis, shortened by `short` (m) up to the section.
    fn at_section(&self, section: &Section, eta: &[f64], short: f64, beyond: &Spatial) -> [Pair; 4] {
        let mut place = [section.x - short, 0.0, 0.0];
        for ((value, x), of) in section.values.iter().zip(eta).zip(&self.family_of) {
            if *of < 3 {
                place[*of] += value * x;
            }
        }
        let force = linear(beyond);
        let moment = sub(&angular(beyond), &cross(&place, &force));
        [[force[0], 0.0], [moment[2], force[1]], [-moment[1], force[2]], [moment[0], 0.0]]
    }

    /// A moment on the line through both ends as the force it puts on the tip, at the frame.
    fn couple(&self, on_frame: &Spatial) -> Spatial {
        let (moment, length) = (angular(on_frame), self.input.length);
        let about_z = if self.chord[1] { moment[2] } else { 0.0 };
        let about_y = if self.chord[2] { moment[1] } else { 0.0 };
        [0.0, about_y, about_z, 0.0, about_z / length, -about_y / length]
    }

    fn share_between_ends(&self, out: &mut [[Pair; 4]]) {
        for family in [0, 3].into_iter().filter(|family| self.chord[*family]) {
            let sums =
                self.sections.iter().zip(out.iter()).map(|(section, at)| section.weight * at[family][0]);
            let mean = sums.sum::<f64>() / self.input.length;
            out.iter_mut().for_each(|at| at[family][0] -= mean);
        }
    }

    /// ½∫ of rigidities times the squares of `strain(i)` over all sections.
    pub fn energy(&self, family: usize, strain: impl Fn(usize) -> Pair) -> f64 {
        let [main, shear] = self.rigidities(family);
        let at = |(i, section): (usize, &Section)| {
            let [e, g] = strain(i);
            0.5 * section.weight * (main * e * e + shear * g * g)
        };
        self.sections.iter().enumerate().map(at).sum()
    }

    /// Strain under internal forces with the rigidities of their family; what is rigid does not strain.
    pub fn strain(&self, rigidities: Pair, force: &Pair) -> Pair {
        [0, 1].map(|i| if rigidities[i] > 0.0 { force[i] / rigidities[i] } else { 0.0 })
    }

    /// Angular frequency of the shape with the strain `residual`: its Rayleigh quotient (rad/s).
    pub fn frequency(&self, family: usize, residual: &[Pair]) -> f64 {
        let bending = family == 1 || family == 2;
        let inertia = if family == 3 { self.input.properties.rotary[0] } else { self.input.properties.mass };
        // From the root outwards: strains add up to slopes, slopes to displacements.
        let (mut x, mut slope, mut shift) = (0.0, 0.0, 0.0);
        let mut shape = Vec::with_capacity(self.sections.len());
        for (section, [main, shear]) in self.sections.iter().zip(residual).rev() {
            let step = section.x - x;
            x = section.x;
            if bending {
                shift += (slope + shear + 0.5 * main * step) * step;
                slope += main * step;
            } else {
                shift += main * step;
            }
            shape.push((section.x, section.weight, shift));
        }
        if self.chord[family] {
            let end = shape.last().map_or(0.0, |(x, _, shift)| shift / x);
            shape.iter_mut().for_each(|(x, _, shift)| *shift -= end * *x);
        } else if self.is_free(family) {
            remove_rigid(&mut shape, bending, self.input.length);
        }
        let kinetic: f64 =
            shape.iter().map(|(_, weight, shift)| 0.5 * weight * inertia * shift * shift).sum();
        (self.energy(family, |i| residual[i]) / kinetic).sqrt()
    }

    fn is_free(&self, family: usize) -> bool {
        let own = self.input.modes.iter().zip(&self.family_of).filter(|(_, of)| **of == family);
        own.into_iter().any(|(mode, _)| matches!(mode.shape, Shape::FreeFreeBending(_) | Shape::Cosine(_)))
    }
}

/// Takes the mean and (bending) the mean turn out of a shape given as (x, weight, displacement).
fn remove_rigid(shape: &mut [(f64, f64, f64)], turns: bool, length: f64) {
    let mean = shape.iter().map(|(_, weight, shift)| weight * shift).sum::<f64>() / length;
    let lever = |x: f64| x - 0.5 * length;
    let turn = shape.iter().map(|(x, weight, shift)| weight * lever(*x) * shift).sum::<f64>();
    let turn = if turns { turn * 12.0 / length.powi(3) } else { 0.0 };
    shape.iter_mut().for_each(|(x, _, shift)| *shift -= mean + turn * lever(*x));
}
