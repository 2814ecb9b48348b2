//! Formulas of the linear graph: against hand derivations, and as C and Rust that is compiled and run.

use crate::common::mechanisms::flexible_four_bar;
use flexura::formulation::graph::Equations;
use flexura::formulation::graph::symbolic::{Language, Symbolic};
use flexura::model::description::*;
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, evaluate};
use std::fmt::Write;
use std::process::Command;

const G: f64 = 9.81;

fn vertical(name: &str) -> Description {
    Description::new(name).gravity([0.0, -G, 0.0])
}

/// Mass 2 kg at 0.7 m, inertia 0.3 kg m² about it.
fn pendulum() -> Description {
    let body = BodyDescription::rigid("bob", 2.0, [0.1, 0.2, 0.3]).frame("pivot", [-0.7, 0.0, 0.0]);
    vertical("pendulum").body(body).joint(JointDescription::revolute(
        "hinge",
        ["ground.origin", "bob.pivot"],
        [0.0, 0.0, 1.0],
    ))
}

/// Rods of 1 and 0.8 m, centres of mass in their middles.
fn double_pendulum() -> Description {
    let rod = |name: &str, mass: f64, inertia: f64, length: f64| {
        BodyDescription::rigid(name, mass, [inertia; 3])
            .frame("in", [-0.5 * length, 0.0, 0.0])
            .frame("out", [0.5 * length, 0.0, 0.0])
    };
    vertical("double pendulum")
        .body(rod("upper", 1.5, 0.2, 1.0))
        .body(rod("lower", 1.1, 0.15, 0.8))
        .joint(JointDescription::revolute("shoulder", ["ground.origin", "upper.in"], [0.0, 0.0, 1.0]))
        .joint(JointDescription::revolute("elbow", ["upper.out", "lower.in"], [0.0, 0.0, 1.0]))
}

/// Cart of 3 kg on a slide along x, pendulum of 2 kg at 0.5 m.
fn cart() -> Description {
    vertical("cart")
        .body(BodyDescription::rigid("cart", 3.0, [1.0; 3]))
        .body(BodyDescription::rigid("bob", 2.0, [0.2, 0.2, 0.25]).frame("pivot", [0.0, 0.5, 0.0]))
        .joint(JointDescription::prismatic("slide", ["ground.origin", "cart.origin"], [1.0, 0.0, 0.0]))
        .joint(JointDescription::revolute("hinge", ["cart.origin", "bob.pivot"], [0.0, 0.0, 1.0]))
}

/// Repeatable numbers between −1 and 1.
fn numbers(count: usize, seed: f64) -> Vec<f64> {
    (0..count).map(|i| ((i as f64 + 1.0) * 12.9898 + 78.233 * seed).sin()).collect()
}

/// Largest difference of the formulas from M̂ (row by row) and Q of a hand derivation, over 20 states.
fn differs(symbolic: &Symbolic, hand: impl Fn(&[f64], &[f64]) -> (Vec<f64>, Vec<f64>)) -> f64 {
    let n = symbolic.speeds.len();
    (0..20).fold(0.0, |worst: f64, k| {
        let (q, u) = (numbers(n, 3.0 * k as f64), numbers(n, 0.5 + k as f64));
        let found = symbolic.evaluate(&q, &u);
        let (mass, force) = hand(&q, &u);
        let pairs = found.mass.iter().zip(&mass).chain(found.force.iter().zip(&force));
        pairs.fold(worst, |worst, (a, b)| worst.max((a - b).abs()))
    })
}

fn symbolic(description: Description) -> (Model, Symbolic) {
    let name = description.name.clone();
    let model = description.build().unwrap_or_else(|e| panic!("{name}: {e}")).model;
    let formulas = Symbolic::generate(&model).unwrap_or_else(|e| panic!("{name}: {e}"));
    (model, formulas)
}

#[test]
fn a_pendulum_is_the_textbook_equation() {
    let (_, formulas) = symbolic(pendulum());
    let worst = differs(&formulas, |q, _| (vec![0.3 + 2.0 * 0.49], vec![-2.0 * G * 0.7 * q[0].cos()]));
    assert!(worst < 1e-13, "{worst:.1e}");
    // 0.3 + 2 · 0.7² = 1.28; 2 · 9.81 · 0.7 = 13.734.
    let expected = "  q1 = hinge.angle\n  u1 = hinge.rate\nM[1,1] = 1.28\nQ[1] = -13.734 cos(q1)\n";
    assert_eq!(formulas.text(), expected);
    assert!(formulas.latex().contains("Q{}_{1} &= -13.734\\,\\cos q_{1} \\\\"), "{}", formulas.latex());
}

