//! The cases of `tests/cases/tool_call`, as far as they need no schema: which
//! calls are made, what comes out as text, and what is wrong.

use crate::support::cases_of;
use serde::Deserialize;
use std::collections::BTreeMap;
use tokenweir::tool_call::{Options, Reasoning};

/// Tools of a case that names none.
const BASE: [&str; 5] = ["get_weather", "add", "tags", "write_file", "nested"];

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    #[allow(dead_code, reason = "the key must be there")]
    source: String,
    protocol: String,
    tools: Option<Vec<String>>,
    #[serde(default)]
    own: BTreeMap<String, toml::Value>,
    #[serde(default)]
    options: BTreeMap<String, toml::Value>,
    input: Option<String>,
    json_input: Option<String>,
    #[serde(default)]
    expand: bool,
    parts: String,
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    repairs: Vec<String>,
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub is_morph: bool,
    pub options: Options,
    pub on_malformed: String,
    /// Whether values stay what they were written as.
    pub keeps_values: bool,
    pub input: String,
    /// Texts, neighbouring ones joined, and names of calls.
    pub said: Vec<String>,
    /// The JSON of the calls.
    pub inputs: Vec<String>,
    /// Reasons and segments.
    pub errors: Vec<(String, String)>,
    pub repairs: Vec<String>,
}

/// All cases that a string in Rust can hold.
pub fn cases() -> Vec<Case> {
    cases_of("tool_call", 420).into_iter().filter_map(read).collect()
}

fn read(case: Written) -> Option<Case> {
    // Half a surrogate pair isn't text in Rust.
    let parsed = |json: &str| serde_json::from_str::<String>(json).ok();
    let input = case.input.clone().or_else(|| parsed(case.json_input.as_ref().unwrap()))?;
    let expand = |text: &str| if case.expand { expanded(text) } else { text.to_owned() };
    let input = expand(&input);
    let (mut said, mut inputs): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for line in expand(&case.parts).lines().filter(|line| !line.is_empty()) {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        match kind {
            "text" => join(&mut said, &parsed(rest)?),
            "reasoning" => said.push(format!("reasoning {}", parsed(rest)?)),
            "call" | "invalid" => {
                let (name, rest) = word(rest);
                said.push(format!("{kind} {name}"));
                if kind == "call" {
                    inputs.push(rest.to_owned());
                }
            }
            "start" | "delta" | "end" => {}
            other => panic!("{}: what is {other}?", case.name),
        }
    }
    let errors = case.errors.iter().map(|line| {
        let line = expand(line);
        let (reason, rest) = line.split_once(' ').unwrap();
        let (_, segment) = word(rest);
        let segment = if segment == "*" { input.clone() } else { serde_json::from_str(segment).unwrap() };
        (reason.to_owned(), segment)
    });
    let errors = errors.collect();
    let text = |values: &BTreeMap<String, toml::Value>, key: &str| {
        values.get(key).and_then(|value| value.as_str()).map(str::to_owned)
    };
    let tools: Vec<String> = case.tools.clone().unwrap_or_else(|| BASE.map(str::to_owned).to_vec());
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    let is_morph = case.protocol == "morph";
    let start = text(&case.own, "toolCallStart").unwrap_or("<tool_call>".to_owned());
    let end = text(&case.own, "toolCallEnd").unwrap_or("</tool_call>".to_owned());
    let mut options = if is_morph { Options::morph(&tools) } else { Options::hermes_between(&start, &end).unwrap() };
    options.line_prefixed = case.own.get("linePrefixed").and_then(toml::Value::as_bool) == Some(true);
    if !is_morph {
        options = options.with_tools(&tools);
        options.rejects_unknown = text(&case.options, "unknownTools").as_deref() == Some("text");
    }
    let is_inside = case.options.get("startWithThinking").and_then(toml::Value::as_bool) == Some(true);
    options.reasoning = match text(&case.options, "reasoning").as_deref() {
        // Reasoning in the text is for JavaScript.
        Some("text") => return None,
        Some("search") => Reasoning::Search,
        _ if is_inside => Reasoning::Inside,
        _ => Reasoning::Skip,
    };
    options.skips_code = text(&case.options, "fences").as_deref() == Some("text");
    if let Some(longest) = case.options.get("maxPending").and_then(toml::Value::as_integer) {
        options.longest = u32::try_from(longest).unwrap();
    }
    Some(Case {
        is_morph,
        options,
        on_malformed: text(&case.options, "onMalformed").unwrap_or("text".to_owned()),
        keeps_values: !is_morph && case.options.get("coerce").and_then(toml::Value::as_bool) == Some(false),
        input,
        said,
        inputs,
        errors,
        repairs: case.repairs,
        name: case.name,
    })
}

/// Adds a text to what was said.
pub fn join(said: &mut Vec<String>, text: &str) {
    match said.last_mut() {
        Some(last) if last.starts_with("text ") => last.push_str(text),
        _ => said.push(format!("text {text}")),
    }
}

/// A name, quoted where it has to be, and the text after it.
fn word(text: &str) -> (String, &str) {
    if !text.starts_with('"') {
        let (name, rest) = text.split_once(' ').unwrap();
        return (name.to_owned(), rest);
    }
    let mut words = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let name = words.next().unwrap().unwrap();
    (name, text[words.byte_offset()..].trim_start())
}

/// `⟪x*9⟫` stands for nine x.
fn expanded(text: &str) -> String {
    let mut parts = text.split('⟪');
    let mut whole = parts.next().unwrap().to_owned();
    for part in parts {
        let (inside, rest) = part.split_once('⟫').unwrap();
        let (unit, count) = inside.rsplit_once('*').unwrap();
        whole.push_str(&unit.repeat(count.parse().unwrap()));
        whole.push_str(rest);
    }
    whole
}
