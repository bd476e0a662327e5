//! Reads edits line by line.
//!
//! ```text
//! text   ::= (line | patch | block | diff)*
//! patch  ::= '*** Begin Patch' file* '*** End Patch'
//! file   ::= '*** Add File: ' path ('+' line)*
//!          | '*** Delete File: ' path
//!          | '*** Update File: ' path ['*** Move to: ' path] hunk*
//! hunk   ::= ('@@' [' ' context])* ((' ' | '+' | '-') line | empty)* ['*** End of File']
//! block  ::= '<<<<<<< SEARCH' line* '=======' line* '>>>>>>> REPLACE'
//! diff   ::= '--- ' path '+++ ' path ('@@' range line*)*
//! ```
//!
//! The markers of a patch may be decorated: `decorated`, in `marker.rs`.
//!
//! The first bytes of a line decide what it is, and only they are pending:
//!
//! ```text
//! |*** Upd    |    a literal may follow: `Line::Marker`
//! |=======    |    it is whole, and white space may follow: `Line::After`
//! |*** Update File: a|    up to the line's end: `Line::Argument`
//! |-old te    |    it is no marker: `Line::Plain`, which comes out as it is
//! ```
//!
//! A line that is no marker is read again from its start, or from its sign on: at most a header's length.
//!
//! Source: spec/edits.md; facts/args-and-edits.md for how the readers of agents do it.

mod diff;
mod lines;
mod patch;

use super::LONGEST_HEADER;
use super::marker::{MARKERS, Marker, STARS, decorated, marker_of, run_of};
use super::name::{LineKind, Names};
use super::op::{Fault, Flag, Mode, Op, Side};
use super::range::Range;
use crate::scan::{Prefix, find_any, is_space};
use crate::text::flow::{Flow, Halt, read};
use crate::text::{Nothing, Outcome, Sink, Steps, Stretch};

/// Most white space around a marker.
const LONGEST_SPACE: u8 = 64;

/// Most records of a move.
const ROOM: usize = 16;

/// What the line is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Place {
    /// Text between edits.
    Prose,
    /// A patch, before its first file.
    Patch,
    /// What is spoiled of a patch, up to the next header.
    Spoiled,
    /// The lines of a new file.
    Added,
    /// After the header of a file that goes.
    Deleted,
    /// After the header of an update: its next line may move the file.
    Updated,
    /// The hunks of an update.
    Update,
    /// The old text of a block.
    Search,
    /// Its new text.
    Replace,
    /// A block that is spoiled.
    SpoiledBlock,
    /// After `--- a`, which stands in something.
    OldFile(Home),
    /// In a diff, where a hunk may begin.
    Diff,
    /// In a hunk of a diff.
    Hunk,
}

/// What the header of a diff stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Home {
    Prose,
    Diff,
    Hunk,
}

/// How far the line is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Line {
    /// It may be a marker.
    Marker { prefix: Prefix, spaces: u8 },
    /// It is one, if nothing else follows.
    After { marker: Marker, spaces: u8 },
    /// It is one, and this is what it takes.
    Argument(Marker),
    /// It is something else: what the rest of it is.
    Plain(Mode),
    /// The same in a hunk of a diff, after a `\r`.
    Return(Mode),
}

const START: Line = Line::Marker { prefix: MARKERS.start(), spaces: 0 };

/// What an argument is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Lead {
    /// So many bytes of `/dev/null`.
    Null(u8),
    /// `a` or `b`
    Letter(u8),
    /// `a/` or `b/`
    Folder(u8),
    /// Anything else.
    Other,
}

const NULL: &[u8] = b"/dev/null";

/// The argument of a header: where its text stands.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Argument {
    from: Option<u32>,
    to: u32,
    lead: Lead,
    /// Whether a tab has ended it.
    is_cut: bool,
}

impl Argument {
    const NONE: Argument = Argument { from: None, to: 0, lead: Lead::Null(0), is_cut: false };

    fn place(&self) -> Option<(u32, u32)> {
        self.from.map(|from| (from, self.to))
    }

    fn is_null(&self) -> bool {
        self.lead == Lead::Null(NULL.len() as u8)
    }

    fn release(&mut self, units: u32) {
        self.from = self.from.map(|from| from.saturating_sub(units));
        self.to = self.to.saturating_sub(units);
    }
}

