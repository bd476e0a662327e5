//! Reads text by rows, as the package does: pending text, questions and their answers, and the
//! end of a call that is too long. What holds for any text is asserted on the way.

use crate::rows::{Rows, TOOLS};
use tokenweir::format::{Answer, Argument, Ask, LONGEST_HEAD, LONGEST_SPACE, Machine, Op, Repair, Start};
use tokenweir::json::{JsonOp, Rule, Rules};
use tokenweir::text::{Machine as _, Outcome, Record, Sink, Stretch};
use tokenweir::xml::TreeOp;

/// Room for records in one call: few, so that texts need several.
const ROOM: usize = 24;

/// How a text is read, besides its rows.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub start: Start,
    pub seeks: bool,
    pub skips_code: bool,
    pub has_tools: bool,
    /// What is answered where the answer is the schema's; 0 is what is answered without one.
    pub answers: u64,
    /// Most units of a call that are pending.
    pub longest: u32,
}

impl Way {
    pub const PLAIN: Way =
        Way { start: Start::Turn, seeks: true, skips_code: false, has_tools: true, answers: 0, longest: 1 << 20 };

    /// By the bits of a number.
    pub fn of(bits: u64) -> Way {
        let start = match bits & 0xF {
            0 => Start::Reasoning,
            1 => Start::Text,
            2 => Start::Header,
            _ => Start::Turn,
        };
        Way {
            start,
            seeks: bits >> 4 & 7 != 0,
            skips_code: bits >> 7 & 3 == 0,
            has_tools: bits >> 9 & 1 == 0,
            answers: bits >> 16,
            longest: if bits >> 10 & 7 == 0 { 40 } else { 1 << 20 },
        }
    }
}

/// What was read, with its place in UTF-16 units of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub what: What,
    pub text: String,
    /// Where it stands. Where a call is done, the rules of JSON by which it was read come instead of a start.
    pub span: (u64, u64),
    /// Whether the end of the stream made it.
    pub is_at_end: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Own(Op),
    Element(TreeOp),
    /// Of JSON, with what its record carries.
    Json(JsonOp, u32),
}

struct Batch(Vec<Record>);

impl Sink for Batch {
    fn record(&mut self, record: Record) {
        assert!(self.0.len() < ROOM, "more records than were asked room for");
        self.0.push(record);
    }

    fn lacks_room_for(&self, count: usize) -> bool {
        self.0.len() + count > ROOM
    }
}

/// One stream.
pub struct Reader<'a> {
    rows: &'a Rows,
    way: Way,
    machine: Machine,
    pending: String,
    /// The unit of the stream at which it begins.
    origin: u64,
    /// How many units and bytes of it were read.
    read: (u32, usize),
    events: Vec<Event>,
    is_at_end: bool,
    /// The call that is read: its row, its name, its arguments where they are a string, and how deep they are.
    is_strict: bool,
    name: String,
    encoded: String,
    depth: u32,
    /// The name that was read last.
    last: String,
}

