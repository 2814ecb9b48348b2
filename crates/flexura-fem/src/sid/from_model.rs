//! A body of a model as a SID file, stiffening terms included, and what the format cannot express.

use super::{SidFile, SidNode, Taylor};
use flexura::Model;
use flexura::model::body::{Body, ConsistentInertia, NodeShape};
use flexura::model::description::ModalInvariants;
use flexura::model::{BodyId, Frame};
use flexura::spatial::{add, cross, scale};

/// The engine's component (xx, xy, xz, yy, yz, zz) in each row of `J` (xx, yy, zz, xy, xz, yz).
const INERTIA: [usize; 6] = [0, 3, 5, 1, 2, 4];
/// In each column of `Oe` (xx, yy, zz, xy, yz, xz).
const CENTRIFUGAL: [usize; 6] = [0, 3, 5, 1, 4, 2];
/// Products of different components stand twice in a quadratic form.
const MULTIPLICITY: [f64; 6] = [1.0, 1.0, 1.0, 2.0, 2.0, 2.0];

/// The SID file of body `index` of a model, and what it leaves out; `None` where the body has no modes.
pub fn sid_of_body(model: &Model, index: usize) -> Option<(SidFile, Vec<String>)> {
    let body = model.bodies.get(index).filter(|body| body.modes > 0)?;
    let n = body.modes;
    let none = ModalInvariants::zero(n);
    let given = body.sums.as_deref().unwrap_or(&none);
    let sums = ConsistentInertia::with_nodes(given, &body.nodes, n).invariants();
    let matrix = |entry: &dyn Fn(usize, usize) -> f64| Taylor::constant(n, n, n, entry);
    let mut left_out = Vec::new();
    let frames = model.frames.iter().filter(|frame| frame.body == Some(BodyId(index)));
    let nodes = frames.filter_map(|frame| node(body, frame, &mut left_out)).collect();
    say_what_is_lost(body, &sums, &mut left_out);
    let stiffness = matrix(&|i, j| body.stiffness.entry(i, j, n));
    let damping = matrix(&|i, j| body.damping.entry(i, j, n));
    let modes = (0..n).map(|r| mode_name(r, &stiffness, &sums.modal)).collect();
    let comment = format!("body {} of {}, written by Flexura; with stiffening terms", body.name, model.name);
    let comment = comment.replace(['\n', '\r'], " ");
    Some((SidFile { comment, modes, nodes, stiffness, damping, ..coefficients(&sums) }, left_out))
}

/// A mode by number and frequency of its diagonal entries.
fn mode_name(r: usize, stiffness: &Taylor, mass: &[f64]) -> String {
    let n = stiffness.rows;
    let frequency = (stiffness.m0(r, r) / mass[r * n + r]).sqrt() / std::f64::consts::TAU;
    format!("Mode {:4} : {frequency:12.3} Hz", r + 1)
}

/// All blocks of the inertia; the table of `sid/mod.rs`.
pub(super) fn coefficients(sums: &ModalInvariants) -> SidFile {
    let n = sums.moment1.len();
    let c2 = |r: usize, s: usize, j: usize| sums.moment2.get(r * n + s).map_or(0.0, |c| c[j]);
    let i2 = |r: usize, s: usize, k: usize| 0.5 * (sums.inertia2[r * n + s][k] + sums.inertia2[s * n + r][k]);
    let f1 = |r: usize, s: usize, j: usize| sums.angular1[r * n + s][j];
    let tensor =
        |part: &dyn Fn(usize) -> f64, i: usize, j: usize| part([[0, 1, 2], [1, 3, 4], [2, 4, 5]][i][j]);
    // Entry (i, j) of the skew matrix of a vector.
    let skew = |part: &dyn Fn(usize) -> f64, i: usize, j: usize| match (3 + j - i) % 3 {
        1 => -part(3 - i - j),
        2 => part(3 - i - j),
        _ => 0.0,
    };
    SidFile {
        mass: sums.mass,
        moment: Taylor::constant(3, 1, n, |i, _| sums.moment0[i]).with_linear(|i, q, _| sums.moment1[q][i]),
        inertia: Taylor::constant(6, 1, n, |i, _| sums.inertia0[INERTIA[i]])
            .with_linear(|i, q, _| sums.inertia1[q][INERTIA[i]]),
        translation: Taylor::constant(n, 3, n, |r, j| sums.moment1[r][j]).with_linear(c2),
        rotation: Taylor::constant(n, 3, n, |r, j| sums.angular0[r][j]).with_linear(f1),
        modal_mass: Taylor::constant(n, n, n, |r, s| sums.modal[r * n + s]),
        gyroscopic_rotation: Taylor::constant(3, 3 * n, n, |i, column| {
            let (r, j) = (column / 3, column % 3);
            tensor(&|k| sums.inertia1[r][k], i, j) - skew(&|k| sums.angular0[r][k], i, j)
        })
        .with_linear(|i, q, column| {
            let (r, j) = (column / 3, column % 3);
            tensor(&|k| 2.0 * i2(r, q, k), i, j) - skew(&|k| f1(r, q, k), i, j)
        }),
        gyroscopic_modes: Taylor::constant(n, 3 * n, n, |r, column| {
            let (s, j) = (column / 3, column % 3);
            f1(r, s, j) - f1(s, r, j)
        }),
        centrifugal: Taylor::constant(n, 6, n, |r, k| {
            -0.5 * MULTIPLICITY[k] * sums.inertia1[r][CENTRIFUGAL[k]]
        })
        .with_linear(|r, q, k| -MULTIPLICITY[k] * i2(r, q, CENTRIFUGAL[k])),
        initial_stress: Taylor::zero(n, 1, n),
        stiffness: Taylor::zero(n, n, n),
        damping: Taylor::zero(n, n, n),
        ..SidFile::default()
    }
}

