//! A payload in braces: keys without quotes, strings between markers.
//!
//! ```text
//! object ::= '{' (key ':' value (',' key ':' value)*)? '}'
//! key    ::= KEY | QUOTE text QUOTE
//! value  ::= QUOTE text QUOTE | object | '[' value,* ']' | word
//! ```

use super::payload::{Move, Payload};
use super::segment::Segment;
use super::{Op, Why};
use crate::format::op::Repair;
use crate::format::row::{Flag, Part, Row};
use crate::format::table::Table;
use crate::json::{JsonOp, Literal, Rule, Rules, Tokenizer};
use crate::scan::{Short, after, space_len};
use crate::text::{Record, Sink, Stretch};
use crate::xml::TreeOp;

/// Longest key or word, in bytes.
const LONGEST_WORD: usize = 1_024;

/// Where the place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Place {
    /// Before the payload's bracket.
    Open,
    /// Before a key or a closing bracket.
    Key,
    /// Before a value.
    Value,
    /// After one.
    After,
    /// In a string.
    String,
    /// In a string between plain quotes.
    PlainString,
}

/// The record of a token of JSON.
pub(super) fn json(op: JsonOp, start: u32, end: u32) -> Record {
    Record { word: op as u32, start, end }
}

/// A payload in braces.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Braces {
    place: Place,
    /// Up to where the string was emitted that is being read.
    emitted: u32,
    /// Its containers: a bit each, set for objects, below a set bit.
    levels: u64,
}

/// Whether the values are texts, which the schema types.
fn has_texts(row: &Row) -> bool {
    row.is(Flag::Texts)
}

impl Braces {
    pub(super) const START: Braces = Braces { place: Place::Open, emitted: 0, levels: 1 };

    fn push(&mut self, is_object: bool) -> bool {
        let has_room = self.levels >> 63 == 0;
        self.levels = self.levels << 1 | u64::from(is_object);
        has_room
    }

    fn is_in_object(&self) -> bool {
        self.levels & 1 == 1
    }

    fn at(&mut self, place: Place) -> Move {
        self.place = place;
        Move::Go
    }

    fn read_key(&mut self, segment: &Segment, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let here = text.here();
        let rest = text.rest();
        let front = rest.get(..LONGEST_WORD).unwrap_or(rest);
        let is_cut = front.len() < LONGEST_WORD && !segment.is_last;
        let undecided = if is_cut { Move::Wait } else { Move::Fail(Why::Malformed, here) };
        let Ok(quote) = row.fits(Part::Quote, rest, segment.is_last) else {
            return Move::Wait;
        };
        let quote = if quote == 0 && matches!(rest.first(), Some(b'"' | b'\'')) { 1 } else { quote };
        let (key, colon) = if quote > 0 {
            // Between quotes anything may stand.
            let (mark, inside) = front.split_at_checked(quote).unwrap_or((front, b""));
            let Some(len) = inside.windows(quote).position(|window| window == mark) else {
                return undecided;
            };
            let colon = 2 * quote + len + space_len(after(inside, len + quote));
            if colon == front.len() {
                return undecided;
            }
            (inside.get(..len).unwrap_or_default(), colon)
        } else {
            let Some(colon) = front.iter().position(|byte| matches!(byte, b':' | b'=' | b',' | b'}')) else {
                return undecided;
            };
            (crate::text::trim(front.get(..colon).unwrap_or_default()), colon)
        };
        let is_bare = quote == 0;
        if key.is_empty() || is_bare && key.iter().any(is_structure) || !matches!(front.get(colon), Some(b':' | b'=')) {
            return Move::Fail(Why::Malformed, here);
        }
        let from = text.at() + key.as_ptr().addr().saturating_sub(rest.as_ptr().addr());
        let (start, end) = (text.unit_at(from), text.unit_at(from + key.len()));
        if has_texts(row) && self.levels == 3 {
            sink.record(TreeOp::Open.at(start, end));
        } else {
            sink.record(json(JsonOp::KeyEnd, start, end));
        }
        text.pass(colon + 1);
        self.at(Place::Value)
    }

