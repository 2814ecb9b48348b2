//! Why there are no stresses.

use flexura_results::ResultsError;

/// Why stresses of a result cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StressError {
    /// The file has no rows of stresses.
    #[error(
        "{path} holds no stresses: put `stress = true` under [output] of the model and run it again (finite element parts and \
         beams have stresses; rigid bodies, and modes given by hand, have none)"
    )]
    NoStress {
        /// The result.
        path: String,
    },
    /// The rows cannot be read.
    #[error("the stresses in {path} are damaged ({reason}): run the model again")]
    Damaged {
        /// The result.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// The body has no rows.
    #[error("no stresses of a body `{name}`; bodies with stresses: {known}")]
    UnknownBody {
        /// The name asked for.
        name: String,
        /// Bodies that have them.
        known: String,
    },
    /// The modal coordinates of a body were not recorded.
    #[error(
        "{path} has rows of stresses of `{body}` but not its modal coordinates ({cause}): run the model again without \
         `picture = false` under [output]"
    )]
    NoCoordinates {
        /// The result.
        path: String,
        /// The body.
        body: String,
        /// What is missing.
        cause: ResultsError,
    },
    /// The body has no such node.
    #[error("body `{body}` has no node {node} with stresses: {help}")]
    UnknownNode {
        /// The body.
        body: String,
        /// The node as given.
        node: String,
        /// What there is.
        help: String,
    },
    /// The body has no such set.
    #[error("body `{body}` has no set `{set}`; its sets: {known}")]
    UnknownSet {
        /// The body.
        body: String,
        /// The set as given.
        set: String,
        /// What there is.
        known: String,
    },
    /// Nothing is left of a selection.
    #[error("body `{body}` has no stresses there: {help}")]
    Nothing {
        /// The body.
        body: String,
        /// What to do.
        help: String,
    },
    /// A file of gauges is wrong.
    #[error("{file}: {message}\n  = help: {help}")]
    Gauge {
        /// File.
        file: String,
        /// What is wrong.
        message: String,
        /// What to do about it.
        help: String,
    },
}
