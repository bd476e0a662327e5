//! Finds segments in a stream and tells them.
//!
//! In prose the earliest marker counts: `<` and a known name, a bracket and a
//! signature, `[[SEG_START`. One that turns out to be nothing is text, and the
//! search goes on one character later. What is inside a segment is read by the
//! row of its tool (`state.rs`).
//!
//! Source: spec/segment.md. Whatever is undecided is held by the caller; here
//! it is a few places, counted from the start of the held text.

use super::code::Code;
use super::header::{Header, Reading};
use super::op::{Fault, Op, SegmentType};
use super::signature::Signatures;
use super::state::{Role, Row};
use super::word::Word;
use crate::json::Recogniser;
use crate::scan::{Entry, Literals, Prefix, find_any, plain_len};
use crate::text::{Sink, Stretch, units_of, whitespace_len};
use crate::xml::{Progress, Recognised, Tag, Tokenizer, Vocabulary};

/// Longest white space that is held to see what follows, in UTF-16 code units.
pub const LONGEST_SPACE: u32 = 4_096;

/// Length up to which white space is looked through at once.
const SHORT_SPACE: usize = 64;

/// Longest sentinel header, in UTF-16 code units.
pub const LONGEST_HEADER: u32 = 1 << 20;

/// Most records that one move makes.
const ROOM: usize = 12;

/// Searching again in what turned out to be nothing may cost so many units,
const FREE_SEARCH: u64 = 65_536;

/// and so many for each unit of the stream.
const SEARCH: u64 = 4;

/// Tag names by class.
const WRITE_FILE: u8 = 0;
const RUN_BASH: u8 = 1;
const TOOL: u8 = 2;
const ARG: u8 = 3;

const NAMES: Literals<'static> = Literals {
    bytes: b"argrun_bashtoolwrite_file",
    entries: &[
        Entry { start: 0, len: 3, class: ARG },
        Entry { start: 3, len: 8, class: RUN_BASH },
        Entry { start: 11, len: 4, class: TOOL },
        Entry { start: 15, len: 10, class: WRITE_FILE },
    ],
};

/// Tags in prose.
const PROSE: Recognised = Recognised { openers: 1 << WRITE_FILE | 1 << RUN_BASH | 1 << TOOL, closers: 0 };

/// Tags in a tool whose arguments are read.
const ARGUMENTS: Recognised = Recognised { openers: 1 << ARG, closers: 1 << TOOL };

/// Attributes by tag; the class is the place among the tag's values.
const NAMED: Vocabulary<'static> = vocabulary(b"name", &[Entry { start: 0, len: 4, class: 0 }]);
const FILE: Vocabulary<'static> = vocabulary(b"path", &[Entry { start: 0, len: 4, class: 0 }]);
const COMMAND: Vocabulary<'static> = vocabulary(
    b"backgroundtimeout_secondstimeoutseconds",
    &[
        Entry { start: 0, len: 10, class: 0 },
        Entry { start: 10, len: 15, class: 1 },
        Entry { start: 25, len: 14, class: 1 },
    ],
);

const fn vocabulary(bytes: &'static [u8], entries: &'static [Entry]) -> Vocabulary<'static> {
    let attributes = Literals { bytes, entries };
    Vocabulary { names: NAMES, attributes, folds_case: true, takes_unquoted: false }
}

/// Numbers of attributes that are metadata.
const PATH: u8 = 0;
const BACKGROUND: u8 = 1;
const TIMEOUT: u8 = 2;

const SENTINEL: Literals<'static> =
    Literals { bytes: b"[[SEG_START", entries: &[Entry { start: 0, len: 11, class: 0 }] };

const CLOSING_ARG: &[u8] = b"</arg>";

/// What closes arguments, where the end marker never came; sorted.
const CLOSERS: Literals<'static> = Literals {
    bytes: b"</arguments></tool>",
    entries: &[Entry { start: 0, len: 12, class: 0 }, Entry { start: 12, len: 7, class: 1 }],
};

/// Which markers are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Markers {
    /// `<tool …>`, `<write_file …>`, `<run_bash>`
    pub xml: bool,
    /// Tools that are JSON.
    pub json: bool,
    /// `[[SEG_START …]]`
    pub sentinel: bool,
    /// Whether markup in Markdown code is text.
    pub skips_code: bool,
}

impl Markers {
    /// None: all is text.
    pub const NONE: Markers = Markers { xml: false, json: false, sentinel: false, skips_code: false };

    /// XML tags alone.
    pub const XML: Markers = Markers { xml: true, ..Markers::NONE };
}

/// What a program says of a tool whose name is asked about.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is no heap to put the row on")]
pub enum Choice {
    /// Nothing: the built-in row, if there is one.
    BuiltIn,
    /// It is like any tool.
    Generic,
    /// A row of the program's own.
    Own(Row),
}

/// What needs no reading: text that changes nothing here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// Everything has to be read.
    Ask = 0,
    /// Text without the front of a marker.
    Text = 1,
    /// Content without `<`.
    Element = 2,
    /// Content without `[`.
    Sentinel = 3,
    /// Content without `<`, line end and `_`.
    Marked = 4,
    /// JSON without quote and bracket.
    Json = 5,
    /// JSON without quote and backslash.
    JsonString = 6,
    /// Markup without `<`.
    Markup = 7,
}

/// What a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Where to read on, in units from the start of the held text.
    pub next: u32,
    /// Where the text begins that is still undecided.
    pub held_from: u32,
    /// Whether the tool of the last [`Op::Name`] is asked about.
    pub asks_state: bool,
}

