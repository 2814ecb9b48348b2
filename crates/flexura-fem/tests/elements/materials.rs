//! Orthotropic shells and Kelvin-Voigt viscosity.

use crate::common::*;
use flexura_fem::generate::{SolidKind, block};
use flexura_fem::*;
use std::f64::consts::PI;

const PLY: OrthotropicShell =
    OrthotropicShell { young_1: 140e9, young_2: 10e9, poisson_12: 0.3, shear_12: 5e9 };

fn oriented(mut mesh: Mesh, axis: [f64; 3]) -> Mesh {
    for element in &mut mesh.elements {
        if let Element::Shell(shell) = element {
            shell.material_axis = Some(axis);
        }
    }
    mesh
}

#[test]
fn isotropic_constants_in_two_directions_change_nothing() {
    let (e, nu) = (2.1e11, 0.3);
    let same = OrthotropicShell { young_1: e, young_2: e, poisson_12: nu, shear_12: e / (2.0 * (1.0 + nu)) };
    let plain = generate::plate([0.5, 0.4], [4, 3], 0.01, steel()).unwrap();
    let twofold =
        generate::plate([0.5, 0.4], [4, 3], 0.01, Material::orthotropic_shell(same, 7800.0)).unwrap();
    let twofold = oriented(twofold, [0.3, 0.8, 0.0]);
    for index in 0..plain.elements.len() {
        let (a, b) =
            (element::stiffness(&plain, index).unwrap(), element::stiffness(&twofold, index).unwrap());
        assert!((&a - &b).amax() < 1e-13 * a.amax());
    }
}

/// Simply supported plate: w^2 rho h = pi^4 (D11 (m/a)^4 + 2 (D12 + 2 D66) (m n/(a b))^2 + D22 (n/b)^4).
#[test]
fn simply_supported_orthotropic_plate() {
    let ([a, b], h, density) = ([0.6, 0.4], 0.002_f64, 1600.0);
    let poisson_21 = PLY.poisson_12 * PLY.young_2 / PLY.young_1;
    let scale = h.powi(3) / 12.0 / (1.0 - PLY.poisson_12 * poisson_21);
    let (d11, d22, d12) = (PLY.young_1 * scale, PLY.young_2 * scale, PLY.poisson_12 * PLY.young_2 * scale);
    let d66 = PLY.shear_12 * h.powi(3) / 12.0;
    let exact = |fibres_along_x: bool| {
        let (p, q) = if fibres_along_x { (d11, d22) } else { (d22, d11) };
        let value = |m: f64, n: f64| {
            let sum = p * (m / a).powi(4)
                + 2.0 * (d12 + 2.0 * d66) * (m * n / (a * b)).powi(2)
                + q * (n / b).powi(4);
            (PI.powi(4) * sum / (density * h)).sqrt() / (2.0 * PI)
        };
        let mut all: Vec<f64> = (1..6)
            .flat_map(|m| (1..6).map(move |n| (m, n)))
            .map(|(m, n)| value(m.into(), n.into()))
            .collect();
        all.sort_by(f64::total_cmp);
        all.truncate(4);
        all
    };
    for (axis, along) in [([1.0, 0.0, 0.0], true), ([0.0, 1.0, 0.0], false)] {
        let error = |cells: [usize; 2]| {
            let mesh = generate::plate([a, b], cells, h, Material::orthotropic_shell(PLY, density)).unwrap();
            let mesh = oriented(mesh, axis);
            let edges: Vec<usize> =
                ["x0", "x1", "y0", "y1"].iter().flat_map(|s| mesh.sets[*s].clone()).collect();
            let supports = Supports::none()
                .hold(&(0..mesh.nodes.len()).collect::<Vec<_>>(), [true, true, false, false, false, true])
                .hold(&edges, [true, true, true, false, false, true]);
            let found = held_frequencies(&mesh, &supports, 4, MassModel::Consistent);
            found.iter().zip(exact(along)).map(|(f, e)| relative(*f, e)).fold(0.0, f64::max)
        };
        let errors = [error([12, 8]), error([24, 16])];
        println!(
            "fibres along x {along}: worst of four frequencies {:.2e}, refined {:.2e}",
            errors[0], errors[1]
        );
        assert!(errors[0] < 0.03 && errors[1] < errors[0] / 3.0);
    }
}

