//! Parts made of matrices give the bodies of the meshes the matrices are of.

use crate::common::matrix_files::*;
use flexura::model::description::ModalInvariants;
use flexura_fem::assemble::{assemble, mass_properties};
use flexura_fem::linear::SymmetricMatrix;
use flexura_fem::part::Part;
use flexura_fem::reduce::craig_bampton;
use flexura_fem::reduced::{from_bytes, to_bytes};
use flexura_fem::{
    EigenOptions, InvariantSource, MassModel, Mesh, ReducedBody, ReducedModel, Reduction, ReductionKind,
    Stiffening, Supports, compact_description,
};
use nalgebra::{DMatrix, DVector};
use std::fmt::Write;
use std::path::Path;

/// An angle of two beams with axes and sections of their own, so that nothing is symmetric.
const ANGLE: &str = r#"
[[material]]
name = "steel"
young = 2.1e11
poisson = 0.3
density = 7800
retardation = 1e-4

[[node]]
name = "root"
position = [0.1, 0.2, -0.3]
[[node]]
name = "corner"
position = [0.7, 0.4, -0.2]
[[node]]
name = "tip"
position = [0.8, 0.9, 0.3]

[[beam]]
between = ["root", "corner"]
elements = 3
material = "steel"
section = { box = [0.08, 0.05, 0.004] }
[[beam]]
between = ["corner", "tip"]
elements = 2
material = "steel"
section = { rectangle = [0.03, 0.05] }

[[mass]]
node = "tip"
mass = 0.7
inertia = [0.01, 0.02, 0.015]
offset = [0.02, 0.01, 0.03]

[[interface]]
name = "root"
node = "root"
[[interface]]
name = "corner"
node = "corner"
[[interface]]
name = "tip"
node = "tip"
freedoms = ["x", "y", "z", "rx", "ry", "rz"]
"#;

const DIGITS: f64 = 1e-9;

fn angle() -> Mesh {
    Part::from_text(ANGLE, Path::new("angle.toml")).unwrap().mesh
}

/// Viscous matrix of the free mesh: that of the unit displacements.
fn damping(mesh: &Mesh) -> DMatrix<f64> {
    let size = 6 * mesh.nodes.len();
    flexura_fem::reduce::viscous(mesh, &DMatrix::identity(size, size)).unwrap().unwrap()
}

/// Interfaces of the angle by the numbers of its nodes.
fn interfaces(mesh: &Mesh, names: &[&str]) -> String {
    let entry = |name: &&str| format!("[[interface]]\nname = \"{name}\"\nnode = {}\n", mesh.names[*name] + 1);
    names.iter().map(entry).collect()
}

fn reduce(folder: &Path, part: &str) -> ReducedBody {
    write(folder, "part.toml", part);
    let part = Part::load(folder.join("part.toml")).unwrap_or_else(|fault| panic!("{fault}"));
    part.reduce(&mut |_| {}).unwrap_or_else(|fault| panic!("{fault}"))
}

fn reduced_mesh(mesh: &Mesh, modes: usize) -> ReducedModel {
    Reduction::new("root", ReductionKind::CraigBampton { modes }).interface("tip").run(mesh).unwrap()
}

/// Displacement of a frame of the body under a load at the tip's freedoms, held at the root.
fn deflection(body: &ReducedBody, frame: &str, load: usize) -> Vec<f64> {
    let modes = body.modal.modes;
    let node = |name: &str| body.modal.nodes.iter().find(|node| node.name == name).unwrap();
    let stiffness = DMatrix::from_row_slice(modes, modes, &body.modal.stiffness);
    let row = |name: &str, freedom: usize| {
        let node = node(name);
        DVector::from_fn(modes, |mode, _| match freedom {
            0..=2 => node.translations[mode][freedom],
            _ => node.slopes[mode][freedom - 3],
        })
    };
    let amplitudes = stiffness.cholesky().unwrap().solve(&row("tip", load));
    (0..6).map(|freedom| row(frame, freedom).dot(&amplitudes)).collect()
}

