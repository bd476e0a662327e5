//! A driver like those of the parsers: it keeps pending text, joins the pieces
//! and builds the value. On the way it asserts what holds for every text: held
//! text and steps are bounded, places are in order, a stumble ends in a fault.

use crate::thin::thinness;
use crate::value::{Double, Units, Value, insert};
use std::ops::Range;
use tokenweir::json::{
    Container, Fault, Kind, LONGEST_LOOK, LONGEST_NUMBER, Literal, Rule, Rules, State, Token, Tokenizer,
};
use tokenweir::text::Stretch;

/// A token once its pieces are joined.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Push(Container),
    Pop(Container),
    Text { is_key: bool, text: Units, is_whole: bool },
    Number,
    CutNumber,
    Word(Literal),
    Fault(Fault),
}

/// All that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The tokens and where they stand. A text stands where its pieces do; an
    /// empty one that never ended stands nowhere.
    pub parts: Vec<(Part, Range<usize>)>,
    /// Faults inside of texts: they don't end the text, so they stand beside it.
    pub text_faults: Vec<(Fault, Range<usize>)>,
    pub used: Rules,
    /// One value and nothing open (but for a comment).
    pub is_whole: bool,
    /// What `could_be_closed` said before the end.
    pub could_be_closed: bool,
    /// The value, with what was cut as it is.
    pub value: Option<Value>,
}

impl Reading {
    pub fn has_fault(&self) -> bool {
        !self.text_faults.is_empty() || self.parts.iter().any(|(part, _)| matches!(part, Part::Fault(_)))
    }

    pub fn is_accepted(&self) -> bool {
        self.is_whole && !self.has_fault()
    }

    /// One word a token, with the text it stands for; places for faults alone.
    pub fn render(&self, source: &str) -> String {
        let units: Vec<u16> = source.encode_utf16().collect();
        let there = |at: &Range<usize>| String::from_utf16_lossy(&units[at.clone()]);
        let mut words = Vec::new();
        for (part, at) in &self.parts {
            words.push(match part {
                Part::Push(Container::Object) => "{".to_owned(),
                Part::Pop(Container::Object) => "}".to_owned(),
                Part::Push(_) => "[".to_owned(),
                Part::Pop(_) => "]".to_owned(),
                Part::Text { is_key, text, is_whole } => {
                    let (colon, dots) = (if *is_key { ":" } else { "" }, if *is_whole { "" } else { "…" });
                    format!("{text:?}{dots}{colon}")
                }
                Part::Number => there(at),
                Part::CutNumber => format!("{}…", there(at)),
                Part::Word(literal) => format!("{literal:?}").to_lowercase(),
                Part::Fault(fault) => format!("<{fault:?} {}..{}>", at.start, at.end),
            });
        }
        words.extend(self.text_faults.iter().map(|(fault, at)| format!("({fault:?} {}..{})", at.start, at.end)));
        words.join(" ")
    }
}

/// Reads a text that is cut at places (in UTF-16 units, in order).
pub fn read(units: &[u16], cuts: &[usize], rules: Rules, max_depth: u16) -> Reading {
    let mut reader = Reader::new(rules, max_depth);
    let mut from = 0;
    for &to in cuts.iter().chain([&units.len()]) {
        reader.feed(&units[from..to]);
        from = to;
    }
    reader.finish()
}

/// Reads a text in one chunk.
pub fn read_whole(text: &str, rules: Rules) -> Reading {
    let units: Vec<u16> = text.encode_utf16().collect();
    read(&units, &[], rules, 512)
}

/// Reads a text whole, unit by unit and at some other cuts, and asserts that
/// all of it is the same.
pub fn read_cut(text: &str, rules: Rules, max_depth: u16) -> Reading {
    let units: Vec<u16> = text.encode_utf16().collect();
    let whole = read(&units, &[], rules, max_depth);
    for size in [1, 2, 3, 7] {
        let cuts: Vec<usize> = (size..units.len()).step_by(size).collect();
        assert_eq!(read(&units, &cuts, rules, max_depth), whole, "{text:?} in chunks of {size}");
    }
    for at in (0..=units.len().min(200)).step_by(thinness()) {
        assert_eq!(read(&units, &[at], rules, max_depth), whole, "{text:?} cut at {at}");
    }
    whole
}

