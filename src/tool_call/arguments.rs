//! The arguments of one call, whichever way they are written: JSON, parameters, elements or text.
//!
//! ```text
//! {"a": [1]}                         {"a":[1]}
//! <parameter=a>1</parameter>         {"a":"1"}       a text, unless the format says otherwise
//! <a><b>1</b></a>                    {"a":{"b":"1"}}
//! any text                           "any text"      or the object that it is
//! ```

use super::writer::JsonWriter;
use crate::format::{Answer, Body, Trim};
use crate::json::{DEEPEST, JsonOp, JsonReading, Rule, RuleSet, Rules};
use crate::text::{Machine as _, Pending, Record, Stretch, trim, utf16_len};

/// The largest integer that every program holds.
const LARGEST: f64 = 9_007_199_254_740_991.0;

/// What an open element holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holding {
    Nothing,
    Text,
    Elements,
}

/// How the value of a parameter is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Value {
    /// It is its text, which is written while it comes.
    #[default]
    Text,
    /// It is JSON if it can be read so.
    Json,
    /// The model said that it is anything but a text.
    Typed,
    /// It is its text, without the layout or the tags around it.
    Wrapped { is_nameless: bool },
}

/// Reads and writes the arguments of one call.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    writer: JsonWriter,
    value: Value,
    /// The value, where it can be written only at its end.
    waiting: String,
    has_tags: bool,
    is_cdata: bool,
    /// Whether the value that was read last is a text.
    is_text: bool,
    /// The names of the parameters that came.
    given: Vec<String>,
    /// The elements that are open; and whether there were some.
    open: Vec<Holding>,
    has_elements: bool,
    /// A body that is a text.
    plain: Option<String>,
    /// Arguments that are JSON in a string.
    encoded: String,
}

impl Arguments {
    /// The tool is named.
    pub(super) fn begin(&mut self, body: Body) {
        self.plain = matches!(body, Body::Text | Body::Yaml).then(String::new);
    }

    pub(super) fn begin_json(&mut self) {
        self.plain = None;
        self.encoded.clear();
    }

    /// A token of JSON: of an object, or of a string that is one.
    pub(super) fn token(&mut self, op: JsonOp, record: Record, text: &str) {
        match op {
            JsonOp::Object | JsonOp::Array | JsonOp::Close => self.writer.token(op, record, text),
            _ if self.writer.depth() > 0 => self.writer.token(op, record, text),
            JsonOp::Piece | JsonOp::End => self.encoded.push_str(text),
            JsonOp::Character => self.encoded.push(char_of(record.word >> 8)),
            // `null` means no arguments, and nothing else is outside an object.
            JsonOp::KeyPiece
            | JsonOp::KeyCharacter
            | JsonOp::KeyEnd
            | JsonOp::Number
            | JsonOp::Word
            | JsonOp::Fault => {}
        }
    }

    /// Reads arguments that were written as a string, and writes them if that is wanted; the rules by which they
    /// were read.
    pub(super) fn take_encoded(&mut self, writes: bool) -> Option<u64> {
        let text = std::mem::take(&mut self.encoded);
        if matches!(trim(text.as_bytes()), b"" | b"null" | b"\"\"" | b"\"null\"") {
            return Some(0);
        }
        // All of it is there, so a quote means what it says.
        self.read_object(&text, RuleSet::Call.rules().without(Rule::UnescapedQuote), writes)
    }

    /// A parameter begins. `reads_json`: whether texts that are JSON stand for it; `has_tags`: whether a text may
    /// stand in tags of its own.
    pub(super) fn param(&mut self, name: &str, is_nameless: bool, reads_json: bool, has_tags: bool) {
        self.writer.member(name);
        self.given.push(name.to_owned());
        self.waiting.clear();
        (self.has_tags, self.is_cdata) = (has_tags, false);
        self.value = if is_nameless || has_tags {
            Value::Wrapped { is_nameless }
        } else if reads_json {
            Value::Json
        } else {
            Value::Text
        };
    }

    /// The model says whether its value is a text.
    pub(super) fn param_type(&mut self, is_text: bool) {
        self.value = if is_text { Value::Text } else { Value::Typed };
    }

