//! The elements of a text: what opens, what closes, what was never closed.
//!
//! ```text
//! content ::= (text | element | cdata | comment)*
//! element ::= '<' name attributes '>' content '</' name '>' | '<' name attributes '/>'
//! ```
//!
//! Source: XML 1.0, production 39 to 43. For what isn't well-formed there is an
//! answer too: an element that was never closed is abandoned when one around it
//! closes, a closing tag that nothing opened stays text, and what encloses
//! either is spoiled, so that its text can be taken as it is.
//! Differences: names mean the same in any case of ASCII letters.

use super::op::{Element, ElementOp};
use super::state::{Action, State, step_on};
use crate::text::{Sink, Stretch, units_of};

/// Deepest nesting. An element that is deeper is text, and spoils what it is in.
pub const DEEPEST_ELEMENT: usize = 64;

/// Longest name of an element in bytes. A longer one is text.
pub const LONGEST_ELEMENT: usize = 64;

/// Elements with a meaning.
const KNOWN: [(&[u8], Element); 3] =
    [(b"arg", Element::Arg), (b"item", Element::Item), (b"arguments", Element::Arguments)];

/// What may stand behind `<!`, in lower case.
const CDATA: &[u8] = b"<![cdata[";
const COMMENT: &[u8] = b"<!--";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Text,
    Tag(State),
    /// `<!|`, with so much of either read.
    Declaration {
        read: u8,
        may_be_cdata: bool,
        may_be_comment: bool,
    },
    /// In a CDATA section, behind so many of its closing brackets.
    CData {
        brackets: u8,
    },
    /// In a comment, behind so many of its closing dashes.
    Comment {
        dashes: u8,
    },
}

/// A name on the stack.
#[derive(Clone, Copy, Debug)]
struct Name {
    len: u8,
    bytes: [u8; LONGEST_ELEMENT],
}

impl Name {
    const EMPTY: Name = Name { len: 0, bytes: [0; LONGEST_ELEMENT] };

    /// Puts a byte behind it; false if there is no room.
    fn add(&mut self, byte: u8) -> bool {
        let Some(room) = self.bytes.get_mut(usize::from(self.len)) else { return false };
        *room = byte.to_ascii_lowercase();
        self.len += 1;
        true
    }

    fn text(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }
}

/// Reads the elements of one text. Places are UTF-16 code units from its start.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    phase: Phase,
    /// The tag that is being read.
    name: Name,
    is_closer: bool,
    tag_from: u32,
    name_from: u32,
    name_to: u32,
    /// The attribute's name as far as it fits `name`, its length when it is another.
    attribute: u8,
    is_name: bool,
    value_from: u32,
    value: Option<(u32, u32)>,
    attributes: u32,
    inner_from: u32,
    stack: [Name; DEEPEST_ELEMENT],
    depth: usize,
    /// Elements that are deeper, whose closing tags close nothing on the stack.
    deeper: u32,
}

const ATTRIBUTE: &[u8] = b"name";

/// An attribute's name that is another.
const ANOTHER: u8 = u8::MAX;

impl Elements {
    /// At the start of a text.
    pub const START: Elements = Elements {
        phase: Phase::Text,
        name: Name::EMPTY,
        is_closer: false,
        tag_from: 0,
        name_from: 0,
        name_to: 0,
        attribute: 0,
        is_name: false,
        value_from: 0,
        value: None,
        attributes: 0,
        inner_from: 0,
        stack: [Name::EMPTY; DEEPEST_ELEMENT],
        depth: 0,
        deeper: 0,
    };

    /// Most records that one byte makes.
    const ROOM: usize = DEEPEST_ELEMENT + 4;

    /// Reads a stretch that begins at unit `from` of the text; gives the unit
    /// where to read on.
    pub fn run(&mut self, bytes: &[u8], from: u32, sink: &mut impl Sink) -> u32 {
        let mut text = Stretch::new(bytes, from, false);
        let mut here = from;
        while let Some(&byte) = text.rest().first() {
            if sink.lacks_room_for(Elements::ROOM) {
                break;
            }
            let next = here + units_of(byte);
            if self.step(byte, here, next, sink) {
                text.pass(1);
                here = next;
            }
        }
        here
    }

