//! Passes over consecutive bodies at the same time.
//!
//! Bodies are halved down to chunks, which own consecutive parts of all vectors. The
//! chunks, and the order in which their results are added, depend on the model only: the
//! same bits for any number of threads.
//!
//! Time O(n/p + log n) on p threads.

use crate::model::{Model, layout_of};
use std::ops::Range;

/// Bodies that one thread takes at a time: some microseconds of work.
fn chunk(model: &Model) -> usize {
    if model.layout.modal == 0 { 256 } else { 32 }
}

/// What the entries of a vector belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    Bodies,
    Speeds,
    Joints,
    Modes,
    ModalSquares,
    Attachments,
    Influences,
    Scratch,
    /// An empty vector.
    Nothing,
}

impl Along {
    /// First entry of body `k`.
    fn offset(self, model: &Model, k: usize) -> usize {
        let part = layout_of(model, k);
        match self {
            Self::Bodies => k,
            Self::Speeds => part.v,
            Self::Joints => part.joint,
            Self::Modes => part.modal,
            Self::ModalSquares => part.modal_square,
            Self::Attachments => part.attachment,
            Self::Influences => part.influence,
            Self::Scratch => part.scratch,
            Self::Nothing => 0,
        }
    }
}

/// The part of a vector that belongs to consecutive bodies.
pub(super) struct Part<'a, T> {
    entries: &'a mut [T],
    along: Along,
    base: usize,
}

impl<'a, T> Part<'a, T> {
    /// All of `entries`.
    pub fn new(entries: &'a mut [T], along: Along) -> Self {
        Self { entries, along, base: 0 }
    }

    /// Entries `range` of the whole vector.
    #[inline(always)]
    pub fn at(&mut self, range: Range<usize>) -> &mut [T] {
        &mut self.entries[range.start - self.base..range.end - self.base]
    }

    /// The entry of body `k` in a vector with one per body.
    #[inline(always)]
    pub fn of(&mut self, k: usize) -> &mut T {
        &mut self.entries[k - self.base]
    }
}

/// Data of consecutive bodies.
pub(super) trait Cut: Sized + Send {
    /// What belongs to the bodies before `middle` and from it on.
    fn cut(self, model: &Model, middle: usize) -> (Self, Self);
}

impl<T: Send> Cut for Part<'_, T> {
    fn cut(self, model: &Model, middle: usize) -> (Self, Self) {
        let at = self.along.offset(model, middle);
        let (near, far) = self.entries.split_at_mut(at - self.base);
        let along = self.along;
        (Self { entries: near, along, base: self.base }, Self { entries: far, along, base: at })
    }
}

macro_rules! cut_tuple {
    ($($name:ident)+) => {
        impl<$($name: Cut),+> Cut for ($($name,)+) {
            #[allow(non_snake_case)] // names of types serve as those of values
            fn cut(self, model: &Model, middle: usize) -> (Self, Self) {
                let ($($name,)+) = self;
                $(let $name = $name.cut(model, middle);)+
                (($($name.0,)+), ($($name.1,)+))
            }
        }
    };
}
impl Cut for () {
    fn cut(self, _: &Model, _: usize) -> ((), ()) {
        ((), ())
    }
}

cut_tuple!(A B);
cut_tuple!(A B C);
cut_tuple!(A B C D E F G);

/// Runs `work` on every chunk of `bodies`; `add` puts the results of two neighbours together.
pub(super) fn over_bodies<D: Cut, R: Send>(
    model: &Model,
    bodies: Range<usize>,
    data: D,
    parallel: bool,
    work: &(impl Fn(Range<usize>, D) -> R + Sync),
    add: &(impl Fn(R, R) -> R + Sync),
) -> R {
    if bodies.len() <= chunk(model) {
        return work(bodies, data);
    }
    let middle = bodies.start + bodies.len() / 2;
    let (near, far) = data.cut(model, middle);
    let (one, other) = super::parallel::both(
        parallel,
        || over_bodies(model, bodies.start..middle, near, parallel, work, add),
        || over_bodies(model, middle..bodies.end, far, parallel, work, add),
    );
    add(one, other)
}

/// [`over_bodies`] for all bodies, without results.
pub(super) fn for_all_bodies<D: Cut>(
    model: &Model,
    data: D,
    parallel: bool,
    work: &(impl Fn(Range<usize>, D) + Sync),
) {
    over_bodies(model, 0..model.body_count(), data, parallel, work, &|(), ()| ());
}