impl Lead {
    fn step(self, byte: u8) -> Lead {
        match (self, byte) {
            (Lead::Null(0), b'a' | b'b') => Lead::Letter(byte),
            (Lead::Null(count), _) if NULL.get(usize::from(count)) == Some(&byte) => Lead::Null(count + 1),
            (Lead::Letter(letter), b'/') => Lead::Folder(letter),
            (Lead::Folder(letter), _) => Lead::Folder(letter),
            (Lead::Null(_) | Lead::Letter(_) | Lead::Other, _) => Lead::Other,
        }
    }
}

/// The hunk and the file that are open.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Open {
    /// Whether a hunk is.
    is_open: bool,
    /// Whether there is a header of a hunk that has no lines yet.
    has_section: bool,
    /// Whether the file has had a hunk.
    has_hunks: bool,
    is_move: bool,
    /// What the last line was.
    side: Side,
    /// Of a diff: the lines that its header counts, as far as they are missing.
    missing: Option<(u32, u32)>,
}

impl Open {
    const NONE: Open =
        Open { is_open: false, has_section: false, has_hunks: false, is_move: false, side: Side::Both, missing: None };
}

/// The header that waits for its next line.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Header {
    begin: u32,
    argument: Argument,
}

/// The empty lines before the line: where they begin, and how many they are.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Blanks {
    begin: u32,
    count: u32,
}

/// Reads a stream of edits. Places are units from the start of the pending text.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Machine {
    flags: u32,
    place: Place,
    line: Line,
    /// Where the text begins that has no record yet.
    mark: u32,
    /// Where the line begins.
    begin: u32,
    blanks: Blanks,
    /// The line's first byte.
    first: u8,
    /// Whether the line is read again, and is no header of a file.
    is_line: bool,
    argument: Argument,
    range: Range,
    header: Header,
    open: Open,
    /// The length of a block's markers.
    run: u8,
    names: Names,
    steps: Steps,
}

impl Machine {
    /// At the start of a stream, by the bits of [`Flag`].
    #[must_use]
    pub const fn new(flags: u32) -> Machine {
        let place = if flags & Flag::BareUpdate as u32 != 0 {
            Place::Update
        } else if flags & Flag::BareAdd as u32 != 0 {
            Place::Added
        } else {
            Place::Prose
        };
        Machine {
            flags,
            place,
            line: START,
            mark: 0,
            begin: 0,
            blanks: Blanks { begin: 0, count: 0 },
            first: 0,
            is_line: false,
            argument: Argument::NONE,
            range: Range::START,
            header: Header { begin: 0, argument: Argument::NONE },
            open: Open::NONE,
            run: 0,
            names: Names::of(flags & Flag::HasPath as u32 != 0),
            steps: Steps::NONE,
        }
    }

    fn has(&self, flag: Flag) -> bool {
        self.flags & flag as u32 != 0
    }

    /// Whether the text is the lines of one file alone.
    fn is_bare(&self) -> bool {
        self.has(Flag::BareUpdate) || self.has(Flag::BareAdd)
    }

    /// The markers that may stand in the line, a bit each.
    fn allowed(&self) -> u32 {
        match self.place {
            Place::Prose => {
                let of = |flag: Flag, markers: u32| if self.has(flag) { markers } else { 0 };
                of(Flag::V4a, Marker::BeginPatch.bit())
                    | of(Flag::SearchReplace, Marker::Search.bit() | Marker::Replace.bit())
                    | of(Flag::Unified, Marker::OldFile.bit())
            }
            Place::Update if self.is_bare() => Marker::Section.bit() | Marker::EndOfFile.bit(),
            Place::Added | Place::Spoiled if self.is_bare() => 0,
            Place::Patch | Place::Spoiled | Place::Added | Place::Deleted => STARS,
            Place::Updated => Marker::MoveTo.bit(),
            Place::Update => STARS | Marker::Section.bit(),
            Place::Search | Place::Replace => Marker::Search.bit() | Marker::Separator.bit() | Marker::Replace.bit(),
            Place::SpoiledBlock => Marker::Replace.bit(),
            Place::OldFile(_) => Marker::NewFile.bit(),
            Place::Diff => Marker::Section.bit() | Marker::OldFile.bit(),
            Place::Hunk if self.is_line || self.open.missing.is_some_and(|(old, _)| old > 0) => Marker::Section.bit(),
            Place::Hunk => Marker::Section.bit() | Marker::OldFile.bit(),
        }
    }

    /// The marker that was read whole, if it counts where the line stands: those inside a block have its length.
    fn whole(&mut self, prefix: Prefix) -> Option<Marker> {
        let marker = marker_of(prefix)?;
        let run = run_of(marker, prefix.depth());
        let counts = match (self.place, marker) {
            (Place::Search | Place::Replace, Marker::Separator | Marker::Replace) => run == self.run,
            (Place::SpoiledBlock, _) => run == self.run,
            (Place::Prose, Marker::Search) => {
                self.run = run;
                true
            }
            _ => true,
        };
        counts.then_some(marker)
    }

