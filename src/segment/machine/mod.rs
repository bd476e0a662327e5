//! Finds segments in a stream.
//!
//! In prose the earliest marker counts: `<` and a known name, a bracket and a
//! signature, `[[SEG_START`. A marker that fails is text, and the search
//! goes on one character later. The inside of a segment is read by the
//! row of its tool (`state.rs`).
//!
//! Source: spec/segment.md. Whatever is undecided is buffered by the caller; here
//! it is a few places, counted from the start of the pending text.

mod content;
mod json_text;
mod known;
mod marked;
mod prose;
mod reasoning;
mod search;
mod section;
mod tags;
mod tool;
mod values;

use self::json_text::JsonText;
use self::prose::Prose;
use self::tags::TagReader;
use super::called::Called;
use super::head::Head;
use super::header::Header;
use super::op::{Fault, Markers, Mode, Op, Reasoning, SegmentType};
use super::signature::Signatures;
use super::state::Row;
use crate::scan::Prefix;
use crate::text::{self, Outcome, SearchBudget, Sink, Steps, Stretch, numbered};
use crate::xml::{Cdata, Closer, Closing};

/// Longest white space that is buffered to see what follows, in UTF-16 code units.
pub const LONGEST_SPACE: u32 = 4_096;

/// Longest sentinel header, in UTF-16 code units.
pub const LONGEST_HEADER: u32 = 1 << 20;

/// Most records that one move makes.
const ROOM: usize = 12;

const CLOSING_ARG: &[u8] = b"</arg>";

/// What a program answers when asked about a tool's name.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is no heap to put the row on")]
pub enum Choice {
    /// The built-in row, if there is one.
    BuiltIn,
    /// It is a generic tool.
    Generic,
    /// A row of the program's own.
    Own(Row),
    /// The tool is not one of the program's: what calls it is text.
    Unknown,
}

/// What is known of the program's tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Tools {
    /// Whether there is a list of them, so that the program is asked about every name.
    pub are_listed: bool,
    /// Whether `<write_file>` calls one that is not in it.
    pub lack_file: bool,
    /// Whether `<run_bash>` does.
    pub lack_command: bool,
}

numbered! {
    /// What the machine asks.
    #[repr(u8)]
    pub enum Ask {
        /// How the tool of the last [`Op::Name`] is read.
        Row = 1,
        /// Whether the tool of the last [`Op::Called`] is known: a JSON text or a sentinel calls it.
        Known = 2,
    }
}

/// What raw text goes up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Until {
    WriteFile,
    RunBash,
    Tool,
    Sentinel,
    /// The closing tag of a file after CDATA that was all of the content.
    AfterFile,
    AfterCommand,
    /// The closing tag of the argument that is the content, and of another one.
    Content,
    Other,
    /// The closing tag of a tool whose text is not content.
    Swallowed,
    /// The closing tag of a tool that was given up or is not known, and so is text.
    GivenUp,
    /// Text, as what calls an unknown tool is.
    TextFile,
    TextCommand,
    TextSentinel,
}

impl Until {
    const fn literal(self) -> &'static [u8] {
        match self {
            Until::WriteFile | Until::AfterFile | Until::TextFile => b"</write_file>",
            Until::RunBash | Until::AfterCommand | Until::TextCommand => b"</run_bash>",
            Until::Tool | Until::Content | Until::Other | Until::Swallowed | Until::GivenUp => b"</tool>",
            Until::Sentinel | Until::TextSentinel => b"[[seg_end]]",
        }
    }

    /// What the text before it is.
    const fn op(self) -> Op {
        match self {
            Until::WriteFile | Until::RunBash | Until::Tool | Until::Content | Until::Sentinel => Op::Content,
            Until::AfterFile | Until::AfterCommand | Until::Other | Until::Swallowed => Op::Markup,
            Until::GivenUp | Until::TextFile | Until::TextCommand | Until::TextSentinel => Op::Text,
        }
    }

    /// Whether what goes up to it is text.
    const fn is_text(self) -> bool {
        matches!(self, Until::GivenUp | Until::TextFile | Until::TextCommand | Until::TextSentinel)
    }
}

