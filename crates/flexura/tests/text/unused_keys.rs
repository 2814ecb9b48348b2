//! Keys that a choice made elsewhere leaves without effect are named.

use flexura::file::build_text;

fn warnings(settings: &str) -> Vec<String> {
    let text = format!(
        "[[body]]\nname = \"rod\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\n\
         between = [\"ground.origin\", \"rod.origin\"]\n[simulation]\nend = 1\nmethod = \"trapezoidal\"\nstep = 0.01\n{settings}"
    );
    let loaded = build_text(&text, "rod.toml").unwrap_or_else(|errors| panic!("{errors}"));
    loaded.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn an_algorithm_that_the_formulation_does_not_use_is_named() {
    let algorithm = "algorithm = \"divide-and-conquer\"\nleaf_bodies = 2\n";
    for formulation in ["", "formulation = \"global\"\n"] {
        assert!(warnings(formulation).is_empty(), "{:?}", warnings(formulation));
        let found = warnings(&format!("{formulation}{algorithm}"));
        assert!(
            found.iter().any(|text| text.contains("`algorithm` has no effect")),
            "{formulation}: {found:?}"
        );
    }
    let found = warnings(&format!("formulation = \"global\"\n{algorithm}"));
    assert!(found.iter().any(|text| text.contains("`leaf_bodies` has no effect")), "{found:?}");
}
