//! A parser between two chunks as plain data, and a parser of it again.
//!
//! Source: spec/snapshot.md.

use super::parser::{Emitter, Parser};
use super::state::{Codec, State};
use crate::error::{Error, ErrorKind};
use std::fmt::{self, Write};
use std::str::FromStr;

/// The version of the form.
const VERSION: u32 = 1;

/// Values of options up to this length are saved as they are.
const LONGEST_VALUE: usize = 64;

/// A parser between two chunks, as plain data: [`Parser::restore`] makes a parser of it, in another process too.
///
/// It is text (`to_string` and `parse`), and with the feature `serde` it is serialised as an object of numbers and
/// strings. The model's text that is pending, and that of an open block or value, is in it as it came. Its checksum
/// finds accidents and is no signature: take snapshots only from where you keep them. From one that was made up, a
/// parser emits what no text leads to; it doesn't panic.
///
/// ```
/// use tokenweir::block::{BlockParser, Options};
/// use tokenweir::text::Snapshot;
///
/// let mut parser = BlockParser::new(Options::default());
/// parser.feed("<thinking>97 is <")?;
/// let saved = parser.snapshot().to_string();
///
/// let snapshot: Snapshot = saved.parse()?;
/// assert_eq!((snapshot.parser(), snapshot.engine()), ("blocks", tokenweir::ENGINE));
/// let mut restored = BlockParser::restore(Options::default(), &snapshot)?;
/// assert_eq!(restored.feed("/thinking>prime")?, parser.feed("/thinking>prime")?);
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot {
    v: u32,
    parser: String,
    engine: String,
    /// Made of all other fields.
    checksum: String,
    /// Numbers, as hexadecimal digits.
    state: String,
    /// The texts, one after the other.
    text: String,
}

impl Snapshot {
    /// The parser that it is of: `blocks`, `fields`, `segments`, `edits` or `tool-calls`.
    ///
    /// ```
    /// use tokenweir::field::{FieldParser, Options};
    /// assert_eq!(FieldParser::new(Options::default()).snapshot().parser(), "fields");
    /// ```
    #[must_use]
    pub fn parser(&self) -> &str {
        &self.parser
    }

    /// The [`ENGINE`](crate::ENGINE) of the program that took it.
    ///
    /// ```
    /// use tokenweir::field::{FieldParser, Options};
    /// assert_eq!(FieldParser::new(Options::default()).snapshot().engine(), tokenweir::ENGINE);
    /// ```
    #[must_use]
    pub fn engine(&self) -> &str {
        &self.engine
    }

    // Hidden: the fuzz target changes what is in it, and makes it whole again.
    #[doc(hidden)]
    #[must_use]
    pub fn with_state(mut self, change: impl FnOnce(&mut Vec<u8>, &mut String)) -> Snapshot {
        let mut bytes = bytes_of(&self.state).unwrap_or_default();
        change(&mut bytes, &mut self.text);
        self.state = digits_of(&bytes);
        self.checksum = self.checksum();
        self
    }

    fn checksum(&self) -> String {
        let mut sum = Fnv::START;
        let _ = write!(sum, "{} {} {} {} {}", self.v, self.parser, self.engine, self.state, self.text);
        format!("{:016x}", sum.0)
    }

    /// Its bytes, if it is of this parser, this engine and unchanged.
    fn opened(&self, parser: &str) -> Result<Vec<u8>, ErrorKind> {
        if self.v != VERSION {
            return Err(ErrorKind::SnapshotVersion);
        }
        if self.parser != parser {
            return Err(ErrorKind::SnapshotParser);
        }
        if self.engine != crate::engine::ENGINE {
            return Err(ErrorKind::SnapshotVersion);
        }
        let bytes = bytes_of(&self.state).filter(|_| self.checksum == self.checksum());
        bytes.ok_or(ErrorKind::SnapshotInvalid)
    }
}

/// One line, but for line ends in the model's text, which comes last.
impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Snapshot { v, parser, engine, checksum, state, text } = self;
        write!(f, "tokenweir {v} {parser} {engine} {checksum} {state} {text}")
    }
}

impl FromStr for Snapshot {
    type Err = Error;

    fn from_str(saved: &str) -> Result<Snapshot, Error> {
        let parts: Vec<&str> = saved.splitn(7, ' ').collect();
        if let &["tokenweir", v, parser, engine, checksum, state, text] = parts.as_slice()
            && let Ok(v) = v.parse()
        {
            let [parser, engine, checksum, state, text] = [parser, engine, checksum, state, text].map(str::to_owned);
            return Ok(Snapshot { v, parser, engine, checksum, state, text });
        }
        Err(Error::snapshot(ErrorKind::SnapshotInvalid))
    }
}