/// Where in a bracketed content the place is. `edge` is where the undecided
/// text begins, `tail` where what may end the content does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
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

/// Where the place is in a tool that stopped being JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Quoted {
    No,
    Yes,
    Escape,
}

/// What may be a segment, from `mark` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Candidate {
    /// `<too|l`
    Tag,
    /// `{"to|ol":`, `[[SEG|_START`
    Bracket { head: Head, sentinel: Prefix, read: u8, is_object: bool },
    /// `[[SEG_START {"ty|pe"`
    Header,
    /// `[[SEG_START {…}]|]`
    HeaderEnd { brackets: u8 },
    /// `{"tool": {"function": "sea|rch"`, in search of the name
    Name { is_object: bool },
}

/// What the program is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Question {
    /// The tool of a tag.
    Tool { is_empty: bool },
    /// The tool that a JSON text calls.
    Json { is_object: bool },
    /// The tool that a sentinel calls.
    Sentinel(SegmentType),
}

impl Question {
    const fn ask(self) -> Ask {
        match self {
            Question::Tool { .. } => Ask::Row,
            Question::Json { .. } | Question::Sentinel(_) => Ask::Known,
        }
    }
}

/// Where the place is in a tool whose arguments are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Inside {
    /// Between the arguments.
    Between,
    /// `<arg na|me=`, `</to|ol>` between them
    Tag,
    /// In a value for the metadata, after so much of `</arg>`.
    Value { index: u8, is_blank: bool, matched: u8 },
    /// In values, up to what `scan` says; whether in a tag.
    Values { is_tag: bool },
    /// After what may have ended a value: see `values.rs`.
    After,
    /// In CDATA that may be all of the content, as `scan` says.
    Section,
    /// Before the start marker, or after so much of it.
    Lead { matched: u8 },
    /// After the start marker, which may include a line end.
    LineEnd { has_return: bool },
    /// Between the markers.
    Marked(Marked),
}

impl Inside {
    /// Whether the content has begun.
    const fn is_in_content(self, until: Until) -> bool {
        match self {
            Inside::Between | Inside::Tag | Inside::Value { .. } => false,
            Inside::Values { .. } | Inside::After => !matches!(until, Until::Other),
            Inside::Section | Inside::Lead { .. } | Inside::LineEnd { .. } | Inside::Marked(_) => true,
        }
    }
}

/// What is known of the values that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Scan {
    until: Until,
    /// Arguments that are open, the outermost included.
    depth: u32,
    /// Opening tags of tools in them that are not closed there.
    calls: u32,
    /// Whether an argument opened in another one.
    is_mixed: bool,
    /// Arguments that opened after what may have ended the tool.
    pairs: u32,
    /// CDATA, in which nothing counts.
    cdata: Cdata,
    /// What may have ended the value.
    ender: Ender,
    closer: Closer,
    /// After it; between markers where it begins, and in metadata where the value does.
    tail: u32,
    /// Units of the character there.
    tail_units: u32,
}

impl Scan {
    const fn begin(until: Until, depth: u32) -> Scan {
        Scan {
            until,
            depth,
            calls: 0,
            is_mixed: false,
            pairs: 0,
            cdata: Cdata::Outside,
            ender: Ender::Arg,
            closer: Closer::begin(0),
            tail: 0,
            tail_units: 0,
        }
    }
}

/// The tool that is read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Tool {
    row: Row,
    /// Metadata that are known, a bit each.
    known: u8,
    /// Whether its segment has begun.
    has_begun: bool,
    /// Whether its content was read, and where that stands if the segment has not begun.
    has_content: bool,
    content: (u32, u32),
    /// Whether its arguments can't be read.
    is_refused: bool,
}

impl Tool {
    const NONE: Tool =
        Tool { row: Row::GENERIC, known: 0, has_begun: false, has_content: false, content: (0, 0), is_refused: false };
}

