//! Part files: bodies they give, the file that keeps them, the cache, and models that use them.

use flexura::file::{BodySource, build_text_with, load_model_with};
use flexura_fem::part::{Part, PartError};
use flexura_fem::reduced::{self, from_bytes, to_bytes};
use flexura_fem::source::{PartSource, digest_of};
use flexura_fem::{
    Element, InvariantSource, MassModel, Reduction, ReductionKind, Section, Stiffening, compact_description,
    generate,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

fn folder() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("flexura-part-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn quiet() -> impl FnMut(flexura_fem::part::Stage) {
    |_| {}
}

#[test]
fn a_beam_in_a_part_file_is_the_generated_beam() {
    let part = Part::load(models().join("parts/boom.toml")).unwrap();
    let body = part.reduce(&mut quiet()).unwrap();
    let material = flexura_fem::Material::isotropic(70e9, 0.33, 2700.0);
    let section = Section::tube(0.025, 0.022);
    let mesh = generate::beam(2.0, 10, material, section).unwrap();
    let reduction = Reduction::new("root", ReductionKind::CraigBampton { modes: 4 }).interface("tip");
    let reduced = reduction.mass(MassModel::Consistent).run(&mesh).unwrap();
    let modal = compact_description(&mesh, &reduced, InvariantSource::Pieces, Stiffening::Beams).unwrap();
    for (found, expected) in body.report.frequencies.iter().zip(&reduced.report.frequencies) {
        assert!((found / expected - 1.0).abs() < 1e-10, "{found} {expected}");
    }
    let (found, expected) = (body.modal.invariants.as_ref().unwrap(), modal.invariants.as_ref().unwrap());
    assert!((found.mass - expected.mass).abs() < 1e-12);
    let largest = expected.inertia0.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    for (a, b) in found.inertia0.iter().zip(&expected.inertia0) {
        assert!((a - b).abs() < 1e-12 * largest, "{a} {b}");
    }
    let along = found.moment2.iter().map(|pair| pair[0]).fold(0.0, f64::min);
    assert!(along < 0.0, "bending shortens the boom");
    let names: Vec<&str> =
        body.modal.nodes.iter().map(|n| n.name.as_str()).filter(|n| !n.is_empty()).collect();
    assert_eq!(names, ["root", "tip"]);
}

#[test]
fn plates_join_beams_and_each_other_at_common_nodes() {
    let part = Part::load(models().join("parts/panel.toml")).unwrap();
    // 13 x 9 of the plate, 3 inside each of the yoke's beams, its apex, and the mean of the edge.
    assert_eq!(part.mesh.nodes.len(), 13 * 9 + 2 * 3 + 1 + 1);
    let shells = part.mesh.elements.iter().filter(|e| matches!(e, Element::Shell(_))).count();
    assert_eq!((shells, part.mesh.elements.len()), (2 * 12 * 8, 2 * 12 * 8 + 8));
    let body = part.reduce(&mut quiet()).unwrap();
    assert!(
        body.report.frequencies.iter().all(|f| *f < 20.0) && body.modal.modes == 5,
        "selected by frequency"
    );
    assert_eq!(body.stress.section_forces.len(), 8 * 2 * 6 * 5);
}

#[test]
fn one_ratio_damps_every_mode_of_the_part() {
    let text = std::fs::read_to_string(models().join("parts/boom.toml")).unwrap();
    let body = Part::from_text(&text, Path::new("boom.toml")).unwrap().reduce(&mut quiet()).unwrap();
    let flexura::model::description::DampingDescription::Matrix(values) = &body.modal.damping else {
        panic!()
    };
    let count = body.modal.modes;
    let damping = nalgebra::DMatrix::from_row_slice(count, count, values);
    let amplitudes = reduced::svg::mode_amplitudes(&body).unwrap();
    let modal = amplitudes.tr_mul(&(damping * &amplitudes));
    for mode in 0..count {
        let expected = 2.0 * 0.005 * std::f64::consts::TAU * body.report.frequencies[mode];
        assert!((modal[(mode, mode)] / expected - 1.0).abs() < 1e-9);
        let others = (0..count).filter(|other| *other != mode).map(|other| modal[(mode, other)].abs());
        assert!(others.fold(0.0, f64::max) < 1e-9 * modal.amax());
    }
}

#[test]
fn reduced_bodies_survive_their_file_bit_by_bit() {
    let nodes = "mass_nodes = true\n";
    for (name, more) in
        [("boom", ""), ("panel", ""), ("panel", "nodal = true\n"), ("boom", nodes), ("panel", nodes)]
    {
        let text = std::fs::read_to_string(models().join(format!("parts/{name}.toml"))).unwrap() + more;
        let body = Part::from_text(&text, Path::new(name)).unwrap().reduce(&mut quiet()).unwrap();
        assert_eq!(body.modal.invariants.is_none(), more == nodes);
        assert_eq!(body.nodal.is_some(), more.starts_with("nodal"));
        let terms =
            body.modal.nodes.iter().filter(|node| node.mass > 0.0 && !node.quadratic.is_empty()).count();
        assert_eq!(terms > 0, name == "boom" && more == nodes, "mass nodes of beams have second-order terms");
        let bytes = to_bytes(&body);
        let again = from_bytes(&bytes).unwrap();
        assert_eq!(to_bytes(&again), bytes);
        assert_eq!(format!("{:?}", again.modal), format!("{:?}", body.modal));
        assert_eq!(again.nodal, body.nodal);
        assert_eq!(again.report.frequencies, body.report.frequencies);
        assert_eq!(
            (&again.picture.nodes, &again.picture.displacements),
            (&body.picture.nodes, &body.picture.displacements)
        );
        assert_eq!((&again.stress, &again.notices, &again.mass), (&body.stress, &body.notices, &body.mass));
    }
}

#[test]
fn versions_and_foreign_files_are_refused() {
    let body = Part::load(models().join("parts/boom.toml")).unwrap().reduce(&mut quiet()).unwrap();
    let bytes = to_bytes(&body);
    let message = |bytes: &[u8]| from_bytes(bytes).unwrap_err().to_string();
    let mut newer = bytes.clone();
    newer[16] = 9;
    assert!(message(&newer).contains("version 9, this program reads version 1"));
    assert!(message(b"PK\x03\x04").contains("no reduced-body file"));
    assert!(message(&bytes[..bytes.len() / 2]).contains("cut or damaged"));
    assert!(message(&bytes[..20]).contains("cut or damaged"));
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 16;
    assert!(message(&flipped).contains("damaged"));
}

/// A hanging boom: its model, with the part beside it.
const HANGING: &str = "
[[body]]
name = \"boom\"
fe = \"boom.toml\"

[[body]]
name = \"load\"
point_mass = 1.0

[[joint]]
name = \"clamp\"
type = \"weld\"
between = [\"ground.origin\", \"boom.root\"]

[[joint]]
name = \"end\"
type = \"weld\"
between = [\"boom.tip\", \"load.origin\"]
";

#[test]
fn models_take_parts_and_reduced_bodies_by_name() {
    let place = folder();
    std::fs::copy(models().join("parts/boom.toml"), place.join("boom.toml")).unwrap();
    std::fs::write(place.join("model.toml"), HANGING).unwrap();
    let source = PartSource::default();
    let loaded = load_model_with(place.join("model.toml"), &source).unwrap();
    assert_eq!(loaded.built.model.layout.modal, 10);
    let body = source.reduced(&place.join("boom.toml")).unwrap();
    reduced::write(&body, &place.join("boom.fxb")).unwrap();
    let text = HANGING.replace("boom.toml", "boom.fxb");
    let name = place.join("model.toml").display().to_string();
    let again = build_text_with(&text, &name, &source).unwrap();
    assert_eq!(
        format!("{:?}", again.built.description.bodies[0]),
        format!("{:?}", loaded.built.description.bodies[0])
    );
    std::fs::remove_dir_all(place).unwrap();
}

#[test]
fn faults_of_parts_are_shown_in_the_model() {
    let place = folder();
    std::fs::write(
        place.join("boom.toml"),
        "mesh = \"deck.inp\"\n[[interface]]\nname = \"root\"\nnode = 1\n",
    )
    .unwrap();
    std::fs::write(place.join("deck.inp"), "*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=XYZ\n1, 1\n").unwrap();
    std::fs::write(place.join("model.toml"), HANGING).unwrap();
    let fault =
        |()| load_model_with(place.join("model.toml"), &PartSource::default()).unwrap_err().to_string();
    let text = fault(());
    assert!(
        text.contains("model.toml:4:6") && text.contains("deck.inp:3: *ELEMENT: elements of type XYZ"),
        "{text}"
    );
    assert_eq!(text.matches("error[").count(), 1, "nothing follows from the missing body: {text}");
    std::fs::write(place.join("boom.toml"), "mehs = \"deck.inp\"\n").unwrap();
    let text = fault(());
    assert!(text.contains("boom.toml:1:1") && text.contains("did you mean `mesh`?"), "{text}");
    std::fs::remove_dir_all(place).unwrap();
}

#[test]
fn the_cache_is_used_checked_and_keyed_by_content() {
    let place = folder();
    let (cache, part) = (place.join("cache"), place.join("boom.toml"));
    std::fs::copy(models().join("parts/boom.toml"), &part).unwrap();
    let stages = std::rc::Rc::new(std::cell::Cell::new(0));
    let source = || {
        let stages = stages.clone();
        PartSource::cached_in(&cache).with_progress(move |_, _| stages.set(stages.get() + 1))
    };
    let first = to_bytes(&source().reduced(&part).unwrap());
    let solved = stages.get();
    assert!(solved > 0);
    assert_eq!(to_bytes(&source().reduced(&part).unwrap()), first);
    assert_eq!(stages.get(), solved, "the second time it comes from the cache");
    let entry = cache.join(format!("{}.fxb", digest_of(&part).unwrap()));
    let whole = std::fs::read(&entry).unwrap();
    std::fs::write(&entry, &whole[..whole.len() / 3]).unwrap();
    assert_eq!(to_bytes(&source().reduced(&part).unwrap()), first);
    assert!(stages.get() > solved, "a torn entry is made anew");
    assert_eq!(std::fs::read(&entry).unwrap(), whole, "and replaced");
    let text = std::fs::read_to_string(&part).unwrap().replace("elements = 10", "elements = 11");
    std::fs::write(&part, text).unwrap();
    assert_ne!(entry, cache.join(format!("{}.fxb", digest_of(&part).unwrap())));
    std::fs::remove_dir_all(place).unwrap();
}

#[test]
fn the_cache_is_keyed_by_meshes_and_their_includes() {
    let place = folder();
    let part = place.join("p.toml");
    std::fs::write(&part, "mesh = \"deck.inp\"\n[[interface]]\nname = \"edge\"\nset = \"EDGE\"\n").unwrap();
    std::fs::write(place.join("deck.inp"), "*INCLUDE, INPUT=inner.inp\n").unwrap();
    let deck = include_str!("../decks/small.inp");
    let digest = |text: &str| {
        std::fs::write(place.join("inner.inp"), text).unwrap();
        digest_of(&part).unwrap()
    };
    assert_ne!(digest(deck), digest(&deck.replace("0.004", "0.005")));
    assert_eq!(digest(deck), digest(deck));
    assert!(Part::load(&part).is_ok());
    std::fs::remove_dir_all(place).unwrap();
}

#[test]
fn writers_at_the_same_time_leave_whole_entries() {
    let place = folder();
    let part = place.join("boom.toml");
    std::fs::copy(models().join("parts/boom.toml"), &part).unwrap();
    let (part, cache) = (&part, &place.join("cache"));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || {
                for _ in 0..5 {
                    PartSource::cached_in(cache).body(part).unwrap();
                    if let Ok(entries) = std::fs::read_dir(cache) {
                        entries
                            .flatten()
                            .filter(|e| e.path().extension().is_some_and(|x| x == "fxb"))
                            .for_each(|entry| {
                                // Another thread may have removed the entry since it was listed: only what is
                                // there must be whole.
                                match std::fs::read(entry.path()) {
                                    Ok(bytes) => drop(from_bytes(&bytes).unwrap()),
                                    Err(fault) => assert_eq!(fault.kind(), std::io::ErrorKind::NotFound),
                                }
                                let _ = std::fs::remove_file(entry.path());
                            });
                    }
                }
            });
        }
    });
    let left = std::fs::read_dir(cache)
        .unwrap()
        .flatten()
        .filter(|e| e.path().extension().is_some_and(|x| x == "part"));
    assert_eq!(left.count(), 0, "no half-written files are left");
    std::fs::remove_dir_all(place).unwrap();
}

