//! Reads text and writes down the events as the cases have them. On the way it
//! asserts what holds for every text: one segment is open at a time, segments
//! count, contents and markup tile the text, nothing is emitted after the end.

use crate::support::events_of;
use serde_json::{Map, Value};
use tokenweir::segment::{Event, EventKind, Fault, Options, SegmentParser, SegmentType};

/// Reads pieces; the events of each come right after it.
pub fn read<'a>(options: &Options, pieces: impl IntoIterator<Item = &'a str>) -> Vec<Event> {
    read_with(options, pieces, |_, _| {})
}

/// Reads so, and `look` sees the parser and all events after each piece and after the end.
pub fn read_with<'a>(
    options: &Options,
    pieces: impl IntoIterator<Item = &'a str>,
    look: impl FnMut(&SegmentParser, &[Event]),
) -> Vec<Event> {
    events_of(SegmentParser::new(options.clone()), pieces, SegmentParser::finish, look)
}

/// Everything but where the chunks were cut: contents joined, and markup.
pub fn joined(events: &[Event]) -> Vec<Event> {
    let mut joined: Vec<Event> = Vec::new();
    for event in events {
        if matches!(event.kind, EventKind::Fault(_)) {
            continue;
        }
        match (joined.last_mut(), &event.kind) {
            (Some(Event { segment, kind: EventKind::Content(text), span }), EventKind::Content(more))
            | (Some(Event { segment, kind: EventKind::Markup(text), span }), EventKind::Markup(more))
                if *segment == event.segment =>
            {
                text.push_str(more);
                span.end = event.span.end;
            }
            _ => joined.push(event.clone()),
        }
    }
    joined
}

/// The text of contents and markup.
pub fn text_of(events: &[Event]) -> String {
    let text = |event: &Event| match &event.kind {
        EventKind::Content(text) | EventKind::Markup(text) => text.clone(),
        EventKind::Start { .. } | EventKind::End | EventKind::Fault(_) => String::new(),
        _ => panic!("unknown: {event:?}"),
    };
    events.iter().map(text).collect()
}

/// Asserts the protocol of events of a whole text.
pub fn check(events: &[Event], text: &str) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut open: Option<(u32, SegmentType)> = None;
    let (mut count, mut at) = (0, 0);
    for (nth, event) in events.iter().enumerate() {
        let Event { segment, kind, span } = event;
        assert!(span.start <= span.end && span.end <= units.len() as u64, "{event:?} is outside of {text:?}");
        match kind {
            EventKind::Start { segment_type, .. } => {
                count += 1;
                assert_eq!((open, *segment), (None, count), "{event:?} in {text:?}");
                assert_eq!((span.start, span.end), (at, at), "{event:?} in {text:?}");
                open = Some((count, *segment_type));
            }
            EventKind::End => {
                assert_eq!(open.take().map(|(segment, _)| segment), Some(*segment), "{event:?} in {text:?}");
                assert_eq!((span.start, span.end), (at, at), "{event:?} in {text:?}");
            }
            EventKind::Content(delta) | EventKind::Markup(delta) => {
                assert!(!delta.is_empty(), "{event:?} is empty in {text:?}");
                assert_eq!(span.start, at, "{event:?} in {text:?}");
                at = span.end;
                let there = &units[span.start as usize..span.end as usize];
                assert!(delta.encode_utf16().eq(there.iter().copied()), "{event:?} doesn't stand there in {text:?}");
                match (kind, open) {
                    // A closing tag that nothing opened.
                    (EventKind::Markup(tag), _) if *segment == 0 => {
                        assert!(tag.starts_with("</think"), "{event:?} in {text:?}");
                    }
                    (EventKind::Content(_), _) | (EventKind::Markup(_), Some(_)) => {
                        assert_eq!(open.map(|(segment, _)| segment), Some(*segment), "{event:?} in {text:?}");
                    }
                    // Markup before a segment is the segment's, which begins right after it.
                    _ => {
                        assert_eq!(*segment, count + 1, "{event:?} in {text:?}");
                        let next = events.get(nth + 1).map(|next| &next.kind);
                        assert!(matches!(next, Some(EventKind::Start { .. })), "{event:?} before {next:?} in {text:?}");
                    }
                }
            }
            EventKind::Fault(fault) => {
                assert!(!span.is_empty(), "{event:?} has no place in {text:?}");
                // The events right after its end belong to it.
                if *segment != 0 {
                    let before = &events[nth - 1];
                    assert_eq!((&before.kind, before.segment), (&EventKind::End, *segment), "{event:?} in {text:?}");
                    assert!(matches!(fault, Fault::Unterminated | Fault::BadArguments), "{event:?} in {text:?}");
                }
            }
            _ => panic!("unknown: {event:?}"),
        }
    }
    assert_eq!(open, None, "a segment has no end in {text:?}");
    assert_eq!(at as usize, units.len(), "{text:?} is not covered: {events:#?}");
}

/// A line of the cases.
#[derive(Clone, Debug, PartialEq)]
pub enum Emitted {
    Start(String, Map<String, Value>),
    /// With its span, which a case may leave out.
    Content(String, Option<(u64, u64)>),
    End,
}

/// The events, contents joined, without markup and faults.
pub fn emitted(events: &[Event]) -> Vec<Emitted> {
    let mut all = Vec::new();
    for event in events {
        match &event.kind {
            EventKind::Start { segment_type, metadata } => {
                all.push(Emitted::Start(segment_type.name().to_owned(), values(metadata)));
            }
            EventKind::Content(delta) => match all.last_mut() {
                Some(Emitted::Content(text, Some((_, to)))) => {
                    text.push_str(delta);
                    *to = event.span.end;
                }
                _ => all.push(Emitted::Content(delta.clone(), Some((event.span.start, event.span.end)))),
            },
            EventKind::End => all.push(Emitted::End),
            EventKind::Markup(_) | EventKind::Fault(_) => {}
            _ => panic!("unknown: {event:?}"),
        }
    }
    all
}

