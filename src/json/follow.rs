//! Whether a quote ends a string, by what follows.
//!
//! Models forget backslashes: `"say "hi" now"`. A quote is part of the string if
//! JSON can't continue after it. In valid JSON it can after every closing quote, so
//! valid text is never read differently. Where a missing comma is tolerated, reading goes
//! on after what is wrong, as in `["a", oops, 1]`: then a quote before `,`, `:` or a closing
//! bracket is part of the string only if a later one ends it.
//!
//! Source: spec/tool_call.md, "JSON-mix"; spec/world.md, 6.3. Only [`LONGEST_LOOK`] bytes
//! are looked at, so that little text is pending and reading stays linear; if all of them
//! fit, the quote ends the string.

use super::nesting::Nesting;
use super::state::Container;
use super::tolerance::{Rule, Rules};
use crate::scan::begins;
use crate::text::whitespace_len;

/// Most bytes that are looked at.
pub const LONGEST_LOOK: usize = 512;

/// What may end a text early.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    mark: &'a [u8],
    /// Whether the text is an argument of a Python call, `f(a='x', b=1)`: a list to JSON, with one element.
    is_argument: bool,
}

impl<'a> End<'a> {
    /// A mark, or nothing if it is empty.
    #[must_use]
    pub const fn of(mark: &'a [u8]) -> End<'a> {
        End { mark, is_argument: false }
    }

    /// The end of a text that is an argument of a Python call.
    #[must_use]
    pub const fn of_argument(mark: &'a [u8]) -> End<'a> {
        End { mark, is_argument: true }
    }
}

/// Whether a quote ends the string, if `rest` comes after it, or `None` while there is too
/// little of it. `end` may end the text early; with `is_last` no more text comes.
#[inline(never)]
pub(super) fn ends_string<const WORDS: usize>(
    quote: u8,
    rest: &[u8],
    nesting: &Nesting<WORDS>,
    rules: Rules,
    end: End<'_>,
    is_last: bool,
) -> Option<bool> {
    let seen = front(rest);
    let is_short = rest.len() < LONGEST_LOOK;
    let mut look = Look { rest: seen, rules, end };
    if is_last && is_short {
        // Where the text is cut off, nothing but a part of JSON can be what follows.
        look.rules = rules.without(Rule::MissingComma);
    }
    let follows = look.value_end(nesting).or((!is_short).then_some(true));
    let mut look = Look { rest: seen, rules, end };
    if follows != Some(false) || !rules.has(Rule::MissingComma) || !look.is_doubtful()? {
        return follows.or(is_last.then_some(true));
    }
    // A later quote ends the string, or else this one does.
    for at in (0..seen.len()).filter(|&at| seen.get(at) == Some(&quote)) {
        look.rest = seen.get(at + 1..).unwrap_or_default();
        match look.value_end(nesting) {
            Some(false) => {}
            Some(true) => return Some(false),
            None if is_short && !is_last => return None,
            None => return Some(false),
        }
    }
    if is_short { is_last.then_some(true) } else { Some(false) }
}

/// Most bytes that a key goes on for after a quote in it.
const LONGEST_KEY: usize = 64;

/// Whether a quote ends a key, if `rest` comes after it, or `None` while there is too little of it. It is part
/// of the key where text follows directly, and then a quote and a colon: `"na"me":`.
pub(super) fn ends_key(quote: u8, rest: &[u8], is_last: bool) -> Option<bool> {
    let is_in_key = |at: usize, byte: u8| match byte {
        b'\\' | b'\n' | b'\r' | b',' | b':' | b'{' | b'}' | b'[' | b']' => false,
        b' ' | b'\t' | b'/' => at > 0,
        _ => byte != quote,
    };
    let seen = rest.get(..LONGEST_KEY).unwrap_or(rest);
    let Some(at) = (0..seen.len()).find(|&at| seen.get(at).is_some_and(|&byte| !is_in_key(at, byte))) else {
        let is_known = is_last || seen.len() == LONGEST_KEY;
        return is_known.then_some(true);
    };
    if at == 0 || seen.get(at) != Some(&quote) {
        return Some(true);
    }
    let after = seen.get(at + 1..).unwrap_or_default();
    match after.iter().find(|byte| !matches!(byte, b' ' | b'\t')) {
        Some(&byte) => Some(byte != b':'),
        None => (is_last || seen.len() == LONGEST_KEY).then_some(true),
    }
}

/// What is looked at of a text: no character is cut.
fn front(text: &[u8]) -> &[u8] {
    let is_inside = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let end = (0..=LONGEST_LOOK).rev().find(|at| !is_inside(at)).unwrap_or_default();
    text.get(..end).unwrap_or(text)
}

/// The text that is still to be looked at. A method returns `None` if it ends too early.
struct Look<'a> {
    rest: &'a [u8],
    rules: Rules,
    end: End<'a>,
}

impl<'a> Look<'a> {
    /// The next byte that is not layout.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.rest {
                [b' ' | b'\t' | b'\n' | b'\r', rest @ ..] => self.rest = rest,
                [b'/', ..] if !self.rules.has(Rule::Comment) => return Some(b'/'),
                [b'/', b'/', rest @ ..] => self.rest = after_line(rest)?,
                [b'/', b'*', rest @ ..] => self.rest = after_mark(rest, b"*/")?,
                [b'/'] | [] => return None,
                [byte, ..] => match whitespace_len(self.rest) {
                    width @ 1.. if self.rules.has(Rule::Json5Whitespace) => self.rest = self.rest.get(width..)?,
                    _ => return Some(*byte),
                },
            }
        }
    }

    /// Whether a “smart” quote stands here.
    fn has_smart_quote(&self) -> bool {
        self.rules.has(Rule::SmartQuotes) && matches!(self.rest, [0xE2, 0x80, 0x9C | 0x9D, ..])
    }

    /// Whether what follows a quote may be what follows a string, though the rest doesn't fit.
    fn is_doubtful(&mut self) -> Option<bool> {
        Some(matches!(self.peek()?, b',' | b':' | b'}' | b']'))
    }

    fn pass(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
    }

    fn byte(&mut self, byte: u8) -> Option<bool> {
        Some(self.peek()? == byte)
    }

    #[inline(never)]
    fn value_end<const WORDS: usize>(&mut self, nesting: &Nesting<WORDS>) -> Option<bool> {
        let mut depth = nesting.depth();
        let mut objects = nesting.open_objects();
        loop {
            let inside = nesting.at(depth);
            if inside == Container::Text {
                // Text outside of the value says nothing about the string.
                return Some(true);
            }
            if depth == 1 && self.end.is_argument {
                return self.argument_end();
            }
            let is_object = inside == Container::Object;
            let others = if is_object { depth - objects } else { objects };
            let closes = match self.peek()? {
                b'}' => is_object || others > 0 && self.rules.has(Rule::WrongCloser),
                b')' if self.end.is_argument => !is_object,
                b']' => !is_object || others > 0 && self.rules.has(Rule::WrongCloser),
                b',' => {
                    self.pass();
                    return if is_object { self.member() } else { self.element() };
                }
                _ => {
                    let ends = self.end();
                    let lacks_comma = ends == Some(false) && self.rules.has(Rule::MissingComma);
                    return if lacks_comma { self.without_comma(is_object) } else { ends };
                }
            };
            match closes {
                true => {
                    depth -= 1;
                    objects -= u16::from(is_object);
                }
                false if self.rules.has(Rule::StrayCloser) => {}
                false => return self.end(),
            }
            self.pass();
        }
    }

    /// Whether another argument of a Python call comes, or the end of the call.
    fn argument_end(&mut self) -> Option<bool> {
        let mut next = self.peek()?;
        if next == b',' {
            self.pass();
            next = self.peek()?;
            if next != b')' {
                return Some(!self.word().is_empty() && self.byte(b'=')?);
            }
        }
        if next != b')' {
            return self.end();
        }
        self.pass();
        match self.peek()? {
            b']' | b',' | b';' => Some(true),
            _ if self.end()? => Some(true),
            _ => Some(!self.word().is_empty() && self.byte(b'(')?),
        }
    }

    /// A key and its colon, or the bracket that closes the object.
    fn member(&mut self) -> Option<bool> {
        loop {
            match self.peek()? {
                b'}' => return Some(true),
                b']' if self.rules.has(Rule::StrayCloser) => return Some(true),
                b',' if self.rules.has(Rule::DoubledComma) => self.pass(),
                _ => break,
            }
        }
        match self.peek()? {
            b'"' | b'\'' => Some(self.string()? && self.byte(b':')?),
            _ if self.has_smart_quote() => Some(self.smart_string()? && self.byte(b':')?),
            _ if self.word().is_empty() => self.end(),
            _ => self.byte(b':'),
        }
    }

    /// An element by its first byte; a word has to be all of it.
    fn element(&mut self) -> Option<bool> {
        loop {
            match self.peek()? {
                b']' | b'[' | b'{' | b'"' | b'\'' => return Some(true),
                b')' | b'(' if self.end.is_argument => return Some(true),
                b'}' if self.rules.has(Rule::StrayCloser) => return Some(true),
                b',' if self.rules.has(Rule::DoubledComma) => self.pass(),
                _ if self.has_smart_quote() => return Some(true),
                _ => break,
            }
        }
        let word = self.word();
        if word.is_empty() {
            return self.end();
        }
        let next = self.peek()?;
        let is_followed = matches!(next, b',' | b']')
            || next == b')' && self.end.is_argument
            || next == b'}' && self.rules.has(Rule::StrayCloser)
            || matches!(next, b'"' | b'\'' | b'{' | b'[') && self.rules.has(Rule::MissingComma);
        Some(is_followed && self.is_value(word))
    }

    /// A member or an element where a comma should stand: all of it, up to what follows it.
    fn without_comma(&mut self, is_object: bool) -> Option<bool> {
        // `"say "hi""}`
        if matches!(self.rest, [b'"' | b'\'', b'}' | b']' | b',' | b':', ..]) {
            return Some(false);
        }
        let byte = self.peek()?;
        if is_object {
            // A long word in another script says nothing before its end.
            if byte >= 0x80 && !self.has_smart_quote() || !self.member()? {
                return Some(false);
            }
            self.pass();
            return self.begins_value();
        }
        match byte {
            b'"' | b'\'' => Some(self.string()? && matches!(self.peek()?, b',' | b']' | b'"' | b'\'' | b'{' | b'[')),
            b'{' => {
                self.pass();
                Some(matches!(self.peek()?, b'"' | b'\'' | b'}'))
            }
            b'[' => {
                self.pass();
                if self.byte(b']')? { Some(true) } else { self.begins_value() }
            }
            b'0'..=b'9' | b'-' | b'+' | b'.' | b't' | b'f' | b'n' | b'T' | b'F' | b'N' | b'I' => {
                let word = self.word();
                Some(matches!(self.peek()?, b',' | b']') && self.is_value(word))
            }
            _ => Some(false),
        }
    }

    /// Whether a value begins here.
    fn begins_value(&mut self) -> Option<bool> {
        match self.peek()? {
            b'"' | b'\'' | b'{' | b'[' | b'0'..=b'9' | b'-' | b'+' | b'.' => Some(true),
            _ if self.has_smart_quote() => Some(true),
            _ => {
                let word = self.word();
                (!self.rest.is_empty()).then(|| self.is_value(word))
            }
        }
    }

    /// Passes over a string up to the next quote; false if its line ends before that.
    fn string(&mut self) -> Option<bool> {
        let quote = *self.rest.first()?;
        self.pass();
        loop {
            match self.rest {
                [b'\\', b'\r', b'\n', rest @ ..] | [b'\\', _, rest @ ..] => self.rest = rest,
                [b'\n', ..] => return Some(false),
                [byte, rest @ ..] => {
                    self.rest = rest;
                    if *byte == quote {
                        return Some(true);
                    }
                }
                [] => return None,
            }
        }
    }

    /// Follows a string between “smart” quotes.
    fn smart_string(&mut self) -> Option<bool> {
        self.rest = self.rest.get(3..)?;
        while !self.has_smart_quote() {
            self.rest = if let [b'\\', _, rest @ ..] | [_, rest @ ..] = self.rest { rest } else { return None };
        }
        self.rest = self.rest.get(3..)?;
        Some(true)
    }

    /// Passes over a word or a number.
    // One copy of a loop over characters, for each place that a word may stand at.
    #[inline(never)]
    fn word(&mut self) -> &'a [u8] {
        let is_in_word = |at: &usize| match self.rest.get(*at..) {
            Some([byte @ 0x80..=0xFF, ..]) if byte & 0xC0 == 0x80 => true,
            Some(rest @ [0x80..=0xFF, ..]) => whitespace_len(rest) == 0,
            Some([byte, ..]) => byte.is_ascii_alphanumeric() || b"$_-+.\\".contains(byte),
            Some([]) | None => false,
        };
        let length = (0..).take_while(is_in_word).count();
        let (word, rest) = self.rest.split_at_checked(length).unwrap_or_default();
        self.rest = rest;
        word
    }

    /// Whether a word is a value alone.
    fn is_value(&self, word: &[u8]) -> bool {
        const WORDS: [&[u8]; 8] = [b"true", b"false", b"null", b"True", b"False", b"None", b"NaN", b"Infinity"];
        let is_number = matches!(word, [b'0'..=b'9' | b'-' | b'+' | b'.', ..]);
        is_number || WORDS.contains(&word) || !word.is_empty() && self.rules.has(Rule::BareWord)
    }

    /// The end of the text that may come early. White space before its last `>` isn't looked at.
    // One copy, for each place that the text may end at.
    #[inline(never)]
    fn end(&mut self) -> Option<bool> {
        let end = self.end.mark.strip_suffix(b">").unwrap_or(self.end.mark);
        if end.is_empty() { Some(false) } else { begins(self.rest, end) }
    }
}