#[test]
fn units_of_a_deck_are_converted() {
    let place = folder();
    let part = "[[interface]]\nname = \"edge\"\nset = \"EDGE\"\n[reduction]\nmethod = \"clamped-free\"\nmodes = 3\nstiffening = false\n";
    // Without the mean connection's node, which has no stiffness of its own in either unit.
    let deck = include_str!("../calculix/plate.inp");
    std::fs::write(place.join("deck.inp"), deck).unwrap();
    let body =
        |text: &str| Part::from_text(text, &place.join("p.toml")).unwrap().reduce(&mut quiet()).unwrap();
    let metres = body(&format!("mesh = \"deck.inp\"\n{}", part.replace("EDGE", "ROOT")));
    let mut scaled = String::new();
    let mut section = "";
    for line in deck.lines() {
        section = if line.starts_with('*') { line } else { section };
        let scale = |line: &str, first: usize, factor: f64| {
            let words = line.split(',').enumerate().map(|(k, w)| match k < first {
                true => w.to_owned(),
                false => format!("{:e}", w.trim().parse::<f64>().unwrap() * factor),
            });
            words.collect::<Vec<_>>().join(",")
        };
        scaled += &match section {
            _ if line.starts_with('*') => line.to_owned(),
            s if s.starts_with("*NODE") => scale(line, 1, 1e3),
            s if s.starts_with("*ELASTIC") => "210e3, 0.3".to_owned(),
            s if s.starts_with("*DENSITY") => scale(line, 0, 1e-12),
            s if s.starts_with("*SHELL SECTION") => scale(line, 0, 1e3),
            _ => line.to_owned(),
        };
        scaled.push('\n');
    }
    std::fs::write(place.join("deck.inp"), scaled).unwrap();
    let millimetres =
        body(&format!("mesh = \"deck.inp\"\nunits = \"mm-t-s\"\n{}", part.replace("EDGE", "ROOT")));
    for (a, b) in metres.report.frequencies.iter().zip(&millimetres.report.frequencies) {
        assert!((a / b - 1.0).abs() < 1e-8, "{a} {b}");
    }
    assert!((metres.report.total[0] / millimetres.report.total[0] - 1.0).abs() < 1e-12);
    std::fs::remove_dir_all(place).unwrap();
}

