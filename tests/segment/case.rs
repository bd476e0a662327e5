//! The cases of `tests/cases/segment`, and what was recorded of AutoByteus.

use crate::reading::{Emitted, as_in_javascript, emitted_line};
use crate::support::cases_of;
use serde::Deserialize;
use serde_json::Value;
use tokenweir::segment::{Markers, Options, Profile, Reasoning, Signatures};

/// One case. What it is called with is read in JavaScript alone.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    /// Where the truth comes from: for who reads the file.
    #[allow(dead_code, reason = "the key must be there")]
    source: String,
    pub input: String,
    strategy: Option<String>,
    order: Option<Vec<String>>,
    json_profile: Option<String>,
    fences: Option<String>,
    reasoning: Option<String>,
    max_pending: Option<u32>,
    tools: Option<Vec<String>>,
    events: String,
    #[serde(default)]
    pub errors: Vec<String>,
    #[allow(dead_code, reason = "the key is known, its value is for JavaScript")]
    call_errors: Option<Vec<String>>,
    #[allow(dead_code, reason = "the key is known, its value is for JavaScript")]
    invocations: Option<String>,
    #[allow(dead_code, reason = "the key is known, its value is for JavaScript")]
    repairs: Option<Vec<String>>,
}

pub fn cases() -> Vec<Case> {
    cases_of("segment", 400)
}

impl Case {
    /// How the case is read.
    pub fn options(&self) -> Options {
        let skips_code = self.fences.as_deref() == Some("text");
        let mut options = options(&self.strategy, &self.order, &self.json_profile, skips_code);
        options.reasoning = match self.reasoning.as_deref() {
            None | Some("parts") => Reasoning::Parts,
            Some("text") => Reasoning::Text,
            Some("search") => Reasoning::Search,
            Some(other) => panic!("{other} is no way to read reasoning"),
        };
        options.longest = self.max_pending.unwrap_or(options.longest);
        for tool in self.tools.iter().flatten() {
            options.add_tool(tool);
        }
        options
    }

    /// The events as the case has them; each line has its span if the case has one.
    pub fn expected(&self) -> Vec<Emitted> {
        self.events.lines().filter(|line| !line.is_empty()).map(emitted_line).collect()
    }
}

/// One text for AutoByteus, and its events.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    pub name: String,
    strategy: String,
    #[serde(rename = "jsonProfile")]
    json_profile: Option<String>,
    order: Option<Vec<String>>,
    pub text: String,
    events: Vec<Value>,
    #[allow(dead_code, reason = "the key is known, its value is for JavaScript")]
    invocations: Value,
}

impl Recorded {
    pub fn options(&self) -> Options {
        options(&Some(self.strategy.clone()), &self.order, &self.json_profile, false)
    }

    pub fn expected(&self) -> Vec<Value> {
        self.events.iter().cloned().map(as_in_javascript).collect()
    }
}

/// All records, each name prefixed with its file.
pub fn recorded() -> Vec<Recorded> {
    let mut all = Vec::new();
    for file in ["segments", "segments-more"] {
        let path = format!("{}/tests/cases/{file}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut lines = text.lines();
        let about: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
        let cases: Vec<Recorded> =
            lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{path}: {error}"))).collect();
        assert_eq!(about["count"], cases.len(), "{path}");
        all.extend(cases.into_iter().map(|case| Recorded { name: format!("{file}/{}", case.name), ..case }));
    }
    all
}

fn options(
    strategy: &Option<String>,
    order: &Option<Vec<String>>,
    profile: &Option<String>,
    skips_code: bool,
) -> Options {
    let strategy = strategy.as_deref().unwrap_or("xml").to_lowercase();
    let looked: Vec<&str> = match order {
        Some(order) => order.iter().map(String::as_str).collect(),
        None => match strategy.as_str() {
            "xml" => vec!["xml_tag"],
            "json" => vec!["json_tool"],
            "sentinel" => vec!["sentinel"],
            "api_tool_call" | "native" => vec![],
            other => panic!("{other} is not a strategy"),
        },
    };
    let mut markers = Markers { skips_code, ..Markers::NONE };
    for marker in looked {
        *match marker {
            "xml_tag" => &mut markers.xml,
            "json_tool" => &mut markers.json,
            "sentinel" => &mut markers.sentinel,
            other => panic!("{other} is not a marker"),
        } = true;
    }
    let profile = match profile.as_deref() {
        None | Some("default") => Profile::Default,
        Some("openai") => Profile::OpenAi,
        Some("gemini") => Profile::Gemini,
        Some(other) => panic!("{other} is not a profile"),
    };
    let mut options = Options::default();
    options.markers = markers;
    options.signatures = Signatures::of(profile);
    options
}
