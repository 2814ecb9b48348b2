//! Nodal coordinates (Richard 2012, eqs 49-52, 66, 67) and viscous constants of their own (eqs 62-65): bodies that keep every
//! freedom have the matrices of their mesh and the motion of the same body in all its modes, by the recursions and by the
//! linear graph; part files say what damps, and damped vibrations decay as known.

use crate::common::*;
use flexura::analysis::{linearize, modes};
use flexura::build::Built;
use flexura::file::{BodySource, SourceError, SourcedBody, build_text_with};
use flexura::formulation::graph::Equations;
use flexura::record::{Recorder, Recording};
use flexura::simulate::run;
use flexura::{State, Workspace, evaluate};
use flexura_fem::part::Part;
use flexura_fem::*;
use std::path::Path;

/// A part file of the test, whatever the name.
pub struct Text(pub String);

impl BodySource for Text {
    fn body(&self, path: &Path) -> Result<SourcedBody, SourceError> {
        let body = Part::from_text(&self.0, path)
            .and_then(|part| part.reduce(&mut |_| {}))
            .unwrap_or_else(|fault| panic!("{fault}"));
        Ok(SourcedBody {
            skin: body.picture.skin(&body.stress),
            modal: body.modal,
            notices: body.notices,
            mass: body.nodal.as_ref().map(|rows| std::sync::Arc::new(rows.nodal_mass())),
            ..SourcedBody::default()
        })
    }
}

fn built(part: &str, joint: &str, simulation: &str) -> Built {
    let text = format!(
        "[model]\ngravity = [0, -9.81, 0]\n[[body]]\nname = \"part\"\nfe = \"part.toml\"\n[[joint]]\nname = \"root\"\n{joint}\n\
         between = [\"ground.origin\", \"part.root\"]\n[simulation]\n{simulation}\n"
    );
    build_text_with(&text, "model.toml", &Text(part.into())).unwrap_or_else(|error| panic!("{error}")).built
}

const BEAM: &str = r#"
[[node]]
name = "root"
position = [0, 0, 0]
[[node]]
name = "tip"
position = [0.8, 0, 0]
[[beam]]
between = ["root", "tip"]
elements = 3
material = "own"
section = { rectangle = [0.008, 0.012] }
[[interface]]
name = "root"
node = "root"
[[interface]]
name = "tip"
node = "tip"
"#;
const SHELL: &str = r#"
[[plate]]
name = "sheet"
origin = [0, 0, -0.15]
edge_x = [0.8, 0, 0]
edge_y = [0, 0, 0.3]
cells = [2, 1]
thickness = 0.004
material = "own"
[[interface]]
name = "root"
set = "sheet.x0"
[[interface]]
name = "tip"
set = "sheet.x1"
"#;

fn part(mesh: &str, material: &str, reduction: &str) -> String {
    format!(
        "[[material]]\nname = \"own\"\nyoung = 2.1e11\npoisson = 0.3\ndensity = 7800\n{material}\n{mesh}\n\
         [reduction]\nreference = \"root\"\n{reduction}\n"
    )
}

fn reduced(text: &str) -> ReducedBody {
    let part = Part::from_text(text, Path::new("part.toml")).unwrap_or_else(|fault| panic!("{fault}"));
    part.reduce(&mut |_| {}).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Place of the tip, row by row.
fn motion(built: &Built) -> Vec<[f64; 3]> {
    let names = ["x", "y", "z"].map(|axis| format!("part.tip.position.{axis}"));
    let mut recorder = Recorder::new(&built.model, &names).unwrap();
    let mut rows = Recording::new(recorder.channels());
    run(&built.model, &built.description.simulation, &mut recorder, &mut rows, &mut |_| true)
        .unwrap_or_else(|error| panic!("{error}"));
    let columns = names.map(|name| rows.channel(&name).unwrap());
    (0..columns[0].len()).map(|row| std::array::from_fn(|axis| columns[axis][row])).collect()
}

fn apart(one: &[[f64; 3]], other: &[[f64; 3]]) -> f64 {
    assert!(one.len() == other.len() && one.len() > 5);
    let pairs = one.as_flattened().iter().zip(other.as_flattened());
    pairs.fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()))
}