    /// Whether a byte may stand before a marker, or in an empty line.
    fn pads(&self, byte: u8, spaces: u8) -> bool {
        match self.place {
            Place::Prose if self.has(Flag::V4a) => is_space(byte) && spaces < LONGEST_SPACE,
            Place::Patch | Place::Spoiled | Place::Added | Place::Deleted | Place::Updated | Place::Update => {
                is_space(byte) && spaces < LONGEST_SPACE
            }
            Place::Diff | Place::Hunk => byte == b'\r' && spaces == 0,
            Place::Prose | Place::Search | Place::Replace | Place::SpoiledBlock | Place::OldFile(_) => false,
        }
    }

    fn advance(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let Some(&byte) = text.rest().first() else { return Flow::Stop };
        self.steps.add(1);
        let here = text.here();
        let moved = match self.line {
            Line::Marker { prefix, spaces } => self.may_be_marker(byte, here, (prefix, spaces), sink),
            Line::After { marker, spaces } => self.after_marker(byte, here, (marker, spaces), sink),
            Line::Argument(marker) => {
                let moved = self.in_argument(byte, here, marker, sink);
                // `a.py ***`: stars after a space are part of a path if more of it follows.
                let is_apart = self.argument.place().is_some_and(|(from, to)| from < to && to < here);
                let is_path = !(is_space(byte) || is_apart && decorated::ends(marker, byte) && byte == b'*');
                if matches!(moved, Flow::Go) && is_path && !self.argument.is_cut {
                    text.pass(1);
                    self.argument.to = text.here();
                    return Flow::Go;
                }
                moved
            }
            Line::Plain(rest) => return self.in_line(rest, text, sink),
            Line::Return(rest) => self.after_return(rest, byte, here),
        };
        if matches!(moved, Flow::Go) {
            text.pass(1);
        }
        moved
    }

    /// `|***`, `  ***|`
    fn may_be_marker(&mut self, byte: u8, here: u32, at: (Prefix, u8), sink: &mut impl Sink) -> Flow {
        let (prefix, spaces) = at;
        let is_at_start = prefix == MARKERS.start();
        if is_at_start && spaces == 0 {
            self.first = byte;
        }
        if byte == b'\n' {
            return self.end_of_line(here, here + 1, sink);
        }
        if is_at_start && self.pads(byte, spaces) {
            self.line = Line::Marker { prefix, spaces: spaces + 1 };
            return Flow::Go;
        }
        let room = here.saturating_sub(self.begin) < u32::from(LONGEST_SPACE);
        let next = match decorated::start(prefix, byte, self.place != Place::Prose || self.has(Flag::Whole)) {
            Some(next) if room => next,
            _ => MARKERS.step(prefix, byte),
        };
        // Only those of a patch may have white space before them.
        let allowed = if spaces == 0 { self.allowed() } else { self.allowed() & STARS };
        if MARKERS.has_class(next, allowed) {
            self.line = Line::Marker { prefix: next, spaces };
            return Flow::Go;
        }
        match self.whole(prefix) {
            Some(marker) if marker.takes_argument() && (marker != Marker::Section || is_space(byte)) => {
                self.line = Line::Argument(marker);
                self.argument = Argument::NONE;
                self.range = Range::START;
                // The byte is read again, as what it takes.
                Flow::At(here)
            }
            // What follows decides whether it is one.
            Some(marker) => {
                self.line = Line::After { marker, spaces };
                Flow::At(here)
            }
            None => self.no_marker(here, sink),
        }
    }

    /// `=======|`
    fn after_marker(&mut self, byte: u8, here: u32, at: (Marker, u8), sink: &mut impl Sink) -> Flow {
        let (marker, spaces) = at;
        if byte == b'\n' {
            return self.marker(marker, here + 1, sink);
        }
        if (is_space(byte) || decorated::ends(marker, byte)) && spaces < LONGEST_SPACE {
            self.line = Line::After { marker, spaces: spaces + 1 };
            return Flow::Go;
        }
        self.no_marker(here, sink)
    }

