//! The block machine: reads a stretch of text, says by records what happened,
//! and remembers where it stands in a few numbers. No heap, no text.
//!
//! It reads markup by `xml`, decides by the innermost thing that is open, and
//! leaves all text where it is. What is undecided at the end of a stretch is
//! the caller's to keep; the next stretch begins after it.

use super::call::Call;
use super::op::{Kind, Mode, Op};
use super::own_stack::OwnTags;
use super::spot::{AFTER_PAYLOAD, Payloads, Spot};
use super::stack::Stack;
use super::tags::{Role, TagTable, roles_of};
use super::undecided::{Ahead, Undecided};
use super::value::{Declared, Form, LONGEST_VALUE, Value};
use crate::markdown::{Quotes, Standing};
use crate::text::{self, Outcome, Sink, Steps, Stretch, numbered};
use crate::xml::{Cdata, Entity, Recognised, Tag, Tokenizer};

/// Most records that one move of the machine makes.
const RECORDS_A_MOVE: usize = 16;

/// What a block is.
///
/// ```
/// use tokenweir::block::{BlockParser, EventKind, Face, Options};
/// let mut parser = BlockParser::new(Options { face: Face::Elements, ..Options::default() });
/// let events = parser.feed("<function_results><result>a.txt</result></function_results>")?;
/// let contents: Vec<_> = events.into_iter().filter_map(|event| match event.kind {
///     EventKind::BlockComplete { content, .. } => content,
///     _ => None,
/// }).collect();
/// assert_eq!(contents, ["<result>a.txt</result>"]); // with `Face::Blocks`: ["a.txt"]
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum Face {
    /// Each `invoke` is a tool call with its input as JSON.
    Blocks,
    /// Each element is one block of text, as in membrane's `IncrementalXmlParser`.
    Elements,
}

/// What the machine is inside of: what a block that starts here would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The innermost thing that is open.
    pub kind: Kind,
    /// Open function calls.
    pub function_calls: u32,
    /// Open function results.
    pub function_results: u32,
    /// Open thinking.
    pub thinking: u32,
}

numbered! {
    /// What the machine asks.
    #[repr(u8)]
    pub enum Ask {
        /// How the parameter that has begun, or the element that may be one, is declared.
        Declaration = 1,
    }
}

/// What is open inside the stack's innermost level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Leaf {
    None,
    Invoke,
    Parameter,
    Result { is_error: bool },
}

/// What is known of the thinking that is open, if any is.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Thinking {
    /// Its name, by its place in the table; none if the prompt has opened it.
    pub(super) name: Option<u8>,
    /// The prompt has opened it, and nothing but white space was read since: a server may repeat the opening tag.
    pub(super) is_at_start: bool,
}

impl Thinking {
    pub(super) const NONE: Thinking = Thinking { name: None, is_at_start: false };

    /// Whether the name at a place of the table closes it.
    pub(super) fn is_closed_by(self, tags: &TagTable, name: u8) -> bool {
        self.name.is_none_or(|opened| tags.are_one_name(opened, name))
    }
}

/// How a stream is read, from its start on.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Settings {
    /// What a block is.
    pub face: Face,
    /// Strings lose white space at their ends.
    pub trims: bool,
    /// Parameters' declarations are asked for.
    pub asks: bool,
    /// Markup is recorded.
    pub marks: bool,
    /// A value that has swallowed an opening tag is a value all the same.
    pub keeps_tags: bool,
    /// Tags in Markdown code are text, outside of blocks that have tags.
    pub skips_code: bool,
}

impl Settings {
    /// The defaults.
    #[must_use]
    pub const fn new(face: Face) -> Settings {
        Settings { face, trims: true, asks: false, marks: false, keeps_tags: false, skips_code: false }
    }
}

/// The state of one stream.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Machine {
    pub(super) settings: Settings,
    pub(super) stack: Stack,
    pub(super) leaf: Leaf,
    pub(super) own: OwnTags,
    pub(super) open: Option<Kind>,
    pub(super) tag: Tokenizer,
    pub(super) entity: Entity,
    pub(super) value: Value,
    pub(super) call: Call,
    pub(super) undecided: Undecided,
    pub(super) payloads: Payloads,
    pub(super) thinking: Thinking,
    pub(super) quotes: Quotes,
    /// Pending units that were sent before (prefill).
    pub(super) clip: u32,
    /// Bytes looked at, each time that they were; the tests of growth read it.
    pub(super) steps: Steps,
}

