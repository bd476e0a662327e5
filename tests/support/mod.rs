//! What the tests share: cases as data, a renderer that checks the protocol of
//! events, and ways to cut a text.

#![allow(dead_code, unreachable_pub, reason = "each test uses its part of this")]

pub mod thin;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tokenweir::block::{BlockParser, Declared, Event, EventKind, Face, Kind, Options, Part, Role, TagTable};
use tokenweir::text::{Emitter, Parser, Span};

/// One case of `tests/cases/block/*.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    pub source: String,
    pub input: String,
    #[serde(default)]
    pub face: Option<String>,
    #[serde(default)]
    pub trim: Option<bool>,
    /// `startWithThinking`.
    #[serde(default)]
    pub thinking: bool,
    #[serde(default)]
    pub fences: Option<String>,
    #[serde(default)]
    pub tags: BTreeMap<String, toml::Value>,
    /// Custom tags, with those that may stand in each.
    #[serde(default)]
    pub own: toml::Table,
    #[serde(default)]
    pub tools: BTreeMap<String, BTreeMap<String, String>>,
    pub blocks: String,
}

/// Where the cases are: the fuzzer's crate lies below the root.
pub fn cases_folder() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above.map(|folder| folder.join("tests/cases")).find(|cases| cases.is_dir()).unwrap()
}

/// The cases of a folder in the order of its files, each name prefixed with its file, and there once.
pub fn cases_of<Case: DeserializeOwned>(folder: &str, least: usize) -> Vec<Case> {
    let mut paths: Vec<_> =
        std::fs::read_dir(cases_folder().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let cases: Vec<(String, Case)> = paths.iter().flat_map(|path| read_cases(path)).collect();
    assert!(cases.len() >= least, "the {} cases of {folder} are not where they should be", cases.len());
    let names: BTreeSet<_> = cases.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), cases.len(), "two cases have one name");
    cases.into_iter().map(|(_, case)| case).collect()
}

fn read_cases<Case: DeserializeOwned>(path: &Path) -> Vec<(String, Case)> {
    #[derive(Deserialize)]
    struct File {
        case: Vec<toml::Table>,
    }
    let text = std::fs::read_to_string(path).unwrap();
    let File { case } = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let stem = path.file_stem().unwrap().to_string_lossy();
    let named = |mut case: toml::Table| {
        let name = format!("{stem}/{}", case.get("name").and_then(toml::Value::as_str).unwrap());
        case.insert("name".to_owned(), name.clone().into());
        let case = case.try_into().unwrap_or_else(|error| panic!("{}: {name}: {error}", path.display()));
        (name, case)
    };
    case.into_iter().map(named).collect()
}

/// An adversarial input: the files in `tests/cases/adversarial` explain the keys in their first lines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adversarial {
    pub name: String,
    class: String,
    #[serde(default)]
    open: String,
    unit: Unit,
    #[serde(default)]
    close: String,
    #[serde(default)]
    numbered: bool,
    pub steps: u64,
    pub held: u32,
    /// Of fields: the same for a schema whose keys are asked for, where it is more.
    pub withheld: Option<u32>,
    #[serde(default)]
    pub calls: usize,
    pub protocol: Option<String>,
    /// For JavaScript, as `class` is.
    #[serde(default)]
    codes: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Unit {
    Text(String),
    Parts(Vec<(String, usize)>),
}

impl Adversarial {
    /// The text, about `len` bytes long, in whole units.
    pub fn text(&self, len: usize) -> String {
        let unit = match &self.unit {
            Unit::Text(text) => text.clone(),
            Unit::Parts(parts) => parts.iter().map(|(text, times)| text.repeat(*times)).collect(),
        };
        let mut text = self.open.clone();
        for number in 0..len.div_ceil(unit.len()) {
            if self.numbered { text += &unit.replace('#', &number.to_string()) } else { text += &unit }
        }
        text + &self.close
    }

    /// The length of the opening text.
    pub fn front(&self) -> u32 {
        self.open.len() as u32
    }
}

/// The adversarial inputs of a parser.
pub fn adversarial_inputs(front_end: &str) -> Vec<Adversarial> {
    let path = cases_folder().join("adversarial").join(front_end).with_extension("toml");
    let inputs: Vec<_> = read_cases(&path).into_iter().map(|(_, input)| input).collect();
    assert!(inputs.len() >= 20, "the adversarial inputs are not where they should be");
    inputs
}

/// All cases of blocks.
pub fn cases() -> Vec<Case> {
    cases_of("block", 100)
}

