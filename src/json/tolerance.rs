//! What is read besides JSON: one named rule for each tolerated error.
//!
//! Source: spec/field.md, "What is read"; spec/policy.md, 1, for escapes. The first eleven are
//! JSON5's (spec.json5.org); the others are what models write. `BareWord` to `MissingKey` are for
//! tool calls and robust JSON: seeds/003, "RJSON", and spec/tool_call.md, "JSON-mix".
//!
//! Differences from JSON5: in an unquoted key every character outside ASCII
//! that isn't white space may stand, `\0` may be followed by a digit, and a
//! control character inside a string is `RawControl`, whichever it is.
//!
//! A backslash before anything that JSON doesn't know has one of three answers. Programs get what
//! was written, both characters (`KeptEscape`): a model that writes `C:\Users`, `\d` or a backslash
//! at a line's end has forgotten to double it. Python's strings follow Python (`PythonEscape`).
//! JSON5's rule, by which the backslash goes (`Json5Escape`, `LineContinuation`), is in
//! [`Rules::JSON5`] alone, for Rust programs that read JSON5.

use crate::text::numbered;

numbered! {
    /// One tolerated error. Each has cases of its name in `tests/cases/field`.
    ///
    /// ```
    /// use tokenweir::field::{FieldParser, Options};
    /// use tokenweir::json::Rule;
    /// let mut parser = FieldParser::new(Options::default());
    /// parser.feed("{'a': 1,}")?;
    /// let names: Vec<_> = parser.used_rules().iter().map(Rule::name).collect();
    /// assert_eq!(names, ["trailing-comma", "single-quotes"]);
    /// assert_eq!(Rule::ALL[1], Rule::TrailingComma);
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Rule {
        /// `// to the end of the line` and `/* … */`
        Comment = 0 => "comment",
        /// `[1,]`, `{"a":1,}`
        TrailingComma = 1 => "trailing-comma",
        /// `'a'`
        SingleQuotes = 2 => "single-quotes",
        /// `{a:1}`
        UnquotedKey = 3 => "unquoted-key",
        /// `0xFF`
        HexNumber = 4 => "hex-number",
        /// `+1`
        PlusSign = 5 => "plus-sign",
        /// `.5`, `5.`
        BarePoint = 6 => "bare-point",
        /// `NaN`, `Infinity`
        NonFinite = 7 => "non-finite",
        /// A backslash and a line's end inside a string, which stand for nothing.
        LineContinuation = 8 => "line-continuation",
        /// `\x41`, `\v`, `\0`, `\'`, and a backslash before any other character.
        Json5Escape = 9 => "json5-escape",
        /// White space that JSON doesn't know.
        Json5Whitespace = 10 => "json5-whitespace",
        /// A line's end, a tab or another control character as it is inside a string.
        RawControl = 11 => "raw-control",
        /// Python's `True`, `False`, `None`
        PythonWord = 12 => "python-word",
        /// `"""…"""`, everything between as it is written.
        TripleQuotes = 13 => "triple-quotes",
        /// `[1 2]`, `{"a":1 "b":2}`
        MissingComma = 14 => "missing-comma",
        /// `[1,,2]`
        DoubledComma = 15 => "doubled-comma",
        /// A closing bracket that closes nothing: `{"a":1]}`
        StrayCloser = 16 => "stray-closer",
        /// `{a: yes}`: a string, or a key, of letters, digits and ``$_-+.*?!|&%^/#\`` without quotes.
        BareWord = 17 => "bare-word",
        /// `007`
        LeadingZero = 18 => "leading-zero",
        /// `"say "hi" now"`: a quote is part of the string if what follows it can't follow a string.
        UnescapedQuote = 19 => "unescaped-quote",
        /// `{:1}`: a member without a name; no name is emitted.
        MissingKey = 20 => "missing-key",
        /// `{"a":[1}}`: it closes the innermost container, as one of its kind is open further out.
        WrongCloser = 21 => "wrong-closer",
        /// `{“a”: “b”}`
        SmartQuotes = 22 => "smart-quotes",
        /// `\d`, `C:\Users`, `\x41`, `\u12`: a backslash that JSON has no meaning for stays.
        KeptEscape = 23 => "kept-escape",
        /// Python's escapes: `\x1b` and `\033` are characters, and `\d` keeps its backslash.
        PythonEscape = 24 => "python-escape",
        /// `{"a": Some_Tool, "b": 1}`: a string without quotes, if a comma, a closing bracket or the end of
        /// the line or the text follows it. With other text after it, `{"a": he said}`, it can't be read.
        LoneWord = 25 => "lone-word",
    }
}

