//! The block machine: reads a stretch of text, says by records what happened,
//! and remembers where it stands in a few numbers. No heap, no text.
//!
//! It reads markup by `xml`, decides by the innermost thing that is open, and
//! leaves all text where it is. What is undecided at the end of a stretch is
//! the caller's to keep; the next stretch begins behind it.

use super::elements;
use super::op::{Kind, Op};
use super::stack::Stack;
use super::tags::{NAME, Role, TOOL_USE_ID, TagTable};
use super::value::{Declared, Form, LONGEST_VALUE, Value};
use crate::scan::find_any;
use crate::text::{Ruler, Sink, whitespace_len, whitespace_tail};
use crate::xml::{Entity, Progress, Reading, Recognised, Tag, Tokenizer};

/// Most records that one move of the machine makes.
const RECORDS_A_MOVE: usize = 16;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Each `invoke` is a tool call with its input as JSON.
    Blocks,
    /// Each element is one block of text, as in membrane's `IncrementalXmlParser`.
    Elements,
}

/// What the caller may do with the next chunk without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// Nothing: every chunk has to be read.
    Ask = 0,
    /// A chunk without `<` is content of the open block.
    Text = 1,
    /// A chunk without `<` and `&` is content of the open block.
    Decoded = 2,
    /// A chunk without `<` is more of a JSON string.
    String = 3,
    /// The same, if its last character is ASCII and no white space; what was held goes before it.
    Trimmed = 4,
    /// As `Trimmed`, but it is more JSON text.
    Json = 5,
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

/// How far a stretch was read. Places are UTF-16 code units from the start of
/// what the caller had held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Where to read on; the end of the stretch, unless there was too much for
    /// one call or an earlier place has to be read again.
    pub next: u32,
    /// Where what is held begins; `next` when nothing is.
    pub held_from: u32,
    /// A parameter has begun whose declaration the caller has to look up.
    pub asks_declaration: bool,
}

/// What is open inside the stack's innermost level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    None,
    Invoke,
    Parameter,
    Result { is_error: bool },
}

/// The state of one stream.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    face: Face,
    pub(super) stack: Stack,
    leaf: Leaf,
    pub(super) open: Option<Kind>,
    tag: Tokenizer,
    entity: Entity,
    value: Value,
    has_name: bool,
    has_parameters: bool,
    has_stray: bool,
    trims: bool,
    asks: bool,
    marks: bool,
    /// Bytes looked at, each time that they were; the tests of growth read it.
    #[cfg(not(target_arch = "wasm32"))]
    steps: u64,
}

/// One call's view of its stretch.
pub(super) struct Run<'a, S> {
    input: &'a [u8],
    ruler: Ruler<'a>,
    sink: &'a mut S,
    at: usize,
    /// First unit of content or value that has not gone out.
    pub(super) from: u32,
    /// Units before this one were sent long ago (prefill).
    clip: u32,
    /// Byte of the `<` that is being read, if it is in this stretch.
    tag_byte: Option<usize>,
    reread: Option<u32>,
    asks: bool,
    marks: bool,
}

impl<S: Sink> Run<'_, S> {
    fn here(&mut self) -> u32 {
        self.ruler.at(self.at)
    }

    fn rest(&self) -> &[u8] {
        self.input.get(self.at..).unwrap_or_default()
    }

    pub(super) fn say(&mut self, op: Op, start: u32, end: u32) {
        self.sink.record(op.at(start, end));
    }

    /// Markup or layout, which is told only where spans are wanted.
    pub(super) fn mark(&mut self, start: u32, end: u32) {
        let start = start.max(self.clip);
        if self.marks && start < end {
            self.say(Op::Markup, start, end);
        }
    }
}

impl Machine {
    /// A machine at the start of a stream.
    #[must_use]
    pub const fn new(face: Face) -> Machine {
        Machine {
            face,
            stack: Stack::EMPTY,
            leaf: Leaf::None,
            open: None,
            tag: Tokenizer::REST,
            entity: Entity::REST,
            value: Value::START,
            has_name: false,
            has_parameters: false,
            has_stray: false,
            trims: true,
            asks: false,
            marks: false,
            #[cfg(not(target_arch = "wasm32"))]
            steps: 0,
        }
    }

