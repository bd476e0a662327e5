//! The pieces after an opener: literals, texts, attributes.
//!
//! ```text
//! functions.NAME:INDEX      <invoke name="NAME">
//! ```

use super::names::ToolNames;
use super::row::{HeadPiece, Part, Row, Slot, fit};
use crate::scan::{AtLast, Short, Sight, after, is_space, space_len};

/// Longest text of a piece, in bytes.
const LONGEST_TEXT: usize = 256;

/// How many kinds of texts there are.
const SLOTS: usize = Slot::ALL.len();

/// A part of a text, in bytes from its start.
pub(super) type Range = (usize, usize);

/// A head that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// Its length in bytes.
    pub(super) len: usize,
    slots: [Option<Range>; SLOTS],
    /// Whether its tag closes itself.
    pub(super) is_empty: bool,
}

impl Head {
    /// A head of so many bytes with a name.
    pub(super) fn named(name: Range, len: usize, is_empty: bool) -> Head {
        let mut head = Head { len, slots: [None; SLOTS], is_empty };
        head.put(Slot::Name as u8, name);
        head
    }

    fn put(&mut self, number: u8, range: Range) {
        if let Some(slot) = self.slots.get_mut(usize::from(number)) {
            *slot = Some(range);
        }
    }

    pub(super) fn slot(&self, slot: Slot) -> Option<Range> {
        self.slots.get(slot as usize).copied().flatten()
    }
}

/// One piece.
#[derive(Clone, Copy)]
struct Item<'a> {
    piece: HeadPiece,
    content: &'a [u8],
}

/// The pieces of a head.
#[derive(Clone, Copy)]
struct Items<'a>(&'a [u8]);

impl<'a> Iterator for Items<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let [number, len, rest @ ..] = self.0 else { return None };
        let (content, after) = rest.split_at_checked(usize::from(*len))?;
        self.0 = after;
        Some(Item { piece: HeadPiece::from_number(u32::from(*number))?, content })
    }
}