/// The same of the full mesh.
fn full_deflection(mesh: &Mesh, frame: &str, load: usize) -> Vec<f64> {
    let supports = Supports::none().clamp(&[mesh.names["root"]]);
    let system = assemble(mesh, &supports, MassModel::Consistent).unwrap();
    let mut force = DVector::zeros(system.dofs.unknowns());
    force[system.dofs.unknown(6 * mesh.names["tip"] + load).unwrap()] = 1.0;
    let solved = dense(&system.stiffness).cholesky().unwrap().solve(&force);
    let nodal = system.dofs.expand(&DMatrix::from_column_slice(solved.len(), 1, solved.as_slice()));
    (0..6).map(|freedom| nodal[(6 * mesh.names[frame] + freedom, 0)]).collect()
}

/// Compares everything a rigid and a modal body needs.
fn same_body(body: &ReducedBody, mesh: &Mesh, modes: usize, limit: f64) {
    let reduced = reduced_mesh(mesh, modes);
    close(&body.report.frequencies, &reduced.report.frequencies, limit, "frequencies");
    for (a, b) in body.report.effective.iter().zip(&reduced.report.effective) {
        close(a, b, limit, "effective masses");
    }
    close(&body.report.total, &reduced.report.total, limit, "total mass and inertia");
    for load in 0..6 {
        close(&deflection(body, "tip", load), &full_deflection(mesh, "tip", load), limit, "tip deflection");
        close(
            &deflection(body, "corner", load),
            &full_deflection(mesh, "corner", load),
            limit,
            "deflection of the corner",
        );
    }
    let found = body.modal.invariants.as_ref().unwrap();
    let (mass, center, inertia) = mass_properties(mesh, MassModel::Consistent).unwrap();
    let center = center - nalgebra::Vector3::from(mesh.nodes[mesh.names["root"]]);
    let arm = center.cross_matrix();
    let about_root = inertia - arm * arm * mass;
    close(&[found.mass], &[mass], limit, "mass");
    close(&found.moment0, (center * mass).as_slice(), limit, "centre of mass");
    let [xx, xy, xz, yy, yz, zz] = found.inertia0;
    close(&[xx, xy, xz, xy, yy, yz, xz, yz, zz], about_root.as_slice(), limit, "inertia");
}

const FULL: &str =
    "[reduction]\nreference = \"root\"\nmethod = \"craig-bampton\"\nmodes = 5\nstiffening = false\n";

fn full_part(folder: &Path, text: &str, mesh: &Mesh) -> ReducedBody {
    // The corner has no static shapes, like that of the mesh it is compared with.
    let corner =
        format!("[[interface]]\nname = \"corner\"\nnode = {}\nfreedoms = []\n", mesh.names["corner"] + 1);
    reduce(folder, &format!("{text}\n{}{corner}{FULL}", interfaces(mesh, &["root", "tip"])))
}

/// Sign of each shape of the body against those of the mesh, from what they do at the frames; the
/// shapes at the frames agree with their signs.
fn signs(body: &ReducedBody, mesh: &Mesh, reduced: &ReducedModel, limit: f64) -> Vec<f64> {
    let modes = reduced.shapes.ncols();
    assert_eq!(body.modal.modes, modes);
    let frames: Vec<_> = body.modal.nodes.iter().filter(|node| mesh.names.contains_key(&node.name)).collect();
    assert!(frames.len() > 1, "the root and another");
    let sign = |mode: usize| {
        let found =
            frames.iter().flat_map(|node| node.translations[mode].into_iter().chain(node.slopes[mode]));
        let rows = frames.iter().flat_map(|node| (0..6).map(|freedom| 6 * mesh.names[&node.name] + freedom));
        let pairs: Vec<(f64, f64)> = found.zip(rows.map(|row| reduced.shapes[(row, mode)])).collect();
        let sign = pairs.iter().map(|(a, b)| a * b).sum::<f64>().signum();
        let (turned, expected): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(a, b)| (sign * a, *b)).unzip();
        close(&turned, &expected, limit, "shape at the frames");
        sign
    };
    (0..modes).map(sign).collect()
}

