//! Text between calls, and what was not a call.

use super::look::starts_with;
use super::reasoning::Closer;
use super::segment::{Dead, Ends, Form, Segment};
use super::{Flow, LONGEST_HEAD, LONGEST_SPACE, Machine, Op, Phase, Why};
use crate::format::op::Repair;
use crate::format::row::Row;
use crate::format::row::{Body, Flag, Kind, Part};
use crate::format::table::{In, Table};
use crate::json;
use crate::markdown::{self, FENCE, Standing};
use crate::scan::{AtLast, Short, Sight, after, at_most, is_space, space_len, tag_len};
use crate::text::{Record, Sink, Stretch};

/// How far the sources of a citation are looked for, in bytes.
const LONGEST_SOURCES: usize = 256;

/// What is at a place in text.
enum Found {
    Nothing,
    /// An opener that begins no call: the row, the opener's length, and whether it is a section's.
    Mention {
        row: u8,
        length: usize,
        is_section: bool,
    },
    /// A marker that is removed.
    Drop(usize),
    /// A span that is removed: the row, the place of its opener in the list, and its length.
    Skip(u8, usize, usize),
    /// The end of a section.
    SectionClose(usize),
    /// What opens or ends a citation.
    Cite(Citation),
    Reasoning(u8, Closer, usize),
    /// What closes reasoning that a call seemed to end.
    LateClose(usize),
    Call((u8, super::begin::Begin)),
    /// A payload without an opener.
    Bare(u8),
    /// What begins or ends a message.
    Message,
    /// What ends the turn.
    TurnEnd(usize),
    /// What begins another's turn, by a row.
    OtherTurn(u8, usize),
    /// What shows that a call of the row came without its opener: a closer of a parameter, or that of the call.
    Lost {
        row: u8,
        length: usize,
        is_over: bool,
    },
}

/// The longest of what fits at a place.
struct Longest {
    found: Found,
    length: usize,
}

impl Longest {
    const NOTHING: Longest = Longest { found: Found::Nothing, length: 0 };

    fn take(&mut self, found: Found, length: usize) {
        if length > self.length {
            *self = Longest { found, length };
        }
    }
}

/// What opens or ends a citation.
#[derive(Clone, Copy)]
pub(super) struct Citation {
    pub(super) len: usize,
    /// Where the names of its sources stand, if it ends.
    sources: Option<(usize, usize)>,
}

