//! A SID file as a flexible body of the engine.
//!
//! `J`, `mdCM`, `Ct`, `Cr`, `Me` and `Oe`.M1 give the invariants of level `consistent` (the table of `sid/mod.rs` read
//! backwards). `Gr`, `Ge` and `Oe`.M0 follow from them and are compared, not used: energy is conserved only where they follow.

use super::{SidFile, SidNode, Taylor};
use crate::reduce::TruncationReport;
use crate::reduced::{Picture, ReducedBody};
use flexura::model::description::{DampingDescription, ModalDescription, ModalInvariants, NodeDescription};
use nalgebra::DMatrix;

/// Components of symmetric tensors: rows of `J` (xx, yy, zz, xy, xz, yz) for those of the engine (xx, xy, xz, yy, yz, zz).
const INERTIA_ROWS: [usize; 6] = [0, 3, 4, 1, 5, 2];
/// Columns of `Oe` (xx, yy, zz, xy, yz, xz) in the same way.
const CENTRIFUGAL_COLUMNS: [usize; 6] = [0, 3, 5, 1, 4, 2];
/// Products of different components stand twice in a quadratic form.
const MULTIPLICITY: [f64; 6] = [1.0, 2.0, 2.0, 1.0, 2.0, 1.0];
/// Blocks that should follow from others may differ by this share.
const FOLLOWS: f64 = 1e-6;

/// The engine's body of a SID file.
#[derive(Clone, Debug)]
pub struct SidBody {
    /// Nodes, modes, invariants.
    pub modal: ModalDescription,
    /// What the user should know.
    pub notices: Vec<String>,
}

impl SidBody {
    /// The body, or why the engine has none like it.
    pub fn new(file: &SidFile) -> Result<Self, String> {
        let n = file.modes.len();
        if file.initial_stress.constant.iter().any(|&x| x != 0.0) {
            return Err("`ksigma` has forces of initial stress (m0), which no body here has".into());
        }
        let mut notices = vec![
            "read from SID: the body runs at level `consistent`, because the format has no modal mass of second order".to_owned(),
        ];
        let invariants = invariants(file);
        check_followers(file, &invariants, &mut notices);
        if !is_definite(&invariants) {
            notices.push(
                "no motion has the mass matrix of this file: `Ct` and `Cr` are larger than `Me` allows; runs of the body end at once"
                    .into(),
            );
        }
        if file.translation.linear.is_empty() && file.initial_stress.linear.is_empty() {
            notices.push("the file has no stiffening terms (`Ct`.m1, `ksigma`): spin and loads do not stiffen the body".into());
        }
        if let Some((line, what)) = file.left_out.first() {
            let count = file.left_out.len();
            notices.push(format!("line {line}: {what} is not read (the first of {count})"));
        }
        let mean = |m: &Taylor, i: usize, j: usize| 0.5 * (m.m0(i, j) + m.m0(j, i));
        let square = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect()
        };
        let stress = &file.initial_stress;
        let geometric = |i: usize, j: usize| 0.5 * (stress.m1(i, j, 0) + stress.m1(j, i, 0));
        let damping = square(&|i, j| mean(&file.damping, i, j));
        let damped = damping.iter().any(|&x| x != 0.0);
        let modal = ModalDescription {
            modes: n,
            nodes: file.nodes.iter().map(|node| described(node, n, &mut notices)).collect(),
            stiffness: square(&|i, j| mean(&file.stiffness, i, j) + geometric(i, j)),
            damping: if damped { DampingDescription::Matrix(damping) } else { DampingDescription::None },
            invariants: Some(invariants),
        };
        Ok(Self { modal, notices })
    }

    /// With its picture and frequencies, as other reduced bodies have them.
    pub fn reduced(self, name: String) -> ReducedBody {
        let n = self.modal.modes;
        let mass = self.modal.invariants.as_ref().map_or(Vec::new(), |sums| sums.modal.clone());
        let mass = DMatrix::from_row_slice(n, n, &mass);
        let stiffness = DMatrix::from_row_slice(n, n, &self.modal.stiffness);
        let mut report = TruncationReport::default();
        if let Ok((values, _)) = crate::linear::generalized_eigen(&stiffness, &mass) {
            report.frequencies = values.iter().map(|&value| crate::eigen::frequency(value)).collect();
        }
        let nodes = &self.modal.nodes;
        let picture = Picture {
            nodes: nodes.iter().map(|node| node.position).collect(),
            displacements: (0..n).flat_map(|r| nodes.iter().map(move |node| node.translations[r])).collect(),
            ..Picture::default()
        };
        ReducedBody {
            name,
            modal: self.modal,
            mass,
            report,
            picture,
            notices: self.notices,
            ..ReducedBody::default()
        }
    }
}

