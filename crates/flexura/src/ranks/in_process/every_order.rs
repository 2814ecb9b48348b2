//! Gathers of two ranks in every order of their events (loom); `scripts/sanitize loom` runs it.

use super::InProcess;
use crate::ranks::Ranks;
use loom::thread;

/// Numbers of `ranks` in the `round`-th gather, and what all of them give.
fn gather(ranks: &InProcess, round: usize) -> Result<[f64; 3], crate::ranks::RankLost> {
    let given = |rank: usize| (100 * round + 10 * rank) as f64;
    let own: &[f64] = if ranks.rank() == 0 { &[given(0)] } else { &[given(1), given(1) + 1.0] };
    let mut all = [0.0; 3];
    ranks.all_gather(own, &[1, 2], &mut all)?;
    assert_eq!(all, [given(0), given(1), given(1) + 1.0], "round {round} of rank {}", ranks.rank());
    Ok(all)
}

#[test]
fn no_number_of_the_next_gather_is_read_in_this_one() {
    loom::model(|| {
        let mut group = InProcess::group(2);
        let (other, first) = (group.pop().expect("two"), group.pop().expect("two"));
        let thread = thread::spawn(move || {
            gather(&other, 1).expect("all are here");
            gather(&other, 2).expect("all are here");
            // Stays until the end: whoever goes ends the others' waits.
            other
        });
        gather(&first, 1).expect("all are here");
        gather(&first, 2).expect("all are here");
        thread.join().expect("no panic");
    });
}

#[test]
fn nobody_waits_for_a_rank_that_goes() {
    loom::model(|| {
        let mut group = InProcess::group(2);
        let (other, first) = (group.pop().expect("two"), group.pop().expect("two"));
        let thread = thread::spawn(move || gather(&other, 1).is_ok());
        // The other's numbers arrive or its end does, and after its end no gather goes on.
        let _ = gather(&first, 1);
        assert!(first.barrier().is_err());
        thread.join().expect("no panic");
    });
}
