//! Errors of dynamics and simulation.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why an algorithm cannot give an answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DynamicsError {
    /// The modal mass of a body is not positive definite any more.
    #[error("the modal mass of body `{body}` is not positive definite at mode {mode}")]
    ModalMassLost {
        /// Body.
        body: String,
        /// Mode, counted from one.
        mode: usize,
    },
    /// The inertia of a flexible body is not positive definite any more.
    #[error("the inertia that flexible body `{body}` shows to joint `{joint}` is not positive")]
    InertiaLost {
        /// Joint.
        joint: String,
        /// Body it carries.
        body: String,
    },
    /// A joint direction has no inertia.
    #[error(
        "joint `{joint}` moves no positive inertia in one of its directions (body `{body}` and all it carries)"
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
    /// Conjugate gradients do not converge.
    #[error(
        "conjugate gradients have not converged in {iterations} iterations (share of the residual left: {left:.1e}): \
         masses or stiffnesses of the model differ too much for them; use the articulated-body algorithm"
    )]
    GradientsStalled {
        /// Iterations made.
        iterations: usize,
        /// What is left of the residual.
        left: f64,
    },
    /// The articulated-body pass has not left the factors of the whole mass matrix.
    #[error(
        "the innovations factorisation needs an articulated-body evaluation with all speeds free on the direct \
         route (Workspace::with_route with FlexibleRoute::Direct)"
    )]
    NoFactors,
    /// A disc that should roll on its rim lies flat.
    #[error(
        "the disc of rolling joint `{joint}` lies flat on its plane and has no lowest point: let the run stop before (an event), \
         or model the contact by an element"
    )]
    FlatDisc {
        /// Joint.
        joint: String,
    },
    /// A number is not finite.
    #[error(
        "the acceleration of {item} is not a finite number: the motion has become unstable or an input is"
    )]
    NotFinite {
        /// The item.
        item: String,
    },
    /// A loop does not close.
    #[error(
        "the loop closed by joint `{joint}` cannot be closed: a gap of {gap:.3e} (m or rad) remains around the joints \
         {members}; check lengths and positions, or the mechanism has reached a position it cannot pass"
    )]
    OpenLoop {
        /// Joint that closes the loop.
        joint: String,
        /// Joints around the loop.
        members: String,
        /// Largest violation.
        gap: f64,
    },
    /// The model has something that the chosen formulation does not know.
    #[error("{cause}")]
    Unsupported {
        /// What, where, and what to do.
        cause: String,
    },
    /// A control law of the user or of another program gave up.
    #[error("controller `{controller}`: {cause}")]
    Law {
        /// Controller.
        controller: String,
        /// What the law said.
        cause: String,
    },
    /// Another rank of a run found no answer; it says itself why.
    #[error("rank {rank} of the run found no answer: its own message says why")]
    Elsewhere {
        /// The rank.
        rank: usize,
    },
    /// Another rank of a run is gone.
    #[error("{cause}")]
    RankLost {
        /// What is known of it.
        cause: String,
    },
    /// Newton's iteration of an implicit step did not converge.
    #[error("the implicit step did not converge: use a smaller step")]
    NewtonFailed,
    /// Error control asked for a step below rounding.
    #[error("the step size fell below rounding: the motion is too stiff or has a singularity here")]
    StepTooSmall,
}

/// Why a simulation ended early; everything recorded before stays valid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The equations of motion have no answer.
    #[error("at t = {time} s: {cause}{}", after(near))]
    Dynamics {
        /// Time (s).
        time: f64,
        /// Cause.
        cause: DynamicsError,
        /// Where to look first, for causes that name no body or loop themselves.
        near: Option<String>,
    },
    /// The results could not be written.
    #[error("cannot write results: {0}")]
    Output(SinkError),
    /// A channel of an event or output pattern does not exist.
    #[error("{0}")]
    Channel(String),
    /// A checkpoint is not of this run.
    #[error("the checkpoint does not fit the model or its settings: {0}")]
    Checkpoint(String),
    /// Span or rows of the run make no sense.
    #[error("{0}")]
    Settings(String),
    /// Whoever takes the steps elsewhere, such as a device, could not go on.
    #[error("{0}")]
    Elsewhere(String),
    /// The system could not start the threads asked for.
    #[error("cannot start the threads of divide and conquer: {0}; ask for fewer")]
    Threads(String),
}

impl SimulationError {
    /// A dynamics error at `time` (s).
    pub fn dynamics(time: f64, cause: DynamicsError) -> Self {
        Self::Dynamics { time, cause, near: None }
    }
}

/// Why rows or a checkpoint could not be kept: what their destination says.
///
/// ```
/// let full = std::io::Error::other("the disk is full");
/// assert_eq!(flexura::SinkError::new(full).to_string(), "the disk is full");
/// ```
#[derive(Clone, Debug)]
pub struct SinkError(Arc<dyn Error + Send + Sync>);

impl SinkError {
    /// The error of a destination; a text is one as well.
    pub fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(cause.into().into())
    }
}

impl fmt::Display for SinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for SinkError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Equal where they say the same.
impl PartialEq for SinkError {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

fn after(near: &Option<String>) -> String {
    near.as_ref().map_or(String::new(), |near| format!("; {near}"))
}
