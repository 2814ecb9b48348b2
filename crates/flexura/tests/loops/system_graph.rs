//! The graph of a model: its vertices and edges, its tree, its loops, its count of freedoms.

use flexura_samples::chains;

use chains::{Random, axis, bar, frame, joint};
use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::graph::*;
use flexura::model::description::*;
use flexura::model::element::{Coupler, SpringDamper};
use flexura::time_function::TimeFunction;

const Y: [f64; 3] = [0.0, 1.0, 0.0];

fn beam(name: &str, length: f64) -> BodyDescription {
    let counts = ModeCounts { bending_z: 2, ..ModeCounts::default() };
    let section = Section::Rectangle { width_y: 0.02, height_z: 0.02 };
    let beam = BeamDescription::new(length, 7800.0, 2e11, 8e10, section).modes(Boundary::ClampedFree, counts);
    BodyDescription::beam(name, beam).station("tip", length)
}

fn driven() -> CoordinateDescription {
    CoordinateDescription { motion: Some(TimeFunction::Constant(0.0)), ..Default::default() }
}

/// The mechanism of Richard (2012), figure 2: rigid crank with a driving torque, flexible coupler with
/// its frame at B, flexible follower with its frame at C.
fn flexible_four_bar() -> Description {
    let torque = CoordinateDescription { effort: Some(TimeFunction::Constant(1.0)), ..Default::default() };
    let crank = BodyDescription::rigid("crank", 1.0, [0.1; 3]);
    Description::new("four-bar")
        .ground_frame("C", [0.9, 0.0, 0.0])
        .body(crank.frame("O", [-0.15, 0.0, 0.0]).frame("A", [0.15, 0.0, 0.0]))
        .body(beam("coupler", 0.9))
        .body(beam("follower", 0.9))
        .joint(JointDescription::revolute("O", ["ground.origin", "crank.O"], Y).coordinates(vec![torque]))
        .joint(JointDescription::revolute("A", ["crank.A", "coupler.tip"], Y))
        .joint(JointDescription::revolute("B", ["coupler.origin", "follower.tip"], Y))
        .joint(JointDescription::revolute("C", ["ground.C", "follower.origin"], Y))
}

fn ends<'a>(graph: &'a LinearGraph, name: &str) -> (&'a str, &'a str, Component) {
    let edge = &graph.edges()[graph.edge(name).unwrap_or_else(|| panic!("no edge {name}"))];
    (&graph.vertices()[edge.tail], &graph.vertices()[edge.head], edge.component)
}

/// Names with signs, sorted.
fn named(graph: &LinearGraph, terms: impl Iterator<Item = (usize, i32)>) -> Vec<String> {
    let sign = |value: i32| if value > 0 { '+' } else { '-' };
    let mut names: Vec<String> =
        terms.map(|(edge, value)| format!("{}{}", sign(value), graph.edges()[edge].name)).collect();
    names.sort();
    names
}