    /// `*** Update File: a|`. Where it goes on, the place after the byte is the argument's end, unless it is white space.
    fn in_argument(&mut self, byte: u8, here: u32, marker: Marker, sink: &mut impl Sink) -> Flow {
        if byte == b'\n' {
            return self.marker(marker, here + 1, sink);
        }
        if here.saturating_sub(self.begin) >= LONGEST_HEADER {
            return self.too_long(marker, sink);
        }
        let is_in_diff = matches!(self.place, Place::Diff | Place::Hunk);
        let closes = marker == Marker::Section && is_in_diff && self.range.step(byte, here);
        if closes {
            // What comes after it is the context.
            self.argument = Argument::NONE;
        } else if is_space(byte) {
            let ends = byte == b'\t' && matches!(marker, Marker::OldFile | Marker::NewFile);
            self.argument.is_cut |= ends && self.argument.from.is_some();
        } else if !self.argument.is_cut {
            self.argument.from.get_or_insert(here);
            self.argument.lead = self.argument.lead.step(byte);
        }
        Flow::Go
    }

    /// The end of a line that may be a marker, or is empty.
    fn end_of_line(&mut self, here: u32, next: u32, sink: &mut impl Sink) -> Flow {
        let Line::Marker { prefix, spaces } = self.line else { return Flow::Go };
        if prefix == MARKERS.start() {
            let is_empty = spaces == 0 || spaces == 1 && self.first == b'\r';
            return if is_empty || self.place == Place::Prose {
                self.empty_line(next, sink)
            } else {
                self.no_marker(here, sink)
            };
        }
        match self.whole(prefix) {
            Some(marker) => {
                self.argument = Argument::NONE;
                self.range = Range::START;
                self.marker(marker, next, sink)
            }
            None => self.no_marker(here, sink),
        }
    }

    /// The line is a marker, and ends at a unit.
    fn marker(&mut self, marker: Marker, end: u32, sink: &mut impl Sink) -> Flow {
        match (self.place, marker) {
            (Place::Prose, Marker::BeginPatch) => {
                sink.record(Op::FileDone.at(self.mark, self.mark));
                self.record(Op::Markup, end, sink);
                self.place = Place::Patch;
            }
            (Place::Prose, Marker::Search | Marker::Replace)
            | (Place::Search | Place::Replace | Place::SpoiledBlock, _) => self.block_marker(marker, end, sink),
            (Place::OldFile(home), _) => return self.new_file(home, end, sink),
            (Place::Prose, Marker::OldFile) => return self.old_file(Home::Prose, end, sink),
            (Place::Diff, Marker::OldFile) => return self.old_file(Home::Diff, end, sink),
            (Place::Hunk, Marker::OldFile) => return self.old_file(Home::Hunk, end, sink),
            (Place::Diff | Place::Hunk, _) => self.diff_section(end, sink),
            (Place::Updated, _) => return self.move_to(end, sink),
            (Place::Prose | Place::Patch | Place::Spoiled | Place::Added | Place::Deleted | Place::Update, _) => {
                return self.patch_marker(marker, end, sink);
            }
        }
        self.next_line(end)
    }

    /// A block's marker.
    fn block_marker(&mut self, marker: Marker, end: u32, sink: &mut impl Sink) {
        let (op, place) = match (self.place, marker) {
            (Place::Search, Marker::Separator) => (Op::Markup, Place::Replace),
            (Place::Search, Marker::Replace) => (Op::Fault(Fault::MissingSeparator), Place::Prose),
            (Place::Replace, Marker::Separator) => (Op::Fault(Fault::AmbiguousSeparator), Place::SpoiledBlock),
            (Place::Replace, Marker::Replace) => {
                sink.record(Op::HunkDone(false).at(self.mark, self.mark));
                (Op::Markup, Place::Prose)
            }
            (Place::Search | Place::Replace, _) => (Op::Fault(Fault::MarkerInContent), Place::SpoiledBlock),
            (Place::SpoiledBlock, _) => (Op::Markup, Place::Prose),
            (_, Marker::Replace) => (Op::Fault(Fault::StrayMarker), Place::Prose),
            _ if !self.names.has_any() => (Op::Fault(Fault::MissingPath), Place::SpoiledBlock),
            _ => {
                sink.record(Op::Block(self.names.take_found()).at(self.mark, self.mark));
                sink.record(Op::Section.at(self.mark, self.mark));
                sink.record(Op::Hunk.at(self.mark, self.mark));
                (Op::Markup, Place::Search)
            }
        };
        self.record(op, end, sink);
        self.place = place;
        self.names.forget();
    }