/// The bytes that JavaScript's side sends: UTF-8, and half a surrogate pair in three bytes.
fn encode(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok(c) => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(half) => {
                let half = half.unpaired_surrogate();
                bytes.extend([0xED, 0x80 | (half >> 6 & 0x3F) as u8, 0x80 | (half & 0x3F) as u8]);
            }
        }
    }
    bytes
}

struct Reader {
    tokenizer: Tokenizer,
    units: Vec<u16>,
    /// Units that were decided and forgotten, and units after those that were read.
    decided: usize,
    pending: u32,
    bytes: u64,
    tokens: usize,
    /// Where the last token outside of faults in texts ended.
    last_end: usize,
    stumbled: Option<usize>,
    parts: Vec<(Part, Range<usize>)>,
    text_faults: Vec<(Fault, Range<usize>)>,
}

impl Reader {
    fn new(rules: Rules, max_depth: u16) -> Reader {
        Reader {
            tokenizer: Tokenizer::new(rules, max_depth),
            units: Vec::new(),
            decided: 0,
            pending: 0,
            bytes: 0,
            tokens: 0,
            last_end: 0,
            stumbled: None,
            parts: Vec::new(),
            text_faults: Vec::new(),
        }
    }

    /// Units that are not decided yet.
    fn held(&self) -> u32 {
        (self.units.len() - self.decided) as u32
    }

    fn feed(&mut self, chunk: &[u16]) {
        self.units.extend(chunk);
        self.bytes += encode(chunk).len() as u64;
        self.read();
        self.check_held();
        self.check_plain_string();
        self.check_half();
        // No character takes more than four moves, and `reset` is not called.
        assert!(self.tokenizer.steps() <= 4 * self.bytes, "{} steps: {self}", self.tokenizer.steps());
    }

    /// Reads what was not read yet.
    fn read(&mut self) {
        let bytes = encode(&self.units[self.decided + self.pending as usize..]);
        let mut stretch = Stretch::new(&bytes, self.pending, bytes.is_ascii());
        while let Some(token) = self.tokenizer.next(&mut stretch) {
            self.take(token);
        }
        let is_waiting = self.tokenizer.is_waiting();
        assert_ne!(stretch.is_at_end(), is_waiting, "a stretch is not read to its end: {self}");
        if let Some(token) = self.tokenizer.rest(&mut stretch) {
            self.take(token);
        }
        let here = stretch.here();
        assert!(is_waiting || here == self.held(), "the units are counted wrong: {self}");
        let from = self.tokenizer.held_from(here);
        self.tokenizer.release(from);
        self.decided += from as usize;
        self.pending = here - from;
    }

    /// What may be held depends on what it begins with.
    fn check_held(&self) {
        let most = match self.units.get(self.decided) {
            None => 0,
            // A word without quotes, and white space after it.
            Some(&unit) if matches!(self.tokenizer.state().0, State::Lone(_)) && unit != u16::from(b' ') => 257,
            Some(&unit) => match u8::try_from(unit) {
                Ok(b'\\') => 11, // `\ud83d\ude4`
                Ok(b'"' | b'\'') if self.tokenizer.is_waiting() => 2 + LONGEST_LOOK as u32,
                Ok(b'"' | b'\'') => 2,
                Ok(b'/') => 1,
                Ok(b'a'..=b'z' | b'A'..=b'Z') => 8, // `undefine`
                Ok(b'+' | b'-' | b'.' | b'0'..=b'9') => LONGEST_NUMBER,
                _ if (0xD800..0xDC00).contains(&unit) => 1,
                _ => 0,
            },
        };
        assert!(self.held() <= most, "{} held: {self}", self.held());
    }

    /// In the plain text of a string, text is more of it, whoever reads it.
    fn check_plain_string(&self) {
        if self.held() > 0 || !self.tokenizer.is_in_plain_string() {
            return;
        }
        let mut copy = self.tokenizer;
        let mut stretch = Stretch::new("x水'[".as_bytes(), 0, false);
        assert_eq!(copy.next(&mut stretch), None, "{self}");
        let piece = Token { kind: Kind::Piece { is_key: false }, start: 0, end: 4 };
        assert_eq!(copy.rest(&mut stretch), Some(piece), "{self}");
    }