impl<'a> Reader<'a> {
    pub fn new(rows: &'a Rows, way: Way) -> Reader<'a> {
        Reader {
            rows,
            way,
            machine: Machine::new(way.start, way.seeks, way.skips_code),
            pending: String::new(),
            origin: 0,
            read: (0, 0),
            events: Vec::new(),
            is_at_end: false,
            is_strict: false,
            name: String::new(),
            encoded: String::new(),
            depth: 0,
            last: String::new(),
        }
    }

    /// How many units are pending.
    pub fn held(&self) -> u32 {
        units(&self.pending)
    }

    pub fn feed(&mut self, chunk: &str) {
        let longest = self.way.longest;
        let mut rest = chunk;
        while !rest.is_empty() && self.held() + units(rest) > longest {
            let room = longest.saturating_sub(self.held());
            let mut at = byte_of(rest, room);
            if at == 0 && self.machine.is_in_call() {
                self.end_call(|machine, held, records| machine.give_up(held, records));
                continue;
            }
            if at == 0 {
                // No call is pending yet.
                at = rest.chars().next().map_or(0, char::len_utf8);
            }
            self.read_part(&rest[..at]);
            rest = &rest[at..];
        }
        if !rest.is_empty() {
            self.read_part(rest);
        }
        // What is undecided outside of calls is an opener with its head, and white space before it. More is
        // pending only until the next chunk.
        let undecided = LONGEST_SPACE + LONGEST_HEAD as u32 + units(chunk);
        let most = if self.machine.is_in_call() { longest.max(undecided) } else { undecided };
        assert!(self.held() <= most, "{} units are pending", self.held());
    }

    /// The end of a run of text.
    pub fn settle(&mut self) {
        let most = 8 + 4 * self.pending.len();
        for turn in 0.. {
            assert!(turn < most, "the run never ends");
            if self.machine.is_in_call() {
                return;
            }
            if self.end_call(|machine, held, records| machine.settle(held, records)) {
                assert_eq!(self.pending, "", "text is pending after a run");
                return;
            }
        }
    }

    /// The end of the stream: all events, and the machine's moves.
    pub fn finish(mut self) -> (Vec<Event>, u64) {
        self.is_at_end = true;
        let most = 8 + 4 * self.pending.len();
        for turn in 0.. {
            assert!(turn < most, "the end is never reached");
            if self.end_call(|machine, held, records| machine.finish(held, records)) {
                break;
            }
        }
        assert_eq!(self.pending, "", "text is pending after the end");
        (self.events, self.machine.steps())
    }

    fn read_part(&mut self, part: &str) {
        self.pending += part;
        self.run();
    }

    /// True if all that was pending is decided.
    fn end_call(&mut self, call: impl FnOnce(&mut Machine, u32, &mut Batch) -> Outcome<Ask>) -> bool {
        let held = self.held();
        let mut records = Batch(Vec::new());
        let outcome = call(&mut self.machine, held, &mut records);
        self.take(&records);
        self.go_to(&outcome);
        if outcome.next < held {
            self.run();
        }
        outcome.next == held && !outcome.waits
    }

    fn run(&mut self) {
        let most = 1_000 + 40 * self.pending.len();
        for turn in 0.. {
            assert!(turn < most, "no progress");
            let (held, from) = self.read;
            let stretch = &self.pending[from..];
            let mut records = Batch(Vec::new());
            let mut text = Stretch::new(stretch.as_bytes(), held, stretch.is_ascii());
            let outcome = self.machine.run(&self.rows.table, &mut text, &mut records);
            self.take(&records);
            self.go_to(&outcome);
            if let Some(ask) = outcome.ask {
                let answer = self.answer(ask);
                self.machine.answer(answer);
            } else if outcome.waits || self.read.1 == self.pending.len() {
                return;
            }
        }
    }

    fn go_to(&mut self, outcome: &Outcome<Ask>) {
        assert!(outcome.held_from <= outcome.next && outcome.next <= self.held(), "{outcome:?}");
        let from = byte_of(&self.pending, outcome.held_from);
        let at = byte_of(&self.pending, outcome.next);
        self.pending.drain(..from);
        self.origin += u64::from(outcome.held_from);
        self.read = (outcome.next - outcome.held_from, at - from);
    }

    fn take(&mut self, records: &Batch) {
        for &record in &records.0 {
            let what = match Argument::of(record) {
                Some(Argument::Json(op)) => What::Json(op, record.word >> 8),
                Some(Argument::Element(op)) => What::Element(op),
                None => What::Own(Op::of(record).expect("a record of the machine")),
            };
            let is_done = matches!(what, What::Own(Op::Done { .. }));
            let at = |unit: u32| self.origin + u64::from(unit);
            let span = (if is_done { u64::from(record.start) } else { at(record.start) }, at(record.end));
            assert!(is_done || record.start <= record.end && record.end <= self.held(), "{what:?} {record:?}");
            let text = if is_done || matches!(what, What::Json(JsonOp::Fault, _)) {
                String::new()
            } else {
                self.pending[byte_of(&self.pending, record.start)..byte_of(&self.pending, record.end)].to_owned()
            };
            self.note(what, &text);
            self.events.push(Event { what, text, span, is_at_end: self.is_at_end });
        }
    }

    /// Keeps what answers need.
    fn note(&mut self, what: What, text: &str) {
        match what {
            What::Own(Op::Begin { row, is_bare, .. }) => {
                self.is_strict = is_bare || self.rows.rows[usize::from(row)].is_known;
                self.name.clear();
                self.encoded.clear();
                self.depth = 0;
            }
            What::Own(Op::Name) => self.name += text,
            What::Own(Op::NameCharacter(code)) => self.name.push(char::from_u32(code).unwrap_or('?')),
            What::Own(Op::Arguments) => {
                self.depth = 0;
                self.encoded.clear();
            }
            What::Own(Op::Next { .. }) | What::Element(TreeOp::Open) => text.clone_into(&mut self.last),
            What::Json(JsonOp::Object | JsonOp::Array, _) => self.depth += 1,
            What::Json(JsonOp::Close, _) => self.depth = self.depth.saturating_sub(1),
            What::Json(JsonOp::Piece | JsonOp::End, _) if self.depth == 0 => self.encoded += text,
            What::Json(JsonOp::Character, code) if self.depth == 0 => {
                self.encoded.push(char::from_u32(code).unwrap_or('?'));
            }
            _ => {}
        }
    }

    fn answer(&self, ask: Ask) -> Answer {
        let mut hash = self.way.answers ^ u64::from(ask as u32);
        for byte in self.last.bytes().chain(self.name.bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        let picked = if self.way.answers == 0 { 7 } else { hash >> 20 & 7 };
        let is = |yes: bool, other: Answer| if yes { Answer::Accept } else { other };
        match ask {
            Ask::Name if self.name.is_empty() => Answer::Malformed,
            Ask::Name => {
                let is_tool = !self.is_strict || !self.way.has_tools || TOOLS.contains(&self.name.as_str());
                is(is_tool, Answer::Reject)
            }
            Ask::Arguments => {
                let object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&self.encoded);
                is(object.is_ok(), Answer::Malformed)
            }
            Ask::Whole | Ask::Message | Ask::Ends => is(picked != 0, Answer::Malformed),
            Ask::Open => is(picked < 4, Answer::Reject),
            Ask::Element => [Answer::Text, Answer::Look][picked as usize & 1],
            Ask::Member => is(picked != 0, Answer::Malformed),
            Ask::Quote => Answer::Accept,
            Ask::Alias => unreachable!("no row of the catalogue is tolerant"),
        }
    }
}

/// The events of a text that comes in pieces.
pub fn read<'t>(rows: &Rows, way: Way, pieces: impl IntoIterator<Item = &'t str>) -> Vec<Event> {
    let mut reader = Reader::new(rows, way);
    for piece in pieces {
        reader.feed(piece);
    }
    reader.finish().0
}

