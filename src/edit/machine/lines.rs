//! Lines that are no markers, empty lines, and the end of the stream.

use super::{Fault, Flag, Flow, Line, LineKind, Machine, Mode, Op, Place, Sink, Stretch, find_any};
use crate::edit::op::Side;

impl Machine {
    /// Whether a line of text between edits is read as a name.
    pub(super) fn reads_names(&self) -> bool {
        (self.has(Flag::SearchReplace) || self.has(Flag::Whole)) && self.names.line.is_open()
    }

    /// What a piece of the line is.
    fn op(&mut self, rest: Mode) -> Op {
        match rest {
            Mode::Text if self.reads_names() && self.has(Flag::SearchReplace) => {
                Op::Word { is_first: self.names.begins_word() }
            }
            Mode::Text | Mode::Read => Op::Text,
            Mode::Old => Op::Delta(Side::Old),
            Mode::New => Op::Delta(Side::New),
            Mode::Both => Op::Delta(Side::Both),
            Mode::Skip => Op::Markup,
        }
    }

    /// What was read of a plain line comes out.
    pub(super) fn flush(&mut self, here: u32, sink: &mut impl Sink) {
        if let Line::Plain(rest) = self.line {
            let op = self.op(rest);
            self.record(op, here, sink);
        }
    }

    /// `|text`, up to the line's end or as far as it has come.
    pub(super) fn in_line(&mut self, mode: Mode, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if mode == Mode::Text && self.reads_names() {
            return self.in_name(text, sink);
        }
        let rest = text.rest();
        let waits = self.place == Place::Hunk && mode != Mode::Skip;
        let found = if waits { find_any(rest, [b'\n', b'\r']) } else { find_any(rest, [b'\n']) };
        let Some(at) = found else {
            self.steps.add(rest.len());
            text.pass(rest.len());
            return Flow::Go;
        };
        self.steps.add(at);
        text.pass(at);
        if waits {
            // The line's end waits for the next line.
            self.flush(text.here(), sink);
            let is_return = rest.get(at) == Some(&b'\r');
            text.pass(1);
            let here = text.here();
            if is_return {
                self.line = Line::Return(mode);
                return Flow::Go;
            }
            return self.end_of_hunk_line(here);
        }
        text.pass(1);
        let here = text.here();
        self.flush(here, sink);
        if mode == Mode::Text {
            self.names.end_line();
        }
        self.next_line(here)
    }

    /// A byte of a line that may be a name.
    fn in_name(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let Some(&byte) = text.rest().first() else { return Flow::Stop };
        if byte == b'\n' {
            let here = text.here();
            let kind = self.names.line.at_end();
            self.flush(if self.is_unexpected(kind) { here } else { here + 1 }, sink);
            self.check_kind(kind, sink);
            self.flush(here + 1, sink);
            self.names.end_line();
            return self.next_line(here + 1);
        }
        let mut after = self.names.line;
        after.step(byte);
        if after.is_other() && self.is_unexpected(LineKind::Other) {
            self.flush(text.here(), sink);
            self.check_kind(LineKind::Other, sink);
        }
        self.names.line = after;
        text.pass(1);
        Flow::Go
    }

    /// Whether a line of text may not be there, in a text that is a patch.
    fn is_unexpected(&self, kind: LineKind) -> bool {
        self.has(Flag::Whole)
            && match kind {
                LineKind::Blank | LineKind::Fence => false,
                LineKind::Name { .. } => !self.has(Flag::SearchReplace),
                LineKind::Other => true,
            }
    }

    /// What the line is, at its end or where it can be nothing else.
    fn check_kind(&mut self, kind: LineKind, sink: &mut impl Sink) {
        if self.is_unexpected(kind) {
            sink.record(Op::Fault(Fault::UnexpectedText).at(self.mark, self.mark));
        } else if let LineKind::Name { start, end } = kind
            && self.has(Flag::SearchReplace)
        {
            sink.record(Op::Named { start, end }.at(self.mark, self.mark));
        }
    }