impl Case {
    pub fn options(&self) -> Options {
        let face = if self.face.as_deref() == Some("elements") { Face::Elements } else { Face::Blocks };
        let mut tags = if face == Face::Elements { TagTable::of_roles() } else { TagTable::default() };
        for (name, role) in &self.tags {
            tags.set(name, role.as_str().map(|role| Role::named(role).unwrap())).unwrap();
        }
        add_own(&mut tags, &self.own, 0);
        let tools = self.tools.clone();
        let declared = move |tool: &str, parameter: &str| match tools
            .get(tool)
            .and_then(|parameters| parameters.get(parameter))
            .map(String::as_str)
        {
            Some("string") => Declared::String,
            Some("object" | "array") => Declared::Container,
            Some("boolean") => Declared::Boolean,
            Some(_) => Declared::Named,
            None => Declared::Unknown,
        };
        Options {
            tags,
            face,
            trim_parameters: self.trim.unwrap_or(true),
            start_with_thinking: self.thinking,
            skips_code: self.fences.as_deref() == Some("text"),
            declared: if self.tools.is_empty() { None } else { Some(Arc::new(declared)) },
            ..Options::default()
        }
    }
}

/// Adds custom tags, each with those that may stand in it; so the first has the number 1, the first in it 2.
pub fn add_own(tags: &mut TagTable, own: &toml::Table, parent: u8) {
    for (name, inside) in own {
        let number = tags.own(name, parent).unwrap();
        add_own(tags, inside.as_table().unwrap(), number);
    }
}

/// The events of pieces, those of each right after it. `look` sees the parser and all events after each piece and after
/// the end.
pub fn events_of<'a, E: Emitter<Event: Debug>>(
    mut parser: Parser<E>,
    pieces: impl IntoIterator<Item = &'a str>,
    finish: impl FnOnce(&mut Parser<E>) -> Vec<E::Event>,
    mut look: impl FnMut(&Parser<E>, &[E::Event]),
) -> Vec<E::Event> {
    let mut events = Vec::new();
    for piece in pieces {
        let emitted = parser.feed(piece).unwrap();
        assert!(!piece.is_empty() || emitted.is_empty(), "an empty piece has events: {emitted:#?}");
        events.extend(emitted);
        look(&parser, &events);
    }
    events.extend(finish(&mut parser));
    assert_eq!(parser.held(), 0, "text is pending after the end");
    assert!(parser.finish().is_empty(), "a second end emits something");
    look(&parser, &events);
    assert_eq!(parser.feed("x").map_err(|error| error.kind.code()).err(), Some("finished"));
    events
}

/// A parser that must fail: it forgets after each piece what it doesn't know for sure. It and its events.
pub fn forgetful<E: Emitter>(new: impl Fn() -> Parser<E>, pieces: &[&str]) -> (Parser<E>, Vec<E::Event>) {
    let mut parser = new();
    let mut events = Vec::new();
    for piece in pieces {
        if parser.held() > 0 {
            parser = new();
        }
        events.extend(parser.feed(piece).unwrap());
    }
    events.extend(parser.finish());
    (parser, events)
}

/// The events of a text of blocks that is fed in pieces.
pub fn feed<'a>(options: Options, pieces: impl IntoIterator<Item = &'a str>) -> Vec<Event> {
    feed_with(options, pieces, |_| {})
}

/// Reads so, and `look` sees the parser after each piece and after the end.
pub fn feed_with<'a>(
    options: Options,
    pieces: impl IntoIterator<Item = &'a str>,
    mut look: impl FnMut(&BlockParser),
) -> Vec<Event> {
    events_of(BlockParser::new(options), pieces, BlockParser::finish, |parser, _| look(parser))
}

/// What was said, joined: everything but where the chunks were cut.
pub fn joined(events: &[Event]) -> Vec<EventKind> {
    let mut joined: Vec<EventKind> = Vec::new();
    for event in events {
        match (&event.kind, joined.last_mut()) {
            (EventKind::Markup | EventKind::UnopenedThinking, _) => {}
            (
                EventKind::Chunk { index, part, text, .. },
                Some(EventKind::Chunk { index: last_index, part: last_part, text: last, .. }),
            ) if index == last_index && part == last_part => last.push_str(text),
            (kind, _) => joined.push(kind.clone()),
        }
    }
    joined
}