#[test]
fn the_flexible_four_bar_is_figure_2() {
    let system = SystemGraph::new(&flexible_four_bar());
    let graph = &system.graph;
    let expected = [
        "ground",
        "crank",
        "crank.O",
        "crank.A",
        "coupler",
        "coupler.tip",
        "follower",
        "follower.tip",
        "ground.C",
    ];
    assert_eq!(graph.vertices(), expected);
    let works = graph.edges().iter().filter(|edge| edge.component == Component::VirtualWork).count();
    assert_eq!((graph.edges().len(), works), (20, 7));
    assert_eq!(ends(graph, "arm:crank.O"), ("crank", "crank.O", Component::RigidArm));
    assert_eq!(ends(graph, "arm:coupler.tip"), ("coupler", "coupler.tip", Component::FlexibleArm));
    assert_eq!(ends(graph, "at:ground.C"), ("ground", "ground.C", Component::PositionDriver));
    assert_eq!(ends(graph, "B"), ("coupler", "follower.tip", Component::Joint(JointClass::Turning)));
    assert_eq!(ends(graph, "body:follower"), ("ground", "follower", Component::Body));
    assert_eq!(ends(graph, "O:effort"), ("ground", "crank.O", Component::Force(ForceClass::Actuator)));
    assert_eq!(ends(graph, "B:work2"), ("ground", "follower.tip", Component::VirtualWork));
    assert!(graph.edge("O:work1").is_none());
    let tree = graph.tree().unwrap();
    let order: Vec<usize> = tree.branches.iter().chain(&tree.chords).copied().collect();
    let in_order = |(column, value): (usize, i32)| (order[column], value);
    // Eq. (9).
    let row = tree.branches.iter().position(|&edge| graph.edges()[edge].name == "C").unwrap();
    let terms = named(graph, cutset(graph, &tree).row(row).map(in_order));
    assert_eq!(terms, ["+B", "+B:work2", "+C", "+C:work2", "+body:follower"]);
    // Eq. (10).
    let row = tree.chords.iter().position(|&edge| graph.edges()[edge].name == "B").unwrap();
    let terms = named(graph, circuit(&cutset_chords(graph, &tree)).row(row).map(in_order));
    let expected = [
        "+A",
        "+B",
        "+O",
        "+arm:crank.A",
        "-C",
        "-arm:coupler.tip",
        "-arm:crank.O",
        "-arm:follower.tip",
        "-at:ground.C",
    ];
    assert_eq!(terms, expected);
    assert_eq!(system.loops(&tree), [[2, 3, 0, 1]]);
}

#[test]
fn arms_are_flexible_where_the_dynamics_move_the_frame() {
    let node = |name: &str, shift: f64| NodeDescription {
        name: name.into(),
        mass: 1.0,
        slopes: vec![[0.0; 3]],
        translations: vec![[0.0, shift, 0.0]],
        ..Default::default()
    };
    let modal = ModalDescription {
        modes: 1,
        nodes: vec![node("held", 0.0), node("moving", 0.1)],
        ..Default::default()
    };
    let plate = |name: &str| {
        let identity = RotationDescription::Identity;
        BodyDescription::modal(name, modal.clone())
            .frame_at("held", Place::Node("held".into()), [0.0; 3], identity.clone())
            .frame_at("moving", Place::Node("moving".into()), [0.1, 0.0, 0.0], identity)
            .frame("offset", [1.0, 0.0, 0.0])
    };
    let description = Description::new("arms")
        .body(plate("plate"))
        .body(plate("frozen").attachments(AttachmentRule::Frozen))
        .body(plate("ruthless").level(InertiaLevel::Ruthless))
        .body(plate("followed").level(InertiaLevel::Ruthless).attachments(AttachmentRule::Exact))
        .body(beam("beam", 2.0).station("root", 0.0).station("middle", 1.0));
    let mut description = description;
    for body in description.bodies.clone() {
        for at in &body.frames {
            let name = format!("{}-{}", body.name, at.name);
            description = description.force(&name, &format!("{}.{}", body.name, at.name), [1.0; 3], None);
        }
    }
    let graph = SystemGraph::new(&description).graph;
    let flexible: Vec<&str> = graph
        .edges()
        .iter()
        .filter(|edge| edge.component == Component::FlexibleArm)
        .map(|edge| edge.name.as_str())
        .collect();
    assert_eq!(flexible, ["arm:plate.moving", "arm:followed.moving", "arm:beam.tip", "arm:beam.middle"]);
    let rigid = graph.edges().iter().filter(|edge| edge.component == Component::RigidArm).count();
    assert_eq!(rigid, 15 - flexible.len());
}