    /// Adds to the text of a parameter, of an element or of the body.
    pub(super) fn text(&mut self, text: &str) {
        if let Some(plain) = &mut self.plain {
            plain.push_str(text);
        } else if let Some(holding) = self.open.last_mut() {
            *holding = Holding::Text;
            self.writer.string(text);
        } else if self.value != Value::Text {
            self.waiting.push_str(text);
        } else if self.writer.depth() > 0 {
            self.writer.string(text);
        }
    }

    /// Adds to such a text; that of a parameter is CDATA.
    pub(super) fn cdata(&mut self, text: &str) {
        self.is_cdata = true;
        self.text(text);
    }

    /// Adds a character to such a text, by its code.
    pub(super) fn character(&mut self, code: u32) {
        match char::from_u32(code) {
            None if self.plain.is_none() && self.value == Value::Text => self.writer.character(code),
            c => self.text(c.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut [0; 4])),
        }
    }

    /// The parameter ends.
    pub(super) fn param_end(&mut self, has_python: bool, trim: Trim) {
        let waiting = std::mem::take(&mut self.waiting);
        let value = std::mem::replace(&mut self.value, Value::Text);
        let literals: &[RuleSet] = match value {
            Value::Json if !self.is_cdata => &[RuleSet::Strict, RuleSet::Kept],
            Value::Typed if has_python => &[RuleSet::Strict, RuleSet::Kept, RuleSet::Python, RuleSet::PythonKept],
            Value::Typed => &[RuleSet::Strict, RuleSet::Kept],
            Value::Text | Value::Json | Value::Wrapped { .. } => &[],
        };
        let is_huge = value == Value::Json && is_huge(&waiting);
        let literal = literals.iter().filter(|_| !is_huge).find_map(|rules| read(waiting.trim(), rules.rules()));
        self.is_text = literal.is_none();
        if let Some((records, _)) = literal {
            return self.write(waiting.trim(), &records);
        }
        let mut text = waiting.as_str();
        if let Value::Wrapped { is_nameless } = value {
            if is_nameless {
                text = trimmed(text, trim);
            }
            if self.has_tags && !self.is_cdata {
                text = without_tags(text);
            }
        }
        if value != Value::Text {
            self.writer.string(text);
        }
        self.writer.end_string();
    }

    /// Whether a parameter of the name came.
    pub(super) fn has_param(&self, name: &str) -> bool {
        self.given.iter().any(|given| given == name)
    }

    /// Whether the value that was read last is a text.
    pub(super) fn is_text(&self) -> bool {
        self.is_text
    }

    /// An argument: a name and a text.
    pub(super) fn member(&mut self, name: &str, value: &str) {
        self.writer.member(name);
        self.writer.string(value);
        self.writer.end_string();
    }

    /// An argument begins whose text comes.
    pub(super) fn element(&mut self, name: &str) {
        self.writer.member(name);
    }

    /// That text has ended.
    pub(super) fn end_text(&mut self) {
        self.writer.end_string();
    }

    /// An element opens.
    pub(super) fn open(&mut self, name: &str) {
        self.plain = None;
        self.has_elements = true;
        if let Some(holding) = self.open.last_mut()
            && std::mem::replace(holding, Holding::Elements) != Holding::Elements
        {
            self.writer.open_object();
        }
        self.writer.member(name);
        self.open.push(Holding::Nothing);
    }

    /// It closes.
    pub(super) fn close(&mut self) {
        match self.open.pop() {
            Some(Holding::Elements) => self.writer.close_last(),
            Some(Holding::Nothing | Holding::Text) => self.writer.end_string(),
            None => {}
        }
    }

    /// Whether there were elements.
    pub(super) fn has_elements(&self) -> bool {
        self.has_elements
    }

    /// Whether one is open.
    pub(super) fn is_in_element(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes a body that is a text: an object, which a `{` begins, or a string.
    pub(super) fn take_plain(&mut self) -> Answer {
        let text = self.plain.as_deref().unwrap_or_default().trim().to_owned();
        if text.is_empty() || text.starts_with('{') {
            return if self.take_object() { Answer::Accept } else { Answer::Malformed };
        }
        self.plain = Some(text);
        Answer::Accept
    }

    /// Takes it if it is an object.
    pub(super) fn take_object(&mut self) -> bool {
        let text = self.plain.as_deref().unwrap_or_default().trim().to_owned();
        let is_object = self.read_object(&text, RuleSet::Call.rules(), true).is_some();
        if is_object {
            self.plain = None;
        }
        is_object
    }

    /// Reads an object in a text, and writes it if that is wanted; the rules by which it was read.
    pub(super) fn read_object(&mut self, text: &str, rules: Rules, writes: bool) -> Option<u64> {
        let (records, used) = read(text, rules)?;
        if records.first().and_then(|&record| JsonOp::of(record)) != Some(JsonOp::Object) {
            return None;
        }
        if writes {
            self.write(text, &records);
        }
        Some(u64::from(used.bits()))
    }

    /// Writes JSON that was read in a text.
    fn write(&mut self, text: &str, records: &[Record]) {
        let mut pending = Pending::default();
        pending.push(text);
        let mut slices = pending.slices((0, 0));
        for &record in records {
            if let Some(op) = JsonOp::of(record) {
                self.writer.token(op, record, slices.slice(record.start, record.end));
            }
        }
    }

    /// There are no more. A body that is a text is one.
    pub(super) fn finish(&mut self) {
        match self.plain.take() {
            Some(text) => {
                self.writer.string(&text);
                self.writer.end_string();
            }
            None => self.writer.close(),
        }
    }

    /// How much was written.
    pub(super) fn len(&self) -> usize {
        self.writer.len()
    }

    /// What was written since this was asked last.
    pub(super) fn take(&mut self) -> Option<String> {
        self.writer.take()
    }

    pub(super) fn json(&mut self) -> String {
        std::mem::take(&mut self.writer).json()
    }

    /// The JSON as it would be if the arguments ended here.
    pub(super) fn whole(&self) -> String {
        let mut copy = self.clone();
        copy.finish();
        copy.json()
    }
}