/// What raw text goes up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    WriteFile,
    RunBash,
    Tool,
    Sentinel,
    /// The content's `</arg>`.
    Arg,
    /// The same as `Tool`, for what is no content.
    Swallowed,
}

impl Until {
    const fn literal(self) -> &'static [u8] {
        match self {
            Until::WriteFile => b"</write_file>",
            Until::RunBash => b"</run_bash>",
            Until::Tool | Until::Swallowed => b"</tool>",
            Until::Sentinel => b"[[seg_end]]",
            Until::Arg => CLOSING_ARG,
        }
    }
}

/// Where in a bracketed content the place is. `edge` is where the undecided
/// text begins, `tail` where what may end the content does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marked {
    /// `abc|`
    Body,
    /// `abc\n  |`
    Break,
    /// `abc__EN|`, or `abc</a|`: how much of either was read.
    Either { end: Option<u8>, arg: Option<u8> },
    /// `abc__END__  |`
    EndSpace,
    /// `abc__END__</a|`
    EndArg(u8),
    /// `abc</arg>  |`
    ArgSpace,
    /// `abc</arg></to|`
    Closer(Prefix),
}

/// Where the place is in a tool that is JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quoted {
    No,
    Yes,
    Escape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Prose.
    Text,
    /// `<too|l`
    Tag,
    /// `{"to|ol":`, `[[SEG|_START`
    Bracket { json: Prefix, sentinel: Prefix, read: u8, is_object: bool },
    /// In an object that is no tool.
    Object,
    /// `[[SEG_START {"ty|pe"`
    Header,
    /// `[[SEG_START {…}]|]`
    HeaderEnd { brackets: u8 },
    /// A tool's tag was read; the program is asked about its name.
    Asked { is_empty: bool },
    /// It has answered.
    Answered { is_empty: bool },
    /// In a tool that is JSON.
    Json { depth: u32, quoted: Quoted },
    /// In raw text, behind so much of what ends it.
    Raw { until: Until, matched: u8 },
    /// Between the arguments of a tool.
    Between,
    /// `<arg na|me=`, `</to|ol>` between them
    Inside,
    /// In a value for the metadata, behind so much of `</arg>`.
    Value { index: u8, is_blank: bool, matched: u8 },
    /// In front of the start marker, or behind so much of it.
    Lead { matched: u8 },
    /// Behind the start marker, of which a line end may be part.
    LineEnd { has_return: bool },
    /// Between the markers.
    Marked(Marked),
}

/// What reading goes on with.
enum Flow {
    Go,
    /// The stretch is at its end.
    Stop,
    /// At a unit that was read before.
    Back(u32),
    Ask,
}

/// The machine. Plain bytes without pointers, so that it can be copied.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    markers: Markers,
    phase: Phase,
    /// Up to where the text was told.
    told: u32,
    /// Where what may be a segment begins, and of a tool that has not begun yet.
    mark: u32,
    /// Where what may end something begins.
    edge: u32,
    tail: u32,
    /// Units of the character there.
    tail_units: u32,
    /// The content of a tool that has not begun yet.
    content: (u32, u32),
    has_content: bool,
    /// Whether the tool's segment has begun.
    has_begun: bool,
    /// Metadata that are known, a bit each.
    known: u8,
    /// The value of the attribute `name`.
    word: Word,
    tag: Tokenizer,
    row: Row,
    signatures: Signatures,
    object: Recogniser,
    header: Header,
    code: Code,
    /// Units in front of the held text.
    position: u64,
    /// Units that were read again.
    searched: u64,
    #[cfg(not(target_arch = "wasm32"))]
    steps: u64,
}

impl Machine {
    /// A machine at the start of a stream.
    #[must_use]
    pub const fn new(markers: Markers, signatures: Signatures) -> Machine {
        Machine {
            markers,
            phase: Phase::Text,
            told: 0,
            mark: 0,
            edge: 0,
            tail: 0,
            tail_units: 0,
            content: (0, 0),
            has_content: false,
            has_begun: false,
            known: 0,
            word: Word::EMPTY,
            tag: Tokenizer::REST,
            row: Row::GENERIC,
            signatures,
            object: Recogniser::START,
            header: Header::START,
            code: Code::START,
            position: 0,
            searched: 0,
            #[cfg(not(target_arch = "wasm32"))]
            steps: 0,
        }
    }

    /// Adds a signature before the stream begins; false if it can be none.
    pub fn add_signature(&mut self, signature: &[u8]) -> bool {
        self.signatures.add(signature)
    }

    /// Moves made so far.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Answers about the tool that was asked about.
    pub fn answer(&mut self, choice: &Choice) {
        if let Phase::Asked { is_empty } = self.phase {
            self.row = match choice {
                Choice::BuiltIn => Row::built_in(&self.word),
                Choice::Generic => Row::GENERIC,
                Choice::Own(row) => *row,
            };
            self.phase = Phase::Answered { is_empty };
        }
    }

    /// What the next text may be without being read.
    #[must_use]
    pub fn mode(&self) -> Mode {
        match self.phase {
            Phase::Text if !self.markers.skips_code => Mode::Text,
            Phase::Raw { matched: 0, until } if self.is_telling() => match until {
                Until::Sentinel => Mode::Sentinel,
                Until::Swallowed => Mode::Markup,
                Until::WriteFile | Until::RunBash | Until::Tool | Until::Arg => Mode::Element,
            },
            Phase::Marked(Marked::Body) if self.has_begun && self.end_byte() == b'_' => Mode::Marked,
            Phase::Json { quoted: Quoted::No, .. } => Mode::Json,
            Phase::Json { quoted: Quoted::Yes, .. } => Mode::JsonString,
            Phase::Text
            | Phase::Tag
            | Phase::Bracket { .. }
            | Phase::Object
            | Phase::Header
            | Phase::HeaderEnd { .. }
            | Phase::Asked { .. }
            | Phase::Answered { .. }
            | Phase::Json { .. }
            | Phase::Raw { .. }
            | Phase::Between
            | Phase::Inside
            | Phase::Value { .. }
            | Phase::Lead { .. }
            | Phase::LineEnd { .. }
            | Phase::Marked(_) => Mode::Ask,
        }
    }

