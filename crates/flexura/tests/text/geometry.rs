//! Geometry files of pictures: one body in all formats, and files that are broken, huge or elsewhere.
//!
//! The body is a block of edges 1, 2 and 3 with a corner at (1, 1, 1). Volume and centre of what was read follow from the
//! triangles by the divergence theorem, V = Σ a·(b×c)/6 and c = Σ (a + b + c) (a·(b×c))/(24 V): they are right only if all
//! triangles are there and look outwards.

use flexura::file::load_model;
use flexura::picture::{Form, Picture, Solid};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is gone after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("flexura-geometry-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("model")).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("a file");
        path
    }

    /// The solid that a picture entry with these lines gives, or what is said about it.
    fn solid(&self, lines: &str) -> Result<Solid, String> {
        let text = format!(
            "[[body]]\nname = \"block\"\nmass = 1.0\ninertia = [1, 1, 1]\n\n[[joint]]\nname = \"hinge\"\n\
             type = \"revolute\"\nbetween = [\"ground.origin\", \"block.origin\"]\n\n[[picture]]\nbody = \"block\"\n{lines}\n"
        );
        let loaded = load_model(self.file("model/model.toml", text)).map_err(|errors| errors.to_string())?;
        let mut solids = Picture::new(&loaded.built).bodies.remove(0).solids;
        assert_eq!(solids.len(), 1, "the file stands in for the cuboid of equal inertia");
        Ok(solids.remove(0))
    }

    fn refusal(&self, lines: &str) -> String {
        self.solid(lines).expect_err(lines)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn corner(k: usize) -> [f64; 3] {
    [1.0 + (k & 1) as f64, 1.0 + (k >> 1 & 1) as f64 * 2.0, 1.0 + (k >> 2 & 1) as f64 * 3.0]
}

/// Faces of the block, seen from outside.
const FACES: [[usize; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

fn triangles() -> Vec<[usize; 3]> {
    FACES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()
}

fn text_stl() -> String {
    let mut text = String::from("solid block <b>\n");
    for triangle in triangles() {
        text += " facet normal 0 0 0\n  outer loop\n";
        for [x, y, z] in triangle.map(corner) {
            let _ = writeln!(text, "   vertex {x:e} {y} {z}");
        }
        text += "  endloop\n endfacet\n";
    }
    text + "endsolid\n"
}

fn binary_stl() -> Vec<u8> {
    // Many programs begin binary files with this word too.
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, 0);
    bytes.extend(12u32.to_le_bytes());
    for triangle in triangles() {
        bytes.extend([0; 12]);
        bytes.extend(triangle.map(corner).as_flattened().iter().flat_map(|x| (*x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn obj() -> String {
    let mut text = String::from("# a block\no block\nmtllib none.mtl\n");
    for k in 0..8 {
        let [x, y, z] = corner(k);
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for (k, [a, b, c, d]) in FACES.iter().enumerate() {
        let _ = match k {
            0 => writeln!(text, "f {} {} {} \\\n {}", a + 1, b + 1, c + 1, d + 1),
            1 => writeln!(text, "f {}/1 {}/2 {}/3 {}/4", a + 1, b + 1, c + 1, d + 1),
            _ => {
                let back = |k: usize| k as i64 - 8;
                writeln!(text, "f {}//1 {}//1 {}//1 {}//1", back(*a), back(*b), back(*c), back(*d))
            }
        };
    }
    text
}

/// Positions as f32, then indices as u16.
fn buffer() -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..8).flat_map(corner).flat_map(|x| (x as f32).to_le_bytes()).collect();
    bytes.extend(triangles().as_flattened().iter().flat_map(|&k| (k as u16).to_le_bytes()));
    bytes
}

/// The block below two nodes: one turns it about z by 90° and mirrors y, the other moves it.
fn gltf(uri: &str, more: &str) -> String {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [1]}}],
  "nodes": [{{"mesh": 0, "rotation": [0, 0, {half}, {half}], "scale": [1, -1, 1]}},
            {{"children": [0], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1]}}],
  "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
  "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"}},
                {{"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}}],
  "bufferViews": [{{"buffer": 0, "byteLength": 96}}, {{"buffer": 0, "byteOffset": 96, "byteLength": 72}}],
  "buffers": [{{"byteLength": 168{uri}}}]{more}}}"#
    )
}