    /// Whether strings lose white space at their ends; whether parameters'
    /// declarations are asked for; whether markup is told.
    pub fn configure(&mut self, trims: bool, asks: bool, marks: bool) {
        (self.trims, self.asks, self.marks) = (trims, asks, marks);
    }

    /// What the machine is inside of.
    #[must_use]
    pub fn place(&self) -> Place {
        let kind = match (self.face, self.leaf) {
            (Face::Elements, _) => elements::kind(&self.stack),
            (Face::Blocks, Leaf::Invoke | Leaf::Parameter) => Kind::ToolCall,
            (Face::Blocks, Leaf::Result { .. }) => Kind::ToolResult,
            (Face::Blocks, Leaf::None) => self.stack.top(),
        };
        Place {
            kind,
            function_calls: self.stack.count(Kind::ToolCall),
            function_results: self.stack.count(Kind::ToolResult),
            thinking: self.stack.count(Kind::Thinking),
        }
    }

    /// Bytes looked at so far, each time that they were.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn count_steps(&mut self, steps: usize) {
        #[cfg(not(target_arch = "wasm32"))]
        {
            self.steps += steps as u64;
        }
        #[cfg(target_arch = "wasm32")]
        let _ = (self, steps);
    }

    /// Answers `asks_declaration`.
    pub fn declare(&mut self, declared: Declared) {
        self.value.declare(declared);
    }

    /// Reads a stretch of UTF-8 whose first byte stands behind `held` units
    /// that were held. Content before unit `clip` is not told. `is_ascii`
    /// promises that the stretch is ASCII.
    pub fn run<S: Sink>(
        &mut self,
        tags: &TagTable,
        input: &[u8],
        held: u32,
        clip: u32,
        is_ascii: bool,
        sink: &mut S,
    ) -> Outcome {
        let mut run = self.begin(input, held, clip, is_ascii, sink);
        if self.is_in_string_value() && !self.tag.is_reading() && self.value.spaces <= LONGEST_VALUE {
            // The caller may have sent them on together with a chunk that it didn't show.
            self.value.spaces = held;
        }
        while run.at < input.len() {
            if run.asks || run.reread.is_some() || run.sink.lacks_room_for(RECORDS_A_MOVE) {
                break;
            }
            if self.tag.is_reading() {
                self.read_tag(&mut run, tags);
            } else if self.entity.is_reading() {
                self.read_entity(&mut run);
            } else {
                self.content(&mut run, tags);
            }
        }
        self.stop(&mut run)
    }

    /// The end of the stream, `held` units of which were held: what is open is
    /// completed. When a held `<` fails whose inside has to be read again,
    /// `next` is before the end: run from there, then finish again.
    pub fn finish<S: Sink>(&mut self, held: u32, clip: u32, sink: &mut S) -> Outcome {
        let mut run = self.begin(&[], held, clip, true, sink);
        if self.tag.fails_at_end() {
            self.tag_fails(&mut run);
        }
        if run.reread.is_none() {
            self.entity.give_up();
            if self.leaf == Leaf::Parameter {
                self.end_value(&mut run, held, self.value.is_json());
                self.leaf = Leaf::Invoke;
            }
            self.send(&mut run, held);
            self.complete(&mut run, true);
            self.leaf = Leaf::None;
        }
        self.stop(&mut run)
    }

    /// Says which block is open: what was read last was sent before by somebody
    /// else (prefill). A tool call stays open.
    pub fn set_open(&mut self, open: Option<Kind>) {
        if !matches!(self.leaf, Leaf::Invoke | Leaf::Parameter) {
            self.open = open;
        }
    }

    /// Forgets a tag that was being read, and the open block, but not what
    /// encloses them.
    pub fn restart(&mut self) {
        self.tag.give_up();
        self.entity.give_up();
        self.leaf = Leaf::None;
        self.open = None;
    }

    /// Reads a tag to its end, the end of the stretch, or the byte that fails it.
    fn read_tag<S: Sink>(&mut self, run: &mut Run<'_, S>, tags: &TagTable) {
        let words = tags.vocabulary();
        let recognised = self.recognised();
        let is_guess = self.leaf == Leaf::Parameter && self.value.form == Form::Guess;
        let (count, progress) = self.tag.read(&words, recognised, run.rest());
        if is_guess {
            for &byte in run.rest().iter().take(count) {
                self.value.tag_goes_on(byte);
            }
        }
        run.at += count;
        self.count_steps(count + 1);
        match progress {
            Progress::Pending => {}
            Progress::Whole(tag) => {
                run.at += 1;
                self.tag_ends(run, &tag);
            }
            Progress::Failed => self.tag_fails(run),
        }
    }

    /// Reads one byte of a character reference.
    fn read_entity<S: Sink>(&mut self, run: &mut Run<'_, S>) {
        let Some(&byte) = run.rest().first() else { return };
        self.count_steps(1);
        match self.entity.step(byte) {
            Reading::Pending => run.at += 1,
            Reading::Whole(character) => {
                run.at += 1;
                let end = run.here();
                let start = end - self.entity.held();
                self.send(run, start);
                if end > run.clip {
                    self.open_if_closed(run);
                    run.say(Op::Character(character), start.max(run.clip), end);
                    run.from = end;
                }
            }
            Reading::Failed => self.entity.give_up(),
        }
    }

    /// What the caller may do with the next chunk by itself; nothing where it
    /// wants to know each place.
    #[must_use]
    pub fn mode(&self) -> Mode {
        if self.marks || self.tag.is_reading() || self.entity.is_reading() {
            return Mode::Ask;
        }
        match self.leaf {
            Leaf::Invoke => Mode::Ask,
            Leaf::Parameter => match self.value.form {
                Form::Verbatim if self.value.is_quoted => Mode::String,
                Form::String if self.value.is_quoted && !self.trims => Mode::String,
                Form::String if self.value.is_quoted && self.value.spaces <= LONGEST_VALUE => Mode::Trimmed,
                Form::Json if self.value.is_quoted && self.value.spaces <= LONGEST_VALUE => Mode::Json,
                Form::Guess | Form::String | Form::Verbatim | Form::Container | Form::Json => Mode::Ask,
            },
            Leaf::None | Leaf::Result { .. } if self.open.is_none() => Mode::Ask,
            Leaf::None | Leaf::Result { .. } if self.decodes() => Mode::Decoded,
            Leaf::None | Leaf::Result { .. } => Mode::Text,
        }
    }

    fn begin<'a, S: Sink>(&self, input: &'a [u8], held: u32, clip: u32, is_ascii: bool, sink: &'a mut S) -> Run<'a, S> {
        Run {
            input,
            ruler: Ruler::new(input, held, is_ascii),
            sink,
            at: 0,
            from: self.clip(clip),
            clip,
            tag_byte: None,
            reread: None,
            asks: false,
            marks: self.marks,
        }
    }

    /// Where what is told here begins: what is inside a tool call is told whole.
    fn clip(&self, clip: u32) -> u32 {
        if matches!(self.leaf, Leaf::Invoke | Leaf::Parameter) { 0 } else { clip }
    }

    /// Ends a call: sends what is decided and says what is held. `run` isn't moved
    /// here: copying what was just written, in wider pieces, waits for the writes.
    #[inline]
    fn stop<S: Sink>(&mut self, run: &mut Run<'_, S>) -> Outcome {
        if let Some(next) = run.reread {
            return Outcome { next, held_from: next, asks_declaration: false };
        }
        let next = run.here();
        let in_tag = if self.tag.is_reading() {
            self.tag.held()
        } else if self.entity.is_reading() {
            self.entity.held()
        } else {
            0
        };
        let text_end = next - in_tag;
        let held_from = match self.leaf {
            Leaf::Parameter => match self.value.form {
                Form::Guess => run.from,
                Form::String | Form::Json if self.trims => text_end - self.value.held_spaces(),
                Form::String | Form::Json | Form::Verbatim | Form::Container => text_end,
            },
            Leaf::None | Leaf::Invoke | Leaf::Result { .. } => text_end,
        };
        self.send(run, held_from);
        Outcome { next, held_from, asks_declaration: run.asks }
    }

    /// The tags that count here, by role.
    #[must_use]
    pub fn recognised(&self) -> Recognised {
        const EVERYWHERE: u32 = Role::Thinking.bit()
            | Role::FunctionCalls.bit()
            | Role::FunctionResults.bit()
            | Role::Invoke.bit()
            | Role::Parameter.bit();
        const IN_RESULTS: u32 = EVERYWHERE | Role::Result.bit() | Role::Error.bit();
        let (openers, closers) = match self.leaf {
            Leaf::Parameter => (0, Role::Parameter.bit()),
            Leaf::Result { is_error: false } => (0, Role::Result.bit() | Role::FunctionResults.bit()),
            Leaf::Result { is_error: true } => (0, Role::Error.bit() | Role::FunctionResults.bit()),
            Leaf::None if self.face == Face::Blocks && self.stack.top() == Kind::ToolResult => (IN_RESULTS, IN_RESULTS),
            Leaf::None | Leaf::Invoke => (EVERYWHERE, EVERYWHERE),
        };
        Recognised { openers, closers }
    }

    /// Whether entities are decoded here: in tool results.
    fn decodes(&self) -> bool {
        self.face == Face::Blocks
            && match self.leaf {
                Leaf::Result { .. } => true,
                Leaf::None => self.stack.top() == Kind::ToolResult,
                Leaf::Invoke | Leaf::Parameter => false,
            }
    }

    /// Whether white space that comes first here is layout: between the tags
    /// of calls and results.
    fn is_layout(&self) -> bool {
        self.face == Face::Blocks
            && match self.leaf {
                Leaf::Invoke => !self.has_stray,
                Leaf::None => self.open.is_none() && matches!(self.stack.top(), Kind::ToolCall | Kind::ToolResult),
                Leaf::Parameter | Leaf::Result { .. } => false,
            }
    }

    fn is_in_string_value(&self) -> bool {
        self.leaf == Leaf::Parameter && self.trims && matches!(self.value.form, Form::String | Form::Json)
    }

    /// Reads text up to the next byte that may be markup.
    fn content<S: Sink>(&mut self, run: &mut Run<'_, S>, tags: &TagTable) {
        if self.leaf == Leaf::Parameter {
            return self.value_text(run, tags);
        }
        let here = run.here();
        if run.from >= here && self.is_layout() {
            let spaces = run.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if spaces > 0 {
                self.count_steps(spaces);
                run.at += spaces;
                let end = run.here();
                run.mark(here, end);
                run.from = end.max(self.clip(run.clip));
                return;
            }
        }
        if self.decodes() {
            let found = find_any(run.rest(), [b'<', b'&']);
            return self.text_until(run, found);
        }
        let found = find_tag(run.rest(), tags, self.recognised());
        self.text_until(run, found);
    }

    /// Goes to a byte that was found, and begins a tag or a reference there.
    fn text_until<S: Sink>(&mut self, run: &mut Run<'_, S>, found: Option<usize>) {
        let Some(found) = found else {
            self.count_steps(run.rest().len());
            run.at = run.input.len();
            return;
        };
        self.count_steps(found);
        run.at += found;
        if run.rest().first() == Some(&b'&') {
            self.entity.begin();
        } else {
            if self.leaf == Leaf::Parameter {
                self.value.tag_begins();
            }
            self.tag.begin();
            run.tag_byte = Some(run.at);
        }
        run.at += 1;
    }

    /// Reads a parameter's value.
    fn value_text<S: Sink>(&mut self, run: &mut Run<'_, S>, tags: &TagTable) {
        let here = run.here();
        let rest = run.rest();
        match self.value.form {
            Form::Guess | Form::Container if self.value.is_at_start() => {
                let space = whitespace_len(rest);
                let Some(&byte) = rest.first() else { return };
                if byte == b'<' {
                    self.text_until(run, Some(0));
                } else if space > 0 && (self.trims || self.value.form == Form::Container) {
                    run.at += space;
                    run.from = run.here();
                    run.mark(here, run.from);
                } else if self.value.form == Form::Container {
                    self.value.form = if matches!(byte, b'{' | b'[') { Form::Json } else { Form::Guess };
                } else {
                    run.at += self.value.guess_next(rest, self.trims);
                }
            }
            Form::Guess | Form::Container => {
                let mut read = 0;
                while self.value.form == Form::Guess {
                    let text = rest.get(read..).unwrap_or_default();
                    if matches!(text.first(), None | Some(b'<')) {
                        break;
                    }
                    read += self.value.guess_next(text, self.trims);
                }
                self.count_steps(read);
                run.at += read;
                if self.value.form == Form::Guess && run.at < run.input.len() {
                    self.text_until(run, Some(0));
                }
            }
            Form::Verbatim => {
                let found = find_tag(rest, tags, self.recognised());
                self.text_until(run, found);
            }
            Form::String | Form::Json => {
                let found = find_tag(rest, tags, self.recognised());
                let text = rest.get(..found.unwrap_or(rest.len())).unwrap_or_default();
                let len = text.len();
                let tail = whitespace_tail(text);
                if len > 0 {
                    let last = run.at + len;
                    let spaces_from = run.ruler.at(last - tail);
                    let spaces = run.ruler.at(last) - spaces_from;
                    self.value.spaces = if tail == len { self.value.spaces.saturating_add(spaces) } else { spaces };
                    self.count_steps(tail);
                }
                self.text_until(run, found);
            }
        }
    }

    /// What was held since a `<` is no tag.
    fn tag_fails<S: Sink>(&mut self, run: &mut Run<'_, S>) {
        let end = run.here();
        let start = end - self.tag.held();
        let first = end - run.ruler.at(0);
        self.tag.give_up();
        if self.leaf == Leaf::Parameter {
            self.value.tag_failed(self.tag.spaces());
        }
        if !self.tag.has_inner() {
            return;
        }
        // Read what is behind the `<` again: in this stretch, or by the caller.
        if let Some(byte) = run.tag_byte {
            run.at = byte + 1;
        } else if self.tag.held() == first + 1 {
            run.at = 0;
        } else {
            self.send(run, start + 1);
            run.reread = Some(start + 1);
        }
    }

    /// Sends content or value up to `end`.
    fn send<S: Sink>(&mut self, run: &mut Run<'_, S>, end: u32) {
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
                self.has_stray = true;
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

    fn open_if_closed<S: Sink>(&mut self, run: &mut Run<'_, S>) {
        if self.open.is_none() {
            self.start(run, self.place().kind);
        }
    }

    pub(super) fn start<S: Sink>(&mut self, run: &mut Run<'_, S>, kind: Kind) {
        let levels = self.stack.count(Kind::ToolCall).min(u32::from(u16::MAX)) as u16;
        let depth = match self.face {
            Face::Blocks => levels.max(1),
            Face::Elements => levels.max(self.stack.count(Kind::ToolResult).min(u32::from(u16::MAX)) as u16),
        };
        run.say(Op::Start { kind, depth }, run.from, run.from);
        self.open = Some(kind);
    }

    /// Completes the open block. `is_cut`: a tool call whose closer was not seen.
    pub(super) fn complete<S: Sink>(&mut self, run: &mut Run<'_, S>, is_cut: bool) {
        if self.open.take().is_none() {
            return;
        }
        let at = run.from;
        let is_call = self.leaf == Leaf::Invoke;
        if is_call {
            run.say(Op::InputEnd { is_empty: !self.has_parameters }, at, at);
        }
        let is_incomplete = is_call && (is_cut || !self.has_name);
        let is_error = self.leaf == Leaf::Result { is_error: true };
        run.say(Op::Complete { is_incomplete, is_error }, at, at);
    }

    fn tag_ends<S: Sink>(&mut self, run: &mut Run<'_, S>, tag: &Tag) {
        let end = run.here();
        let start = end - tag.len;
        let Some(role) = Role::of_class(tag.class) else { return };
        if self.leaf == Leaf::Parameter {
            self.end_value(run, start, self.value.is_json_at_closer());
            self.leaf = Leaf::Invoke;
        } else {
            self.send(run, start);
        }
        self.has_stray = false;
        run.from = start.max(self.clip(run.clip));
        match self.face {
            Face::Elements => elements::tag(self, run, role, tag),
            Face::Blocks if tag.is_closer => self.closer(run, role),
            Face::Blocks => {
                self.opener(run, role, tag, start);
                if tag.is_empty && (self.leaf == Leaf::Parameter || role != Role::Parameter) {
                    self.close_empty(run, role);
                }
            }
        }
        run.mark(run.from, end);
        run.from = end.max(self.clip(run.clip));
    }

    fn opener<S: Sink>(&mut self, run: &mut Run<'_, S>, role: Role, tag: &Tag, start: u32) {
        let value = |slot: usize| tag.values.get(slot).copied().flatten().map(|(from, to)| (start + from, start + to));
        if role == Role::Parameter {
            if self.leaf == Leaf::Invoke {
                let (from, to) = value(NAME).unwrap_or((run.from, run.from));
                self.mark_around(run, Op::Key { is_first: !self.has_parameters }, from, to);
                self.has_parameters = true;
                self.leaf = Leaf::Parameter;
                self.value = Value::START;
                run.asks = self.asks && !tag.is_empty;
            }
            return;
        }
        self.complete(run, true);
        self.leaf = Leaf::None;
        match role {
            Role::Thinking => {
                self.stack.push(Kind::Thinking);
                self.start(run, Kind::Thinking);
            }
            Role::FunctionCalls => self.stack.push(Kind::ToolCall),
            Role::FunctionResults => self.stack.push(Kind::ToolResult),
            Role::Invoke => {
                self.start(run, Kind::ToolCall);
                self.leaf = Leaf::Invoke;
                self.has_parameters = false;
                // An empty name is none.
                let name = value(NAME).filter(|(from, to)| from < to);
                self.has_name = name.is_some();
                let (from, to) = name.unwrap_or((run.from, run.from));
                self.mark_around(run, Op::Name { is_present: self.has_name }, from, to);
            }
            Role::Result | Role::Error => {
                self.start(run, Kind::ToolResult);
                self.leaf = Leaf::Result { is_error: role == Role::Error };
                if let Some((from, to)) = value(TOOL_USE_ID) {
                    run.say(Op::ResultId, from, to);
                }
            }
            Role::Parameter => {}
        }
    }

    /// Says an op about a place inside a tag, and marks the tag up to its end.
    fn mark_around<S: Sink>(&self, run: &mut Run<'_, S>, op: Op, from: u32, to: u32) {
        run.mark(run.from, from);
        run.say(op, from, to);
        run.from = to;
    }

    fn closer<S: Sink>(&mut self, run: &mut Run<'_, S>, role: Role) {
        match role {
            Role::Thinking => self.close_level(run, Kind::Thinking),
            Role::FunctionCalls => self.close_level(run, Kind::ToolCall),
            Role::FunctionResults => self.close_level(run, Kind::ToolResult),
            Role::Invoke => {
                if self.leaf == Leaf::Invoke {
                    self.complete(run, false);
                    self.leaf = Leaf::None;
                }
            }
            Role::Result | Role::Error => {
                if matches!(self.leaf, Leaf::Result { .. }) {
                    self.complete(run, false);
                    self.leaf = Leaf::None;
                }
            }
            // Its value was ended before; without one it changes nothing.
            Role::Parameter => {}
        }
    }

    /// A self-closing tag: its closer, at once.
    fn close_empty<S: Sink>(&mut self, run: &mut Run<'_, S>, role: Role) {
        if role == Role::Parameter {
            self.value.declare(Declared::String);
            self.end_value(run, run.from, false);
            self.leaf = Leaf::Invoke;
        } else {
            self.closer(run, role);
        }
    }

    fn close_level<S: Sink>(&mut self, run: &mut Run<'_, S>, kind: Kind) {
        if self.stack.count(kind) > 0 {
            self.complete(run, true);
            self.leaf = Leaf::None;
            self.stack.pop(kind);
        }
    }

    /// A parameter's value ends at `end`. `is_json`: what a guess came to.
    fn end_value<S: Sink>(&mut self, run: &mut Run<'_, S>, end: u32, is_json: bool) {
        let spaces = if self.trims { self.value.held_spaces() } else { 0 };
        let first = run.from;
        match self.value.form {
            Form::Guess | Form::Container => {
                let text_end = (end - spaces.min(end)).max(first);
                let op = if is_json { Op::Raw } else { Op::String { is_first: true, is_last: true } };
                run.say(op, first, text_end);
                run.mark(text_end, end);
            }
            Form::String | Form::Verbatim | Form::Json => {
                let text_end = if self.value.form == Form::Verbatim { end } else { end - spaces.min(end) };
                self.send(run, text_end);
                if self.value.form != Form::Json {
                    run.say(Op::String { is_first: !self.value.is_quoted, is_last: true }, text_end, text_end);
                }
                run.mark(text_end, end);
            }
        }
        run.from = end;
    }
}

/// Where the next `<` stands that may begin a tag. Text that is full of others
/// is passed over here, not by the tokenizer.
fn find_tag(text: &[u8], tags: &TagTable, counted: Recognised) -> Option<usize> {
    let mut at = 0;
    loop {
        at += find_any(text.get(at..)?, [b'<'])?;
        if tags.may_begin_with(text.get(at + 1..)?, counted) {
            return Some(at);
        }
        at += 1;
    }
}