/// What completes a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Its own closing tag.
    OwnTag,
    /// Another tag.
    OtherTag,
    /// The end of the stream.
    Stream,
}

/// One call's view of its stretch.
pub(super) struct Run<'t, 'a, S> {
    /// Its own, since a reference to one costs a few percent.
    pub(super) text: Stretch<'a>,
    pub(super) sink: &'t mut S,
    /// First unit of content or value that has not gone out.
    pub(super) from: u32,
    /// The machine's `clip`.
    pub(super) clip: u32,
    /// Byte of the stretch at which the text begins that was not sent before.
    pub(super) clip_at: usize,
    /// Byte of the `<` that is being read, if it is in this stretch.
    pub(super) tag_byte: Option<usize>,
    /// The closing tag that is being acted on; after an empty one's end.
    pub(super) closing: (u32, u32),
    pub(super) reread: Option<u32>,
    pub(super) asks: bool,
    pub(super) waits: bool,
    pub(super) marks: bool,
}

impl<S: Sink> Run<'_, '_, S> {
    pub(super) fn say(&mut self, op: Op, start: u32, end: u32) {
        self.sink.record(op.at(start, end));
    }

    /// Markup, which is recorded only where spans are wanted.
    pub(super) fn mark(&mut self, start: u32, end: u32) {
        self.mark_as(false, start, end);
    }

    /// White space between tags, likewise.
    pub(super) fn mark_layout(&mut self, start: u32, end: u32) {
        self.mark_as(true, start, end);
    }

    fn mark_as(&mut self, is_layout: bool, start: u32, end: u32) {
        let start = start.max(self.clip);
        if self.marks && start < end {
            self.say(Op::Markup { is_layout }, start, end);
        }
    }
}

impl Machine {
    /// A machine at the start of a stream.
    #[must_use]
    pub const fn new(settings: Settings) -> Machine {
        Machine {
            settings,
            stack: Stack::EMPTY,
            leaf: Leaf::None,
            own: OwnTags::NONE,
            open: None,
            tag: Tokenizer::REST,
            entity: Entity::REST,
            value: Value::START,
            call: Call::NONE,
            undecided: Undecided::NONE,
            payloads: Payloads::NONE,
            thinking: Thinking::NONE,
            quotes: Quotes::START,
            clip: 0,
            steps: Steps::NONE,
        }
    }

    /// The stream begins inside thinking, which the prompt has opened.
    pub fn start_in_thinking(&mut self) {
        self.stack.push(Kind::Thinking);
        self.thinking.is_at_start = true;
    }

    /// The table has custom tags.
    pub fn know_own_tags(&mut self, tags: &TagTable) {
        self.own.count(tags);
    }

    /// The number of the innermost custom tag that is open; 0 if none is.
    #[must_use]
    pub fn own_tag(&self) -> u8 {
        self.own.innermost()
    }

    /// What the machine is inside of.
    #[must_use]
    pub fn place(&self) -> Place {
        let kind = match (self.settings.face, self.leaf) {
            (Face::Elements, _) => self.stack.element_kind(),
            (Face::Blocks, Leaf::Invoke | Leaf::Parameter) => Kind::ToolCall,
            (Face::Blocks, Leaf::Result { .. }) => Kind::ToolResult,
            (Face::Blocks, Leaf::None) if self.own.depth() > 0 => Kind::Own,
            (Face::Blocks, Leaf::None) => self.stack.top(),
        };
        Place {
            kind,
            function_calls: self.stack.count(Kind::ToolCall),
            function_results: self.stack.count(Kind::ToolResult),
            thinking: self.stack.count(Kind::Thinking),
        }
    }

    /// Says which block is open, and that all up to the end of the `held` pending
    /// units was sent before by somebody else (prefill). A tool call stays open.
    pub fn set_open(&mut self, open: Option<Kind>, held: u32) {
        self.clip = held;
        if !matches!(self.leaf, Leaf::Invoke | Leaf::Parameter) {
            self.open = open;
        }
    }

    /// Forgets a tag that was being read, and the open block, but not what
    /// encloses them.
    pub fn forget_block(&mut self) {
        self.tag.give_up();
        self.entity.give_up();
        self.leaf = Leaf::None;
        self.call.element.end();
        self.undecided = Undecided::NONE;
        if !self.is_in_payload() {
            self.payloads.cdata = Cdata::Outside;
        }
        self.quotes = Quotes::START;
        self.open = None;
        self.clip = 0;
    }