fn glb(text: &str, buffer: &[u8]) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + text.len() + 8 + buffer.len();
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((length as u32).to_le_bytes());
    for (kind, piece) in [(b"JSON", &text[..]), (b"BIN\0", buffer)] {
        bytes.extend((piece.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(piece);
    }
    bytes
}

fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    assert!(bytes.len().is_multiple_of(3));
    let group = |c: &[u8]| {
        let n = u32::from_be_bytes([0, c[0], c[1], c[2]]);
        [18, 12, 6, 0].map(|shift| char::from(letters[(n >> shift & 63) as usize]))
    };
    bytes.chunks_exact(3).flat_map(group).collect()
}

/// Volume and centre by the divergence theorem, and the number of points.
fn measured(solid: &Solid) -> (f64, [f64; 3], usize) {
    let Form::Mesh(mesh) = &solid.form else { panic!("{solid:?}") };
    let (mut volume, mut moment) = (0.0, [0.0; 3]);
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|corner| mesh.points[corner as usize].map(f64::from));
        let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        let six = a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2];
        volume += six / 6.0;
        (0..3).for_each(|i| moment[i] += (a[i] + b[i] + c[i]) * six / 24.0);
    }
    (volume, moment.map(|m| m / volume), mesh.points.len())
}

fn close(found: (f64, [f64; 3], usize), volume: f64, centre: [f64; 3]) {
    let apart = (0..3).map(|i| (found.1[i] - centre[i]).abs()).fold((found.0 - volume).abs(), f64::max);
    assert!(apart < 1e-5 && found.2 == 8, "{found:?} against {volume}, {centre:?}");
}

#[test]
fn one_block_in_every_format() {
    let folder = Folder::new("formats");
    let centre = [1.5, 2.0, 2.5];
    folder.file("model/text.stl", text_stl());
    folder.file("model/binary.STL", binary_stl());
    folder.file("model/block.obj", obj());
    for name in ["text.stl", "binary.STL", "block.obj"] {
        close(measured(&folder.solid(&format!("file = \"{name}\"")).expect(name)), 6.0, centre);
    }
    // (x, y, z) → mirrored (x, −y, z) → turned (y, x, z) → moved.
    let placed = [12.0, 1.5, 2.5];
    let (data, beside) =
        (format!(",\"uri\": \"data:;base64,{}\"", base64(&buffer())), ",\"uri\": \"the%20block.bin\"");
    folder.file("model/data.gltf", gltf(&data, ""));
    folder.file("model/beside.gltf", gltf(beside, ""));
    folder.file("model/the block.bin", buffer());
    folder.file("model/one.glb", glb(&gltf("", ""), &buffer()));
    for name in ["data.gltf", "beside.gltf", "one.glb"] {
        close(measured(&folder.solid(&format!("file = \"{name}\"")).expect(name)), 6.0, placed);
    }
}

#[test]
fn scale_place_and_colour_are_those_of_the_model() {
    let folder = Folder::new("placed");
    folder.file("model/block.obj", obj());
    let lines = "file = \"block.obj\"\nscale = 0.001\nposition = [1, 2, 3]\ncolour = \"#Ff8000\"\n\
                 rotation = { axis = [0, 0, 1], angle_deg = 90 }";
    let solid = folder.solid(lines).expect("a picture");
    let (volume, centre, _) = measured(&solid);
    assert!((volume - 6e-9).abs() < 1e-15 && (centre[2] - 0.0025).abs() < 1e-9, "{volume} {centre:?}");
    assert_eq!((solid.position, solid.colour), ([1.0, 2.0, 3.0], Some([255, 128, 0])));
    assert!((solid.rotation[0][1] + 1.0).abs() < 1e-12 && (solid.rotation[1][0] - 1.0).abs() < 1e-12);
    // A mirror: still seen from outside.
    let mirrored = folder.solid("file = \"block.obj\"\nscale = [-1, 1, 2]").expect("a picture");
    close(measured(&mirrored), 12.0, [-1.5, 2.0, 5.0]);
    for (lines, words) in [
        ("scale = 0", "a factor is 0"),
        ("scale = [1, nan, 1]", "`scale` must be a finite number"),
        ("scale = 1e300", "infinitely large"),
        ("colour = \"red\"", "`colour` cannot be \"red\""),
        ("box = [1, 1, 1]", "box"),
    ] {
        let said = folder.refusal(&format!("file = \"block.obj\"\n{lines}"));
        assert!(said.contains(words) && said.contains("model.toml:1"), "{said}");
    }
}

