//! The cases of `tests/formats/cases`, read by the parser for Rust programs, whole and at every cut: text, reasoning,
//! calls with their names, ids and arguments.
//!
//! Rust has no schemas. So a value that the case's schema makes a number, a list or an object is compared with the
//! text that the model wrote (`reads_as`), and cases whose calls depend on the schema are counted by a rule (`Needs`).

use crate::rows::ALL;
use crate::support::thin::thinness;
use crate::support::{cut, places};
use crate::tool_calls::{self, read};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use tokenweir::format::Format;
use tokenweir::tool_call::{Event, EventKind, Options, ToolCallParser, Why};

#[derive(Clone, Debug, Deserialize)]
struct Call {
    name: String,
    arguments: Value,
    id: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Tool {
    name: String,
    #[serde(default)]
    parameters: Value,
}

#[derive(Debug, Deserialize)]
struct Case {
    format: String,
    name: String,
    text: String,
    tools: Option<Vec<Tool>>,
    content: Option<String>,
    reasoning: Option<String>,
    calls: Vec<Call>,
    prefill: Option<String>,
}

impl Case {
    fn options(&self) -> Options {
        let format = Format::find(&self.format).unwrap_or_else(|| panic!("no format {}", self.format));
        let tools: Vec<&str> = self.tools.iter().flatten().map(|tool| tool.name.as_str()).collect();
        let mut options = Options::formats(&[format]).with_tools(&tools);
        options.prefill.clone_from(&self.prefill);
        options
    }
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/cases");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let texts = paths.iter().map(|path| std::fs::read_to_string(path).unwrap());
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    let cases: Vec<Case> = lines.map(|line| serde_json::from_str(&line).unwrap()).collect();
    assert!(cases.len() > 900, "{} cases: they are not where they should be", cases.len());
    cases
}

/// What a program keeps of a reply.
#[derive(Debug, Default, PartialEq)]
struct Reply {
    text: String,
    reasoning: String,
    calls: Vec<(String, Option<String>, String)>,
}

fn reply(events: &[Event]) -> Reply {
    let mut reply = Reply::default();
    let mut is_others = false;
    for event in events {
        match &event.kind {
            EventKind::Fail(why) => is_others = matches!(why, Why::MadeUp | Why::Foreign),
            // No text of the model's turn.
            EventKind::Failed(_) if is_others => {}
            EventKind::Text(text) | EventKind::Failed(text) => reply.text.push_str(text),
            EventKind::Reasoning(text) => reply.reasoning.push_str(text),
            // Messages stand one below the other.
            EventKind::Markup => reply.text.push('\n'),
            EventKind::CallDone { name, id, arguments, .. } => {
                reply.calls.push((name.clone(), id.clone(), arguments.clone()));
            }
            _ => {}
        }
    }
    reply
}

/// The events, with neighbouring pieces joined, and neighbouring markup.
fn joined(events: &[Event]) -> Vec<Event> {
    let mut all = tool_calls::joined(events);
    all.dedup_by(|next, last| {
        let is_markup = (&next.kind, &last.kind) == (&EventKind::Markup, &EventKind::Markup);
        if is_markup {
            last.span.end = next.span.end;
        }
        is_markup
    });
    all
}

/// Texts are compared without white space: cases come from programs that trim it.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a value is the expected one, or the text of it.
fn reads_as(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            found.len() == expected.len()
                && expected.iter().all(|(key, value)| found.get(key).is_some_and(|found| reads_as(found, value)))
        }
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len() && found.iter().zip(expected).all(|(found, value)| reads_as(found, value))
        }
        (Value::String(_), Value::String(_)) => found == expected,
        // As JSON, or as a literal of Python that is JSON but for its quotes.
        (Value::String(text), _) => [text.clone(), text.replace('\'', "\"")]
            .iter()
            .any(|text| serde_json::from_str(text).is_ok_and(|value: Value| reads_as(&value, expected))),
        (Value::Number(found), Value::Number(expected)) => found.as_f64() == expected.as_f64(),
        _ => found == expected,
    }
}

fn difference(case: &Case, found: &Reply) -> Option<String> {
    let has_ids = case.calls.iter().all(|call| call.id.is_some());
    let is_same = |(name, id, arguments): &(String, Option<String>, String), call: &Call| {
        let value: Value = serde_json::from_str(arguments).unwrap_or_else(|error| panic!("{arguments}: {error}"));
        *name == call.name && (!has_ids || *id == call.id) && reads_as(&value, &call.arguments)
    };
    let calls = found.calls.len() == case.calls.len()
        && found.calls.iter().zip(&case.calls).all(|(found, call)| is_same(found, call));
    let same =
        |found: &str, expected: &Option<String>| expected.as_ref().is_none_or(|text| squeezed(text) == squeezed(found));
    let (text, reasoning) = (same(&found.text, &case.content), same(&found.reasoning, &case.reasoning));
    (!calls || !text || !reasoning).then(|| {
        format!(
            "{} | {} (calls {calls}, text {text}, reasoning {reasoning})\n  {:?}\n  {found:?}\n  {:?}",
            case.format,
            case.name,
            case.text,
            (&case.content, &case.reasoning, &case.calls)
        )
    })
}