#[test]
fn drivers_forces_and_elements_have_their_edges() {
    let spring = CoordinateDescription { stiffness: 1.0, ..Default::default() };
    let planar = vec![driven(), CoordinateDescription::default(), spring];
    let description = Description::new("forces")
        .ground_frame("wall", [1.0, 0.0, 0.0])
        .body(BodyDescription::rigid("a", 1.0, [1.0; 3]).frame("end", [1.0, 0.0, 0.0]))
        .body(BodyDescription::rigid("b", 1.0, [1.0; 3]))
        .joint(
            JointDescription::revolute("turn", ["ground.origin", "a.origin"], Y)
                .motion(TimeFunction::Constant(1.0)),
        )
        .joint(
            JointDescription::new("slide", JointKindDescription::Planar, ["a.end", "b.origin"])
                .coordinates(planar),
        )
        .force("push", "a.end", [1.0, 0.0, 0.0], None)
        .element("rope", SpringDamper::linear(1.0, 10.0, 0.0), ["ground.wall", "b.origin"])
        .element(
            "gear",
            Coupler { factors: [1.0, 1.0], offset: 0.0, stiffness: 1.0, damping: 0.0 },
            ["turn", "slide.x"],
        );
    let graph = SystemGraph::new(&description).graph;
    let names: Vec<&str> = graph.edges().iter().map(|edge| edge.name.as_str()).collect();
    let expected = [
        "arm:a.end",
        "at:ground.wall",
        "turn",
        "slide",
        "body:a",
        "body:b",
        "slide:spring",
        "slide:effort",
        "force:push",
        "rope",
        "gear:turn",
        "gear:slide",
        "turn:work2",
        "slide:work1",
        "slide:work2",
        "rope:work1",
        "rope:work2",
    ];
    assert_eq!(names, expected);
    assert_eq!(ends(&graph, "turn").2, Component::MotionDriver);
    assert_eq!(ends(&graph, "slide"), ("a.end", "b", Component::Joint(JointClass::Sliding)));
    assert_eq!(ends(&graph, "rope"), ("ground.wall", "b", Component::Force(ForceClass::Passive)));
    assert_eq!(ends(&graph, "gear:slide"), ("a.end", "b", Component::Force(ForceClass::Actuator)));
    assert_eq!(ends(&graph, "force:push"), ("ground", "a.end", Component::Force(ForceClass::Applied)));
}

fn random_kind(random: &mut Random) -> JointKindDescription {
    let at = axis(random.below(3));
    match random.below(8) {
        0 => JointKindDescription::Weld,
        1 => JointKindDescription::Prismatic { axis: at },
        2 => JointKindDescription::Cylindrical { axis: at },
        3 => JointKindDescription::Spherical,
        4 => JointKindDescription::Planar,
        5 => JointKindDescription::Free,
        _ => JointKindDescription::Revolute { axis: at },
    }
}

/// Bodies in a random tree with further joints that close loops, some driven, some with springs.
fn random_loops(seed: u64) -> Description {
    let mut random = Random(seed);
    let bodies = 1 + random.below(40);
    let mut description = Description::new("random").ground_frame("other", [1.0, 0.0, 0.0]);
    let name = |body: Option<usize>, end: &str| match body {
        Some(body) => format!("b{body}.{end}"),
        None => format!("ground.{}", if end == "out" { "other" } else { "origin" }),
    };
    for k in 0..bodies {
        description = description.body(bar(format!("b{k}")));
    }
    for k in 0..bodies + random.below(12) {
        let second = if k < bodies { k } else { random.below(bodies) };
        let below = random.below(second + 1);
        let first = (below < second).then_some(below);
        let kind = random_kind(&mut random);
        let ends = ["out", "origin"].map(|end| end.to_string());
        let between = [name(first, &ends[random.below(2)]), name(Some(second), &ends[random.below(2)])];
        let mut added = joint(format!("j{k}"), kind, between[0].clone(), between[1].clone());
        if random.below(4) == 0 && matches!(kind, JointKindDescription::Revolute { .. }) {
            added.coordinates = vec![driven()];
        } else if random.below(4) == 0 && matches!(kind, JointKindDescription::Prismatic { .. }) {
            added.coordinates = vec![CoordinateDescription { damping: 1.0, ..Default::default() }];
        }
        description = description.joint(added);
    }
    description
}