/// Faults as the cases have them.
pub fn faults(events: &[Event]) -> Vec<String> {
    let line = |event: &Event| match &event.kind {
        EventKind::Fault(fault) => Some(format!("{} {}..{}", fault.code(), event.span.start, event.span.end)),
        EventKind::Start { .. } | EventKind::Content(_) | EventKind::End | EventKind::Markup(_) => None,
        _ => panic!("unknown: {event:?}"),
    };
    events.iter().filter_map(line).collect()
}

/// Whether the events are those of a case.
pub fn is_as_expected(emitted: &[Emitted], expected: &[Emitted]) -> bool {
    let is_same = |(emitted, expected): (&Emitted, &Emitted)| match (emitted, expected) {
        (Emitted::Content(text, _), Emitted::Content(expected, None)) => text == expected,
        // Names in their order.
        (Emitted::Start(kind, found), Emitted::Start(expected, metadata)) => {
            kind == expected && found.iter().eq(metadata.iter())
        }
        _ => emitted == expected,
    };
    emitted.len() == expected.len() && emitted.iter().zip(expected).all(is_same)
}

/// A line of a case.
pub fn emitted_line(line: &str) -> Emitted {
    // What an end says besides is for JavaScript.
    if line == "end" || line.starts_with("end ") {
        return Emitted::End;
    }
    if let Some(rest) = line.strip_prefix("start ") {
        let (kind, metadata) = rest.split_once(' ').unwrap_or((rest, "{}"));
        let metadata: Map<_, _> = serde_json::from_str(metadata).unwrap_or_else(|error| panic!("{line}: {error}"));
        return Emitted::Start(kind.to_owned(), members_as_in_javascript(metadata));
    }
    let rest = line.strip_prefix("content ").unwrap_or_else(|| panic!("{line}: no such line"));
    let (text, span) = match rest.rsplit_once("\" ") {
        Some((text, span)) => (format!("{text}\""), Some(span)),
        None => (rest.to_owned(), None),
    };
    let text = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{line}: {error}"));
    let span = span.map(|span| {
        let (from, to) = span.split_once("..").unwrap_or_else(|| panic!("{line}: no span"));
        (from.parse().unwrap(), to.parse().unwrap())
    });
    Emitted::Content(text, span)
}

/// Metadata as JavaScript has them: attributes of run_bash are a truth and a
/// number, or nothing, and a sentinel's header is its members without the type.
fn values(metadata: &[(String, String)]) -> Map<String, Value> {
    let mut values = Map::new();
    for (name, text) in metadata {
        match name.as_str() {
            "header" => {
                let header: Map<String, Value> = serde_json::from_str(text).unwrap();
                values.extend(members_as_in_javascript(header).into_iter().filter(|(name, _)| name != "type"));
            }
            "background" => {
                let word = text.trim().to_lowercase();
                let is_on = ["true", "1", "yes"].contains(&word.as_str());
                if is_on || ["false", "0", "no"].contains(&word.as_str()) {
                    values.insert(name.clone(), Value::Bool(is_on));
                }
            }
            "timeout_seconds" => {
                let digits = text.trim();
                let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                if let Some(seconds) = digits.parse::<u64>().ok().filter(|&seconds| is_number && seconds > 0) {
                    values.insert(name.clone(), Value::from(seconds as f64));
                }
            }
            _ => _ = values.insert(name.clone(), Value::String(text.clone())),
        }
    }
    values
}

/// A value whose numbers are doubles: `-1.5e3` is `-1500`.
pub fn as_in_javascript(value: Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
        Value::Array(items) => items.into_iter().map(as_in_javascript).collect(),
        Value::Object(members) => Value::Object(members_as_in_javascript(members)),
        Value::Null | Value::Bool(_) | Value::String(_) => value,
    }
}

fn members_as_in_javascript(members: Map<String, Value>) -> Map<String, Value> {
    members.into_iter().map(|(name, value)| (name, as_in_javascript(value))).collect()
}

/// The events as AutoByteus was recorded: a text segment without metadata
/// after one is part of it.
pub fn as_recorded(emitted: &[Emitted], expected: &[Value]) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    let mut last = "";
    for emitted in emitted {
        match emitted {
            Emitted::Start(kind, metadata) => {
                let mut metadata = metadata.clone();
                if kind == "write_file" {
                    // Attributes of a tag, as the recorder writes them, which AutoByteus leaves out.
                    let theirs = expected.get(all.len()).map(|line| &line[2]);
                    let is_theirs = |name: &str| theirs.is_some_and(|theirs| theirs.get(name).is_some());
                    metadata.retain(|name, _| !["mode", "lang"].contains(&name.as_str()) || is_theirs(name));
                }
                if last == "text" && kind == "text" && metadata.is_empty() {
                    all.pop();
                } else {
                    all.push(serde_json::json!(["start", kind, metadata]));
                }
                last = kind;
            }
            Emitted::Content(text, _) => match all.last_mut() {
                Some(content) if content[0] == "content" => {
                    content[1] = Value::String(format!("{}{text}", content[1].as_str().unwrap()));
                }
                _ => all.push(serde_json::json!(["content", text])),
            },
            Emitted::End => all.push(serde_json::json!(["end"])),
        }
    }
    all
}