    /// So many units of text were told without being read, by the mode. How far
    /// what is nothing is searched again must not hang on that.
    pub fn pass(&mut self, units: u32) {
        self.position += u64::from(units);
    }

    /// Reads a stretch that stands `held` units behind the start of what is held.
    pub fn run(&mut self, bytes: &[u8], held: u32, ascii: bool, sink: &mut impl Sink) -> Outcome {
        let mut text = Stretch::new(bytes, held, ascii);
        let mut flow = Flow::Go;
        while matches!(flow, Flow::Go) && !sink.lacks_room_for(ROOM) {
            if text.is_at_end() && !matches!(self.phase, Phase::Answered { .. }) {
                break;
            }
            let from = text.at();
            flow = self.advance(&mut text, sink);
            self.count(text.at().saturating_sub(from) as u64 + 1);
            if let Flow::Back(unit) = flow
                && text.go_back_to(unit)
            {
                flow = Flow::Go;
            }
        }
        let here = text.here();
        let next = if let Flow::Back(unit) = flow { unit } else { here };
        if !matches!(flow, Flow::Back(_)) {
            self.tell_decided(here, sink);
        }
        self.outcome(next, matches!(flow, Flow::Ask))
    }

    fn outcome(&mut self, next: u32, asks_state: bool) -> Outcome {
        let held_from = self.told;
        for place in [&mut self.mark, &mut self.edge, &mut self.tail, &mut self.content.0, &mut self.content.1] {
            *place = place.saturating_sub(held_from);
        }
        self.header.release(held_from);
        self.told = 0;
        self.position += u64::from(held_from);
        Outcome { next, held_from, asks_state }
    }

    fn advance(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match self.phase {
            Phase::Text => self.read_text(text),
            Phase::Tag => self.read_tag(text, sink),
            Phase::Bracket { .. } => self.read_bracket(text, sink),
            Phase::Object => self.read_object(text),
            Phase::Header => self.read_header(text, sink),
            Phase::HeaderEnd { brackets } => self.read_header_end(brackets, text, sink),
            Phase::Asked { .. } => Flow::Ask,
            Phase::Answered { is_empty } => self.begin_tool(is_empty, text.here(), sink),
            Phase::Json { depth, quoted } => self.read_json(depth, quoted, text, sink),
            Phase::Raw { until, matched } => self.read_raw(until, matched, text, sink),
            Phase::Between => self.read_between(text),
            Phase::Inside => self.read_inside(text, sink),
            Phase::Value { index, is_blank, matched } => self.read_value(index, is_blank, matched, text, sink),
            Phase::Lead { matched } => self.read_lead(matched, text),
            Phase::LineEnd { has_return } => self.read_line_end(has_return, text, sink),
            Phase::Marked(marked) => self.read_marked(marked, text, sink),
        }
    }

    // What is told.

    /// Tells all up to a place as one op.
    fn tell(&mut self, op: Op, to: u32, sink: &mut impl Sink) {
        if to > self.told {
            sink.record(op.at(self.told, to));
            self.told = to;
        }
    }

    /// Whether a tool's segment has begun, or it is none whose start may wait.
    fn is_telling(&self) -> bool {
        match self.phase {
            Phase::Raw { until: Until::Arg, .. }
            | Phase::Between
            | Phase::Inside
            | Phase::Value { .. }
            | Phase::Lead { .. }
            | Phase::LineEnd { .. }
            | Phase::Marked(_) => self.has_begun,
            Phase::Text
            | Phase::Tag
            | Phase::Bracket { .. }
            | Phase::Object
            | Phase::Header
            | Phase::HeaderEnd { .. }
            | Phase::Asked { .. }
            | Phase::Answered { .. }
            | Phase::Json { .. }
            | Phase::Raw { .. } => true,
        }
    }

    /// At the end of a stretch: tells what is decided.
    fn tell_decided(&mut self, here: u32, sink: &mut impl Sink) {
        if !self.is_telling() {
            return;
        }
        match self.phase {
            Phase::Text | Phase::Object => self.tell(Op::Text, here, sink),
            Phase::Tag | Phase::Bracket { .. } | Phase::Header | Phase::HeaderEnd { .. } => {
                self.tell(Op::Text, self.mark, sink);
            }
            Phase::Asked { .. } | Phase::Answered { .. } => {}
            Phase::Json { .. } => self.tell(Op::Content, here, sink),
            Phase::Raw { until, matched } => {
                let op = if until == Until::Swallowed { Op::Markup } else { Op::Content };
                self.tell(op, if matched == 0 { here } else { self.edge }, sink);
            }
            Phase::Between => self.tell(Op::Markup, here, sink),
            Phase::Inside => self.tell(Op::Markup, self.edge, sink),
            Phase::Value { .. } | Phase::Lead { .. } | Phase::LineEnd { .. } => {}
            Phase::Marked(Marked::Body) => self.tell(Op::Content, here, sink),
            Phase::Marked(_) => self.tell(Op::Content, self.edge, sink),
        }
    }

    /// The segment has ended here.
    fn end(&mut self, here: u32, sink: &mut impl Sink) {
        sink.record(Op::End.at(here, here));
        self.phase = Phase::Text;
        self.code.pass_segment();
    }