    /// Half a surrogate pair at the end of a chunk isn't emitted: the other half may follow.
    fn check_half(&self) {
        let ends_in_half = self.units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit));
        if let Some((Part::Text { is_whole: false, .. }, at)) = self.parts.last() {
            assert!(!ends_in_half || at.end < self.units.len(), "half a pair is emitted: {self}");
        }
    }

    fn take(&mut self, token: Token) {
        self.tokens += 1;
        assert!(self.tokens <= 4 * self.units.len() + 4, "the tokens have no end: {self}");
        let at = self.decided + token.start as usize..self.decided + token.end as usize;
        assert!(at.start <= at.end && at.end <= self.units.len(), "{token:?} stands at {at:?}: {self}");
        if token.kind == Kind::Fault(Fault::Quote) {
            // It comes with the text of the string.
            assert!(matches!(self.units[at], [0x22 | 0x27]), "{self}");
            return;
        }
        if let Kind::Fault(fault @ (Fault::BadEscape | Fault::RawControl)) = token.kind {
            let last = self.text_faults.last().map_or(0, |(_, last)| last.end);
            assert!(last <= at.start && at.start < at.end && self.stumbled.is_none(), "{token:?}: {self}");
            self.text_faults.push((fault, at));
            return;
        }
        assert!(self.last_end <= at.start, "{token:?} at {at:?} begins before {}: {self}", self.last_end);
        self.last_end = at.end;
        let there = &self.units[at.clone()];
        let brackets = |container| if container == Container::Object { *b"{}" } else { *b"[]" };
        let part = match token.kind {
            Kind::Stumble => {
                assert!(self.stumbled.replace(at.start).is_none(), "a stumble in a stumble: {self}");
                return;
            }
            Kind::Fault(fault) => {
                assert_eq!(self.stumbled.is_none(), fault == Fault::MissingValue, "{token:?}: {self}");
                let start = self.stumbled.take().unwrap_or(at.start);
                self.parts.push((Part::Fault(fault), start..at.end));
                return;
            }
            Kind::Piece { is_key } => {
                // The start of a value's text may come alone; else a piece has text.
                let in_text = match self.parts.last() {
                    Some((Part::Text { text, is_whole: false, .. }, _)) => !text.0.is_empty(),
                    _ => false,
                };
                assert!(at.start < at.end || !is_key && !in_text, "an empty piece at {at:?}: {self}");
                return self.join(is_key, there.to_vec(), at, false);
            }
            Kind::Text { is_key } => return self.join(is_key, there.to_vec(), at, true),
            Kind::Character { is_key, code } => {
                let units = match char::from_u32(code) {
                    Some(c) => c.encode_utf16(&mut [0; 2]).to_vec(),
                    None => vec![u16::try_from(code).expect("half a pair is one unit")],
                };
                return self.join(is_key, units, at, false);
            }
            Kind::Push(container) => {
                assert_eq!(there, [u16::from(brackets(container)[0])], "{token:?}: {self}");
                Part::Push(container)
            }
            Kind::Pop(container) => {
                let is_wrong = self.tokenizer.used().has(Rule::WrongCloser) && (there == [0x5D] || there == [0x7D]);
                assert!(is_wrong || there == [u16::from(brackets(container)[1])], "{token:?}: {self}");
                Part::Pop(container)
            }
            Kind::Number => Part::Number,
            Kind::CutNumber => Part::CutNumber,
            Kind::Word(literal) => Part::Word(literal),
        };
        assert!(self.stumbled.is_none(), "{token:?} in a stumble: {self}");
        self.parts.push((part, at));
    }

    fn join(&mut self, is_key: bool, units: Vec<u16>, at: Range<usize>, is_end: bool) {
        assert!(self.stumbled.is_none(), "text in a stumble: {self}");
        let at = if at.start == at.end && !is_end { 0..0 } else { at };
        if let Some((Part::Text { is_key: was_key, text, is_whole }, place)) = self.parts.last_mut()
            && !*is_whole
        {
            assert_eq!(*was_key, is_key, "a name's text in a value");
            text.0.extend(units);
            *is_whole = is_end;
            let start = if place.start == place.end { at.start } else { place.start };
            *place = start..at.end.max(place.end);
            return;
        }
        self.parts.push((Part::Text { is_key, text: Units(units), is_whole: is_end }, at));
    }

    fn finish(mut self) -> Reading {
        if let Some(at) = self.tokenizer.stop_waiting() {
            assert_eq!(at, self.pending, "it waited elsewhere: {self}");
            self.read();
            assert!(!self.tokenizer.is_waiting(), "it waits after the end: {self}");
        }
        let could_be_closed = self.tokenizer.could_be_closed();
        let could_end = could_be_closed && self.tokenizer.depth() == 0;
        let open_number = self.tokenizer.open_number(self.held());
        if let Some(token) = self.tokenizer.finish(self.held()) {
            assert!(open_number.is_none_or(|open| open == token), "{open_number:?} ends as {token:?}: {self}");
            self.take(token);
        }
        assert!(self.stumbled.is_none(), "no fault after a stumble: {self}");
        assert!(self.tokenizer.finish(0).is_none(), "it ends twice: {self}");
        assert!(self.tokenizer.depth() <= 4_096);
        let ends_whole = match self.parts.last() {
            Some((Part::Pop(_) | Part::Number | Part::Word(_), _)) => true,
            Some((Part::Text { is_whole, .. }, _)) => *is_whole,
            Some((Part::CutNumber, _)) => open_number.is_some(),
            Some((Part::Push(_) | Part::Fault(_), _)) | None => false,
        };
        Reading {
            value: build(&self.units, &self.parts, self.tokenizer.used()),
            used: self.tokenizer.used(),
            is_whole: could_end && ends_whole,
            could_be_closed,
            parts: self.parts,
            text_faults: self.text_faults,
        }
    }
}

