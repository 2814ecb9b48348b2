//! What has no gradient is refused by name.

use crate::models::{FLEXIBLE, PENDULUM};
use crate::{shipped, short};
use flexura::analysis::{GradientSetup, KeptRun, Objective, Parameter, Term};
use flexura::build::Built;
use flexura::file::build_text;

fn refusal(built: &Built, parameters: &[Parameter<'_>], setup: &GradientSetup) -> String {
    let back = KeptRun::new(built, parameters, setup).and_then(|mut run| {
        let weights = vec![1.0; run.rows().len()];
        run.pull_back(&weights)
    });
    back.err().map_or_else(|| "no refusal".into(), |error| error.to_string())
}

fn of(channels: &[&str]) -> GradientSetup {
    GradientSetup { channels: channels.iter().map(|name| (*name).into()).collect(), ..Default::default() }
}

#[test]
fn refusals_name_what_is_wrong() {
    let built = short(PENDULUM, 0.01, 2.0, None);
    let angle = of(&["elbow.angle"]);
    let expect = |text: String, words: &str| assert!(text.contains(words), "`{words}` not in: {text}");
    expect(refusal(&built, &[], &of(&["elbow.angel"])), "did you mean `elbow.angle`");
    expect(refusal(&built, &[], &of(&["energy.balance"])), "`energy.balance` is a check of the run");
    let idle = PENDULUM.replace("step = 0.001", "step = 0.001\nstart = 0.0");
    let of_file = |text, path| [Parameter::of_file(text, "model.toml", path).expect("path")];
    expect(refusal(&built, &of_file(&idle, "simulation.end"), &angle), "`simulation.end` has no influence");
    let method = |line: &str| {
        let text = PENDULUM.replace("method = \"rk4\"", line);
        refusal(&build_text(&text, "model.toml").expect("model").built, &[], &angle)
    };
    expect(method("method = \"auto\""), "use `method = \"rk4\"`");
    let stop = format!(
        "{PENDULUM}\n[[simulation.event]]\nname = \"upright\"\nchannel = \"elbow.angle\"\nvalue = 3.0\naction = \"stop\"\n"
    );
    expect(
        refusal(&build_text(&stop, "model.toml").expect("model").built, &[], &angle),
        "event `upright` ends the run",
    );
    loops(&|text: String, words: &str| assert!(text.contains(words), "`{words}` not in: {text}"));
    let deep = FLEXIBLE.replace("sensors = [\"arm.tip.position.z\"]", "sensors = [\"base.force.z\"]");
    let deep = build_text(&deep, "model.toml").expect("model").built;
    expect(refusal(&deep, &[], &of(&["energy.total"])), "controller `hold`");
    let inputs = |names: &[&str], held: Vec<f64>| {
        let names = names.iter().map(|name| (*name).into()).collect();
        refusal(&built, &[], &GradientSetup { inputs: names, held, ..angle.clone() })
    };
    expect(inputs(&["elbow.efort"], vec![0.0; 2]), "no input");
    expect(inputs(&["elbow.effort"], vec![0.0; 3]), "3 values for 1 inputs over 2 intervals");
    expect(inputs(&["elbow.effort"], vec![0.0, f64::NAN]), "no number");
    let times = GradientSetup { times: Some(vec![0.0, 0.2, 0.1]), ..angle.clone() };
    expect(refusal(&built, &[], &times), "must rise");
}

/// Closed loops that are not followed backwards.
fn loops(expect: &dyn Fn(String, &str)) {
    let four_bar = shipped("four_bar");
    let by = |text: &str, lines: &str, channels: &[&str]| {
        let text = text.replace("end = 0.03\n", &format!("end = 0.001\n{lines}\n"));
        refusal(&build_text(&text, "model.toml").expect("model").built, &[], &of(channels))
    };
    let implicit = "method = \"trapezoidal\"\nstep = 1e-4";
    expect(by(&four_bar, "method = \"auto\"", &["energy.total"]), "have no gradient yet");
    expect(by(&four_bar, implicit, &["energy.work"]), "`energy.work` has the work of drives");
    let once = format!("{implicit}\nprojections = \"one-pass\"");
    expect(by(&four_bar, &once, &["energy.total"]), "take `projections` off");
    let driven = four_bar.replace("[simulation]", "[graph]\ncut = \"drive\"\n\n[simulation]");
    expect(by(&driven, implicit, &["energy.total"]), "joint `drive` closes a loop and is driven");
    let kink = "motion = { piecewise = { breaks = [0.0005], pieces = [{ polynomial = [0, 210] }, { polynomial = [0.105, 100] }] } }";
    let jump = four_bar.replace("motion = { polynomial = [0, 210] }", kink);
    expect(by(&jump, implicit, &["energy.total"]), "a drive jumps");
    let disc = short(&shipped("rolling_disc"), 1e-3, 2.0, Some(1e-4));
    expect(refusal(&disc, &[], &of(&["energy.total"])), "constraints on speeds alone");
    let bricard = short(&shipped("bricard"), 1e-2, 2.0, Some(1e-3));
    let closing = &bricard.model.loops[0].name;
    expect(
        refusal(&bricard, &[], &of(&[&format!("{closing}.force.*")])),
        "is shared by constraints that say the same",
    );
}

/// Weights of zero are weights; inputs without values have those of the model.
#[test]
fn nothing_and_the_model_s_own_are_allowed() {
    let built = short(PENDULUM, 0.01, 2.0, None);
    let list = [Parameter::of_file(PENDULUM, "model.toml", "lower.mass").expect("path")];
    let setup = GradientSetup { inputs: vec!["elbow.effort".into()], ..of(&["elbow.angle"]) };
    let mut run = KeptRun::new(&built, &list, &setup).expect("run");
    let none = run.pull_back(&[0.0; 3]).expect("nothing");
    let sizes =
        [&none.parameters, &none.position, &none.coordinates, &none.speed, &none.inputs].map(Vec::len);
    assert_eq!(sizes, [1, 2, 2, 2, 2]);
    assert!(none.parameters.iter().chain(&none.inputs).chain(&none.speed).all(|x| *x == 0.0));
    let given = GradientSetup { held: vec![0.0; 2], ..setup };
    assert_eq!(run.rows(), KeptRun::new(&built, &list, &given).expect("run").rows());
}

#[test]
fn objectives_name_their_mistakes() {
    let built = short(PENDULUM, 0.01, 2.0, None);
    let mut run = KeptRun::new(&built, &[], &of(&["elbow.angle"])).expect("run");
    let mut expect = |objective: Objective, words: &str| {
        let text = run.gradient(&objective).err().map_or("no refusal".into(), |error| error.to_string());
        assert!(text.contains(words), "`{words}` not in: {text}");
    };
    expect(Objective::of_channel("elbow.angl", Term::End), "did you mean `elbow.angle`");
    expect(Objective::of_channel("elbow.angle", Term::Peak(1.0)), "exponent 1");
    let misfit = |wanted| Term::Misfit { wanted, scale: 1.0 };
    expect(Objective::of_channel("elbow.angle", misfit(vec![0.0; 2])), "2 values for 3 rows");
    expect(Objective::of_channel("elbow.angle", misfit(vec![0.0, f64::NAN, 0.0])), "value 2 of the table");
    for words in ["peak", "peek:elbow.angle", "end^3:elbow.angle", "x*end:elbow.angle"] {
        let refused = Objective::term_of(words).err().map_or("no refusal".into(), |error| error.to_string());
        assert!(refused.contains(words), "{refused}");
    }
    let found = Objective::term_of("-0.5*peak^40:elbow.angle").expect("term");
    assert_eq!(found, (-0.5, "elbow.angle".into(), Term::Peak(40.0)));
}