    fn read_value(&mut self, segment: &mut Segment, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let here = text.here();
        let rest = text.rest();
        let Ok(quote) = row.fits(Part::Quote, rest, segment.is_last) else { return Move::Wait };
        if quote > 0 {
            text.pass(quote);
            self.emitted = text.here();
            return self.at(Place::String);
        }
        if rest.first() == Some(&b'"') && row.is(Flag::PlainQuotes) && !has_texts(row) {
            segment.known.repairs |= Repair::PlainQuotes.bit();
            text.pass(1);
            self.emitted = text.here();
            return self.at(Place::PlainString);
        }
        let has_texts = has_texts(row);
        if let Some(&byte @ (b'{' | b'[')) = rest.first()
            && !has_texts
        {
            text.pass(1);
            let is_object = byte == b'{';
            sink.record(json(if is_object { JsonOp::Object } else { JsonOp::Array }, here, here + 1));
            if !self.push(is_object) {
                return Move::Fail(Why::Malformed, here);
            }
            return self.at(if is_object { Place::Key } else { Place::Value });
        }
        self.read_word(segment, row, text, sink)
    }

    /// A value without quotes, up to what ends it.
    fn read_word(&mut self, segment: &mut Segment, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let here = text.here();
        let rest = text.rest();
        let front = rest.get(..LONGEST_WORD).unwrap_or(rest);
        let Some(len) = front.iter().position(|byte| matches!(byte, b',' | b'}' | b']' | b'\n')) else {
            if front.len() < LONGEST_WORD && !segment.is_last {
                return Move::Wait;
            }
            return Move::Fail(Why::Malformed, here);
        };
        let word = crate::text::trim(front.get(..len).unwrap_or_default());
        let has_texts = row.is(Flag::Texts);
        // What has brackets may go on after a comma, and so may what only begins with a quote.
        if word.is_empty() || has_texts && (word.iter().any(is_structure) || is_open_quote(word)) {
            return Move::Fail(Why::Malformed, here);
        }
        let end = text.unit_at(text.at() + word.len());
        if has_texts {
            sink.record(TreeOp::Text.at(here, end));
            sink.record(TreeOp::Close.at(end, end));
        } else if let Some(literal) = literal(word) {
            let record = json(JsonOp::Word, here, end);
            sink.record(Record { word: record.word | (literal as u32) << 8, ..record });
        } else if is_number(word) {
            sink.record(json(JsonOp::Number, here, end));
        } else if !row.rules().has(Rule::BareWord) || word.iter().any(is_markup) {
            return Move::Fail(Why::Malformed, here);
        } else {
            // A word without quotes is a string.
            segment.known.used = segment.known.used.with(Rule::BareWord);
            let quotes = matches!(word, [b'"', .., b'"'] | [b'\'', .., b'\'']);
            let (from, to) = if quotes { (here + 1, end - 1) } else { (here, end) };
            sink.record(json(JsonOp::End, from, to));
        }
        text.pass(len);
        self.at(Place::After)
    }

    fn read_string(&mut self, segment: &Segment, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let quote = row.list(Part::Quote).next().and_then(|quote| quote.first().copied()).unwrap_or_default();
        let first = if self.place == Place::String { quote } else { b'"' };
        let is_param = has_texts(row);
        let plain = text.rest().iter().take_while(|&&byte| byte != first).count();
        text.pass(plain);
        let here = text.here();
        let from = std::mem::replace(&mut self.emitted, here);
        let is_at_end = text.is_at_end();
        let length = match self.place {
            _ if is_at_end => Err(Short),
            Place::PlainString => Ok(1),
            Place::Open | Place::Key | Place::Value | Place::After | Place::String => {
                row.fits(Part::Quote, text.rest(), segment.is_last)
            }
        };
        let ends = length.is_ok_and(|length| length > 0);
        let record = match (is_param, ends) {
            (true, _) => TreeOp::Text.at(from, here),
            (false, true) => json(JsonOp::End, from, here),
            (false, false) => json(JsonOp::Piece, from, here),
        };
        if from < here || ends {
            sink.record(record);
        }
        match length {
            Err(Short) => return if is_at_end { Move::Stop } else { Move::Wait },
            Ok(0) => {
                text.pass(1);
                return Move::Go;
            }
            Ok(length) => text.pass(length),
        }
        if is_param {
            sink.record(TreeOp::Close.at(here, here));
        }
        self.at(Place::After)
    }
}

