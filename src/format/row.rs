//! A row: the markers, pieces and choices of one format, in fixed room.
//!
//! It comes as bytes: parts one after another, each with its number, its length and its
//! content. The program writes them from the row's data (`formats/encode.ts`).

use crate::json::{Rule, Rules};
use crate::scan::{AtLast, LONGEST_GAP, Short, Sight, at_most, is_space, space_len};
use crate::text::numbered;

/// Room for the text of all markers of a row, in bytes.
pub(crate) const ROW_BYTES: usize = 4_096;

/// Most markers of a row.
pub(crate) const MOST_MARKS: usize = 160;

numbered! {
/// What a part of a row is. Those up to `OtherTurn` are lists of markers.
#[repr(u8)]
pub enum Part {
    /// Opens a block of calls.
    SectionOpen = 0,
    /// Closes it.
    SectionClose = 1,
    /// Opens a call.
    CallOpen = 2,
    /// Closes it.
    CallClose = 3,
    /// Stands between two payloads.
    Separator = 4,
    /// The key of the name.
    NameKey = 5,
    /// The key of the arguments.
    ArgsKey = 6,
    /// The key of the id.
    IdKey = 7,
    /// Opens a parameter.
    ParamOpen = 8,
    /// Closes its value.
    ParamClose = 9,
    /// Opens reasoning.
    ReasoningOpen = 10,
    /// Closes it.
    ReasoningClose = 11,
    /// Is removed from text.
    Drop = 12,
    /// Begins a message's header.
    MessageOpen = 13,
    /// Stands at the start of the turn where a header has begun already.
    MessageBegin = 14,
    /// Ends a header.
    HeadEnd = 15,
    /// Ends a message.
    MessageClose = 16,
    /// Encloses a string.
    Quote = 17,
    /// Is written before each tag of an element.
    Prefix = 18,
    /// Opens a span that is removed from text.
    SkipOpen = 19,
    /// Closes the span whose opener has the same place in its list.
    SkipClose = 20,
    /// Opens a citation.
    CiteOpen = 21,
    /// Begins its end.
    CiteClose = 22,
    /// Ends it.
    CiteEnd = 23,
    /// Opens an element in a section that has the tool's name.
    NameOpen = 24,
    /// Closes the one whose opener has the same place in its list.
    NameClose = 25,
    /// Ends the turn.
    TurnEnd = 26,
    /// Begins another's turn, such as a tool's result.
    OtherTurn = 27,
    /// The pieces after a call's opener.
    CallHead = 28,
    /// The pieces after a parameter's opener.
    ParamHead = 29,
    /// A route of messages.
    Route = 30,
    /// How the payload is written: the number of a `Body`.
    Body = 31,
    /// A bit each: `Flag`.
    Flags = 32,
    /// The numbers of a `Trim` and a `Closer`.
    Value = 33,
    /// What JSON may be written in: a bit for each `Rule`.
    Rules = 34,
}
}

/// How many parts are lists of markers.
const LISTS: usize = Part::OtherTurn as usize + 1;

numbered! {
/// How the payload of a call is written.
#[repr(u8)]
pub enum Body {
    /// There are no calls.
    Nothing = 0,
    /// An object of name and arguments, or an array of such.
    Json = 1,
    /// Objects whose one key is the name.
    Keyed = 2,
    /// The arguments, after a head with the name.
    Args = 3,
    /// Parameters with an opener and a closer each.
    Params = 4,
    /// Elements.
    Elements = 5,
    /// `{key:value}`
    Brace = 6,
    /// `f(a=1)`
    Python = 7,
    /// YAML.
    Yaml = 8,
    /// Any text, up to the closer.
    Text = 9,
    /// As `Elements` named like the tools, read as XML is.
    Tree = 10,
}
}

impl Body {
    /// Whether it is JSON.
    pub(super) fn is_json(self) -> bool {
        matches!(self, Body::Json | Body::Keyed | Body::Args)
    }

    /// Whether it is arguments between tags, which the end of the stream leaves open.
    pub(super) fn is_tagged(self) -> bool {
        matches!(self, Body::Params | Body::Elements | Body::Yaml)
    }
}

