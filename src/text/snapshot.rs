//! A parser between two chunks as plain data, and a parser of it again.
//!
//! A parser's state follows from its options and the text that it was fed, and
//! doesn't depend on where that was cut. So a snapshot is that text.
//!
//! ```text
//! tokenweir 1 blocks 0.1.0 8c0f4f3c1a2b3d4e open      ; form, parser, crate, checksum, stage
//! skips_code false                                    ; the options, a line each
//!
//! <thinking>97 is <                                   ; the text
//! ```
//!
//! Source: spec/snapshot.md.

use super::journal::Stage;
use super::parser::{Emitter, OptionText, Parser};
use crate::error::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::str::FromStr;

/// The version of a [`Snapshot`], which is the crate's: another one can't be restored.
///
/// ```
/// assert_eq!(tokenweir::ENGINE, env!("CARGO_PKG_VERSION"));
/// ```
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");

/// The version of the form.
const VERSION: u32 = 1;

/// Values of options up to this length are saved as they are.
const LONGEST_VALUE: usize = 64;

/// A parser between two chunks, as plain data: [`Parser::restore`] makes a parser of it, in another process too.
///
/// It has the text that the parser was fed since `new` or `reset`, as it came. It is text itself (`to_string` and `parse`), and with the
/// feature `serde` it is serialised as an object of numbers and strings. Its checksum finds accidents and is no
/// signature: take snapshots only from where you keep them.
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
    stage: Stage,
    /// Texts of their values, by their names.
    options: BTreeMap<String, String>,
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

    /// The [`ENGINE`] of the program that took it.
    ///
    /// ```
    /// use tokenweir::field::{FieldParser, Options};
    /// assert_eq!(FieldParser::new(Options::default()).snapshot().engine(), tokenweir::ENGINE);
    /// ```
    #[must_use]
    pub fn engine(&self) -> &str {
        &self.engine
    }

    /// Writes it, with this checksum.
    fn write(&self, out: &mut impl Write, checksum: &str) -> fmt::Result {
        let Snapshot { v, parser, engine, checksum: _, stage, options, text } = self;
        writeln!(out, "tokenweir {v} {parser} {engine} {checksum} {}", stage.name())?;
        for (name, value) in options {
            writeln!(out, "{name} {value}")?;
        }
        write!(out, "\n{text}")
    }

    fn sum(&self) -> String {
        let mut sum = Fnv::START;
        let _ = self.write(&mut sum, "");
        format!("{:016x}", sum.0)
    }

    /// Checks that it is of a parser with these options, of this version and unchanged.
    fn check(&self, parser: &str, options: Vec<OptionText>) -> Result<(), ErrorKind> {
        if self.v != VERSION {
            return Err(ErrorKind::SnapshotVersion);
        }
        if self.parser != parser {
            return Err(ErrorKind::SnapshotParser);
        }
        if self.engine != ENGINE {
            return Err(ErrorKind::SnapshotVersion);
        }
        if self.checksum != self.sum() || self.options.len() != options.len() {
            return Err(ErrorKind::SnapshotInvalid);
        }
        for (name, text) in options {
            let given = shortened(text);
            let saved = self.options.get(name).ok_or(ErrorKind::SnapshotInvalid)?;
            if *saved != given {
                return Err(ErrorKind::SnapshotOptions { name, saved: saved.clone(), given });
            }
        }
        Ok(())
    }
}

/// A line with what it is of, a line for each option, an empty one, and the model's text.
impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &self.checksum)
    }
}

impl FromStr for Snapshot {
    type Err = Error;

    fn from_str(saved: &str) -> Result<Snapshot, Error> {
        read(saved).ok_or(Error::snapshot(ErrorKind::SnapshotInvalid))
    }
}

fn read(saved: &str) -> Option<Snapshot> {
    let (front, text) = saved.split_once("\n\n")?;
    let mut lines = front.split('\n');
    let first: Vec<&str> = lines.next()?.split(' ').collect();
    let &["tokenweir", v, parser, engine, checksum, stage] = first.as_slice() else { return None };
    let stage = Stage::ALL.into_iter().find(|known| known.name() == stage)?;
    let pair = |line: &str| line.split_once(' ').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let options = lines.map(pair).collect::<Option<_>>()?;
    let [parser, engine, checksum, text] = [parser, engine, checksum, text].map(str::to_owned);
    Some(Snapshot { v: v.parse().ok()?, parser, engine, checksum, stage, options, text })
}

impl<E: Emitter> Parser<E> {
    /// This parser as plain data, to go on elsewhere by [`restore`](Parser::restore). It has the whole text of the
    /// stream so far, and less than 2 KB besides; to take one costs as much as the text is long.
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
        let options = self.emitter.options().into_iter();
        let mut snapshot = Snapshot {
            v: VERSION,
            parser: E::NAME.to_owned(),
            engine: ENGINE.to_owned(),
            checksum: String::new(),
            stage: self.journal.stage,
            options: options.map(|(name, text)| (name.to_owned(), shortened(text))).collect(),
            text: self.journal.text.clone(),
        };
        snapshot.checksum = snapshot.sum();
        snapshot
    }

    /// The parser that a snapshot was taken of: its text is read again, and what that emits is dropped. The options
    /// have to be the same; functions among them are called again.
    ///
    /// The events after it are those of a parser that was never interrupted, but that adjacent deltas may be joined
    /// where text was withheld.
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
        snapshot.check(E::NAME, parser.emitter.options()).map_err(Error::snapshot)?;
        if snapshot.stage != Stage::New {
            parser.feed(&snapshot.text)?;
        }
        if snapshot.stage == Stage::Finished {
            parser.finish();
        }
        Ok(parser)
    }
}

/// The text of an option's value, on one line; of a long one its front, and the checksum of all.
fn shortened(text: String) -> String {
    if text.len() <= LONGEST_VALUE && !text.contains('\n') {
        return text;
    }
    let front: String = text.chars().take(LONGEST_VALUE / 2).collect();
    format!("{}... {:016x}", front.replace('\n', " "), Fnv::of(&text))
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
