//! Shapes chosen by the error they leave, against the unreduced part: `cargo test -p flexura-fem --test parts enough:: -- --nocapture`
//! prints what was asked for beside what is true.

use crate::common::*;
use flexura_fem::linear::{Factor, generalized_eigen, solve_definite};
use flexura_fem::part::Part;
use flexura_fem::part::description::{Connection, Method};
use flexura_fem::*;
use nalgebra::{DMatrix, DVector, Vector3};
use std::path::Path;

/// A part, its reference, the interfaces with freedoms of their own and those that follow a mean.
struct Case {
    name: &'static str,
    mesh: Mesh,
    reference: String,
    own: Vec<String>,
    follow: Vec<String>,
    kind: ReductionKind,
    plane: Option<Plane>,
}

fn of_file(name: &'static str) -> Case {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/parts/{name}.toml"));
    let part = Part::load(path).unwrap_or_else(|fault| panic!("{fault}"));
    let reference = part.reference().to_owned();
    let others = part.description.interfaces.iter().filter(|interface| interface.name != reference);
    let (follow, own): (Vec<_>, Vec<_>) =
        others.partition(|interface| interface.connection == Connection::Average);
    let names = |list: Vec<&part::description::Interface>| list.iter().map(|one| one.name.clone()).collect();
    let kind = match part.description.reduction.method {
        Some(Method::ClampedFree) => ReductionKind::Clamped { modes: 0 },
        _ => ReductionKind::CraigBampton { modes: 0 },
    };
    Case { name, own: names(own), follow: names(follow), mesh: part.mesh, reference, kind, plane: None }
}

fn own(name: &'static str, mesh: Mesh, reference: &str, own: &[&str], kind: ReductionKind) -> Case {
    let own = own.iter().map(|name| (*name).to_owned()).collect();
    Case { name, mesh, reference: reference.into(), own, follow: Vec::new(), kind, plane: None }
}

/// A block of solids between two rigid faces.
fn column(kind: generate::SolidKind) -> Mesh {
    let mut mesh = generate::block([0.06, 0.04, 0.2], [3, 2, 8], kind, steel()).unwrap();
    for (name, set, place) in [("base", "z0", [0.03, 0.02, 0.0]), ("top", "z1", [0.03, 0.02, 0.2])] {
        let node = mesh.node(place);
        let followers = mesh.sets[set].clone();
        mesh.links.push(RigidLink::new(node, &followers));
        mesh.name(name, node);
    }
    mesh
}

/// A plate held at a corner, with a motor on it and two more places.
fn board() -> Mesh {
    let mut mesh = generate::plate([0.4, 0.25], [8, 5], 0.003, steel()).unwrap();
    mesh.masses.push(PointMass {
        node: 22,
        mass: 0.6,
        inertia: [[1e-3, 0.0, 0.0], [0.0, 2e-3, 0.0], [0.0, 0.0, 2e-3]],
        offset: [0.0, 0.0, 0.02],
    });
    for (name, node) in [("foot", 0), ("far", 53), ("side", 26)] {
        mesh.name(name, node);
    }
    mesh
}

fn cases() -> Vec<Case> {
    let bar = generate::beam(1.5, 30, steel(), Section::rectangle(0.02, 0.03)).unwrap();
    let craig = ReductionKind::CraigBampton { modes: 0 };
    let mut plane = own("bar in its plane", bar, "root", &["tip"], craig);
    plane.plane = Some(Plane::Xy);
    vec![
        of_file("boom"),
        of_file("jib_crane"),
        of_file("panel"),
        of_file("composite_panel"),
        of_file("connecting_rod"),
        own("bracket", bracket(), "base", &["end"], craig),
        own("column of hexahedra", column(generate::SolidKind::Hex8), "base", &["top"], craig),
        own(
            "column of tetrahedra",
            column(generate::SolidKind::Tet10),
            "base",
            &["top"],
            ReductionKind::Attachment { modes: 0 },
        ),
        own("board", board(), "foot", &["far", "side"], craig),
        plane,
    ]
}

