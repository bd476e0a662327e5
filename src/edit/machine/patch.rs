//! V4A: `*** Begin Patch`.

use super::{Fault, Flow, Header, Line, Machine, Marker, Mode, Op, Open, Place, Sink};
use crate::edit::op::{FileOp, Format, Side};

impl Machine {
    /// A marker of a patch, which ends at a unit.
    pub(super) fn patch_marker(&mut self, marker: Marker, end: u32, sink: &mut impl Sink) -> Flow {
        match marker {
            Marker::AddFile | Marker::DeleteFile | Marker::UpdateFile => {
                self.end_file(sink);
                return self.header(marker, end, sink);
            }
            Marker::EndPatch => {
                self.end_file(sink);
                self.record(Op::Markup, end, sink);
                self.place = Place::Prose;
                self.names.forget();
            }
            Marker::EndOfFile if self.open.is_open => {
                self.end_patch_hunk(true, sink);
                self.record(Op::Markup, end, sink);
            }
            Marker::Section => {
                self.end_patch_hunk(false, sink);
                self.record(Op::Markup, self.begin, sink);
                if !std::mem::replace(&mut self.open.has_section, true) {
                    sink.record(Op::Section.at(self.begin, self.begin));
                }
                if let Some((from, to)) = self.argument.place() {
                    sink.record(Op::Context.at(from, to));
                }
                self.record(Op::Markup, end, sink);
            }
            Marker::BeginPatch | Marker::MoveTo | Marker::EndOfFile if self.place == Place::Spoiled => {
                self.record(Op::Markup, end, sink);
            }
            Marker::BeginPatch
            | Marker::MoveTo
            | Marker::EndOfFile
            | Marker::Search
            | Marker::Separator
            | Marker::Replace
            | Marker::OldFile
            | Marker::NewFile => {
                self.record(Op::Markup, self.begin, sink);
                self.record(Op::Fault(Fault::UnknownHeader), end, sink);
                self.open = Open::NONE;
                self.place = Place::Spoiled;
            }
        }
        self.next_line(end)
    }

    /// The header of a file.
    fn header(&mut self, marker: Marker, end: u32, sink: &mut impl Sink) -> Flow {
        self.open = Open::NONE;
        let Some((from, to)) = self.argument.place() else {
            self.record(Op::Markup, self.begin, sink);
            self.record(Op::Fault(Fault::MissingPath), end, sink);
            self.place = Place::Spoiled;
            return self.next_line(end);
        };
        if marker == Marker::UpdateFile {
            // It may be moved by the next line.
            self.header = Header { begin: self.begin, argument: self.argument };
            self.place = Place::Updated;
            return self.again(end);
        }
        let (op, place) =
            if marker == Marker::AddFile { (FileOp::Add, Place::Added) } else { (FileOp::Delete, Place::Deleted) };
        self.place = place;
        self.record(Op::Markup, self.begin, sink);
        sink.record(Op::Path.at(from, to));
        sink.record(Op::File { op, format: Format::V4a }.at(self.begin, self.begin));
        self.record(Op::Markup, end, sink);
        self.next_line(end)
    }

    /// `*** Move to: b`, which ends at a unit.
    pub(super) fn move_to(&mut self, end: u32, sink: &mut impl Sink) -> Flow {
        let Some((from, to)) = self.argument.place() else {
            self.record(Op::Markup, self.begin, sink);
            self.record(Op::Fault(Fault::MissingPath), end, sink);
            self.place = Place::Spoiled;
            return self.next_line(end);
        };
        self.update(FileOp::Move, Some((from, to)), sink);
        self.record(Op::Markup, end, sink);
        self.next_line(end)
    }

    /// The line after the header of an update moves nothing: it is read again.
    pub(super) fn settle_update(&mut self, sink: &mut impl Sink) -> Flow {
        let begin = self.begin;
        self.update(FileOp::Update, None, sink);
        self.record(Op::Markup, begin, sink);
        self.next_line(begin)
    }

    fn update(&mut self, op: FileOp, move_to: Option<(u32, u32)>, sink: &mut impl Sink) {
        self.record(Op::Markup, self.header.begin, sink);
        if let Some((from, to)) = self.header.argument.place() {
            sink.record(Op::Path.at(from, to));
        }
        if let Some((from, to)) = move_to {
            sink.record(Op::MoveTo.at(from, to));
        }
        sink.record(Op::File { op, format: Format::V4a }.at(self.header.begin, self.header.begin));
        self.open = Open { is_move: op == FileOp::Move, ..Open::NONE };
        self.place = Place::Update;
    }

    /// A line of a patch that is no marker.
    pub(super) fn patch_line(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        let is_header = self.first == b'*' && here >= self.begin + 4;
        let side = match (self.place, self.first) {
            (Place::Updated, _) => return self.settle_update(sink),
            (Place::Added, b'+') if self.blanks.count == 0 => Some(Side::New),
            (Place::Update, b' ') => Some(Side::Both),
            (Place::Update, b'+') => Some(Side::New),
            (Place::Update, b'-') => Some(Side::Old),
            _ => None,
        };
        let may_open = self.open.is_open || self.open.has_section || !self.open.has_hunks;
        let Some(side) = side.filter(|_| may_open) else {
            let fault = if is_header || self.place == Place::Patch { Fault::UnknownHeader } else { Fault::BadLine };
            self.spoil(fault, Place::Spoiled, sink);
            return Flow::At(here.max(self.begin));
        };
        self.open_hunk(sink);
        self.keep_blanks(sink);
        self.content(side, sink)
    }

    /// The line has a sign, and content after it.
    pub(super) fn content(&mut self, side: Side, sink: &mut impl Sink) -> Flow {
        self.record(Op::Markup, self.begin + 1, sink);
        self.open.side = side;
        self.line = Line::Plain(match side {
            Side::Old => Mode::Old,
            Side::New => Mode::New,
            Side::Both => Mode::Both,
        });
        Flow::At(self.mark)
    }

    /// The first line of a hunk begins, or the empty lines before it.
    fn open_hunk(&mut self, sink: &mut impl Sink) {
        if std::mem::replace(&mut self.open.is_open, true) {
            return;
        }
        if !std::mem::take(&mut self.open.has_section) {
            sink.record(Op::Section.at(self.mark, self.mark));
        }
        sink.record(Op::Hunk.at(self.mark, self.mark));
        self.open.has_hunks = true;
    }

    fn end_patch_hunk(&mut self, at_end: bool, sink: &mut impl Sink) {
        if std::mem::take(&mut self.open.is_open) {
            sink.record(Op::HunkDone(at_end).at(self.mark, self.mark));
        }
    }

    /// The file ends before its empty lines.
    pub(super) fn end_file(&mut self, sink: &mut impl Sink) {
        if self.place == Place::Added && !self.open.has_hunks {
            self.open_hunk(sink);
        }
        let is_empty = self.open.has_section || !self.open.has_hunks && !self.open.is_move;
        if self.place == Place::Update && is_empty {
            sink.record(Op::Fault(Fault::EmptyUpdate).at(self.mark, self.mark));
        }
        self.end_patch_hunk(false, sink);
        sink.record(Op::FileDone.at(self.mark, self.mark));
        self.open = Open::NONE;
    }
}