    fn start(&mut self, segment_type: SegmentType, here: u32, sink: &mut impl Sink) {
        sink.record(Op::Start(segment_type).at(here, here));
    }

    // Prose.

    fn read_text(&mut self, text: &mut Stretch<'_>) -> Flow {
        let Markers { xml, json, sentinel, skips_code } = self.markers;
        if skips_code {
            while let Some(&byte) = text.rest().first() {
                let is_marker = match byte {
                    b'<' => xml,
                    b'{' => json,
                    b'[' => json || sentinel,
                    _ => false,
                };
                if is_marker && !self.code.is_code() {
                    break;
                }
                self.code.step(byte);
                text.pass(1);
            }
        } else {
            let rest = text.rest();
            let found = match (xml, json, sentinel) {
                (true, false, false) => find_any(rest, [b'<']),
                (true, true, _) => find_any(rest, [b'<', b'{', b'[']),
                (true, false, true) => find_any(rest, [b'<', b'[']),
                (false, true, _) => find_any(rest, [b'{', b'[']),
                (false, false, true) => find_any(rest, [b'[']),
                (false, false, false) => None,
            };
            text.pass(found.unwrap_or(rest.len()));
        }
        let Some(&byte) = text.rest().first() else { return Flow::Stop };
        self.mark = text.here();
        text.pass(1);
        self.code.step(byte);
        if byte == b'<' {
            self.tag.begin();
            self.word.clear();
            self.phase = Phase::Tag;
        } else {
            let signatures = self.signatures.literals();
            let first = if json { signatures.step(signatures.start(), byte) } else { Prefix::DEAD };
            let other = if sentinel { SENTINEL.step(SENTINEL.start(), byte) } else { Prefix::DEAD };
            let is_object = json && byte == b'{';
            if first.is_alive() || other.is_alive() || is_object {
                self.phase = Phase::Bracket { json: first, sentinel: other, read: 1, is_object };
            }
        }
        Flow::Go
    }

    /// What began at `mark` is nothing: the search goes on one character later,
    /// as far as it is not too much work.
    fn search_again(&mut self, here: u32) -> Flow {
        self.phase = Phase::Text;
        let cost = u64::from(here.saturating_sub(self.mark + 1));
        let earned = FREE_SEARCH + SEARCH * (self.position + u64::from(here));
        if cost == 0 || self.searched + cost > earned {
            return Flow::Go;
        }
        self.searched += cost;
        Flow::Back(self.mark + 1)
    }

    /// One byte of a tag; keeps the value of the attribute `name`.
    fn step_tag(&mut self, recognised: Recognised, byte: u8) -> Progress {
        let words = match self.tag.class(&NAMED) {
            Some(WRITE_FILE) => &FILE,
            Some(RUN_BASH) => &COMMAND,
            _ => &NAMED,
        };
        let was_in_value = self.tag.value_at().is_some();
        let progress = self.tag.step(words, recognised, byte);
        if was_in_value && self.tag.value_at().is_some() {
            self.word.add(&[byte]);
        }
        progress
    }

    fn read_tag(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        while let Some(&byte) = text.rest().first() {
            match self.step_tag(PROSE, byte) {
                Progress::Pending => text.pass(1),
                Progress::Failed => return self.fail_tag(text.here(), sink),
                Progress::Whole(tag) => {
                    text.pass(1);
                    return self.take_tag(tag, text.here(), sink);
                }
            }
        }
        Flow::Stop
    }

    fn fail_tag(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        if self.tag.is_inside() {
            sink.record(Op::Fault(Fault::BadTag).at(self.mark, here));
        }
        self.tag.give_up();
        self.search_behind_tag(here)
    }

    /// A tag has mostly nothing in it that could be a marker.
    fn search_behind_tag(&mut self, here: u32) -> Flow {
        let Markers { json, sentinel, skips_code, .. } = self.markers;
        if self.tag.has_inner() || json || sentinel || skips_code {
            return self.search_again(here);
        }
        self.phase = Phase::Text;
        Flow::Go
    }

    /// A known tag in prose.
    fn take_tag(&mut self, tag: Tag, here: u32, sink: &mut impl Sink) -> Flow {
        let mark = self.mark;
        let at = |place: (u32, u32)| (mark + place.0, mark + place.1);
        let [first, second] = tag.values.map(|value| value.filter(|(start, end)| end > start).map(at));
        let segment = match (tag.class, first) {
            (WRITE_FILE, Some((start, end))) => {
                sink.record(Op::Attribute(PATH).at(start, end));
                (SegmentType::WriteFile, Until::WriteFile)
            }
            (RUN_BASH, _) => {
                for (number, value) in [(BACKGROUND, first), (TIMEOUT, second)] {
                    if let Some((start, end)) = value {
                        sink.record(Op::Attribute(number).at(start, end));
                    }
                }
                (SegmentType::RunBash, Until::RunBash)
            }
            (TOOL, Some((start, end))) => {
                sink.record(Op::Name.at(start, end));
                self.phase = Phase::Asked { is_empty: tag.is_empty };
                return Flow::Ask;
            }
            _ => return self.search_behind_tag(here),
        };
        self.tell(Op::Text, mark, sink);
        self.tell(Op::Markup, here, sink);
        self.start(segment.0, here, sink);
        self.phase = Phase::Raw { until: segment.1, matched: 0 };
        if tag.is_empty {
            self.end(here, sink);
        }
        Flow::Go
    }

