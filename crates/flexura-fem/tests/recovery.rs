//! Section forces of a cantilever under end loads.

mod common;
use common::*;
use flexura_fem::recovery::section_forces;
use flexura_fem::statics::{Loads, solve};
use flexura_fem::*;
use nalgebra::Vector3;

#[test]
fn cantilever_section_forces() {
    let (force, moment) = (Vector3::new(300.0, 20.0, -50.0), Vector3::new(7.0, 4.0, -3.0));
    let thick = Section::Rectangle { width_y: 0.03, height_z: 0.05 }.constants().unwrap();
    for section in [thick, thick.without_shear()] {
        let mesh = generate::beam(1.0, 4, steel(), Section::General(section)).unwrap();
        let system = assemble(&mesh, &Supports::none().clamp(&[0]), MassModel::Consistent).unwrap();
        let load = Loads::none(5).at(4, force.into(), moment.into()).unwrap();
        let displacements = solve(&system, &load).unwrap();
        let mut worst = 0.0_f64;
        for (index, s) in (0..4).flat_map(|index| [0.0, 0.3, 1.0].map(|s| (index, s))) {
            let found = section_forces(&mesh, index, s, &displacements).unwrap();
            let arm = Vector3::new(1.0 - (index as f64 + s) / 4.0, 0.0, 0.0);
            worst = worst.max((found.force - force).norm() / force.norm());
            worst = worst.max((found.moment - moment - arm.cross(&force)).norm() / moment.norm());
        }
        println!("section forces: worst relative error {worst:.1e}");
        assert!(worst < 1e-8);
    }
    let mesh = generate::beam(1.0, 4, steel(), Section::General(thick)).unwrap();
    assert!(section_forces(&mesh, 9, 0.5, &nalgebra::DVector::zeros(30)).is_err());
    assert!(section_forces(&mesh, 0, 0.5, &nalgebra::DVector::zeros(3)).is_err());
}
