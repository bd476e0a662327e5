//! Whether a quote ends a string, by what follows.
//!
//! Models forget backslashes: `"say "hi" now"`. A quote is part of the string if
//! JSON can't continue after it. In valid JSON it can after every closing quote, so
//! valid text is never read differently.
//!
//! Source: spec/tool_call.md, "JSON-mix". Only [`LONGEST_LOOK`] bytes are looked at,
//! so that little text is pending and reading stays linear; if all of them fit, the
//! quote ends the string.

use super::nesting::Nesting;
use super::state::Container;

/// Most bytes that are looked at.
pub const LONGEST_LOOK: usize = 512;

/// Whether the text can continue with `rest` after a string's closing quote, or
/// `None` while there is too little of it. `end` may end the text early.
pub(super) fn can_follow<const WORDS: usize>(rest: &[u8], nesting: &Nesting<WORDS>, end: &[u8]) -> Option<bool> {
    let seen = rest.get(..LONGEST_LOOK).unwrap_or(rest);
    let mut look = Look { rest: seen, end };
    look.value_end(nesting).or((rest.len() >= LONGEST_LOOK).then_some(true))
}

/// The text that is still to be looked at. A method returns `None` if it ends too early.
struct Look<'a> {
    rest: &'a [u8],
    end: &'a [u8],
}

impl Look<'_> {
    /// The next byte that is not layout.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.rest {
                [b' ' | b'\t' | b'\n' | b'\r', rest @ ..] => self.rest = rest,
                [b'/', b'/', rest @ ..] => self.rest = after_line(rest)?,
                [b'/', b'*', rest @ ..] => self.rest = after_mark(rest, b"*/")?,
                [b'/'] | [] => return None,
                [byte, ..] => return Some(*byte),
            }
        }
    }

    fn pass(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
    }

    fn byte(&mut self, byte: u8) -> Option<bool> {
        Some(self.peek()? == byte)
    }

    fn value_end<const WORDS: usize>(&mut self, nesting: &Nesting<WORDS>) -> Option<bool> {
        let mut depth = nesting.depth();
        loop {
            let byte = self.peek()?;
            match (byte, nesting.at(depth)) {
                // Text outside of the value says nothing about the string.
                (_, Container::Text) => return Some(true),
                (b'}', Container::Object) | (b']', Container::Array) => {
                    depth -= 1;
                    self.pass();
                }
                (b',', Container::Object) => {
                    self.pass();
                    return self.member();
                }
                (b',', Container::Array) => {
                    self.pass();
                    return self.element();
                }
                (_, Container::Object | Container::Array) => return self.end(),
            }
        }
    }

    /// A key and its colon, or the bracket that closes the object.
    fn member(&mut self) -> Option<bool> {
        match self.peek()? {
            b'}' => Some(true),
            quote @ (b'"' | b'\'') => {
                self.pass();
                loop {
                    match self.rest {
                        [b'\\', _, rest @ ..] => self.rest = rest,
                        [b'\n', ..] => return Some(false),
                        [byte, rest @ ..] => {
                            self.rest = rest;
                            if *byte == quote {
                                return self.byte(b':');
                            }
                        }
                        [] => return None,
                    }
                }
            }
            _ if self.word() > 0 => self.byte(b':'),
            _ => self.end(),
        }
    }

    /// An element by its first byte; a word has to be all of it.
    fn element(&mut self) -> Option<bool> {
        match self.peek()? {
            b']' | b'[' | b'{' | b'"' | b'\'' => Some(true),
            _ if self.word() > 0 => Some(matches!(self.peek()?, b',' | b']')),
            _ => self.end(),
        }
    }

    /// Passes over a word or a number; returns its length.
    fn word(&mut self) -> usize {
        let is_in_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"$_-+.".contains(byte) || **byte >= 0x80;
        let length = self.rest.iter().take_while(is_in_word).count();
        self.rest = self.rest.get(length..).unwrap_or_default();
        length
    }

    /// The end of the text that may come early. White space before its last `>` isn't looked at.
    fn end(&mut self) -> Option<bool> {
        let end = self.end.strip_suffix(b">").unwrap_or(self.end);
        if end.is_empty() {
            return Some(false);
        }
        let seen = self.rest.get(..end.len()).unwrap_or(self.rest);
        if !end.starts_with(seen) { Some(false) } else { (seen.len() == end.len()).then_some(true) }
    }
}

/// The text after the end of the line.
fn after_line(text: &[u8]) -> Option<&[u8]> {
    let at = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
    text.get(at + 1..)
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
        let follows = |rest: &str| can_follow(rest.as_bytes(), &nesting, b"</call>");
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

    #[test]
    fn text_after_a_mark() {
        assert_eq!(after_mark(b"ab*/cd", b"*/"), Some(&b"cd"[..]));
        assert_eq!(after_mark(b"ab*c", b"*/"), None);
    }

    #[test]
    fn in_arrays() {
        let mut nesting = Nesting::<4>::EMPTY;
        assert!(nesting.push(Container::Array));
        let follows = |rest: &str| can_follow(rest.as_bytes(), &nesting, b"");
        for (rest, answer) in
            [(",\"x\"", true), (", 1,", true), (", yes ]", true), (", he said", false), ("}", false), ("]x", true)]
        {
            assert_eq!(follows(rest), Some(answer), "{rest}");
        }
        // The end tag comes where an element might, and early.
        assert_eq!(can_follow(b",</call", &nesting, b"</call>"), Some(true));
        assert_eq!(can_follow(b",</cell", &nesting, b"</call>"), Some(false));
    }
}