/// The node of a frame: what carries it, moved by the frame's offset.
fn node(body: &Body, frame: &Frame, left_out: &mut Vec<String>) -> Option<SidNode> {
    let name = frame.name.rsplit('.').next().filter(|name| *name != "origin")?.to_owned();
    let mount = &frame.mount;
    let shape = shifted(&body.attachments.get(mount.attachment)?.shape, &mount.position, body.modes);
    let n = body.modes;
    if *mount.rotation != [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        left_out.push(format!("rotation of frame `{name}`: nodes are written in the body's axes"));
    }
    if shape.turn.is_some() {
        left_out.push(format!("second-order rotation of the section at `{name}`"));
    }
    let second = |r: usize, s: usize, i: usize| shape.quadratic.get(r * n + s).map_or(0.0, |v| v[i]);
    let skew =
        |v: &[f64; 3], i: usize, j: usize| cross(v, &std::array::from_fn(|k| f64::from(u8::from(k == j))))[i];
    Some(SidNode {
        name,
        line: 0,
        origin: Taylor::constant(3, 1, n, |i, _| shape.position[i])
            .with_linear(|i, q, _| shape.translations[q][i]),
        translations: Taylor::constant(3, n, n, |i, r| shape.translations[r][i])
            .with_linear(|i, q, r| second(r, q, i)),
        rotations: Taylor::constant(3, n, n, |i, r| shape.slopes[r][i]),
        axes: Taylor::constant(3, 3, n, |i, j| f64::from(u8::from(i == j)))
            .with_linear(|i, q, j| skew(&shape.slopes[q], i, j)),
    })
}

/// Motion of a point at `p` from another that turns by λη: book/src/theory/inertia.md (IN.5).
fn shifted(shape: &NodeShape, p: &[f64; 3], n: usize) -> NodeShape {
    let mut moved = shape.clone();
    if *p == [0.0; 3] {
        return moved;
    }
    moved.position = add(&shape.position, p);
    for r in 0..n {
        moved.translations[r] = add(&shape.translations[r], &cross(&shape.slopes[r], p));
    }
    moved.quadratic.resize(n * n, [0.0; 3]);
    for k in 0..n * n {
        let (one, two) = (&shape.slopes[k / n], &shape.slopes[k % n]);
        let bent = add(&cross(one, &cross(two, p)), &cross(two, &cross(one, p)));
        moved.quadratic[k] = add(&moved.quadratic[k], &scale(0.5, &bent));
    }
    moved
}

/// What a model knows of the body and the format does not.
fn say_what_is_lost(body: &Body, sums: &ModalInvariants, left_out: &mut Vec<String>) {
    if sums.moment2.iter().any(|c| *c != [0.0; 3]) {
        left_out.push("modal mass of first and second order in the deformation (level `gram` has it): the body is written as level `consistent`".into());
    }
    if body.curvature.is_some() {
        left_out.push("strain energy beyond the modal stiffness (`curvature = \"third-order\"`)".into());
    }
    left_out.push("pictures, stresses, and the flexibility by which runs judge the modes".into());
}
