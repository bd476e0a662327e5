//! Reads text and writes down what was emitted: in lines, as the cases have
//! them, or as a value. On the way it asserts what holds for every text.

use crate::number;
use serde_json::{Map, Number, Value};
use std::collections::{BTreeMap, BTreeSet};
use tokenweir::field::{Event, EventKind, FieldParser, Form, Options, Path, Shape, Source, Step, WITHHELD, fault_name};
use tokenweir::json::{LONGEST_NUMBER, Literal, Rules};
use tokenweir::text::Span;

/// Most units held. Two things may wait: a candidate's text, so that it can be
/// searched again (`WITHHELD`; without keys to ask for `REACH`, which is less than
/// a number), and a number, which ends with what follows it. That makes one more unit. So
/// does a string, but with fewer units.
pub fn most_held(options: &Options) -> u32 {
    let asks = matches!(options.shape, Shape::Object | Shape::ArrayOfObjects);
    if asks { WITHHELD + LONGEST_NUMBER + 1 } else { LONGEST_NUMBER + 1 }
}

/// Most moves a byte. A byte is read once and may be a candidate, which lets 32 units be searched again; what is
/// withheld lets each of its units be searched twice more. Each of them is counted by the machine, and by the parser
/// that gives it the text again.
pub const MOST_STEPS: u64 = 2 * (1 + 32 + 2);

/// All that was emitted, and the rules that were needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    pub events: Vec<Event>,
    pub used: Rules,
}

/// Reads pieces; the events of each are emitted immediately.
pub fn read<'a>(options: &Options, pieces: impl IntoIterator<Item = &'a str>) -> Reading {
    read_with(options, pieces, |_| {})
}

/// Reads so, and `look` sees the parser after each piece and after the end.
pub fn read_with<'a>(
    options: &Options,
    pieces: impl IntoIterator<Item = &'a str>,
    mut look: impl FnMut(&FieldParser),
) -> Reading {
    let mut parser = FieldParser::new(options.clone());
    let mut events = Vec::new();
    for piece in pieces {
        let emitted = parser.feed(piece).unwrap();
        assert!(!piece.is_empty() || emitted.is_empty(), "an empty piece has events: {emitted:#?}");
        let is_early =
            |event: &Event| matches!(event.kind, EventKind::Done { source, .. } if source != Source::ObservedBoundary);
        assert!(!emitted.iter().any(is_early), "an end before there is one: {emitted:#?}");
        events.extend(emitted);
        assert!(parser.held() <= most_held(options), "{} units are held", parser.held());
        look(&parser);
    }
    events.extend(parser.finish());
    assert_eq!(parser.held(), 0, "text is held after the end");
    assert!(parser.finish().is_empty(), "a second end emits something");
    look(&parser);
    Reading { events, used: parser.used_rules() }
}

/// What was emitted, joined: everything except where the chunks were cut.
pub fn joined(events: Vec<Event>) -> Vec<Event> {
    let mut joined: Vec<Event> = Vec::new();
    for event in events {
        match (&event.kind, joined.last_mut()) {
            (EventKind::Text(more), Some(Event { kind: EventKind::Text(text), path, span, .. }))
                if *path == event.path =>
            {
                text.push_str(more);
                span.end = event.span.end;
            }
            _ => joined.push(event),
        }
    }
    joined
}

/// The rules by name, sorted as in the cases.
pub fn rule_names(rules: Rules) -> Vec<&'static str> {
    let mut names: Vec<_> = rules.iter().map(|rule| rule.name()).collect();
    names.sort_unstable();
    names
}

/// What was emitted of a value that isn't done yet.
enum Leaf {
    Text(String),
    Number(f64),
    Word(Literal),
}

/// What was emitted of one document.
#[derive(Default)]
struct Document {
    open: BTreeMap<String, (Leaf, Span)>,
    done: BTreeSet<String>,
    /// Paths that have something below them.
    parents: BTreeSet<String>,
}

/// One line a path, in the order of done. With `has_duplicates` a path may be
/// done again, as its key came again.
pub fn lines(events: &[Event], has_duplicates: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut document = Document::default();
    let mut nth = 0;
    for (at, event) in events.iter().enumerate() {
        if event.document != nth {
            assert!(event.document > nth, "document {} comes after {nth}", event.document);
            std::mem::take(&mut document).end();
            nth = event.document;
            lines.push(format!("document {nth}"));
        }
        match &event.kind {
            EventKind::Reset => {
                assert!(event.path.0.is_empty() && event.span.is_empty(), "{event:?}");
                document = Document::default();
                lines.push("reset".to_owned());
            }
            EventKind::Fault(fault) => {
                document.check_place(event, has_duplicates);
                let is_open = document.open.contains_key(&event.path.to_string());
                assert!(!is_open, "the fault is said to be in a string, and not around it: {event:?}");
                lines.push(format!("error {} {}..{}", fault_name(*fault), event.span.start, event.span.end));
            }
            EventKind::Mismatch => {
                lines.push(format!("error schema-mismatch {}..{}", event.span.start, event.span.end));
            }
            EventKind::Text(text) => {
                // What only the end made known has no place.
                assert!(!text.is_empty(), "an empty delta: {event:?}");
                document.grow(event, Leaf::Text(text.clone()), has_duplicates);
            }
            EventKind::Number(text) => {
                document.grow(event, Leaf::Number(number::parse(text)), has_duplicates);
                let is_done = |next: &Event| matches!(next.kind, EventKind::Done { form: Form::Number, .. });
                // What may have been to go on is not done: the cases call it cut.
                if !events.get(at + 1).is_some_and(is_done) {
                    lines.push(document.done(event, Form::Number, has_duplicates) + suffix(Source::SyntheticRepair));
                }
            }
            EventKind::Word(literal) => document.grow(event, Leaf::Word(*literal), has_duplicates),
            EventKind::Done { form, source } => {
                let line = document.done(event, *form, has_duplicates);
                lines.push(line + suffix(*source));
            }
            _ => panic!("unknown: {event:?}"),
        }
    }
    document.end();
    lines
}

