//! Messages: a header says what the body after it is.
//!
//! ```text
//! <|channel|>analysis<|message|>…<|end|>
//! ```

use super::look::record_part;
use super::reasoning::Closer;
use super::segment::Dead;
use super::{Flow, LONGEST_SPACE, Machine, Op, Phase, Why};
use crate::format::names::ToolNames;
use crate::format::row::{Flag, Kind, Part, RouteItem, Row};
use crate::format::table::{In, Table};
use crate::scan::{AtLast, Short, Sight, is_space};
use crate::text::{Sink, Stretch};

/// Longest header, in bytes.
const LONGEST_HEADER: usize = 256;

/// What begins or ends a message: the row, and the length of its marker.
#[derive(Clone, Copy)]
pub(super) enum Boundary {
    /// A header, with what follows it and its length.
    Open(u8, Route, usize),
    /// The end of a message, of so many bytes.
    Close(usize),
    /// The header of a message of another, by a row.
    Other(u8, usize),
}

/// What a message is, and the name of the tool that it calls, in bytes of its header.
#[derive(Clone, Copy)]
pub(super) struct Route {
    kind: Kind,
    name: (usize, usize),
}

impl Machine {
    pub(super) fn has_messages(&self, table: &Table) -> bool {
        table.rows().any(|(_, row)| row.has(Part::HeadEnd))
    }

    /// What begins or ends a message at the start of a text.
    #[inline(never)]
    pub(super) fn message_boundary(&self, table: &Table, text: &[u8]) -> Sight<Option<Boundary>> {
        for (number, row) in table.rows() {
            if !row.has(Part::HeadEnd) {
                continue;
            }
            let length = row.fits(Part::MessageOpen, text, self.segment.is_last)?;
            if length > 0
                && let Some((route, length)) = self.header(row, &table.names, length, text)?
            {
                return Ok(Some(Boundary::Open(number, route, length)));
            }
            let length = row.fits(Part::MessageClose, text, self.segment.is_last)?;
            if length > 0 && self.turn.message.is_some() {
                return Ok(Some(Boundary::Close(length)));
            }
            let own = row.fits(Part::MessageOpen, text, self.segment.is_last)?;
            let length = row.fits(Part::OtherTurn, text, self.segment.is_last)?;
            if own == 0
                && length > 0
                && let Some(end) = self.head_end(row, length, text)?
            {
                return Ok(Some(Boundary::Other(number, end.0 + end.1)));
            }
        }
        Ok(None)
    }

    /// A header that has begun already, at the start of a turn.
    pub(super) fn begins_header(&self, table: &Table, text: &[u8]) -> Sight<Option<(u8, Route, usize)>> {
        for (number, row) in table.rows() {
            if row.fits(Part::MessageOpen, text, self.segment.is_last)? > 0 {
                continue;
            }
            let begins = self.turn.is_header
                || row.is(Flag::HeaderAtStart)
                || row.fits(Part::MessageBegin, text, self.segment.is_last)? > 0;
            if begins
                && row.has(Part::HeadEnd)
                && let Some((route, length)) = self.header(row, &table.names, 0, text)?
            {
                return Ok(Some((number, route, length)));
            }
        }
        Ok(None)
    }

    /// The header that goes on after so many bytes: what follows it, and where it ends.
    #[inline(never)]
    fn header(&self, row: &Row, names: &ToolNames, from: usize, text: &[u8]) -> Sight<Option<(Route, usize)>> {
        let Some((at, length)) = self.head_end(row, from, text)? else { return Ok(None) };
        let header = text.get(from..at + length).unwrap_or_default();
        let Some(mut route) = route(row, names, header, at - from) else { return Ok(None) };
        if route.kind == Kind::Call {
            if self.segment.settles {
                return Ok(None);
            }
            let body = text.get(at + length..).unwrap_or_default();
            let space = crate::scan::space_len(body);
            let body = body.get(space..).unwrap_or_default();
            if space >= LONGEST_SPACE as usize || !self.segment.begins_payload(row, None, body)? {
                return Ok(None);
            }
        }
        route.name = (route.name.0 + from, route.name.1 + from);
        Ok(Some((route, at + length)))
    }

    /// Where the header ends that goes on after so many bytes, and the length of what ends it.
    fn head_end(&self, row: &Row, from: usize, text: &[u8]) -> Sight<Option<(usize, usize)>> {
        for at in from..text.len().min(LONGEST_HEADER + from) {
            let rest = text.get(at..).unwrap_or_default();
            let length = row.fits(Part::HeadEnd, rest, self.segment.is_last)?;
            if length > 0 {
                return Ok(Some((at, length)));
            }
            // Another message begins before this header has ended.
            for part in [Part::MessageOpen, Part::MessageClose] {
                if at > from && row.fits(part, rest, self.segment.is_last)? > 0 {
                    return Ok(None);
                }
            }
        }
        Err(Short).at_last(self.segment.is_last || text.len() >= LONGEST_HEADER + from)
    }