#[test]
fn frames_and_bodies_give_the_same_tree() {
    let mut loops = 0;
    for seed in 0..200 {
        let description = random_loops(seed);
        let body_of = |frame: &str| {
            let (body, _) = frame.split_once('.')?;
            description.bodies.iter().position(|known| known.name == body)
        };
        let edges: Vec<Edge> = description
            .joints
            .iter()
            .map(|joint| Edge {
                first: body_of(&joint.between[0]),
                second: body_of(&joint.between[1]),
                rank: joint_rank(joint),
            })
            .collect();
        let contracted = SpanningTree::new(description.bodies.len(), &edges);
        let system = SystemGraph::new(&description);
        let tree = system.graph.tree().unwrap();
        let chords: Vec<usize> =
            (0..edges.len()).filter(|&joint| !tree.is_branch(system.joints[joint])).collect();
        assert_eq!(chords, contracted.chords, "seed {seed}");
        for members in system.loops(&tree) {
            let chord = members[0];
            let (mut found, mut expected) = (members, contracted.loop_of(chord, edges[chord]));
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "seed {seed}");
            loops += 1;
        }
        // Absolute coordinates: no joint is left in the tree.
        let tree = system.graph.absolute_tree().unwrap();
        assert!(system.bodies.iter().all(|&body| tree.is_branch(body)));
        assert!(!system.joints.iter().any(|&joint| tree.is_branch(joint)));
    }
    assert!(loops > 500, "{loops} loops compared");
}

fn bars(number: usize) -> Description {
    (0..number).fold(Description::new("bars"), |system, k| system.body(bar(format!("b{k}"))))
}

fn hinges(mut description: Description, pairs: &[(&str, &str)]) -> Description {
    for (k, (first, second)) in pairs.iter().enumerate() {
        description = description.joint(JointDescription::revolute(&format!("j{k}"), [first, second], Y));
    }
    description
}

#[test]
fn gruebler_counts_known_mechanisms() {
    let count = |description: &Description| {
        let counted = gruebler(description).unwrap();
        let sizes: Vec<usize> = counted.loops.iter().map(|closed| closed.joints.len()).collect();
        (counted.degrees_of_freedom(), sizes)
    };
    let pendulum = hinges(bars(1), &[("ground.origin", "b0.origin")]);
    assert_eq!(count(&pendulum), (1, vec![]));
    // One freedom in the plane; in space a planar loop repeats three constraints.
    let four_bar = [
        ("ground.origin", "b0.origin"),
        ("b0.out", "b1.origin"),
        ("b1.out", "b2.out"),
        ("ground.c", "b2.origin"),
    ];
    let four_bar = hinges(bars(3).ground_frame("c", [1.0, 0.0, 0.0]), &four_bar);
    assert_eq!(count(&four_bar), (1 - 3, vec![4]));
    let double = [
        ("ground.origin", "b0.origin"),
        ("b0.out", "b1.origin"),
        ("b1.out", "b2.out"),
        ("ground.c", "b2.origin"),
        ("b2.out", "b3.origin"),
        ("b3.out", "b4.out"),
        ("ground.d", "b4.origin"),
    ];
    let double = hinges(bars(5).ground_frame("c", [1.0; 3]).ground_frame("d", [2.0; 3]), &double);
    assert_eq!(count(&double), (1 - 2 * 3, vec![4, 4]));
    // Bricard: six hinges, five bodies.
    let ring: Vec<(String, String)> = (0..6)
        .map(|k| {
            let first = if k == 0 { "ground.origin".into() } else { format!("b{}.out", k - 1) };
            (first, if k == 5 { "ground.c".into() } else { format!("b{k}.origin") })
        })
        .collect();
    let ring: Vec<(&str, &str)> = ring.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let bricard = hinges(bars(5).ground_frame("c", [1.0; 3]), &ring);
    assert_eq!(count(&bricard), (0, vec![6]));
    assert_eq!(gruebler(&bricard).unwrap().loops[0].freedoms, 6);
    // A spatial slider-crank holds exactly one freedom: 1 + 3 + 2 + 1 in a loop that takes six.
    let universal = JointKindDescription::Universal { axis: axis(0), axis2: axis(1) };
    let slider = hinges(bars(3), &[("ground.origin", "b0.origin")])
        .joint(JointDescription::spherical("ball", ["b0.out", "b1.origin"]))
        .joint(JointDescription::new("cross", universal, ["b1.out", "b2.out"]))
        .joint(JointDescription::prismatic("rail", ["ground.origin", "b2.origin"], axis(0)));
    assert_eq!(count(&slider), (1, vec![4]));
    let mut driven_crank = slider;
    driven_crank.joints[0].coordinates = vec![driven()];
    driven_crank = driven_crank.body(beam("spare", 1.0));
    let counted = gruebler(&driven_crank).unwrap();
    assert_eq!((counted.prescribed, counted.modal, counted.degrees_of_freedom()), (1, 2, 7));
}