#[test]
fn files_elsewhere_or_huge_are_refused_unread() {
    let folder = Folder::new("elsewhere");
    let outside = folder.file("secret.stl", text_stl());
    fs::create_dir(folder.0.join("model/shapes")).expect("a folder");
    folder.file("model/shapes/block.stl", text_stl());
    folder.solid("file = \"shapes/block.stl\"").expect("below the model");
    folder.solid("file = \"shapes/../shapes/block.stl\"").expect("there and back");
    for name in ["../secret.stl", "shapes/../../secret.stl", &outside.display().to_string()] {
        let said = folder.refusal(&format!("file = {name:?}"));
        assert!(said.contains("lies outside the folder of the model") && said.contains(name), "{said}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, folder.0.join("model/link.stl")).expect("a link");
        assert!(folder.refusal("file = \"link.stl\"").contains("outside"));
        assert!(folder.refusal("file = \"/dev/zero\"").contains("outside"));
    }
    // A buffer of a glTF file is held to the same rule.
    folder.file("model/reaching.gltf", gltf(",\"uri\": \"../secret.stl\"", ""));
    let said = folder.refusal("file = \"reaching.gltf\"");
    assert!(said.contains("its buffer `../secret.stl` lies outside"), "{said}");
    // Two gigabytes that nobody wrote: a file with a hole.
    let huge = fs::File::create(folder.0.join("model/huge.stl")).expect("a file");
    huge.set_len(2 << 30).expect("a hole");
    let start = std::time::Instant::now();
    let said = folder.refusal("file = \"huge.stl\"");
    assert!(said.contains("is too large (2048 MiB; at most 128 MiB are read)"), "{said}");
    assert!(start.elapsed().as_secs() < 1, "not read");
    assert!(folder.refusal("file = \"none.stl\"").contains("cannot be read"));
    assert!(folder.refusal("file = \"shapes\"").contains("is no plain file"));
    // Markup in a name is a name.
    let name = "<img src=x onerror=alert(1)>.stl";
    folder.file(&format!("model/{name}"), binary_stl());
    let Form::Mesh(mesh) = folder.solid(&format!("file = \"{name}\"")).expect("a picture").form else {
        panic!()
    };
    assert_eq!(mesh.name, name);
}

#[test]
fn files_of_a_used_file_lie_beside_it() {
    let folder = Folder::new("used");
    fs::create_dir(folder.0.join("library")).expect("a folder");
    folder.file("library/block.stl", text_stl());
    let part = "[[body]]\nname = \"b\"\nmass = 1.0\ninertia = [1, 1, 1]\n[[picture]]\nbody = \"b\"\nfile = \"block.stl\"\n";
    folder.file("library/part.toml", part);
    let text = "[[use]]\nname = \"left\"\nfile = \"../library/part.toml\"\n[[joint]]\nname = \"j\"\ntype = \"free\"\n\
                between = [\"ground.origin\", \"left/b.origin\"]\n";
    let loaded = load_model(folder.file("model/model.toml", text)).expect("a model");
    let body = Picture::new(&loaded.built).bodies.remove(0);
    assert_eq!((body.name.as_str(), measured(&body.solids[0]).0.round()), ("left/b", 6.0));
}

#[test]
fn what_is_broken_is_said() {
    let folder = Folder::new("broken");
    let binary = binary_stl();
    let mut infinite = binary.clone();
    infinite[84 + 12..84 + 16].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let many = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned() + &"f 1 2 3\n".repeat(500_001);
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty.stl", vec![], "it has 0 bytes"),
        ("short.stl", binary[..300].to_vec(), "its 12 triangles would take 684 bytes, and it has 300"),
        ("infinite.stl", infinite, "no finite number"),
        ("cut.stl", text_stl().replace("endsolid\n", "").into(), "ends in the middle"),
        ("word.stl", b"solid\nvertices 1 2 3\nendsolid".to_vec(), "line 2: `vertices` is no word"),
        ("pair.stl", b"solid\nvertex 1 2\nendsolid".to_vec(), "line 2: `vertex` needs three numbers"),
        ("corners.stl", b"solid\nvertex 1 2 3\nendfacet\nendsolid".to_vec(), "line 3: a facet has 1 corners"),
        ("none.obj", b"v 0 0 0\n".to_vec(), "holds no triangles"),
        ("beyond.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 3\n".to_vec(), "line 3: corner `3` is none of the 2 points"),
        ("before.obj", b"v 0 0 0\nf -2 1 1\n".to_vec(), "line 2: corner `-2`"),
        ("surf.obj", b"surf 0 1\n".to_vec(), "line 1: `surf` is not read"),
        ("many.obj", many.into_bytes(), "more than 500000 triangles"),
        ("half.gltf", gltf("", "").as_bytes()[..200].to_vec(), "is no glTF"),
        ("lost.gltf", gltf("", "").into(), "buffer 0 has no data"),
        ("old.gltf", b"{\"asset\": {\"version\": \"1.0\"}}".to_vec(), "version `1.0`"),
        (
            "squeezed.gltf",
            gltf("", ",\"extensionsRequired\": [\"KHR_draco_mesh_compression\"]").into(),
            "KHR_draco_mesh_compression",
        ),
        ("torn.glb", glb(&gltf("", ""), &buffer())[..800].to_vec(), "damaged .glb"),
        ("few.glb", glb(&gltf("", ""), &buffer()[..100]), "accessor 1 reaches beyond its buffer"),
        (
            "loop.glb",
            glb(&gltf("", "").replace("\"mesh\": 0,", "\"mesh\": 0, \"children\": [1],"), &buffer()),
            "hangs below",
        ),
        ("rod.dae", vec![], "its ending names no format"),
    ];
    for (name, bytes, words) in cases {
        folder.file(&format!("model/{name}"), bytes);
        let said = folder.refusal(&format!("file = \"{name}\""));
        assert!(said.contains(words) && said.contains(&format!("geometry file `{name}`")), "{said}");
        assert!(said.contains("model.toml:13") && said.contains("= help: "), "{said}");
    }
}