/// Names that may come in pieces, and texts.
fn label(what: What) -> Option<&'static str> {
    Some(match what {
        What::Own(Op::Text) => "text",
        What::Own(Op::Markup) => "markup",
        What::Own(Op::Failed) => "failed",
        What::Own(Op::Reasoned) => "reasoned",
        What::Own(Op::Name | Op::NameCharacter(_)) => "name",
        What::Own(Op::Id | Op::IdCharacter(_)) => "id",
        What::Element(TreeOp::Text | TreeOp::Character(_)) => "value",
        What::Element(TreeOp::CData) => "cdata",
        What::Json(JsonOp::Piece | JsonOp::Character | JsonOp::End, _) => "string",
        What::Json(JsonOp::KeyPiece | JsonOp::KeyCharacter | JsonOp::KeyEnd, _) => "key",
        _ => return None,
    })
}

/// The character that an event stands for.
fn character(what: What) -> Option<char> {
    let code = match what {
        What::Own(Op::NameCharacter(code) | Op::IdCharacter(code)) | What::Element(TreeOp::Character(code)) => code,
        What::Json(JsonOp::Character | JsonOp::KeyCharacter, code) => code,
        _ => return None,
    };
    Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Whether it covers its place in the stream.
pub fn covers(what: What) -> bool {
    use Op::{End, Failed, Markup, Reasoned, Reasoning, ReasoningEnd, Reopened, Text};
    matches!(what, What::Own(Text | Markup | End | Failed | Reasoning | Reasoned | Reopened | ReasoningEnd))
}

/// What was said, and where.
type Line = (String, String, Option<(u64, u64)>);

/// What was said, a line each, with pieces joined. Places are of what covers them.
pub fn joined(events: &[Event]) -> Vec<String> {
    let mut lines: Vec<Line> = Vec::new();
    for Event { what, text, span, .. } in events {
        let place = covers(*what).then_some(*span);
        let Some(label) = label(*what) else {
            // Whether they have begun is seen by what comes of them.
            if *what == What::Own(Op::Arguments) {
                continue;
            }
            let text =
                if matches!(what, What::Own(Op::Begin { .. } | Op::Fail(_) | Op::FailEnd { .. })) { "" } else { text };
            lines.push((format!("{what:?}"), text.to_owned(), place));
            continue;
        };
        let text = character(*what).map_or_else(|| text.clone(), String::from);
        // What fails immediately may have no piece at all.
        if text.is_empty() && matches!(what, What::Json(JsonOp::Piece | JsonOp::KeyPiece, _)) {
            continue;
        }
        match lines.last_mut() {
            Some((last, all, at)) if last == label => {
                *all += &text;
                if let (Some(at), Some(place)) = (at, place) {
                    at.1 = place.1;
                }
            }
            _ => lines.push((label.to_owned(), text, place)),
        }
        // It has ended: another is not the same.
        if matches!(what, What::Json(JsonOp::End | JsonOp::KeyEnd, _))
            && let Some(line) = lines.last_mut()
        {
            line.0 = format!("{label} ended");
        }
    }
    lines.into_iter().map(|(what, text, place)| format!("{what} {text:?} {place:?}")).collect()
}

/// A call that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub row: u8,
    pub name: String,
    /// All that was said of its arguments.
    pub arguments: Vec<String>,
    /// Where its segment begins, its payload, and where it ends.
    pub start: u64,
    pub payload: u64,
    pub end: u64,
    pub is_at_end: bool,
    /// Its repairs and the rules of JSON by which it was read.
    pub tolerated: u64,
}