numbered! {
/// A choice of a row.
#[repr(u8)]
pub enum Flag {
    /// Calls may stand without the section.
    SectionOptional = 0,
    /// A payload counts without an opener where the turn's text starts.
    BareAtStart = 1,
    /// A payload counts without an opener anywhere.
    BareAnywhere = 2,
    /// A call has to be closed.
    RequireClose = 3,
    /// An opener of calls ends reasoning.
    EndsAtCall = 4,
    /// Reasoning opens anywhere, not only where a line starts.
    Anywhere = 5,
    /// `<![CDATA[…]]>` is unwrapped.
    CData = 6,
    /// References are decoded.
    Entities = 7,
    /// Opener and closer of reasoning with the same place in their lists belong together.
    Pairs = 8,
    /// Every value of a brace is text between quotes.
    Texts = 9,
    /// A header has always begun at the start of a turn.
    HeaderAtStart = 10,
    /// The closer may be absent, whatever follows.
    CloseOptional = 11,
    /// A bracket may stand where a call may: an object of name and arguments.
    OrJson = 12,
    /// Tags may be in any case and have white space in them; a parameter ends with the closer at its opener's place.
    LooseTags = 13,
    /// A parameter may have its name between opener and closer: `<parameter>name</parameter>`.
    NamelessParams = 14,
    /// A parameter's opener ends the value before it, if the program says so.
    OpenParams = 15,
    /// The first character of a call's opener may be absent directly after a section's.
    MissingAngle = 16,
    /// The program is asked about each call before it is one.
    AsksWhole = 17,
    /// A parameter may be an element of its name.
    ElementParams = 18,
    /// Closing brackets after a payload are passed over.
    ExtraCloser = 19,
    /// A JSON object may stand instead of parameters.
    JsonBody = 20,
    /// A tool's name may stand directly after a section's opener instead of a call's: elements follow.
    BareName = 21,
    /// A string of a brace may stand between plain quotes.
    PlainQuotes = 22,
    /// Nothing is repaired.
    Strict = 23,
    /// A body that is not elements may be one text.
    MessageText = 24,
    /// A body of YAML may be elements.
    YamlElements = 25,
    /// A payload without an opener counts on a line of its own.
    BareOnLine = 26,
    /// Blocks of code are text.
    Fences = 27,
    /// A tool's name on a line of its own stands for its tag.
    LineNames = 28,
    /// Parameters stand on lines of their own.
    LineParams = 29,
    /// An opener counts before its payload is there, keys may have other names, a list counts once it is closed, and what
    /// is not a call goes up to its own closer. Where a payload counts without one anywhere, it is a value in prose.
    Tolerant = 30,
}
}

numbered! {
/// What is not part of a parameter's value.
#[repr(u8)]
pub enum Trim {
    /// Nothing.
    Nothing = 0,
    /// A line end after the opener, and one before the closer.
    Line = 1,
    /// All white space around it.
    All = 2,
    /// All white space around it, but for the indentation of its first line.
    Block = 3,
}
}

numbered! {
/// Which closer ends a value.
#[repr(u8)]
pub enum Closer {
    /// One after which the grammar goes on.
    Structure = 0,
    /// The first.
    First = 1,
    /// The last of the call.
    Last = 2,
}
}

numbered! {
/// A piece of a head.
#[repr(u8)]
pub enum HeadPiece {
    /// A literal.
    Literal = 0,
    /// Another in its place.
    Or = 1,
    /// Text: the number of a `Slot`.
    Text = 2,
    /// The pieces from here on may be absent.
    Optional = 3,
    /// Up to here.
    OptionalEnd = 4,
    /// Attributes, up to a literal.
    Attributes = 5,
    /// An attribute: the number of a `Slot` and its name.
    Attribute = 6,
}
}

numbered! {
/// What a text of a head is.
#[repr(u8)]
pub enum Slot {
    /// The tool's name.
    Name = 0,
    /// The id of the call.
    Id = 1,
    /// The parameter's name.
    Key = 2,
    /// Its type.
    Type = 3,
    /// Whether it is a string.
    IsString = 4,
    /// Which call it is: the id is all of the head up to it, or the attribute.
    Index = 5,
}
}

numbered! {
/// What a message is.
#[repr(u8)]
pub enum Kind {
    /// Text.
    Text = 0,
    /// Reasoning.
    Reasoning = 1,
    /// The payload of a call.
    Call = 2,
    /// Calls by the row.
    Calls = 3,
    /// Nothing that comes out.
    Drop = 4,
}
}

