//! The elements of a text: what opens, what closes, what was never closed.
//!
//! ```text
//! content ::= (text | element | cdata | comment)*
//! element ::= '<' name attributes '>' content '</' name '>' | '<' name attributes '/>'
//! ```
//!
//! Source: XML 1.0, productions 39 to 43. Text that isn't well-formed is read, too:
//! an element that was never closed is abandoned when one around it closes, a
//! closing tag that nothing opened stays text, and the element around either is
//! spoiled, so that its text can be taken as it is.
//! A closing tag of an argument ends it only where the arguments go on: see `closer.rs`. The last one may be
//! missing before that of what is around it.
//! Differences: names mean the same in any case of ASCII letters.

use super::cdata::CDATA_OPENER;
use super::closer::{After, Closer, Closing};
use super::op::{Element, ElementOp};
use super::state::Action;
use super::tag::{self, Place, TagReader, is_in_name, is_letter};
use crate::scan::{Entry, Literals, Prefix, is_space};
use crate::text::{Sink, Stretch, units_of};

/// Deepest nesting. A deeper element is text, and spoils the element around it.
pub const DEEPEST_ELEMENT: usize = 64;

/// Longest name of an element in bytes. A longer one is text.
pub const LONGEST_ELEMENT: usize = 64;

/// Elements with a meaning.
const KNOWN: [(&[u8], Element); 3] =
    [(b"arg", Element::Arg), (b"item", Element::Item), (b"arguments", Element::Arguments)];

/// What may follow `<!`, in lower case; a class is a place in [`ENDS`].
const MARKS: Literals<'static> = Literals {
    bytes: b"--[cdata[",
    entries: &[Entry { start: 0, len: 2, class: 0 }, Entry { start: 2, len: 7, class: 1 }],
};

/// What ends a comment and a CDATA section: two of these before a `>`.
const ENDS: [u8; 2] = [b'-', b']'];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Phase {
    Text,
    Tag,
    /// After `<!` and the start of a mark.
    Declaration(Prefix),
    /// In a comment or a CDATA section, after so many of the two bytes that end it.
    Verbatim {
        end: u8,
        read: u8,
    },
}

type Name = tag::Name<LONGEST_ELEMENT>;

/// Reads the elements of one text. Places are UTF-16 code units from its start.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Elements {
    phase: Phase,
    tag: TagReader,
    /// The tag's name in lower case.
    name: Name,
    /// How much of `name` the attribute's name has, or [`ANOTHER`].
    attribute: u8,
    /// The value of the tag's first attribute `name`.
    value: Option<Place>,
    attributes: u32,
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    stack: [Name; DEEPEST_ELEMENT],
    depth: usize,
    /// Which of them are arguments, a bit each.
    arguments: u64,
    /// Elements that are deeper, whose closing tags close nothing on the stack.
    deeper: u32,
    /// After an argument that no other is around, while a closing tag may follow that is its own.
    closed: Option<Closer>,
    /// How deep it stood, and whether it closed without a tag, before that of what is around it.
    base: usize,
    around: Option<Name>,
    /// Whether the argument that is open has another one in it.
    is_mixed: bool,
    at: u32,
}

/// What closes the arguments, and what opens another tool: an argument before it has ended.
const ENCLOSING: [&[u8]; 2] = [b"arguments", b"tool"];
const TOOLS: [&[u8]; 3] = [b"tool", b"run_bash", b"write_file"];
const ARG: &[u8] = b"arg";

const ATTRIBUTE: &[u8] = b"name";

/// Any other name of an attribute.
const ANOTHER: u8 = u8::MAX;

impl Elements {
    /// At the start of a text.
    pub const START: Elements = Elements {
        phase: Phase::Text,
        tag: TagReader::REST,
        name: Name::EMPTY,
        attribute: 0,
        value: None,
        attributes: 0,
        stack: [Name::EMPTY; DEEPEST_ELEMENT],
        depth: 0,
        arguments: 0,
        deeper: 0,
        closed: None,
        base: 0,
        around: None,
        is_mixed: false,
        at: 0,
    };

    /// Most records that one byte makes.
    const ROOM: usize = DEEPEST_ELEMENT + 4;

    /// Reads a stretch that begins at unit `from` of the text; returns the unit
    /// where to read on.
    pub fn run(&mut self, bytes: &[u8], from: u32, sink: &mut impl Sink) -> u32 {
        let mut text = Stretch::new(bytes, from, false);
        let mut here = from;
        while let Some(&byte) = text.rest().first() {
            if sink.lacks_room_for(Elements::ROOM) {
                break;
            }
            let next = here + units_of(byte);
            let after = if self.phase == Phase::Text { After::of(byte, is_space(byte)) } else { After::Space };
            let closed = self.closed.is_some();
            if self.step(byte, here, next, sink) {
                text.pass(1);
                here = next;
                if closed {
                    self.follow(after, units_of(byte), sink);
                }
            } else if let Some(closer) = &mut self.closed {
                closer.is_direct = false;
            }
        }
        self.at = here;
        here
    }

