//! What is read besides JSON: one named rule for each departure from RFC 8259.
//!
//! Source: spec/field.md, "What is read". The first eleven are JSON5's
//! (spec.json5.org); the others are what models write. The last three are for
//! tool calls: seeds/003, "RJSON", and spec/tool_call.md, "JSON-mix".
//!
//! Differences from JSON5: in an unquoted key every character outside ASCII
//! that isn't white space may stand, `\0` may be followed by a digit, and a
//! control character inside a string is `RawControl`, whichever it is.

/// One departure. Each has cases of its name in `tests/cases/field`.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Rule {
    /// `// to the end of the line` and `/* … */`
    Comment = 0,
    /// `[1,]`, `{"a":1,}`
    TrailingComma = 1,
    /// `'a'`
    SingleQuotes = 2,
    /// `{a:1}`
    UnquotedKey = 3,
    /// `0xFF`
    HexNumber = 4,
    /// `+1`
    PlusSign = 5,
    /// `.5`, `5.`
    BarePoint = 6,
    /// `NaN`, `Infinity`
    NonFinite = 7,
    /// A backslash and a line's end inside a string, which stand for nothing.
    LineContinuation = 8,
    /// `\x41`, `\v`, `\0`, `\'`, and a backslash before any other character.
    Json5Escape = 9,
    /// White space that JSON doesn't know.
    Json5Whitespace = 10,
    /// A line's end, a tab or another control character as it is inside a string.
    RawControl = 11,
    /// Python's `True`, `False`, `None`
    PythonWord = 12,
    /// `"""…"""`, everything between as it is written.
    TripleQuotes = 13,
    /// `[1 2]`, `{"a":1 "b":2}`
    MissingComma = 14,
    /// `[1,,2]`
    DoubledComma = 15,
    /// A closing bracket that closes nothing: `{"a":1]}`
    StrayCloser = 16,
    /// `{a: yes}`: a string, or a key, of letters, digits and ``$_-+.*?!|&%^/#\`` without quotes.
    BareWord = 17,
    /// `007`
    LeadingZero = 18,
    /// `"say "hi" now"`: a quote behind which the text can't go on is part of the string.
    UnescapedQuote = 19,
    /// `{:1}`: a member that has no name; none is told.
    MissingKey = 20,
}

impl Rule {
    /// All of them; each stands at its own number.
    pub const ALL: [Rule; 21] = [
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
        Rule::RawControl,
        Rule::PythonWord,
        Rule::TripleQuotes,
        Rule::MissingComma,
        Rule::DoubledComma,
        Rule::StrayCloser,
        Rule::BareWord,
        Rule::LeadingZero,
        Rule::UnescapedQuote,
        Rule::MissingKey,
    ];

    /// Its stable name. JavaScript has the same list, in the same order.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Rule::Comment => "comment",
            Rule::TrailingComma => "trailing-comma",
            Rule::SingleQuotes => "single-quotes",
            Rule::UnquotedKey => "unquoted-key",
            Rule::HexNumber => "hex-number",
            Rule::PlusSign => "plus-sign",
            Rule::BarePoint => "bare-point",
            Rule::NonFinite => "non-finite",
            Rule::LineContinuation => "line-continuation",
            Rule::Json5Escape => "json5-escape",
            Rule::Json5Whitespace => "json5-whitespace",
            Rule::RawControl => "raw-control",
            Rule::PythonWord => "python-word",
            Rule::TripleQuotes => "triple-quotes",
            Rule::MissingComma => "missing-comma",
            Rule::DoubledComma => "doubled-comma",
            Rule::StrayCloser => "stray-closer",
            Rule::BareWord => "bare-word",
            Rule::LeadingZero => "leading-zero",
            Rule::UnescapedQuote => "unescaped-quote",
            Rule::MissingKey => "missing-key",
        }
    }
}

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
/// // What robust JSON reads, what it reads when told to go on, and what a tool call may be written in.
/// assert!(Rules::RELAXED.has(Rule::BareWord) && !Rules::RELAXED.has(Rule::MissingComma));
/// assert!(Rules::TOLERANT.has(Rule::MissingComma) && Rules::CALL.has(Rule::UnescapedQuote));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules(u32);

impl Rules {
    /// RFC 8259 and nothing else.
    pub const STRICT: Rules = Rules(0);
    /// JSON5.
    pub const JSON5: Rules = Rules((1 << Rule::RawControl as u32) - 1);
    /// JSON5 and what models write besides: all up to [`Rule::StrayCloser`].
    pub const LENIENT: Rules = Rules((1 << Rule::BareWord as u32) - 1);
    /// Robust JSON, as `@ai-sdk-tool/parser` reads it.
    pub const RELAXED: Rules = Rules::STRICT
        .with(Rule::Comment)
        .with(Rule::TrailingComma)
        .with(Rule::SingleQuotes)
        .with(Rule::UnquotedKey)
        .with(Rule::Json5Whitespace)
        .with(Rule::BareWord)
        .with(Rule::LeadingZero);
    /// The same, going on where commas or a key are missing, or a comma is too many.
    pub const TOLERANT: Rules = Rules::RELAXED.with(Rule::MissingComma).with(Rule::DoubledComma).with(Rule::MissingKey);
    /// What a tool call may be written in.
    pub const CALL: Rules = Rules::RELAXED
        .with(Rule::LineContinuation)
        .with(Rule::RawControl)
        .with(Rule::PythonWord)
        .with(Rule::UnescapedQuote);

    /// Whether the set has a rule.
    #[must_use]
    pub const fn has(self, rule: Rule) -> bool {
        self.0 >> rule as u32 & 1 == 1
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_stands_at_its_number() {
        for (at, rule) in Rule::ALL.into_iter().enumerate() {
            assert_eq!(rule as usize, at);
            assert_eq!(Rules::STRICT.with(rule).bits(), 1 << at);
        }
        assert_eq!(Rules::LENIENT.iter().last(), Some(Rule::StrayCloser));
        assert_eq!(Rules::JSON5.iter().last(), Some(Rule::Json5Whitespace));
    }
}
