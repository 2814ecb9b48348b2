//! Runs with the equations of the linear graph against the other formulations: trees and loops, joint, absolute and mixed coordinates.

use crate::common::mechanisms::*;
use crate::common::random_mechanism::Mechanism;
use crate::common::random_model::{EXACT_LEVELS, Recipe, evaluated, random_case, sweep};
use crate::common::relative_error;
use flexura::algorithm::FlexibleRoute;
use flexura::formulation::graph::{Equations, GraphFormulation};
use flexura::model::description::*;
use flexura::simulate::Simulation;
use flexura::state::prescribe::apply_prescribed;
use flexura::{State, Workspace, build, evaluate};

/// Every frame position at the end of a run.
fn arrival(
    description: &Description,
    choice: FormulationChoice,
    method: MethodDescription,
    end: f64,
) -> Vec<f64> {
    let built = description.clone().build().unwrap_or_else(|e| panic!("{}: {e}", description.name));
    let mut settings = built.description.simulation.clone();
    (settings.method, settings.end, settings.output_interval) = (method, end, end);
    let run =
        Simulation::of(&built).settings(settings).formulation(choice).unwrap_or_else(|e| panic!("{e:?}"));
    let recording = run.run().unwrap_or_else(|e| panic!("{}: {e}", description.name));
    let names: Vec<String> =
        recording.names().iter().filter(|name| name.contains(".position.")).cloned().collect();
    assert!(names.len() > 5, "{names:?}");
    names.iter().map(|name| recording.last(name).expect("recorded")).collect()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()))
}

/// A mechanism in the three choices of coordinates.
fn trees(description: Description, mixed: &[&str]) -> [(&'static str, Description); 3] {
    [
        ("joint", description.clone()),
        ("absolute", with_tree(description.clone(), TreeChoice::Absolute, &[])),
        ("mixed", with_tree(description, listed(mixed), &[])),
    ]
}

/// Equal steps of the same rule: what is left is rounding of the equations.
#[test]
fn equal_steps_give_equal_positions_in_any_coordinates() {
    let cases = [
        (slider_crank(), &["crank"][..], 1e-3, 0.1),
        (bricard(), &["j0", "j1"][..], 2e-3, 0.2),
        (flexible_four_bar(), &["drive"][..], 2e-6, 2e-4),
    ];
    for (description, mixed, step, end) in cases {
        let name = description.name.clone();
        let mixed: Vec<&str> = mixed
            .iter()
            .copied()
            .filter(|wanted| description.joints.iter().any(|j| j.name == *wanted))
            .collect();
        let mixed = if mixed.is_empty() {
            vec![description.joints[0].name.clone()]
        } else {
            mixed.iter().map(|x| x.to_string()).collect()
        };
        let mixed: Vec<&str> = mixed.iter().map(String::as_str).collect();
        for (tree, description) in trees(description, &mixed) {
            let rule = MethodDescription::Rk4 { step };
            let graph = arrival(&description, FormulationChoice::Graph, rule.clone(), end);
            let recursive = arrival(&description, FormulationChoice::Recursive, rule, end);
            let found = apart(&graph, &recursive);
            println!("{name}, {tree} coordinates: {found:.1e} m from the recursive run");
            assert!(found < 1e-8, "{name}, {tree}: {found:.1e}");
        }
    }
}

/// The trapezoidal rule of the topological and the global formulation, extrapolated from steps h/2 and h/4 and again, meets the graph.
#[test]
fn refined_steps_of_the_other_formulations_arrive_at_the_same_positions() {
    let (description, end) = (slider_crank(), 0.1);
    let graph = arrival(&description, FormulationChoice::Graph, tight(), end);
    for choice in [FormulationChoice::Topological, FormulationChoice::Global] {
        let at = |step: f64| {
            let method = match choice {
                FormulationChoice::Global => MethodDescription::Global { step },
                _ => MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 },
            };
            arrival(&description, choice, method, end)
        };
        let runs = [at(1e-3), at(5e-4), at(2.5e-4)];
        let extrapolated: Vec<f64> = (0..graph.len())
            .map(|i| {
                let [a, b] = [0, 1].map(|k| (4.0 * runs[k + 1][i] - runs[k][i]) / 3.0);
                (16.0 * b - a) / 15.0
            })
            .collect();
        let found = apart(&extrapolated, &graph);
        println!("{}: {found:.1e} m from the graph", choice.word());
        assert!(found < 1e-8, "{}: {found:.1e}", choice.word());
    }
}

/// Largest difference of what an evaluation by the graph and one by the recursions leave.
fn compare(model: &flexura::Model, state: &State, expected: &mut Workspace) -> f64 {
    let mut work = Workspace::new(model);
    work.substitute(Box::new(GraphFormulation::new(model).expect("exact attachments")));
    let mut state = state.clone();
    apply_prescribed(model, &mut state, Some(&mut work.load));
    evaluate(model, &state, &mut work).expect("regular");
    work.reactions(model);
    expected.reactions(model);
    let flat = |list: &[[f64; 6]]| list.iter().flatten().copied().collect::<Vec<f64>>();
    let pairs = [
        (work.accelerations.chidot.clone(), expected.accelerations.chidot.clone()),
        (work.accelerations.driving.clone(), expected.accelerations.driving.clone()),
        (flat(&work.accelerations.acceleration), flat(&expected.accelerations.acceleration)),
        (flat(&work.inverse.joint_force), flat(&expected.inverse.joint_force)),
    ];
    pairs.iter().fold(0.0, |worst: f64, (a, b)| worst.max(relative_error(a, b, 1.0)))
}

