//! Inertia by BᵀMB with the assembled mass matrix in every evaluation: beside the invariants made of the same matrix, and beside those of
//! mass pieces on finer and finer meshes (`inertia = "assembled"`).

use crate::common::*;
use crate::nodal::Text;
use flexura::State;
use flexura::file::build_text_with;
use flexura::formulation::global::{GlobalIntegrator, GlobalModel, GlobalOptions, InertiaRoute};
use flexura::model::Model;
use flexura::model::description::*;
use flexura_fem::generate::{SolidKind, block};
use flexura_fem::reduced::NodalRows;
use flexura_fem::*;
use std::sync::Arc;

fn mesh(kind: &str, fineness: usize, thickness: f64) -> Mesh {
    let with_root = |mut mesh: Mesh, at: [f64; 3]| {
        let node = mesh.node(at);
        mesh.links.push(RigidLink::new(node, &mesh.sets["x0"].clone()));
        mesh.name("root", node);
        mesh
    };
    match kind {
        "beam" => {
            let section = Section::rectangle(2.0 * thickness, thickness);
            generate::beam(0.8, 2 * fineness, steel(), section).unwrap()
        }
        "plate" => {
            let cells = [2 * fineness, fineness];
            with_root(generate::plate([0.6, 0.3], cells, thickness, steel()).unwrap(), [0.0, 0.15, 0.0])
        }
        _ => {
            let solid = block([0.6, 0.2, 0.04], [2 * fineness, fineness, 1], SolidKind::Hex8, steel());
            with_root(solid.unwrap(), [0.0, 0.1, 0.02])
        }
    }
}

/// The part on a skew hinge, its invariants from `source`, its assembled mass matrix beside them.
fn swinging(mesh: &Mesh, source: InvariantSource, mass: MassModel) -> Model {
    let reduced = Reduction::new("root", ReductionKind::Clamped { modes: 4 }).mass(mass).run(mesh).unwrap();
    let mut modal = compact_description(mesh, &reduced, source, Stiffening::None).unwrap();
    // Elastic forces are the same in all routes and much larger than those of inertia: they would hide them.
    modal.stiffness.iter_mut().for_each(|k| *k *= 1e-8);
    let mut body = BodyDescription::modal("part", modal);
    body.level = Some(InertiaLevel::Consistent);
    let joint = JointDescription::revolute("hinge", ["ground.origin", "part.origin"], [0.2, 1.0, 0.1]);
    let mut description = Description::new("swing").body(body).joint(joint);
    let rows = NodalRows::new(mesh, &reduced).unwrap();
    description.nodal_masses.push(("part".into(), Arc::new(rows.nodal_mass())));
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Bent and moving: the second order of the deformation counts.
fn bent(model: &Model) -> State {
    let mut state = State::initial(model, 0.0);
    let wave = |i: usize, phase: f64| (1.7 * i as f64 + phase).sin();
    state.q.iter_mut().enumerate().for_each(|(i, q)| *q = 0.1 * wave(i, 0.3));
    state.v.iter_mut().enumerate().for_each(|(i, v)| *v = 3.0 * wave(i, 0.9));
    state
}

/// Largest difference of accelerations by both routes, over the largest.
fn difference(model: &Model) -> f64 {
    let state = bent(model);
    let [one, other] = [InertiaRoute::Invariants, InertiaRoute::Assembled].map(|inertia| {
        let options = GlobalOptions { inertia, ..GlobalOptions::default() };
        let global = GlobalModel::at(model, &options, &state).unwrap_or_else(|error| panic!("{error}"));
        GlobalIntegrator::new(model, &global).start(model, &global, &state).unwrap().a
    });
    let size = one.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
}

/// Invariants made of the matrix are its product as a polynomial: the routes differ by rounding.
#[test]
fn products_with_the_assembled_matrix_are_the_invariants_of_that_matrix() {
    for kind in ["beam", "plate", "block"] {
        for mass in [MassModel::Consistent, MassModel::Lumped] {
            let apart = difference(&swinging(&mesh(kind, 3, 0.01), InvariantSource::MassMatrix, mass));
            println!("{kind} {mass:?}: {apart:.1e}");
            assert!(apart < 1e-11, "{kind} {mass:?}: {apart:e}");
        }
    }
}

/// Invariants of mass pieces turn the interpolation inside the elements, the matrix does not: the routes meet as elements shrink.
#[test]
fn products_with_the_assembled_matrix_meet_the_mass_pieces_on_fine_meshes() {
    for kind in ["beam", "plate"] {
        let apart = [2, 4, 8].map(|fineness| {
            difference(&swinging(
                &mesh(kind, fineness, 0.001),
                InvariantSource::Pieces,
                MassModel::Consistent,
            ))
        });
        let order = (apart[1] / apart[2]).log2();
        println!("{kind}: {apart:?}, order {order:.2}");
        assert!(apart[0] > apart[1] && order > 1.5, "{kind}: {apart:?}");
    }
}

const PART: &str = r#"
name = "arm"
[[material]]
name = "steel"
young = 2.1e11
poisson = 0.3
density = 7850
[[node]]
name = "root"
position = [0, 0, 0]
[[node]]
name = "tip"
position = [1, 0, 0]
[[beam]]
between = ["root", "tip"]
elements = 6
material = "steel"
section = { rectangle = [0.02, 0.01] }
orientation = [0, 0, 1]
[[interface]]
name = "root"
node = "root"
[reduction]
reference = "root"
modes = 3
KEYS
"#;

fn model(keys: &str, inertia: &str) -> Result<Model, String> {
    model_with("", keys, inertia)
}

fn model_with(more: &str, keys: &str, inertia: &str) -> Result<Model, String> {
    let text = format!(
        "{more}[[body]]\nname = \"part\"\nfe = \"part.toml\"\n[[joint]]\nname = \"root\"\ntype = \"revolute\"\naxis = [0, 1, 0]\n\
         between = [\"ground.origin\", \"part.root\"]\n[simulation]\nformulation = \"global\"\nmethod = \"trapezoidal\"\n\
         step = 0.001\nend = 0.2\ninertia = \"{inertia}\"\n"
    );
    let built = build_text_with(&text, "model.toml", &Text(PART.replace("KEYS", keys)));
    built.map(|built| built.built.model).map_err(|error| error.to_string())
}

/// The key of a model file takes the matrix that the part keeps, and names what lacks it.
#[test]
fn the_assembled_route_is_a_key_and_refuses_by_name() {
    model("nodal = true\nstiffening = false", "assembled").unwrap_or_else(|error| panic!("{error}"));
    for (keys, words) in [
        ("stiffening = false", ["a mass matrix of this body", "nodal = true"]),
        ("nodal = true", ["second order", "stiffening = false"]),
    ] {
        let error = model(keys, "assembled").unwrap_err();
        assert!(words.iter().all(|word| error.contains(word)) && error.contains("part"), "{keys}: {error}");
    }
    // What is welded to the part is in its sums, not in its matrix.
    let load = "[[body]]\nname = \"load\"\npoint_mass = 0.5\n[[joint]]\nname = \"weld\"\ntype = \"weld\"\n\
                between = [\"part.root\", \"load.origin\"]\n";
    let keys = "nodal = true\nstiffening = false";
    let error = model_with(load, keys, "assembled").unwrap_err();
    assert!(error.contains("point masses welded to a part") && error.contains("part"), "{error}");
    model_with(load, keys, "invariants").unwrap_or_else(|error| panic!("{error}"));
}
