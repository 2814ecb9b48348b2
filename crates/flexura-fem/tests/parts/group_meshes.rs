//! Universal files and VTK files beside Gmsh's own format: the same meshes, as other programs have written them
//! (`crates/flexura-fem/tests/decks/meshes`: Gmsh 4.15.2 all `.msh`, `.unv`, `hex.vtk` and `frame.vtk`; VTK 9.7.1 `wedge_5*.vtk`, format 5.1 as
//! text and binary; meshio 5.3.5 `tet_4_binary.vtk`, format 4.2; of XML VTK `wedge_*.vtu`, appended, meshio `tet_meshio.vtu`, base64).

use crate::common::{free_frequencies, relative};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use flexura_fem::import::{ImportError, Imported, gmsh, universal, vtk};
use flexura_fem::part::description::Group;
use flexura_fem::{MassModel, Material, Section, assemble};
use std::io::Write;
use std::path::{Path, PathBuf};

fn at(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decks/meshes").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(at(name)).expect("a file of the tests")
}

fn steel() -> Vec<Material> {
    vec![Material::isotropic(2e11, 0.3, 7800.0)]
}

/// What a group is made of, whatever its elements.
fn group(name: &str, thickness: Option<f64>) -> Group {
    let section = Section::rectangle(0.02, 0.03).constants().expect("a section");
    let section = Some((section, [0.0, 1.0, 0.0]));
    Group { name: name.into(), material: 0, thickness, section, material_axis: None, layup: Vec::new() }
}

fn read(name: &str, groups: &[Group]) -> Result<Imported, ImportError> {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("msh") => gmsh::read_file(&at(name), steel(), groups),
        Some("unv") => universal::read_file(&at(name), steel(), groups),
        _ => vtk::read_file(&at(name), steel(), groups),
    }
}

/// Mass, centre and the first elastic frequencies of a free mesh.
fn numbers(imported: &Imported) -> Vec<f64> {
    let (mass, center, _) = assemble::mass_properties(&imported.mesh, MassModel::Consistent).expect("a mass");
    let mut numbers = vec![mass, center.x, center.y, center.z];
    numbers.extend(free_frequencies(&imported.mesh, 4, MassModel::Consistent));
    numbers
}

fn same(one: &Imported, other: &Imported, what: &str) {
    let (one, other) = (numbers(one), numbers(other));
    for (a, b) in one.iter().zip(&other) {
        assert!(relative(*a, *b) < 1e-8 || (a - b).abs() < 1e-12, "{what}: {one:?} {other:?}");
    }
}

#[test]
fn quadratic_solids_of_three_formats_are_the_same() {
    for (mesh, others) in [
        ("hex.msh", &["hex.unv", "hex.vtk"][..]),
        (
            "wedge.msh",
            &["wedge.unv", "wedge_5.vtk", "wedge_5_binary.vtk", "wedge_raw_zlib.vtu", "wedge_big_end.vtu"],
        ),
        ("tet.msh", &["tet.unv", "tet_4_binary.vtk", "tet_meshio.vtu"]),
    ] {
        let expected = read(mesh, &[group("block", None)]).expect("a mesh");
        let mass = numbers(&expected)[0];
        assert!(relative(mass, 7800.0 * 0.4 * 0.3) < 1e-6, "{mesh}: {mass}");
        let root = &expected.mesh.sets["root"];
        assert!(root.len() >= 8);
        for other in others {
            // Gmsh numbers its groups; universal files keep the names.
            let (block, surface) = if other.ends_with("unv") { ("block", "root") } else { ("5", "6") };
            let found = read(other, &[group(block, None)]).unwrap_or_else(|fault| panic!("{other}: {fault}"));
            same(&found, &expected, other);
            assert_eq!(found.mesh.sets[surface].len(), root.len(), "{other}");
            let places = |mesh: &Imported, set: &str| {
                mesh.mesh.sets[set].iter().map(|node| mesh.mesh.nodes[*node][0]).fold(0.0, f64::max)
            };
            assert!(places(&found, surface) < 1e-12 && places(&expected, "root") < 1e-12);
        }
    }
}

