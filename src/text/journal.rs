//! What a parser was fed since the start of its stream: with its options, all that its state follows from.

/// How far a stream is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub(super) enum Stage {
    /// Nothing was fed, not even an empty chunk: what the prompt began is not read yet.
    #[default]
    New,
    Open,
    Finished,
}

impl Stage {
    pub(super) const ALL: [Stage; 3] = [Stage::New, Stage::Open, Stage::Finished];

    pub(super) fn name(self) -> &'static str {
        match self {
            Stage::New => "new",
            Stage::Open => "open",
            Stage::Finished => "finished",
        }
    }
}

/// What a parser was fed since the start of its stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    pub(super) stage: Stage,
    /// The chunks, joined.
    pub(super) text: String,
}