impl Payload for Braces {
    fn begin(&mut self, _: &mut Segment, _: &Row, _: u32) {
        *self = Braces::START;
    }

    #[inline(never)]
    fn read(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let row = segment.row(table);
        let place = self.place;
        if matches!(place, Place::String | Place::PlainString) {
            return self.read_string(segment, row, text, sink);
        }
        let space = space_len(text.rest());
        text.pass(space);
        let here = text.here();
        let Some(&byte) = text.rest().first() else { return Move::Stop };
        match (place, byte) {
            (Place::Open, b'{') => {
                text.pass(1);
                if !has_texts(row) {
                    sink.record(Op::Arguments.at(here, here));
                    sink.record(json(JsonOp::Object, here, here + 1));
                }
                self.push(true);
                self.at(Place::Key)
            }
            (Place::Key | Place::Value | Place::After, b'}' | b']') => {
                if self.is_in_object() != (byte == b'}') || self.levels == 1 {
                    return Move::Fail(Why::Malformed, here);
                }
                text.pass(1);
                self.levels >>= 1;
                let is_over = self.levels == 1;
                if !(is_over && has_texts(row)) {
                    sink.record(json(JsonOp::Close, here, here + 1));
                }
                if is_over { Move::Ended(here + 1) } else { self.at(Place::After) }
            }
            (Place::After, b',') => {
                text.pass(1);
                let next = if self.is_in_object() { Place::Key } else { Place::Value };
                self.at(next)
            }
            (Place::Key, _) => self.read_key(segment, row, text, sink),
            (Place::After, _) if self.is_in_object() && !row.is(Flag::Strict) => {
                // The key says whether it is one.
                segment.known.used = segment.known.used.with(Rule::MissingComma);
                self.at(Place::Key)
            }
            (Place::Value, _) => self.read_value(segment, row, text, sink),
            (Place::Open | Place::After | Place::String | Place::PlainString, _) => Move::Fail(Why::Malformed, here),
        }
    }

    fn release(&mut self, units: u32) {
        self.emitted = self.emitted.saturating_sub(units);
    }
}

/// Whether a byte has no place in a key, nor in a text without quotes.
fn is_structure(byte: &u8) -> bool {
    matches!(byte, b'{' | b'}' | b'[' | b']')
}

/// Whether a byte can't stand in a word that is a string.
fn is_markup(byte: &u8) -> bool {
    matches!(byte, b':' | b'{' | b'[' | b'"' | b'<' | b'>')
}

/// Whether a word begins with a quote that doesn't end it.
fn is_open_quote(word: &[u8]) -> bool {
    matches!(word, [quote @ (b'"' | b'\''), rest @ ..] if rest.last() != Some(quote))
}

fn literal(word: &[u8]) -> Option<Literal> {
    match word {
        b"true" | b"True" => Some(Literal::True),
        b"false" | b"False" => Some(Literal::False),
        b"null" | b"None" => Some(Literal::Null),
        _ => None,
    }
}

/// Whether a word is a number of JSON.
fn is_number(word: &[u8]) -> bool {
    let mut tokens = Tokenizer::new(Rules::STRICT, 1);
    tokens.next(&mut Stretch::new(word, 0, false)).is_none() && tokens.open_number(0).is_some()
}
