//! Damaged models give errors or answers, never panics.

use crate::common::*;
use flexura_fem::*;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % sides
    }

    fn number(&mut self) -> f64 {
        let odd =
            [0.0, -0.0, 1.0, -1.0, 1e-300, 1e300, -1e12, 1e-9, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE];
        odd[self.roll(odd.len())]
    }
}

fn sound() -> Mesh {
    let mut mesh = generate::plate([0.5, 0.3], [3, 2], 0.004, steel()).unwrap();
    let section = Section::rectangle(0.01, 0.02).constants().unwrap();
    let (base, end) = (mesh.node([-0.1, 0.15, 0.0]), mesh.node([0.6, 0.15, 0.1]));
    let (orientation, offsets) = ([0.0, 1.0, 0.0], [[0.0; 3]; 2]);
    mesh.elements.push(Element::Beam(BeamElement {
        nodes: [base, 4],
        material: 0,
        section,
        orientation,
        offsets,
        pins: [[false; 6]; 2],
    }));
    mesh.links.push(RigidLink::new(end, &mesh.sets["x1"].clone()));
    mesh.masses.push(PointMass { node: end, mass: 0.1, inertia: [[0.0; 3]; 3], offset: [0.0; 3] });
    // A block hangs on the end by a mean of four of its nodes and a spring.
    let corner = |x: f64, y: f64, z: f64| [0.6 + 0.1 * x, 0.1 + 0.1 * y, 0.1 + 0.1 * z];
    let flat = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let block = [0.0, 1.0].map(|z| flat.map(|[x, y]| mesh.node(corner(x, y, z)))).concat();
    let top = mesh.node(corner(0.5, 0.5, 2.0));
    let nodes: [usize; 8] = block.clone().try_into().unwrap();
    mesh.elements.push(Element::Hex8(SolidElement { nodes, material: 0 }));
    let nodes = [block[4], block[5], block[6], top];
    mesh.elements.push(Element::Tet4(SolidElement { nodes, material: 0 }));
    let holder = mesh.node(corner(0.5, 0.5, 0.0));
    mesh.averages.push(AverageLink::new(holder, &block[..4]));
    mesh.springs.push(Spring::new(end, Some(holder), [1e6, 1e6, 1e6, 1e4, 1e4, 1e4]));
    mesh.name("base", base);
    mesh.name("end", end);
    mesh
}

fn damage(mesh: &mut Mesh, dice: &mut Dice) {
    let node = dice.roll(mesh.nodes.len() + 2);
    let element = dice.roll(mesh.elements.len());
    match dice.roll(15) {
        0 => mesh.nodes[dice.roll(12)][dice.roll(3)] = dice.number(),
        1 => mesh.nodes.truncate(dice.roll(14)),
        2 => mesh.materials[0].young = dice.number(),
        3 => mesh.materials[0].density = dice.number(),
        4 => mesh.materials[0].poisson = dice.number(),
        5 => mesh.links[0].master = node,
        6 => mesh.links[0].followers.push(node),
        7 => mesh.masses[0].mass = dice.number(),
        8 => mesh.masses[0].inertia[dice.roll(3)][dice.roll(3)] = dice.number(),
        11 => mesh.averages[0].sources[dice.roll(4)].weight = dice.number(),
        12 => mesh.averages[0].sources[dice.roll(4)].node = node,
        13 => mesh.springs[0].stiffness[dice.roll(6)] = dice.number(),
        14 => mesh.springs[0].other = Some(node),
        9 => drop(mesh.elements.remove(element)),
        _ => match &mut mesh.elements[element] {
            Element::Shell(shell) => {
                shell.nodes[dice.roll(3)] = node;
                shell.thickness = if dice.roll(2) == 0 { dice.number() } else { shell.thickness };
            }
            Element::Hex8(solid) => solid.nodes[dice.roll(8)] = node,
            Element::Tet4(solid) => solid.nodes[dice.roll(4)] = node,
            Element::Beam(beam) => {
                beam.nodes[dice.roll(2)] = node;
                beam.orientation[dice.roll(3)] = dice.number();
                beam.offsets[0][dice.roll(3)] = dice.number();
                beam.section.area = if dice.roll(2) == 0 { dice.number() } else { beam.section.area };
            }
            _ => {}
        },
    }
}

#[test]
fn the_sound_model_is_solved() {
    let kinds = [
        ReductionKind::Clamped { modes: 3 },
        ReductionKind::Free { modes: 3 },
        ReductionKind::CraigBampton { modes: 2 },
    ];
    for kind in kinds {
        let reduced = Reduction::new("base", kind).interface("end").run(&sound()).unwrap();
        println!("{kind:?}: {:.2?} Hz", reduced.report.frequencies);
    }
}

#[test]
fn damaged_models_never_panic() {
    let (mut dice, mut refused, mut solved) = (Dice(88172645463325252), 0, 0);
    for trial in 0..1500 {
        let mut mesh = sound();
        for _ in 0..1 + trial % 3 {
            damage(&mut mesh, &mut dice);
            if mesh.elements.is_empty() || mesh.nodes.len() < 12 {
                break;
            }
        }
        let kind = match trial % 3 {
            0 => ReductionKind::Clamped { modes: 3 },
            1 => ReductionKind::Free { modes: 3 },
            _ => ReductionKind::CraigBampton { modes: 2 },
        };
        let reduced = Reduction::new("base", kind).interface("end").run(&mesh);
        let body = reduced.and_then(|reduced| modal_description(&mesh, &reduced, Stiffening::None));
        if body.is_ok() { solved += 1 } else { refused += 1 }
    }
    println!("{solved} solved, {refused} refused");
    assert!(solved > 100 && refused > 100);
}