#[test]
fn surfaces_and_lines_of_three_formats_are_the_same() {
    let groups = |skin: &str, bar: &str| [group(skin, Some(0.004)), group(bar, None)];
    let expected = read("frame.msh", &groups("skin", "bar")).expect("a mesh");
    same(&read("frame.unv", &groups("skin", "bar")).expect("a mesh"), &expected, "unv");
    same(&read("frame.vtk", &groups("1", "2")).expect("a mesh"), &expected, "vtk");
    let missing = read("frame.vtk", &groups("1", "bar")).expect_err("no such group").to_string();
    assert!(
        missing.contains("there is no group `bar` with elements") && missing.contains("1, 2"),
        "{missing}"
    );
}

/// Binary meshes of Gmsh 4.15.2 are those of its text, format 2.2 and, with parameters of the nodes, 4.1.
#[test]
fn binary_meshes_of_gmsh_are_those_of_its_text() {
    let frame = [group("skin", Some(0.004)), group("bar", None)];
    let block = [group("block", None)];
    for (binary, plain, groups) in
        [("frame_2_binary.msh", "frame.msh", &frame[..]), ("wedge_4_binary.msh", "wedge.msh", &block)]
    {
        let (found, expected) = (read(binary, groups).expect(binary), read(plain, groups).expect(plain));
        assert_eq!(found.mesh.elements, expected.mesh.elements, "{binary}");
        assert_eq!(found.mesh.sets, expected.mesh.sets, "{binary}");
        assert_eq!(found.notices, expected.notices, "{binary}");
        // The text has sixteen digits.
        let pairs = found.mesh.nodes.iter().flatten().zip(expected.mesh.nodes.iter().flatten());
        assert!(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < 1e-15, "{binary}");
        let bytes = std::fs::read(at(binary)).expect("a file of the tests");
        for end in (60..bytes.len() - 20).step_by(7) {
            let fault = gmsh::read_bytes(&bytes[..end], "cut.msh", steel(), groups);
            assert!(fault.is_err(), "{binary} of {end} bytes");
        }
    }
}

#[test]
fn broken_binary_meshes_are_refused_by_name() {
    let bytes = std::fs::read(at("frame_2_binary.msh")).expect("a file of the tests");
    let place = |mark: &[u8]| bytes.windows(mark.len()).position(|window| window == mark).expect("a mark");
    let (nodes, elements) = (place(b"$Nodes\n") + 7, place(b"$Elements\n") + 10);
    let behind =
        |from: usize| from + bytes[from..].iter().position(|byte| *byte == b'\n').expect("a line") + 1;
    for (at, byte, message) in [
        (nodes, b'1', "$Nodes: the section does not end with $EndNodes"),
        (nodes, b'x', "$Nodes: its bytes are not those of the format"),
        (behind(elements), 36, "$Elements: elements of type 36 are not supported"),
        (behind(elements) + 7, 1, "$Elements: its bytes are not those of the format"),
        (behind(elements) + 11, 1, "$Elements: the file ends too early"),
        (place(b"$EndElements"), b'!', "$Elements: the section does not end with $EndElements"),
    ] {
        let mut broken = bytes.clone();
        broken[at] = byte;
        let fault = gmsh::read_bytes(&broken, "frame.msh", steel(), &[group("bar", None)]);
        let fault = fault.expect_err(message).to_string();
        assert!(fault.contains(message) && fault.starts_with("frame.msh: "), "{fault}");
    }
}

/// Two squares of one piece each, as text; cells are tags of one zone.
fn pieces() -> String {
    let piece = |x: u8| {
        format!(
            "<Piece NumberOfPoints=\"4\" NumberOfCells='1'>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" \
             format=\"ascii\">{x} 0 0 {x}.5 0 0 {x}.5 0.5 0 {x} 0.5 0</DataArray></Points>\n<Cells>\n<DataArray type=\"Int64\" \
             Name=\"connectivity\">0 1 2 3</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\">4</DataArray>\n<DataArray \
             type=\"UInt8\" Name=\"types\">9</DataArray>\n</Cells>\n<CellData><DataArray type=\"Int8\" Name=\"zone\">7</DataArray>\
             <DataArray type=\"Float64\" Name=\"T\">0.5</DataArray></CellData>\n</Piece>\n"
        )
    };
    format!(
        "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n\
         <UnstructuredGrid>\n{}{}</UnstructuredGrid>\n</VTKFile>\n",
        piece(0),
        piece(1)
    )
}