/// Why a case is read otherwise without a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    /// A call lacks an argument that its tool requires.
    Required,
    /// The tool has no such argument, or writes it in another case.
    Listed,
    /// A tag in a value ends it if the schema lists its name.
    Closing,
    /// Values of one name are a list if the schema says so.
    List,
    /// All arguments are one text: of YAML, or of the tool's only argument.
    OneText,
    /// A name that only JavaScript's objects have is refused.
    Markup,
}

/// Cases that the package reads otherwise, too: tests/pkg/formats-reading.test.mjs.
const OTHERWISE: [&str; 3] = ["nemotron | odd-element", "nemotron | cut-second", "lfm2 | cut-second"];

/// What a case that is read otherwise needs, by what was read.
fn needs(case: &Case, found: &Reply) -> Option<Needs> {
    let row = ALL.iter().find(|row| row.id == case.format)?;
    let repairs = row.texts("repairs");
    let calls = || found.calls.iter().map(|(name, _, json)| (name, serde_json::from_str::<Value>(json).unwrap()));
    let schema = |name: &str| {
        let tool = case.tools.iter().flatten().find(|tool| tool.name == name);
        tool.map_or(Value::Null, |tool| tool.parameters.clone())
    };
    let lacks = |name: &str, arguments: &Value| {
        let required = schema(name)["required"].as_array().cloned().unwrap_or_default();
        required.iter().any(|key| arguments.get(key.as_str().unwrap()).is_none())
    };
    let is_strange = |name: &str, arguments: &Value| {
        let schema = schema(name);
        let listed = schema["properties"].as_object().cloned().unwrap_or_default();
        arguments.as_object().is_some_and(|arguments| arguments.keys().any(|key| !listed.contains_key(key)))
    };
    let is_list = |value: &Value| value.as_object().is_some_and(|members| members.values().any(Value::is_array));
    if calls().any(|(_, arguments)| arguments.is_string()) {
        Some(Needs::OneText)
    } else if calls().any(|(name, arguments)| lacks(name, &arguments)) {
        Some(Needs::Required)
    } else if repairs.iter().any(|repair| repair == "drop-unsafe-markup") && case.calls.is_empty() {
        Some(Needs::Markup)
    } else if calls().any(|(name, arguments)| is_strange(name, &arguments)) {
        Some(Needs::Listed)
    } else if found.calls.len() == case.calls.len() && case.calls.iter().any(|call| is_list(&call.arguments)) {
        Some(Needs::List)
    } else if found.calls.is_empty() && squeezed(&found.text) == squeezed(&case.text.replace("</think>", "")) {
        Some(Needs::Closing)
    } else {
        None
    }
}