impl<E: Emitter> Parser<E> {
    /// This parser as plain data, to go on elsewhere by [`restore`](Parser::restore). As large as the text that is
    /// pending and that of the open block or value, and at most 16 KB; mostly less than 1 KB.
    ///
    /// ```
    /// use tokenweir::field::{FieldParser, Options};
    ///
    /// let mut parser = FieldParser::new(Options::default());
    /// parser.feed(r#"{"title": "A we"#)?;
    /// let snapshot = parser.snapshot();
    /// drop(parser); // the process ends
    ///
    /// let mut parser = FieldParser::restore(Options::default(), &snapshot)?;
    /// let events = parser.feed(r#"ir"}"#)?;
    /// assert_eq!((events[0].path.to_string(), events[0].span.start), ("title".to_owned(), 15));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let mut parser = self.clone();
        let mut options: Vec<String> = self.emitter.options().into_iter().map(|(_, text)| shortened(text)).collect();
        let (bytes, text) = Codec::write_all(|codec| {
            options.carry(codec);
            parser.carry(codec);
        });
        let mut snapshot = Snapshot {
            v: VERSION,
            parser: E::NAME.to_owned(),
            engine: crate::engine::ENGINE.to_owned(),
            checksum: String::new(),
            state: digits_of(&bytes),
            text,
        };
        snapshot.checksum = snapshot.checksum();
        snapshot
    }

    /// The parser that a snapshot was taken of. The options have to be the same.
    ///
    /// # Errors
    /// `snapshot-version`: another version of this crate took it. `snapshot-parser`: it is of another parser.
    /// `snapshot-options`: an option, which is named, differs. `snapshot-invalid`: it was changed or cut.
    ///
    /// ```
    /// use tokenweir::ErrorKind;
    /// use tokenweir::block::{BlockParser, Options};
    ///
    /// let snapshot = BlockParser::new(Options::default()).snapshot();
    /// let options = Options { start_with_thinking: true, ..Options::default() };
    /// let error = BlockParser::restore(options, &snapshot).unwrap_err();
    /// assert!(matches!(error.kind, ErrorKind::SnapshotOptions { name: "start_with_thinking", .. }));
    /// assert_eq!(
    ///     error.to_string(),
    ///     "`start_with_thinking` is true, but false in the snapshot: restore it with the same options"
    /// );
    /// ```
    pub fn restore(options: E::Options, snapshot: &Snapshot) -> Result<Parser<E>, Error> {
        let mut parser = Parser::of(E::of(options));
        match parser.load(snapshot) {
            Ok(()) => Ok(parser),
            Err(kind) => Err(Error::snapshot(kind)),
        }
    }

    fn load(&mut self, snapshot: &Snapshot) -> Result<(), ErrorKind> {
        let mut bytes = snapshot.opened(E::NAME)?;
        let mut text = snapshot.text.clone();
        let own: Vec<_> = self.emitter.options().into_iter().map(|(name, text)| (name, shortened(text))).collect();
        let mut options: Vec<String> = Vec::new();
        let mut differs = None;
        let is_whole = Codec::read_all(&mut bytes, &mut text, |codec| {
            options.carry(codec);
            let mut pairs = own.iter().zip(&options);
            let found = pairs.find(|((_, given), saved)| given != *saved);
            differs = found.map(|((name, given), saved)| (*name, saved.clone(), given.clone()));
            if differs.is_none() && own.len() == options.len() {
                self.carry(codec);
            }
        });
        match differs {
            Some((name, saved, given)) => Err(ErrorKind::SnapshotOptions { name, saved, given }),
            None if is_whole => Ok(()),
            None => Err(ErrorKind::SnapshotInvalid),
        }
    }
}

/// The text of an option's value; of a long one its front, and the checksum of all.
fn shortened(text: String) -> String {
    if text.len() <= LONGEST_VALUE {
        return text;
    }
    let front: String = text.chars().take(LONGEST_VALUE / 2).collect();
    format!("{front}... {:016x}", Fnv::of(&text))
}

/// FNV-1a of 64 bits.
struct Fnv(u64);

impl Fnv {
    const START: Fnv = Fnv(0xCBF2_9CE4_8422_2325);

    fn of(text: &str) -> u64 {
        let mut sum = Fnv::START;
        let _ = sum.write_str(text);
        sum.0
    }
}

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        Ok(())
    }
}

fn digits_of(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| if let &[high, low] = pair { Some(digit(high)? << 4 | digit(low)?) } else { None }).collect()
}