numbered! {
/// An item of a route.
#[repr(u8)]
pub enum RouteItem {
    /// The header has this text.
    Has = 0,
    /// It does not have this text.
    Lacks = 1,
    /// The tool's name comes after this text.
    Name = 2,
    /// It is this text.
    Is = 3,
}
}

/// A marker's text in a row.
#[derive(Clone, Copy, Debug)]
struct Mark {
    from: u16,
    len: u8,
}

/// Stands for an optional `:suffix` in a marker.
const SUFFIX: u8 = 1;

/// Stands for the bars around a word in a marker: one or more of any kind, and white space.
const BARS: u8 = 2;

/// Most bars at one place.
const MOST_BARS: usize = 4;

/// Tokens that end a turn in the templates of many models, whatever else their rows have.
pub(super) const TURN_ENDS: [&[u8]; 7] =
    [b"<|im_end|>", b"<|endoftext|>", b"<|eot_id|>", b"<|eom_id|>", b"<|end_of_text|>", b"<end_of_turn>", b"<|end|>"];

/// Tokens that begin a turn, and whose name comes next.
const TURNS: [&[u8]; 3] = [b"<|im_start|>", b"<|start_header_id|>", b"<start_of_turn>"];

/// The names of the model itself in its template.
const OWN_ROLES: [&[u8]; 2] = [b"assistant", b"model"];

/// Longest suffix, in bytes.
const LONGEST_SUFFIX: usize = 32;

/// One format. Plain bytes without pointers.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    bytes: [u8; ROW_BYTES],
    len: u16,
    marks: [Mark; MOST_MARKS],
    count: u16,
    /// Where each list ends in `marks`, and the last list so far.
    ends: [u16; LISTS],
    last: u8,
    call_head: (u16, u16),
    param_head: (u16, u16),
    routes: (u16, u16),
    body: Body,
    flags: u32,
    trim: Trim,
    closer: Closer,
    rules: u32,
}

impl Row {
    /// Reads nothing.
    pub const NOTHING: Row = Row {
        bytes: [0; ROW_BYTES],
        len: 0,
        marks: [Mark { from: 0, len: 0 }; MOST_MARKS],
        count: 0,
        ends: [0; LISTS],
        last: 0,
        call_head: (0, 0),
        param_head: (0, 0),
        routes: (0, 0),
        body: Body::Nothing,
        flags: 0,
        trim: Trim::Nothing,
        closer: Closer::Structure,
        rules: 0,
    };

    /// The row that bytes stand for, whose parts are in the order of their numbers. `None` if
    /// they stand for none, or there is no room.
    #[must_use]
    #[inline(never)]
    pub fn of(bytes: &[u8]) -> Option<Row> {
        let mut row = Row::NOTHING;
        row.read(bytes)?;
        Some(row)
    }

    fn read(&mut self, mut bytes: &[u8]) -> Option<()> {
        while let [number, low, high, rest @ ..] = bytes {
            let part = Part::from_number(u32::from(*number))?;
            let (content, after) = rest.split_at_checked(usize::from(*low) | usize::from(*high) << 8)?;
            bytes = after;
            match part {
                Part::Flags => self.flags = u32::from_le_bytes(content.try_into().ok()?),
                Part::Rules => self.rules = u32::from_le_bytes(content.try_into().ok()?),
                Part::Body => self.body = Body::from_number(u32::from(*content.first()?))?,
                Part::Value => {
                    self.trim = Trim::from_number(u32::from(*content.first()?))?;
                    self.closer = Closer::from_number(u32::from(*content.get(1)?))?;
                }
                Part::CallHead => self.call_head = self.keep(content)?,
                Part::ParamHead => self.param_head = self.keep(content)?,
                Part::Route => {
                    let range = self.keep(content)?;
                    let from = if self.routes.1 == 0 { range.0 } else { self.routes.0 };
                    self.routes = (from, range.1);
                }
                Part::SectionOpen
                | Part::SectionClose
                | Part::CallOpen
                | Part::CallClose
                | Part::Separator
                | Part::NameKey
                | Part::ArgsKey
                | Part::IdKey
                | Part::ParamOpen
                | Part::ParamClose
                | Part::ReasoningOpen
                | Part::ReasoningClose
                | Part::Drop
                | Part::MessageOpen
                | Part::MessageBegin
                | Part::HeadEnd
                | Part::MessageClose
                | Part::Quote
                | Part::Prefix
                | Part::SkipOpen
                | Part::SkipClose
                | Part::CiteOpen
                | Part::CiteClose
                | Part::CiteEnd
                | Part::NameOpen
                | Part::NameClose
                | Part::TurnEnd
                | Part::OtherTurn => {
                    let range = self.keep(content)?;
                    self.add(part, range)?;
                }
            }
        }
        bytes.is_empty().then_some(())
    }