#[test]
fn pieces_of_xml_follow_each_other() {
    let read = of_text(&pieces(), "7").expect("two squares");
    let (mass, center, _) = assemble::mass_properties(&read.mesh, MassModel::Consistent).expect("a mass");
    assert!(relative(mass, 78.0 * 0.5) < 1e-12 && relative(center.x, 0.75) < 1e-12);
    assert_eq!(read.mesh.nodes.len(), 8);
    assert!(read.notices.iter().any(|notice| notice.contains("array `zone`")), "{:?}", read.notices);
    assert!(read.notices.iter().any(|notice| notice.contains("2 pieces")), "{:?}", read.notices);
    // Marks that say that nothing is a ghost are no groups.
    let unmarked = pieces().replace("Name=\"zone\">7<", "Name=\"vtkGhostType\">0<");
    let read = of_text(&unmarked, "all").expect("two squares without groups");
    assert_eq!(read.mesh.nodes.len(), 8);
}

#[test]
fn broken_xml_is_refused_by_name() {
    let sound = pieces();
    for (from, to, message) in [
        (
            "type=\"UnstructuredGrid\"",
            "type=\"PUnstructuredGrid\"",
            "square.vtk:3: VTKFile: the data set is a PUnstr",
        ),
        ("version=\"0.1\"", "compressor=\"vtkLZ4DataCompressor\"", "compressed by vtkLZ4DataCompressor"),
        ("LittleEndian", "MiddleEndian", "the byte order MiddleEndian is not known"),
        ("NumberOfPoints=\"4\"", "NumberOfPoints=\"5\"", "square.vtk:6: Points: 12 numbers instead of 15"),
        ("NumberOfPoints=\"4\"", "NumberOfPoints=\"-4\"", "`NumberOfPoints` is no count"),
        (
            "NumberOfPoints=\"4\"",
            "NumberOfPoints=\"9999999999999999999\"",
            "9999999999999999999 points are too many",
        ),
        (">0 1 2 3<", ">0 1 2 4<", "cell 0 names points that do not exist"),
        (">0 1 2 3<", ">0 1 2 x<", "connectivity: `x` is no number"),
        (">4<", ">5<", "connectivity: 4 numbers instead of 5"),
        ("Name=\"zone\">7<", "Name=\"vtkGhostType\">1<", "cells are marked as ghosts"),
        (">9<", ">42<", "cell 0: the type 42 is not read"),
        ("Name=\"types\"", "Name=\"kinds\"", "a piece has no array Cells `types`"),
        ("0.5 0<", "nan 0<", "a coordinate is not a finite number"),
        ("Name=\"offsets\"", "Name=\"offsets\" format=\"binary\"", "offsets: its base64 is broken"),
        (">4<", " format=\"binary\">CAAAAAQA<", "its bytes are announced, and not there"),
        (
            "Name=\"offsets\"",
            "Name=\"offsets\" format=\"appended\" offset=\"0\"",
            "its appended data is not there",
        ),
        ("Int64", "Int128", "numbers of type `Int128` are not known"),
        ("</VTKFile>", "<VTKFile", "a tag is not closed"),
        ("<UnstructuredGrid>", "<Grid>", "there is no UnstructuredGrid"),
    ] {
        let text = sound.replace(from, to);
        assert_ne!(text, sound, "{from}");
        let fault = of_text(&text, "7").expect_err(to).to_string();
        assert!(fault.contains(message) && fault.contains("square.vtk"), "{to}: {fault}");
    }
    for name in ["wedge_raw_zlib.vtu", "tet_meshio.vtu"] {
        let bytes = std::fs::read(at(name)).expect("a file of the tests");
        for end in (0..bytes.len()).step_by(61) {
            let cut = vtk::read_bytes(&bytes[..end], "cut.vtu", steel(), &[group("5", None)]);
            assert!(cut.is_err() || end + 61 >= bytes.len(), "{name} of {end} bytes");
        }
        let mut turned = bytes.clone();
        let place = bytes.len() - 200;
        turned[place] ^= 8;
        let fault = vtk::read_bytes(&turned, "turned.vtu", steel(), &[group("5", None)]);
        assert!(fault.expect_err("a turned bit").to_string().contains("is broken"), "{name}");
    }
}