/// What may have ended a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Ender {
    /// `</arg>`
    Arg,
    /// `</arguments>`, if `</tool>` follows: the value's closing tag is missing.
    Arguments,
    /// `</tool>`, the same.
    Tool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Phase {
    /// Prose.
    Text,
    /// After a marker that may be in Markdown code, at `mark`.
    Quoted,
    /// In an object that isn't a tool.
    Object,
    /// In what may be a segment.
    Candidate(Candidate),
    /// A tool's name was read; the program is asked about it.
    Asked(Question),
    /// It has answered.
    Answered(Question),
    /// It doesn't know the tool.
    Refused(Question),
    /// In a tool that is JSON.
    Json,
    /// In one that can't be read, up to where its brackets close.
    Broken { depth: u32, quoted: Quoted },
    /// In raw text, after so much of what ends it.
    Raw { until: Until, matched: u8 },
    /// In a tool whose arguments are read, and whose segment may not have begun.
    Tool(Inside),
    /// In reasoning that an opening tag with this number began.
    Reasoning(usize),
}

/// What reading goes on with.
enum Flow {
    Go,
    /// The stretch is at its end.
    Stop,
    /// Too little text follows.
    Wait,
    /// At a unit that was read before.
    Back(u32),
    Ask,
}

/// How a stream is read, from its start on.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Settings {
    markers: Markers,
    signatures: Signatures,
    tools: Tools,
}

/// The machine. Plain bytes without pointers, so that it can be copied.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Machine {
    settings: Settings,
    phase: Phase,
    /// Up to where the text was emitted.
    emitted: u32,
    /// Where what may be a segment begins, and of a tool that has not begun yet.
    mark: u32,
    /// Where what may end something begins.
    edge: u32,
    tool: Tool,
    scan: Scan,
    tag: TagReader,
    /// Reads a tool that is JSON, or an object that isn't a tool.
    json: JsonText,
    header: Header,
    called: Called,
    prose: Prose,
    /// Whether text is pending that has to be read again with what follows.
    waits: bool,
    budget: SearchBudget,
    steps: Steps,
}

impl Machine {
    /// A machine at the start of a stream.
    #[must_use]
    pub const fn new(markers: Markers, signatures: Signatures) -> Machine {
        let tools = Tools { are_listed: false, lack_file: false, lack_command: false };
        Machine {
            settings: Settings { markers, signatures, tools },
            phase: Phase::Text,
            emitted: 0,
            mark: 0,
            edge: 0,
            tool: Tool::NONE,
            scan: Scan::begin(Until::Tool, 0),
            tag: TagReader::REST,
            json: JsonText::START,
            header: Header::START,
            called: Called::START,
            prose: Prose::new(Reasoning::Search, markers),
            waits: false,
            budget: SearchBudget::START,
            steps: Steps::NONE,
        }
    }

    /// Sets how reasoning is read, at the start of a stream.
    #[must_use]
    pub const fn with_reasoning(self, reasoning: Reasoning) -> Machine {
        Machine { prose: Prose::new(reasoning, self.settings.markers), ..self }
    }

    /// Adds a signature before the stream begins; false if it isn't a valid one.
    pub fn add_signature(&mut self, signature: &[u8]) -> bool {
        self.settings.signatures.add(signature)
    }

    /// Says which tools there are, before the stream begins.
    pub fn know(&mut self, tools: Tools) {
        self.settings.tools = tools;
    }

    /// The name that was asked about last, if a JSON text or a sentinel has it and it isn't too long.
    #[must_use]
    pub fn called(&self) -> Option<&[u8]> {
        let Phase::Asked(question) = self.phase else { return None };
        match question {
            Question::Tool { .. } => None,
            Question::Json { .. } => self.called.name(),
            Question::Sentinel(_) => self.header.name(),
        }
    }

    fn outcome(&mut self, next: u32) -> Outcome<Ask> {
        let held_from = self.emitted;
        let Machine { mark, edge, scan, tool, .. } = self;
        for place in [mark, edge, &mut scan.tail, &mut tool.content.0, &mut tool.content.1] {
            *place = place.saturating_sub(held_from);
        }
        self.header.release(held_from);
        self.called.release(held_from);
        self.emitted = 0;
        self.budget.pass(held_from);
        self.json.pass(held_from);
        Outcome::new(next, held_from)
    }

