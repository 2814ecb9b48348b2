//! Errors of dynamics and simulation.

/// Why an algorithm cannot give an answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DynamicsError {
    /// The modal mass of a body is not positive definite any more.
    #[error(
        "the modal mass of body `{body}` is not positive definite at mode {mode}: deformation beyond the linear \
         limit; use level = \"full\" or more segments"
    )]
    ModalMassLost {
        /// Body.
        body: String,
        /// Mode, counted from one.
        mode: usize,
    },
    /// A joint direction has no inertia.
    #[error(
        "joint `{joint}` moves no inertia in one of its directions (body `{body}` and all it carries): give the \
         body mass and inertia, or prescribe or remove the direction"
    )]
    SingularJoint {
        /// Joint.
        joint: String,
        /// Body it carries.
        body: String,
    },
    /// The mass matrix would not fit.
    #[error(
        "the composite-body method needs a dense {speeds} × {speeds} mass matrix, above the limit of {limit} speeds: \
         use the articulated-body algorithm"
    )]
    TooLargeForComposite {
        /// Number of speeds of the model.
        speeds: usize,
        /// Limit.
        limit: usize,
    },
    /// A number is not finite.
    #[error("accelerations are not finite at t = {time} s: first at {item}")]
    NotFinite {
        /// Time [s].
        time: f64,
        /// The item.
        item: String,
    },
}