/// Lagrange: T = ½(I₁ + m₁l₁²/4 + m₂l₁²)u₁² + ½(I₂ + m₂l₂²/4)(u₁+u₂)² + ½ m₂l₁l₂ u₁(u₁+u₂) cos q₂.
#[test]
fn a_double_pendulum_is_lagranges() {
    let (_, formulas) = symbolic(double_pendulum());
    let worst = differs(&formulas, |q, u| {
        let (m1, m2, i1, i2, l1, l2) = (1.5, 1.1, 0.2, 0.15, 1.0, 0.8);
        let (inner, outer) = (i1 + m1 * l1 * l1 / 4.0 + m2 * l1 * l1, i2 + m2 * l2 * l2 / 4.0);
        let (cross, turning) = (0.5 * m2 * l1 * l2 * q[1].cos(), 0.5 * m2 * l1 * l2 * q[1].sin());
        let mass = vec![inner + outer + 2.0 * cross, outer + cross, outer + cross, outer];
        let far = m2 * G * l2 / 2.0 * (q[0] + q[1]).cos();
        let near = (m1 / 2.0 + m2) * G * l1 * q[0].cos();
        let force =
            vec![turning * (2.0 * u[0] * u[1] + u[1] * u[1]) - near - far, -turning * u[0] * u[0] - far];
        (mass, force)
    });
    assert!(worst < 1e-12, "{worst:.1e}");
    let text = formulas.text();
    // inner + outer = 1.675 + 0.326, cross 0.44 cos q₂.
    assert!(text.contains("M[1,1] = 2.001 + 0.88 cos(q2)\n"), "{text}");
    assert!(text.contains("M[1,2] = 0.326 + 0.44 cos(q2)\n"), "{text}");
}

/// M = [m₁+m₂, m₂l cos; m₂l cos, I + m₂l²] with the bob below the cart, Q = [m₂l u₂² sin, −m₂gl sin].
#[test]
fn a_cart_with_a_pendulum_is_the_textbook_equation() {
    let (_, formulas) = symbolic(cart());
    let worst = differs(&formulas, |q, u| {
        let (c, s, arm) = (q[1].cos(), q[1].sin(), 2.0 * 0.5);
        (vec![5.0, arm * c, arm * c, 0.25 + 2.0 * 0.25], vec![arm * s * u[1] * u[1], -arm * G * s])
    });
    assert!(worst < 1e-13, "{worst:.1e}");
    assert!(formulas.text().contains("M[1,2] = cos(q2)\n"), "{}", formulas.text());
}

/// A ball joint: quaternions in the formulas.
fn spherical() -> Description {
    let body = BodyDescription::rigid("top", 1.3, [0.02, 0.03, 0.05]).frame("foot", [0.1, -0.2, -0.4]);
    vertical("top")
        .body(body)
        .joint(JointDescription::spherical("ball", ["ground.origin", "top.foot"]).speed(&[0.4, -1.0, 7.0]))
}

/// States along a closed mechanism or at random, with accelerations of the engine.
fn states(model: &Model) -> Vec<(State, Vec<f64>, Vec<f64>)> {
    let mut list = Vec::new();
    let mut state = State::initial(model, 0.0);
    let mut integrator =
        flexura::integrate::Integrator::new(model, &crate::common::mechanisms::tolerance(1e-9));
    let mut work = Workspace::new(model);
    for _ in 0..4 {
        apply_prescribed(model, &mut state, Some(&mut work.load));
        evaluate(model, &state, &mut work).expect("regular");
        list.push((state.clone(), work.load.acceleration.clone(), work.accelerations.chidot.clone()));
        let end = state.time + 2e-4;
        while state.time < end {
            integrator.step(model, &mut state, &mut work, end).expect("regular");
        }
    }
    list
}

fn values(list: &[f64]) -> String {
    list.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ")
}

