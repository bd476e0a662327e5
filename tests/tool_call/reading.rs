//! Reads text and writes down what was emitted. On the way it asserts what holds
//! for every text: the protocol of events, and that texts and segments tile it.

use crate::case::join;
use crate::support::{Random, events_of};
use tokenweir::json::Rule;
use tokenweir::tool_call::{Event, EventKind, Options, Repair, ToolCallParser, Why};

/// Reads pieces; the events of each come right after it.
pub fn read<'a>(options: &Options, pieces: impl IntoIterator<Item = &'a str>) -> Vec<Event> {
    read_with(options, pieces, |_, _| {})
}

/// Reads so, and `look` sees the parser and all events after each piece and after the end.
pub fn read_with<'a>(
    options: &Options,
    pieces: impl IntoIterator<Item = &'a str>,
    look: impl FnMut(&ToolCallParser, &[Event]),
) -> Vec<Event> {
    events_of(ToolCallParser::new(options.clone()), pieces, ToolCallParser::finish, look)
}

/// Where in the protocol of events the reading stands.
#[derive(Debug, PartialEq)]
enum At {
    Text,
    Call {
        name: String,
        json: String,
    },
    /// After a call of a segment that has not ended.
    Done,
    Failed {
        call: u32,
    },
    Reasoning,
}

/// Asserts the protocol of events of a whole text.
pub fn check(events: &[Event], text: &str) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut at, mut emitted, mut count) = (At::Text, 0, 0);
    for event in events {
        let Event { call, kind, span } = event;
        let what = || format!("{event:?} after {at:?} in {text:?}");
        assert!(span.start <= span.end && span.end <= units.len() as u64, "{}", what());
        let is_tag = matches!(
            kind,
            EventKind::ReasoningStart | EventKind::ReasoningEnd | EventKind::ReasoningRestart | EventKind::Markup
        );
        let is_text = matches!(kind, EventKind::Text(_) | EventKind::Failed(_) | EventKind::Reasoning(_));
        if is_tag || is_text || matches!(kind, EventKind::End) {
            assert!(span.start == emitted && (is_tag || span.end > emitted), "{}", what());
            emitted = span.end;
        }
        if let EventKind::Text(piece) | EventKind::Failed(piece) | EventKind::Reasoning(piece) = kind {
            let there = &units[span.start as usize..span.end as usize];
            assert!(piece.encode_utf16().eq(there.iter().copied()), "{}", what());
        }
        at = match (at, kind) {
            (At::Text, EventKind::Text(_)) => {
                assert_eq!(*call, 0);
                At::Text
            }
            (At::Text | At::Done, EventKind::CallStart { name }) => {
                count += 1;
                assert_eq!(*call, count);
                At::Call { name: name.clone(), json: String::new() }
            }
            (At::Call { name, json }, EventKind::Delta(delta)) => {
                assert!(!delta.is_empty() && *call == count, "{event:?}");
                At::Call { name, json: json + delta }
            }
            (At::Call { name, .. }, EventKind::ArgumentsRestart) => At::Call { name, json: String::new() },
            (At::Call { name, json }, EventKind::CallDone { name: done, arguments, .. }) => {
                assert_eq!((&name, call), (done, &count), "{text:?}");
                assert_eq!(&json, arguments, "{text:?}");
                assert!(json.starts_with('{') && json.ends_with('}'), "{json} of {text:?}");
                let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&json);
                assert!(is_json.is_ok() || is_too_deep(&json), "{json} of {text:?}");
                At::Done
            }
            (At::Done, EventKind::End) => At::Text,
            // A token that ends the turn, in thinking too.
            (At::Text, EventKind::Markup) => At::Text,
            (At::Reasoning, EventKind::Markup) => At::Reasoning,
            (At::Text, EventKind::ReasoningStart) => At::Reasoning,
            (At::Reasoning, EventKind::Reasoning(_) | EventKind::ReasoningRestart) => At::Reasoning,
            // One that comes first, or after another, ends nothing.
            (At::Reasoning | At::Text, EventKind::ReasoningEnd) => At::Text,
            (At::Text, EventKind::Fail(_)) => {
                assert_eq!(*call, 0, "{event:?} in {text:?}");
                At::Failed { call: 0 }
            }
            (At::Call { .. }, EventKind::Fail(_)) => {
                assert_eq!(*call, count, "{event:?} in {text:?}");
                At::Failed { call: count }
            }
            (At::Failed { call: failed }, EventKind::Failed(_) | EventKind::FailEnd { .. }) => {
                assert_eq!(*call, failed, "{event:?} in {text:?}");
                if matches!(kind, EventKind::Failed(_)) { At::Failed { call: failed } } else { At::Text }
            }
            (at, _) => panic!("{event:?} after {at:?} in {text:?}"),
        };
    }
    assert_eq!((at, emitted), (At::Text, units.len() as u64), "{text:?}: {events:#?}");
}

