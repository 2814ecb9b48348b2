//! Derivatives say by which method they were followed, where it is not the file's.

use flexura::analysis::{Parameter, sensitivity};
use flexura::file::build_text;

fn method(settings: &str) -> String {
    let text = format!(
        "[[body]]\nname = \"rod\"\nmass = 1\ncenter_of_mass = [0.5, 0, 0]\ninertia = [1, 1, 1]\n[[joint]]\nname = \"hinge\"\n\
         type = \"revolute\"\naxis = [0, 1, 0]\nbetween = [\"ground.origin\", \"rod.origin\"]\n[simulation]\nend = 0.1\noutput_interval = 0.05\n{settings}"
    );
    let built = build_text(&text, "rod.toml").unwrap_or_else(|errors| panic!("{errors}")).built;
    let parameter = Parameter::of_file(&text, "rod.toml", "rod.mass").expect("a parameter");
    sensitivity(&built, &[parameter], &["hinge.angle".to_string()]).expect("derivatives").method
}

#[test]
fn the_method_that_stands_in_is_named() {
    assert_eq!(method("method = \"rk4\"\nstep = 0.01\n"), "rk4");
    let fixed = "method = \"trapezoidal\"\nstep = 0.01\n";
    assert!(method(fixed).ends_with("in place of trapezoidal"), "{}", method(fixed));
    let global = method(&format!("{fixed}formulation = \"global\"\n"));
    assert!(global.starts_with("dormand-prince (relative tolerance 1e-9)"), "{global}");
    assert!(global.ends_with("in place of trapezoidal in the global formulation"), "{global}");
}