/// Whether this build is the WebAssembly of the npm package that reads arguments and nothing else: by few rules, and up to the
/// first fault. No feature says it but the build program, so that no dependency can change what a Rust program reads.
pub(super) const ARGUMENTS_ALONE: bool = cfg!(tokenweir_rules = "arguments");

/// A set of rules.
///
/// ```
/// use tokenweir::json::{Rule, Rules};
/// assert!(Rules::JSON5.has(Rule::Comment) && !Rules::JSON5.has(Rule::PythonWord));
/// assert!(!Rules::STRICT.has(Rule::Comment) && Rules::LENIENT.has(Rule::StrayCloser));
///
/// let rules = Rules::STRICT.with(Rule::Comment).with(Rule::TrailingComma).without(Rule::Comment);
/// assert_eq!(rules.iter().collect::<Vec<_>>(), [Rule::TrailingComma]);
/// assert_eq!(rules.bits(), 0b10);
///
/// // What robust JSON reads, what it reads when asked to go on, and what a tool call may be written in.
/// assert!(Rules::RELAXED.has(Rule::BareWord) && !Rules::RELAXED.has(Rule::MissingComma));
/// assert!(Rules::TOLERANT.has(Rule::MissingComma) && Rules::CALL.has(Rule::UnescapedQuote));
///
/// // JSON in which a backslash may stand before anything.
/// assert_eq!(Rules::KEPT.iter().collect::<Vec<_>>(), [Rule::KeptEscape]);
///
/// // What may be tolerated in a call's arguments.
/// assert_eq!(Rules::ARGUMENTS.iter().count(), 4);
///
/// // Python's literals.
/// assert!(Rules::PYTHON.has(Rule::TripleQuotes) && !Rules::PYTHON.has(Rule::Comment));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Rules(u32);

impl Rules {
    /// RFC 8259 and nothing else.
    pub const STRICT: Rules = Rules(0);
    /// JSON5.
    pub const JSON5: Rules = Rules::of(&[
        Rule::Comment,
        Rule::TrailingComma,
        Rule::SingleQuotes,
        Rule::UnquotedKey,
        Rule::HexNumber,
        Rule::PlusSign,
        Rule::BarePoint,
        Rule::NonFinite,
        Rule::LineContinuation,
        Rule::Json5Escape,
        Rule::Json5Whitespace,
    ]);
    /// RFC 8259, and a backslash that it has no meaning for stays.
    pub const KEPT: Rules = Rules::of(&[Rule::KeptEscape]);
    /// JSON5 but for its escapes, and what models write besides.
    pub const LENIENT: Rules = Rules::JSON5.without(Rule::LineContinuation).without(Rule::Json5Escape).and(&[
        Rule::KeptEscape,
        Rule::RawControl,
        Rule::PythonWord,
        Rule::TripleQuotes,
        Rule::MissingComma,
        Rule::DoubledComma,
        Rule::StrayCloser,
        Rule::WrongCloser,
        Rule::SmartQuotes,
        Rule::UnescapedQuote,
        Rule::LoneWord,
    ]);
    /// Robust JSON, as `@ai-sdk-tool/parser` reads it.
    pub const RELAXED: Rules = Rules::of(&[
        Rule::Comment,
        Rule::TrailingComma,
        Rule::SingleQuotes,
        Rule::UnquotedKey,
        Rule::Json5Whitespace,
        Rule::BareWord,
        Rule::LeadingZero,
    ]);
    /// The relaxed rules, and those that go on where commas or a key are missing, or a comma is too many.
    pub const TOLERANT: Rules = Rules::RELAXED.and(&[Rule::MissingComma, Rule::DoubledComma, Rule::MissingKey]);
    /// Python's literals, as far as JSON has them, and JSON.
    pub const PYTHON: Rules = Rules::of(&[
        Rule::SingleQuotes,
        Rule::PythonWord,
        Rule::TrailingComma,
        Rule::RawControl,
        Rule::TripleQuotes,
        Rule::PythonEscape,
    ]);
    /// What a tool call may be written in.
    pub const CALL: Rules =
        Rules::RELAXED.and(&[Rule::KeptEscape, Rule::RawControl, Rule::PythonWord, Rule::UnescapedQuote]);