impl Segment {
    /// The row by which a payload without an opener begins.
    #[inline(never)]
    pub(super) fn bare(&self, table: &Table, text: &[u8], is_start: bool) -> Sight<Option<u8>> {
        for (number, row) in table.rows().filter(|_| !self.settles) {
            let counts = row.is(Flag::BareAnywhere) || is_start && row.is(Flag::BareAtStart);
            if counts && !row.has_tool_tags() && self.bare_payload(row, text, is_start)?.is_some() {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Whether what ends the fence around a value in prose is at the start of a text.
    pub(super) fn closes_fence(&self, text: &[u8]) -> Sight<bool> {
        if !self.is_in_fence || !starts_with(text, &[FENCE], self.is_last)? {
            return Ok(false);
        }
        let next = after(text, FENCE.len()).first();
        if next.is_none() && !self.is_last { Err(Short) } else { Ok(!next.is_some_and(u8::is_ascii_alphanumeric)) }
    }

    /// How a payload without an opener is written, and where it begins: after a fence only at the start.
    fn bare_payload(&self, row: &Row, text: &[u8], is_start: bool) -> Sight<Option<(Body, usize)>> {
        let is_json = row.body().is_json() || row.is(Flag::OrJson);
        let fence = if is_start && is_json || row.is(Flag::Tolerant) { self.fence(row, text)? } else { 0 };
        let inside = after(text, fence);
        if row.is(Flag::Tolerant) {
            // A list is one of calls with their names, or none.
            let body = if inside.first() == Some(&b'[') { Body::Json } else { row.body() };
            return Ok(self.begins_value(row, inside)?.then_some((body, fence)));
        }
        if row.is(Flag::OrJson) && self.begins_object(inside)? {
            return Ok(Some((Body::Json, fence)));
        }
        let is_payload = row.body() != Body::Args && self.begins_payload(row, None, inside)?;
        let is_list = row.body() != Body::Python || fence == 0 && inside.first() == Some(&b'[');
        Ok((is_payload && is_list).then_some((row.body(), fence)))
    }
}

impl Machine {
    pub(super) fn read_text(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if let Some(flow) = self.read_place(table, text, sink) {
            return flow;
        }
        if !self.pass_plain(table, text) {
            return Flow::Stop;
        }
        if self.turn.is_lead && !text.rest().first().is_some_and(|&byte| is_space(byte)) {
            return Flow::Go;
        }
        if let Some(flow) = self.read_line(table, text, sink) {
            return flow;
        }
        let Ok(found) = self.find(table, text.rest()) else { return Flow::Wait };
        if !matches!(found, Found::Nothing | Found::Message | Found::TurnEnd(_)) {
            match self.opening.look() {
                Standing::Plain => {}
                Standing::Open => return self.quote(None, text.here()),
                Standing::Code => {
                    self.opening.step_text(text);
                    return Flow::Go;
                }
            }
        }
        self.take_found(found, table, text, sink)
    }

    /// Reads what counts only where the place is: in the lead of a turn, at its start, after a call, at the start of a
    /// line. `None` if nothing of that stands here.
    fn read_place(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Option<Flow> {
        if self.turn.is_lead
            && let Some(flow) = self.read_lead_close(table, text, sink)
        {
            return Some(flow);
        }
        if self.turn.is_start
            && let Some(flow) = self.read_start(table, text, sink)
        {
            return Some(flow);
        }
        if self.turn.is_after_call
            && let Some(flow) = self.read_gap(table, text, sink)
        {
            return Some(flow);
        }
        if self.turn.line_start == Some(text.here()) { self.read_line(table, text, sink) } else { None }
    }

    /// Acts on what was found in text at the place.
    fn take_found(&mut self, found: Found, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match found {
            Found::Nothing => {
                self.turn.has_lost |= !self.turn.has_failed && self.names_tool(table, text.rest());
                let ends_line = text.rest().first() == Some(&b'\n');
                self.opening.step_text(text);
                self.turn.line_start = ends_line.then(|| text.here());
            }
            Found::SectionClose(length) if !self.turn.has_called => {
                self.segment.is_in_section = false;
                self.opening.pass_bytes(length, text);
            }
            Found::SectionClose(length) => {
                self.segment.is_in_section = false;
                self.drop_marker(None, length, text, sink);
            }
            Found::Drop(length) => self.drop_marker(None, length, text, sink),
            Found::Cite(Citation { len, sources }) => {
                let at = text.at();
                let op = match sources {
                    None => Op::Cite.at(text.here(), text.here()),
                    Some((from, to)) => Op::CiteEnd.at(text.unit_at(at + from), text.unit_at(at + to)),
                };
                self.drop_marker(Some(op), len, text, sink);
            }
            Found::Skip(row, place, length) => {
                self.emit(self.text_op(), text.here(), sink);
                self.segment.row = row;
                self.segment.is_in_section = false;
                text.pass(length);
                self.phase = Phase::Skip(place);
            }
            Found::Mention { row, length, is_section } => {
                return self.read_mention(row, length, is_section, table, text, sink);
            }
            Found::Reasoning(row, closer, length) => return self.begin_reasoning((row, closer), length, text, sink),
            Found::LateClose(length) => {
                self.turn.owed = None;
                return self.end_reasoning_with(self.text_op(), length, text, sink);
            }
            Found::Call(begin) => {
                self.emit(self.text_op(), text.here(), sink);
                return self.begin(begin, table, text, sink);
            }
            Found::Bare(number) => return self.begin_bare(number, table, text, sink),
            Found::Message => return self.read_boundary(table, text, sink),
            Found::TurnEnd(length) => {
                self.turn.has_ended = true;
                self.drop_marker(None, length, text, sink);
            }
            Found::OtherTurn(number, length) => return self.begin_other(number, length, text, sink),
            Found::Lost { length, is_over: false, .. } => {
                self.turn.has_lost = true;
                self.opening.pass_bytes(length, text);
            }
            Found::Lost { row, length, is_over: true } => self.fail_without_opener(row, length, text, sink),
        }
        Flow::Go
    }

    /// Whether an object that names a tool is at the start of a text.
    fn names_tool(&self, table: &Table, text: &[u8]) -> bool {
        let names_tool = |(_, row)| self.segment.names_tool(row, &table.names, text) == Ok(true);
        text.first() == Some(&b'{') && table.rows().any(names_tool)
    }

    /// The closer of a call whose opening tag is missing is at the place.
    fn fail_without_opener(&mut self, row: u8, length: usize, text: &mut Stretch<'_>, sink: &mut impl Sink) {
        let here = text.here();
        self.emit(self.text_op(), here, sink);
        self.segment.row = row;
        self.segment.mark = here;
        self.turn.has_lost = false;
        text.pass(length);
        sink.record(Op::Begin { row, is_bare: false, is_json: false }.at(here, here));
        sink.record(Op::Fail(Why::NoOpener).at(here, here));
        let end = text.here();
        self.end_failed(here, end, false, sink);
    }

    /// A marker of so many bytes is no text; what is emitted about it comes before it.
    pub(super) fn drop_marker(
        &mut self,
        about: Option<Record>,
        length: usize,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) {
        self.segment.is_in_fence = false;
        self.emit(self.text_op(), text.here(), sink);
        if let Some(record) = about {
            sink.record(record);
        }
        text.pass(length);
        self.emit(Op::Markup, text.here(), sink);
        self.opening.pass_segment();
    }

    /// Passes text up to where something may begin; false if nothing does.
    fn pass_plain(&mut self, table: &Table, text: &mut Stretch<'_>) -> bool {
        while let Some(&byte) = text.rest().first() {
            if table.stops(byte, In::Text) || self.turn.is_lead && !is_space(byte) {
                return true;
            }
            self.opening.step(byte);
            text.pass(1);
        }
        false
    }

    /// What is at the start of a text.
    #[inline(never)]
    fn find(&self, table: &Table, text: &[u8]) -> Sight<Found> {
        if self.message_boundary(table, text)?.is_some() {
            return Ok(Found::Message);
        }
        match self.segment.ends_turn(table, text)? {
            0 => {}
            length => return Ok(Found::TurnEnd(length)),
        }
        if let Some(found) = self.other_turn(table, text)? {
            return Ok(found);
        }
        if self.segment.closes_fence(text)? {
            return Ok(Found::Drop(FENCE.len()));
        }
        let reads_calls = self.turn.message == Some(Kind::Calls) || !self.has_messages(table);
        if reads_calls {
            if let Some(begin) = self.segment.begins(table, text)? {
                return Ok(Found::Call(begin));
            }
            if let Some(number) = self.segment.bare(table, text, false)? {
                return Ok(Found::Bare(number));
            }
        }
        let mut longest = if reads_calls { self.find_opener(table, text)? } else { Longest::NOTHING };
        if let Some(number) = self.turn.owed {
            let length = self.late_close(table.row(number), text)?;
            longest.take(Found::LateClose(length), length);
        }
        for (number, row) in table.rows() {
            if self.turn.message.is_none() {
                let (place, length) = self.opens_reasoning(row, text)?;
                longest.take(Found::Reasoning(number, Closer::Of(place), length), length);
            }
            if self.segment.is_in_section && self.segment.row == number {
                let length = row.fits(Part::SectionClose, text, self.segment.is_last)?;
                longest.take(Found::SectionClose(length), length);
            }
            let length = row.fits(Part::Drop, text, self.segment.is_last)?;
            if length > longest.length && self.counts_as_marker(text, length)? {
                longest.take(Found::Drop(length), length);
            }
            let (place, length) = row.fitting(Part::SkipOpen, text, self.segment.is_last)?;
            longest.take(Found::Skip(number, place, length), length);
            let citation = self.citation(row, text)?;
            longest.take(Found::Cite(citation), citation.len);
        }
        if reads_calls {
            let lost = self.find_lost(table, text)?;
            if lost.length > 0 && (self.turn.has_lost || longest.length == 0) {
                return Ok(lost.found);
            }
        }
        Ok(longest.found)
    }

    /// A closer in text that shows that a call came without its opener.
    fn find_lost(&self, table: &Table, text: &[u8]) -> Sight<Longest> {
        let mut longest = Longest::NOTHING;
        // A fence of Markdown closes more than calls.
        if text.first() == Some(&b'`') {
            return Ok(longest);
        }
        for (number, row) in table.rows().filter(|(_, row)| !row.is(Flag::Strict)) {
            let length = row.fits(Part::ParamClose, text, self.segment.is_last)?;
            longest.take(Found::Lost { row: number, length, is_over: false }, length);
            if self.turn.has_lost {
                let call = row.fits(Part::CallClose, text, self.segment.is_last)?;
                let length = call.max(row.fits(Part::SectionClose, text, self.segment.is_last)?);
                longest.take(Found::Lost { row: number, length, is_over: true }, length);
            }
        }
        Ok(longest)
    }

    /// What begins another's turn at the start of a text, after a call of its row or after the turn's end. Where nothing
    /// follows it, it is the stop sequence.
    fn other_turn(&self, table: &Table, text: &[u8]) -> Sight<Option<Found>> {
        for (number, row) in table.rows() {
            if row.has(Part::HeadEnd) || !self.turn.has_ended && self.turn.called != Some(number) {
                continue;
            }
            let length = row.begins_other_turn(text, self.segment.is_last)?;
            let is_word = text.first().is_some_and(u8::is_ascii_alphabetic);
            let is_start = self.opening.is_after || self.opening.quotes.code().is_line_start();
            if length == 0 || is_word && !is_start {
                continue;
            }
            let space = space_len(after(text, length));
            if after(text, length + space).is_empty() && space < LONGEST_SPACE as usize {
                return if self.segment.is_last { Ok(Some(Found::TurnEnd(length + space))) } else { Err(Short) };
            }
            return Ok(Some(Found::OtherTurn(number, length)));
        }
        Ok(None)
    }

    /// The longest opener at the start of a text that begins no call, and so is text.
    fn find_opener(&self, table: &Table, text: &[u8]) -> Sight<Longest> {
        let mut longest = Longest::NOTHING;
        for (number, row) in table.rows() {
            let section = row.fits(Part::SectionOpen, text, self.segment.is_last)?;
            let call = row.fits(Part::CallOpen, text, self.segment.is_last)?;
            let length = section.max(call);
            // Words and fences of Markdown open more than calls.
            let is_marker = text.first().is_some_and(|&byte| byte != b'`' && !byte.is_ascii_alphabetic());
            let is_known = !self.segment.is_in_section || self.segment.row == number;
            let mention = Found::Mention { row: number, length, is_section: section > call };
            longest.take(if is_marker && is_known { mention } else { Found::Nothing }, length);
        }
        Ok(longest)
    }

    /// Whether a marker that is removed counts at the start of a text. One that begins with a letter is a word: it does
    /// where a template writes it, at the start of a line, after something else, or at the end of the turn.
    fn counts_as_marker(&self, text: &[u8], length: usize) -> Sight<bool> {
        // Above U+3000 there are letters, below it signs.
        let is_word = text.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte >= 0xE3);
        let is_start = self.opening.is_after || self.opening.quotes.code().is_line_start();
        if !is_word || is_start || !self.opening.is_read() {
            return Ok(true);
        }
        let rest = after(text, length);
        let space = space_len(rest);
        if space < rest.len() || space >= LONGEST_SPACE as usize {
            return Ok(false);
        }
        self.segment.is_last.then_some(true).ok_or(Short)
    }

    /// What opens reasoning at the start of a text: its place in its list, and its length, which is 0 where it doesn't count.
    pub(super) fn opens_reasoning(&self, row: &Row, text: &[u8]) -> Sight<(usize, usize)> {
        let counts = self.opening.seeks() && (row.is(Flag::Anywhere) || self.opening.counts());
        if counts { row.fitting(Part::ReasoningOpen, text, self.segment.is_last) } else { Ok((0, 0)) }
    }

    /// What opens or ends a citation at the start of a text; its length is 0 if nothing does.
    #[inline(never)]
    pub(super) fn citation(&self, row: &Row, text: &[u8]) -> Sight<Citation> {
        let open = Citation { len: row.fits(Part::CiteOpen, text, self.segment.is_last)?, sources: None };
        let close = row.fits(Part::CiteClose, text, self.segment.is_last)?;
        if close == 0 {
            return Ok(open);
        }
        for at in close..text.len().min(LONGEST_SOURCES) {
            let length = row.fits(Part::CiteEnd, after(text, at), self.segment.is_last)?;
            if length > 0 {
                return Ok(Citation { len: at + length, sources: Some((close, at)) });
            }
        }
        if text.len() >= LONGEST_SOURCES || self.segment.is_last { Ok(open) } else { Err(Short) }
    }

    /// In a span that is removed.
    #[inline(never)]
    pub(super) fn read_skip(
        &mut self,
        place: usize,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let row = self.segment.row(table);
        let close = row.list(Part::SkipClose).nth(place).unwrap_or_default();
        let first = close.first().copied().unwrap_or_default();
        let plain = text.rest().iter().take_while(|&&byte| byte != first).count();
        text.pass(plain);
        if text.is_at_end() {
            return Flow::Stop;
        }
        match crate::format::row::fit(close, text.rest()).at_last(self.segment.is_last) {
            Err(Short) => Flow::Wait,
            Ok(0) => {
                text.pass(1);
                Flow::Go
            }
            Ok(length) => {
                text.pass(length);
                let here = text.here();
                self.end(here, sink);
                Flow::Go
            }
        }
    }

    /// At the start of a turn: a payload without an opener, or a header that has begun.
    #[inline(never)]
    fn read_start(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Option<Flow> {
        let has_bare = table.rows().any(|(_, row)| row.is(Flag::BareAtStart) || row.is(Flag::BareAnywhere));
        let has_header = table
            .rows()
            .any(|(_, row)| row.has(Part::MessageBegin) || row.is(Flag::HeaderAtStart) || self.turn.is_header);
        if !has_bare && !has_header {
            self.turn.is_start = false;
            return None;
        }
        let rest = text.rest();
        let space = space_len(rest);
        if rest.is_empty() && !self.segment.is_last {
            return Some(Flow::Stop);
        }
        if has_header && self.opening.is_after {
            match self.begins_header(table, rest) {
                Err(Short) => return Some(Flow::Wait),
                Ok(Some((number, kind, length))) => {
                    return Some(self.begin_message(number, kind, length, table, text, sink));
                }
                Ok(None) => {}
            }
        }
        if space >= LONGEST_SPACE as usize {
            // Too much to wait with.
            (0..LONGEST_SPACE).for_each(|_| self.opening.step_text(text));
            self.emit(self.text_op(), text.here(), sink);
            return Some(Flow::Go);
        }
        if space == rest.len() && !self.segment.is_last {
            return Some(Flow::Wait);
        }
        let Ok(begin) = self.segment.begins(table, after(rest, space)) else { return Some(Flow::Wait) };
        if has_bare && begin.is_none() {
            match self.segment.bare(table, after(rest, space), true) {
                Err(Short) => return Some(Flow::Wait),
                Ok(Some(number)) => {
                    self.opening.pass_bytes(space, text);
                    return Some(self.begin_bare(number, table, text, sink));
                }
                Ok(None) => {}
            }
        }
        // Reasoning may come first, or its closing marker.
        if self.opening.seeks() {
            for (_, row) in table.rows() {
                for part in [Part::ReasoningOpen, Part::ReasoningClose] {
                    match row.fits(part, after(rest, space), self.segment.is_last) {
                        Err(Short) => return Some(Flow::Wait),
                        Ok(0) => {}
                        Ok(_) => return None,
                    }
                }
            }
        }
        self.turn.is_start = false;
        None
    }

    /// Where nothing but white space has come in the turn, or after reasoning: a closing marker of reasoning was closed
    /// already, by the template or by the one before it.
    #[inline(never)]
    fn read_lead_close(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Option<Flow> {
        let rest = text.rest();
        // White space before it is text.
        if rest.first().is_none_or(|&byte| is_space(byte)) {
            return None;
        }
        let mut longest = 0;
        for (_, row) in table.rows().filter(|_| self.opening.seeks()) {
            match row.fits(Part::ReasoningClose, rest, self.segment.is_last) {
                Err(Short) => return Some(Flow::Wait),
                Ok(length) => longest = longest.max(length),
            }
        }
        if longest == 0 {
            self.turn.is_lead = false;
            return None;
        }
        Some(self.end_reasoning_with(self.text_op(), longest, text, sink))
    }

    pub(super) fn begin_bare(
        &mut self,
        number: u8,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let here = text.here();
        let row = table.row(number);
        let found = self.segment.bare_payload(row, text.rest(), self.turn.is_start).ok().flatten();
        let (body, fence) = found.unwrap_or((row.body(), 0));
        self.emit(self.text_op(), here, sink);
        self.segment.row = number;
        self.segment.mark = here;
        self.segment.known.repairs = if fence > 0 { Repair::Fence.bit() } else { 0 };
        self.begin_call(row, body, false);
        self.segment.form.is_bare = true;
        self.opening.pass_words();
        text.pass(fence);
        self.segment.payload = text.here();
        if row.is(Flag::Tolerant) {
            self.segment.is_in_fence |= fence > 0;
            self.segment.form = Form { is_value: true, has_own_end: false, end_closes: true, ..self.segment.form };
        }
        let is_list = self.segment.form.is_value && text.rest().first() == Some(&b'[');
        self.segment.known.repairs |= if is_list { Repair::List.bit() } else { 0 };
        let op = if is_list { Op::Check { row: number } } else { self.segment.begin_op() };
        sink.record(op.at(here, self.segment.payload));
        let flow = self.begin_body(row, self.segment.payload);
        self.json.call.repaired.is_silent = is_list;
        flow
    }

    /// After a call: white space before what belongs to its section is layout.
    #[inline(never)]
    fn read_gap(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Option<Flow> {
        let rest = text.rest();
        let space = space_len(rest);
        if space == rest.len() && space < LONGEST_SPACE as usize && !self.segment.is_last {
            return Some(if rest.is_empty() { Flow::Stop } else { Flow::Wait });
        }
        let next = after(rest, space);
        let mut begin = None;
        let mut stray = 0;
        let is_layout = if space >= LONGEST_SPACE as usize {
            // However much of it has come.
            false
        } else if next.is_empty() {
            true
        } else {
            let row = self.segment.row(table);
            let is_known = self.segment.is_in_section || row.is(Flag::SectionOptional);
            let closes = match self.segment.closes_fence(next) {
                Ok(false) if is_known => row.fits(Part::SectionClose, next, self.segment.is_last),
                closes => closes.map(|closes| if closes { FENCE.len() } else { 0 }),
            };
            match (closes, self.segment.begins(table, next)) {
                (Ok(length @ 1..), _) => {
                    stray = if self.segment.is_in_section { 0 } else { length };
                    true
                }
                (_, Ok(Some(found))) => {
                    begin = Some(found);
                    true
                }
                (Err(Short), _) | (_, Err(Short)) if next.len() < LONGEST_HEAD => return Some(Flow::Wait),
                _ => false,
            }
        };
        self.turn.is_after_call = false;
        if is_layout && space + stray > 0 {
            self.segment.is_in_fence &= stray == 0;
            self.opening.pass_bytes(space + stray, text);
            let here = text.here();
            self.emit(Op::Markup, here, sink);
        }
        // In a section a payload may stand without an opener.
        let reads_calls = self.turn.message == Some(Kind::Calls) || !self.has_messages(table);
        begin.filter(|_| reads_calls).map(|begin| self.begin(begin, table, text, sink))
    }

    /// In a segment that isn't a call: up to its closer, or to what begins another.
    pub(super) fn read_dead(
        &mut self,
        dead: Dead,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        if let Dead::Own(ends_at) = dead {
            return self.read_own(ends_at, table, text, sink);
        }
        if dead == Dead::Value {
            return self.read_value(text, sink);
        }
        if matches!(dead, Dead::Message | Dead::Turn) {
            return self.read_other(dead, table, text, sink);
        }
        if !self.pass_plain(table, text) {
            return Flow::Stop;
        }
        let rest = text.rest();
        let row = self.segment.row(table);
        let Ok((close, is_section)) = self.closes_dead(dead, row, rest) else { return Flow::Wait };
        if close > 0 {
            let closer = text.here();
            text.pass(close);
            self.segment.is_in_section &= !is_section;
            self.end_failed(closer, text.here(), false, sink);
            return Flow::Go;
        }
        match self.line(table, text) {
            Err(Short) => return Flow::Wait,
            Ok(super::lines::Line::Other) => {}
            Ok(_) => {
                let here = text.here();
                self.end_failed(here, here, false, sink);
                return Flow::Go;
            }
        }
        let Ok(found) = self.find(table, rest) else { return Flow::Wait };
        match self.is_part(&found, dead, table, rest) {
            Err(Short) => return Flow::Wait,
            Ok(true) => self.opening.step_text(text),
            Ok(false) => {
                let here = text.here();
                self.end_failed(here, here, false, sink);
            }
        }
        Flow::Go
    }

    /// In a value that isn't a call: up to the bracket that closes it.
    fn read_value(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        while let Some(token) = self.segment.tokens.next(text) {
            if matches!(token.kind, json::Kind::Pop(_)) && self.segment.tokens.depth() == 0 {
                self.end_failed(token.end, token.end, false, sink);
                return Flow::At(token.end);
            }
        }
        if text.is_at_end() { Flow::Stop } else { Flow::Wait }
    }

    /// The segment is not a call, and goes up to its own closer. Up to `at` nothing in it can end it.
    pub(super) fn fail_up_to_end(&mut self, why: Why, at: u32, sink: &mut impl Sink) -> Flow {
        self.phase = Phase::Dead(Dead::Own(if why == Why::Unfinished { Ends::Closer } else { Ends::Call }));
        if self.segment.body == Body::Tree && self.tree.is_line() && why == Why::Malformed {
            // No closer will come.
            self.end_failed(at, at, false, sink);
        }
        Flow::At(at)
    }

    /// In one that goes up to its own closer: there, or at the start of another.
    fn read_own(&mut self, ends_at: Ends, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let row = table.row(self.segment.row);
        let first = |part: Part| row.list(part).next().and_then(|mark| mark.first()).copied().unwrap_or(b'<');
        let (opener, closer) = (first(Part::CallOpen), first(Part::CallClose));
        self.opening.pass_text([opener, closer, closer], text);
        let rest = text.rest();
        if rest.is_empty() {
            return Flow::Stop;
        }
        let is_cut = ends_at == Ends::Closer;
        let thinks = if is_cut { Ok(0) } else { self.opens_reasoning(row, rest).map(|(_, length)| length) };
        let opens = if is_cut { Ok(0) } else { row.opener_len(&table.names, rest) };
        let closes = self.own_closer(row, rest);
        let may_begin = opens.is_ok_and(|length| length > 0) || thinks.is_ok_and(|length| length > 0);
        if may_begin && closes == Ok(0) {
            match self.opening.look() {
                Standing::Plain => {}
                Standing::Open => return self.quote(Some(Dead::Own(ends_at)), text.here()),
                Standing::Code => {
                    self.opening.step_text(text);
                    return Flow::Go;
                }
            }
        }
        let here = text.here();
        match (closes, opens) {
            (Ok(0), _) if thinks != Ok(0) => {
                if thinks.is_err() {
                    return Flow::Wait;
                }
                self.end_failed(here, here, false, sink);
            }
            (Ok(length @ 1..), _) => {
                text.pass(length);
                self.end_failed(here, text.here(), false, sink);
            }
            (Err(Short), _) | (_, Err(Short)) => return Flow::Wait,
            (_, Ok(length @ 1..)) => {
                let makes = row.makes_call(after(rest, length));
                match if ends_at == Ends::AnyOpener { Ok(true) } else { makes } {
                    Err(Short) => return Flow::Wait,
                    Ok(true) => self.end_failed(here, here, false, sink),
                    Ok(false) => self.opening.step_text(text),
                }
            }
            (Ok(0), Ok(0)) => self.opening.step_text(text),
        }
        Flow::Go
    }

    /// The length of the segment's closer at the start of a text, or 0.
    fn own_closer(&self, row: &Row, text: &[u8]) -> Sight<usize> {
        if self.segment.body != Body::Tree {
            return row.fits(Part::CallClose, text, false);
        }
        let front = [b"</", self.segment.elements.own()];
        if !starts_with(text, &front, false)? {
            return Ok(0);
        }
        let front = 2 + self.segment.elements.own().len();
        let length = tag_len(b">", after(text, front)).ok_or(Short)?;
        Ok(if length > 0 { front + length } else { 0 })
    }

    /// What begins here may be in code.
    pub(super) fn quote(&mut self, failed: Option<Dead>, here: u32) -> Flow {
        self.segment.mark = here;
        self.phase = Phase::Quoted { failed };
        Flow::Go
    }

    /// After what may be in code: up to what says so.
    pub(super) fn read_quoted(&mut self, failed: Option<Dead>, text: &mut Stretch<'_>) -> Flow {
        while let Some(&byte) = text.rest().first() {
            if let Some(found) = self.opening.quotes.ahead(byte) {
                let here = text.here();
                return Flow::At(self.unquote(found, failed, here));
            }
            text.pass(1);
        }
        Flow::Stop
    }

    /// Whether what is at `mark` is in code is known; gives the place to read on at.
    pub(super) fn unquote(&mut self, found: markdown::Found, failed: Option<Dead>, here: u32) -> u32 {
        self.phase = failed.map_or(Phase::Text, Phase::Dead);
        match found {
            markdown::Found::Again => self.segment.mark,
            markdown::Found::Code { back } => {
                self.opening.is_after = false;
                self.turn.line_start = None;
                here.saturating_sub(back)
            }
        }
    }

    /// Whether what was found at the start of a text is a part of a segment that isn't a call.
    fn is_part(&self, found: &Found, dead: Dead, table: &Table, text: &[u8]) -> Sight<bool> {
        match found {
            Found::Nothing => Ok(true),
            // A call that failed may have any text; a section its own openers.
            Found::Mention { row, is_section, .. } => Ok(match dead {
                Dead::Call => true,
                Dead::Section => *row == self.segment.row && !is_section,
                Dead::Mention | Dead::Message | Dead::Turn | Dead::Own(_) | Dead::Value => false,
            }),
            // Markers that are removed from text are not removed from what failed.
            Found::Lost { .. } => Ok(true),
            Found::Drop(_) | Found::Skip(..) | Found::Cite(_) => self.is_closed_after(dead, table, text),
            Found::SectionClose(_)
            | Found::Reasoning(..)
            | Found::LateClose(_)
            | Found::Call(_)
            | Found::Bare(_)
            | Found::TurnEnd(_)
            | Found::OtherTurn(..)
            | Found::Message => Ok(false),
        }
    }

    /// The length of what closes a segment that isn't a call at the start of a text, or 0; and whether that is the
    /// closer of the section.
    fn closes_dead(&self, dead: Dead, row: &Row, text: &[u8]) -> Sight<(usize, bool)> {
        let call = match dead {
            Dead::Section | Dead::Message | Dead::Turn | Dead::Own(_) | Dead::Value => 0,
            // A fence of Markdown closes more than calls.
            Dead::Mention if text.first() == Some(&b'`') => 0,
            Dead::Mention => row.fits(Part::CallClose, text, self.segment.is_last)?,
            Dead::Call => {
                row.fits(Part::CallClose, text, self.segment.is_last)?.max(self.segment.closes_own(row, text)?)
            }
        };
        let is_open = dead == Dead::Section || !self.turn.has_called;
        let section = if is_open { row.fits(Part::SectionClose, text, self.segment.is_last)? } else { 0 };
        Ok((call.max(section), section > call))
    }

    /// Whether a segment that isn't a call is closed in the text, before anything else of its row.
    fn is_closed_after(&self, dead: Dead, table: &Table, text: &[u8]) -> Sight<bool> {
        let row = self.segment.row(table);
        self.comes(table, text, |text| {
            if self.closes_dead(dead, row, text)?.0 > 0 {
                return Ok(Some(true));
            }
            let opens = row.fits(Part::SectionOpen, text, self.segment.is_last)?
                + row.fits(Part::CallOpen, text, self.segment.is_last)?;
            Ok((opens > 0).then_some(false))
        })
    }

    /// What is said first at a place of a text where something may begin, up to `LONGEST_HEAD` bytes; false if nothing is.
    fn comes(&self, table: &Table, text: &[u8], ask: impl Fn(&[u8]) -> Sight<Option<bool>>) -> Sight<bool> {
        let text = at_most(text, LONGEST_HEAD);
        let is_whole = self.segment.is_last || text.len() == LONGEST_HEAD;
        for (at, &byte) in text.iter().enumerate() {
            if !table.stops(byte, In::Text) {
                continue;
            }
            if let Some(answer) = ask(after(text, at)).at_last(is_whole)? {
                return Ok(answer);
            }
        }
        Err(Short).at_last(is_whole)
    }

    /// An opener that begins no call: words may stand between a section's and its first call. Else it is text, and so
    /// is what follows it up to its closer, which makes that a call that failed.
    fn read_mention(
        &mut self,
        number: u8,
        length: usize,
        is_section: bool,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let row = table.row(number);
        let here = text.here();
        let leads = is_section && !self.segment.is_in_section;
        let leads = if leads { self.leads(table, row, after(text.rest(), length)) } else { Ok(false) };
        let Ok(leads) = leads else { return Flow::Wait };
        self.emit(self.text_op(), here, sink);
        self.segment.row = number;
        self.turn.is_start = false;
        self.opening.pass_bytes(length, text);
        if leads {
            self.segment.is_in_section = true;
            // Its closer is a marker, too.
            self.turn.has_called = true;
            self.emit(Op::Markup, text.here(), sink);
            self.opening.pass_segment();
            return Flow::Go;
        }
        self.turn.has_mentioned = self.segment.settles;
        self.segment.mark = here;
        self.segment.payload = text.here();
        self.begin_call(row, row.body(), true);
        sink.record(
            Op::Begin { row: number, is_bare: false, is_json: false }.at(self.segment.mark, self.segment.payload),
        );
        sink.record(Op::Fail(Why::Mentioned).at(self.segment.mark, self.segment.payload));
        self.phase = Phase::Dead(if is_section { Dead::Section } else { Dead::Mention });
        Flow::Go
    }

    /// Whether a call of a section begins in a text before another section, and before the section's end.
    fn leads(&self, table: &Table, row: &Row, text: &[u8]) -> Sight<bool> {
        self.comes(table, text, |text| {
            let ends = row.fits(Part::SectionClose, text, self.segment.is_last)?
                + row.fits(Part::SectionOpen, text, self.segment.is_last)?;
            if ends > 0 {
                return Ok(Some(false));
            }
            Ok(self.segment.begins_by(&table.names, row, true, text)?.map(|_| true))
        })
    }

    /// Why a payload is not a call where something else stands.
    pub(super) fn malformed(&mut self, at: u32, sink: &mut impl Sink) -> Flow {
        self.fail(Why::Malformed, at, sink)
    }
}