/// What an evaluation leaves is what the recursions leave: accelerations, driving forces, reactions, accelerations of bodies.
#[test]
fn evaluations_agree_with_the_recursions_in_all_they_leave() {
    let recipe = Recipe { bodies: 12, modes: 3, rules: false, ..Recipe::everything(&EXACT_LEVELS) };
    sweep("graph evaluations of trees", 40, 1e-9, |seed| {
        let (model, mut state) = random_case(&recipe, seed);
        let mut expected = evaluated(&model, &mut state, FlexibleRoute::Direct);
        compare(&model, &state, &mut expected)
    });
    let mechanism = Mechanism::independent();
    sweep("graph evaluations of loops", 40, 1e-8, |seed| {
        let built = build(mechanism.describe(seed)).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let model = &built.model;
        let mut state = State::initial(model, 0.0);
        let mut expected = Workspace::new(model);
        apply_prescribed(model, &mut state, Some(&mut expected.load));
        evaluate(model, &state, &mut expected).expect("regular");
        compare(model, &state, &mut expected)
    });
}

/// A beam of level `paper` that bends both ways and carries a body, its points by a rule.
fn paper_arm(rule: &str) -> String {
    format!(
        "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"arm\"\nlevel = \"paper\"\n{rule}\nframe = [{{ name = \"tip\", station = \"tip\" }}]\nbeam = {{ length = 1, \
         density = 2700, young = 7e8, poisson = 0.3, section = {{ rectangle = [0.01, 0.02] }}, boundary = \"clamped-free\", bending_y = 2, bending_z = 1 }}\n\
         [[body]]\nname = \"hand\"\nmass = 0.4\ninertia = [2e-3, 3e-3, 4e-3]\ncenter_of_mass = [0.05, 0.02, 0]\n\
         [[joint]]\nname = \"hinge\"\ntype = \"revolute\"\naxis = [0, 1, 0]\nbetween = [\"ground.origin\", \"arm.origin\"]\nposition = 0.6\nspeed = 2.0\n\
         [[joint]]\nname = \"wrist\"\ntype = \"revolute\"\naxis = [1, 0, 0]\nbetween = [\"arm.tip\", \"hand.origin\"]\nspeed = -3.0\n\
         [simulation]\nend = 0.1\nmethod = \"dormand-prince\"\nformulation = \"graph\"\n\
         [[simulation.initial]]\nbody = \"arm\"\nmodal_position = [0.03, -0.02, 0.04]\nmodal_speed = [1.0, 0.7, -1.3]\n"
    )
}

/// The papers' rule for points has angular velocities that are no derivative of an orientation, so that the graph, which differentiates them, has other
/// accelerations and joint forces than the recursion: refused by name. Level `paper` takes it by default; with exact points both agree.
#[test]
fn bodies_of_level_paper_run_with_exact_points() {
    let refused =
        |text: &str| flexura::file::build_text(text, "arm.toml").err().map(|error| error.to_string());
    for rule in ["", "attachments = \"lambda_etad\""] {
        let error = refused(&paper_arm(rule)).unwrap_or_default();
        assert!(error.contains("`wrist`") && error.contains("attachments = \"exact\""), "{error}");
    }
    let exact =
        flexura::file::build_text(&paper_arm("attachments = \"exact\""), "arm.toml").expect("exact points");
    let model = &exact.built.model;
    let mut state = State::initial(model, 0.0);
    let mut expected = evaluated(model, &mut state, FlexibleRoute::Direct);
    let found = compare(model, &state, &mut expected);
    assert!(found < 1e-10, "{found:.1e}");
    // Without the refusal: what the rule would cost.
    let other = paper_arm("attachments = \"lambda_etad\"").replace("formulation = \"graph\"\n", "");
    let other = flexura::file::build_text(&other, "arm.toml").expect("a model for the recursion");
    let model = &other.built.model;
    assert!(GraphFormulation::new(model).is_err());
    let equations = Equations::generate(model, &State::initial(model, 0.0));
    assert!(equations.solve(model).expect_err("refused").to_string().contains("`wrist`"));
}

/// What does not fit is refused by name.
#[test]
fn what_the_graph_cannot_run_is_refused() {
    let built = slider_crank().build().expect("builds");
    let settings = built.description.simulation.clone();
    let with = |change: fn(&mut SimulationDescription)| {
        let mut settings = settings.clone();
        change(&mut settings);
        let run = Simulation::of(&built).settings(settings);
        run.formulation(FormulationChoice::Graph).expect_err("refused").message
    };
    let energy = with(|s| s.method = MethodDescription::EnergyMomentum { step: 1e-3, spectral_radius: 1.0 });
    assert!(energy.contains("explicit methods and radau"), "{energy}");
    let divided = with(|s| {
        s.method = tight();
        s.algorithm = AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 0, refinements: 0 };
    });
    assert!(divided.contains("divide-and-conquer"), "{divided}");
}