/// A kilobyte may stand for a megabyte: what belongs there says how much is taken, not the array.
#[test]
fn arrays_larger_than_announced_are_not_inflated() {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&[0; 1_000_000]).expect("memory");
    let packed = packed.finish().expect("memory");
    let mut bytes = Vec::new();
    for number in [1, 1_000_000, 0, packed.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(packed);
    let text = pieces().replace("version=\"0.1\"", "compressor=\"vtkZLibDataCompressor\"");
    let array = "type=\"UInt8\" Name=\"types\">9<";
    let other = "type=\"UInt8\" Name=\"types\" format=\"appended\" offset=\"0\"><";
    let text = text.replace(array, other).replace("</VTKFile>", "<AppendedData encoding=\"raw\">\n_");
    let whole = [text.trim_end().as_bytes(), &bytes].concat();
    let fault = vtk::read_bytes(&whole, "bomb.vtu", steel(), &[group("7", None)]);
    let fault = fault.expect_err("too many numbers").to_string();
    assert!(fault.contains("types: it holds more than the 1 bytes that belong there"), "{fault}");
    let many = pieces().replace("NumberOfPoints=\"4\"", "NumberOfPoints=\"999999999\"");
    let fault = of_text(&many, "7").expect_err("too many points").to_string();
    assert!(fault.contains("2999999997 numbers are more than a mesh may have"), "{fault}");
}

/// The square of the first test of VTK's formats, one cell, and what stands before or behind it.
fn square(kind: u8, nodes: &str, behind: &str) -> String {
    format!(
        "# vtk DataFile Version 3.0\na square\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0\n1 1 0\n\
         0 1 0\nCELLS 1 5\n4 {nodes}\nCELL_TYPES 1\n{kind}\n{behind}"
    )
}

fn of_text(text: &str, name: &str) -> Result<Imported, ImportError> {
    vtk::read_bytes(text.as_bytes(), "square.vtk", steel(), &[group(name, Some(0.01))])
}

#[test]
fn arrays_of_cells_are_groups() {
    let area = |found: &Imported| numbers(found)[0] / 78.0;
    let all = of_text(&square(9, "0 1 2 3", ""), "all").expect("one group");
    assert!(relative(area(&all), 1.0) < 1e-12 && all.notices.iter().any(|notice| notice.contains("`all`")));
    // Pixels go row by row.
    let pixel = of_text(&square(8, "0 1 3 2", ""), "all").expect("one group");
    assert!(relative(area(&pixel), 1.0) < 1e-12);
    let data = "POINT_DATA 4\nSCALARS T float 1\nLOOKUP_TABLE default\n1 2 3 4\nCELL_DATA 1\nVECTORS v float\n1 2 3\n\
                SCALARS zone int\nLOOKUP_TABLE default\n7\n";
    assert!(of_text(&square(9, "0 1 2 3", data), "7").is_ok());
    let two = format!("{data}FIELD FieldData 1\nother 1 1 int\n8\n");
    let message = of_text(&square(9, "0 1 2 3", &two), "7").expect_err("which of them").to_string();
    assert!(message.contains("several arrays of cells could be groups: `zone`, `other`"), "{message}");
    let known = format!("{data}FIELD FieldData 2\nother 1 1 int\n8\nMaterialIds 1 1 short\n9\n");
    assert!(of_text(&square(9, "0 1 2 3", &known), "9").is_ok());
}

