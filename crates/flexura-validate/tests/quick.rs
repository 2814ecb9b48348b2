//! The fast part of all cases but the slowest: no quantity may fail. `flexura validate` runs everything.

use flexura_validate::{
    CASES, Case, CaseOutcome, Context, Fault, Group, Options, PHYSICS, Quantity, Trust, Verdict, find,
    run_all, run_case,
};

/// Left out: even their fast part takes seconds.
const SLOW: [&str; 4] =
    ["lugris-double-four-bar", "slider-crank-tiso", "lateral-buckling", "right-angle-cantilever"];

#[test]
fn no_quantity_of_the_fast_cases_fails() {
    assert!(SLOW.iter().all(|id| find(id).is_some()), "a case was renamed");
    let cases: Vec<&'static Case> = CASES.iter().filter(|case| !SLOW.contains(&case.id)).copied().collect();
    let options = Options { quick: true, ..Options::default() };
    let outcomes = run_all(&cases, &options, &|_| {});
    let ids = |outcomes: &[CaseOutcome]| outcomes.iter().map(|outcome| outcome.id).collect::<Vec<_>>();
    assert_eq!(ids(&outcomes), cases.iter().map(|case| case.id).collect::<Vec<_>>());
    for outcome in &outcomes {
        let failed: Vec<&Quantity> =
            outcome.quantities.iter().filter(|quantity| !quantity.verdict.is_good()).collect();
        println!("{}: {} quantities in {:.1} s", outcome.id, outcome.quantities.len(), outcome.seconds);
        assert!(failed.is_empty(), "{}: {failed:#?}", outcome.id);
        let passed = outcome.count(Verdict::Pass);
        assert!(passed > 0, "{}: nothing was judged", outcome.id);
        assert!(outcome.quantities.iter().all(|quantity| !quantity.reason.is_empty()), "{}", outcome.id);
        assert!(outcome.quantities.iter().all(|quantity| quantity.trust.is_some()), "{}", outcome.id);
    }
    comparisons_are_between_different_computations(&outcomes);
}

/// Two programs that compute the same differ by rounding: where all differences are exactly zero, nothing was compared.
fn comparisons_are_between_different_computations(outcomes: &[CaseOutcome]) {
    for start in [
        "divide and conquer against articulated bodies",
        "accelerations by divide and conquer",
        "accelerations by composite bodies",
        "accelerations by linear graph",
        "linear graph against articulated bodies",
        "energy balance",
    ] {
        let all = outcomes.iter().flat_map(|outcome| &outcome.quantities);
        let values: Vec<f64> =
            all.filter(|quantity| quantity.name.starts_with(start)).map(|quantity| quantity.value).collect();
        assert!(values.iter().any(|value| *value > 0.0), "{start}: {values:?}");
    }
}

/// What cannot be computed is a failure with its reason, not a gap.
#[test]
fn a_case_that_breaks_down_fails() {
    fn broken(_: &mut Context) -> Result<(), Fault> {
        Err(Fault("no model".into()))
    }
    static CASE: Case = Case { run: broken, ..*CASES[0] };
    let outcome = run_case(&CASE, &Options::default(), &|_| {});
    assert_eq!(outcome.count(Verdict::Fail), 1);
    assert!(outcome.quantities[0].reason.contains("no model"));
}

/// A tolerance above 2 % stands beside a quantity of the same model that is met within 2 %, or the case fails: none named, one that is wide
/// itself, one that is missed, one that was computed here, and, where everything is computed, one that is missing.
#[test]
fn wide_tolerances_need_a_reference_of_the_same_model() {
    fn wide(context: &mut Context) -> Result<(), Fault> {
        let relative =
            |name: &str, tolerance: f64| Quantity::new(name, "m", 1.005).relative(1.0, tolerance, "told");
        context.judge(relative("narrow", 0.01));
        context.judge(relative("missed", 0.001).expected_to_fail());
        context.judge(relative("own", 0.01).regression());
        context.judge(relative("good", 0.08).beside("narrow"));
        context.judge(relative("lone", 0.08));
        for other in ["good", "missed", "own", "absent"] {
            context.judge(relative(&format!("beside {other}"), 0.08).beside(other));
        }
        Ok(())
    }
    static CASE: Case = Case { run: wide, ..*CASES[0] };
    for (quick, faults) in [
        (true, &["lone", "beside good", "beside missed", "beside own"][..]),
        (false, &["lone", "beside good", "beside missed", "beside own", "beside absent"]),
    ] {
        let outcome = run_case(&CASE, &Options { quick, ..Options::default() }, &|_| {});
        let failed = outcome.quantities.iter().filter(|quantity| quantity.verdict == Verdict::Fail);
        let failed: Vec<&str> =
            failed.map(|quantity| quantity.name.trim_end_matches(": reference of the same model")).collect();
        assert_eq!(failed, faults);
    }
}

/// A case hears whether only its fast part is wanted; its quantities get its source, properties their group.
#[test]
fn cases_hear_what_is_wanted_and_label_what_they_find() {
    fn telling(context: &mut Context) -> Result<(), Fault> {
        let quick = if context.quick { 1.0 } else { 0.0 };
        context.judge(Quantity::new("quick", "1", quick).without_reference("told"));
        let property = Quantity::new("property", "1", 0.0).at_most(0.01, "told");
        context.judge(property.source(PHYSICS, Trust::T1));
        Ok(())
    }
    static CASE: Case = Case { run: telling, ..*CASES[0] };
    for (quick, value) in [(true, 1.0), (false, 0.0)] {
        let outcome = run_case(&CASE, &Options { quick, ..Options::default() }, &|_| {});
        let [told, property] = &outcome.quantities[..] else { panic!("{outcome:?}") };
        assert_eq!((told.value, told.verdict, told.group), (value, Verdict::NoReference, Group::Reference));
        assert_eq!((told.source.as_str(), told.trust), (CASE.source, Some(CASE.trust)));
        assert_eq!((property.verdict, property.group), (Verdict::Pass, Group::Property));
    }
}
