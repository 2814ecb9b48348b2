//! The fast part of all cases but the slowest: no quantity may fail. `flexura validate` runs everything.

use flexura_validate::{CASES, Case, Options, Quantity, Verdict, find, run_all};

/// Left out: even their fast part takes seconds.
const SLOW: [&str; 4] =
    ["seed002-double-four-bar", "slider-crank-tiso", "lateral-buckling", "right-angle-cantilever"];

#[test]
fn no_quantity_of_the_fast_cases_fails() {
    assert!(SLOW.iter().all(|id| find(id).is_some()), "a case was renamed");
    let cases: Vec<&'static Case> = CASES.iter().filter(|case| !SLOW.contains(&case.id)).copied().collect();
    let options = Options { quick: true, ..Options::default() };
    for outcome in run_all(&cases, &options, &|_| {}) {
        let failed: Vec<&Quantity> =
            outcome.quantities.iter().filter(|quantity| !quantity.verdict.is_good()).collect();
        println!("{}: {} quantities in {:.1} s", outcome.id, outcome.quantities.len(), outcome.seconds);
        assert!(failed.is_empty(), "{}: {failed:#?}", outcome.id);
        let passed = outcome.count(Verdict::Pass);
        assert!(passed > 0, "{}: nothing was judged", outcome.id);
        assert!(outcome.quantities.iter().all(|quantity| !quantity.reason.is_empty()), "{}", outcome.id);
        assert!(outcome.quantities.iter().all(|quantity| quantity.trust.is_some()), "{}", outcome.id);
    }
}

/// What cannot be computed is a failure with its reason, not a gap.
#[test]
fn a_case_that_breaks_down_fails() {
    fn broken(_: &mut flexura_validate::Context) -> Result<(), flexura_validate::Fault> {
        Err(flexura_validate::Fault("no model".into()))
    }
    static CASE: Case = Case { run: broken, ..*CASES[0] };
    let outcome = flexura_validate::run_case(&CASE, &Options::default(), &|_| {});
    assert_eq!(outcome.count(Verdict::Fail), 1);
    assert!(outcome.quantities[0].reason.contains("no model"));
}
