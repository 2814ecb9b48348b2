//! Why a result cannot be shown.

use flexura_results::ResultsError;

/// Why a result cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The result file cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),

    /// The result was recorded without a picture of its model.
    #[error("{path} holds no picture: put `picture = true` under [output] of the model and run it again")]
    NoPicture {
        /// The result file.
        path: String,
    },

    /// The picture is no text that can be read.
    #[error("the picture in {path} is damaged: {cause}")]
    DamagedPicture {
        /// The result file.
        path: String,
        /// What the reader of its text says.
        cause: serde_json::Error,
    },

    /// A channel that the picture needs was not recorded.
    #[error("the picture in {path} is incomplete: {cause}")]
    IncompletePicture {
        /// The result file.
        path: String,
        /// Which channel.
        cause: ResultsError,
    },

    /// The picture asks for more than was recorded.
    #[error(
        "the picture in {path} is damaged: its bodies ask for {asked} modes or poses, the file has {known} channels"
    )]
    CrowdedPicture {
        /// The result file.
        path: String,
        /// What the picture asks for.
        asked: u64,
        /// Channels of the file.
        known: usize,
    },

    /// Nothing was recorded so far.
    #[error("{path} holds no rows yet")]
    NoRows {
        /// The result file.
        path: String,
    },

    /// Not even two instants fit into a page.
    #[error(
        "geometry and page alone take {megabytes:.1} MB: raise --budget, or look at the result without --save"
    )]
    OverBudget {
        /// What the page takes without any row (MB).
        megabytes: f64,
    },
}