/// Coordinates are the freedoms of the nodes: their matrices are those of the held mesh.
#[test]
fn every_freedom_has_the_matrices_of_the_mesh() {
    let mesh = generate::beam(0.8, 3, steel(), Section::rectangle(0.008, 0.012)).unwrap();
    let held = Supports::none().clamp(&[mesh.named("root").unwrap()]);
    for model in [MassModel::Consistent, MassModel::Linear, MassModel::Lumped] {
        let system = assemble(&mesh, &held, model).unwrap();
        let all = Reduction::new("root", ReductionKind::All).mass(model).run(&mesh).unwrap();
        let unit = nalgebra::DMatrix::identity(18, 18);
        assert_eq!(all.shapes.rows(6, 18), unit, "unit displacements, node by node");
        assert_eq!(
            (all.stiffness, all.mass),
            (system.stiffness.congruence(&unit), system.mass.congruence(&unit))
        );
    }
    // In a plane the others are held.
    let body = reduced(&part(BEAM, "", "method = \"all\"\nplane = \"xy\""));
    assert_eq!((body.modal.modes, body.report.unknowns), (9, 9));
}

/// Shells with lumped or linear mass have no inertia about their normal, in whatever attitude: those rotations follow, and all
/// frequencies are those of the mesh, found by iteration with its singular mass.
#[test]
fn freedoms_without_mass_follow_statically() {
    let mut plate = generate::plate([0.4, 0.3], [3, 2], 0.004, steel()).unwrap();
    let root = plate.node([0.0, 0.15, 0.0]);
    plate.links.push(RigidLink::new(root, &plate.sets["x0"].clone()));
    plate.name("root", root);
    for mesh in [plate.clone(), rotated(&plate, &oblique())] {
        let held = Supports::none().clamp(&[mesh.named("root").unwrap()]);
        for (model, kept) in [(MassModel::Consistent, 6), (MassModel::Linear, 5), (MassModel::Lumped, 5)] {
            let all = Reduction::new("root", ReductionKind::All).mass(model).run(&mesh).unwrap();
            assert_eq!(all.shapes.ncols(), kept * 9, "{model:?}");
            let known = held_frequencies(&mesh, &held, 12, model);
            let worst =
                known.iter().zip(&all.report.frequencies).map(|(a, b)| relative(*b, *a)).fold(0.0, f64::max);
            println!("{model:?}: {} coordinates, worst of 12 frequencies {worst:.1e}", all.shapes.ncols());
            assert!(worst < 1e-8, "{model:?}: {worst:e}");
        }
    }
}

/// Nodal coordinates and all modes of the held part span the same motions: a pendulum of a beam or a shell that swings fast enough
/// to bend and to be stiffened moves the same to rounding, with displacements of second order for every pair of coordinates.
#[test]
fn nodal_coordinates_move_like_all_modes() {
    for (mesh, label) in [(BEAM, "beam"), (SHELL, "shell")] {
        let swing = |reduction: &str| {
            let joint = "type = \"revolute\"\naxis = [0.1, 0.2, 1]\nspeed = 8";
            let simulation = "end = 0.04\nmethod = \"trapezoidal\"\nstep = 1e-3\noutput_interval = 4e-3";
            motion(&built(&part(mesh, "retardation = 1e-5", reduction), joint, simulation))
        };
        let nodal = swing("method = \"all\"");
        let modal = swing("method = \"all\"\northonormal = true");
        let rigid = swing("method = \"clamped-free\"\nmodes = 1");
        let [same, other] = [apart(&nodal, &modal), apart(&nodal, &rigid)];
        println!("{label}: nodal and modal {same:.1e} m apart, one mode {other:.1e} m");
        // Steps are solved to 1e-8 of a motion of 1e-2 m in each.
        assert!(same < 1e-8 && other > 1e-5, "{label}: {same:e} {other:e}");
    }
}