    pub(super) fn read_boundary(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match self.message_boundary(table, text.rest()).ok().flatten() {
            Some(Boundary::Open(number, route, length)) => self.begin_message(number, route, length, table, text, sink),
            Some(Boundary::Close(length)) => {
                self.drop_marker(None, length, text, sink);
                self.turn.message = None;
                self.segment.is_in_section = false;
                // A header may follow without its opener.
                self.turn.is_start = table.rows().any(|(_, row)| row.has(Part::MessageBegin));
                Flow::Go
            }
            Some(Boundary::Other(number, length)) => self.begin_other(number, length, text, sink),
            None => {
                text.pass(1);
                Flow::Go
            }
        }
    }

    /// Another's turn begins with a marker of so many bytes: after a call the model makes it up, and all that follows.
    pub(super) fn begin_other(
        &mut self,
        number: u8,
        length: usize,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let here = text.here();
        self.emit(self.text_op(), here, sink);
        let is_made_up = self.turn.called.is_some() || self.turn.message.is_none() && self.turn.has_ended;
        let why = if is_made_up { Why::MadeUp } else { Why::Foreign };
        self.segment.row = number;
        self.segment.mark = here;
        self.segment.form.is_bare = false;
        self.segment.is_in_section = false;
        self.turn.is_start = false;
        self.turn.message = Some(Kind::Drop);
        text.pass(length);
        sink.record(Op::Begin { row: number, is_bare: false, is_json: false }.at(here, here));
        sink.record(Op::Fail(why).at(here, here));
        self.phase = Phase::Dead(if is_made_up { Dead::Turn } else { Dead::Message });
        Flow::Go
    }

    /// In another's turn, or in a message of another: up to where the next message begins, or this one ends.
    pub(super) fn read_other(
        &mut self,
        dead: Dead,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let plain = text.rest().iter().take_while(|&&byte| dead == Dead::Turn || !table.stops(byte, In::Text)).count();
        text.pass(plain);
        if text.is_at_end() {
            return Flow::Stop;
        }
        match self.message_boundary(table, text.rest()) {
            Err(Short) => return Flow::Wait,
            Ok(None) => text.pass(1),
            Ok(Some(_)) => {
                let here = text.here();
                self.end_failed(here, here, false, sink);
            }
        }
        Flow::Go
    }

    /// A message begins with a header of so many bytes.
    #[inline(never)]
    pub(super) fn begin_message(
        &mut self,
        number: u8,
        route: Route,
        length: usize,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let here = text.here();
        self.emit(self.text_op(), here, sink);
        self.segment.row = number;
        self.turn.is_start = false;
        self.turn.is_header = false;
        self.segment.is_in_section = false;
        self.turn.message = Some(route.kind);
        match route.kind {
            Kind::Reasoning => self.begin_reasoning((number, Closer::Message), length, text, sink),
            Kind::Call => {
                let at = text.at();
                self.segment.mark = here;
                let row = table.row(number);
                self.begin_call(row, row.body(), false);
                self.segment.payload = text.unit_at(at + length);
                sink.record(self.segment.begin_op().at(here, self.segment.payload));
                let (from, to) = route.name;
                if from < to {
                    record_part(Op::Name.word(), route.name, text, sink);
                }
                text.pass(length);
                self.begin_named(table.row(number), from < to, false, self.segment.payload, sink)
            }
            Kind::Text | Kind::Calls | Kind::Drop => {
                self.drop_marker(None, length, text, sink);
                Flow::Go
            }
        }
    }
}

/// What a header says, whose end marker begins at `end`; `None` if no route fits.
#[inline(never)]
fn route(row: &Row, names: &ToolNames, header: &[u8], end: usize) -> Option<Route> {
    let mut routes = row.routes();
    while let [kind, count, rest @ ..] = routes {
        let mut items = rest;
        let (mut is_exact, mut has, mut has_any, mut lacks) = (true, false, true, true);
        let (mut name, mut is_named) = ((0, 0), false);
        for _ in 0..*count {
            let [item, len, rest @ ..] = items else { break };
            let Some((content, after)) = rest.split_at_checked(usize::from(*len)) else { break };
            items = after;
            let place = header.windows(content.len().max(1)).position(|window| window == content);
            let place = if content.is_empty() { Some(0) } else { place };
            match RouteItem::from_number(u32::from(*item)) {
                Some(RouteItem::Has) => {
                    has |= place.is_some();
                    has_any = false;
                }
                Some(RouteItem::Lacks) => lacks &= place.is_none(),
                Some(RouteItem::Is) => is_exact &= content == header,
                Some(RouteItem::Name) if name.0 == name.1 => {
                    is_named = true;
                    if let Some(place) = place {
                        name = name_in(names, header, place + content.len(), end);
                    }
                }
                Some(RouteItem::Name) | None => {}
            }
        }
        routes = items;
        if is_exact && (has || has_any) && lacks && (!is_named || name.0 < name.1) {
            return Some(Route { kind: Kind::from_number(u32::from(*kind)).unwrap_or(Kind::Text), name });
        }
    }
    None
}

/// The name that begins at a place of a header. Only a tool's name may have spaces in it.
fn name_in(names: &ToolNames, header: &[u8], from: usize, end: usize) -> (usize, usize) {
    let text = header.get(from..end).unwrap_or_default();
    let spaced = names.spaced(text, true).unwrap_or_default();
    let rest = text.get(spaced..).unwrap_or_default();
    let len = rest.iter().take_while(|&&byte| !is_space(byte) && byte != b'<').count();
    (from, from + spaced + len)
}
