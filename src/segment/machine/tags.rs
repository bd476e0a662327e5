//! The tags of segments: data.

use crate::scan::{Entry, Literals};
use crate::segment::word::Word;
use crate::xml::{Progress, Recognised, Tag, Tokenizer, Vocabulary};

/// Tag names by class.
pub(super) const WRITE_FILE: u8 = 0;
pub(super) const RUN_BASH: u8 = 1;
pub(super) const TOOL: u8 = 2;
pub(super) const ARG: u8 = 3;
pub(super) const ARGUMENTS_TAG: u8 = 4;

const NAMES: Literals<'static> = Literals {
    bytes: b"argargumentsrun_bashtoolwrite_file",
    entries: &[
        Entry { start: 0, len: 3, class: ARG },
        Entry { start: 3, len: 9, class: ARGUMENTS_TAG },
        Entry { start: 12, len: 8, class: RUN_BASH },
        Entry { start: 20, len: 4, class: TOOL },
        Entry { start: 24, len: 10, class: WRITE_FILE },
    ],
};

/// Tags in prose.
pub(super) const PROSE: Recognised = Recognised { openers: 1 << WRITE_FILE | 1 << RUN_BASH | 1 << TOOL, closers: 0 };

/// Tags in a tool whose arguments are read.
pub(super) const ARGUMENTS: Recognised = Recognised { openers: 1 << ARG, closers: 1 << TOOL };

/// Tags in a value.
pub(super) const VALUES: Recognised =
    Recognised { openers: 1 << ARG | 1 << TOOL, closers: 1 << ARG | 1 << ARGUMENTS_TAG | 1 << TOOL };

/// Tags after what may have ended one.
pub(super) const AFTER: Recognised = Recognised { openers: VALUES.openers | PROSE.openers, ..VALUES };

/// Whether a tag has the attribute that it needs: a name, or a file's path.
pub(super) fn has_name(tag: &Tag) -> bool {
    tag.values.first().copied().flatten().is_some_and(|(from, to)| from < to)
}

/// Attributes by tag; the class is the place among the tag's values.
const NAMED: Vocabulary<'static> = vocabulary(b"name", &[Entry { start: 0, len: 4, class: 0 }]);
const FILE: Vocabulary<'static> = vocabulary(b"path", &[Entry { start: 0, len: 4, class: 0 }]);
const COMMAND: Vocabulary<'static> = vocabulary(
    b"backgroundtimeout_secondstimeoutseconds",
    &[
        Entry { start: 0, len: 10, class: 0 },
        Entry { start: 10, len: 15, class: 1 },
        Entry { start: 25, len: 14, class: 1 },
    ],
);

const fn vocabulary(bytes: &'static [u8], entries: &'static [Entry]) -> Vocabulary<'static> {
    let attributes = Literals { bytes, entries };
    Vocabulary { names: NAMES, attributes, folds_case: true, slash_closes: true }
}

/// The words of the tag that is being read.
fn words_of(tag: &Tokenizer) -> &'static Vocabulary<'static> {
    match tag.class(&NAMED) {
        Some(WRITE_FILE) => &FILE,
        Some(RUN_BASH) => &COMMAND,
        _ => &NAMED,
    }
}

/// Reads a tag, and keeps the value of its attribute `name`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct TagReader {
    pub(super) tokenizer: Tokenizer,
    pub(super) word: Word,
}

impl TagReader {
    pub(super) const REST: TagReader = TagReader { tokenizer: Tokenizer::REST, word: Word::EMPTY };

    /// A `<` was read.
    pub(super) fn begin(&mut self) {
        self.tokenizer.begin();
        self.word.clear();
    }

    /// Reads a byte.
    pub(super) fn step(&mut self, recognised: Recognised, byte: u8) -> Progress {
        let words = words_of(&self.tokenizer);
        let was_in_value = self.tokenizer.value_at().is_some();
        let progress = self.tokenizer.step(words, recognised, byte);
        let is_in_value = self.tokenizer.value_at().is_some();
        // A quote begins the value after it.
        if is_in_value && (was_in_value || !self.tokenizer.is_quoted()) {
            self.word.add(&[byte]);
        }
        // case tags/a-slash-after-an-unquoted-value
        if was_in_value && matches!(progress, Progress::Whole(Tag { is_empty: true, .. })) {
            self.word.drop_last();
        }
        progress
    }
}