    /// The line is no marker.
    fn no_marker(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        let rest = match self.place {
            Place::Prose => Mode::Text,
            Place::Search => Mode::Old,
            Place::Replace => Mode::New,
            Place::SpoiledBlock | Place::Spoiled => Mode::Skip,
            Place::OldFile(home) => return self.no_new_file(home, sink),
            Place::Diff => return self.end_of_diff(self.begin, sink),
            Place::Hunk => return self.hunk_line(sink),
            Place::Patch | Place::Added | Place::Deleted | Place::Updated | Place::Update => {
                return self.patch_line(here, sink);
            }
        };
        self.line = Line::Plain(rest);
        // Names are looked for from the line's start on.
        Flow::At(if self.place == Place::Prose { self.begin } else { here })
    }

    /// A header or a hunk's header is too long.
    fn too_long(&mut self, marker: Marker, sink: &mut impl Sink) -> Flow {
        match (self.place, marker) {
            (Place::OldFile(home), _) => self.no_new_file(home, sink),
            (Place::Diff | Place::Hunk, Marker::Section) => {
                if self.place == Place::Hunk {
                    self.end_hunk(sink);
                }
                self.spoil(Fault::PathTooLong, Place::Prose, sink);
                sink.record(Op::FileDone.at(self.mark, self.mark));
                Flow::At(self.mark)
            }
            (Place::Diff, _) => self.end_of_diff(self.begin, sink),
            (Place::Hunk, _) => {
                self.is_line = true;
                self.again(self.begin)
            }
            (Place::Prose, _) => {
                self.line = Line::Plain(Mode::Text);
                Flow::At(self.begin)
            }
            _ => {
                if marker != Marker::Section {
                    self.end_file(sink);
                }
                self.spoil(Fault::PathTooLong, Place::Spoiled, sink);
                Flow::At(self.mark)
            }
        }
    }

    /// The file is spoiled by the line that begins here, which is passed over.
    fn spoil(&mut self, fault: Fault, place: Place, sink: &mut impl Sink) {
        self.record(Op::Markup, self.begin, sink);
        sink.record(Op::Fault(fault).at(self.mark, self.mark));
        self.open = Open::NONE;
        self.place = place;
        self.line = Line::Plain(Mode::Skip);
    }

    /// Records the text that has no record yet, up to a unit.
    fn record(&mut self, op: Op, end: u32, sink: &mut impl Sink) {
        if end > self.mark {
            sink.record(op.at(self.mark, end));
            self.mark = end;
        }
    }

    /// At the start of a line; what comes before it has its records.
    fn next_line(&mut self, begin: u32) -> Flow {
        self.mark = begin;
        self.blanks = Blanks { begin, count: 0 };
        self.again(begin)
    }

    /// At the start of a line, perhaps again.
    fn again(&mut self, begin: u32) -> Flow {
        self.begin = begin;
        self.line = START;
        self.first = 0;
        Flow::At(begin)
    }

    fn release(&mut self, units: u32) {
        for place in [&mut self.mark, &mut self.begin, &mut self.blanks.begin, &mut self.header.begin] {
            *place = place.saturating_sub(units);
        }
        self.argument.release(units);
        self.header.argument.release(units);
        self.range.release(units);
    }
}

impl crate::text::Machine for Machine {
    type Ask = Nothing;
    type Answer = Nothing;
    type Mode = Mode;
    type Table = ();

    fn run(&mut self, (): &(), text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Nothing> {
        let Halt { next, .. } = read(text, sink, ROOM, |text, sink| self.advance(text, sink));
        let here = text.here();
        let next = next.unwrap_or(here);
        if next == here {
            self.flush(here, sink);
        }
        let held_from = self.mark.min(next);
        self.release(held_from);
        Outcome::new(next, held_from)
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Nothing> {
        let moved = self.last_line(held, sink);
        let next = match moved {
            Flow::At(unit) if unit < held => unit,
            Flow::At(_) | Flow::Go | Flow::Stop | Flow::Wait => {
                self.flush(held, sink);
                match self.end(held, sink) {
                    Flow::At(unit) => unit.min(held),
                    Flow::Go | Flow::Stop | Flow::Wait => held,
                }
            }
        };
        let held_from = self.mark.min(next);
        self.release(held_from);
        Outcome::new(next, held_from)
    }

    fn answer(&mut self, _: Nothing) {}

    fn mode(&self) -> Mode {
        match self.line {
            Line::Plain(rest) if rest != Mode::Text || !self.reads_names() => rest,
            Line::Plain(_) | Line::Marker { .. } | Line::After { .. } | Line::Argument(_) | Line::Return(_) => {
                Mode::Read
            }
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn steps(&self) -> u64 {
        self.steps.made()
    }
}
