//! Writes the arguments of a call as JSON without layout, token by token.
//!
//! Values stay as they were written: without a schema nothing says otherwise.

use crate::json::{JsonOp, Literal};
use crate::text::Record;

/// What was written of one call's arguments, and what is open in it.
#[derive(Clone, Debug, Default)]
pub(super) struct JsonWriter {
    json: String,
    /// Up to where it was emitted.
    emitted: usize,
    /// What closes each open container, and whether it has a value.
    open: Vec<(char, bool)>,
    is_in_string: bool,
    is_behind_key: bool,
}

impl JsonWriter {
    /// How many containers are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// How much was written.
    pub(super) fn len(&self) -> usize {
        self.json.len()
    }

    /// A member of an object begins: of the innermost, or of one that opens with it.
    pub(super) fn member(&mut self, name: &str) {
        if self.open.is_empty() {
            self.open_object();
        }
        self.string(name);
        self.end_key();
    }

    /// An object opens.
    pub(super) fn open_object(&mut self) {
        self.push('{', '}');
    }

    /// The innermost container closes.
    pub(super) fn close_last(&mut self) {
        self.pop();
    }

    /// A string ends; an empty one, if none has begun.
    pub(super) fn end_string(&mut self) {
        self.begin_string();
        self.quote();
    }

    fn end_key(&mut self) {
        self.end_string();
        self.json.push(':');
        self.is_behind_key = true;
    }

    /// What was written since this was asked last.
    pub(super) fn take(&mut self) -> Option<String> {
        let piece = self.json.get(self.emitted..).filter(|piece| !piece.is_empty()).map(str::to_owned);
        self.emitted = self.json.len();
        piece
    }

    /// Closes what is open; an object without members if nothing was written.
    pub(super) fn close(&mut self) {
        while !self.open.is_empty() {
            self.pop();
        }
        if self.json.is_empty() {
            self.json.push_str("{}");
        }
    }

    pub(super) fn json(self) -> String {
        self.json
    }

    /// Writes a token, with the text at its place.
    pub(super) fn token(&mut self, op: JsonOp, record: Record, text: &str) {
        let detail = record.word >> 8;
        match op {
            JsonOp::Object => self.push('{', '}'),
            JsonOp::Array => self.push('[', ']'),
            JsonOp::Close => self.pop(),
            JsonOp::Piece | JsonOp::KeyPiece => self.string(text),
            JsonOp::Character | JsonOp::KeyCharacter => self.character(detail),
            JsonOp::End => {
                self.string(text);
                self.end_string();
            }
            JsonOp::KeyEnd => {
                self.string(text);
                self.end_key();
            }
            JsonOp::Number => {
                self.begin();
                self.number(text);
            }
            JsonOp::Word => {
                self.begin();
                let words = [Literal::False, Literal::True, Literal::Null];
                let word = words.into_iter().zip(["false", "true", "null"]).find(|(word, _)| *word as u32 == detail);
                self.json.push_str(word.map_or("null", |(_, name)| name));
            }
            JsonOp::Fault => {}
        }
    }

    /// Before a value, or a key.
    fn begin(&mut self) {
        if std::mem::take(&mut self.is_behind_key) {
            return;
        }
        if let Some((_, has_value)) = self.open.last_mut()
            && std::mem::replace(has_value, true)
        {
            self.json.push(',');
        }
    }

    fn push(&mut self, opening: char, closing: char) {
        self.begin();
        self.json.push(opening);
        self.open.push((closing, false));
    }

    fn pop(&mut self) {
        if let Some((closing, _)) = self.open.pop() {
            self.json.push(closing);
        }
    }

    fn begin_string(&mut self) {
        if !std::mem::replace(&mut self.is_in_string, true) {
            self.begin();
            self.json.push('"');
        }
    }

    fn quote(&mut self) {
        self.is_in_string = false;
        self.json.push('"');
    }

    /// Adds to the open string; begins one if none is open.
    pub(super) fn string(&mut self, text: &str) {
        self.begin_string();
        for c in text.chars() {
            match c {
                '"' => self.json.push_str("\\\""),
                '\\' => self.json.push_str("\\\\"),
                '\n' => self.json.push_str("\\n"),
                '\r' => self.json.push_str("\\r"),
                '\t' => self.json.push_str("\\t"),
                '\u{8}' => self.json.push_str("\\b"),
                '\u{c}' => self.json.push_str("\\f"),
                '\0'..='\u{1f}' => self.json.push_str(&format!("\\u{:04x}", u32::from(c))),
                _ => self.json.push(c),
            }
        }
    }

    /// More of a string, as a character. Half a surrogate pair stays the escape that it was.
    pub(super) fn character(&mut self, code: u32) {
        self.begin_string();
        match char::from_u32(code) {
            Some(c) => self.string(c.encode_utf8(&mut [0; 4])),
            None => self.json.push_str(&format!("\\u{code:04x}")),
        }
    }

    /// As it is written, as far as JSON has such numbers: no plus, no leading zeros, digits on both sides of a point.
    fn number(&mut self, written: &str) {
        let (sign, digits) = match written.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", written.strip_prefix('+').unwrap_or(written)),
        };
        let radix = [("x", 16), ("X", 16), ("o", 8), ("O", 8), ("b", 2), ("B", 2)];
        let number = radix
            .iter()
            .find_map(|&(mark, radix)| u128::from_str_radix(digits.strip_prefix('0')?.strip_prefix(mark)?, radix).ok());
        if let Some(number) = number {
            self.json.push_str(&format!("{sign}{number}"));
            return;
        }
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (whole, rest) = digits.split_at(end);
        let (fraction, exponent) = rest.split_at(rest.find(['e', 'E']).unwrap_or(rest.len()));
        // `Infinity` and `NaN` are what JavaScript writes of them.
        if whole.is_empty() && fraction.len() < 2 || !fraction.is_empty() && !fraction.starts_with('.') {
            self.json.push_str("null");
            return;
        }
        let whole = whole.trim_start_matches('0');
        self.json.push_str(sign);
        self.json.push_str(if whole.is_empty() { "0" } else { whole });
        self.json.push_str(if fraction == "." { "" } else { fraction });
        self.json.push_str(exponent);
    }
}