/// A Gmsh mesh in millimetres has places in millimetres; modulus, density, section and thickness are the part file's own, in SI.
#[test]
fn a_gmsh_mesh_in_millimetres_keeps_the_materials_of_the_part() {
    let decks = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decks");
    let place = std::env::temp_dir().join(format!("flexura-millimetres-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    let (mut scaled, mut nodes) = (String::new(), false);
    for line in std::fs::read_to_string(decks.join("small_4.msh")).unwrap().lines() {
        nodes = if line.starts_with('$') { line == "$Nodes" } else { nodes };
        let words: Vec<&str> = line.split_whitespace().collect();
        scaled += &match nodes && words.len() == 3 {
            true => words.iter().map(|w| format!("{:e} ", 1e3 * w.parse::<f64>().unwrap())).collect(),
            false => line.to_owned(),
        };
        scaled.push('\n');
    }
    std::fs::write(place.join("small_4.msh"), scaled).unwrap();
    let text = std::fs::read_to_string(decks.join("groups.toml")).unwrap();
    let read = |text: &str, folder: &Path| Part::from_text(text, &folder.join("part.toml")).unwrap();
    let metres = read(&text, &decks);
    let millimetres = read(&format!("units = \"mm-t-s\"\n{text}"), &place);
    std::fs::remove_dir_all(place).unwrap();
    let places = metres.mesh.nodes.iter().flatten().zip(millimetres.mesh.nodes.iter().flatten());
    assert!(places.into_iter().all(|(a, b)| (a - b).abs() < 1e-12));
    assert_eq!(metres.mesh.materials, millimetres.mesh.materials);
    assert_eq!(metres.mesh.elements, millimetres.mesh.elements, "sections and thicknesses");
    let words = millimetres.notices.join("\n");
    assert!(!words.contains("look like"), "{words}");
}

#[test]
fn broken_part_files_are_explained() {
    let update = std::env::var_os("FLEXURA_UPDATE").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    assert!(files.len() >= 8);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = Path::new(path.file_name().unwrap());
        let found = match Part::from_text(&text, name).and_then(|part| part.reduce(&mut quiet())) {
            Err(PartError::File(errors)) => errors.to_string() + "\n",
            Err(other) => panic!("{}: {other}", path.display()),
            Ok(_) => panic!("{} is not broken", path.display()),
        };
        assert_eq!(found.matches("= help: ").count(), found.matches("error[").count(), "{found}");
        if update {
            std::fs::write(path.with_extension("expected"), &found).unwrap();
        }
        let expected = std::fs::read_to_string(path.with_extension("expected")).unwrap_or_default();
        assert_eq!(found, expected, "{}", path.display());
    }
}

/// What a viewer draws of a part: its surface and the sections of its beams, moved by the shapes; a picture in the model file
/// comes first.
#[test]
fn viewers_get_the_surface_of_parts() {
    use flexura::picture::Picture;
    let place = folder();
    let plate = "[[material]]\nname = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\n[[plate]]\nname = \"skin\"\n\
                 edge_x = [1, 0, 0]\nedge_y = [0, 0.5, 0]\ncells = [4, 2]\nthickness = 0.01\nmaterial = \"steel\"\n\
                 [[interface]]\nname = \"root\"\nset = \"skin.x0\"\n[reduction]\nmethod = \"clamped-free\"\nmodes = 3\n";
    std::fs::write(place.join("plate.toml"), plate).unwrap();
    for part in ["boom.toml", "panel.toml"] {
        std::fs::copy(models().join("parts").join(part), place.join(part)).unwrap();
    }
    let picture_of = |part: &str, more: &str| {
        let text = format!(
            "[[body]]\nname = \"part\"\nfe = \"{part}\"\n{more}[[joint]]\nname = \"free\"\ntype = \"free\"\n\
                            between = [\"ground.origin\", \"part.origin\"]\n"
        );
        let name = place.join("model.toml").display().to_string();
        let loaded = build_text_with(&text, &name, &PartSource::default()).unwrap_or_else(|e| panic!("{e}"));
        Picture::new(&loaded.built).bodies.remove(0)
    };
    let source = PartSource::default();
    for part in ["plate.toml", "boom.toml", "panel.toml"] {
        let (body, drawn) = (source.reduced(&place.join(part)).unwrap().picture, picture_of(part, ""));
        let (own, swept) = (body.nodes.len(), &body.swept);
        assert_eq!(drawn.nodes.len(), own + swept.points.len());
        assert_eq!(drawn.triangles.len(), body.triangles.len() + swept.triangles.len());
        assert!(drawn.lines.is_empty() && swept.points.is_empty() == body.lines.is_empty(), "{part}");
        for mode in 0..drawn.modes {
            let moved: Vec<[f64; 3]> = drawn.nodes.iter().map(|node| node.translations[mode]).collect();
            assert_eq!(moved[..own], *body.shape(mode));
        }
    }
    // Round, by its constants: the outline of the section that the part file gives, at both ends of every beam.
    let boom = source.reduced(&place.join("boom.toml")).unwrap().picture;
    let radius = |point: &[f64; 3]| point[1].hypot(point[2]);
    assert!(
        boom.swept.points.iter().all(|point| (radius(point) - 0.025).abs() < 1e-9),
        "{:?}",
        boom.swept.points[0]
    );
    // A section stays flat: its middle moves as its node, and its corners with the turn of the node.
    let tip = boom.nodes.iter().position(|node| node[0] == 2.0).unwrap();
    let count = boom.swept.points.len();
    for (mode, moved) in boom.swept.displacements.chunks_exact(count).enumerate() {
        let ring: Vec<&[f64; 3]> =
            moved.iter().zip(&boom.swept.points).filter(|(_, p)| p[0] == 2.0).map(|(m, _)| m).collect();
        assert_eq!(ring.len(), 12);
        let largest = ring.iter().flat_map(|m| m.iter()).fold(0.0_f64, |most, x| most.max(x.abs()));
        for i in 0..3 {
            let mean = ring.iter().map(|m| m[i]).sum::<f64>() / 12.0;
            assert!((mean - boom.shape(mode)[tip][i]).abs() < 1e-12 * largest.max(1e-300));
            // Opposite corners move against each other.
            let (a, b) = (ring[0][i] - mean, ring[6][i] - mean);
            assert!((a + b).abs() < 1e-9 * largest.max(1e-300), "{a} {b}");
        }
    }
    assert!(
        boom.swept
            .displacements
            .iter()
            .zip(boom.swept.points.iter().cycle())
            .any(|(m, p)| p[0] == 2.0 && m[0].abs() > 1e-3),
        "sections tilt"
    );
    let given = picture_of("panel.toml", "[[picture]]\nbody = \"part\"\nbox = [1, 1, 1]\n");
    assert!(given.triangles.is_empty() && given.solids.len() == 1);
    std::fs::remove_dir_all(place).unwrap();
}