fn reduce(case: &Case, enough: Enough) -> ReducedModel {
    let mut reduction = Reduction::new(&case.reference, case.kind).enough(enough);
    for name in &case.own {
        reduction = reduction.interface(name);
    }
    for name in &case.follow {
        reduction = reduction.follower(name, [true; 6]);
    }
    if let Some(plane) = case.plane {
        reduction = reduction.in_plane(plane);
    }
    reduction.run(&case.mesh).unwrap_or_else(|fault| panic!("{}: {fault}", case.name))
}

fn leaving(case: &Case) -> [bool; 6] {
    case.plane.map_or([false; 6], Plane::leaving)
}

/// The unreduced part, held at its reference or free.
fn whole(case: &Case, held: bool) -> System {
    let supports = Supports::none().hold_everywhere(leaving(case));
    let reference = case.mesh.named(&case.reference).unwrap();
    let supports = if held { supports.clamp(&[reference]) } else { supports };
    assemble(&case.mesh, &supports, MassModel::Consistent).unwrap()
}

/// Nodal loads: units at interfaces, weight along each axis, angular accelerations, and spins about each axis (the mass of the
/// mesh on the field of positions).
fn loads(case: &Case) -> Vec<DVector<f64>> {
    let (mesh, leaving) = (&case.mesh, leaving(case));
    let mut all = Vec::new();
    for name in case.own.iter().chain(&case.follow) {
        for offset in (0..6).filter(|offset| !leaving[*offset]) {
            let mut load = DVector::zeros(6 * mesh.nodes.len());
            load[6 * mesh.named(name).unwrap() + offset] = 1.0;
            all.push(load);
        }
    }
    let origin = Vector3::from(mesh.nodes[mesh.named(&case.reference).unwrap()]);
    let mass = assemble::nodal_mass(mesh, MassModel::Consistent).unwrap();
    let mut fields = assemble::rigid_motions(mesh, origin).resize_horizontally(9, 0.0);
    // The mass of beams and shells turns along with spins too, which nodal fields of positions do not have: solids only.
    let solid = mesh.elements.iter().all(Element::is_solid);
    for (node, place) in mesh.nodes.iter().enumerate().filter(|_| solid) {
        let arm = Vector3::from(*place) - origin;
        for axis in 0..3 {
            let along = arm - Vector3::ith(axis, arm[axis]);
            (0..3).for_each(|i| fields[(6 * node + i, 6 + axis)] = along[i]);
        }
    }
    let inertia = mass.multiply(&fields);
    for motion in (0..9).filter(|motion| *motion > 5 || !leaving[*motion]) {
        all.push(inertia.column(motion).into_owned());
    }
    all.retain(|load| load.amax() > 0.0);
    all
}

/// Largest error of static answers in the norm of K, full solution against reduced one.
fn statics(case: &Case, reduced: &ReducedModel) -> f64 {
    let system = whole(case, true);
    let factor = Factor::definite(&system.stiffness).unwrap();
    let mut found: Vec<(f64, f64)> = Vec::new();
    for load in loads(case) {
        let right = system.dofs.project(&load);
        let full = factor.solve(&DMatrix::from_column_slice(right.len(), 1, right.as_slice())).unwrap();
        let share = reduced.shapes.tr_mul(&DMatrix::from_column_slice(load.len(), 1, load.as_slice()));
        let few = &reduced.shapes * solve_definite(&reduced.stiffness, &share).unwrap();
        let difference = &full - system.dofs.restrict(&few);
        let energy = |x: &DMatrix<f64>| system.stiffness.congruence(x)[(0, 0)].max(0.0);
        found.push((energy(&full), energy(&difference)));
    }
    // A load that strains next to nothing beside all others of the part has no error that means something.
    let most = found.iter().map(|(energy, _)| *energy).fold(0.0, f64::max);
    let told = found.iter().filter(|(energy, _)| *energy > 1e-14 * most);
    told.map(|(energy, difference)| (difference / energy).sqrt()).fold(0.0, f64::max)
}

