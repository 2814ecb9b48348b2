//! Who has started this process, told by the variables that launchers set.

/// Variables by which a launcher is known: Open MPI, MPICH and others with PMI, PMIx.
const LAUNCHED: [&str; 4] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"];

/// Variables with the number of processes; that of Slurm means something beside one of the others only.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];

/// Families of MPI libraries whose launchers and libraries belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Open MPI.
    OpenMpi,
    /// MPICH and those made from it.
    Mpich,
    /// Any other.
    Other,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::OpenMpi, Self::Mpich, Self::Other];

    /// The word in names of files.
    pub fn word(self) -> &'static str {
        match self {
            Self::OpenMpi => "openmpi",
            Self::Mpich => "mpich",
            Self::Other => "other",
        }
    }

    /// The family with this word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.word() == word)
    }
}

/// Families that a launcher with these variables can belong to, the likeliest first.
pub(crate) fn families(set: impl Fn(&str) -> bool) -> Vec<Family> {
    if set("OMPI_COMM_WORLD_SIZE") {
        vec![Family::OpenMpi, Family::Other]
    } else if set("PMI_SIZE") || set("PMI_RANK") {
        vec![Family::Mpich, Family::Other]
    } else {
        Family::ALL.to_vec()
    }
}

pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some()
}

/// Whether an MPI launcher has started this process.
pub fn launched() -> bool {
    LAUNCHED.iter().any(|name| is_set(name))
}

/// How many processes an MPI launcher has started, where it says so; nothing without a launcher.
pub fn launched_size() -> Option<usize> {
    let size = || SIZES.iter().find_map(|name| std::env::var(name).ok()?.parse().ok());
    launched().then(size).flatten()
}

/// How many processes Slurm has started beside each other without MPI (`srun --mpi=none`, often its default): none of
/// them can reach the others, and each would do the whole work.
pub fn strangers() -> Option<usize> {
    let tasks = || std::env::var("SLURM_STEP_NUM_TASKS").ok()?.parse().ok();
    let alone = launched() || !is_set("SLURM_PROCID");
    if alone { None } else { tasks().filter(|&count| count > 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_are_known_by_what_they_set() {
        let of = |names: &'static [&str]| families(move |name| names.contains(&name));
        assert_eq!(of(&["OMPI_COMM_WORLD_SIZE", "PMIX_RANK"])[0], Family::OpenMpi);
        assert_eq!(of(&["PMI_RANK", "PMI_SIZE"]), [Family::Mpich, Family::Other]);
        assert_eq!(of(&["PMIX_RANK"]), Family::ALL);
        assert!(Family::ALL.iter().all(|family| Family::of(family.word()) == Some(*family)));
        assert_eq!(Family::of("lam"), None);
    }
}
