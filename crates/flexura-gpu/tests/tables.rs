//! The places in the tables that lowering writes are those that the kernels read.

use flexura::lower::words;

/// Numbers of the names of the enumeration in the header that begins with `first`.
fn enumeration(first: &str) -> Vec<String> {
    let headers = ["tables.h", "paths.h", "loads.h"];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels");
    let text: String =
        headers.iter().map(|name| std::fs::read_to_string(folder.join(name)).expect("a header")).collect();
    let body = text
        .split("enum {")
        .skip(1)
        .filter_map(|part| part.split('}').next())
        .find(|body| body.trim_start().starts_with(first))
        .unwrap_or_else(|| panic!("no enumeration of {first}"));
    body.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

#[test]
fn words_of_types_stand_in_the_order_of_the_header() {
    let names = enumeration("T_KIND");
    assert_eq!(names.len(), words::TYPE_WORDS + 1, "and the number of words");
    let camel = |name: &str| -> String {
        let parts = name.trim_start_matches("T_").split('_');
        parts.map(|part| part[..1].to_owned() + &part[1..].to_lowercase()).collect()
    };
    use words::TypeWord as W;
    let own = [
        W::Kind,
        W::Dof,
        W::Nq,
        W::Reversed,
        W::Fixed,
        W::Turns,
        W::Modes,
        W::Level,
        W::ParentModes,
        W::Outer,
        W::Inner,
        W::ParentInner,
        W::Prescribed,
        W::Law,
        W::Stiffness,
        W::Damping,
        W::Influence,
        W::Rule,
        W::ParentRule,
        W::Rows,
        W::Curved,
        W::Residual,
        W::Carriers,
        W::Angular1,
        W::JointAt,
        W::MassAt,
        W::StiffnessAt,
        W::DampingAt,
        W::LawAt,
        W::OuterAt,
        W::InnerAt,
        W::ParentInnerAt,
        W::InfluenceAt,
        W::InboardAt,
        W::PlacesAt,
        W::FunctionsAt,
    ];
    for (place, (name, word)) in names.iter().zip(own).enumerate() {
        assert_eq!(word as usize, place);
        assert_eq!(camel(name), format!("{word:?}"), "place {place}");
    }
}

#[test]
fn sizes_are_those_of_the_header() {
    assert_eq!(enumeration("S_TYPE").len(), words::SLOT_WORDS + 1);
    assert_eq!(enumeration("LN_PROGRAM").len(), words::LANE_WORDS + 1);
    assert_eq!(enumeration("B_SLOT").len(), words::BRANCH_WORDS + 1);
    assert_eq!(enumeration("Y_Q").len(), words::LAYOUT_WORDS + 1);
    assert_eq!(enumeration("N_LEFT").len(), words::NODE_WORDS + 1);
    let last = |first: &str| enumeration(first).last().cloned().unwrap_or_default();
    assert_eq!(last("E_INERTIA"), format!("E_ALL = {}", words::NODE_FIELDS));
    assert_eq!(last("O_ROTATION"), format!("O_ALL = {}", words::POSE_FIELDS));
    assert_eq!(last("H_ROTATION"), format!("H_ALL = {}", words::PATH_FIELDS));
    assert_eq!(last("N_WRENCH"), format!("N_MODAL = {}", words::END));
    assert_eq!(enumeration("F_LANE").len(), words::FRAME_WORDS + 1);
    // Kind, numbers, function, axes; each frame stands for its words.
    assert_eq!(enumeration("W_KIND").len() - 1 - 2 + 2 * words::FRAME_WORDS, words::LOAD_WORDS);
    assert_eq!(last("K_ROTATION"), format!("K_COLUMNS = {}", words::LINK));
    assert_eq!(
        enumeration("KEPT"),
        [
            format!("KEPT = {}", words::KEPT),
            format!("ON_PATH = {}", words::ON_PATH),
            format!("BASE = {}", words::BASE),
            format!("SHOWN = {}", words::SHOWN)
        ]
    );
}