#[test]
fn cases_are_read_as_they_are_written() {
    let (mut wrong, mut counts) = (Vec::new(), BTreeMap::new());
    for case in cases() {
        let found = reply(&read(&case.options(), [case.text.as_str()]));
        let name = format!("{} | {}", case.format, case.name);
        let Some(difference) = difference(&case, &found) else {
            assert!(!OTHERWISE.contains(&name.as_str()), "{name} is read as it is written");
            continue;
        };
        match needs(&case, &found) {
            _ if OTHERWISE.contains(&name.as_str()) => {}
            Some(needs) => *counts.entry(needs).or_insert(0) += 1,
            None => wrong.push(difference),
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    // A case more is a fault until somebody has looked at it.
    let listed = [
        (Needs::Required, 12),
        (Needs::Listed, 7),
        (Needs::Closing, 8),
        (Needs::List, 1),
        (Needs::OneText, 7),
        (Needs::Markup, 3),
    ];
    assert_eq!(counts, BTreeMap::from(listed));
}

/// Asserts that the spans of texts, markers and segments tile a text. Withheld calls end with the stream.
fn assert_tiled(case: &Case, events: &[Event]) {
    let is_tile = |kind: &EventKind| {
        let is_text = matches!(kind, EventKind::Text(_) | EventKind::Failed(_) | EventKind::Reasoning(_));
        let is_tag = matches!(kind, EventKind::ReasoningStart | EventKind::ReasoningEnd | EventKind::ReasoningRestart);
        is_text || is_tag || matches!(kind, EventKind::Markup | EventKind::End)
    };
    let spans = events.iter().filter(|event| is_tile(&event.kind)).map(|event| (event.span.start, event.span.end));
    let mut spans: Vec<_> = spans.filter(|(start, end)| start < end).collect();
    spans.sort_unstable();
    let end = spans.iter().try_fold(0, |at, &(start, end)| (at == start).then_some(end));
    let units = case.text.encode_utf16().count() as u64;
    assert_eq!(end, Some(units), "{} | {}: {events:#?}", case.format, case.name);
}

#[test]
fn cuts_of_cases_change_nothing() {
    for case in cases() {
        let (options, text) = (case.options(), case.text.as_str());
        let whole = joined(&read(&options, [text]));
        assert_tiled(&case, &whole);
        let places = places(text);
        let same = |pieces: Vec<&str>| {
            let events = joined(&read(&options, pieces.iter().copied()));
            assert_eq!(events, whole, "{} | {} as {pieces:?}", case.format, case.name);
        };
        same(cut(text, &places));
        let step = thinness() + places.len() / 400;
        for (at, &place) in places.iter().enumerate().step_by(step) {
            same(cut(text, &[place]));
            if places.len() <= 90 {
                for &next in places.iter().skip(at + 1) {
                    same(cut(text, &[place, next]));
                }
            }
        }
    }
}

fn options(ids: &[&str]) -> Options {
    let formats: Vec<_> = ids.iter().map(|id| Format::find(id).unwrap()).collect();
    Options::formats(&formats)
}

#[test]
fn several_formats_are_read_together_and_thinking_with_any() {
    let options = options(&["qwen3-coder", "kimi-k2", "mistral-v11"]);
    let text = "<think>Hm.</think><tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>\
        <|tool_calls_section_begin|><|tool_call_begin|>functions.g:0<|tool_call_argument_begin|>{\"a\":1}<|tool_call_end|>\
        <|tool_calls_section_end|>[TOOL_CALLS]h[ARGS]{\"a\":1}";
    let found = reply(&read(&options, [text]));
    assert_eq!(found.reasoning, "Hm.");
    let calls: Vec<_> =
        found.calls.iter().map(|(name, id, json)| (name.as_str(), id.as_deref(), json.as_str())).collect();
    let expected = [("f", None, r#"{"a":"1"}"#), ("g", Some("functions.g:0"), r#"{"a":1}"#), ("h", None, r#"{"a":1}"#)];
    assert_eq!(calls, expected);
}

#[test]
fn what_the_prompt_began_goes_on_and_is_not_emitted() {
    let mut options = options(&["harmony"]);
    options.prefill = Some("<|start|>user<|message|>Hi<|end|><|start|>assistant".to_owned());
    let text = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello";
    let whole = joined(&read(&options, [text]));
    let found = reply(&whole);
    assert_eq!((found.text.trim(), found.reasoning.as_str()), ("Hello", "Hm."));
    let last = whole.iter().rfind(|event| matches!(event.kind, EventKind::Text(_))).unwrap();
    assert_eq!(last.span.end, text.len() as u64);
    for at in places(text) {
        assert_eq!(joined(&read(&options, [&text[..at], &text[at..]])), whole, "cut at {at}");
    }
    // The same parser reads another reply.
    let mut parser = ToolCallParser::new(options);
    for _ in 0..2 {
        let mut events = parser.feed(text).unwrap();
        events.extend(parser.finish());
        assert_eq!(joined(&events), whole);
        parser.reset();
    }
}

#[test]
fn reasoning_that_closes_after_a_call_has_only_thought_of_it() {
    let call = "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>";
    let options = options(&["qwen3.5"]);
    let called = reply(&read(&options, [format!("<think>Hm. {call}").as_str()]));
    assert_eq!((called.calls.len(), called.reasoning.trim()), (1, "Hm."));
    let thought = reply(&read(&options, [format!("<think>Hm. {call}</think>No.").as_str()]));
    assert_eq!((thought.calls.len(), thought.text.trim()), (0, "No."));
    assert!(thought.reasoning.contains("<function=f>"), "{thought:?}");
}

#[test]
fn what_cites_something_stands_between_two_events() {
    let options = options(&["cohere"]);
    let text = "<|START_RESPONSE|>It is <co>sunny</co: 0:[1]>.<|END_RESPONSE|>";
    let whole = joined(&read(&options, [text]));
    let at = |found: &EventKind| whole.iter().position(|event| event.kind == *found).unwrap();
    let [start, end] = [EventKind::CitationStart, EventKind::CitationEnd("0:[1]".to_owned())].map(|kind| at(&kind));
    assert_eq!(reply(&whole[start..end]).text.trim(), "sunny");
    assert_eq!(&text[whole[end].span.start as usize..whole[end].span.end as usize], "0:[1]");
    for at in places(text) {
        assert_eq!(joined(&read(&options, [&text[..at], &text[at..]])), whole, "cut at {at}");
    }
}
