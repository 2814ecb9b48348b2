//! Every case of the project's list is registered, complete and documented.

use flexura_validate::{CASES, find};

/// The cases that the project promises.
const PROMISED: [&str; 42] = [
    "fdca-bar",
    "fdca-two-link",
    "soa-counts",
    "lugris-double-four-bar",
    "lugris-suspension",
    "lugris-vehicle",
    "flexnet-four-bar",
    "flexnet-panels",
    "iftomm-pendulum",
    "iftomm-four-bar-chain",
    "iftomm-andrews",
    "iftomm-bricard",
    "heavy-top",
    "slider-crank-3d",
    "spin-up",
    "rotating-beam",
    "beam-modes",
    "plate-modes",
    "slider-crank-simeon",
    "slider-crank-tiso",
    "iftomm-four-bar",
    "lateral-buckling",
    "elastica",
    "bend-45",
    "princeton-beam",
    "rubber-pendulum",
    "flying-spaghetti",
    "right-angle-cantilever",
    "torsion-rod",
    "rayleigh-shaft",
    "mode-convergence",
    "follower-columns",
    "whirl-damping",
    "mathieu-column",
    "iltis-handling",
    "sleeping-top",
    "rolling",
    "rssr-spin",
    "flyball-governor",
    "screws",
    "gears",
    "wound-spring",
];

#[test]
fn every_promised_case_is_registered_once() {
    for id in PROMISED {
        assert_eq!(CASES.iter().filter(|case| case.id == id).count(), 1, "{id}");
        assert!(find(id).is_some());
    }
}

/// Names of earlier versions lead to the same cases.
#[test]
fn earlier_names_are_found() {
    for (earlier, now) in [
        ("seed000-bar", "fdca-bar"),
        ("seed001-counts", "soa-counts"),
        ("seed002-vehicle", "lugris-vehicle"),
        ("seed003-panels", "flexnet-panels"),
        ("a03-andrews", "iftomm-andrews"),
    ] {
        assert_eq!(find(earlier).map(|case| case.id), Some(now));
    }
    assert!(find("seed004").is_none());
}

#[test]
fn model_files_of_cases_exist() {
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for case in CASES {
        for name in case.models {
            assert!(models.join(name).exists(), "{}: models/{name}", case.id);
        }
    }
}

/// `flexura validate --chapter book/src/validation_cases.md` writes the chapter.
#[test]
fn the_chapter_of_the_book_has_every_case() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/validation_cases.md");
    let chapter = std::fs::read_to_string(path).expect("the chapter");
    for case in CASES {
        assert!(chapter.contains(&format!("<a id=\"{}\"></a>", case.id)), "{}", case.id);
        assert!(chapter.contains(case.title), "{}", case.id);
    }
}