impl std::fmt::Display for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} after {:?}", Units(self.units.clone()), self.parts)
    }
}

/// A number's text as a double, the way JavaScript's `Number` reads it.
pub fn number(units: &[u16]) -> f64 {
    let text = String::from_utf16(units).unwrap();
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) if text.starts_with('-') => (-1.0, digits),
        Some(digits) => (1.0, digits),
        None => (1.0, text.as_str()),
    };
    let size = match digits {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        _ => match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            // Digit by digit where it is longer than what is exact.
            Some(hex) => u128::from_str_radix(hex, 16).map_or_else(
                |_| hex.chars().fold(0.0, |size, digit| size * 16.0 + f64::from(digit.to_digit(16).unwrap())),
                |size| size as f64,
            ),
            None => {
                assert!(digits.starts_with(|c: char| c.is_ascii_digit() || c == '.'), "{text:?} is not a number");
                digits.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"))
            }
        },
    };
    sign * size
}

/// An open container: what it has so far, and a name that waits for its value.
enum Open {
    Array(Vec<Value>),
    Object(Vec<(Units, Value)>, Option<Units>),
}

/// The value, without recursion: the texts are nested as deep as one likes.
fn build(units: &[u16], parts: &[(Part, Range<usize>)], used: Rules) -> Option<Value> {
    let mut open: Vec<Open> = Vec::new();
    let mut root = None;
    let put = |open: &mut Vec<Open>, root: &mut Option<Value>, value| match open.last_mut() {
        None => {
            root.get_or_insert(value);
        }
        Some(Open::Array(items)) => items.push(value),
        Some(Open::Object(members, name)) => match name.take() {
            Some(name) => insert(members, name, value),
            None => assert!(used.has(Rule::MissingKey), "no name before a value"),
        },
    };
    let close = |open| match open {
        Open::Array(items) => Value::Array(items),
        Open::Object(members, _) => Value::Object(members),
    };
    for (part, at) in parts {
        let value = match part {
            Part::Push(Container::Object) => {
                open.push(Open::Object(Vec::new(), None));
                continue;
            }
            Part::Push(_) => {
                open.push(Open::Array(Vec::new()));
                continue;
            }
            Part::Pop(_) => close(open.pop().expect("a container is open")),
            Part::Text { is_key: true, text, is_whole } => {
                if let Some(Open::Object(_, name)) = open.last_mut() {
                    *name = is_whole.then(|| text.clone());
                }
                continue;
            }
            Part::Text { text, .. } => Value::String(text.clone()),
            Part::Number | Part::CutNumber => Value::Number(Double(number(&units[at.clone()]))),
            Part::Word(Literal::Null) => Value::Null,
            Part::Word(literal) => Value::Bool(*literal == Literal::True),
            Part::Fault(_) => continue,
        };
        put(&mut open, &mut root, value);
    }
    while let Some(container) = open.pop() {
        put(&mut open, &mut root, close(container));
    }
    root
}