/// The text after the end of the line.
fn after_line(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        rest = match rest {
            [b'\n' | b'\r', rest @ ..] | [0xE2, 0x80, 0xA8 | 0xA9, rest @ ..] => return Some(rest),
            [_, rest @ ..] => rest,
            [] => return None,
        };
    }
}

/// The text after the first occurrence of a mark.
fn after_mark<'a>(text: &'a [u8], mark: &[u8]) -> Option<&'a [u8]> {
    let at = text.windows(mark.len()).position(|window| window == mark)?;
    text.get(at + mark.len()..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_follow() {
        let mut nesting = Nesting::<4>::EMPTY;
        assert!(nesting.push(Container::Object) && nesting.push(Container::Object));
        let follows =
            |rest: &str| ends_string(b'"', rest.as_bytes(), &nesting, Rules::CALL, End::of(b"</call>"), false);
        for rest in [
            ",\"b\":",
            ", b :",
            " }",
            "}}",
            "}} prose",
            "},\"c\" :",
            "/* x */ ,'b':",
            ",}",
            "</call",
            " // x\n}",
            " // x\r}",
            ",</call",
            ",a-1.b+$_é :",
        ] {
            let answer = follows(&format!("{rest} "));
            assert!(answer == Some(true) || rest.ends_with('}') && answer.is_none(), "{rest}: {answer:?}");
        }
        for rest in [" x", "hi", ", he said", ",\"he\" said", "]", "}]", "\"", "} else", "</cell>", ",\"b\nc\":"] {
            assert_eq!(follows(rest), Some(false), "{rest}");
        }
        for rest in ["", " ", ",", ",\"b", ",\"b\"", "}", "} ", "</ca", "/", "/* x"] {
            assert_eq!(follows(rest), None, "{rest}");
        }
        assert_eq!(follows(&" ".repeat(LONGEST_LOOK)), Some(true));
    }

    /// What the rules of fields allow after a string besides.
    #[test]
    fn what_can_follow_with_errors() {
        let mut nesting = Nesting::<4>::EMPTY;
        assert!(nesting.push(Container::Array) && nesting.push(Container::Object));
        let follows = |rest: &str| ends_string(b'"', rest.as_bytes(), &nesting, Rules::LENIENT, End::of(b"```"), false);
        for rest in [
            " \"b\": 1 ",
            "\n b : 'x'",
            " \"b\": “x”",
            " “b”: null,",
            ",, \"b\":",
            "\u{a0},“b c” :",
            "} {\"b\"",
            "} {}",
            "} [1",
            "} \"b\",",
            "} 1 ]",
            "]]}, {",
            "}] ",
            ",]",
            "},}",
            "}, 1 \"b\"",
            "\n```",
            ",\u{2028}\\u0061 :",
            " // \u{2028}}, “b",
            ", \"a\\\r\nb\":",
        ] {
            assert_eq!(follows(rest), Some(true), "{rest}");
        }
        for rest in [" b: yes ", " b c", "\"x\" y", " \"b\": yes ", " “b” c", "\n``,", " ?", "\"}", " \"]"] {
            assert_eq!(follows(rest), Some(false), "{rest}");
        }
        // A later quote has to end the string.
        for (rest, answer) in [
            (", he said\"}, {", Some(false)),
            (": he said\" ?", None),
            ("} (1", None),
            ("} yes ", None),
            ("} [yes ", None),
            ("}, he", None),
            (", oops\", ", None),
            (", he 'said'}, {", None),
        ] {
            assert_eq!(follows(rest), answer, "{rest}");
        }
        assert_eq!(follows(&(", he,".to_owned() + &" ".repeat(LONGEST_LOOK))), Some(false));
        assert_eq!(follows(&(", ".to_owned() + &"x".repeat(LONGEST_LOOK - 3) + "é")), Some(true));
        assert_eq!(follows("水"), Some(false));
        assert_eq!(follows(&(" ".repeat(LONGEST_LOOK - 1) + "é")), Some(true));
        // At the end of the text.
        for (rest, answer) in [
            ("", true),
            ("}, \"b", true),
            (",", true),
            (", oops", true),
            (": oops}", true),
            (", oops\"}", false),
            (" oops", false),
            (".", false),
            (" \"b", false),
        ] {
            let ends = ends_string(b'"', rest.as_bytes(), &nesting, Rules::LENIENT, End::of(b""), true);
            assert_eq!(ends, Some(answer), "{rest}");
        }
        let strict = Rules::STRICT.with(Rule::UnescapedQuote);
        for rest in [" // a\n}", "\u{a0}}", "]", ",]", " \"b\": 1", ",, \"b\":"] {
            assert_eq!(
                ends_string(b'"', rest.as_bytes(), &nesting, strict, End::of(b""), false),
                Some(false),
                "{rest}"
            );
        }
    }

    #[test]
    fn text_after_a_mark() {
        assert_eq!(after_mark(b"ab*/cd", b"*/"), Some(&b"cd"[..]));
        assert_eq!(after_mark(b"ab*c", b"*/"), None);
    }

    #[test]
    fn in_python_calls() {
        let mut nesting = Nesting::<4>::EMPTY;
        assert!(nesting.push(Container::Array));
        let rules = Rules::PYTHON.with(Rule::UnescapedQuote);
        let follows = |nesting: &Nesting<4>, rest: &str| {
            ends_string(b'\'', rest.as_bytes(), nesting, rules, End::of_argument(b"<end>"), false)
        };
        for (rest, answer) in [
            (")]", Some(true)),
            (" ) <end>", Some(true)),
            ("<end>", Some(true)),
            (") <enough", Some(false)),
            (") g(", Some(true)),
            (", b = 1", Some(true)),
            (",)]", Some(true)),
            (")", None),
            (", b", None),
            (") and x", Some(false)),
            (", 'b'", Some(false)),
            ("]", Some(false)),
            (" x", Some(false)),
        ] {
            assert_eq!(follows(&nesting, rest), answer, "{rest}");
        }
        assert!(nesting.push(Container::Array));
        for (rest, answer) in
            [("))]", true), ("])]", true), (", 'b'", true), (", (1", true), (", 1)", true), (", b=", false)]
        {
            assert_eq!(follows(&nesting, rest), Some(answer), "{rest}");
        }
    }

    #[test]
    fn in_arrays() {
        let mut nesting = Nesting::<4>::EMPTY;
        assert!(nesting.push(Container::Array));
        let follows = |rest: &str| ends_string(b'"', rest.as_bytes(), &nesting, Rules::CALL, End::of(b""), false);
        for (rest, answer) in
            [(",\"x\"", true), (", 1,", true), (", yes ]", true), (", he said", false), ("}", false), ("]x", true)]
        {
            assert_eq!(follows(rest), Some(answer), "{rest}");
        }
        // The end tag comes where an element might, and early.
        assert_eq!(ends_string(b'"', b",</call", &nesting, Rules::CALL, End::of(b"</call>"), false), Some(true));
        assert_eq!(ends_string(b'"', b",</cell", &nesting, Rules::CALL, End::of(b"</call>"), false), Some(false));
    }
}