/// Equations generated from the linear graph in the paper's own coordinates against the recursions: accelerations of a bent
/// state in motion, and a run.
#[test]
fn the_linear_graph_takes_nodal_coordinates() {
    for (mesh, step) in [(BEAM, 2e-6), (SHELL, 4e-7)] {
        let made = |formulation: &str| {
            let joint = "type = \"revolute\"\naxis = [0.1, 0.2, 1]\nspeed = 8";
            let end = 600.0 * step;
            let rows = end / 6.0;
            let simulation = format!(
                "end = {end}\nmethod = \"rk4\"\nstep = {step}\noutput_interval = {rows}\n{formulation}"
            );
            built(&part(mesh, "", "method = \"all\""), joint, &simulation)
        };
        let (model, mut state) = (made("").model, State::initial(&made("").model, 0.0));
        for i in 0..state.q.len() {
            state.q[i] += 1e-3 * (1.0 + i as f64).sin();
            state.v[i] += (2.0 + i as f64).sin();
        }
        let mut work = Workspace::new(&model);
        evaluate(&model, &state, &mut work).unwrap();
        let graph = Equations::generate(&model, &state).solve(&model).unwrap().accelerations;
        let size = graph.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
        let pairs = graph.iter().zip(&work.accelerations.chidot);
        let off = pairs.fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs())) / size;
        let (graph, recursive) = (motion(&made("formulation = \"graph\"")), motion(&made("")));
        let (apart, moved) = (apart(&graph, &recursive), apart(&graph, &vec![graph[0]; graph.len()]));
        println!(
            "{} coordinates: accelerations {off:.1e} apart, places {apart:.1e} m over {moved:.1e} m",
            state.q.len()
        );
        // Rounding times the condition of a mass matrix of translations and rotations; over the square of a millisecond nothing
        // of it is left in places of the size of a metre.
        assert!(off > 0.0 && off < 1e-9 && apart < 1e-13 && moved > 1e-4, "{off:e} {apart:e} {moved:e}");
    }
}

/// The tensor of viscosity has constants of its own in part files; proportional ones are a retardation.
#[test]
fn viscous_constants_of_part_files() {
    let damping = |mesh: &str, material: &str| {
        let body = reduced(&part(mesh, material, "method = \"clamped-free\"\nmodes = 6"));
        match body.modal.damping {
            flexura::model::description::DampingDescription::Matrix(matrix) => matrix,
            other => panic!("{other:?}"),
        }
    };
    for mesh in [BEAM, SHELL] {
        let time = damping(mesh, "retardation = 2e-4");
        let own = damping(mesh, "viscous = { young = 4.2e7, poisson = 0.3 }");
        let other = damping(mesh, "viscous = { young = 4.2e7, poisson = -0.2 }");
        let size = time.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let off =
            |found: &[f64]| found.iter().zip(&time).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs()));
        assert!(
            off(&own) < 1e-12 * size && off(&other) > 1e-3 * size,
            "{:e} {:e}",
            off(&own) / size,
            off(&other) / size
        );
    }
    // Damping of the reduction takes its place, and the part says so.
    let both = reduced(&part(BEAM, "viscous = { young = 1e7, poisson = 0 }", "damping_ratio = 0.01"));
    assert!(both.notices.iter().any(|notice| notice.contains("viscous materials")), "{:?}", both.notices);
}

/// A held round rod with a viscous tensor that is not proportional: stretch decays at w^2 E'/(2E), twist at w^2 G'/(2G), with
/// w the frequency of the undamped rod (stretch and twist of a bar damped by its own operator keep their shapes).
#[test]
fn stretch_and_twist_decay_by_their_own_constants() {
    let (young, poisson) = (6e6, -0.4);
    let rod =
        BEAM.replace("rectangle = [0.008, 0.012]", "circle = 0.006").replace("elements = 3", "elements = 6");
    let material = format!("viscous = {{ young = {young:e}, poisson = {poisson} }}");
    let text = part(&rod, &material, "method = \"all\"");
    let model = built(&text, "type = \"weld\"", "end = 1").model;
    let system = linearize(&model, &State::initial(&model, 0.0), &[], &[]).unwrap();
    let found = modes(&system).unwrap();
    let (stiff, shear) = (2.1e11_f64, 2.1e11 / 2.6);
    let viscous_shear = young / (2.0 * (1.0 + poisson));
    for (modulus, viscous, label) in [(stiff, young, "stretch"), (shear, viscous_shear, "twist")] {
        let frequency = std::f64::consts::FRAC_PI_2 / 0.8 * (modulus / 7800.0).sqrt();
        // Six elements of fourth order: 1e-5 of the frequency.
        let mode = found.iter().min_by(|a, b| {
            let off = |mode: &&flexura::analysis::Mode| (mode.frequency() - frequency).abs();
            off(a).total_cmp(&off(b))
        });
        let mode = mode.unwrap();
        let decay = 0.5 * frequency * frequency * viscous / modulus;
        println!(
            "{label}: {:.2} rad/s, {frequency:.2} known; decay {:.4}, {decay:.4} known",
            mode.frequency(),
            -mode.real
        );
        assert!(
            relative(mode.frequency(), frequency) < 1e-4 && relative(-mode.real, decay) < 1e-3,
            "{label}"
        );
    }
}