/// Every file cut anywhere, and with any byte changed, is read or refused; nothing panics or takes long.
#[test]
fn mangled_files_are_read_or_refused() {
    let folder = Folder::new("mangled");
    let data = format!(",\"uri\": \"data:;base64,{}\"", base64(&buffer()));
    let files: [(&str, Vec<u8>); 5] = [
        ("m.stl", text_stl().into()),
        ("n.stl", binary_stl()),
        ("m.obj", obj().into()),
        ("m.gltf", gltf(&data, "").into()),
        ("m.glb", glb(&gltf("", ""), &buffer())),
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let (mut read, mut refused) = (0, 0);
    for (name, whole) in &files {
        for turn in 0..60 {
            let mut bytes = whole.clone();
            if turn % 3 == 0 {
                bytes.truncate(random(whole.len()));
            } else {
                (0..=turn % 4).for_each(|_| bytes[random(whole.len())] = random(256) as u8);
            }
            folder.file(&format!("model/{name}"), &bytes);
            match folder.solid(&format!("file = \"{name}\"")) {
                Ok(_) => read += 1,
                Err(said) => {
                    assert!(said.contains("geometry-file"), "{said}");
                    refused += 1;
                }
            }
        }
    }
    assert!(read > 20 && refused > 60, "{read} read, {refused} refused");
    assert!(Path::new(&folder.0).exists());
}