/// One line a block, as the case files have them. Panics where the events
/// break the protocol.
pub fn render(events: &[Event], face: Face) -> String {
    let mut lines = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut own = None;
    for event in events {
        match &event.kind {
            EventKind::Markup | EventKind::UnopenedThinking => {}
            EventKind::OwnTag { number, parent, attributes } => {
                assert_eq!(*parent, open.last().map(|open| open.index), "{event:?}");
                let parent = parent.map_or(String::new(), |parent| format!(" in {parent}"));
                let attributes: Vec<String> =
                    attributes.iter().map(|(name, value)| format!("{}:{}", json(name), json(value))).collect();
                own = Some(format!("own {number}{parent} {{{}}}", attributes.join(",")));
            }
            EventKind::BlockStart { index, block } => {
                let is_own = open.iter().all(|open| open.kind == Kind::Own) && *block == Kind::Own;
                assert!(open.is_empty() || is_own, "a block starts in a block: {event:?}");
                assert_eq!(own.is_some(), *block == Kind::Own, "an own block without its tag: {event:?}");
                assert_eq!(*index, lines.len());
                lines.push(String::new());
                open.push(Open { index: *index, kind: *block, own: own.take(), ..Open::default() });
            }
            EventKind::Chunk { index, block, part, text } => {
                let open = open.last_mut().unwrap_or_else(|| panic!("a chunk outside of blocks: {event:?}"));
                assert_eq!((*index, *block), (open.index, open.kind));
                open.take(*part, text, event.span);
            }
            EventKind::BlockComplete { index, block, content, tool_id, tool_name, input, is_error, is_incomplete } => {
                let open = open.pop().unwrap_or_else(|| panic!("no block to complete: {event:?}"));
                assert_eq!((*index, *block), (open.index, open.kind));
                assert_eq!(content.as_ref().or(input.as_ref()), Some(&open.text));
                let text = json(&open.text);
                let span = open.span.map_or(String::new(), |span| format!(" {}..{}", span.start, span.end));
                let id = tool_id.as_deref().map_or("-".to_owned(), json);
                let cut = if *is_incomplete { " incomplete" } else { "" };
                let line = match (block, face) {
                    (Kind::Own, _) => format!("{} {text}{span}{cut}", open.own.unwrap()),
                    (Kind::Text, Face::Blocks) => format!("text {text}{span}{cut}"),
                    (Kind::Thinking, Face::Blocks) => format!("thinking {text}{span}{cut}"),
                    (Kind::ToolResult, Face::Blocks) if *is_error => format!("error {id} {text}{span}{cut}"),
                    (Kind::ToolResult, Face::Blocks) => format!("result {id} {text}{span}{cut}"),
                    (Kind::ToolCall, Face::Blocks) if input.is_none() && tool_id.is_none() => {
                        format!("stray {text}{span}")
                    }
                    (Kind::ToolCall, Face::Blocks) => {
                        assert_eq!(tool_name, &open.name, "the name chunk and the block's name");
                        assert_eq!(tool_id, &open.id, "the id chunk and the block's id");
                        let name = tool_name.as_deref().map_or("-".to_owned(), json);
                        let is_json = input.is_some() && is_json(&open.text);
                        match (is_json, is_incomplete) {
                            (true, true) => format!("call {name} {}{span} incomplete", open.text),
                            (true, false) => format!("call {name} {}{span}", open.text),
                            (false, _) => format!("call {name} broken {text}{span} incomplete"),
                        }
                    }
                    (Kind::Text, Face::Elements) => format!("text {text}"),
                    (Kind::Thinking, Face::Elements) => format!("thinking {text}"),
                    (Kind::ToolCall, Face::Elements) => format!("tool_call {text}"),
                    (Kind::ToolResult, Face::Elements) => format!("tool_result {text}"),
                    _ => panic!("unknown: {event:?}"),
                };
                *lines.get_mut(*index).unwrap() = line;
            }
            _ => panic!("unknown: {event:?}"),
        }
    }
    assert!(open.is_empty(), "a block is open after the end");
    lines.join("\n")
}

struct Open {
    index: usize,
    kind: Kind,
    /// The front of an own block's line.
    own: Option<String>,
    text: String,
    name: Option<String>,
    id: Option<String>,
    span: Option<Span>,
}

impl Default for Open {
    fn default() -> Self {
        Open { index: 0, kind: Kind::Text, own: None, text: String::new(), name: None, id: None, span: None }
    }
}

impl Open {
    fn take(&mut self, part: Option<Part>, text: &str, span: Span) {
        assert!(!text.is_empty(), "an empty chunk");
        match part {
            Some(Part::Name) => {
                assert!(self.id.is_none(), "a name after its id");
                assert!(self.name.replace(text.to_owned()).is_none(), "two names");
            }
            Some(Part::Id) => assert!(self.id.replace(text.to_owned()).is_none(), "two ids"),
            Some(Part::Input) => {
                assert!(self.id.is_some(), "input before its id");
                self.text.push_str(text);
            }
            None => self.text.push_str(text),
            _ => panic!("unknown: {part:?}"),
        }
        if !span.is_empty() {
            let start = self.span.map_or(span.start, |before| before.start);
            self.span = Some(Span { start, end: span.end });
        }
    }
}