    fn begin<'t, 'a, S: Sink>(&self, mut text: Stretch<'a>, sink: &'t mut S) -> Run<'t, 'a, S> {
        let clip = self.clip;
        let clip_at = if clip == 0 { 0 } else { text.front(clip.saturating_sub(text.origin())).bytes().len() };
        let (from, marks) = (self.clip_here(), self.settings.marks);
        Run {
            text,
            sink,
            from,
            clip,
            clip_at,
            tag_byte: None,
            closing: (0, 0),
            reread: None,
            asks: false,
            waits: false,
            marks,
        }
    }

    /// Where the text begins that is sent here: the inside of a tool call is sent whole.
    pub(super) fn clip_here(&self) -> u32 {
        if matches!(self.leaf, Leaf::Invoke | Leaf::Parameter) { 0 } else { self.clip }
    }

    /// Ends a call: sends what is decided and says what stays pending. `run` isn't moved
    /// here: copying what was just written, in wider pieces, waits for the writes.
    #[inline]
    fn stop<S: Sink>(&mut self, run: &mut Run<'_, '_, S>) -> Outcome<Ask> {
        // What is read again stands after a tag.
        self.value.openers.is_at_line = self.leaf == Leaf::Parameter && run.reread.is_none() && self.is_line(run);
        let next = run.reread.unwrap_or_else(|| run.text.here());
        let in_tag = if self.undecided.is_reading() {
            next.saturating_sub(self.undecided.from)
        } else if self.leaf == Leaf::Parameter && self.value.cdata.held() > 0 {
            self.value.cdata.held()
        } else if self.payloads.holds_section() {
            self.payloads.cdata.held()
        } else if self.tag.is_reading() {
            self.tag.held()
        } else if self.entity.is_reading() {
            self.entity.held()
        } else {
            0
        };
        let text_end = next.saturating_sub(in_tag);
        let held_from = match self.leaf {
            Leaf::Parameter => match self.value.form {
                Form::Guess => run.from,
                Form::Verbatim if self.value.is_at_front => run.from,
                Form::Container if self.value.cdata.is_closed() => run.from,
                Form::String | Form::Json if self.settings.trims => text_end.saturating_sub(self.value.held_spaces()),
                Form::String | Form::Json | Form::Verbatim | Form::Container => text_end,
            },
            Leaf::None | Leaf::Invoke | Leaf::Result { .. } => text_end,
        };
        self.send(run, held_from);
        self.clip = self.clip.saturating_sub(held_from);
        self.undecided.from = self.undecided.from.saturating_sub(held_from);
        self.value.section_end = self.value.section_end.saturating_sub(held_from);
        let ask = run.asks.then_some(Ask::Declaration);
        Outcome { ask, waits: run.waits, ..Outcome::new(next, held_from) }
    }

    /// The tags that count here, by role.
    #[must_use]
    pub fn recognised(&self) -> Recognised {
        const EVERYWHERE: u32 =
            Role::Thinking.bit() | Role::FunctionCalls.bit() | Role::FunctionResults.bit() | Role::Invoke.bit();
        const IN_CALLS: u32 = EVERYWHERE | Role::Parameter.bit();
        const IN_RESULTS: u32 = EVERYWHERE | Role::Result.bit() | Role::Error.bit();
        if self.payloads.spot == Spot::Suffix {
            return AFTER_PAYLOAD;
        }
        if self.own.depth() > 0 {
            return self.own.counted;
        }
        let (opening, closing) = match self.leaf {
            Leaf::Parameter if self.value.cdata.is_closed() || self.value.is_followed => return AFTER_PAYLOAD,
            // An opening tag there is text, and says that the value has swallowed it.
            Leaf::Parameter => (Role::Parameter.bit() | Role::Invoke.bit(), Role::Parameter.bit()),
            Leaf::Result { is_error: false } => (0, Role::Result.bit() | Role::FunctionResults.bit()),
            Leaf::Result { is_error: true } => (0, Role::Error.bit() | Role::FunctionResults.bit()),
            Leaf::None if self.settings.face == Face::Blocks && self.stack.top() == Kind::ToolResult => {
                (IN_RESULTS, IN_RESULTS)
            }
            // Thinking doesn't nest, and a mention of another tag is part of it.
            Leaf::None if self.settings.face == Face::Blocks && self.stack.top() == Kind::Thinking => {
                (Role::FunctionCalls.bit() | Role::Invoke.bit(), Role::Thinking.bit())
            }
            Leaf::None if self.stack.top() == Kind::Text && self.own.counted.openers > 0 => {
                (EVERYWHERE | self.own.counted.openers, EVERYWHERE)
            }
            // Outside of a call a parameter's tag is text; membrane swallows it.
            Leaf::None if self.settings.face == Face::Blocks => (EVERYWHERE, EVERYWHERE),
            Leaf::Invoke if self.call.element.declared().is_some() => (Role::Parameter.bit(), 0),
            Leaf::None | Leaf::Invoke => (IN_CALLS, IN_CALLS),
        };
        let opening = if self.thinking.is_at_start {
            // The server may repeat the tag that the prompt has.
            opening | Role::Thinking.bit()
        } else if self.settings.face == Face::Blocks && self.stack.count(Kind::Thinking) > 0 {
            opening & !(Role::Thinking.bit() | Role::FunctionResults.bit())
        } else {
            opening
        };
        Recognised { openers: opening, closers: closing }
    }

