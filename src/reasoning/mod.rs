//! Reasoning in text, which is not searched for tool calls.
//!
//! ```text
//! reasoning ::= '<think>' text '</think>' | '<thinking>' text '</thinking>'
//! ```
//!
//! An opening tag counts where a model writes one: at the start of the reply, at the
//! start of a line, and directly after a tool call or other reasoning; not in a fence
//! of Markdown. Reasoning that is never closed goes on to the end.
//!
//! Source: spec/world.md, "Reasoning", 2 and 3.

use crate::markdown::{LINE_ENDS, Quotes, STOPS, Standing};
use crate::scan::{Entry, Literals, find_any, is_space, tag_len};
use crate::text::Stretch;

macro_rules! tags {
    ($($name:literal)*) => {
        /// The names of the tags: no other room has them again.
        pub(crate) const NAMES: [&str; 2] = [$($name),*];

        /// Opening and closing tags.
        pub(crate) const TAGS: [(&[u8], &[u8]); 2] =
            [$((concat!("<", $name, ">").as_bytes(), concat!("</", $name, ">").as_bytes())),*];

        const SORTED: &str = concat!($("</", $name, ">",)* $("<", $name, ">"),*);
    };
}

tags! { "think" "thinking" }

/// The classes of [`LITERALS`].
pub(crate) const OPENS: u8 = 0;
pub(crate) const CLOSES: u8 = 1;

/// The tags as a table, for those who read one byte by byte.
pub(crate) const LITERALS: Literals<'static> = {
    const ENTRIES: [Entry; 4] = {
        let [(open, close), (other_open, other_close)] = TAGS;
        let first = Entry { start: 0, len: close.len() as u8, class: CLOSES };
        let second = after(&first, other_close, CLOSES);
        let third = after(&second, open, OPENS);
        let last = after(&third, other_open, OPENS);
        [first, second, third, last]
    };
    Literals { bytes: SORTED.as_bytes(), entries: &ENTRIES }
};

const fn after(before: &Entry, tag: &[u8], class: u8) -> Entry {
    Entry { start: before.start + before.len as u16, len: tag.len() as u8, class }
}

/// Whether an opening tag counts at the place, and whether that is in Markdown code.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(crate) struct Opening {
    pub(crate) quotes: Quotes,
    /// Whether only white space stands between the place and the start of the reply,
    /// the call or the reasoning before it.
    pub(crate) is_after: bool,
    /// Whether reasoning is looked for.
    seeks: bool,
    /// Whether what stands in Markdown code is text.
    skips_code: bool,
}

impl Opening {
    /// At the start of a reply.
    pub(crate) const fn new(seeks: bool, skips_code: bool) -> Opening {
        Opening { quotes: Quotes::START, is_after: true, seeks, skips_code }
    }

    /// Whether any byte of the text matters here.
    pub(crate) fn is_read(&self) -> bool {
        self.seeks || self.skips_code
    }

    /// After a call or reasoning.
    #[inline(never)]
    pub(crate) fn pass_segment(&mut self) {
        self.quotes.code_mut().pass_segment();
        self.is_after = true;
    }

    /// After something in a line that is neither.
    #[inline(never)]
    pub(crate) fn pass_words(&mut self) {
        self.quotes.code_mut().pass_segment();
        self.is_after = false;
    }

    /// At the start of a line after such.
    pub(crate) fn pass_line(&mut self) {
        self.pass_words();
        self.quotes.code_mut().step(b'\n');
    }

    pub(crate) fn step(&mut self, byte: u8) {
        self.is_after &= is_space(byte);
        self.quotes.code_mut().step(byte);
    }

    /// Whether reasoning is looked for.
    pub(crate) fn seeks(&self) -> bool {
        self.seeks
    }

    pub(crate) fn counts(&self) -> bool {
        self.seeks && (self.is_after || self.quotes.code().is_line_start())
    }

    /// Whether text up to the end of the line needs no reading but for the start of a segment.
    // Asked at every byte of text full of backticks.
    #[inline]
    pub(crate) fn is_settled(&self) -> bool {
        if !self.is_read() {
            return true;
        }
        let code = self.quotes.code();
        !self.is_after && if self.skips_code { code.is_plain() } else { code.is_within_line() }
    }

    /// Passes text up to one of the bytes, or to what may open reasoning. A caller with fewer repeats one: so there is
    /// one copy of the vector loops. Only a single stop has its own, which takes half the time.
    #[inline(never)]
    pub(crate) fn pass_text(&mut self, stops: [u8; 3], text: &mut Stretch<'_>) {
        let [first, ..] = stops;
        let find = |text: &[u8]| if stops == [first; 3] { find_any(text, [first]) } else { find_any(text, stops) };
        if !self.is_read() {
            let plain = find(text.rest()).unwrap_or(text.rest().len());
            return text.pass(plain);
        }
        while let Some(&byte) = text.rest().first() {
            if stops.contains(&byte) || byte == b'<' && self.counts() {
                return;
            }
            if self.is_settled() {
                // Searched for together: what comes last of them may be far, and is not searched for again from each other.
                let ([a, b, c], [d, e, f, g], [h, i]) = (stops, STOPS, LINE_ENDS);
                let rest = text.rest();
                let found = if self.skips_code {
                    find_any(rest, [a, b, c, d, e, f, g])
                } else {
                    find_any(rest, [a, b, c, h, i])
                };
                let plain = found.unwrap_or(rest.len());
                text.pass(plain);
                if plain > 0 {
                    continue;
                }
            }
            self.step_text(text);
        }
    }

    /// Passes one byte of text.
    pub(crate) fn step_text(&mut self, text: &mut Stretch<'_>) {
        if let Some(&byte) = text.rest().first() {
            self.step(byte);
        }
        text.pass(1);
    }

    /// Passes so many bytes of text.
    #[inline(never)]
    pub(crate) fn pass_bytes(&mut self, bytes: usize, text: &mut Stretch<'_>) {
        for _ in 0..bytes {
            self.step_text(text);
        }
    }

    /// The number and the length of the opening tag at the start of a text, with a length
    /// of 0 if there is none that counts; `None` while the text is too short to say.
    pub(crate) fn opens(&self, text: &[u8]) -> Option<(usize, usize)> {
        if text.first() != Some(&b'<') || !self.counts() {
            return Some((0, 0));
        }
        opening_tag(text)
    }

    /// Whether what begins with the next byte is in Markdown code.
    pub(crate) fn look(&mut self) -> Standing {
        if self.skips_code { self.quotes.look() } else { Standing::Plain }
    }
}

/// The number and the length of the opening tag at the start of a text, wherever that is.
pub(crate) fn opening_tag(text: &[u8]) -> Option<(usize, usize)> {
    any_tag(TAGS.map(|(open, _)| open), text)
}

/// The length of the closing tag at the start of a text: of the opening tag with a
/// number, or any.
pub(crate) fn closing_tag(number: Option<usize>, text: &[u8]) -> Option<usize> {
    match number {
        Some(number) => TAGS.get(number).and_then(|(_, close)| tag_len(close, text)),
        None => any_tag(TAGS.map(|(_, close)| close), text).map(|(_, length)| length),
    }
}

/// The number and the length of the first of the tags that a text begins with.
fn any_tag<const N: usize>(tags: [&[u8]; N], text: &[u8]) -> Option<(usize, usize)> {
    let mut is_open = false;
    for (number, tag) in tags.into_iter().enumerate() {
        match tag_len(tag, text) {
            Some(0) => {}
            Some(length) => return Some((number, length)),
            None => is_open = true,
        }
    }
    (!is_open).then_some((0, 0))
}