    fn advance(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match self.phase {
            Phase::Text => self.read_text(text, sink),
            Phase::Quoted => self.read_quoted(text),
            Phase::Object => self.read_object(text),
            Phase::Candidate(candidate) => match candidate {
                Candidate::Tag => self.read_tag(text, sink),
                Candidate::Bracket { .. } => self.read_bracket(text, sink),
                Candidate::Header => self.read_header(text, sink),
                Candidate::HeaderEnd { brackets } => self.read_header_end(brackets, text, sink),
                Candidate::Name { is_object } => self.read_name(is_object, text, sink),
            },
            Phase::Asked(_) => Flow::Ask,
            Phase::Answered(question) => match question {
                Question::Tool { is_empty } => self.begin_tool(is_empty, text.here(), sink),
                Question::Json { .. } => self.begin_json(sink),
                Question::Sentinel(segment_type) => self.begin_sentinel(segment_type, text.here(), sink),
            },
            Phase::Refused(question) => self.refuse(question, text.here(), sink),
            Phase::Json => self.read_json(text, sink),
            Phase::Broken { depth, quoted } => self.read_broken(depth, quoted, text, sink),
            Phase::Raw { until, matched } => self.read_raw(until, matched, text, sink),
            Phase::Tool(inside) => match inside {
                Inside::Between => self.read_between(text),
                Inside::Tag => self.read_inside(text, sink),
                Inside::Value { index, is_blank, matched } => self.read_value(index, is_blank, matched, text, sink),
                Inside::Values { is_tag } => self.read_values(is_tag, text, sink),
                Inside::After => self.read_after(text, sink),
                Inside::Section => self.read_section(text, sink),
                Inside::Lead { matched } => self.read_lead(matched, text),
                Inside::LineEnd { has_return } => self.read_line_end(has_return, text, sink),
                Inside::Marked(marked) => self.read_marked(marked, text, sink),
            },
            Phase::Reasoning(number) => self.read_reasoning(number, text, sink),
        }
    }

    /// Emits all up to a place as one op.
    fn emit(&mut self, op: Op, to: u32, sink: &mut impl Sink) {
        if to > self.emitted {
            sink.record(op.at(self.emitted, to));
            self.emitted = to;
        }
    }

    /// At the end of a stretch: emits what is decided.
    fn emit_decided(&mut self, here: u32, sink: &mut impl Sink) {
        match self.phase {
            Phase::Text | Phase::Object => self.emit(Op::Text, here, sink),
            Phase::Candidate(_) | Phase::Quoted => self.emit(Op::Text, self.mark, sink),
            Phase::Asked(_) | Phase::Answered(_) | Phase::Refused(_) => {}
            Phase::Json | Phase::Broken { .. } => self.emit(Op::Content, here, sink),
            Phase::Raw { until, matched } => {
                self.emit(until.op(), if matched == 0 { here } else { self.edge }, sink);
            }
            Phase::Tool(_) if !self.tool.has_begun => {}
            Phase::Tool(inside) => match inside {
                Inside::Between => self.emit(Op::Markup, here, sink),
                Inside::Tag => self.emit(Op::Markup, self.edge, sink),
                Inside::Value { .. } | Inside::Lead { .. } | Inside::LineEnd { .. } => {}
                Inside::Values { is_tag: false } => self.emit(self.scan.until.op(), here, sink),
                Inside::Values { .. } | Inside::After => self.emit(self.scan.until.op(), self.edge, sink),
                Inside::Section => self.emit_section(here, sink),
                Inside::Marked(Marked::Body) => self.emit(Op::Content, here, sink),
                Inside::Marked(_) => self.emit(Op::Content, self.edge, sink),
            },
            Phase::Reasoning(_) => self.emit(self.prose.op(), here, sink),
        }
    }

    /// The segment has ended here.
    fn end(&mut self, here: u32, sink: &mut impl Sink) {
        sink.record(Op::End.at(here, here));
        self.pass_segment();
        if std::mem::take(&mut self.tool.is_refused) {
            sink.record(Op::Fault(Fault::BadArguments).at(here, here));
        }
    }

