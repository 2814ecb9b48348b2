//! A checkpoint that does not fit says what differs.

use flexura::SinkError;
use flexura::build::Built;
use flexura::checkpoint::Checkpoint;
use flexura::file::build_text;
use flexura::simulate::{Keeper, Progress, Start, run_kept};
use flexura::{Recorder, Recording, SimulationError, State};

#[derive(Default)]
struct Last(Option<Checkpoint>);

impl Keeper for Last {
    fn due(&mut self, _: &Progress) -> bool {
        true
    }

    fn keep(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        self.0 = Some(checkpoint.clone());
        Ok(())
    }
}

/// A pendulum on `more` further ones, with settings.
fn pendulum(more: usize, settings: &str) -> Built {
    let mut text = String::new();
    for i in 0..=more {
        let parent = if i == 0 { "ground.origin".into() } else { format!("rod{}.end", i - 1) };
        text += &format!(
            "[[body]]\nname = \"rod{i}\"\nmass = 1\ninertia = [1, 1, 1]\nframe = [{{ name = \"end\", position = [1, 0, 0] }}]\n\
             [[joint]]\nname = \"hinge{i}\"\ntype = \"revolute\"\naxis = [0, 1, 0]\nbetween = [\"{parent}\", \"rod{i}.origin\"]\n"
        );
    }
    build_text(&format!("{text}[simulation]\nend = 0.1\n{settings}"), "p.toml").expect("builds").built
}

fn run(built: &Built, start: Start<'_>, keeper: &mut impl Keeper) -> Result<(), SimulationError> {
    let (model, settings) = (&built.model, &built.description.simulation);
    let mut recorder = Recorder::new(model, &["energy.total".to_string()])?;
    let mut rows = Recording::new(recorder.channels());
    run_kept(model, settings, start, &mut recorder, &mut rows, &mut |_| true, keeper).map(|_| ())
}

#[test]
fn what_differs_is_named() {
    let rk4 = "method = \"rk4\"\nstep = 0.01\n";
    let one = pendulum(0, rk4);
    let mut kept = Last::default();
    run(&one, Start::State(State::initial(&one.model, 0.0)), &mut kept).expect("a run");
    let checkpoint = kept.0.expect("a checkpoint");
    assert!(run(&one, Start::Checkpoint(&checkpoint), &mut ()).is_ok());
    let event = "[[simulation.event]]\nname = \"down\"\nchannel = \"hinge0.angle\"\nvalue = 1\n";
    let others = [
        (pendulum(2, rk4), "1 coordinates, the run 3"),
        (pendulum(0, "method = \"trapezoidal\"\nstep = 0.01\n"), "the method rk4, the run trapezoidal"),
        (pendulum(0, &format!("{rk4}{event}")), "0 events, the run 1"),
    ];
    for (other, words) in others {
        let refused = run(&other, Start::Checkpoint(&checkpoint), &mut ()).unwrap_err();
        assert!(matches!(refused, SimulationError::Checkpoint(_)), "{refused}");
        assert!(refused.to_string().contains(words), "{refused}");
    }
    let mut cut = checkpoint.clone();
    cut.words.pop();
    let refused = run(&one, Start::Checkpoint(&cut), &mut ()).unwrap_err();
    assert!(refused.to_string().contains("another length"), "{refused}");
}