/// Whether JSON is nested deeper than the reader that it is checked by goes.
fn is_too_deep(json: &str) -> bool {
    json.matches(['[', '{']).count() > 120
}

/// The events with neighbouring pieces joined, and `Fail`'s call and text as one.
pub fn joined(events: &[Event]) -> Vec<Event> {
    let mut all: Vec<Event> = Vec::new();
    for event in events {
        if let Some(last) = all.last_mut()
            && last.call == event.call
            && let (EventKind::Text(text), EventKind::Text(more))
            | (EventKind::Delta(text), EventKind::Delta(more))
            | (EventKind::Reasoning(text), EventKind::Reasoning(more))
            | (EventKind::Failed(text), EventKind::Failed(more)) = (&mut last.kind, &event.kind)
        {
            text.push_str(more);
            last.span.end = event.span.end;
            continue;
        }
        all.push(event.clone());
    }
    all
}

/// What a case says of its text.
#[derive(Debug, PartialEq)]
pub struct Emitted {
    pub said: Vec<String>,
    pub errors: Vec<(String, String)>,
    pub repairs: Vec<String>,
}

fn drop_reason(why: Why) -> &'static str {
    match why {
        Why::Malformed | Why::Ambiguous | Why::Mentioned => "malformed-tool-call-body",
        Why::Unfinished => "unfinished-tool-call",
        Why::Nested => "malformed-nested-tool-call",
        Why::NoName => "unresolved-tool-name",
        Why::TooLong => "call-too-long",
        Why::Rejected => "rejected",
        Why::MadeUp => "made-up-turn",
        Why::Foreign => "foreign-message",
        Why::NoOpener => "missing-opener",
        _ => panic!("unknown: {why:?}"),
    }
}

/// What JavaScript makes of the same events.
pub fn emitted(events: &[Event], on_malformed: &str) -> Emitted {
    let mut emitted = Emitted { said: Vec::new(), errors: Vec::new(), repairs: Vec::new() };
    let (mut why, mut failed, mut started) = (Why::Malformed, String::new(), None);
    for event in events {
        match &event.kind {
            EventKind::Text(text) => join(&mut emitted.said, text),
            EventKind::CallStart { name } => started = Some(name.clone()),
            EventKind::CallDone { name, repairs, .. } => {
                started = None;
                emitted.said.push(format!("call {name}"));
                let names = repair_names(*repairs);
                if !names.is_empty() {
                    emitted.repairs.push(format!("{name}: {}", names.join(" ")));
                }
            }
            EventKind::ReasoningStart => emitted.said.push("reasoning ".to_owned()),
            EventKind::Reasoning(text) => {
                if let Some(last) = emitted.said.last_mut() {
                    last.push_str(text);
                }
            }
            EventKind::Fail(reason) => (why, failed) = (*reason, String::new()),
            EventKind::Failed(text) => failed.push_str(text),
            EventKind::FailEnd { .. } if why == Why::Mentioned && event.span.start == event.span.end => {
                join(&mut emitted.said, &failed);
            }
            EventKind::FailEnd { is_cut } => {
                let is_text = *is_cut || matches!(why, Why::Unfinished | Why::TooLong);
                match on_malformed {
                    _ if why == Why::Rejected => join(&mut emitted.said, &failed),
                    _ if matches!(why, Why::MadeUp | Why::Foreign) => {}
                    "drop" => {}
                    "invalid-call" if !is_text => {
                        emitted.said.push(format!("invalid {}", started.as_deref().unwrap_or("unknown")));
                    }
                    _ => join(&mut emitted.said, &failed),
                }
                if why != Why::Rejected {
                    emitted.errors.push((drop_reason(why).to_owned(), failed.clone()));
                }
                started = None;
            }
            _ => {}
        }
    }
    emitted
}

/// The names of tolerated errors, as cases have them: sorted.
fn repair_names(bits: u64) -> Vec<&'static str> {
    let rules = Rule::ALL.into_iter().map(|rule| (1 << rule as u64, rule.name()));
    let own = Repair::ALL.into_iter().map(|repair| (repair.bit(), repair.name()));
    let mut names: Vec<_> = rules.chain(own).filter(|(bit, _)| bits & bit != 0).map(|(_, name)| name).collect();
    names.sort_unstable();
    names
}

/// So many cuts of a text, somewhere.
pub fn random_cut<'a>(text: &'a str, random: &mut Random) -> Vec<&'a str> {
    let places = crate::support::places(text);
    let count = 1 + random.below(places.len().min(40));
    let mut cuts: Vec<usize> = (0..count).map(|_| places[random.below(places.len())]).collect();
    cuts.sort_unstable();
    crate::support::cut(text, &cuts)
}
