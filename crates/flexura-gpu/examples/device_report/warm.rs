//! Kernels compiled before they are needed, by as many processes as there are cores: the driver compiles one kind at a time in a process.

use crate::cases::cases;
use crate::demands;
use crate::kinds::{cores, template};
use crate::report::{Report, say};
use flexura::model::description::InertiaLevel;
use flexura_gpu::{Choice, DeviceError, System};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Something that needs kernels of one kind.
type Task = Box<dyn Fn(Choice) -> Result<(), DeviceError>>;

/// What the sections named will need; the longest first.
fn tasks(wants: &dyn Fn(&str) -> bool) -> Vec<Task> {
    let mut out: Vec<Task> = Vec::new();
    if wants("demands") {
        for kind in demands::tasks().into_iter().rev() {
            out.push(Box::new(move |choice| demands::open(choice, kind)));
        }
    }
    if wants("crossover") {
        for (bodies, modes) in [(32, 0), (8, 4)] {
            out.push(Box::new(move |choice| {
                let model = template(bodies, modes, InertiaLevel::Gram);
                drop(System::huge(&model, choice)?);
                System::batch(&model, 2, choice).map(drop)
            }));
        }
    }
    if wants("bits") {
        out.extend(
            cases().into_iter().map(|case| -> Task { Box::new(move |choice| (case.hash)(choice).map(drop)) }),
        );
    }
    out
}

/// Tasks of one process: every `count`th from `first` on. What fails here fails again where it is needed, and is told there.
pub fn share(wants: &dyn Fn(&str) -> bool, first: usize, count: usize) {
    for task in tasks(wants).iter().skip(first).step_by(count.max(1)) {
        drop(task(Choice::Cuda(0)));
    }
}

/// Lets processes compile what the sections named will need, for at most `limit`.
pub fn all(report: &mut Report, words: &[String], wants: &dyn Fn(&str) -> bool, limit: Duration) {
    let (begin, count) = (Instant::now(), tasks(wants).len());
    let processes = cores().min(count);
    let Ok(program) = std::env::current_exe() else { return };
    let start = |first: usize| {
        let mut command = Command::new(&program);
        let share = format!("warm-share={first}/{processes}");
        command.args(words).arg(share).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
    };
    let mut children: Vec<Child> = (0..processes).filter_map(start).collect();
    let mut stopped = 0;
    while !children.is_empty() {
        std::thread::sleep(Duration::from_millis(50));
        children.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        if begin.elapsed() > limit {
            stopped = children.len();
            for mut child in children.drain(..) {
                drop((child.kill(), child.wait()));
            }
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    say!(
        report,
        "- kernels of up to {count} kinds compiled by {processes} processes in {seconds:.1} s ({stopped} of them stopped)"
    );
}
