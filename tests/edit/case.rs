//! The cases of `tests/cases/edit`.

use crate::support::cases_of;
use serde::Deserialize;
use tokenweir::edit::{Format, Options};

/// One case. Its lines are those of `reading.rs`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    /// Where the truth comes from: for who reads the file.
    #[allow(dead_code, reason = "the key must be there")]
    source: String,
    pub input: String,
    formats: Option<Vec<String>>,
    path: Option<String>,
    #[serde(default)]
    whole: bool,
    /// The reason that the stream ends with.
    #[serde(default)]
    pub finish: Option<String>,
    pub events: String,
}

pub fn cases() -> Vec<Case> {
    cases_of("edit", 80)
}

impl Case {
    /// How the case is read.
    pub fn options(&self) -> Options {
        let named = |name: &String| Format::ALL.into_iter().find(|format| format.name() == name).unwrap();
        let formats = self.formats.as_ref().map(|names| names.iter().map(named).collect());
        let all = Options::default();
        Options { formats: formats.unwrap_or(all.formats.clone()), path: self.path.clone(), whole: self.whole, ..all }
    }

    /// Whether the model had finished. Of the reasons only these are in cases.
    pub fn has_finished(&self) -> bool {
        matches!(self.finish.as_deref(), Some("stop" | "end_turn" | "tool_calls"))
    }
}