    /// The end of the text: what is open was never closed.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        while self.depth > 0 {
            self.depth -= 1;
            sink.record(ElementOp::Abandon.at(0, 0));
        }
        if !matches!(self.phase, Phase::Text | Phase::Tag(State::Open | State::Name | State::CloserName)) {
            sink.record(ElementOp::Spoil.at(0, 0));
        }
    }

    /// One byte; false if it has to be read again.
    fn step(&mut self, byte: u8, here: u32, next: u32, sink: &mut impl Sink) -> bool {
        match self.phase {
            Phase::Text => {
                if byte == b'<' {
                    self.begin(here);
                }
                true
            }
            Phase::Tag(State::Open) if byte == b'!' => {
                self.phase = Phase::Declaration { read: 2, may_be_cdata: true, may_be_comment: true };
                true
            }
            Phase::Tag(state) => self.step_tag(state, byte, here, next, sink),
            Phase::Declaration { read, may_be_cdata, may_be_comment } => {
                let fits = |literal: &[u8], may: bool| {
                    may && literal.get(usize::from(read)) == Some(&byte.to_ascii_lowercase())
                };
                let (may_be_cdata, may_be_comment) = (fits(CDATA, may_be_cdata), fits(COMMENT, may_be_comment));
                let read = read + 1;
                self.phase = if may_be_cdata && usize::from(read) == CDATA.len() {
                    self.inner_from = next;
                    Phase::CData { brackets: 0 }
                } else if may_be_comment && usize::from(read) == COMMENT.len() {
                    Phase::Comment { dashes: 0 }
                } else if may_be_cdata || may_be_comment {
                    Phase::Declaration { read, may_be_cdata, may_be_comment }
                } else {
                    Phase::Text
                };
                self.phase != Phase::Text
            }
            Phase::CData { brackets } => {
                self.phase = match byte {
                    b']' => Phase::CData { brackets: 2.min(brackets + 1) },
                    b'>' if brackets == 2 => {
                        sink.record(ElementOp::Inner.at(self.inner_from, here - 2));
                        sink.record(ElementOp::CData.at(self.tag_from, next));
                        Phase::Text
                    }
                    _ => Phase::CData { brackets: 0 },
                };
                true
            }
            Phase::Comment { dashes } => {
                self.phase = match byte {
                    b'-' => Phase::Comment { dashes: 2.min(dashes + 1) },
                    b'>' if dashes == 2 => {
                        // A comment is an empty piece of text that is taken as it is.
                        sink.record(ElementOp::Inner.at(self.tag_from, self.tag_from));
                        sink.record(ElementOp::CData.at(self.tag_from, next));
                        Phase::Text
                    }
                    _ => Phase::Comment { dashes: 0 },
                };
                true
            }
        }
    }

    fn begin(&mut self, here: u32) {
        self.phase = Phase::Tag(State::Open);
        self.name = Name::EMPTY;
        self.is_closer = false;
        self.tag_from = here;
        self.value = None;
        self.attributes = 0;
    }

    fn step_tag(&mut self, before: State, byte: u8, here: u32, next: u32, sink: &mut impl Sink) -> bool {
        let (state, action) = step_on(before, byte);
        self.phase = Phase::Tag(state);
        match action {
            Action::Fail => {
                self.phase = Phase::Text;
                return false;
            }
            Action::Hold | Action::Space | Action::Inner => {}
            Action::Closer => self.is_closer = true,
            Action::Name => {
                let is_first = self.name.len == 0;
                if is_first {
                    self.name_from = here;
                }
                let is_letter = byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80;
                let fits = is_letter || !is_first && (byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b':'));
                if !fits || !self.name.add(byte) {
                    self.phase = Phase::Text;
                    return false;
                }
            }
            Action::NameEnd => self.name_to = here,
            Action::NameTag => {
                self.name_to = here;
                self.tag(false, next, sink);
            }
            Action::AttributeStart => {
                self.attributes += 1;
                self.attribute = 0;
                self.attribute_byte(byte);
            }
            Action::Attribute => self.attribute_byte(byte),
            Action::AttributeEnd => self.is_name = usize::from(self.attribute) == ATTRIBUTE.len(),
            Action::ValueAfter => self.value_from = next,
            Action::ValueHere => self.value_from = here,
            Action::ValueEnd => self.value(here),
            Action::ValueTag => {
                self.value(here);
                self.tag(false, next, sink);
            }
            Action::Tag => self.tag(false, next, sink),
            Action::EmptyTag => self.tag(true, next, sink),
        }
        true
    }

    fn attribute_byte(&mut self, byte: u8) {
        let is_next = ATTRIBUTE.get(usize::from(self.attribute)) == Some(&byte.to_ascii_lowercase());
        self.attribute = if is_next { self.attribute + 1 } else { ANOTHER };
    }

    fn value(&mut self, here: u32) {
        if std::mem::take(&mut self.is_name) && self.value.is_none() {
            self.value = Some((self.value_from, here));
        }
    }

    fn tag(&mut self, is_empty: bool, next: u32, sink: &mut impl Sink) {
        self.phase = Phase::Text;
        if self.is_closer {
            self.close(next, sink);
            return;
        }
        let known = KNOWN.iter().find(|(name, _)| *name == self.name.text()).map(|&(_, element)| element);
        let element = match known {
            Some(Element::Arg) if self.value.is_none() => Element::Other,
            Some(element) => element,
            None => Element::Other,
        };
        let Some(slot) = self.stack.get_mut(self.depth) else {
            self.deeper += u32::from(!is_empty);
            sink.record(ElementOp::Spoil.at(self.tag_from, next));
            return;
        };
        sink.record(ElementOp::Name.at(self.name_from, self.name_to));
        if let Some((start, end)) = self.value {
            sink.record(ElementOp::NameValue.at(start, end));
        }
        let has_attributes = self.attributes > u32::from(element == Element::Arg);
        sink.record(ElementOp::Open { element, has_attributes }.at(self.tag_from, next));
        if is_empty {
            sink.record(ElementOp::Close.at(next, next));
        } else {
            *slot = self.name;
            self.depth += 1;
        }
    }

    fn close(&mut self, next: u32, sink: &mut impl Sink) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let open = self.stack.get(..self.depth).unwrap_or_default();
        let Some(at) = open.iter().rposition(|name| name.text() == self.name.text()) else {
            sink.record(ElementOp::Spoil.at(self.tag_from, next));
            return;
        };
        while self.depth > at + 1 {
            self.depth -= 1;
            sink.record(ElementOp::Abandon.at(0, 0));
        }
        self.depth = at;
        sink.record(ElementOp::Close.at(self.tag_from, next));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Record;

    /// The records of a text, at one cut.
    fn read(text: &str, cut: usize) -> String {
        let mut elements = Elements::START;
        let mut records = Vec::new();
        let (front, back) = text.split_at(cut);
        let at = elements.run(front.as_bytes(), 0, &mut records);
        elements.run(back.as_bytes(), at, &mut records);
        elements.finish(&mut records);
        let units: Vec<u16> = text.encode_utf16().collect();
        let slice = |record: &Record| {
            String::from_utf16_lossy(units.get(record.start as usize..record.end as usize).unwrap_or_default())
        };
        let lines = records.iter().map(|record| match record.word & 0xF {
            1 => slice(record),
            2 => format!("={}", slice(record)),
            3 => {
                let is_argument = record.word >> 4 & 0xF == Element::Arg as u32;
                let [argument, attributes] = [(is_argument, "*"), (record.word & 0x100 != 0, "@")]
                    .map(|(is_there, mark)| if is_there { mark } else { "" });
                format!("{argument}{attributes}(")
            }
            4 => ") ".to_owned(),
            5 => "~ ".to_owned(),
            6 => "! ".to_owned(),
            7 => format!("[{}", slice(record)),
            _ => "] ".to_owned(),
        });
        lines.collect::<String>().trim_end().to_owned()
    }

    #[test]
    fn what_opens_and_what_closes() {
        for (text, expected) in [
            ("plain < text & a<3", ""),
            ("<arg name=\"x\">v</arg>", "arg=x*() "),
            ("<ARG Name='x' >v</arg >", "ARG=x*() "),
            ("<p>1</p><q/>", "p() q() "),
            ("<div class='a' name=b>x</div>", "div=b@() "),
            ("<arg name='x' y>v</arg>", "arg=x*@() "),
            ("<arg>v</arg>", "arg() "),
            ("<arg name='c' name='d'>v</arg>", "arg=c*@() "),
            ("<arg other='c'>v</arg>", "arg@() "),
            ("<_a-1>", "_a-1(~ "),
            ("<!-x><a>", "a(~ "),
            ("<!---><a>", "! "),
            ("<!-- > -> --><a>", "[] a(~ "),
            ("<![CDATA[ > ]> ]]>", "[ > ]> ] "),
            ("<arg name='c'>List<String> x</arg>", "arg=c*(String(~ ) "),
            ("<a><b></c></a>", "a(b(! ~ ) "),
            ("a</b>", "! "),
            ("<a", ""),
            ("<a b", "! "),
            ("<a><", "a(~ "),
            ("<![CDATA[<a>]]]><b/><!-- <c> --><!d>", "[<a>]] b() [] "),
            ("<水>é🙂</水>", "水() "),
            ("<1>< x><-a>", ""),
        ] {
            for cut in (0..=text.len()).filter(|&cut| text.is_char_boundary(cut)) {
                assert_eq!(read(text, cut), expected.trim_end(), "{text} at {cut}");
            }
        }
    }

    #[test]
    fn too_deep_and_too_long_is_text() {
        let deep = format!("{}{}", "<a>".repeat(DEEPEST_ELEMENT + 1), "</a>".repeat(DEEPEST_ELEMENT + 1));
        let read_deep = read(&deep, 0);
        assert_eq!(read_deep.matches('(').count(), DEEPEST_ELEMENT);
        assert_eq!(read_deep.matches('!').count(), 1);
        assert_eq!(read_deep.matches(')').count(), DEEPEST_ELEMENT);
        assert!(!read_deep.contains('~'));
        assert_eq!(read(&format!("<{}>", "x".repeat(LONGEST_ELEMENT + 1)), 0), "");
    }
}