/// A program around the code that prints the accelerations at all states, one per line.
fn program(formulas: &Symbolic, language: Language, states: &[(State, Vec<f64>, Vec<f64>)]) -> String {
    let mut text = formulas.code(language);
    text += if language == Language::C { "#include <stdio.h>\nint main(void)\n{\n" } else { "fn main() {\n" };
    for (state, given, _) in states {
        let (q, u, given) = (values(&state.q), values(&state.v), values(given));
        let _ = match language {
            Language::C => writeln!(
                text,
                "{{ const double q[] = {{{q}}}, u[] = {{{u}}}, given[] = {{{given}}}; double a[SPEEDS], l[ROWS + 1];\n\
                 if (accelerations(q, u, given, a, l)) return 1;\n\
                 for (int i = 0; i < SPEEDS; i++) printf(\"%.17g\\n\", a[i]); }}"
            ),
            Language::Rust => writeln!(
                text,
                "let (mut a, mut l) = ([0.0; SPEEDS], [0.0; ROWS]);\n\
                 assert!(accelerations(&[{q}], &[{u}], &[{given}], &mut a, &mut l));\n\
                 for x in a {{ println!(\"{{x:e}}\"); }}"
            ),
        };
    }
    text + if language == Language::C { "return 0;\n}\n" } else { "}\n" }
}