fn suffix(source: Source) -> &'static str {
    match source {
        Source::ObservedBoundary => "",
        Source::SyntheticRepair => " cut",
        Source::FinalReconciliation => " late",
        _ => panic!("unknown: {source:?}"),
    }
}

impl Document {
    /// Nothing comes at or below a path that is done, so children come first.
    fn check_place(&mut self, event: &Event, has_duplicates: bool) {
        for length in 1..event.path.0.len() {
            let above = Path(event.path.0[..length].to_vec()).to_string();
            assert!(has_duplicates || !self.done.contains(&above), "{above} is done before {event:?}");
            self.parents.insert(above);
        }
        let path = event.path.to_string();
        assert!(has_duplicates || !self.done.contains(&path), "{path} is done before {event:?}");
    }

    fn grow(&mut self, event: &Event, leaf: Leaf, has_duplicates: bool) {
        self.check_place(event, has_duplicates);
        assert!(!event.path.0.is_empty(), "the root is no leaf");
        let path = event.path.to_string();
        match (self.open.get_mut(&path), leaf) {
            (None, leaf) => {
                // Done as soon as they are emitted, texts sooner or later.
                assert!(self.open.is_empty(), "two values are open at the same time: {event:?}");
                self.open.insert(path, (leaf, event.span));
            }
            (Some((Leaf::Text(before), span)), Leaf::Text(more)) => {
                before.push_str(&more);
                assert!(event.span.start >= span.end, "it goes back: {event:?}");
                span.end = event.span.end;
            }
            (Some(_), _) => panic!("another value where one is open: {event:?}"),
        }
    }

    fn done(&mut self, event: &Event, form: Form, has_duplicates: bool) -> String {
        self.check_place(event, has_duplicates);
        let path = event.path.to_string();
        let leaf = self.open.remove(&path);
        assert!(self.open.is_empty(), "something is open in it: {event:?}");
        self.done.insert(path.clone());
        let value = match (form, &leaf) {
            (Form::Object, None) => return format!("{path} {{}}"),
            (Form::Array, None) => return format!("{path} []"),
            (Form::String, None) => "\"\"".to_owned(),
            (Form::String, Some((Leaf::Text(text), _))) => serde_json::to_string(text).unwrap(),
            (Form::Number, Some((Leaf::Number(value), _))) => number::render(*value),
            (Form::Word, Some((Leaf::Word(literal), _))) => format!("{literal:?}").to_lowercase(),
            (Form::String | Form::Number | Form::Word | Form::Array | Form::Object, _) => {
                panic!("emitted as something else: {event:?}")
            }
        };
        let place = match leaf {
            Some((_, span)) if !span.is_empty() => format!(" {}..{}", span.start, span.end),
            _ => String::new(),
        };
        format!("{path} = {value}{place}")
    }

    /// What must hold when nothing more comes.
    fn end(self) {
        assert!(self.open.is_empty(), "not done: {:?}", self.open.keys());
        let is_done = |path: &&String| self.done.contains(*path);
        assert!(self.parents.iter().all(|path| is_done(&path)), "not all of {:?} are done", self.parents);
    }
}

/// The last document, from events alone. A root without events is null.
pub fn value(events: &[Event]) -> Value {
    let mut root = Value::Null;
    for Event { path, kind, .. } in events {
        match kind {
            EventKind::Reset => root = Value::Null,
            EventKind::Fault(_) | EventKind::Mismatch => {}
            EventKind::Text(text) => {
                let place = place(&mut root, path);
                let before = place.as_str().unwrap_or_default();
                *place = Value::String(format!("{before}{text}"));
            }
            EventKind::Number(text) => *place(&mut root, path) = Value::Number(number_of(text)),
            EventKind::Word(Literal::Null) => *place(&mut root, path) = Value::Null,
            EventKind::Word(literal) => *place(&mut root, path) = Value::Bool(*literal == Literal::True),
            EventKind::Done { form, .. } => {
                let place = place(&mut root, path);
                if place.is_null() {
                    *place = match form {
                        Form::String => Value::String(String::new()),
                        Form::Array => Value::Array(Vec::new()),
                        Form::Object => Value::Object(Map::new()),
                        Form::Number | Form::Word => continue,
                    };
                }
            }
            _ => panic!("unknown: {kind:?}"),
        }
    }
    root
}

/// As serde_json has it.
fn number_of(text: &str) -> Number {
    serde_json::from_str(text).unwrap()
}

/// The value at a path; containers grow on the way.
fn place<'a>(root: &'a mut Value, path: &Path) -> &'a mut Value {
    let mut at = root;
    for step in &path.0 {
        at = match step {
            Step::Key(key) => {
                if at.is_null() {
                    *at = Value::Object(Map::new());
                }
                at.as_object_mut().unwrap().entry(key.clone()).or_insert(Value::Null)
            }
            Step::Index(index) => {
                if at.is_null() {
                    *at = Value::Array(Vec::new());
                }
                let items = at.as_array_mut().unwrap();
                assert!(*index as usize <= items.len(), "an index is left out: {path}");
                if *index as usize == items.len() {
                    items.push(Value::Null);
                }
                items.get_mut(*index as usize).unwrap()
            }
        };
    }
    at
}