    /// Keeps a text; where it stands.
    fn keep(&mut self, text: &[u8]) -> Option<(u16, u16)> {
        let from = self.len;
        let to = from.checked_add(u16::try_from(text.len()).ok()?)?;
        self.bytes.get_mut(usize::from(from)..usize::from(to))?.copy_from_slice(text);
        self.len = to;
        Some((from, to))
    }

    fn add(&mut self, part: Part, (from, to): (u16, u16)) -> Option<()> {
        let len = u8::try_from(to - from).ok().filter(|&len| len > 0)?;
        *self.marks.get_mut(usize::from(self.count))? = Mark { from, len };
        self.count += 1;
        let number = part as usize;
        // No part comes after one with a higher number.
        let before = self.count - 1;
        self.ends.get(number..)?.iter().all(|&end| end <= before).then_some(())?;
        self.last = self.last.max(number as u8);
        (usize::from(self.last) == number).then_some(())?;
        self.ends.get_mut(number..)?.fill(self.count);
        Some(())
    }

    fn text(&self, (from, to): (u16, u16)) -> &[u8] {
        self.bytes.get(usize::from(from)..usize::from(to)).unwrap_or_default()
    }

    /// The markers of a list.
    pub(crate) fn list(&self, part: Part) -> impl Iterator<Item = &[u8]> {
        let number = part as usize;
        let from = number.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| usize::from(end));
        let to = self.ends.get(number).map_or(0, |&end| usize::from(end));
        let marks = self.marks.get(from..to).unwrap_or_default();
        marks.iter().map(|mark| self.text((mark.from, mark.from + u16::from(mark.len))))
    }

    /// Whether a list has markers.
    pub(crate) fn has(&self, part: Part) -> bool {
        self.list(part).next().is_some()
    }

    /// The length of the longest marker of a list that a text begins with, or 0.
    pub(super) fn fits(&self, part: Part, text: &[u8], is_last: bool) -> Sight<usize> {
        self.fitting(part, text, is_last).map(|(_, length)| length)
    }

    /// The place in its list, and the length, of the longest marker that a text begins with.
    #[inline(never)]
    pub(super) fn fitting(&self, part: Part, text: &[u8], is_last: bool) -> Sight<(usize, usize)> {
        let mut longest = (0, 0);
        for (number, mark) in self.list(part).enumerate() {
            let length = self.fit(mark, text).at_last(is_last)?;
            if length > longest.1 {
                longest = (number, length);
            }
        }
        Ok(longest)
    }

    /// The length of one of its markers at the start of a text, as `fit` has it.
    pub(super) fn fit(&self, mark: &[u8], text: &[u8]) -> Sight<usize> {
        fit_as(mark, text, self.is(Flag::LooseTags))
    }

    /// The length of what closes what the opener with this place in its list opened, or 0.
    pub(super) fn closes(&self, part: Part, place: usize, text: &[u8], is_last: bool) -> Sight<usize> {
        let mark = if self.is(Flag::LooseTags) || part == Part::NameClose { self.list(part).nth(place) } else { None };
        let Some(mark) = mark else { return self.fits(part, text, is_last) };
        self.fit(mark, text).at_last(is_last)
    }

    /// Whether a text is the front of a marker of a list, and not all of it.
    pub(super) fn is_front(&self, part: Part, text: &[u8]) -> bool {
        self.list(part).any(|mark| self.fit(mark, text).is_err())
    }

    /// The length of a token that ends the turn at the start of a text, or 0.
    pub(super) fn ends_turn(&self, text: &[u8], is_last: bool) -> Sight<usize> {
        let mut longest = self.fits(Part::TurnEnd, text, is_last)?;
        for token in TURN_ENDS {
            longest = longest.max(fit(token, text).at_last(is_last)?);
        }
        Ok(longest)
    }

    /// The length of what begins another's turn at the start of a text, or 0.
    pub(super) fn begins_other_turn(&self, text: &[u8], is_last: bool) -> Sight<usize> {
        let length = self.fits(Part::OtherTurn, text, is_last)?;
        for token in TURNS {
            let length = fit(token, text).at_last(is_last)?;
            if length > 0 {
                let role = text.get(length..).unwrap_or_default();
                return match OWN_ROLES.iter().find(|own| own.starts_with(at_most(role, own.len()))) {
                    Some(own) if role.len() < own.len() && !is_last => Err(Short),
                    Some(_) => Ok(0),
                    None => Ok(length),
                };
            }
        }
        Ok(length)
    }

    /// Whether something counts where a line starts.
    pub(super) fn reads_lines(&self) -> bool {
        self.is(Flag::Fences) || self.is(Flag::LineNames) || self.is(Flag::BareOnLine)
    }

    pub(super) fn call_head(&self) -> &[u8] {
        self.text(self.call_head)
    }

    pub(super) fn param_head(&self) -> &[u8] {
        self.text(self.param_head)
    }

    pub(super) fn routes(&self) -> &[u8] {
        self.text(self.routes)
    }

    pub(crate) fn body(&self) -> Body {
        self.body
    }

    /// What JSON may be written in: as in any call, unless nothing is repaired.
    pub(super) fn rules(&self) -> Rules {
        let repairs = if self.is(Flag::Strict) { Rules::STRICT } else { Rules::CALL.without(Rule::UnescapedQuote) };
        Rules::of_bits(self.rules | repairs.bits())
    }

    pub(crate) fn trim(&self) -> Trim {
        self.trim
    }

    pub(super) fn closer(&self) -> Closer {
        self.closer
    }

    pub(crate) fn is(&self, flag: Flag) -> bool {
        self.flags >> flag as u32 & 1 == 1
    }

    /// Whether the calls' tags are the names of the tools.
    pub(super) fn has_tool_tags(&self) -> bool {
        matches!(self.body, Body::Elements | Body::Yaml) && !self.has(Part::CallOpen)
    }
}