/// Whether a text is JSON, but for backslashes that JSON has no meaning for.
pub fn is_json(text: &str) -> bool {
    let mut doubled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        let is_hex = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let known = match after.chars().next() {
            Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => 1,
            Some('u') if after.get(1..5).is_some_and(is_hex) => 5,
            _ => 0,
        };
        doubled.push_str(before);
        doubled.push_str(if known == 0 { "\\\\" } else { "\\" });
        doubled.push_str(&after[..known]);
        rest = &after[known..];
    }
    doubled.push_str(rest);
    serde_json::from_str::<serde_json::Value>(&doubled).is_ok()
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// Asserts that the spans of chunks and markup tile the text: each begins where
/// the last one ended, but for places that cover nothing.
pub fn assert_tiled(events: &[Event], text: &str) {
    let mut pieces: Vec<Span> = events
        .iter()
        .filter(|event| matches!(event.kind, EventKind::Chunk { .. } | EventKind::Markup) && !event.span.is_empty())
        .map(|event| event.span)
        .collect();
    // Text inside a call is emitted after the call, so it comes out of order.
    pieces.sort_by_key(|span| span.start);
    let mut at = 0;
    for span in pieces {
        assert_eq!(span.start, at, "{text:?} has a gap or an overlap at {at}: {events:#?}");
        at = span.end;
    }
    assert_eq!(at, text.encode_utf16().count() as u64, "{text:?} is not covered: {events:#?}");
}

/// Random numbers from a seed (xorshift64*), so that a failure can be had again.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

/// The seed of this run: `SEED`, or the time.
pub fn seed() -> u64 {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    std::env::var("SEED").map_or_else(|_| now(), |seed| seed.parse().expect("SEED is a number"))
}

/// The places where a text can be cut.
pub fn places(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
}

/// A text cut at places that go up.
pub fn cut<'a>(text: &'a str, places: &[usize]) -> Vec<&'a str> {
    let mut from = 0;
    let mut pieces = Vec::new();
    for &place in places.iter().chain([&text.len()]) {
        pieces.push(text.get(from..place).expect("a place between two characters"));
        from = place;
    }
    pieces
}

/// Longest text, in places, whose every cut is tried.
const EVERY_CUT: usize = 4_200;

/// What is said of the first cuts of a text for which `check` has something to say: whole, one character at a time, with
/// empty pieces, at random, at every place, and at every two if there are no more places than `every_two`.
pub fn at_every_cut(
    text: &str,
    seed: u64,
    every_two: usize,
    check: impl Fn(&[&str]) -> Option<String>,
) -> Option<String> {
    let check = |cuts: &[usize]| {
        let pieces = cut(text, cuts);
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&pieces)));
        let wrong = found.unwrap_or_else(|_| Some("a panic, see above".to_owned()));
        wrong.map(|wrong| format!("(SEED={seed}) cut into {pieces:?}\n{wrong}"))
    };
    let places = places(text);
    assert!(places.len() <= EVERY_CUT, "{text:?} is too long for every cut");
    let whole = [vec![], places.clone(), places.iter().flat_map(|&place| [place, place]).collect()];
    let mut random = Random::new(seed);
    let at_random = (0..thin::thinned(200)).map(|nth| {
        let mut cuts: Vec<_> =
            (0..1 + nth % 10).filter_map(|_| places.get(random.below(places.len())).copied()).collect();
        cuts.sort_unstable();
        cuts
    });
    let found = whole.into_iter().chain(at_random).find_map(|cuts| check(&cuts));
    let found = found.or_else(|| places.iter().step_by(thin::thinness()).find_map(|&place| check(&[place])));
    if found.is_some() || places.len() > every_two {
        return found;
    }
    let second = |nth: usize| places.iter().skip(nth);
    let pairs = places.iter().enumerate().flat_map(|(nth, &first)| second(nth).map(move |&second| [first, second]));
    pairs.step_by(thin::thinness()).find_map(|cuts| check(&cuts))
}

/// Runs what panics as a test of a test; its panics need not be read, those of other threads are.
pub fn quietly<T>(run: impl FnOnce() -> T) -> T {
    let quiet = Arc::new(Mutex::new(Some(std::thread::current().id())));
    let print = std::panic::take_hook();
    let is_quiet = Arc::clone(&quiet);
    std::panic::set_hook(Box::new(move |panic| {
        if *is_quiet.lock().unwrap() != Some(std::thread::current().id()) {
            print(panic);
        }
    }));
    let result = run();
    *quiet.lock().unwrap() = None;
    result
}