/// Largest error of the frequencies up to the band; none may be missing.
fn frequencies(name: &str, band: f64, truth: &[f64], reduced: &[f64]) -> f64 {
    let inside = truth.iter().filter(|frequency| **frequency <= band);
    let errors = inside.enumerate().map(|(mode, exact)| {
        let found =
            reduced.get(mode).unwrap_or_else(|| panic!("{name}: mode {mode} of {band} Hz is missing"));
        assert!(found / exact > 1.0 - 1e-7, "{name}: {found} below the true {exact}");
        found / exact - 1.0
    });
    errors.fold(0.0, f64::max)
}

/// Frequencies of the free part by the reduced body: its shapes and the rigid motions of the whole mesh.
fn free_of_reduced(case: &Case, reduced: &ReducedModel) -> Vec<f64> {
    let system = whole(case, false);
    let kept: Vec<usize> = (0..6).filter(|motion| !leaving(case)[*motion]).collect();
    let origin = Vector3::from(case.mesh.nodes[reduced.reference]);
    let rigid = system.dofs.restrict(&assemble::rigid_motions(&case.mesh, origin)).select_columns(&kept);
    let elastic = system.dofs.restrict(&reduced.shapes);
    let count = rigid.ncols() + elastic.ncols();
    let all = DMatrix::from_fn(rigid.nrows(), count, |row, column| match column.checked_sub(rigid.ncols()) {
        None => rigid[(row, column)],
        Some(shape) => elastic[(row, shape)],
    });
    let (values, _) =
        generalized_eigen(&system.stiffness.congruence(&all), &system.mass.congruence(&all)).unwrap();
    values.iter().skip(kept.len()).map(|value| eigen::frequency(*value)).collect()
}

/// The reduced body of each of ten parts is as good as was asked for, by the unreduced one, and no ten times better than that would
/// take in shapes: fewer are chosen for a larger error.
#[test]
fn ten_parts_are_as_good_as_asked_for() {
    println!(
        "| part | unknowns | asked | shapes | band (Hz) | static answers: estimated | true | held frequencies: estimated | true | free frequencies: estimated | true |"
    );
    for case in cases() {
        let mut counts = Vec::new();
        let mut own = 0.0;
        // The last one asks for vibrations up to four times as fast: the loads alone decide at the others.
        for (error, wider) in [(1e-1, false), (1e-2, false), (1e-3, false), (1e-4, false), (1e-4, true)] {
            let reduced = reduce(&case, Enough { error, band: wider.then_some(4.0 * own) });
            let reached = reduced.report.reached.expect("what was reached");
            own = reached.band;
            let system = whole(&case, true);
            let many = reached.vibrations[0] + 1;
            let held = lowest_modes(system.pencil(), many, &EigenOptions::default()).unwrap().frequencies();
            assert!(*held.last().unwrap() > reached.band, "{}: the count of vibrations", case.name);
            let true_held = frequencies(case.name, reached.band, &held, &reduced.report.frequencies);
            let free_system = whole(&case, false);
            let options = EigenOptions { free: true, ..EigenOptions::default() };
            let rigid = leaving(&case).iter().filter(|leaves| !**leaves).count();
            let free =
                lowest_modes(free_system.pencil(), reached.vibrations[1] + rigid + 1, &options).unwrap();
            let free = &free.frequencies()[rigid..];
            let true_free = frequencies(case.name, reached.band, free, &free_of_reduced(&case, &reduced));
            let true_static = statics(&case, &reduced);
            println!(
                "| {} | {} | {error:.0e} | {} | {:.1} | {:.1e} | {true_static:.1e} | {:.1e} | {true_held:.1e} | {:.1e} | {true_free:.1e} |",
                case.name,
                system.dofs.unknowns(),
                reduced.shapes.ncols(),
                reached.band,
                reached.statics,
                reached.held,
                reached.free.unwrap_or(f64::NAN),
            );
            for found in [true_static, true_held, true_free] {
                assert!(found <= error, "{}: {found:.2e} where {error:.0e} was asked for", case.name);
            }
            counts.push(reduced.shapes.ncols());
        }
        assert!(counts.windows(2).all(|pair| pair[0] <= pair[1]), "{}: {counts:?}", case.name);
        assert!(counts[0] < counts[3], "{}: {counts:?} shapes whatever is asked for", case.name);
    }
}

