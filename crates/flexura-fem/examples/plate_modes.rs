//! Times of a shell plate's modes and Craig-Bampton shapes, and its matrices for other programs.
//!
//! `plate_modes CELLS [FOLDER]`: with a folder, writes the lower triangles of K and M by columns
//! (`column_start.u64`, `rows.u64`, `stiffness.f64`, `mass.f64`, little endian) and the interface
//! unknowns (`interfaces.u64`). Prints one line of JSON. `scripts/compare_scipy.py` runs it.

use flexura_fem::reduce::craig_bampton;
use flexura_fem::*;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let cells: usize = arguments.first().map_or(Ok(100), |cells| cells.parse())?;
    let mesh = plate(cells)?;
    let root = mesh.named("root")?;
    let start = Instant::now();
    let system = assemble(&mesh, &Supports::none().clamp(&[root]), MassModel::Consistent)?;
    let assembly = start.elapsed().as_secs_f64();
    let tip = mesh.named("tip")?;
    let interfaces: Vec<usize> = (0..6).filter_map(|i| system.dofs.unknown(6 * tip + i)).collect();
    if let Some(folder) = arguments.get(1) {
        write(Path::new(folder), &system, &interfaces)?;
    }
    let assembled = peak_memory();
    let options = EigenOptions::default();
    let (spectrum, modes) = timed(|| lowest_modes(system.pencil(), 20, &options))?;
    let (shapes, reduction) = timed(|| craig_bampton::shapes(&system, &interfaces, 20, &options))?;
    let frequencies: Vec<String> = spectrum.frequencies().iter().map(|f| format!("{f:.12e}")).collect();
    let reduced = Reduced::of(&system, &shapes)?;
    println!(
        "{{\"unknowns\": {}, \"assembly_s\": {assembly:.3}, \"modes_s\": {:.3}, \"craig_bampton_s\": {:.3}, \
         \"modes_cpu_s\": {:.2}, \"craig_bampton_cpu_s\": {:.2}, \"block_steps\": {}, \"assembled_mib\": {assembled:.0}, \"peak_mib\": {:.0}, \
         \"frequencies\": [{}], \"reduced_first\": {:.12e}}}",
        system.dofs.unknowns(),
        modes[0],
        reduction[0],
        modes[1],
        reduction[1],
        spectrum.steps,
        peak_memory(),
        frequencies.join(", "),
        reduced.first
    );
    Ok(())
}

/// A result with the wall and processor time it took (s).
fn timed<T>(work: impl FnOnce() -> Result<T, FemError>) -> Result<(T, [f64; 2]), FemError> {
    let (start, processor) = (Instant::now(), processor_time());
    let result = work()?;
    Ok((result, [start.elapsed().as_secs_f64(), processor_time() - processor]))
}

/// Processor time of the process (s), where the system tells; else zero.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after.split_whitespace().skip(11).take(2).filter_map(|x| x.parse::<f64>().ok()).sum();
    ticks / 100.0
}

/// First frequency of the Craig-Bampton model (Hz), to compare.
struct Reduced {
    first: f64,
}

impl Reduced {
    fn of(system: &System, shapes: &nalgebra::DMatrix<f64>) -> Result<Self, FemError> {
        let (k, m) = (system.stiffness.congruence(shapes), system.mass.congruence(shapes));
        let (values, _) = linear::generalized_eigen(&k, &m)?;
        Ok(Self { first: eigen::frequency(values[0]) })
    }
}

fn plate(cells: usize) -> Result<Mesh, FemError> {
    let steel = Material::isotropic(2.1e11, 0.3, 7800.0);
    let mut mesh = generate::plate([2.0, 2.0], [cells, cells], 0.003, steel)?;
    for (name, set, position) in [("root", "x0", [0.0, 1.0, 0.0]), ("tip", "x1", [2.0, 1.0, 0.0])] {
        let master = mesh.node(position);
        mesh.links.push(RigidLink::new(master, &mesh.sets[set].clone()));
        mesh.name(name, master);
    }
    Ok(mesh)
}

fn write(folder: &Path, system: &System, interfaces: &[usize]) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let whole = |list: &[usize]| list.iter().flat_map(|x| (*x as u64).to_le_bytes()).collect::<Vec<u8>>();
    let real = |list: &[f64]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    std::fs::write(folder.join("column_start.u64"), whole(system.stiffness.column_start()))?;
    std::fs::write(folder.join("rows.u64"), whole(system.stiffness.rows()))?;
    std::fs::write(folder.join("stiffness.f64"), real(system.stiffness.values()))?;
    std::fs::write(folder.join("mass.f64"), real(system.mass.values()))?;
    std::fs::write(folder.join("interfaces.u64"), whole(interfaces))
}

/// Largest memory of the process so far (MiB), where the system tells; else zero.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