/// The length of a marker at the start of a text, or 0 if it isn't there.
pub(super) fn fit(mark: &[u8], text: &[u8]) -> Sight<usize> {
    fit_as(mark, text, false)
}

/// [`fit`], but a tag that is `is_loose` may be in any case, and has white space where XML allows some, and after `<`.
#[inline(never)]
fn fit_as(mark: &[u8], text: &[u8], is_loose: bool) -> Sight<usize> {
    let mut at = 0;
    let is_tag = mark.first() == Some(&b'<');
    let is_loose = is_loose && is_tag;
    let mut before = 0;
    for (place, &byte) in mark.iter().enumerate() {
        let rest = text.get(at..).unwrap_or_default();
        if byte == SUFFIX {
            at += suffix_len(rest)?;
            continue;
        }
        if byte == BARS {
            match bars_len(rest)? {
                0 => return Ok(0),
                length => at += length,
            }
            before = byte;
            continue;
        }
        let is_end = byte == b'>' && place + 1 == mark.len();
        let has_gap = is_tag && is_end || is_loose && (byte == b'=' || matches!(before, b'<' | b'/' | b' '));
        if has_gap {
            at += space_len(at_most(rest, LONGEST_GAP));
        }
        before = byte;
        match text.get(at) {
            None => return Err(Short),
            Some(other) if *other == byte || is_loose && other.eq_ignore_ascii_case(&byte) => at += 1,
            Some(&other) if is_loose && byte == b' ' && is_space(other) => at += 1,
            Some(_) => return Ok(0),
        }
    }
    Ok(at)
}

/// The length of a `:word` at the start of a text, or 0.
#[inline(never)]
fn suffix_len(text: &[u8]) -> Sight<usize> {
    if *text.first().ok_or(Short)? != b':' {
        return Ok(0);
    }
    let word = text.get(1..).unwrap_or_default();
    let len = word.iter().take(LONGEST_SUFFIX).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if len == word.len() { Err(Short) } else { Ok(len + 1) }
}

