//! Prose: the search for what begins a segment, and the reading of it.

use super::tags::{PROSE, RUN_BASH, TOOL, WRITE_FILE};
use super::{
    Candidate, Flow, Inside, LONGEST_HEADER, LONGEST_SPACE, Machine, Markers, Phase, Question, ROOM, Scan, Tool, Until,
};
use crate::markdown::{Found, Standing};
use crate::scan::{Entry, Literals, Prefix, is_space};
use crate::segment::called::Called;
use crate::segment::head::Head;
use crate::segment::header::{Header, HeaderState};
use crate::segment::op::{Fault, KnownAttribute, Op, SegmentType};
use crate::text::{Sink, Stretch};
use crate::xml::{Attribute, Progress, Tag};

const SENTINEL: Literals<'static> =
    Literals { bytes: b"[[SEG_START", entries: &[Entry { start: 0, len: 11, class: 0 }] };

impl Machine {
    pub(super) fn read_text(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let Markers { xml, json, sentinel, .. } = self.settings.markers;
        let byte = loop {
            self.pass_text(text);
            let rest = text.rest();
            let Some(&byte) = rest.first() else { return Flow::Stop };
            let Some(stray) = self.prose.stray_tag(rest) else { return Flow::Wait };
            if stray > 0 {
                let here = text.here();
                self.emit(Op::Text, here, sink);
                text.pass(stray);
                self.emit(Op::Stray, text.here(), sink);
                return Flow::Go;
            }
            let Some((number, length)) = self.prose.opening.opens(rest) else { return Flow::Wait };
            let is_marker = match byte {
                b'<' => xml,
                b'{' => json,
                b'[' => json || sentinel,
                _ => false,
            };
            if !is_marker && length == 0 {
                self.prose.opening.step_text(text);
                continue;
            }
            match self.prose.opening.look() {
                Standing::Plain if length > 0 => {
                    self.begin_reasoning(number, length, text, sink);
                    return Flow::Go;
                }
                Standing::Plain => break byte,
                Standing::Open => {
                    self.mark = text.here();
                    self.phase = Phase::Quoted;
                    return Flow::Go;
                }
                Standing::Code => self.prose.opening.step_text(text),
            }
        };
        self.mark = text.here();
        self.prose.opening.step_text(text);
        if byte == b'<' {
            self.tag.begin();
            self.phase = Phase::Candidate(Candidate::Tag);
        } else {
            let signatures = self.settings.signatures.literals();
            let mut head = if json { Head::start(&signatures) } else { Head::DEAD };
            head.step(&signatures, byte);
            let other = if sentinel { SENTINEL.step(SENTINEL.start(), byte) } else { Prefix::DEAD };
            let is_object = json && byte == b'{';
            if head.is_alive() || other.is_alive() || is_object {
                let bracket = Candidate::Bracket { head, sentinel: other, read: 1, is_object };
                self.phase = Phase::Candidate(bracket);
            }
        }
        Flow::Go
    }

    /// Passes text up to what may be a marker.
    fn pass_text(&mut self, text: &mut Stretch<'_>) {
        let Markers { xml, json, sentinel, .. } = self.settings.markers;
        let stops = match (xml, json, sentinel) {
            (true, true, _) => [b'<', b'{', b'['],
            (true, false, true) => [b'<', b'[', b'['],
            (true, false, false) => [b'<'; 3],
            (false, true, _) => [b'{', b'[', b'['],
            (false, false, true) => [b'['; 3],
            // No byte of any text.
            (false, false, false) => [0xFF; 3],
        };
        self.prose.opening.pass_text(stops, text);
    }

    /// After a marker that may be in code: up to what says so.
    pub(super) fn read_quoted(&mut self, text: &mut Stretch<'_>) -> Flow {
        while let Some(&byte) = text.rest().first() {
            if let Some(found) = self.prose.opening.quotes.ahead(byte) {
                return self.unquote(found, text.here());
            }
            text.pass(1);
        }
        Flow::Stop
    }