/// A band that is given is the band; errors that cannot be had are refused by name.
#[test]
fn bands_and_errors_are_taken_as_given() {
    let case = own(
        "column",
        column(generate::SolidKind::Hex8),
        "base",
        &["top"],
        ReductionKind::CraigBampton { modes: 0 },
    );
    let wide = reduce(&case, Enough { error: 1e-3, band: Some(2e4) });
    let narrow = reduce(&case, Enough { error: 1e-3, band: Some(500.0) });
    assert_eq!(wide.report.reached.unwrap().band, 2e4);
    assert!(wide.shapes.ncols() > narrow.shapes.ncols());
    for (error, band, words) in
        [(0.0, None, "1e-6 and 0.5"), (f64::NAN, None, "1e-6"), (1e-3, Some(-1.0), "band")]
    {
        let reduction = Reduction::new("base", case.kind).enough(Enough { error, band });
        let fault = reduction.run(&case.mesh).expect_err("a refusal").to_string();
        assert!(fault.contains(words), "{fault}");
    }
    let free =
        Reduction::new("base", ReductionKind::Free { modes: 3 }).enough(Enough { error: 1e-3, band: None });
    assert!(free.run(&case.mesh).expect_err("a refusal").to_string().contains("held"));
}

const PART: &str = include_str!("../../../../models/parts/boom.toml");

/// Keys of part files, and what they refuse.
#[test]
fn part_files_ask_by_a_key() {
    let read = |text: &str| Part::from_text(text, Path::new("boom.toml"));
    let text = PART.replace("modes = 4", "enough = 1e-3");
    let body = read(&text).unwrap_or_else(|fault| panic!("{fault}")).reduce(&mut |_| {}).unwrap();
    let reached = body.report.reached.expect("what was reached");
    assert!(reached.asked == 1e-3 && reached.statics <= 1e-3);
    assert!(body.report.to_string().contains("asked for 1.0e-3 up to"), "{}", body.report);
    let mut asked = read(PART).unwrap();
    asked.ask_for(Enough { error: 1e-3, band: None });
    assert_eq!(asked.reduce(&mut |_| {}).unwrap().modal.modes, body.modal.modes);
    let idle = read(&PART.replace("modes = 4", "modes = 4\nband = 10")).unwrap();
    assert!(idle.notices.iter().any(|notice| notice.contains("there is no `enough`")), "{:?}", idle.notices);
    for (keys, words) in [
        ("enough = 2", "from 1e-6 to 0.5"),
        ("enough = 1e-3\nmodes = 4", "modes"),
        ("enough = 1e-3\nresidual = \"inertia\"", "keep one of them"),
        ("enough = 1e-3\nband = -5", "must be positive"),
        ("enough = 1e-3\nmethod = \"free-free\"", "held at their reference"),
        ("enough = 1e-3\nmethod = \"all\"", "nothing to choose"),
    ] {
        let mut text = PART.replace("modes = 4", keys);
        if keys.contains("method") {
            text = text.replace("method = \"craig-bampton\"\n", "");
        }
        let fault = match read(&text) {
            Err(fault) => fault.to_string(),
            Ok(part) => part.reduce(&mut |_| {}).expect_err(keys).to_string(),
        };
        let notice = fault.contains(words);
        assert!(notice, "{keys}: {fault}");
    }
}