/// Turning mesh and material axis together changes nothing.
#[test]
fn material_axes_turn_with_the_body() {
    let mesh = generate::plate([0.3, 0.2], [4, 3], 0.003, Material::orthotropic_shell(PLY, 1600.0)).unwrap();
    let axis = nalgebra::Vector3::new(0.8, 0.6, 0.0);
    let straight = oriented(mesh.clone(), axis.into());
    let turned = oriented(rotated(&mesh, &oblique()), (oblique() * axis).into());
    let a = free_frequencies(&straight, 5, MassModel::Consistent);
    let b = free_frequencies(&turned, 5, MassModel::Consistent);
    let other = free_frequencies(&oriented(mesh, [1.0, 0.0, 0.0]), 5, MassModel::Consistent);
    let worst = a.iter().zip(&b).map(|(a, b)| relative(*b, *a)).fold(0.0, f64::max);
    println!("{a:.3?}; turned: worst {worst:.1e}; fibres along x {other:.3?}");
    assert!(worst < 1e-8 && relative(other[1], a[1]) > 0.05);
}

fn part(kind: usize, material: Material) -> Mesh {
    let mut mesh = match kind {
        0 => generate::beam(0.5, 8, material, Section::rectangle(0.02, 0.01)).unwrap(),
        1 => generate::plate([0.5, 0.02], [8, 1], 0.01, material).unwrap(),
        _ => block([0.5, 0.02, 0.01], [8, 1, 1], SolidKind::Hex8, material).unwrap(),
    };
    if kind > 0 {
        let root = mesh.node([0.0, 0.01, 0.0]);
        mesh.links.push(RigidLink::new(root, &mesh.sets["x0"].clone()));
        mesh.name("root", root);
    }
    mesh
}

#[test]
fn proportional_viscosity_is_a_time_times_stiffness() {
    for kind in 0..3 {
        let material = steel().with_viscosity(Viscosity::Proportional { time: 1e-4 });
        let reduced =
            Reduction::new("root", ReductionKind::Clamped { modes: 4 }).run(&part(kind, material)).unwrap();
        let damping = reduced.damping.unwrap();
        assert!((&damping - &reduced.stiffness * 1e-4).amax() < 1e-10 * damping.amax());
    }
    let none = Reduction::new("root", ReductionKind::Clamped { modes: 4 }).run(&part(0, steel())).unwrap();
    assert!(none.damping.is_none());
}

/// Viscous moduli of their own: bending dissipates by the modulus of extension, twist by that of shear.
#[test]
fn own_viscous_moduli() {
    let (young, poisson) = (3e7, 0.1);
    let material = steel().with_viscosity(Viscosity::Isotropic { young, poisson });
    let bending = young / steel().young;
    let twist = young / (2.0 * (1.0 + poisson)) / steel().shear();
    for kind in 0..3 {
        let reduced =
            Reduction::new("root", ReductionKind::Clamped { modes: 8 }).run(&part(kind, material)).unwrap();
        let damping = reduced.damping.unwrap();
        let ratio: Vec<f64> =
            (0..8).map(|mode| damping[(mode, mode)] / reduced.stiffness[(mode, mode)]).collect();
        let turning = (0..8).filter(|mode| relative(ratio[*mode], twist) < 0.05).count();
        println!("part {kind}: {ratio:.5?}, bending {bending:.5e}, twist {twist:.5e}");
        // Solids and shells strain sideways too, where the viscous contraction differs.
        let limit = if kind == 0 { 2e-3 } else { 0.15 };
        assert!(relative(ratio[0], bending) < limit && turning >= 1);
    }
}

/// Uniform strain rate: dissipation equals strain rate, viscous tensor, strain rate times volume.
#[test]
fn dissipation_of_uniform_strain() {
    let material = steel().with_viscosity(Viscosity::Isotropic { young: 5e6, poisson: 0.2 });
    for kind in [SolidKind::Hex8, SolidKind::Tet4, SolidKind::Tet10] {
        let mesh = block([0.3, 0.2, 0.1], [2, 2, 2], kind, material).unwrap();
        let slope = nalgebra::Matrix3::new(1e-3, 2e-4, 0.0, 0.0, -3e-4, 5e-4, 1e-4, 0.0, 4e-4);
        let mut field = nalgebra::DMatrix::zeros(6 * mesh.nodes.len(), 1);
        for (node, x) in mesh.nodes.iter().enumerate() {
            field.view_mut((6 * node, 0), (3, 1)).copy_from(&(slope * nalgebra::Vector3::from(*x)));
        }
        let found = reduce::viscous(&mesh, &field).unwrap().unwrap()[(0, 0)];
        let s = slope + slope.transpose();
        let strain = [slope[(0, 0)], slope[(1, 1)], slope[(2, 2)], s[(0, 1)], s[(1, 2)], s[(2, 0)]];
        let strain = nalgebra::Vector6::from(strain);
        let exact = strain.dot(&(hooke(5e6, 0.2) * strain)) * 0.006;
        assert!(relative(found, exact) < 1e-12, "{kind:?}: {found} {exact}");
    }
}