fn invariants_agree(body: &ReducedBody, mesh: &Mesh, reduced: &ReducedModel, limit: f64) {
    let signs = signs(body, mesh, reduced, limit);
    let modal = compact_description(mesh, reduced, InvariantSource::MassMatrix, Stiffening::None).unwrap();
    let (found, expected) = (body.modal.invariants.as_ref().unwrap(), modal.invariants.unwrap());
    let of_one: [fn(&ModalInvariants) -> Vec<f64>; 3] =
        [|sums| flat(&sums.moment1), |sums| flat(&sums.angular0), |sums| flat(&sums.inertia1)];
    for pick in of_one {
        close(&turned(&pick(found), &signs), &pick(&expected), limit, "sums of one shape");
    }
    let of_pairs: [fn(&ModalInvariants) -> Vec<f64>; 3] =
        [|sums| flat(&sums.angular1), |sums| flat(&sums.inertia2), |sums| sums.modal.clone()];
    for pick in of_pairs {
        close(&turned(&pick(found), &pairs(&signs)), &pick(&expected), limit, "sums of pairs of shapes");
    }
    let stiffness = turned(&body.modal.stiffness, &pairs(&signs));
    close(&stiffness, reduced.stiffness.as_slice(), limit, "stiffness");
}

fn flat<const N: usize>(list: &[[f64; N]]) -> Vec<f64> {
    list.iter().flatten().copied().collect()
}

/// Signs of products of two shapes.
fn pairs(signs: &[f64]) -> Vec<f64> {
    signs.iter().flat_map(|a| signs.iter().map(move |b| a * b)).collect()
}

/// Numbers in groups of equal length, one per sign.
fn turned(numbers: &[f64], signs: &[f64]) -> Vec<f64> {
    let each = numbers.len() / signs.len();
    numbers.iter().enumerate().map(|(place, number)| number * signs[place / each]).collect()
}

fn damping_agrees(body: &ReducedBody, mesh: &Mesh, reduced: &ReducedModel, limit: f64) {
    let flexura::model::description::DampingDescription::Matrix(found) = &body.modal.damping else {
        panic!("the damping matrix is kept")
    };
    let signs = pairs(&signs(body, mesh, reduced, limit));
    let expected = reduced.damping.as_ref().unwrap();
    close(&turned(found, &signs), expected.as_slice(), limit, "damping");
}