    /// After an argument: a byte more of what follows it.
    fn follow(&mut self, after: After, units: u32, sink: &mut impl Sink) {
        let closing = self.closed.as_mut().map(|closer| closer.step(after, units));
        if closing == Some(Closing::Ends) {
            self.end_argument(sink);
        }
    }

    /// The argument that closed last has ended.
    fn end_argument(&mut self, sink: &mut impl Sink) {
        let is_followed = self.closed.take().is_some_and(|closer| !closer.is_direct);
        if self.around.take().is_none() && is_followed {
            sink.record(ElementOp::Stray.at(0, 0));
        }
    }

    /// How many elements are open around the argument that closed last.
    fn outside(&self) -> usize {
        self.base.saturating_sub(usize::from(self.around.is_some()))
    }

    /// Whether the innermost element is an argument, that no other is around and none is in.
    fn is_plain_argument(&self) -> bool {
        self.depth > 0 && !self.is_mixed && self.is_outermost_argument(self.depth - 1)
    }

    /// Whether the element at a depth is an argument, and none around it is.
    fn is_outermost_argument(&self, at: usize) -> bool {
        let upto = u64::MAX >> (u64::BITS as usize - 1 - at.min(DEEPEST_ELEMENT - 1));
        self.arguments & upto == 1 << at
    }

    /// The closing tag of the innermost element is missing.
    fn close_without_tag(&mut self, at: u32, sink: &mut impl Sink) {
        sink.record(ElementOp::Lacks.at(at, at));
        sink.record(ElementOp::Close.at(at, at));
        self.depth = self.depth.saturating_sub(1);
    }