#[test]
fn broken_vtk_files_are_refused_by_name() {
    let sound = square(9, "0 1 2 3", "");
    for (from, to, message) in [
        ("# vtk DataFile", "solid square", "this is no VTK legacy file"),
        ("ASCII", "UTF-8", "neither ASCII nor BINARY"),
        ("UNSTRUCTURED_GRID", "POLYDATA", "square.vtk:4: DATASET: the data set is a POLYDATA"),
        ("POINTS 4 float", "POINTS 9999999999 float", "are announced, and not there"),
        ("POINTS 4 float", "POINTS 18446744073709551615 float", "are too many"),
        ("0 1 2 3", "0 1 2 4", "cell 0 names points that do not exist"),
        ("0 1 2 3", "0 1 2 -3", "cell 0 names points that do not exist"),
        ("1 1 0", "1 nan 0", "a coordinate is not a finite number"),
        ("CELL_TYPES 1\n9", "CELL_TYPES 1\n5", "cell 0: 4 points instead of 3"),
        ("CELL_TYPES 1\n9", "CELL_TYPES 1\n42", "cell 0: the type 42 is not read"),
        ("CELL_TYPES 1\n9", "", "0 types for 1 cells"),
    ] {
        let text = sound.replace(from, to);
        assert_ne!(text, sound, "{from}");
        let fault = of_text(&text, "all").expect_err(to).to_string();
        assert!(fault.contains(message) && fault.contains("square.vtk"), "{to}: {fault}");
    }
    let again = format!("{sound}POINTS 1 float\n0 0 0\n");
    assert!(of_text(&again, "all").expect_err("twice").to_string().contains("the section is there twice"));
    let back = sound.replace(
        "CELLS 1 5\n4 0 1 2 3",
        "CELLS 3 4\nOFFSETS vtktypeint64\n0 4 0\nCONNECTIVITY vtktypeint64\n0 1 2 3",
    );
    assert!(
        of_text(&back, "all").expect_err("backwards").to_string().contains("names points that do not exist")
    );
    // Ids are written as ints.
    let head = square(9, "0 1 2 3", "").replace("ASCII", "BINARY");
    let (points, cells) = (head.find("POINTS").expect("points"), "CELLS 1 5\n");
    let mut binary = head.as_bytes()[..points].to_vec();
    binary.extend(b"POINTS 4 float\n");
    [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]
        .iter()
        .for_each(|x| binary.extend(x.to_be_bytes()));
    binary.extend(format!("\n{cells}").as_bytes());
    [4_i32, 0, 1, 2, 3].iter().for_each(|x| binary.extend(x.to_be_bytes()));
    binary.extend(b"\nCELL_TYPES 1\n");
    binary.extend(9_i32.to_be_bytes());
    binary.extend(b"\nCELL_DATA 1\nSCALARS ids vtkIdType\nLOOKUP_TABLE default\n");
    binary.extend(12_i32.to_be_bytes());
    assert!(vtk::read_bytes(&binary, "ids.vtk", steel(), &[group("12", Some(0.01))]).is_ok());
    let bytes = std::fs::read(at("wedge_5_binary.vtk")).expect("a file of the tests");
    for end in (0..bytes.len()).step_by(7) {
        let _ = vtk::read_bytes(&bytes[..end], "cut.vtk", steel(), &[group("5", None)]);
    }
    let cut = vtk::read_bytes(&bytes[..600], "cut.vtk", steel(), &[group("5", None)]);
    assert!(cut.expect_err("cut").to_string().contains("are announced, and not there"));
}

