//! A JSON text: a tool, or an object that isn't one.

use crate::json::{DEEPEST, Failure, Fault, Kind, RuleSet, Rules, Tokenizer};
use crate::text::Stretch;

/// The rules by which JSON is read: those of tool calls.
pub(super) const RULES: Rules = RuleSet::Call.rules();

/// Most units of JSON that are counted.
const MOST_UNITS: u32 = 1 << 30;

/// A JSON text that is read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct JsonText {
    pub(super) tokenizer: Tokenizer,
    /// How much of it was emitted: its places count from there.
    units: u32,
}

impl JsonText {
    pub(super) const START: JsonText = JsonText { tokenizer: Tokenizer::new(RULES, DEEPEST), units: 0 };

    /// It is read from its first bracket on.
    pub(super) fn begin(&mut self, rules: Rules) {
        self.tokenizer.reset(rules, Rules::STRICT);
        self.units = 0;
    }

    /// Reads on: whether it was JSON up to its last bracket, or else isn't any more. At the end of the stretch: whether
    /// text is pending that has to be read again with what follows.
    pub(super) fn read(&mut self, text: &mut Stretch<'_>) -> Result<bool, bool> {
        let mut json = Stretch::new(text.rest(), self.units + text.here(), false);
        let read = loop {
            match self.tokenizer.next(&mut json).map(|token| token.kind) {
                None if self.tokenizer.is_waiting() => break Err(true),
                None => break Err(false),
                Some(Kind::Pop(_)) if self.tokenizer.depth() == 0 => break Ok(true),
                Some(kind) if self.fails(kind) => break Ok(false),
                Some(_) => {}
            }
        };
        text.pass(json.at());
        read
    }

    /// So many units were emitted.
    pub(super) fn pass(&mut self, units: u32) {
        self.units += units;
        if self.units > MOST_UNITS {
            self.tokenizer.release(self.units);
            self.units = 0;
        }
    }

    /// Whether a token means that a text isn't JSON. What is too deep is passed over.
    fn fails(&self, kind: Kind) -> bool {
        if let Kind::Fault(fault) = kind {
            return fault != Fault::TooDeep;
        }
        kind == Kind::Stumble && self.tokenizer.failure() != Failure::TooDeep
    }
}