/// Runs `work` where a call stack as deep as the tree would overflow.
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap();
    thread.join().unwrap();
}

/// A chain of bars; the datum, two frames per bar but one on the last.
fn chain(bodies: usize) -> Description {
    let mut description = Description::new("chain");
    for k in 0..bodies {
        let mut link = bar(format!("b{k}"));
        link.frames = vec![frame("tip", Place::Origin, [1.0, 0.0, 0.0])];
        description.bodies.push(link);
        let from = if k == 0 { "ground.origin".to_string() } else { format!("b{}.tip", k - 1) };
        let kind = JointKindDescription::Revolute { axis: axis(k) };
        description.joints.push(joint(format!("j{k}"), kind, from, format!("b{k}.origin")));
    }
    description
}

#[test]
fn a_chain_of_100_000_bodies_costs_linear_work() {
    on_small_stack(|| {
        let n = 100_000;
        let system = SystemGraph::new(&chain(n));
        let graph = &system.graph;
        assert_eq!(graph.vertices().len(), 2 * n);
        let tree = graph.tree().unwrap();
        assert!(system.joints.iter().all(|&joint| tree.is_branch(joint)));
        // Unit loads through the bodies: joint k balances those of all bodies outside it.
        let mut through = vec![0.0; graph.edges().len()];
        system.bodies.iter().for_each(|&body| through[body] = 1.0);
        let left = balance(graph, &tree, &through);
        for k in [0, 1, n / 2, n - 1] {
            let row = tree.branches.binary_search(&system.joints[k]).unwrap();
            assert_eq!(left[row], (n - k) as f64);
        }
        // Unit steps across the joints: the chord of body k misses those of all joints inside it.
        let mut across = vec![0.0; graph.edges().len()];
        system.joints.iter().for_each(|&joint| across[joint] = 1.0);
        let gaps = closure(graph, &tree, &across);
        for k in [0, 1, n / 2, n - 1] {
            let row = tree.chords.binary_search(&system.bodies[k]).unwrap();
            assert_eq!(gaps[row], -((k + 1) as f64));
        }
        // In absolute coordinates the matrices themselves are sparse: a joint sees its two bodies and
        // one arm, its virtual work the same without the other side.
        let tree = graph.absolute_tree().unwrap();
        let chords = cutset_chords(graph, &tree);
        assert_eq!(chords.entries(), 2 + 6 * (n - 1));
        assert_eq!(circuit(&chords).entries(), chords.entries() + tree.chords.len());
        assert!(gruebler(&chain(n)).unwrap().loops.is_empty());
    });
}
