//! Memory that models of many bodies take, read from plain text: every body and joint written out.

use crate::held_and_peak;
use flexura::file::build_text;
use std::fmt::Write;

/// A chain of `count` rigid links on hinges; 290 bytes each.
fn chain(count: usize) -> String {
    let settings = "[simulation]\nend = 0.1\n[output]\nchannels = [\"hinge1.*\"]\n";
    // Before the bodies, or behind them.
    let mut text = String::from(if count.is_multiple_of(4000) { "" } else { settings });
    for i in 1..=count {
        let carrier = if i == 1 { "ground.origin".into() } else { format!("link{}.tip", i - 1) };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "[[body]]\nname = \"link{i}\"\nmass = 0.2\ninertia = [1e-5, 1.667e-4, 1.667e-4]\ncenter_of_mass = [0.05, 0, 0]\n\
             frame = [{{ name = \"tip\", position = [0.1, 0, 0] }}]\n\
             [[joint]]\nname = \"hinge{i}\"\ntype = \"revolute\"\nbetween = [\"{carrier}\", \"link{i}.origin\"]\n\
             axis = [0, {}, {}]\ndamping = 1e-4",
            i % 2,
            (i + 1) % 2
        );
    }
    if count.is_multiple_of(4000) {
        text += settings;
    }
    text
}

/// Bytes per body of the built model alone, and most of all that is held while it is built beside the text.
fn per_body(count: usize) -> [f64; 2] {
    let text = chain(count);
    let mut model = None;
    let (_, peak) = held_and_peak(|| {
        let loaded = build_text(&text, "chain.toml").expect("a chain");
        model = Some(loaded.built.model);
    });
    let (freed, _) = held_and_peak(|| drop(model.take()));
    [-freed as f64 / count as f64, peak as f64 / count as f64]
}

/// Limits: 2 KB for a rigid body of the model, 5 KB while it is built; twice the bodies take twice as much.
#[test]
fn a_rigid_body_takes_two_kilobytes_and_five_while_it_is_built() {
    let found = [2000, 4000].map(per_body);
    println!("bytes per body of the model, and while it is built: {found:?}");
    for [model, peak] in found {
        assert!(model < 2048.0 && peak < 5.0 * 1024.0, "{found:?}");
    }
    for i in 0..2 {
        assert!(found[1][i] < 1.1 * found[0][i], "{found:?}");
    }
}