    fn read_bracket(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let Phase::Bracket { mut json, mut sentinel, mut read, mut is_object } = self.phase else { return Flow::Go };
        let signatures = self.signatures;
        let signatures = signatures.literals();
        while let Some(&byte) = text.rest().first() {
            let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
            if !(is_space && is_between_strings(&signatures, json)) {
                json = signatures.step(json, byte);
                is_object &= read > 1 || byte == b'"';
                read = read.saturating_add(1);
            }
            sentinel = SENTINEL.step(sentinel, byte);
            let here = text.here();
            if signatures.exact(json).is_some() {
                self.tell(Op::Text, self.mark, sink);
                self.start(SegmentType::ToolCall, self.mark, sink);
                self.phase = Phase::Json { depth: 0, quoted: Quoted::No };
                return Flow::Back(self.mark);
            }
            if SENTINEL.exact(sentinel).is_some() {
                text.pass(1);
                self.header = Header::START;
                self.phase = Phase::Header;
                return Flow::Go;
            }
            if here - self.mark > LONGEST_SPACE || !json.is_alive() && !sentinel.is_alive() {
                if is_object && read > 1 {
                    self.object = Recogniser::START;
                    self.phase = Phase::Object;
                    return Flow::Back(self.mark);
                }
                // White space in front of an object's first key: one may still come.
                if is_object && is_space && here - self.mark <= LONGEST_SPACE {
                    text.pass(1);
                    continue;
                }
                return self.search_again(here);
            }
            text.pass(1);
        }
        self.phase = Phase::Bracket { json, sentinel, read, is_object };
        Flow::Stop
    }

    /// An object that is no tool, as far as it is JSON.
    fn read_object(&mut self, text: &mut Stretch<'_>) -> Flow {
        while let Some(&byte) = text.rest().first() {
            if self.object.is_in_string() && !self.markers.skips_code {
                let plain = plain_len(text.rest(), [b'"', b'\\']);
                if plain > 0 {
                    text.pass(plain);
                    continue;
                }
            }
            if !self.object.step(byte) {
                self.phase = Phase::Text;
                return Flow::Go;
            }
            self.code.step(byte);
            text.pass(1);
            if byte == b'}' && self.object.is_whole() {
                self.phase = Phase::Text;
                return Flow::Go;
            }
        }
        Flow::Stop
    }

    fn read_header(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let here = text.here();
        let room = (self.mark + LONGEST_HEADER).saturating_sub(here);
        let mut front = text.front(room);
        let reading = self.header.read(&mut front);
        text.pass(front.at());
        match reading {
            Reading::Pending if text.is_at_end() => Flow::Stop,
            Reading::Pending => {
                let here = text.here();
                self.fail_header(here, sink)
            }
            Reading::Bad(at) => {
                // What was read behind the place is read again.
                let flow = self.fail_header(at, sink);
                if matches!(flow, Flow::Go) { Flow::Back(at) } else { flow }
            }
            Reading::Whole { from, to } => {
                self.content = (from, to);
                self.phase = Phase::HeaderEnd { brackets: 0 };
                Flow::Go
            }
        }
    }

    fn fail_header(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        sink.record(Op::Fault(Fault::BadHeader).at(self.mark, here));
        self.search_again(here)
    }

    fn read_header_end(&mut self, mut brackets: u8, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        while let Some(&byte) = text.rest().first() {
            match byte {
                b']' if brackets == 0 => brackets = 1,
                b']' => {
                    text.pass(1);
                    let here = text.here();
                    let Some(segment_type) = self.header.segment_type() else { return self.fail_header(here, sink) };
                    self.tell(Op::Text, self.mark, sink);
                    sink.record(Op::Header.at(self.content.0, self.content.1));
                    self.tell(Op::Markup, here, sink);
                    self.start(segment_type, here, sink);
                    self.phase = Phase::Raw { until: Until::Sentinel, matched: 0 };
                    return Flow::Go;
                }
                b' ' | b'\t' | b'\n' | b'\r' if brackets == 0 && text.here() - self.mark <= LONGEST_HEADER => {}
                _ => return self.fail_header(text.here(), sink),
            }
            text.pass(1);
        }
        self.phase = Phase::HeaderEnd { brackets };
        Flow::Stop
    }

    // Content.