    /// Whether entities are decoded here: in tool results.
    pub(super) fn decodes(&self) -> bool {
        self.settings.face == Face::Blocks
            && match self.leaf {
                Leaf::Result { .. } => true,
                Leaf::None => self.stack.top() == Kind::ToolResult,
                Leaf::Invoke | Leaf::Parameter => false,
            }
    }

    /// Whether white space that comes first here is layout: between the tags
    /// of calls and results.
    pub(super) fn is_layout(&self) -> bool {
        self.settings.face == Face::Blocks
            && match self.leaf {
                Leaf::Invoke => !self.call.has_stray,
                Leaf::None => self.open.is_none() && matches!(self.stack.top(), Kind::ToolCall | Kind::ToolResult),
                Leaf::Parameter | Leaf::Result { .. } => false,
            }
    }

    /// Whether the place is where Markdown's code counts: in text outside of blocks that have tags.
    pub(super) fn reads_code(&self) -> bool {
        self.settings.skips_code && self.place().kind == Kind::Text
    }

    /// Whether elements in the place may be parameters.
    pub(super) fn reads_elements(&self) -> bool {
        self.leaf == Leaf::Invoke && self.settings.asks && self.call.element.are_looked_for()
    }

    /// Whether white space at the end of the value stays back for now.
    fn is_in_string_value(&self) -> bool {
        self.leaf == Leaf::Parameter
            && self.settings.trims
            && self.value.cdata == Cdata::Outside
            && !self.undecided.is_reading()
            && matches!(self.value.form, Form::String | Form::Json)
    }

    /// Whether a line begins at the place of a value, but for blanks.
    pub(super) fn is_line<S: Sink>(&self, run: &Run<'_, '_, S>) -> bool {
        let before = run.text.bytes().get(..run.text.at()).unwrap_or_default();
        let found = before.iter().rfind(|byte| !matches!(byte, b' ' | b'\t'));
        found.map_or(self.value.openers.is_at_line, |&byte| byte == b'\n')
    }