#[test]
fn full_matrices_of_a_mesh_give_its_body() {
    let mesh = angle();
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let (stiffness, mass, viscous) = (dense(&system.stiffness), dense(&system.mass), damping(&mesh));
    let folder = folder();
    write(&folder, "nodes.csv", &node_table(&mesh));
    let reduced = reduced_mesh(&mesh, 5);
    for symmetric in [true, false] {
        write(&folder, "k.mtx", &market(&stiffness, symmetric));
        write(&folder, "m.mtx", &market(&mass, symmetric));
        write(&folder, "c.mtx", &market(&viscous, symmetric));
        let section = "[matrices]\nstiffness = \"k.mtx\"\nmass = \"m.mtx\"\ndamping = \"c.mtx\"\nnodes = \"nodes.csv\"\n";
        let body = full_part(&folder, section, &mesh);
        same_body(&body, &mesh, 5, DIGITS);
        invariants_agree(&body, &mesh, &reduced, DIGITS);
        damping_agrees(&body, &mesh, &reduced, DIGITS);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Numbers as a layout rounds them.
fn rounded(matrix: &DMatrix<f64>, layout: Layout) -> DMatrix<f64> {
    let read = |text: String| flexura_fem::import::number::real(&text).unwrap();
    matrix.map(|value| match layout {
        _ if value == 0.0 => 0.0,
        Layout::Free => value,
        Layout::Large => read(narrow(value, 16)),
        Layout::Double => read(double(value)),
        Layout::Small => read(narrow(value, 8)),
    })
}

/// The reader adds nothing to the rounding of a file's fields: the body of a punch file is that of
/// the rounded numbers. What rounding itself costs grows by the ratio of the stiffest to the softest
/// motion, since a soft one is what large entries leave of each other.
#[test]
fn punch_files_lose_the_digits_of_their_fields_only() {
    let mesh = angle();
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let all = [dense(&system.stiffness), dense(&system.mass), damping(&mesh)];
    let (rows, reduced) = (names(&mesh), reduced_mesh(&mesh, 5));
    // Smallest eigenvalue held at the root against the largest entry.
    let held =
        assemble(&mesh, &Supports::none().clamp(&[mesh.names["root"]]), MassModel::Consistent).unwrap();
    let stiffness = dense(&held.stiffness);
    let ratio = all[0].amax() / stiffness.symmetric_eigenvalues().min();
    let folder = folder();
    write(&folder, "nodes.csv", &node_table(&mesh));
    let market_part =
        "[matrices]\nstiffness = \"k.mtx\"\nmass = \"m.mtx\"\ndamping = \"c.mtx\"\nnodes = \"nodes.csv\"\n";
    let punch_part = "[matrices]\nstiffness = \"all.pch\"\nmass = \"all.pch\"\nmass_name = \"MAAX\"\n\
                      damping = \"all.pch\"\nnodes = \"nodes.csv\"\n";
    for (layout, digit) in [(Layout::Free, 1e-15), (Layout::Large, 5e-12), (Layout::Double, 5e-10)] {
        let named = ["KAAX", "MAAX", "BAAX"].into_iter().zip(&all);
        let punch: String =
            named.map(|(name, matrix)| dmig(name, matrix, &rows, &rows, true, layout)).collect();
        write(&folder, "all.pch", &punch);
        for (file, matrix) in ["k.mtx", "m.mtx", "c.mtx"].into_iter().zip(&all) {
            write(&folder, file, &market(&rounded(matrix, layout), true));
        }
        let (body, twin) = (full_part(&folder, punch_part, &mesh), full_part(&folder, market_part, &mesh));
        let without_notices =
            |body: &ReducedBody| to_bytes(&ReducedBody { notices: Vec::new(), ..body.clone() });
        assert!(without_notices(&body) == without_notices(&twin), "the reader changes digits");
        let limit = (ratio * digit).max(DIGITS);
        println!("ratio {ratio:.1e}, limit {limit:.1e}");
        same_body(&body, &mesh, 5, limit);
        invariants_agree(&body, &mesh, &reduced, limit);
        damping_agrees(&body, &mesh, &reduced, limit);
        assert_eq!(to_bytes(&from_bytes(&to_bytes(&body)).unwrap()), to_bytes(&body));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn superelements_become_bodies_with_boundary_shapes() {
    let mesh = angle();
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let boundary: Vec<usize> = ["root", "tip"]
        .iter()
        .flat_map(|name| (0..6).map(|freedom| 6 * mesh.names[*name] + freedom).collect::<Vec<_>>())
        .collect();
    let modes = 5;
    let shapes = craig_bampton::shapes(&system, &boundary, modes, &EigenOptions::default()).unwrap();
    let (stiffness, mass) = (system.stiffness.congruence(&shapes), system.mass.congruence(&shapes));
    let corner = 6 * mesh.names["corner"];
    let recovery = shapes.rows(corner, 6).into_owned();
    let number = |name: &str| mesh.names[name] + 1;
    let place = |name: &str| mesh.nodes[mesh.names[name]].map(|x| format!("{x:e}")).join(",");
    let mut rows: Vec<(usize, usize)> =
        boundary.iter().map(|freedom| (freedom / 6 + 1, freedom % 6 + 1)).collect();
    rows.extend((0..modes).map(|mode| (101 + mode, 0)));
    let inner: Vec<(usize, usize)> = (1..=6).map(|component| (number("corner"), component)).collect();
    let folder = folder();
    // Coordinates first in the table: the order of rows is told by a file of its own.
    let mut table = String::from("# superelement\nfreedoms,node,x,y,z\n");
    (0..modes).for_each(|mode| writeln!(table, "0,{},,,", 101 + mode).unwrap());
    writeln!(table, "123456,{},{}", number("root"), place("root")).unwrap();
    writeln!(table, ",{},{}", number("tip"), place("tip")).unwrap();
    write(&folder, "nodes.csv", &table);
    write(&folder, "inner.csv", &format!("node,x,y,z\n{},{}\n", number("corner"), place("corner")));
    let list: String = rows.iter().map(|(node, freedom)| format!("{node},{freedom}\n")).collect();
    write(&folder, "rows.csv", &format!("node,freedom\n{list}"));
    write(&folder, "k.mtx", &market(&stiffness, true));
    write(&folder, "m.mtx", &market(&mass, true));
    write(&folder, "t.mtx", &market(&recovery, false));
    let punch = dmig("KAAX", &stiffness, &rows, &rows, true, Layout::Free)
        + &dmig("MAAX", &mass, &rows, &rows, true, Layout::Free)
        + &dmig("GOA", &recovery, &inner, &rows, false, Layout::Free);
    write(&folder, "s.pch", &punch);
    let tail =
        format!("{}[reduction]\nreference = \"root\"\n", interfaces(&mesh, &["root", "tip", "corner"]));
    let market = "[matrices]\nstiffness = \"k.mtx\"\nmass = \"m.mtx\"\nnodes = \"nodes.csv\"\nrows = \"rows.csv\"\n\
                  recovery = \"t.mtx\"\nrecovery_nodes = \"inner.csv\"\n";
    let inline = format!(
        "[matrices]\nstiffness = \"s.pch\"\nmass = \"s.pch\"\nrecovery = \"s.pch\"\ncoordinates = [101, 102, 103, \
         104, 105]\n[[matrices.node]]\nnumber = {}\nposition = [{}]\n[[matrices.node]]\nnumber = {}\nposition = \
         [{}]\n[[matrices.recovery_node]]\nnumber = {}\nposition = [{}]\n",
        number("root"),
        place("root"),
        number("tip"),
        place("tip"),
        number("corner"),
        place("corner")
    );
    // The same table as cards of the punch file.
    let real = |x: f64| format!("{x:e}");
    let grid =
        |name: &str| format!("GRID,{},,{}\n", number(name), mesh.nodes[mesh.names[name]].map(real).join(","));
    let cards = format!("{}{}SPOINT,101,102,103,104,105\n", grid("root"), grid("tip"));
    write(&folder, "cards.pch", &format!("{cards}{punch}"));
    let by_cards = "[matrices]\nstiffness = \"cards.pch\"\nmass = \"cards.pch\"\nnodes = \"cards.pch\"\n\
                    recovery = \"cards.pch\"\nrecovery_nodes = \"inner.csv\"\n";
    for section in [market, inline.as_str(), by_cards] {
        let body = reduce(&folder, &format!("{section}{tail}"));
        assert_eq!((body.modal.modes, body.report.static_shapes), (6 + modes, 6));
        same_body(&body, &mesh, modes, DIGITS);
        let told = body.notices.join("\n");
        assert!(told.contains("generalised coordinates") && told.contains("stiffening"), "{told}");
        // The parts of the sums that the reduced matrices hold exactly.
        let reduced = reduced_mesh(&mesh, modes);
        let modal =
            compact_description(&mesh, &reduced, InvariantSource::MassMatrix, Stiffening::None).unwrap();
        let (found, expected) = (body.modal.invariants.as_ref().unwrap(), modal.invariants.unwrap());
        let signs = signs(&body, &mesh, &reduced, DIGITS);
        close(&turned(&flat(&found.moment1), &signs), &flat(&expected.moment1), DIGITS, "c1");
        close(&turned(&flat(&found.angular0), &signs), &flat(&expected.angular0), DIGITS, "F0");
        close(&turned(&found.modal, &pairs(&signs)), &expected.modal, DIGITS, "modal mass");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn units_of_matrices() {
    let mesh = angle();
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let folder = folder();
    // Written as a program that counts in millimetres and tonnes would.
    let scaled = |matrix: &SymmetricMatrix| {
        let matrix = dense(matrix);
        DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |row, column| {
            let rotations = usize::from(row % 6 >= 3) + usize::from(column % 6 >= 3);
            matrix[(row, column)] * [1e-3, 1.0, 1e3][rotations]
        })
    };
    write(&folder, "k.mtx", &market(&scaled(&system.stiffness), true));
    write(&folder, "m.mtx", &market(&scaled(&system.mass), true));
    let mut moved = mesh.clone();
    moved.nodes.iter_mut().flatten().for_each(|x| *x *= 1e3);
    write(&folder, "nodes.csv", &node_table(&moved));
    let section =
        "[matrices]\nstiffness = \"k.mtx\"\nmass = \"m.mtx\"\nnodes = \"nodes.csv\"\nunits = \"mm-t-s\"\n";
    same_body(&full_part(&folder, section, &mesh), &mesh, 5, DIGITS);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A plate hung on its edges: the edges are sets of the node table.
const PLATE: &str = r#"
[[material]]
name = "steel"
young = 2.1e11
poisson = 0.3
density = 7800
retardation = 1e-4

[[plate]]
name = "skin"
edge_x = [0.5, 0.05, 0]
edge_y = [0, 0.3, 0.02]
cells = [5, 3]
thickness = 0.004
material = "steel"

"#;

const EDGES: &str = r#"
[[interface]]
name = "root"
set = "skin.x0"
[[interface]]
name = "tip"
set = "skin.x1"

[reduction]
reference = "root"
method = "craig-bampton"
modes = 5
stiffening = false
"#;

#[test]
fn sets_of_the_node_table_carry_the_interfaces_of_a_plate() {
    let part = Part::from_text(&format!("{PLATE}{EDGES}"), Path::new("plate.toml")).unwrap();
    let expected = part.reduce(&mut |_| {}).unwrap();
    // The plate before its edges were hung on nodes.
    let loose = "[[interface]]\nname = \"root\"\nnode = \"away\"\n[reduction]\nmethod = \"clamped-free\"\n";
    let corner = "[[node]]\nname = \"away\"\nposition = [0, 0, 0]\n";
    let mesh = Part::from_text(&format!("{PLATE}{corner}{loose}"), Path::new("plate.toml")).unwrap().mesh;
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let folder = folder();
    for (file, matrix) in
        [("k.mtx", dense(&system.stiffness)), ("m.mtx", dense(&system.mass)), ("c.mtx", damping(&mesh))]
    {
        write(&folder, file, &market(&matrix, true));
    }
    let mut table = String::from("node,x,y,z,set\n");
    for (node, [x, y, z]) in mesh.nodes.iter().enumerate() {
        let set = ["skin.x0", "skin.x1"].into_iter().find(|set| mesh.sets[*set].contains(&node));
        writeln!(table, "{},{x:e},{y:e},{z:e},{}", node + 1, set.unwrap_or("")).unwrap();
    }
    write(&folder, "nodes.csv", &table);
    let section =
        "[matrices]\nstiffness = \"k.mtx\"\nmass = \"m.mtx\"\ndamping = \"c.mtx\"\nnodes = \"nodes.csv\"\n";
    let body = reduce(&folder, &format!("{section}{EDGES}"));
    std::fs::remove_dir_all(folder).unwrap();
    close(&body.report.frequencies, &expected.report.frequencies, DIGITS, "frequencies");
    close(&body.report.total, &expected.report.total, DIGITS, "total mass and inertia");
    let reduction = Reduction::new("root", ReductionKind::CraigBampton { modes: 5 }).interface("tip");
    let reduced = reduction.run(&part.mesh).unwrap();
    invariants_agree(&body, &part.mesh, &reduced, DIGITS);
    damping_agrees(&body, &part.mesh, &reduced, DIGITS);
}