    /// After what was or might have been a segment: text comes.
    fn pass_segment(&mut self) {
        self.prose.is_lead = matches!(self.phase, Phase::Reasoning(_));
        self.prose.opening.pass_segment();
        self.phase = Phase::Text;
    }

    /// The stream ends in a segment.
    fn cut_off(&mut self, held: u32, sink: &mut impl Sink) {
        let is_missing = !self.tool.has_content
            && matches!(self.phase, Phase::Tool(inside) if !inside.is_in_content(self.scan.until));
        // What was cut off is not called anyhow.
        self.tool.is_refused = false;
        let op = match self.phase {
            Phase::Tool(Inside::Values { .. } | Inside::After) => self.scan.until.op(),
            Phase::Raw { until, .. } => until.op(),
            Phase::Tool(Inside::Section) if self.scan.cdata.is_closed() => Op::Markup,
            Phase::Tool(Inside::Between | Inside::Tag | Inside::Value { .. }) => Op::Markup,
            Phase::Tool(Inside::LineEnd { .. }) => {
                self.emit(Op::Markup, self.tool.content.0, sink);
                Op::Content
            }
            Phase::Text
            | Phase::Quoted
            | Phase::Object
            | Phase::Candidate(_)
            | Phase::Asked(_)
            | Phase::Answered(_)
            | Phase::Refused(_)
            | Phase::Json
            | Phase::Broken { .. }
            | Phase::Reasoning(_)
            | Phase::Tool(Inside::Section | Inside::Lead { .. } | Inside::Marked(_)) => Op::Content,
        };
        self.emit(op, held, sink);
        if is_missing {
            sink.record(Op::Missing.at(held, held));
        }
        self.end(held, sink);
        sink.record(Op::Fault(Fault::Unterminated).at(held, held));
    }
}

impl text::Machine for Machine {
    type Ask = Ask;
    type Answer = Choice;
    type Mode = Mode;
    type Table = ();