/// Compiles, runs and reads the numbers.
fn compiled(source: &str, language: Language, name: &str) -> Vec<f64> {
    let folder =
        std::env::temp_dir().join(format!("flexura-equations-{}-{name}-{language:?}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (file, compiler) = match language {
        Language::C => ("code.c", std::env::var("CC").unwrap_or_else(|_| "cc".into())),
        Language::Rust => ("code.rs", std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into())),
    };
    let (path, out) = (folder.join(file), folder.join("code"));
    std::fs::write(&path, source).expect("writable");
    let mut command = Command::new(&compiler);
    match language {
        Language::C => {
            command.args(["-std=c99", "-Wall", "-Werror", "-O1"]).arg(&path).arg("-o").arg(&out).arg("-lm")
        }
        Language::Rust => {
            command.args(["--edition", "2024", "-A", "warnings"]).arg(&path).arg("-o").arg(&out)
        }
    };
    let built = command.output().unwrap_or_else(|e| panic!("{compiler}: {e}"));
    assert!(built.status.success(), "{name}: {}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&out).output().expect("runs");
    assert!(run.status.success(), "{name}: {run:?}");
    let _ = std::fs::remove_dir_all(&folder);
    String::from_utf8_lossy(&run.stdout).lines().map(|line| line.parse().expect("a number")).collect()
}

/// Accelerations of compiled code are those of the engine: trees, quaternions, flexible bodies, prescribed motion, closed loops.
#[test]
fn compiled_code_has_the_accelerations_of_the_engine() {
    for description in [double_pendulum(), spherical(), flexible_four_bar()] {
        let (model, formulas) = symbolic(description);
        let states = states(&model);
        let expected: Vec<f64> = states.iter().flat_map(|(_, _, a)| a.clone()).collect();
        let size = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for language in [Language::C, Language::Rust] {
            let name = model.name.replace(' ', "-");
            let found = compiled(&program(&formulas, language, &states), language, &name);
            assert_eq!(found.len(), expected.len());
            let worst = found.iter().zip(&expected).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            let counts = formulas.program.counts();
            println!("{name}, {language:?}: {:.1e} of {size:.1e}, {counts:?}", worst / size);
            assert!(worst <= 1e-12 * size, "{name}, {language:?}: {:.1e}", worst / size);
        }
    }
}

/// Numbers that count what is done with them, in place of those of generated code.
const COUNTING: &str = r#"
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
static PRODUCTS: AtomicUsize = AtomicUsize::new(0);
static ADDITIONS: AtomicUsize = AtomicUsize::new(0);
static ROOTS: AtomicUsize = AtomicUsize::new(0);
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub struct N(f64);
impl N { fn sqrt(self) -> N { ROOTS.fetch_add(1, Relaxed); N(self.0.sqrt()) } }
impl std::ops::Mul for N { type Output = N; fn mul(self, o: N) -> N { PRODUCTS.fetch_add(1, Relaxed); N(self.0 * o.0) } }
impl std::ops::Div for N { type Output = N; fn div(self, o: N) -> N { PRODUCTS.fetch_add(1, Relaxed); N(self.0 / o.0) } }
impl std::ops::AddAssign for N { fn add_assign(&mut self, o: N) { ADDITIONS.fetch_add(1, Relaxed); self.0 += o.0; } }
impl std::ops::SubAssign for N { fn sub_assign(&mut self, o: N) { ADDITIONS.fetch_add(1, Relaxed); self.0 -= o.0; } }
fn equations(_: &[N], _: &[N], mass: &mut [N], _: &mut [N], jacobian: &mut [N], _: &mut [N]) {
    for i in 0..SPEEDS { for j in 0..SPEEDS { mass[i * SPEEDS + j] = N(if i == j { 4.0 } else { 1.0 / (1 + i + j) as f64 }); } }
    for (i, x) in jacobian.iter_mut().enumerate() { *x = N((1.0 + (i * i) as f64).sin()); }
}
fn main() {
    let given = [N(1.0); SPEEDS];
    assert!(accelerations(&[], &[], &given, &mut [N(1.0); SPEEDS], &mut [N(1.0); ROWS]));
    for count in [&PRODUCTS, &ADDITIONS, &ROOTS] { println!("{}", count.load(Relaxed)); }
}
"#;

/// Operations said to solve the system are those that the generated solver does.
#[test]
fn operations_of_the_solver_are_counted() {
    let (_, known) = symbolic(double_pendulum());
    for (prescribed, rows) in [(vec![false, false], 0), (vec![false, true, false, false, false], 3)] {
        let mut formulas = known.clone();
        formulas.speeds = prescribed.iter().map(|_| "speed".into()).collect();
        (formulas.prescribed, formulas.rows) = (prescribed, rows);
        let code = known.code(Language::Rust);
        let solver = &code[code.find("/// Accelerations and multipliers").expect("a solver")..];
        let solver = solver
            .replace("0.0_f64", "0.0")
            .replace("f64", "N")
            .replace("0.0", "N(0.0)")
            .replace("1e-11", "N(1e-11)");
        let free: Vec<usize> = (0..formulas.speeds.len()).filter(|&i| !formulas.prescribed[i]).collect();
        let sizes = [("SPEEDS", formulas.speeds.len()), ("FREE", free.len()), ("ROWS", rows)];
        let mut text = sizes.map(|(name, value)| format!("const {name}: usize = {value};\n")).concat();
        let _ = writeln!(text, "const FREE_SPEEDS: [usize; FREE] = {free:?};");
        let found = compiled(&(text + COUNTING + &solver), Language::Rust, &format!("counted-{rows}"));
        // The choice of a pivot divides twice per row that is left, and once more.
        let pivots: usize = (1..=rows).map(|left| 2 * left + 1).sum();
        let counts = formulas.solution_counts();
        let said = [counts.products + pivots, counts.additions, counts.functions].map(|count| count as f64);
        assert_eq!(found, said, "{rows} rows");
    }
}

/// Formulas are those of the numbers at any state, in absolute coordinates too.
#[test]
fn formulas_are_the_numbers_in_any_coordinates() {
    let mut absolute = double_pendulum();
    absolute.graph.tree = TreeChoice::Absolute;
    for description in [absolute, flexible_four_bar(), spherical()] {
        let (model, formulas) = symbolic(description);
        for (state, ..) in states(&model) {
            let (found, known) = (formulas.evaluate(&state.q, &state.v), Equations::generate(&model, &state));
            for (a, b) in [
                (&found.mass, &known.mass),
                (&found.force, &known.force),
                (&found.jacobian, &known.jacobian),
                (&found.right, &known.right),
            ] {
                let size = b.iter().fold(1e-300_f64, |most, x| most.max(x.abs()));
                assert!(a.iter().zip(b.iter()).all(|(x, y)| (x - y).abs() <= 1e-12 * size), "{}", model.name);
            }
        }
    }
}

/// What is no formula of the state is refused, by what it is.
#[test]
fn what_depends_on_time_is_refused() {
    let mut driven = flexible_four_bar();
    driven.graph.cut = vec!["drive".into()];
    let model = driven.build().expect("builds").model;
    let text = Symbolic::generate(&model).expect_err("depends on time");
    assert!(text.contains("`drive`") && text.contains("cut"), "{text}");
}