    fn read_json(&mut self, mut depth: u32, mut quoted: Quoted, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        loop {
            let rest = text.rest();
            let found = match quoted {
                Quoted::No => find_any(rest, [b'"', b'{', b'}', b'[', b']']),
                Quoted::Yes => find_any(rest, [b'"', b'\\']),
                Quoted::Escape => (!rest.is_empty()).then_some(0),
            };
            let Some(found) = found else {
                text.pass(rest.len());
                self.phase = Phase::Json { depth, quoted };
                return Flow::Stop;
            };
            text.pass(found + 1);
            match (quoted, rest.get(found)) {
                (Quoted::No, Some(b'"')) => quoted = Quoted::Yes,
                (Quoted::No, Some(b'{' | b'[')) => depth = depth.saturating_add(1),
                (Quoted::No, _) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        let here = text.here();
                        self.tell(Op::Content, here, sink);
                        self.end(here, sink);
                        return Flow::Go;
                    }
                }
                (Quoted::Yes, Some(b'\\')) => quoted = Quoted::Escape,
                (Quoted::Yes, _) => quoted = Quoted::No,
                (Quoted::Escape, _) => quoted = Quoted::Yes,
            }
        }
    }

    fn read_raw(&mut self, until: Until, matched: u8, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if !self.find(until.literal(), matched, text) {
            // Where it stands is in `phase`.
            return Flow::Stop;
        }
        let here = text.here();
        match until {
            Until::Arg => return self.end_content(self.edge, here, sink),
            Until::Swallowed => self.tell(Op::Markup, here, sink),
            Until::WriteFile | Until::RunBash | Until::Tool | Until::Sentinel => {
                self.tell(Op::Content, self.edge, sink);
                self.tell(Op::Markup, here, sink);
            }
        }
        self.end(here, sink);
        Flow::Go
    }

    /// Finds a literal in raw text, in any case of letters, and puts `edge` in
    /// front of it.
    fn find(&mut self, literal: &[u8], matched: u8, text: &mut Stretch<'_>) -> bool {
        let first = literal.first().copied().unwrap_or_default();
        let mut matched = usize::from(matched);
        while !text.is_at_end() {
            if matched == 0 {
                let rest = text.rest();
                let Some(found) = find_any(rest, [first]) else {
                    text.pass(rest.len());
                    break;
                };
                text.pass(found);
                self.edge = text.here();
                text.pass(1);
                matched = 1;
                continue;
            }
            let byte = text.rest().first().map_or(0, u8::to_ascii_lowercase);
            if literal.get(matched) == Some(&byte) {
                text.pass(1);
                matched += 1;
                if matched == literal.len() {
                    return true;
                }
            } else if byte == first && matched > 1 && literal.get(matched - 1) == Some(&first) {
                // `[[|[`: the last two of three may begin it.
                text.pass(1);
                self.edge += 1;
            } else {
                matched = 0;
            }
        }
        if let Phase::Raw { until, .. } = self.phase {
            self.phase = Phase::Raw { until, matched: matched as u8 };
        }
        false
    }

    // Tools.

    /// The program has said how the tool is read; its tag ends here.
    fn begin_tool(&mut self, is_empty: bool, here: u32, sink: &mut impl Sink) -> Flow {
        self.has_content = false;
        self.known = 0;
        self.has_begun = self.row.is_raw() || self.row.begins_at_once();
        if self.has_begun {
            self.tell(Op::Text, self.mark, sink);
            self.tell(Op::Markup, here, sink);
            self.start(self.row.segment_type, here, sink);
        }
        self.phase = if self.row.is_raw() { Phase::Raw { until: Until::Tool, matched: 0 } } else { Phase::Between };
        // A tool that waits is told from its tag on, so the text before it goes now.
        self.tell(Op::Text, self.mark, sink);
        if is_empty {
            self.end_tool(here, sink);
        }
        Flow::Go
    }

    /// The tool is closed.
    fn end_tool(&mut self, here: u32, sink: &mut impl Sink) {
        if !self.has_begun && !self.row.is_enough(self.known) {
            sink.record(Op::Drop.at(self.mark, self.mark));
            self.tell(Op::Text, here, sink);
            sink.record(Op::Fault(Fault::MissingArgument).at(self.mark, here));
            self.phase = Phase::Text;
            self.code.pass_segment();
            return;
        }
        self.begin(here, sink);
        self.tell(Op::Markup, here, sink);
        self.end(here, sink);
    }

    /// The tool's segment begins, if it hasn't yet.
    fn begin(&mut self, here: u32, sink: &mut impl Sink) {
        if self.has_begun {
            return;
        }
        self.has_begun = true;
        let (from, to) = if self.has_content { self.content } else { (here, here) };
        self.tell(Op::Markup, from, sink);
        self.start(self.row.segment_type, from, sink);
        self.tell(Op::Content, to, sink);
        self.tell(Op::Markup, here, sink);
    }

    fn read_between(&mut self, text: &mut Stretch<'_>) -> Flow {
        let rest = text.rest();
        let Some(found) = find_any(rest, [b'<']) else {
            text.pass(rest.len());
            return Flow::Stop;
        };
        text.pass(found);
        self.edge = text.here();
        text.pass(1);
        self.tag.begin();
        self.word.clear();
        self.phase = Phase::Inside;
        Flow::Go
    }

    fn read_inside(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        while let Some(&byte) = text.rest().first() {
            match self.step_tag(ARGUMENTS, byte) {
                Progress::Pending => text.pass(1),
                Progress::Failed => {
                    self.tag.give_up();
                    self.phase = Phase::Between;
                    return Flow::Go;
                }
                Progress::Whole(tag) => {
                    text.pass(1);
                    self.take_inside(tag, text.here(), sink);
                    return Flow::Go;
                }
            }
        }
        Flow::Stop
    }

    /// A tag between arguments.
    fn take_inside(&mut self, tag: Tag, here: u32, sink: &mut impl Sink) {
        self.phase = Phase::Between;
        if tag.is_closer {
            // Closers are exact.
            if tag.len as usize == Until::Tool.literal().len() {
                self.end_tool(here, sink);
            }
            return;
        }
        match self.row.role(&self.word) {
            Role::Content if !self.has_content => {
                if !self.row.needs_some() {
                    self.begin(here, sink);
                }
                if self.has_begun {
                    self.tell(Op::Markup, here, sink);
                }
                self.content = (here, here);
                self.phase = match (tag.is_empty, self.row.has_markers()) {
                    (true, _) => {
                        self.end_content(here, here, sink);
                        return;
                    }
                    (false, true) => Phase::Lead { matched: 0 },
                    (false, false) => Phase::Raw { until: Until::Arg, matched: 0 },
                };
            }
            Role::Metadata(index) if !self.has_begun && !tag.is_empty && self.known & 1 << index == 0 => {
                self.tail = here;
                self.phase = Phase::Value { index, is_blank: true, matched: 0 };
            }
            Role::Content | Role::Metadata(_) | Role::Other => {}
        }
    }

    /// A value for the metadata goes up to the next `<`, which must begin `</arg>`.
    fn read_value(
        &mut self,
        index: u8,
        mut is_blank: bool,
        mut matched: u8,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        while let Some(&byte) = text.rest().first() {
            if matched == 0 && byte != b'<' {
                let space = whitespace_len(text.rest());
                is_blank &= space > 0;
                text.pass(space.max(1));
                continue;
            }
            if matched == 0 {
                self.edge = text.here();
            } else if CLOSING_ARG.get(usize::from(matched)) != Some(&byte.to_ascii_lowercase()) {
                self.phase = Phase::Between;
                return Flow::Back(self.edge);
            }
            text.pass(1);
            matched += 1;
            if usize::from(matched) == CLOSING_ARG.len() {
                self.phase = Phase::Between;
                if !is_blank {
                    sink.record(Op::Metadata(index).at(self.tail, self.edge));
                    self.known |= 1 << index;
                    self.metadata_is_known(text.here(), sink);
                }
                return Flow::Go;
            }
        }
        self.phase = Phase::Value { index, is_blank, matched };
        Flow::Stop
    }

    fn metadata_is_known(&mut self, here: u32, sink: &mut impl Sink) {
        if !self.row.needs_some() || !self.row.is_enough(self.known) {
            return;
        }
        self.begin(here, sink);
        if self.has_content {
            self.phase = Phase::Raw { until: Until::Swallowed, matched: 0 };
        }
    }

    /// The content ended at `to`, and what ends it here.
    fn end_content(&mut self, to: u32, here: u32, sink: &mut impl Sink) -> Flow {
        self.has_content = true;
        if self.has_begun {
            self.tell(Op::Content, to, sink);
            self.tell(Op::Markup, here, sink);
            self.phase = Phase::Raw { until: Until::Swallowed, matched: 0 };
        } else {
            self.content.1 = to;
            self.phase = Phase::Between;
        }
        Flow::Go
    }

    // Content between markers.

    /// The first byte of the end marker.
    fn end_byte(&self) -> u8 {
        self.row.end_marker.text().and_then(|marker| marker.first()).copied().unwrap_or_default()
    }

    fn read_lead(&mut self, mut matched: u8, text: &mut Stretch<'_>) -> Flow {
        let marker = self.row.start_marker;
        let marker = marker.text().unwrap_or_default();
        while let Some(&byte) = text.rest().first() {
            let is_space = matched == 0 && matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
            let is_too_long = text.here() - self.content.0 > LONGEST_SPACE;
            if !is_space && marker.get(usize::from(matched)) == Some(&byte) {
                matched += 1;
            } else if !is_space || is_too_long {
                self.phase = Phase::Raw { until: Until::Arg, matched: 0 };
                return Flow::Back(self.content.0);
            }
            text.pass(1);
            if usize::from(matched) == marker.len() {
                self.phase = Phase::LineEnd { has_return: false };
                self.content.0 = text.here();
                return Flow::Go;
            }
        }
        self.phase = Phase::Lead { matched };
        Flow::Stop
    }

    /// A line end straight behind the start marker is no content.
    fn read_line_end(&mut self, has_return: bool, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match text.rest().first() {
            None => return Flow::Stop,
            Some(b'\r') if !has_return => {
                text.pass(1);
                self.phase = Phase::LineEnd { has_return: true };
                return Flow::Go;
            }
            Some(b'\n') => {
                text.pass(1);
                self.content.0 = text.here();
            }
            Some(_) => {}
        }
        if self.has_begun {
            self.tell(Op::Markup, self.content.0, sink);
        }
        self.phase = Phase::Marked(Marked::Body);
        Flow::Go
    }

    fn read_marked(&mut self, marked: Marked, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let Some(&byte) = text.rest().first() else { return Flow::Stop };
        let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let next = match marked {
            Marked::Body => {
                let Some(byte) = self.find_end(text) else { return Flow::Stop };
                self.edge = text.here();
                self.tail = self.edge;
                if byte == b'\n' {
                    text.pass(1);
                    Marked::Break
                } else {
                    self.tail_units = units_of(byte);
                    Marked::Either { end: Some(0), arg: Some(0) }
                }
            }
            Marked::Break => {
                self.tail = text.here();
                if is_space && self.tail - self.edge <= LONGEST_SPACE {
                    text.pass(1);
                    Marked::Break
                } else if byte == b'<' || byte == self.end_byte() {
                    self.tail_units = units_of(byte);
                    Marked::Either { end: Some(0), arg: Some(0) }
                } else {
                    Marked::Body
                }
            }
            Marked::Either { end, arg } => return self.read_either(end, arg, byte, text),
            Marked::EndSpace | Marked::ArgSpace if is_space && text.here() - self.tail <= LONGEST_SPACE => {
                text.pass(1);
                marked
            }
            Marked::EndSpace if byte == b'<' => Marked::EndArg(0),
            Marked::EndArg(matched) if CLOSING_ARG.get(usize::from(matched)) == Some(&byte.to_ascii_lowercase()) => {
                text.pass(1);
                if usize::from(matched) + 1 == CLOSING_ARG.len() {
                    return self.end_content(self.tail, text.here(), sink);
                }
                Marked::EndArg(matched + 1)
            }
            Marked::ArgSpace if byte == b'<' => {
                self.content.1 = text.here();
                Marked::Closer(CLOSERS.start())
            }
            Marked::Closer(prefix) => {
                let prefix = CLOSERS.step(prefix, byte.to_ascii_lowercase());
                if !prefix.is_alive() {
                    return self.go_on_behind_tail();
                }
                if CLOSERS.exact(prefix).is_some() {
                    // The end marker never came. What closes the arguments is read again.
                    let closer = self.content.1;
                    self.end_content(self.edge, closer, sink);
                    return Flow::Back(closer);
                }
                text.pass(1);
                Marked::Closer(prefix)
            }
            Marked::EndSpace | Marked::EndArg(_) | Marked::ArgSpace => return self.go_on_behind_tail(),
        };
        self.phase = Phase::Marked(next);
        Flow::Go
    }

    /// Goes on to the next byte that what ends the content may begin with. What
    /// stands behind it mostly shows at once that it doesn't.
    fn find_end(&self, text: &mut Stretch<'_>) -> Option<u8> {
        let marker = self.row.end_marker.text().unwrap_or_default();
        let first = self.end_byte();
        loop {
            let rest = text.rest();
            text.pass(find_any(rest, [b'\n', b'<', first]).unwrap_or(rest.len()));
            let rest = text.rest();
            let &byte = rest.first()?;
            let (passed, ends_nothing) = if byte == b'\n' {
                let front = rest.get(..SHORT_SPACE.min(rest.len())).unwrap_or_default();
                let spaces = front.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
                let next = front.get(spaces);
                (spaces, next.is_some_and(|&next| next != b'<' && next != first))
            } else {
                let fits = |literal: &[u8], next: u8| {
                    literal.first() == Some(&byte) && literal.get(1).is_none_or(|&second| second == next)
                };
                let next = rest.get(1);
                (1, next.is_some_and(|&next| !fits(marker, next) && !fits(CLOSING_ARG, next)))
            };
            if !ends_nothing {
                return Some(byte);
            }
            text.pass(passed);
        }
    }

    /// The end marker or `</arg>`, whichever it turns out to be.
    fn read_either(&mut self, end: Option<u8>, arg: Option<u8>, byte: u8, text: &mut Stretch<'_>) -> Flow {
        let marker = self.row.end_marker;
        let marker = marker.text().unwrap_or_default();
        let more = |literal: &[u8], byte: u8, read: Option<u8>| {
            read.filter(|&read| literal.get(usize::from(read)) == Some(&byte)).map(|read| read + 1)
        };
        let end = more(marker, byte, end);
        let arg = more(CLOSING_ARG, byte.to_ascii_lowercase(), arg);
        if end.is_none() && arg.is_none() {
            return self.go_on_behind_tail();
        }
        text.pass(1);
        let is_whole = |literal: &[u8], read: Option<u8>| read.is_some_and(|read| usize::from(read) == literal.len());
        let next = if is_whole(marker, end) {
            Marked::EndSpace
        } else if is_whole(CLOSING_ARG, arg) {
            Marked::ArgSpace
        } else {
            Marked::Either { end, arg }
        };
        self.phase = Phase::Marked(next);
        Flow::Go
    }

    /// What seemed to end the content is part of it.
    fn go_on_behind_tail(&mut self) -> Flow {
        self.phase = Phase::Marked(Marked::Body);
        Flow::Back(self.tail + self.tail_units)
    }

    // The end.

    /// The end of the stream behind `held` undecided units. Where `next` is not
    /// their end, they are to be read again from there.
    pub fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome {
        let mut flow = Flow::Go;
        match self.phase {
            Phase::Text | Phase::Object => {}
            Phase::Tag => flow = self.fail_tag(held, sink),
            Phase::Bracket { .. } => flow = self.search_again(held),
            Phase::Header | Phase::HeaderEnd { .. } => flow = self.fail_header(held, sink),
            Phase::Asked { .. }
            | Phase::Answered { .. }
            | Phase::Json { .. }
            | Phase::Raw { .. }
            | Phase::Between
            | Phase::Inside
            | Phase::Value { .. }
            | Phase::Lead { .. }
            | Phase::LineEnd { .. }
            | Phase::Marked(_) => self.cut_off(held, sink),
        }
        if let Flow::Back(next) = flow {
            return self.outcome(next, false);
        }
        self.tell(Op::Text, held, sink);
        self.outcome(held, false)
    }

    /// The stream ends in a segment, or in a tool that has not begun.
    fn cut_off(&mut self, held: u32, sink: &mut impl Sink) {
        let is_content = match self.phase {
            Phase::Raw { until, .. } => until != Until::Swallowed,
            Phase::Between | Phase::Inside | Phase::Value { .. } => false,
            Phase::Text
            | Phase::Tag
            | Phase::Bracket { .. }
            | Phase::Object
            | Phase::Header
            | Phase::HeaderEnd { .. }
            | Phase::Asked { .. }
            | Phase::Answered { .. }
            | Phase::Json { .. }
            | Phase::Lead { .. }
            | Phase::LineEnd { .. }
            | Phase::Marked(_) => true,
        };
        if !self.is_telling() {
            sink.record(Op::Drop.at(self.mark, self.mark));
            self.tell(Op::Text, held, sink);
            sink.record(Op::Fault(Fault::Unterminated).at(self.mark, held));
            self.phase = Phase::Text;
            return;
        }
        if let Phase::LineEnd { .. } = self.phase {
            self.tell(Op::Markup, self.content.0, sink);
        }
        self.tell(if is_content { Op::Content } else { Op::Markup }, held, sink);
        self.end(held, sink);
        sink.record(Op::Fault(Fault::Unterminated).at(held, held));
    }

    #[allow(clippy::unused_self, reason = "counted natively, where the tests are")]
    fn count(&mut self, moves: u64) {
        #[cfg(not(target_arch = "wasm32"))]
        {
            self.steps += moves;
        }
        #[cfg(target_arch = "wasm32")]
        let _ = moves;
    }
}

/// Whether what was read of a signature has no open string, so that white space
/// behind it doesn't count.
fn is_between_strings(signatures: &Literals<'_>, prefix: Prefix) -> bool {
    signatures.read(prefix).iter().filter(|&&byte| byte == b'"').count() % 2 == 0
}