/// The coefficients of level `consistent`.
fn invariants(file: &SidFile) -> ModalInvariants {
    let n = file.modes.len();
    let mut sums = ModalInvariants::zero(n);
    sums.mass = file.mass;
    sums.moment0 = std::array::from_fn(|j| file.moment.m0(j, 0));
    sums.inertia0 = INERTIA_ROWS.map(|row| file.inertia.m0(row, 0));
    // Never left out: a body of this format has no sums of level `gram`, with or without stiffening.
    sums.moment2 = vec![[0.0; 3]; n * n];
    for r in 0..n {
        sums.moment1[r] = std::array::from_fn(|j| file.translation.m0(r, j));
        sums.inertia1[r] = INERTIA_ROWS.map(|row| file.inertia.m1(row, r, 0));
        sums.angular0[r] = std::array::from_fn(|j| file.rotation.m0(r, j));
        for s in 0..n {
            let k = r * n + s;
            let mean = |m: &Taylor, j: usize| 0.5 * (m.m1(r, s, j) + m.m1(s, r, j));
            sums.moment2[k] = std::array::from_fn(|j| mean(&file.translation, j));
            sums.angular1[k] = std::array::from_fn(|j| file.rotation.m1(r, s, j));
            sums.inertia2[k] =
                std::array::from_fn(|i| -mean(&file.centrifugal, CENTRIFUGAL_COLUMNS[i]) / MULTIPLICITY[i]);
            sums.modal[k] = 0.5 * (file.modal_mass.m0(r, s) + file.modal_mass.m0(s, r));
        }
    }
    sums
}

/// Whether the mass matrix of the undeformed body is positive definite.
fn is_definite(sums: &ModalInvariants) -> bool {
    let n = sums.moment1.len();
    let (c, j) = (&sums.moment0, &sums.inertia0);
    let mut whole = DMatrix::zeros(n + 6, n + 6);
    for r in 0..n {
        (0..n).for_each(|s| whole[(r, s)] = sums.modal[r * n + s]);
        for i in 0..3 {
            whole[(n + i, r)] = sums.angular0[r][i];
            whole[(n + 3 + i, r)] = sums.moment1[r][i];
        }
    }
    let tensor = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
    let skew = [[0.0, -c[2], c[1]], [c[2], 0.0, -c[0]], [-c[1], c[0], 0.0]];
    for i in 0..3 {
        whole[(n + 3 + i, n + 3 + i)] = sums.mass;
        for k in 0..3 {
            whole[(n + i, n + k)] = j[tensor[i][k]];
            whole[(n + 3 + i, n + k)] = skew[k][i];
        }
    }
    // Only the lower triangle is read.
    nalgebra::Cholesky::new(whole).is_some()
}

/// Says which blocks do not follow from the others, as those of one kinetic energy do.
fn check_followers(file: &SidFile, sums: &ModalInvariants, notices: &mut Vec<String>) {
    let (expected, n) = (super::from_model::coefficients(sums), file.modes.len());
    for (name, found, follows) in [
        ("mdCM.m1", &file.moment, &expected.moment),
        ("Oe.m0", &file.centrifugal, &expected.centrifugal),
        ("Gr.m0", &file.gyroscopic_rotation, &expected.gyroscopic_rotation),
        ("Ge", &file.gyroscopic_modes, &expected.gyroscopic_modes),
    ] {
        let (found, follows) = match name {
            "mdCM.m1" => (&found.linear, &follows.linear),
            _ => (&found.constant, &follows.constant),
        };
        let scale = found.iter().chain(follows).fold(0.0f64, |most, x| most.max(x.abs()));
        let at = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(0.0);
        let worst = (0..found.len().max(follows.len()))
            .map(|k| (at(found, k) - at(follows, k)).abs())
            .fold(0.0, f64::max);
        // Below the digits of the largest coefficient of the body there is nothing to compare.
        if scale > 1e-9 * file.inertia.largest().max(1e-300) && worst > FOLLOWS * scale {
            let share = 100.0 * worst / scale;
            notices.push(format!("`{name}` is not read: it follows from other blocks, of which the file's differs by {share:.2} %"));
        }
    }
    let oe = &file.centrifugal;
    let lopsided = (0..n * n * 6)
        .map(|k| (oe.m1(k / 6 / n, k / 6 % n, k % 6) - oe.m1(k / 6 % n, k / 6 / n, k % 6)).abs());
    let lopsided = lopsided.fold(0.0, f64::max);
    let scale = oe.linear.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    if lopsided > FOLLOWS * scale {
        let share = 100.0 * lopsided / scale;
        notices.push(format!(
            "`Oe.m1` is not symmetric in its modes (by {share:.2} %): its symmetric part is taken"
        ));
    }
}

/// A node of the engine: a place without mass.
fn described(node: &SidNode, n: usize, notices: &mut Vec<String>) -> NodeDescription {
    let turned = (0..9).any(|k| (node.axes.m0(k / 3, k % 3) - f64::from(u8::from(k % 4 == 0))).abs() > 1e-9);
    if turned {
        let (line, name) = (node.line, &node.name);
        notices.push(format!("line {line}: axes of node {name} are turned (`AP`): frames there have the body's axes; turn them by `rotation`"));
    }
    let column = |m: &Taylor, r: usize| std::array::from_fn(|i| m.m0(i, r));
    let second = |r: usize, s: usize| -> [f64; 3] {
        std::array::from_fn(|i| 0.5 * (node.translations.m1(i, s, r) + node.translations.m1(i, r, s)))
    };
    let quadratic = match node.translations.linear.is_empty() {
        true => Vec::new(),
        false => (0..n * n).map(|k| second(k / n, k % n)).collect(),
    };
    NodeDescription {
        name: node.name.replace(|c: char| c.is_whitespace() || ".*?".contains(c), "_"),
        position: std::array::from_fn(|i| node.origin.m0(i, 0)),
        slopes: (0..n).map(|r| column(&node.rotations, r)).collect(),
        translations: (0..n).map(|r| column(&node.translations, r)).collect(),
        quadratic,
        ..NodeDescription::default()
    }
}