/// The length of the bars at the start of a text, with the white space around each, or 0.
#[inline(never)]
fn bars_len(text: &[u8]) -> Sight<usize> {
    let mut len = 0;
    for count in 0..=MOST_BARS {
        let rest = text.get(len..).unwrap_or_default();
        let space = space_len(at_most(rest, LONGEST_GAP));
        let next = rest.get(space..).filter(|next| !next.is_empty()).ok_or(Short)?;
        let bar =
            [&b"|"[..], "｜".as_bytes(), "‖".as_bytes(), "│".as_bytes()].into_iter().find(|bar| next.starts_with(bar));
        match bar {
            Some(_) if count == MOST_BARS => break,
            Some(bar) => len += space + bar.len(),
            None => return Ok(if count == 0 { 0 } else { len + space }),
        }
    }
    Ok(0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that can't go on fails")]
mod tests {
    use super::*;

    fn part(part: Part, text: &[u8]) -> Vec<u8> {
        let mut bytes = vec![part as u8, text.len() as u8, 0];
        bytes.extend(text);
        bytes
    }

    #[test]
    fn a_row_is_read_from_its_bytes() {
        let bytes = [
            part(Part::CallOpen, b"<tool_call>"),
            part(Part::CallOpen, b"<tool"),
            part(Part::CallClose, b"</tool_call>"),
            part(Part::Body, &[Body::Json as u8]),
            part(Part::Flags, &[1, 0, 0, 0]),
        ];
        let row = Row::of(&bytes.concat()).unwrap();
        assert_eq!(row.list(Part::CallOpen).collect::<Vec<_>>(), [&b"<tool_call>"[..], b"<tool"]);
        assert_eq!((row.has(Part::SectionOpen), row.has(Part::CallClose)), (false, true));
        assert!(row.is(Flag::SectionOptional) && row.body() == Body::Json);
        assert_eq!(row.fits(Part::CallOpen, b"<tool_call>", false), Ok(11));
        assert_eq!(row.fits(Part::CallOpen, b"<tool_c", false), Err(Short));
        assert_eq!(row.fits(Part::CallOpen, b"<tool_c", true), Ok(5));
        assert_eq!(row.fits(Part::CallOpen, b"<tax", false), Ok(0));
        for wrong in [&[99, 0, 0][..], &[0, 0, 0], &[0, 9, 0, 1], &[2, 1, 0, b'a', 1, 1, 0, b'b'], &[31, 1, 0, 99]] {
            assert!(Row::of(wrong).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn a_loose_tag() {
        for (mark, text, fits) in [
            (&b"<call name="[..], &b"<CALL\n Name = "[..], Ok(13)),
            (b"<call name=", b"< call name=", Ok(12)),
            (b"<call name=", b"<call  na", Err(Short)),
            (b"<call name=", b"<callname=", Ok(0)),
            (b"</call>", b"</ Call >", Ok(9)),
            (b"</call>", b"< /call>", Ok(8)),
            (b"</call>", b"<call>", Ok(0)),
        ] {
            assert_eq!(fit_as(mark, text, true), fits, "{text:?}");
        }
        assert_eq!(fit_as(b"[CALL]", b"[call]", true), Ok(0));
        assert_eq!(fit(b"<call=", b"<Call="), Ok(0));
    }

    #[test]
    fn bars_are_of_any_kind() {
        let mark = b"</\x02DSML\x02calls>";
        for (text, fits) in [
            ("</|DSML|calls>", Ok(14)),
            ("</｜｜DSML‖ calls >", Ok(23)),
            ("</ | |DSML | | calls>", Ok(21)),
            ("</|DSML|", Err(Short)),
            ("</|DSML| ", Err(Short)),
            ("</|", Err(Short)),
            ("</DSML|calls>", Ok(0)),
            ("</|||||DSML|calls>", Ok(0)),
            ("</|DSML|tool", Ok(0)),
        ] {
            assert_eq!(fit(mark, text.as_bytes()), fits, "{text}");
        }
    }

    #[test]
    fn a_marker_may_have_a_suffix() {
        let mark = b"<call\x01>";
        for (text, fits) in [
            (&b"<call>"[..], Ok(6)),
            (b"<call:a1>", Ok(9)),
            (b"<call:a1 >", Ok(10)),
            (b"<call:a", Err(Short)),
            (b"<call:>", Ok(7)),
            (b"<calls>", Ok(0)),
            (b"<ca", Err(Short)),
        ] {
            assert_eq!(fit(mark, text), fits, "{text:?}");
        }
    }
}