    /// What was to be the header of a diff is a line of text, up to a unit.
    pub(super) fn text_line(&mut self, end: u32, sink: &mut impl Sink) {
        self.check_kind(LineKind::Other, sink);
        self.names.forget();
        self.record(Op::Text, end, sink);
    }

    /// An empty line, which ends at a unit.
    pub(super) fn empty_line(&mut self, end: u32, sink: &mut impl Sink) -> Flow {
        match self.place {
            Place::Prose => self.record(Op::Text, end, sink),
            Place::Patch | Place::Spoiled | Place::Deleted | Place::Diff => self.record(Op::Markup, end, sink),
            Place::Updated => return self.settle_update(sink),
            Place::Hunk if self.open.missing == Some((0, 0)) => {
                self.end_hunk(sink);
                self.place = Place::Diff;
                self.record(Op::Markup, end, sink);
            }
            Place::Added | Place::Update | Place::Hunk => {
                self.blanks.count += 1;
                return self.again(end);
            }
            Place::Search | Place::Replace | Place::SpoiledBlock | Place::OldFile(_) => {
                return self.no_marker(end.saturating_sub(1), sink);
            }
        }
        self.next_line(end)
    }

    /// The empty lines before the line are context.
    pub(super) fn keep_blanks(&mut self, sink: &mut impl Sink) {
        let blanks = std::mem::take(&mut self.blanks.count);
        self.count_lines(Side::Both, blanks);
        self.record(Op::Delta(Side::Both), self.begin, sink);
    }

    /// The last line has no end.
    pub(super) fn last_line(&mut self, held: u32, sink: &mut impl Sink) -> Flow {
        if self.begin >= held && !matches!(self.line, Line::Plain(_)) {
            return Flow::Stop;
        }
        match self.line {
            Line::Marker { .. } => self.end_of_line(held, held, sink),
            Line::After { marker, .. } | Line::Argument(marker) => self.marker(marker, held, sink),
            Line::Plain(rest) => {
                self.flush(held, sink);
                if rest == Mode::Text {
                    let was_open = self.names.line.is_open();
                    let kind = self.names.end_line();
                    if was_open {
                        self.check_kind(kind, sink);
                    }
                }
                Flow::Stop
            }
            Line::Return(rest) => {
                self.line = Line::Plain(rest);
                self.flush(held, sink);
                Flow::Stop
            }
        }
    }

    /// The stream ends between two lines, or in one that is read.
    pub(super) fn end(&mut self, held: u32, sink: &mut impl Sink) -> Flow {
        let mut fault = None;
        match self.place {
            Place::Prose | Place::SpoiledBlock => {}
            Place::Spoiled if self.is_bare() => {}
            Place::OldFile(home) => return self.no_new_file(home, sink),
            Place::Added | Place::Update if self.is_bare() => {
                self.end_file(sink);
            }
            Place::Updated => {
                self.settle_update(sink);
                fault = Some(Fault::Unterminated);
            }
            Place::Patch
            | Place::Spoiled
            | Place::Added
            | Place::Deleted
            | Place::Update
            | Place::Search
            | Place::Replace => {
                fault = Some(Fault::Unterminated);
            }
            Place::Diff if self.open.has_hunks => sink.record(Op::FileDone.at(held, held)),
            Place::Diff => fault = Some(Fault::Unterminated),
            Place::Hunk => {
                self.line_end(sink);
                let is_reached = self.open.missing == Some((0, 0));
                let op = if self.open.is_open { Op::Last(is_reached) } else { Op::Fault(Fault::Unterminated) };
                sink.record(op.at(self.mark, self.mark));
            }
        }
        self.record(Op::Markup, held, sink);
        if let Some(fault) = fault {
            sink.record(Op::Fault(fault).at(held, held));
        }
        self.place = Place::Prose;
        self.begin = held;
        self.line = super::START;
        Flow::At(held)
    }
}