    const fn of(rules: &[Rule]) -> Rules {
        Rules::STRICT.and(rules)
    }

    const fn and(mut self, mut rules: &[Rule]) -> Rules {
        while let [first, rest @ ..] = rules {
            self = self.with(*first);
            rules = rest;
        }
        self
    }

    /// What may be tolerated in a call's arguments.
    pub const ARGUMENTS: Rules =
        Rules::of(&[Rule::TrailingComma, Rule::Json5Escape, Rule::RawControl, Rule::PythonWord]);
    /// What one of the sets has: each [`RuleSet`](super::RuleSet) is of these.
    const SETS: Rules = Rules(Rules::TOLERANT.0 | Rules::CALL.0 | Rules::PYTHON.0).without(Rule::UnescapedQuote);
    /// The rules that this build can read by: what reads by others isn't in a WebAssembly that never does. The build program
    /// says which those are.
    const BUILT: u32 = if ARGUMENTS_ALONE {
        Rules::ARGUMENTS.0
    } else if cfg!(tokenweir_rules = "sets") {
        Rules::SETS.0
    } else if cfg!(tokenweir_rules = "lenient") {
        Rules::LENIENT.0
    } else {
        u32::MAX
    };

    /// Whether the set has a rule.
    #[must_use]
    #[inline(always)]
    pub const fn has(self, rule: Rule) -> bool {
        Rules::BUILT >> rule as u32 & 1 == 1 && self.0 >> rule as u32 & 1 == 1
    }

    /// The set with one rule more.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Rules {
        Rules(self.0 | 1 << rule as u32)
    }

    /// The set without one rule.
    #[must_use]
    pub const fn without(self, rule: Rule) -> Rules {
        Rules(self.0 & !(1 << rule as u32))
    }

    /// The set of these bits; those of no rule don't count.
    #[must_use]
    pub(crate) const fn of_bits(bits: u32) -> Rules {
        Rules(bits & ((1 << Rule::ALL.len()) - 1))
    }

    /// One bit a rule, at its number.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The rules in it, in their order.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.into_iter().filter(move |&rule| self.has(rule))
    }
}

/// The rules that a text is read by, and those that it needed.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Tolerance {
    pub(super) allowed: Rules,
    used: Rules,
    /// Those used before the token that is being read, which may still fail.
    settled: Rules,
}

impl Tolerance {
    pub(super) const fn new(allowed: Rules, used: Rules) -> Tolerance {
        Tolerance { allowed, used, settled: used }
    }

    #[inline(always)]
    pub(super) fn has(&self, rule: Rule) -> bool {
        self.allowed.has(rule)
    }

    pub(super) fn used(&self) -> Rules {
        self.used
    }

    /// Something was read by a rule.
    #[inline(always)]
    pub(super) fn tolerate(&mut self, rule: Rule) {
        self.used = self.used.with(rule);
    }

    /// A token begins: what came before it stays.
    #[inline(always)]
    pub(super) fn settle(&mut self) {
        self.settled = self.used;
    }

    /// The token failed, so that its rules led to nothing.
    pub(super) fn take_back(&mut self) {
        self.used = self.settled;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_stands_at_its_number() {
        for (at, rule) in Rule::ALL.into_iter().enumerate() {
            assert_eq!(rule as usize, at);
            assert_eq!(Rules::STRICT.with(rule).bits(), 1 << at);
        }
        let sets = super::super::RuleSet::ALL.into_iter().fold(0, |sum, set| sum | set.rules().bits());
        assert_eq!(Rules::SETS.bits(), sets);
        assert_eq!(Rules::LENIENT.iter().last(), Some(Rule::LoneWord));
        assert_eq!(Rules::JSON5.iter().last(), Some(Rule::Json5Whitespace));
    }
}