/// Half a surrogate pair, which no text in Rust can hold, is U+FFFD.
pub(super) fn char_of(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The tokens of a text that is JSON, and the rules by which it was read.
fn read(text: &str, rules: Rules) -> Option<(Vec<Record>, Rules)> {
    let mut reading = JsonReading::new(rules, DEEPEST);
    let mut records = Vec::new();
    reading.run(&(), &mut Stretch::new(text.as_bytes(), 0, false), &mut records);
    reading.finish(utf16_len(text.as_bytes()), &mut records);
    (!reading.has_failed() && !records.is_empty()).then(|| (records, reading.used()))
}

/// Whether a text is a whole number that not every program holds: then what it is for isn't known.
fn is_huge(text: &str) -> bool {
    let is_number = |text: &str| text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let number = Some(text.trim()).filter(|text| is_number(text)).and_then(|text| text.parse::<f64>().ok());
    number.is_some_and(|number| number.fract() == 0.0 && number.abs() > LARGEST)
}

/// A value without the layout around it that a row trims.
fn trimmed(text: &str, trim: Trim) -> &str {
    match trim {
        Trim::All => text.trim(),
        Trim::Line => without_lines(text),
        Trim::Nothing | Trim::Block => text,
    }
}

/// A text without the line end before it, and that after it.
fn without_lines(text: &str) -> &str {
    let text = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}

/// A value without the tags that say that it is one, if it is nothing else.
fn without_tags(text: &str) -> &str {
    let is_tag = |part: Option<&str>, tag: &str| part.is_some_and(|part| part.eq_ignore_ascii_case(tag));
    let inner = text.trim();
    let Some(end) = inner.len().checked_sub("</value>".len()).filter(|end| *end >= "<value>".len()) else {
        return text;
    };
    if !is_tag(inner.get(.."<value>".len()), "<value>") || !is_tag(inner.get(end..), "</value>") {
        return text;
    }
    let value = inner.get("<value>".len()..end).unwrap_or_default();
    let lower = value.to_ascii_lowercase();
    if lower.contains("<value>") || lower.contains("</value>") { text } else { without_lines(value) }
}