/// A plate of a part file has the frequencies of the generated one, with its material axis along the
/// first edge or where the file says; quadrilaterals of a deck keep their first edge when split.
#[test]
fn orthotropic_materials_of_part_files_and_decks() {
    let text = |axis: &str| {
        format!(
            "[[material]]\nname = \"ply\"\ndensity = 1600\n\
             orthotropic = {{ young_1 = 140e9, young_2 = 10e9, poisson_12 = 0.3, shear_12 = 5e9 }}\n\
             [[plate]]\nname = \"skin\"\nedge_x = [0.6, 0, 0]\nedge_y = [0, 0.4, 0]\ncells = [6, 4]\nthickness = 0.002\n\
             material = \"ply\"\n{axis}[[interface]]\nname = \"root\"\nset = \"skin.x0\"\n[reduction]\nmodes = 3\n\
             method = \"clamped-free\"\n"
        )
    };
    let part = |axis: &str| Part::from_text(&text(axis), std::path::Path::new("ply.toml"));
    let frequencies = |axis: &str| part(axis).unwrap().reduce(&mut |_| {}).unwrap().report.frequencies;
    let generated = |axis: [f64; 3]| {
        let ply = Material::orthotropic_shell(PLY, 1600.0);
        let mesh = oriented(generate::plate([0.6, 0.4], [6, 4], 0.002, ply).unwrap(), axis);
        let held = Supports::none().clamp(&mesh.sets["x0"].clone());
        held_frequencies(&mesh, &held, 3, MassModel::Consistent)
    };
    for (axis, key) in [([1.0, 0.0, 0.0], ""), ([0.0, 1.0, 0.0], "material_axis = [0, 1, 0]\n")] {
        let worst =
            frequencies(key).iter().zip(generated(axis)).map(|(a, b)| relative(*a, b)).fold(0.0, f64::max);
        assert!(worst < 1e-9, "{axis:?}: {worst:e}");
    }
    let said = |axis: &str| part(axis).unwrap_err().to_string();
    assert!(said("material_axis = [0, 0, 0]\n").contains("has no direction"));
    let isotropic = text("material_axis = [0, 1, 0]\n").replace(
        "orthotropic = { young_1 = 140e9, young_2 = 10e9, poisson_12 = 0.3, shear_12 = 5e9 }",
        "young = 70e9\npoisson = 0.3",
    );
    let told = Part::from_text(&isotropic, std::path::Path::new("ply.toml")).unwrap().notices.join("\n");
    assert!(told.contains("material_axis") && told.contains("skin"), "{told}");
    let bad = text("").replace("poisson_12 = 0.3", "poisson_12 = 7.0");
    let fault = Part::from_text(&bad, std::path::Path::new("ply.toml")).unwrap_err().to_string();
    assert!(fault.contains("sqrt(E1/E2)"), "{fault}");
    // Both triangles of a quadrilateral have the axis of its edge G1-G2.
    let deck = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\nCQUAD4,1,1,1,2,3,4\n\
                CQUAD4,2,1,1,2,3,4\nPSHELL,1,1,.01,1\nMAT8,1,140.+9,10.+9,.3,5.+9,,,1600.\n";
    let mesh = import::nastran::read_text(deck, "a.bdf").unwrap().mesh;
    assert_eq!(mesh.elements.len(), 4);
    for element in &mesh.elements {
        let Element::Shell(shell) = element else { panic!("a shell") };
        assert_eq!(shell.material_axis, Some([1.0, 0.0, 0.0]));
    }
    let deck = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n*ELEMENT, TYPE=S4, ELSET=E\n1, 1, 2, 3, 4\n\
                *MATERIAL, NAME=P\n*ELASTIC, TYPE=LAMINA\n140e9, 10e9, 0.3, 5e9, 5e9, 5e9\n*DENSITY\n1600\n\
                *SHELL SECTION, ELSET=E, MATERIAL=P\n0.01\n";
    let fault = import::abaqus::read_text(deck, "a.inp").unwrap_err().to_string();
    assert!(fault.contains("a.inp:13: *SHELL SECTION") && fault.contains("ORIENTATION"), "{fault}");
}