impl Call {
    /// Whether it was read with a repair.
    pub fn has(&self, repair: Repair) -> bool {
        self.tolerated & repair.bit() != 0
    }

    /// Whether quotes in it are parts of strings.
    pub fn has_inner_quotes(&self) -> bool {
        self.tolerated & u64::from(Rules::STRICT.with(Rule::UnescapedQuote).bits()) != 0
    }
}

/// The calls of a stream. Asserts the order of their events.
pub fn calls(events: &[Event]) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut open: Option<Call> = None;
    let mut inside: Vec<Event> = Vec::new();
    let mut has_failed = false;
    // Where the last call ended: its list may go on, end, or break off there.
    let mut last_end = u64::MAX;
    for event in events {
        let &Event { what, span, is_at_end, .. } = event;
        match what {
            What::Own(Op::Begin { row, .. }) => {
                assert!(!has_failed, "a call begins in a segment that is not one");
                inside.clear();
                let (start, payload) = span;
                let (name, arguments) = (String::new(), Vec::new());
                open = Some(Call { row, name, arguments, start, payload, end: 0, is_at_end, tolerated: 0 });
            }
            What::Own(Op::Name) => open.as_mut().expect("a name of a call").name += &event.text,
            What::Own(Op::NameCharacter(_)) => {
                open.as_mut().expect("a name of a call").name.extend(character(what));
            }
            What::Own(Op::Done { repairs }) => {
                let Some(call) = &mut open else { continue };
                call.tolerated = u64::from(repairs) << 32 | span.0;
                call.end = span.1;
                call.is_at_end = is_at_end;
                call.arguments = joined(&inside);
            }
            What::Own(Op::End) => {
                let Some(call) = open.take() else {
                    assert_eq!(span.0, last_end, "the end of no call");
                    continue;
                };
                assert_eq!((call.start, call.end), span, "the segment of {call:?}");
                last_end = call.end;
                calls.push(call);
            }
            What::Own(Op::Fail(_)) => {
                assert!(open.take().is_some() || span.0 == last_end, "nothing fails");
                has_failed = true;
            }
            What::Own(Op::Failed) => assert!(has_failed, "text of no segment"),
            What::Own(Op::FailEnd { .. }) => has_failed = false,
            What::Own(Op::Text) => assert!(!has_failed, "text in a segment"),
            _ => {}
        }
        if matches!(what, What::Json(..) | What::Element(_)) {
            inside.push(event.clone());
        }
    }
    assert!(!has_failed, "a segment has no end");
    calls
}

/// UTF-16 units of a text.
pub fn units(text: &str) -> u32 {
    let count = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
    u32::try_from(count).expect("a short text")
}

/// The byte at a unit, or at the start of the character that it is in.
pub fn byte_of(text: &str, unit: u32) -> usize {
    if text.is_ascii() {
        return text.len().min(unit as usize);
    }
    let mut left = unit as usize;
    for (at, c) in text.char_indices() {
        match left.checked_sub(c.len_utf16()) {
            _ if left == 0 => return at,
            Some(less) => left = less,
            None => return at,
        }
    }
    text.len()
}