    /// The end of the text: what is open was never closed.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        self.end_argument(sink);
        if self.phase == Phase::Text && self.is_plain_argument() {
            self.close_without_tag(self.at, sink);
        }
        while self.depth > 0 {
            self.abandon(sink);
        }
        if !matches!(self.phase, Phase::Text | Phase::Tag) || self.tag.is_after_name() {
            sink.record(ElementOp::Spoil.at(0, 0));
        }
    }

    /// One byte; false if it has to be read again.
    fn step(&mut self, byte: u8, here: u32, next: u32, sink: &mut impl Sink) -> bool {
        self.phase = match self.phase {
            Phase::Text if byte == b'<' => {
                self.tag = TagReader::begin(here);
                self.name = Name::EMPTY;
                self.value = None;
                self.attributes = 0;
                Phase::Tag
            }
            Phase::Text => Phase::Text,
            Phase::Tag if byte == b'!' && here == self.tag.from + 1 => Phase::Declaration(MARKS.start()),
            Phase::Tag => return self.step_tag(byte, here, next, sink),
            Phase::Declaration(read) => {
                let read = MARKS.step(read, byte.to_ascii_lowercase());
                let end = MARKS.exact(read).and_then(|mark| ENDS.get(usize::from(mark)).copied());
                match end {
                    Some(end) => Phase::Verbatim { end, read: 0 },
                    None if read.is_alive() => Phase::Declaration(read),
                    None => {
                        self.phase = Phase::Text;
                        return false;
                    }
                }
            }
            Phase::Verbatim { end, read: 2 } if byte == b'>' => {
                let from = self.tag.from;
                // A comment is an empty piece of text that is taken as it is.
                let (start, end) =
                    if end == b']' { (from + CDATA_OPENER.len() as u32, here.saturating_sub(2)) } else { (from, from) };
                sink.record(ElementOp::Inner.at(start, end));
                sink.record(ElementOp::CData.at(from, next));
                Phase::Text
            }
            Phase::Verbatim { end, read } => {
                Phase::Verbatim { end, read: if byte == end { 2.min(read + 1) } else { 0 } }
            }
        };
        true
    }

    fn step_tag(&mut self, byte: u8, here: u32, next: u32, sink: &mut impl Sink) -> bool {
        let action = self.tag.step(byte, here, next);
        match action {
            Action::Name if self.takes_name(byte) => {}
            Action::Fail | Action::Name => {
                self.phase = Phase::Text;
                self.tag.give_up();
                return false;
            }
            Action::AttributeStart => {
                self.attributes += 1;
                self.attribute = 0;
                self.attribute_byte(byte);
            }
            Action::Attribute => self.attribute_byte(byte),
            Action::ValueEnd | Action::ValueSlash if usize::from(self.attribute) == ATTRIBUTE.len() => {
                self.value = self.value.or(Some(self.tag.value));
            }
            Action::Hold
            | Action::Closing
            | Action::NameEnd
            | Action::AttributeEnd
            | Action::ValueAfter
            | Action::ValueHere
            | Action::ValueEnd
            | Action::ValueSlash
            | Action::Inner
            | Action::Space
            | Action::EmptyTag => {}
        }
        if !self.tag.is_reading() {
            self.phase = Phase::Text;
            if self.tag.is_closing { self.close(next, sink) } else { self.open(action == Action::EmptyTag, next, sink) }
        }
        true
    }

    /// Appends a byte to the name; false if it can't be part of one.
    fn takes_name(&mut self, byte: u8) -> bool {
        let fits = is_letter(byte) || !self.name.is_empty() && is_in_name(byte);
        fits && self.name.add(byte.to_ascii_lowercase())
    }

    fn attribute_byte(&mut self, byte: u8) {
        let is_next = ATTRIBUTE.get(usize::from(self.attribute)) == Some(&byte.to_ascii_lowercase());
        self.attribute = if is_next { self.attribute + 1 } else { ANOTHER };
    }

    fn open(&mut self, is_empty: bool, next: u32, sink: &mut impl Sink) {
        let TagReader { from, name, .. } = self.tag;
        let known = KNOWN.iter().find(|(name, _)| *name == self.name.bytes()).map(|&(_, element)| element);
        let element = match known {
            Some(Element::Arg) if self.value.is_none() => Element::Other,
            Some(element) => element,
            None => Element::Other,
        };
        if self.closed.is_some_and(|closer| closer.is_direct) && self.around.is_none() {
            self.closed = None;
        } else if element == Element::Arg || TOOLS.contains(&self.name.bytes()) {
            self.end_argument(sink);
        }
        // Those that have closed are no longer around.
        self.arguments &= !(u64::MAX.checked_shl(self.depth as u32).unwrap_or(0));
        if element == Element::Arg {
            self.is_mixed = self.arguments != 0;
        }
        let Some(slot) = self.stack.get_mut(self.depth) else {
            self.deeper += u32::from(!is_empty);
            sink.record(ElementOp::Spoil.at(from, next));
            return;
        };
        sink.record(ElementOp::Name.at(name.0, name.1));
        if let Some((start, end)) = self.value {
            sink.record(ElementOp::NameValue.at(start, end));
        }
        let has_attributes = self.attributes > u32::from(element == Element::Arg);
        sink.record(ElementOp::Open { element, has_attributes }.at(from, next));
        if is_empty {
            sink.record(ElementOp::Close.at(next, next));
        } else {
            *slot = self.name;
            self.arguments |= u64::from(element == Element::Arg) << self.depth;
            self.depth += 1;
        }
    }

    fn close(&mut self, next: u32, sink: &mut impl Sink) {
        if self.deeper > 0 {
            self.deeper = self.deeper.saturating_sub(1);
            return;
        }
        let from = self.tag.from;
        let encloses = ENCLOSING.contains(&self.name.bytes());
        if encloses && self.around.is_none() {
            self.end_argument(sink);
        }
        let open = self.stack.get(..self.depth).unwrap_or_default();
        let Some(at) = open.iter().rposition(|name| name.bytes() == self.name.bytes()) else {
            if self.name.bytes() == ARG && self.closed.is_some() {
                let outside = self.outside();
                while self.depth > outside {
                    self.abandon(sink);
                }
                if let (Some(around), Some(slot)) = (self.around.take(), self.stack.get_mut(outside)) {
                    *slot = around;
                }
                self.depth = self.base;
                self.closed = Some(Closer::begin(next - from));
                sink.record(ElementOp::Reclose.at(from, next));
            } else {
                sink.record(ElementOp::Spoil.at(from, next));
            }
            return;
        };
        if at < self.outside() {
            self.end_argument(sink);
        }
        let lacks = encloses && self.depth == at + 2 && self.is_plain_argument();
        if lacks {
            self.close_without_tag(from, sink);
        }
        while self.depth > at + 1 {
            self.abandon(sink);
        }
        self.depth = at;
        if lacks || self.is_outermost_argument(at) {
            self.closed = Some(Closer::begin(next - from));
            self.base = at + usize::from(lacks);
            self.around = lacks.then_some(self.name);
        }
        sink.record(ElementOp::Close.at(from, next));
    }

    fn abandon(&mut self, sink: &mut impl Sink) {
        self.depth = self.depth.saturating_sub(1);
        sink.record(ElementOp::Abandon.at(0, 0));
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
    fn an_element_of_that_name_without_a_name_is_no_argument() {
        let text = "<arguments><arg name=\"a\">1</arguments><arg>2</arg></arg>";
        let expected = "arguments(arg=a*(] ) ) arg() ] ~";
        for cut in 0..=text.len() {
            assert_eq!(read(text, cut), expected, "cut at {cut}");
        }
    }

    #[test]
    fn elements_open_and_close() {
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
