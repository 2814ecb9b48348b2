//! Times of shell plates: assembly, modes with Sturm check, Craig-Bampton.
//! Prints times; nothing is decided by them.

use flexura_fem::*;
use std::time::Instant;

fn main() -> Result<(), FemError> {
    // `cargo bench` passes flags of its own; numbers are cells per side.
    let cells: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    for cells in if cells.is_empty() { vec![60, 100] } else { cells } {
        plate(cells)?;
    }
    Ok(())
}

fn plate(cells: usize) -> Result<(), FemError> {
    let steel = Material::isotropic(2.1e11, 0.3, 7800.0);
    let mut mesh = generate::plate([2.0, 2.0], [cells, cells], 0.003, steel)?;
    for (name, set, position) in [("root", "x0", [0.0, 1.0, 0.0]), ("tip", "x1", [2.0, 1.0, 0.0])] {
        let master = mesh.node(position);
        mesh.links.push(RigidLink::new(master, &mesh.sets[set].clone()));
        mesh.name(name, master);
    }
    let supports = Supports::none().clamp(&[mesh.named("root")?]);
    let start = Instant::now();
    let system = assemble(&mesh, &supports, MassModel::Consistent)?;
    let assembly = start.elapsed();
    let start = Instant::now();
    let factor = linear::Factor::definite(&system.stiffness)?;
    let (factorisation, fill) = (start.elapsed(), factor.analysis().fill());
    let start = Instant::now();
    let spectrum = lowest_modes(system.pencil(), 20, &EigenOptions::default())?;
    let modes = start.elapsed();
    let start = Instant::now();
    let reduced =
        Reduction::new("root", ReductionKind::CraigBampton { modes: 20 }).interface("tip").run(&mesh)?;
    let reduction = start.elapsed();
    let start = Instant::now();
    let free = Reduction::new("root", ReductionKind::Free { modes: 20 }).run(&mesh)?;
    let free_time = start.elapsed();
    println!("{cells} x {cells} x 2: {} unknowns", system.dofs.unknowns());
    println!(
        "  assembly {assembly:.2?}; factor {factorisation:.2?}, {:.1} million entries",
        fill as f64 / 1e6
    );
    println!("  20 modes {modes:.2?} in {} block steps, {} counted", spectrum.steps, spectrum.counted);
    println!("  Craig-Bampton, {} shapes, with its report {reduction:.2?}", reduced.shapes.ncols());
    println!("  free, 20 elastic modes {free_time:.2?}, first {:.5?} Hz", &free.report.frequencies[..4]);
    println!("  held at one edge, first {:.5?} Hz", &spectrum.frequencies()[..4]);
    Ok(())
}