    /// Whether the marker at `mark` is in code is known.
    pub(super) fn unquote(&mut self, found: Found, here: u32) -> Flow {
        self.phase = Phase::Text;
        match found {
            Found::Code { back } => {
                self.prose.opening.is_after = false;
                Flow::Back(here.saturating_sub(back))
            }
            Found::Again => Flow::Back(self.mark),
        }
    }

    /// What began at `mark` failed: the search goes on one character
    /// later, unless that is too much work.
    pub(super) fn search_again(&mut self, here: u32) -> Flow {
        self.phase = Phase::Text;
        let cost = here.saturating_sub(self.mark + 1);
        if cost > 0 && self.budget.pays(cost, here) { Flow::Back(self.mark + 1) } else { Flow::Go }
    }

    pub(super) fn read_tag(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        while let Some(&byte) = text.rest().first() {
            match self.tag.step(PROSE, byte) {
                Progress::Pending => {
                    text.pass(1);
                    if self.take_other(sink) && sink.lacks_room_for(ROOM) {
                        return Flow::Go;
                    }
                }
                Progress::Failed => return self.fail_tag(text.here(), sink),
                Progress::Whole(tag) => {
                    text.pass(1);
                    self.take_other(sink);
                    return self.take_tag(tag, text.here(), sink);
                }
            }
        }
        Flow::Stop
    }

    /// Whether an attribute ended that the vocabulary doesn't know; records it.
    fn take_other(&mut self, sink: &mut impl Sink) -> bool {
        let other = self.tag.tokenizer.take_other();
        if let Some(Attribute { name, value }) = other {
            let mark = self.mark;
            sink.record(Op::OtherName.at(mark + name.0, mark + name.1));
            sink.record(Op::OtherValue.at(mark + value.0, mark + value.1));
        }
        other.is_some()
    }

    pub(super) fn fail_tag(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        if self.tag.tokenizer.is_inside() {
            sink.record(Op::Drop.at(self.mark, self.mark));
            sink.record(Op::Fault(Fault::BadTag).at(self.mark, here));
        }
        self.tag.tokenizer.give_up();
        self.search_behind_tag(here)
    }

    /// A tag has mostly nothing in it that could be a marker.
    pub(super) fn search_behind_tag(&mut self, here: u32) -> Flow {
        let Markers { json, sentinel, .. } = self.settings.markers;
        if self.tag.tokenizer.has_inner() || json || sentinel || self.prose.opening.is_read() {
            return self.search_again(here);
        }
        self.phase = Phase::Text;
        Flow::Go
    }

    /// A known tag in prose.
    pub(super) fn take_tag(&mut self, tag: Tag, here: u32, sink: &mut impl Sink) -> Flow {
        let mark = self.mark;
        let at = |place: (u32, u32)| (mark + place.0, mark + place.1);
        let [first, second] = tag.values.map(|value| value.filter(|(start, end)| end > start).map(at));
        let segment = match (tag.class, first) {
            (WRITE_FILE, Some(_)) if self.settings.tools.lack_file => {
                return self.refuse_tag(Until::TextFile, tag.is_empty, sink);
            }
            (RUN_BASH, _) if self.settings.tools.lack_command => {
                return self.refuse_tag(Until::TextCommand, tag.is_empty, sink);
            }
            (WRITE_FILE, Some((start, end))) => {
                sink.record(Op::Attribute(KnownAttribute::Path).at(start, end));
                (SegmentType::WriteFile, Until::WriteFile)
            }
            (RUN_BASH, _) => {
                for (attribute, value) in [(KnownAttribute::Background, first), (KnownAttribute::Timeout, second)] {
                    if let Some((start, end)) = value {
                        sink.record(Op::Attribute(attribute).at(start, end));
                    }
                }
                (SegmentType::RunBash, Until::RunBash)
            }
            (TOOL, Some((start, end))) => {
                sink.record(Op::Name.at(start, end));
                self.phase = Phase::Asked(Question::Tool { is_empty: tag.is_empty });
                return Flow::Ask;
            }
            _ => {
                sink.record(Op::Drop.at(mark, mark));
                return self.search_behind_tag(here);
            }
        };
        self.emit(Op::Text, mark, sink);
        self.emit(Op::Markup, here, sink);
        sink.record(Op::Start(segment.0).at(here, here));
        self.tool = Tool { has_begun: true, content: (here, here), ..Tool::NONE };
        self.scan = Scan::begin(segment.1, 1);
        self.phase = Phase::Tool(Inside::Lead { matched: 0 });
        if tag.is_empty {
            sink.record(Op::Missing.at(here, here));
            self.end(here, sink);
        }
        Flow::Go
    }