    /// Sends content or value up to `end`.
    pub(super) fn send<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, end: u32) {
        let start = run.from;
        if start >= end {
            return;
        }
        let op = match self.leaf {
            Leaf::Parameter => {
                let is_first = !self.value.is_quoted;
                self.value.is_quoted = true;
                match self.value.form {
                    Form::Json => Op::Raw,
                    Form::Guess | Form::Container | Form::String | Form::Verbatim => {
                        Op::String { is_first, is_last: false }
                    }
                }
            }
            Leaf::Invoke => {
                self.call.has_stray = true;
                Op::Stray
            }
            Leaf::None | Leaf::Result { .. } => {
                self.open_if_closed(run);
                Op::Text
            }
        };
        run.say(op, start, end);
        run.from = end;
    }

    pub(super) fn open_if_closed<S: Sink>(&mut self, run: &mut Run<'_, '_, S>) {
        if self.open.is_none() {
            let kind = if self.is_in_payload() { Kind::ToolCall } else { self.place().kind };
            self.start(run, kind, run.from);
        }
    }

    /// Starts a block; its custom tag stands up to `to`.
    pub(super) fn start<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, kind: Kind, to: u32) {
        let levels = self.stack.count(Kind::ToolCall).min(u32::from(u16::MAX)) as u16;
        let depth = match self.settings.face {
            Face::Blocks => levels.max(1),
            Face::Elements => levels.max(self.stack.count(Kind::ToolResult).min(u32::from(u16::MAX)) as u16),
        };
        let is_in_thinking =
            self.settings.face == Face::Blocks && kind == Kind::ToolCall && self.stack.count(Kind::Thinking) > 0;
        if kind == Kind::Own {
            return self.start_own(run, to);
        }
        run.say(Op::Start { kind, is_in_thinking, depth }, run.from, to.max(run.from));
        self.open = Some(kind);
    }

    /// Completes the open block.
    pub(super) fn complete<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, by: Ending) {
        let Some(kind) = self.open.take() else { return };
        let at = run.from;
        let is_call = self.leaf == Leaf::Invoke;
        if is_call {
            run.say(Op::InputEnd { is_empty: !self.call.has_parameters }, at, at);
        }
        let is_cut = match kind {
            Kind::Text => false,
            Kind::ToolCall => is_call && (by != Ending::OwnTag || !self.call.has_name || self.call.is_refused),
            Kind::Own => by == Ending::Stream,
            Kind::Thinking | Kind::ToolResult => self.settings.face == Face::Blocks && by == Ending::Stream,
        };
        let is_error = self.leaf == Leaf::Result { is_error: true };
        let (start, end) = if by == Ending::OwnTag { run.closing } else { (at, at) };
        let is_malformed = is_call && self.call.is_refused;
        let blocks = if kind == Kind::Own && by == Ending::Stream { self.own.depth() } else { 1 };
        for _ in 0..blocks {
            run.say(Op::Complete { is_incomplete: is_cut, is_error, is_malformed }, start, end);
        }
    }

    pub(super) fn tag_ends<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable, tag: &Tag) {
        let end = run.text.here();
        let start = end.saturating_sub(tag.len);
        let role = Role::of_class(tag.class);
        if self.reads_code() && self.quotes.look() == Standing::Open {
            self.undecided = Undecided { ahead: Ahead::Code, from: start, ..Undecided::NONE };
            return self.go_back(run, start);
        }
        match role {
            None if self.rereads_own_tag(tag) => return self.go_back(run, start),
            Some(role) if self.settings.face == Face::Blocks && self.is_mention(tags, role, tag) => return,
            Some(role) if self.settings.face == Face::Blocks && self.opens_call_in_thinking(role, tag) => {
                return self.look_for_call(run, role, tag);
            }
            Some(_) | None => {}
        }
        if self.leaf == Leaf::Parameter {
            if self.value.is_followed {
                self.end_value(run, start, false);
            } else if self.value.cdata.is_closed() {
                self.end_section(run, start);
            } else {
                return self.look_after_value(run, tag);
            }
            self.leaf = Leaf::Invoke;
        } else {
            self.send(run, start);
        }
        self.call.has_stray = false;
        let clip = self.clip_here();
        run.from = start.max(clip);
        run.closing = (if tag.is_closer { run.from } else { end.max(clip) }, end.max(clip));
        if let Some(role) = role.filter(|_| self.settings.marks && end > run.clip) {
            let (from, to) = tag.name;
            run.say(Op::Tag { role, is_closer: tag.is_closer, is_empty: tag.is_empty }, start + from, start + to);
        }
        match (self.settings.face, role) {
            (Face::Elements, Some(role)) => {
                if self.settings.marks && end > run.clip {
                    run.element_attribute(tag, start);
                }
                self.element_tag(run, role, tag);
            }
            (Face::Blocks, Some(role)) => self.block_tag(run, role, tag, start),
            (Face::Blocks | Face::Elements, None) => self.own_tag_ends(run, tags, tag, start),
        }
        run.mark(run.from, end);
        run.from = end.max(self.clip_here());
        if self.settings.skips_code {
            self.quotes.code_mut().pass_segment();
        }
    }
}

impl Machine {
    /// Whether a whole tag is text where it stands: a closing tag of thinking by another name than
    /// the one that is open.
    fn is_mention(&self, tags: &TagTable, role: Role, tag: &Tag) -> bool {
        role == Role::Thinking
            && tag.is_closer
            && self.stack.count(Kind::Thinking) > 0
            && !self.thinking.is_closed_by(tags, self.tag.word())
    }

    /// Whether an opening tag in thinking counts only if a call begins there.
    fn opens_call_in_thinking(&mut self, role: Role, tag: &Tag) -> bool {
        let is_known = self.undecided.ahead == Ahead::Known;
        self.undecided = Undecided::NONE;
        let is_opener = !tag.is_closer && matches!(role, Role::FunctionCalls | Role::Invoke);
        is_opener && !is_known && self.leaf == Leaf::None && self.stack.top() == Kind::Thinking
    }
}