#[test]
fn broken_universal_files_are_refused_by_name() {
    let sound = text("hex.unv");
    let groups = [group("block", None)];
    let read = |text: &str| universal::read_text(text, "hex.unv", steel(), &groups);
    assert!(read(&sound).is_ok());
    for (from, to, message) in [
        ("  2411\n", "    15\n", "dataset 15: this older dataset is not read"),
        ("         2       116 ", "         2       136 ", "elements of kind 136 (springs) are not read"),
        (
            "        17        29        20        30\n        23",
            "        17        29        20\n        23",
            "instead of 20",
        ),
        (
            "         8         1         0         0",
            "         9         1         0         0",
            "members of kind 9",
        ),
        ("block\n", "blok\n", "there is no group `block` with elements"),
        ("4.0000000000000002D-01", "4.0000000000000002D-0x", "a node is not complete"),
    ] {
        let text = sound.replacen(from, to, 1);
        assert_ne!(text, sound, "{from}");
        let fault = read(&text).expect_err(to).to_string();
        assert!(fault.contains(message) && fault.contains("hex.unv"), "{to}: {fault}");
    }
    let cut = sound.trim_end().strip_suffix("-1").expect("the last line");
    assert!(read(cut).expect_err("cut").to_string().contains("the dataset does not end with -1"));
    let turned = "    -1\n  2420\n         1\nPart\n         1         0         8\nCS1\n 0.0 1.0 0.0\n -1.0 0.0 0.0\n 0.0 0.0 1.0\n 0.0 0.0 0.0\n    -1\n";
    let fault = read(&format!("{turned}{sound}")).expect_err("turned").to_string();
    assert!(fault.contains("nodes are given in coordinate system 1"), "{fault}");
    let plain = turned.replace(" 0.0 1.0 0.0\n -1.0 0.0", " 1.0 0.0 0.0\n 0.0 1.0");
    assert!(read(&format!("{plain}{sound}")).is_ok());
    let others = format!(
        "    -1\n   164\n         5mm (milli-newton)          2\n 1.0D+03 1.0D+03 1.0D+00\n 2.7D+02\n    -1\n    -1\n  1710\nsteel\n    -1\n{sound}"
    );
    // Both solids are of material 0; the first is in a group of its own as well.
    let apart = sound.replacen("         5         0         0         0         0         0         0         2\nblock\n         8         2         0         0         8         3", "         5         0         0         0         0         0         0         1\nclamped\n         8         2", 1);
    assert_ne!(apart, sound);
    let of_numbers =
        universal::read_text(&apart, "hex.unv", steel(), &[group("material 0", Some(0.01))]).expect("a mesh");
    assert_eq!(of_numbers.elements.keys().filter(|number| **number > 1).count(), 2);
    let both = sound.replacen("root\n         8         1", "root\n         8         2", 1);
    let fault =
        universal::read_text(&both, "hex.unv", steel(), &[group("block", None), group("root", Some(0.01))]);
    let fault = fault.expect_err("of two materials").to_string();
    assert!(
        fault.contains("element 2 is in the groups `root` and `block`, which both have a [[group]]"),
        "{fault}"
    );
    let twice = sound.replacen("         3       116 ", "         2       116 ", 1);
    let fault = read(&twice).expect_err("numbered twice").to_string();
    assert!(fault.contains("element 2 is defined twice"), "{fault}");
    let absent = sound.replacen("         8         3         0", "         8        99         0", 1);
    assert_ne!(absent, sound);
    let half = read(&absent).expect("a mesh");
    assert!(half.notices.iter().any(|notice| {
        notice.contains("1 members of group `block` are no elements of this file, such as element 99")
    }));
    assert_eq!(half.mesh.elements.len(), 1);
    let notices = read(&others).expect("a mesh").notices.join("\n");
    assert!(
        notices.contains("calls 1/1000 m its unit of length") && notices.contains("dataset 1710: ignored"),
        "{notices}"
    );
}

#[test]
fn groups_are_listed_without_materials() {
    let kinds = |found: &flexura_fem::import::MeshGroups, name: &str| -> Vec<(&'static str, usize)> {
        found.groups[name].iter().map(|(kind, count)| (*kind, *count)).collect()
    };
    let of_gmsh = gmsh::groups_of_file(&at("frame.msh")).expect("a mesh");
    let universal = universal::groups_of_file(&at("frame.unv")).expect("a mesh");
    let of_vtk = vtk::groups_of_file(&at("frame.vtk")).expect("a mesh");
    for (found, skin, bar) in [(&of_gmsh, "skin", "bar"), (&universal, "skin", "bar"), (&of_vtk, "1", "2")] {
        assert_eq!(kinds(found, skin), [("triangles of 6 nodes", 8)]);
        assert_eq!(kinds(found, bar), [("lines of 3 nodes", 1)]);
        assert_eq!((found.nodes, found.corners), (25, [[0.0; 3], [1.5, 0.6, 0.0]]));
    }
    assert_eq!(kinds(&of_gmsh, "tip"), []);
    let rods = text("hex.unv").replacen("         2       116 ", "         2       136 ", 1);
    let folder = std::env::temp_dir().join(format!("flexura-groups-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("rods.unv"), rods).expect("written");
    let found = universal::groups_of_file(&folder.join("rods.unv")).expect("what there is");
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(found.notices.iter().any(|notice| notice.contains("springs")), "{:?}", found.notices);
}