    fn run(&mut self, (): &(), text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Ask> {
        let mut flow = Flow::Go;
        while matches!(flow, Flow::Go) && !sink.lacks_room_for(ROOM) {
            if text.is_at_end() && !matches!(self.phase, Phase::Answered(_) | Phase::Refused(_)) {
                break;
            }
            let from = text.at();
            flow = self.advance(text, sink);
            self.steps.add(text.at().saturating_sub(from) + 1);
            if let Flow::Back(unit) = flow
                && text.go_back_to(unit)
            {
                flow = Flow::Go;
            }
        }
        let here = text.here();
        let next = if let Flow::Back(unit) = flow { unit } else { here };
        if !matches!(flow, Flow::Back(_)) {
            self.emit_decided(here, sink);
        }
        let ask =
            if let (Flow::Ask, Phase::Asked(question)) = (&flow, self.phase) { Some(question.ask()) } else { None };
        self.waits = matches!(flow, Flow::Wait);
        Outcome { ask, waits: self.waits, ..self.outcome(next) }
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        let mut flow = Flow::Go;
        if self.phase == Phase::Tool(Inside::After)
            && let Flow::Back(next) = self.settle(Closing::Ends, sink)
            && next < held
        {
            return self.outcome(next);
        }
        match self.phase {
            Phase::Text | Phase::Object => {}
            Phase::Tool(Inside::Values { .. }) if self.scan.until == Until::GivenUp => {}
            Phase::Quoted => {
                let found = self.prose.opening.quotes.end();
                flow = self.unquote(found, held);
            }
            Phase::Raw { until, .. } if until.is_text() => {}
            Phase::Reasoning(_) if self.prose.reasoning == Reasoning::Text => {}
            Phase::Candidate(candidate) => {
                flow = match candidate {
                    Candidate::Tag => self.fail_tag(held, sink),
                    Candidate::Bracket { .. } => self.search_again(held),
                    Candidate::Header | Candidate::HeaderEnd { .. } => self.fail_header(held, sink),
                    Candidate::Name { is_object } => self.refuse_json(is_object, held),
                }
            }
            Phase::Tool(_) if !self.tool.has_begun => self.drop_tool(Fault::Unterminated, held, sink),
            Phase::Asked(_)
            | Phase::Answered(_)
            | Phase::Refused(_)
            | Phase::Json
            | Phase::Broken { .. }
            | Phase::Raw { .. }
            | Phase::Reasoning(_)
            | Phase::Tool(_) => self.cut_off(held, sink),
        }
        if let Flow::Back(next) = flow
            && next < held
        {
            return self.outcome(next);
        }
        self.emit(Op::Text, held, sink);
        self.outcome(held)
    }

    fn answer(&mut self, choice: Choice) {
        if let Phase::Asked(question) = self.phase {
            let is_unknown = matches!(choice, Choice::Unknown);
            self.tool.row = match choice {
                Choice::BuiltIn => Row::built_in(&self.tag.word),
                Choice::Generic | Choice::Unknown => Row::GENERIC,
                Choice::Own(row) => row,
            };
            self.phase = if is_unknown { Phase::Refused(question) } else { Phase::Answered(question) };
        }
    }

    fn mode(&self) -> Mode {
        match self.phase {
            Phase::Text if self.prose.opening.is_settled() => Mode::Text,
            Phase::Raw { matched: 0, until } => match until {
                Until::Sentinel => Mode::Sentinel,
                Until::WriteFile | Until::RunBash => Mode::Element,
                Until::AfterFile
                | Until::AfterCommand
                | Until::Tool
                | Until::Content
                | Until::Other
                | Until::Swallowed
                | Until::GivenUp
                | Until::TextFile
                | Until::TextCommand
                | Until::TextSentinel => Mode::Read,
            },
            Phase::Reasoning(_) if self.prose.reasoning == Reasoning::Parts && !self.waits => Mode::Element,
            Phase::Tool(Inside::Values { is_tag: false }) if self.scan.cdata == Cdata::Outside => {
                let op = self.scan.until.op();
                if op == Op::Text {
                    Mode::Read
                } else if !self.tool.has_begun {
                    Mode::Pending
                } else if op == Op::Markup {
                    Mode::Markup
                } else {
                    Mode::Value
                }
            }
            Phase::Tool(Inside::Marked(Marked::Body)) if self.tool.has_begun && self.ends_with_underscores() => {
                Mode::Marked
            }
            Phase::Broken { quoted: Quoted::No, .. } => Mode::Json,
            Phase::Broken { quoted: Quoted::Yes, .. } => Mode::JsonString,
            Phase::Json if self.json.tokenizer.is_in_plain_string() => Mode::JsonString,
            Phase::Json => Mode::JsonToken,
            Phase::Text
            | Phase::Quoted
            | Phase::Object
            | Phase::Candidate(_)
            | Phase::Asked(_)
            | Phase::Answered(_)
            | Phase::Refused(_)
            | Phase::Broken { .. }
            | Phase::Raw { .. }
            | Phase::Reasoning(_)
            | Phase::Tool(_) => Mode::Read,
        }
    }

    fn is_in_call(&self) -> bool {
        matches!(self.phase, Phase::Tool(_)) && !self.tool.has_begun
            || matches!(self.phase, Phase::Candidate(Candidate::Name { .. }))
    }

    fn give_up(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        if let Phase::Candidate(Candidate::Name { is_object }) = self.phase {
            sink.record(Op::Fault(Fault::TooLong).at(self.mark, held));
            let next = if let Flow::Back(unit) = self.refuse_json(is_object, held) { unit } else { held };
            return self.outcome(next);
        }
        let (next, depth) = self.place_of_end(held);
        sink.record(Op::Drop.at(self.mark, self.mark));
        self.emit(Op::Text, next, sink);
        sink.record(Op::Fault(Fault::TooLong).at(self.mark, held));
        self.tag.tokenizer.give_up();
        self.read_as_text(depth);
        self.outcome(next)
    }

    fn pass(&mut self, units: u32) {
        self.budget.pass(units);
        self.json.pass(units);
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn steps(&self) -> u64 {
        self.steps.made()
    }
}