    pub(super) fn read_bracket(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let Phase::Candidate(Candidate::Bracket { mut head, mut sentinel, mut read, mut is_object }) = self.phase
        else {
            return Flow::Go;
        };
        let signatures = self.settings.signatures;
        let signatures = signatures.literals();
        while let Some(&byte) = text.rest().first() {
            let is_space = is_space(byte);
            if head.step(&signatures, byte) {
                is_object &= read > 1 || matches!(byte, b'"' | b'\'');
                read = read.saturating_add(1);
            }
            sentinel = SENTINEL.step(sentinel, byte);
            let here = text.here();
            if head.is_whole(&signatures) {
                if !self.settings.tools.are_listed {
                    return self.begin_json(sink);
                }
                self.called = Called::START;
                self.phase = Phase::Candidate(Candidate::Name { is_object });
                return Flow::Back(self.mark);
            }
            if SENTINEL.exact(sentinel).is_some() {
                text.pass(1);
                self.header = Header::START;
                self.phase = Phase::Candidate(Candidate::Header);
                return Flow::Go;
            }
            if here.saturating_sub(self.mark) > LONGEST_SPACE || !head.is_alive() && !sentinel.is_alive() {
                if is_object && read > 1 {
                    return self.begin_object();
                }
                // White space before an object's first key: one may still come.
                if is_object && is_space && here.saturating_sub(self.mark) <= LONGEST_SPACE {
                    text.pass(1);
                    continue;
                }
                return self.search_again(here);
            }
            text.pass(1);
        }
        self.phase = Phase::Candidate(Candidate::Bracket { head, sentinel, read, is_object });
        Flow::Stop
    }

    pub(super) fn read_header(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let here = text.here();
        let room = (self.mark + LONGEST_HEADER).saturating_sub(here);
        let mut front = text.front(room);
        let reading = self.header.read(&mut front);
        text.pass(front.at());
        match reading {
            HeaderState::Pending if text.is_at_end() => Flow::Stop,
            HeaderState::Pending => {
                let here = text.here();
                self.fail_header(here, sink)
            }
            HeaderState::Bad(at) => {
                // What was read after the place is read again.
                let flow = self.fail_header(at, sink);
                if matches!(flow, Flow::Go) { Flow::Back(at) } else { flow }
            }
            HeaderState::Whole { from, to } => {
                self.tool.content = (from, to);
                self.phase = Phase::Candidate(Candidate::HeaderEnd { brackets: 0 });
                Flow::Go
            }
        }
    }

    pub(super) fn fail_header(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        sink.record(Op::Fault(Fault::BadHeader).at(self.mark, here));
        self.search_again(here)
    }

    pub(super) fn read_header_end(&mut self, mut brackets: u8, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        while let Some(&byte) = text.rest().first() {
            match byte {
                b']' if brackets == 0 => brackets = 1,
                b']' => {
                    text.pass(1);
                    let here = text.here();
                    let Some(segment_type) = self.header.segment_type() else { return self.fail_header(here, sink) };
                    sink.record(Op::Header.at(self.tool.content.0, self.tool.content.1));
                    return match self.question_of(segment_type) {
                        Some((from, to)) => {
                            sink.record(Op::Called(segment_type).at(from, to));
                            self.phase = Phase::Asked(Question::Sentinel(segment_type));
                            Flow::Ask
                        }
                        None => self.begin_sentinel(segment_type, here, sink),
                    };
                }
                byte if is_space(byte) && brackets == 0 && text.here().saturating_sub(self.mark) <= LONGEST_HEADER => {}
                _ => return self.fail_header(text.here(), sink),
            }
            text.pass(1);
        }
        self.phase = Phase::Candidate(Candidate::HeaderEnd { brackets });
        Flow::Stop
    }
}