impl text::Machine for Machine {
    type Ask = Ask;
    type Answer = Declared;
    type Mode = Mode;
    type Table = TagTable;

    fn run(&mut self, tags: &TagTable, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Ask> {
        let mut run = self.begin(text.clone(), sink);
        if self.is_in_string_value() && !self.tag.is_reading() && self.value.spaces <= LONGEST_VALUE {
            // The caller may have sent them on together with a chunk that it didn't show.
            self.value.spaces = run.text.here();
        }
        while !run.text.is_at_end() {
            if run.asks || run.waits || run.reread.is_some() || run.sink.lacks_room_for(RECORDS_A_MOVE) {
                break;
            }
            self.steps.add(1);
            if self.undecided.is_reading() {
                self.read_undecided(&mut run, tags);
            } else if self.tag.is_reading() {
                self.read_tag(&mut run, tags);
            } else if self.entity.is_reading() {
                self.read_entity(&mut run);
            } else {
                self.content(&mut run, tags);
            }
        }
        self.stop(&mut run)
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        let mut run = self.begin(Stretch::new(&[], held, true), sink);
        if self.undecided.is_reading() {
            self.end_undecided(&mut run);
        } else if self.tag.fails_at_end() {
            self.tag_fails(&mut run);
        }
        if run.reread.is_none() {
            self.entity.give_up();
            if self.settings.face == Face::Elements && self.payloads.holds_section() {
                self.payloads.cdata = Cdata::Outside;
                self.payloads.begin_text();
            }
            if self.leaf == Leaf::Parameter {
                self.section_cut(&mut run, held);
                self.leaf = Leaf::Invoke;
            }
            self.send(&mut run, held);
            self.complete(&mut run, Ending::Stream);
            self.leaf = Leaf::None;
            self.quotes = Quotes::START;
        }
        self.stop(&mut run)
    }

    fn mode(&self) -> Mode {
        if self.settings.marks
            || self.thinking.is_at_start
            || self.clip > 0
            || self.undecided.ahead != Ahead::None
            || self.tag.is_reading()
            || self.entity.is_reading()
            || self.payloads.are_near()
        {
            return Mode::Read;
        }
        match self.leaf {
            Leaf::Invoke => Mode::Read,
            Leaf::Parameter if self.value.openers.is_at_line => Mode::Read,
            // The caller knows no names of elements.
            Leaf::Parameter if self.call.element.declared().is_some() || self.value.cdata != Cdata::Outside => {
                Mode::Read
            }
            Leaf::Parameter => match self.value.form {
                Form::Verbatim if self.value.is_quoted => Mode::String,
                Form::String if self.value.is_quoted && !self.settings.trims => Mode::String,
                Form::String if self.value.is_quoted && self.value.spaces <= LONGEST_VALUE => Mode::Trimmed,
                Form::Json if self.value.is_quoted && self.value.spaces <= LONGEST_VALUE => Mode::Json,
                Form::Guess | Form::String | Form::Verbatim | Form::Container | Form::Json => Mode::Read,
            },
            Leaf::None | Leaf::Result { .. } if self.open.is_none() => Mode::Read,
            Leaf::None | Leaf::Result { .. } if self.decodes() => Mode::Decoded,
            Leaf::None if self.reads_code() => {
                if self.quotes.code().is_plain() {
                    Mode::Quoted
                } else {
                    Mode::Read
                }
            }
            Leaf::None | Leaf::Result { .. } => Mode::Text,
        }
    }

    fn answer(&mut self, declared: Declared) {
        let Machine { value, undecided, call, .. } = self;
        if !value.openers.answer(declared) && !undecided.answer(declared) && !call.element.answer(declared) {
            value.declare(declared);
        }
    }

    /// The roles whose opening tags (7 bits) and closing tags (7) count now.
    fn flags(&self) -> u32 {
        let Recognised { openers: opening, closers: closing } = self.recognised();
        roles_of(opening) | roles_of(closing) << Role::ALL.len()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn steps(&self) -> u64 {
        self.steps.made()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Machine as _, Record};

    const NEW: Machine = Machine::new(Settings::new(Face::Blocks));

    fn run(machine: &mut Machine, text: &str, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        machine.run(&TagTable::default(), &mut Stretch::new(text.as_bytes(), held, text.is_ascii()), sink)
    }

    /// The records of a text whose units before `clip` were sent before.
    fn recorded(machine: &mut Machine, text: &str, clip: u32) -> Vec<(Op, u32, u32)> {
        let mut records: Vec<Record> = Vec::new();
        machine.clip = clip;
        run(machine, text, 0, &mut records);
        records.iter().filter_map(|&record| Some((Op::of(record)?, record.start, record.end))).collect()
    }

    #[test]
    fn a_reference_in_what_was_sent_before_is_not_sent_again() {
        let text = "<function_results>&lt;a";
        let characters = |clip| {
            recorded(&mut NEW.clone(), text, clip)
                .into_iter()
                .filter(|(op, ..)| *op == Op::Character('<'))
                .collect::<Vec<_>>()
        };
        assert_eq!(characters(0), [(Op::Character('<'), 18, 22)]);
        assert_eq!(characters(21), [(Op::Character('<'), 21, 22)]);
        assert_eq!(characters(22), []);
    }

    #[test]
    fn after_a_prefill_the_text_begins_anew() {
        // White space that comes first in calls is layout, wherever a call of the machine ended.
        let text = "<function_calls>a水🙂b\n c";
        let clip = 16 + 5;
        let content = |cut: usize| {
            let (front, back) = text.split_at(cut);
            let mut machine = NEW;
            let mut records: Vec<Record> = Vec::new();
            machine.clip = clip;
            let Outcome { next, held_from, .. } = run(&mut machine, front, 0, &mut records);
            run(&mut machine, back, next - held_from, &mut records);
            records.iter().filter_map(|&record| Op::of(record)).filter(|op| *op == Op::Text).count()
                + records.iter().map(|record| (record.end - record.start) as usize).sum::<usize>()
        };
        let whole = content(0);
        for cut in (0..=text.len()).filter(|&cut| text.is_char_boundary(cut)) {
            assert_eq!(content(cut), whole, "cut at {cut}");
        }
    }

    #[test]
    fn markup_is_recorded_where_it_is_asked_for() {
        let markup = |marks| {
            let mut machine = NEW;
            machine.settings.marks = marks;
            let ops = recorded(&mut machine, "<thinking></thinking><function_calls> <invoke name='a'>", 0);
            ops.into_iter()
                .filter(|(op, ..)| matches!(op, Op::Markup { .. }))
                .map(|(_, start, end)| (start, end))
                .collect::<Vec<_>>()
        };
        assert_eq!(markup(false), []);
        let mut machine = NEW;
        machine.settings.marks = true;
        assert!(
            recorded(&mut machine, "<thinking>", 10)
                .iter()
                .all(|&(op, start, end)| !matches!(op, Op::Markup { .. }) || start < end)
        );
        // All but the name.
        assert_eq!(markup(true), [(0, 10), (10, 21), (21, 37), (37, 38), (38, 52), (53, 55)]);
    }

    #[test]
    fn a_block_that_somebody_else_began() {
        let mut machine = NEW;
        machine.set_open(Some(Kind::Text), 0);
        assert_eq!(machine.open, Some(Kind::Text));
        recorded(&mut machine, "<invoke name='a'>", 0);
        assert_eq!(machine.open, Some(Kind::ToolCall));
        machine.set_open(None, 0);
        assert_eq!(machine.open, Some(Kind::ToolCall));
    }

    #[test]
    fn it_forgets_the_open_block_and_not_what_is_around_it() {
        let mut machine = NEW;
        recorded(&mut machine, "<thinking>a <invoke name='b'><param", 0);
        machine.forget_block();
        assert!(!machine.tag.is_reading() && machine.open.is_none() && machine.leaf == Leaf::None);
        assert_eq!(machine.place().thinking, 1);
    }

    #[test]
    fn what_was_sent_before_is_not_sent_again() {
        assert_eq!(
            recorded(&mut NEW.clone(), "hello world", 6).last().map(|&(_, start, end)| (start, end)),
            Some((6, 11))
        );
    }

    /// A machine in a value that is declared so, after its text, and how much is pending.
    fn in_value(declared: Declared, trims: bool, text: &str) -> (Machine, u32) {
        let mut machine = NEW;
        (machine.settings.trims, machine.settings.asks) = (trims, true);
        let mut records: Vec<Record> = Vec::new();
        let front = "<invoke name='a'><parameter name='b'>";
        assert!(run(&mut machine, front, 0, &mut records).ask.is_some());
        machine.answer(declared);
        let Outcome { next, held_from, .. } = run(&mut machine, text, 0, &mut records);
        (machine, next - held_from)
    }

    #[test]
    fn what_plain_text_is_in_a_value() {
        let many = " ".repeat(LONGEST_VALUE as usize + 1);
        for (declared, trims, text, mode) in [
            (Declared::Unknown, true, "", Mode::Read),
            (Declared::Unknown, true, "[", Mode::Read),
            (Declared::Unknown, true, "hello", Mode::Trimmed),
            (Declared::Unknown, true, "hello ", Mode::Trimmed),
            (Declared::Unknown, true, "hello <", Mode::Read),
            (Declared::Unknown, false, "hello ", Mode::String),
            (Declared::String, true, "", Mode::Read),
            (Declared::String, true, "x", Mode::String),
            (Declared::Container, true, "", Mode::Read),
            (Declared::Container, true, "[", Mode::Json),
            (Declared::Container, true, "[<", Mode::Read),
            (Declared::Unknown, true, &format!("hello{many}"), Mode::Read),
            (Declared::Container, true, &format!("[{many}"), Mode::Read),
        ] {
            let (machine, _) = in_value(declared, trims, text);
            assert_eq!(machine.mode(), mode, "{declared:?} {trims} {}", text.trim_end());
        }
    }

    #[test]
    fn white_space_at_the_end_of_a_value_stays_pending() {
        assert_eq!(in_value(Declared::Unknown, true, "hello  ").1, 2);
        assert_eq!(in_value(Declared::Unknown, false, "hello  ").1, 0);
        assert_eq!(in_value(Declared::String, true, "hello  ").1, 0);
        // The pending text of a guess is not white space.
        let (mut machine, held) = in_value(Declared::Unknown, true, "12");
        let mut records: Vec<Record> = Vec::new();
        run(&mut machine, "</parameter></invoke>", held, &mut records);
        assert!(records.iter().any(|record| (record.start, record.end) == (0, 2)), "{records:?}");
        // More of it may be pending than was read, where the caller passed text itself.
        for (text, held, rest) in [("hello ", 3, "</parameter></in"), ("hello </par", 6, "ameter></in")] {
            let (mut machine, _) = in_value(Declared::Unknown, true, text);
            let mut records: Vec<Record> = Vec::new();
            run(&mut machine, rest, held, &mut records);
            assert!(records.iter().all(|record| record.start == record.end), "{text}: {records:?}");
        }
    }

    #[test]
    fn declarations_are_asked_for_where_they_count() {
        for (asks, text, expected) in [
            (true, "<parameter name='b'>", true),
            (true, "<parameter name='b'/>", false),
            (false, "<parameter name='b'>", false),
        ] {
            let mut machine = NEW;
            machine.settings.asks = asks;
            recorded(&mut machine, "<invoke name='a'>", 0);
            let mut records: Vec<Record> = Vec::new();
            let outcome = run(&mut machine, text, 0, &mut records);
            assert_eq!(outcome.ask.is_some(), expected, "{asks} {text}");
        }
    }

    #[test]
    fn a_tag_that_fails_is_read_again_from_after_its_start() {
        for (front, back, next) in [("<invoke n='b", "<c' <x", 1), ("<", "invoke n='<' <x", 16)] {
            let mut machine = NEW;
            let mut records: Vec<Record> = Vec::new();
            let outcome = run(&mut machine, front, 0, &mut records);
            let held = outcome.next - outcome.held_from;
            assert_eq!(held as usize, front.len());
            let outcome = run(&mut machine, back, held, &mut records);
            assert_eq!(outcome.next, next, "{front}{back}");
            assert!(records.iter().all(|record| record.end <= next), "{front}{back}: {records:?}");
        }
    }

    /// Room for a few records.
    struct Few(Vec<Record>);

    impl Sink for Few {
        fn record(&mut self, record: Record) {
            self.0.push(record);
        }

        fn lacks_room_for(&self, count: usize) -> bool {
            self.0.len() + count > 40
        }
    }

    #[test]
    fn a_call_ends_where_there_is_no_room() {
        let mut few = Few(Vec::new());
        let text = "<thinking>a</thinking>".repeat(50);
        let Outcome { next, .. } = run(&mut NEW.clone(), &text, 0, &mut few);
        assert!(few.0.len() <= 40 && (next as usize) < text.len(), "{} records", few.0.len());
    }
}
