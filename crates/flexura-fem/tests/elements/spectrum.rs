//! Completeness of the modes: Sturm count, rigid motions, repeated modes, errors.

use crate::common::*;
use flexura_fem::eigen::sturm;
use flexura_fem::reduce::rigid_share;
use flexura_fem::*;

#[test]
fn sturm_check_catches_a_missed_mode() {
    // A square section: bending modes come in pairs, easily missed.
    let mesh = generate::beam(1.0, 12, steel(), Section::circle(0.01)).unwrap();
    let system = assemble(&mesh, &Supports::none().clamp(&[0]), MassModel::Consistent).unwrap();
    let spectrum = lowest_modes(system.pencil(), 9, &EigenOptions::default()).unwrap();
    assert_eq!(
        sturm::check(system.pencil(), &spectrum.eigenvalues[..8], spectrum.eigenvalues[7] * 1.01),
        Ok(8)
    );
    let mut missed = spectrum.eigenvalues[..8].to_vec();
    missed.remove(3);
    let verdict = sturm::check(system.pencil(), &missed, spectrum.eigenvalues[7] * 1.01);
    println!("{}", verdict.clone().unwrap_err());
    assert!(matches!(verdict, Err(FemError::MissedModes { found: 7, counted: 8, .. })));
}

/// A block of one vector cannot see the second of two equal modes by itself.
#[test]
fn narrow_blocks_do_not_lose_repeated_modes() {
    let mesh = generate::beam(1.0, 12, steel(), Section::circle(0.01)).unwrap();
    let system = assemble(&mesh, &Supports::none().clamp(&[0]), MassModel::Consistent).unwrap();
    let wide = lowest_modes(system.pencil(), 10, &EigenOptions::default()).unwrap();
    let narrow = EigenOptions { block: 1, ..EigenOptions::default() };
    let narrow = lowest_modes(system.pencil(), 10, &narrow).unwrap();
    let worst =
        wide.eigenvalues.iter().zip(&narrow.eigenvalues).map(|(a, b)| relative(*b, *a)).fold(0.0, f64::max);
    println!("blocks of one against eight: {worst:.2e}");
    assert!(worst < 1e-8);
}

#[test]
fn free_plate_has_six_rigid_motions() {
    let mesh = rotated(&generate::plate([0.6, 0.4], [6, 4], 0.003, steel()).unwrap(), &oblique());
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let options = EigenOptions { free: true, ..EigenOptions::default() };
    let spectrum = lowest_modes(system.pencil(), 10, &options).unwrap();
    let share = rigid_share(&mesh, &system, &spectrum.shapes).unwrap();
    println!("frequencies {:.6?}\nrigid share {share:.9?}", spectrum.frequencies());
    assert!(share[..6].iter().all(|s| (s - 1.0).abs() < 1e-6) && share[6..].iter().all(|s| s.abs() < 1e-6));
}

#[test]
fn modes_are_orthonormal() {
    let mesh = generate::plate([0.6, 0.4], [8, 6], 0.003, steel()).unwrap();
    for model in [MassModel::Consistent, MassModel::Lumped] {
        let system = assemble(&mesh, &Supports::none().clamp(mesh.set("x0").unwrap()), model).unwrap();
        let spectrum = lowest_modes(system.pencil(), 12, &EigenOptions::default()).unwrap();
        let mass = system.mass.congruence(&spectrum.shapes);
        let stiffness = system.stiffness.congruence(&spectrum.shapes);
        let residual = system.stiffness.multiply(&spectrum.shapes)
            - system.mass.multiply(&spectrum.shapes)
                * nalgebra::DMatrix::from_diagonal(&nalgebra::DVector::from_vec(
                    spectrum.eigenvalues.clone(),
                ));
        let unit = (&mass - nalgebra::DMatrix::identity(12, 12)).amax();
        let diagonal =
            (0..12).map(|i| relative(stiffness[(i, i)], spectrum.eigenvalues[i])).fold(0.0, f64::max);
        let force = system.stiffness.multiply(&spectrum.shapes).amax();
        println!(
            "{model:?}: mass {unit:.1e}, Rayleigh {diagonal:.1e}, residual {:.1e}",
            residual.amax() / force
        );
        assert!(unit < 1e-9 && diagonal < 1e-7);
    }
}

#[test]
fn all_modes_of_a_small_model() {
    let mesh = generate::beam(1.0, 2, steel(), Section::circle(0.01)).unwrap();
    let system = assemble(&mesh, &Supports::none().clamp(&[0]), MassModel::Consistent).unwrap();
    let spectrum = lowest_modes(system.pencil(), 12, &EigenOptions::default()).unwrap();
    assert_eq!(spectrum.counted, 12);
    let too_many = lowest_modes(system.pencil(), 13, &EigenOptions::default());
    assert!(matches!(too_many, Err(FemError::TooManyModes { wanted: 13, available: 12 })));
}

#[test]
fn bad_models_are_refused() {
    let mesh = generate::beam(1.0, 3, steel(), Section::circle(0.01)).unwrap();
    let run = |mesh: &Mesh, supports: &Supports| assemble(mesh, supports, MassModel::Consistent).unwrap_err();
    let clamp = Supports::none().clamp(&[0]);
    let mut broken = mesh.clone();
    broken.nodes[1] = broken.nodes[0];
    println!("{}", run(&broken, &clamp));
    let mut broken = mesh.clone();
    broken.node([0.0, 1.0, 0.0]);
    println!("{}", run(&broken, &clamp));
    let mut broken = mesh.clone();
    broken.links.push(RigidLink::new(2, &[3]));
    broken.links.push(RigidLink::new(3, &[2]));
    println!("{}", run(&broken, &clamp));
    println!("{}", run(&mesh, &Supports::none().clamp(&[9])));
    let mut broken = mesh.clone();
    broken.materials[0].poisson = f64::NAN;
    println!("{}", run(&broken, &clamp));
    let free = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let verdict = lowest_modes(free.pencil(), 3, &EigenOptions::default());
    println!("{}", verdict.as_ref().unwrap_err());
    assert!(matches!(verdict, Err(FemError::Singular { .. })));
    assert!(Section::tube(0.1, 0.2).constants().is_err());
    assert!(generate::plate([1.0, 1.0], [0, 3], 0.1, steel()).is_err());
}