impl<'a> Items<'a> {
    fn peek(self) -> Option<Item<'a>> {
        let mut items = self;
        items.next()
    }

    /// Passes the other literals of a place, and says how much of `text` the longest that fits is.
    #[inline(never)]
    fn literal(&mut self, first: &'a [u8], text: &[u8], is_last: bool) -> Sight<Option<usize>> {
        let mut longest = None;
        let mut take = |mark: &[u8]| -> Sight<()> {
            if mark.is_empty() {
                longest = longest.or(Some(0));
                return Ok(());
            }
            let length = fit_tag_end(mark, text).at_last(is_last)?;
            longest = longest.max(Some(length).filter(|&length| length > 0));
            Ok(())
        };
        take(first)?;
        while let Some(Item { piece: HeadPiece::Or, content }) = self.peek() {
            self.next();
            take(content)?;
        }
        Ok(longest)
    }

    /// A literal that may have white space before it, after a marker: the length of that, and the literal's.
    fn literal_after(
        &mut self,
        first: &'a [u8],
        may_have_space: bool,
        text: &[u8],
        is_last: bool,
    ) -> Sight<Option<(usize, usize)>> {
        let mut same = *self;
        let found = self.literal(first, text, is_last)?;
        if may_have_space && found.is_none_or(|length| length == 0) {
            let space = space_len(text);
            if space > 0 && space == text.len() && !is_last {
                return Err(Short);
            }
            let later = same.literal(first, after(text, space), is_last)?;
            if let Some(length @ 1..) = later {
                return Ok(Some((space, length)));
            }
        }
        Ok(found.map(|length| (0, length)))
    }

    /// Whether what is optional is at the start of a text: its first literal.
    fn begins_optional(self, text: &[u8], is_last: bool) -> Sight<bool> {
        let mut inside = self;
        match inside.next() {
            Some(Item { piece: HeadPiece::Literal, content }) => {
                Ok(inside.literal(content, text, is_last)?.is_some_and(|length| length > 0))
            }
            _ => Ok(false),
        }
    }

    /// Passes what is optional.
    fn skip_optional(&mut self) {
        for item in self.by_ref() {
            if item.piece == HeadPiece::OptionalEnd {
                return;
            }
        }
    }

    /// The length of a piece's text, before the pieces that follow it.
    fn text(
        self,
        row: &Row,
        slot: Slot,
        names: Option<&ToolNames>,
        text: &[u8],
        is_last: bool,
    ) -> Sight<Option<usize>> {
        if matches!(slot, Slot::Name | Slot::Key)
            && let Some(len) = self.quoted(text, is_last)?
        {
            return Ok(Some(len));
        }
        // Only a tool's name may have spaces in it.
        let spaced = match names {
            Some(names) if slot == Slot::Name => names.spaced(text, is_last)?,
            _ => 0,
        };
        for len in spaced..=LONGEST_TEXT {
            let rest = text.get(len..).unwrap_or_default();
            if rest.is_empty() {
                return if is_last { Ok((len > 0).then_some(len)) } else { Err(Short) };
            }
            // What follows a name is never the name: `[ARGS]{}` has none.
            if len == 0 && slot == Slot::Name && self.begins(rest, is_last)? {
                return Ok(None);
            }
            if len > 0 || slot == Slot::Index {
                let space = space_len(rest);
                let after = rest.get(space..).unwrap_or_default();
                if space > 0 && after.is_empty() && !is_last {
                    return Err(Short);
                }
                if self.begins(rest, is_last)? || space > 0 && self.begins(after, is_last)? {
                    return Ok(Some(len));
                }
            }
            let begins = |part: Part| row.fits(part, rest, is_last).map(|length| length > 0);
            if slot != Slot::Key && (begins(Part::CallOpen)? || begins(Part::SectionOpen)?) {
                return Ok(None);
            }
            let is_text = match (slot, rest.first()) {
                (_, None) => false,
                (Slot::Key, Some(byte)) => !matches!(byte, b'\n' | b'\r' | b'<'),
                (Slot::Index, Some(byte)) => byte.is_ascii_digit(),
                (_, Some(&byte)) => !is_space(byte) && byte != b'<',
            };
            if !is_text {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// The length of a text between quotes after which the next pieces begin.
    fn quoted(self, text: &[u8], is_last: bool) -> Sight<Option<usize>> {
        let Some(&quote @ (b'"' | b'\'')) = text.first() else { return Ok(None) };
        let inside = after(text, 1);
        let Some(len) = inside.iter().take(LONGEST_TEXT).position(|&byte| byte == quote || byte == b'\n') else {
            return if inside.len() < LONGEST_TEXT && !is_last { Err(Short) } else { Ok(None) };
        };
        let rest = after(inside, len + 1);
        let rest = after(rest, space_len(rest));
        if rest.is_empty() && !is_last {
            return Err(Short);
        }
        let is_whole = len > 0 && inside.get(len) == Some(&quote) && self.begins(rest, is_last)?;
        Ok(is_whole.then_some(len + 2))
    }

    /// Whether a text may end before `text`, by the pieces that follow it.
    #[inline(never)]
    fn begins(self, text: &[u8], is_last: bool) -> Sight<bool> {
        let mut items = self;
        let mut is_certain = false;
        while let Some(item) = items.next() {
            match item.piece {
                HeadPiece::Literal => {
                    let found = items.literal(item.content, text, is_last)?;
                    if found.is_some_and(|length| length > 0) {
                        return Ok(true);
                    }
                    is_certain = found.is_none();
                    if is_certain {
                        break;
                    }
                }
                HeadPiece::Optional => {
                    // Its first literal, or what follows it.
                    let mut inside = items;
                    if inside.peek().is_some_and(|item| item.piece == HeadPiece::Literal)
                        && let Some(first) = inside.next()
                        && inside.literal(first.content, text, is_last)?.is_some()
                    {
                        return Ok(true);
                    }
                    items.skip_optional();
                }
                HeadPiece::OptionalEnd => {}
                HeadPiece::Attributes => {
                    let length = fit_tag_end(item.content, text).at_last(is_last)?;
                    return if length > 0 { Ok(true) } else { begins_attribute(text, is_last) };
                }
                HeadPiece::Text | HeadPiece::Or | HeadPiece::Attribute => break,
            }
        }
        if is_certain {
            return Ok(false);
        }
        Ok(text.first().is_some_and(|&byte| is_space(byte) || matches!(byte, b'<' | b'{' | b'(')))
    }
}

/// Whether white space and an attribute are at the start of a text.
fn begins_attribute(text: &[u8], is_last: bool) -> Sight<bool> {
    let space = space_len(text);
    let name = after(text, space);
    let len = name.iter().take(LONGEST_TEXT).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    let rest = after(name, len);
    let next = after(rest, space_len(rest));
    if space == 0 || next.is_empty() {
        return if space > 0 && !is_last { Err(Short) } else { Ok(false) };
    }
    Ok(len > 0 && next.first() == Some(&b'='))
}

/// Reads a head at the start of a text. `names` are the tools', where a name may stand.
#[inline(never)]
pub(super) fn read(
    row: &Row,
    names: Option<&ToolNames>,
    pieces: &[u8],
    text: &[u8],
    is_last: bool,
) -> Sight<Option<Head>> {
    let mut items = Items(pieces);
    let mut head = Head { len: 0, slots: [None; SLOTS], is_empty: false };
    let mut after_marker = true;
    while let Some(item) = items.next() {
        let rest = text.get(head.len..).unwrap_or_default();
        match item.piece {
            HeadPiece::Literal => {
                let Some((space, length)) = items.literal_after(item.content, after_marker, rest, is_last)? else {
                    return Ok(None);
                };
                head.is_empty |= after(rest, space).first() == Some(&b'/') && item.content == b">";
                head.len += space + length;
                after_marker = true;
            }
            HeadPiece::Text => {
                let number = item.content.first().copied().unwrap_or_default();
                let slot = Slot::from_number(u32::from(number)).ok_or(Short)?;
                let space = space_len(rest);
                let rest = rest.get(space..).unwrap_or_default();
                let Some(len) = items.text(row, slot, names, rest, is_last)? else { return Ok(None) };
                let begin = head.len + space;
                let from = if slot == Slot::Index { 0 } else { begin };
                let range = trimmed(text, from, begin + len);
                let is_name = matches!(slot, Slot::Name | Slot::Key);
                head.put(number, if is_name { unquoted(text, range) } else { range });
                head.len = begin + len;
                after_marker = true;
            }
            HeadPiece::Optional => {
                let optional = after(rest, space_len(rest));
                if optional.is_empty() && !is_last {
                    return Err(Short);
                }
                if !items.begins_optional(optional, is_last)? {
                    items.skip_optional();
                }
            }
            HeadPiece::OptionalEnd => {}
            HeadPiece::Attributes => {
                let mut named = items;
                while items.peek().is_some_and(|item| item.piece == HeadPiece::Attribute) {
                    items.next();
                }
                match attributes(&mut named, item.content, text, &mut head, is_last)? {
                    true => after_marker = true,
                    false => return Ok(None),
                }
            }
            HeadPiece::Or | HeadPiece::Attribute => {}
        }
    }
    Ok(Some(head))
}

/// Reads attributes up to the literal that ends them; false if there is something else.
#[inline(never)]
fn attributes(named: &mut Items<'_>, end: &[u8], text: &[u8], head: &mut Head, is_last: bool) -> Sight<bool> {
    loop {
        let rest = text.get(head.len..).unwrap_or_default();
        let gap = space_len(rest);
        head.len += gap;
        let rest = rest.get(gap..).unwrap_or_default();
        if rest.is_empty() {
            return Err(Short).at_last(is_last);
        }
        let (length, is_empty) = tag_end(end, rest, is_last)?;
        if length > 0 {
            head.len += length;
            head.is_empty |= is_empty;
            return Ok(true);
        }
        if end == b">" && rest.first() == Some(&b'/') {
            return Ok(false);
        }
        let is_in_name = |byte: &&u8| !is_space(**byte) && !matches!(**byte, b'=' | b'>' | b'<' | b'"' | b'\'' | b'/');
        let name_len = rest.iter().take_while(is_in_name).count();
        if name_len == 0 || name_len > LONGEST_TEXT {
            return Ok(false);
        }
        let (name, after) = rest.split_at_checked(name_len).ok_or(Short)?;
        let space = space_len(after);
        let [b'=', after @ ..] = after.get(space..).unwrap_or_default() else {
            return if after.len() == space && !is_last { Err(Short) } else { Ok(false) };
        };
        let gap = space_len(after);
        let after = after.get(gap..).unwrap_or_default();
        let from = head.len + name_len + space + 1 + gap;
        let (value, len) = match attribute_value(end, after, is_last)? {
            None => return Ok(false),
            Some(((start, end), len)) => ((from + start, from + end), len),
        };
        for item in *named {
            let HeadPiece::Attribute = item.piece else { break };
            if let [slot, known @ ..] = item.content
                && known == name
            {
                let is_name = [Slot::Name as u8, Slot::Key as u8].contains(slot);
                head.put(*slot, if is_name { trimmed(text, value.0, value.1) } else { value });
            }
        }
        head.len = from + len;
    }
}

/// The length of what ends a tag at the start of a text, or 0; and whether the tag is empty.
fn tag_end(end: &[u8], text: &[u8], is_last: bool) -> Sight<(usize, bool)> {
    let length = fit(end, text).at_last(is_last)?;
    if length > 0 {
        return Ok((length, false));
    }
    if end != b">" || text.first() != Some(&b'/') {
        return Ok((0, false));
    }
    match text.get(1) {
        None if !is_last => Err(Short),
        Some(b'>') => Ok((2, true)),
        _ => Ok((0, false)),
    }
}

/// The value of an attribute at the start of a text, without its quotes, and its length with them.
fn attribute_value(end: &[u8], text: &[u8], is_last: bool) -> Sight<Option<(Range, usize)>> {
    if let Some(&quote @ (b'"' | b'\'')) = text.first() {
        let inside = after(text, 1);
        let Some(len) = inside.iter().take(LONGEST_TEXT * 4).position(|&byte| byte == quote) else {
            return if inside.len() < LONGEST_TEXT * 4 && !is_last { Err(Short) } else { Ok(None) };
        };
        return Ok(Some(((1, 1 + len), len + 2)));
    }
    let mut len = 0;
    loop {
        let rest = after(text, len);
        match rest.first() {
            None => return Err(Short).at_last(is_last),
            Some(&byte) if is_space(byte) => break,
            // Another tag, and this one doesn't end.
            Some(b'<') => return Ok(None),
            Some(_) => {}
        }
        if fit_tag_end(end, rest).at_last(is_last)? > 0 {
            break;
        }
        if len >= LONGEST_TEXT {
            return Ok(None);
        }
        len += 1;
    }
    Ok(Some(((0, len), len)))
}

/// The length of a literal at the start of a text, as `fit` has it; what ends a tag may end an empty one: `/>`.
fn fit_tag_end(mark: &[u8], text: &[u8]) -> Sight<usize> {
    if mark == b">" && text.first() == Some(&b'/') { fit(b"/>", text) } else { fit(mark, text) }
}

/// A part of a text without the quotes around it, and the white space in these.
fn unquoted(text: &[u8], (from, to): Range) -> Range {
    let part = text.get(from..to).unwrap_or_default();
    match part {
        [b'"', .., b'"'] | [b'\'', .., b'\''] if part.len() > 2 => trimmed(text, from + 1, to - 1),
        _ => (from, to),
    }
}

/// A part of a text without the white space around it.
fn trimmed(text: &[u8], mut from: usize, mut to: usize) -> Range {
    let is_space_at = |at: usize| text.get(at).is_some_and(|&byte| is_space(byte));
    while from < to && is_space_at(from) {
        from += 1;
    }
    while from < to && is_space_at(to - 1) {
        to -= 1;
    }
    (from, to)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that can't go on fails")]
mod tests {
    use super::*;

    fn item(piece: HeadPiece, content: &[u8]) -> Vec<u8> {
        [&[piece as u8, content.len() as u8], content].concat()
    }

    fn names<'a>(head: &Head, text: &'a [u8]) -> [&'a str; 2] {
        [Slot::Name, Slot::Id].map(|slot| {
            let (from, to) = head.slot(slot).unwrap_or_default();
            std::str::from_utf8(text.get(from..to).unwrap()).unwrap()
        })
    }

    #[test]
    fn literals_and_texts() {
        let pieces = [
            item(HeadPiece::Literal, b"functions."),
            item(HeadPiece::Or, b""),
            item(HeadPiece::Text, &[Slot::Name as u8]),
            item(HeadPiece::Optional, b""),
            item(HeadPiece::Literal, b"[ID]"),
            item(HeadPiece::Text, &[Slot::Id as u8]),
            item(HeadPiece::OptionalEnd, b""),
            item(HeadPiece::Literal, b"[ARGS]"),
            item(HeadPiece::Or, b""),
        ]
        .concat();
        let read = |text: &[u8]| read(&Row::NOTHING, None, &pieces, text, false).map(|head| head.map(|head| head.len));
        assert_eq!(read(b"functions.get[ID]a1[ARGS]{"), Ok(Some(25)));
        assert_eq!(read(b"get{"), Ok(Some(3)));
        assert_eq!(read(b"get[ARGS]{"), Ok(Some(9)));
        assert_eq!(read(b"get[AR"), Err(Short));
        assert_eq!(read(b"func"), Err(Short));
        let text = b"functions. get [ID]a1 [ARGS]{";
        let head = super::read(&Row::NOTHING, None, &pieces, text, false).unwrap().unwrap();
        assert_eq!(names(&head, text), ["get", "a1"]);
    }

    #[test]
    fn attributes_in_any_order() {
        let pieces = [
            item(HeadPiece::Attributes, b">"),
            item(HeadPiece::Attribute, &[&[Slot::Name as u8][..], b"name"].concat()),
            item(HeadPiece::Attribute, &[&[Slot::Id as u8][..], b"index"].concat()),
        ]
        .concat();
        for (text, expected) in [
            (&b" name=\"f\" index='1'>x"[..], ["f", "1"]),
            (b" other=x index=1 name=f>", ["f", "1"]),
            (b" name=\"a>b\" >", ["a>b", ""]),
            (b" name =\n \"f\" index\t= 1>", ["f", "1"]),
        ] {
            let head = read(&Row::NOTHING, None, &pieces, text, false).unwrap().unwrap();
            assert_eq!(names(&head, text), expected);
            for cut in 0..head.len {
                assert_eq!(read(&Row::NOTHING, None, &pieces, text.get(..cut).unwrap(), false), Err(Short), "{cut}");
            }
        }
        assert!(read(&Row::NOTHING, None, &pieces, b" name=\"f\"/>", false).unwrap().unwrap().is_empty);
        assert_eq!(read(&Row::NOTHING, None, &pieces, b" name \"f\">", false), Ok(None));
        assert_eq!(read(&Row::NOTHING, None, &pieces, b" name=f", true), Ok(None));
        assert_eq!(read(&Row::NOTHING, None, &pieces, b" name=</parameter>", false), Ok(None));
    }
}
