//! Unified diffs: `--- a`, `+++ b`, `@@ -1,2 +1,3 @@`.

use super::{Argument, Fault, Flow, Header, Home, Lead, Line, Machine, Mode, Op, Open, Place, Sink};
use crate::edit::op::{FileOp, Format, Side};

impl Machine {
    /// `--- a`, which ends at a unit: a header, if `+++ b` follows.
    pub(super) fn old_file(&mut self, home: Home, end: u32, sink: &mut impl Sink) -> Flow {
        if self.argument.from.is_none() {
            return self.no_marker(end, sink);
        }
        self.header = Header { begin: self.begin, argument: self.argument };
        self.place = Place::OldFile(home);
        self.again(end)
    }

    /// `+++ b`, which ends at a unit.
    pub(super) fn new_file(&mut self, home: Home, end: u32, sink: &mut impl Sink) -> Flow {
        let (old, new) = (self.header.argument, self.argument);
        let (Some(from), Some(to)) = (old.place(), new.place()) else { return self.no_new_file(home, sink) };
        if home == Home::Hunk {
            self.end_hunk(sink);
        }
        if home != Home::Prose {
            self.end_diff_file(sink);
        }
        // Text that a block's file was waiting in.
        sink.record(Op::FileDone.at(self.mark, self.mark));
        self.record(Op::Markup, self.header.begin, sink);
        self.open = Open::NONE;
        self.names.forget();
        let has_folders = |argument: Argument, letter| argument.is_null() || argument.lead == Lead::Folder(letter);
        let drops = if has_folders(old, b'a') && has_folders(new, b'b') { 2 } else { 0 };
        let path = |(from, to): (u32, u32)| (from + drops, to);
        let paths = match (old.is_null(), new.is_null()) {
            (true, true) => None,
            (true, false) => Some((FileOp::Add, path(to), path(to))),
            (false, true) => Some((FileOp::Delete, path(from), path(from))),
            (false, false) => Some((FileOp::Update, path(from), path(to))),
        };
        match paths.filter(|(_, from, to)| from.1 > from.0 && to.1 > to.0) {
            Some((op, from, to)) => {
                sink.record(Op::Path.at(from.0, from.1));
                sink.record(Op::MoveTo.at(to.0, to.1));
                sink.record(Op::File { op, format: Format::Unified }.at(self.mark, self.mark));
                self.record(Op::Markup, end, sink);
                self.place = Place::Diff;
            }
            None => {
                self.record(Op::Fault(Fault::MissingPath), end, sink);
                self.place = Place::Prose;
            }
        }
        self.next_line(end)
    }

    /// What stands after `--- a` isn't `+++ b`, so that wasn't a header.
    pub(super) fn no_new_file(&mut self, home: Home, sink: &mut impl Sink) -> Flow {
        let (header, begin) = (self.header.begin, self.begin);
        match home {
            Home::Hunk => {
                self.place = Place::Hunk;
                self.is_line = true;
                self.again(header)
            }
            Home::Diff => {
                self.begin = header;
                self.end_of_diff(header, sink)
            }
            Home::Prose => {
                self.place = Place::Prose;
                self.text_line(begin, sink);
                self.next_line(begin)
            }
        }
    }

    /// `@@ -1,2 +1,3 @@ f`, which ends at a unit.
    pub(super) fn diff_section(&mut self, end: u32, sink: &mut impl Sink) {
        if self.place == Place::Hunk {
            self.end_hunk(sink);
        }
        self.record(Op::Markup, self.begin, sink);
        sink.record(Op::Section.at(self.begin, self.begin));
        let range = self.range;
        if range.is_range() {
            for nth in 0..4 {
                if let Some((from, to)) = range.place(nth) {
                    sink.record(Op::Range(nth).at(from, to));
                }
            }
        }
        if let Some((from, to)) = self.argument.place().filter(|_| range.has_context()) {
            sink.record(Op::Context.at(from, to));
        }
        sink.record(Op::Hunk.at(self.begin, self.begin));
        self.record(Op::Markup, end, sink);
        self.open = Open { has_hunks: true, missing: range.is_range().then(|| range.lines()), ..Open::NONE };
        self.place = Place::Hunk;
    }

    /// A line of a hunk that is no header.
    pub(super) fn hunk_line(&mut self, sink: &mut impl Sink) -> Flow {
        let side = match self.first {
            b' ' => Side::Both,
            b'-' => Side::Old,
            b'+' => Side::New,
            // It is about the line before it, whose end isn't text.
            b'\\' if self.blanks.count == 0 && self.open.is_open => {
                self.record(Op::Markup, self.begin, sink);
                self.line = Line::Plain(Mode::Skip);
                return Flow::At(self.mark);
            }
            _ => {
                self.end_hunk(sink);
                return self.end_of_diff(self.begin, sink);
            }
        };
        self.is_line = false;
        self.line_end(sink);
        self.keep_blanks(sink);
        self.open.is_open = true;
        self.count_lines(side, 1);
        self.content(side, sink)
    }

    /// So many lines of the hunk are there.
    pub(super) fn count_lines(&mut self, side: Side, lines: u32) {
        if let Some((old, new)) = &mut self.open.missing {
            *old = old.saturating_sub(if side == Side::New { 0 } else { lines });
            *new = new.saturating_sub(if side == Side::Old { 0 } else { lines });
        }
    }

    /// The end of the last line is text, since no `\` followed it.
    pub(super) fn line_end(&mut self, sink: &mut impl Sink) {
        self.record(Op::Delta(self.open.side), self.blanks.begin, sink);
    }

    /// A line of a hunk has ended before a unit; its end waits.
    pub(super) fn end_of_hunk_line(&mut self, here: u32) -> Flow {
        self.blanks.begin = here;
        self.again(here)
    }

    /// `text\r|`
    pub(super) fn after_return(&mut self, rest: Mode, byte: u8, here: u32) -> Flow {
        if byte == b'\n' {
            return self.end_of_hunk_line(here + 1);
        }
        self.line = Line::Plain(rest);
        Flow::At(here)
    }

    /// The hunk ends before its empty lines.
    pub(super) fn end_hunk(&mut self, sink: &mut impl Sink) {
        self.line_end(sink);
        let op = if self.open.is_open { Op::HunkDone(false) } else { Op::Fault(Fault::EmptyUpdate) };
        sink.record(op.at(self.mark, self.mark));
        self.open.is_open = false;
    }

    fn end_diff_file(&mut self, sink: &mut impl Sink) {
        if !self.open.has_hunks {
            sink.record(Op::Fault(Fault::EmptyUpdate).at(self.mark, self.mark));
        }
        sink.record(Op::FileDone.at(self.mark, self.mark));
    }

    /// The line that begins at a unit is no part of the diff.
    pub(super) fn end_of_diff(&mut self, begin: u32, sink: &mut impl Sink) -> Flow {
        self.end_diff_file(sink);
        self.record(Op::Markup, begin, sink);
        self.open = Open::NONE;
        self.place = Place::Prose;
        self.is_line = false;
        self.names.forget();
        self.next_line(begin)
    }
}
