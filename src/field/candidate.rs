//! What is known of a candidate, and whether it is a document.

use super::prose::Rank;
use super::shape::{Item, Shape, Wanted};
use crate::json::{Container, Failure, Kind, Literal, Tokenizer};

/// Of an answer: the key is one of the schema's,
pub const KEY_AGREES: u8 = 1;
/// and its value can't be an object,
pub const NO_OBJECT: u8 = 2;
/// or an array. A schema that the model repeats has objects where values should be.
pub const NO_ARRAY: u8 = 4;

/// Whether its keys are the schema's.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Keys {
    /// One of them is, or no schema says which.
    pub(super) agree: bool,
    /// One was read that is not, or has a value that can't be its.
    disagree: bool,
    /// What the value of the key that agrees can't be, by the bits of the answer.
    refused: u8,
}

impl Keys {
    pub(super) const fn of(agree: bool) -> Keys {
        Keys { agree, disagree: false, refused: 0 }
    }

    /// Whether keys were read, and none of them is the schema's.
    pub(super) fn are_others(&self) -> bool {
        !self.agree && self.disagree
    }

    /// It is known of a key.
    pub(super) fn take_answer(&mut self, answer: u8) {
        let agrees = answer & KEY_AGREES != 0;
        self.agree |= agrees;
        self.disagree |= !agrees;
        self.refused = answer & (NO_OBJECT | NO_ARRAY);
    }

    /// A value that can't be the key's gives way to a later document.
    fn take_value(&mut self, kind: Kind) {
        let bit = if kind == Kind::Push(Container::Object) {
            NO_OBJECT
        } else if kind == Kind::Push(Container::Array) {
            NO_ARRAY
        } else {
            0
        };
        if std::mem::take(&mut self.refused) & bit != 0 {
            (self.agree, self.disagree) = (false, true);
        }
    }
}

/// Which of its strings are strings.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Strings {
    /// Those that begin before this place: something follows them that can.
    pub(super) sound_until: u32,
    /// The last token is part of one.
    is_open: bool,
}

impl Strings {
    pub(super) fn take(&mut self, kind: Kind, start: u32, failure: Failure) {
        let begins = if matches!(kind, Kind::Stumble | Kind::Fault(_)) {
            failure == Failure::InValue
        } else {
            !(self.is_open && is_string(kind))
        };
        if begins {
            self.sound_until = start.saturating_sub(u32::from(is_string(kind)));
        }
        self.is_open = is_string(kind) && !matches!(kind, Kind::Text { .. });
    }
}

/// What a token of a candidate means for it.
pub(super) enum Verdict {
    Wait,
    Ask,
    Confirm,
    Fallback,
    Drop,
}

/// What is known of a candidate.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Candidate {
    /// Where it begins.
    pub(super) start: u32,
    pub(super) rank: Rank,
    pub(super) root: Container,
    pub(super) keys: Keys,
    pub(super) strings: Strings,
    /// It was found in thinking.
    pub(super) is_thought: bool,
    /// It is a document, which is not emitted yet as it was found in thinking.
    pub(super) is_taken: bool,
    /// It is part of another one, which has ended.
    pub(super) is_inner: bool,
    /// Something in it that is no string can't be read.
    pub(super) is_faulty: bool,
    /// Numbers read in it before it was taken.
    pub(super) numbers: u32,
    /// Nothing but numbers was read in it.
    pub(super) is_weak: bool,
    /// A member or element of it was followed as it should be.
    pub(super) is_firm: bool,
    /// Something of it was read as a value.
    pub(super) has_value: bool,
    /// A quote was read as part of the string that is open, and it is not firm: it may be prose.
    pub(super) is_doubtful: bool,
    /// Where it begins isn't pending any more.
    pub(super) is_gone: bool,
}

impl Candidate {
    /// At a bracket, or at a value that is meant.
    pub(super) const fn new(start: u32, rank: Rank, root: Container) -> Candidate {
        Candidate {
            start,
            rank,
            root,
            keys: Keys::of(false),
            strings: Strings { sound_until: start, is_open: false },
            is_thought: false,
            is_taken: false,
            is_inner: false,
            is_faulty: false,
            numbers: 0,
            is_weak: true,
            is_firm: true,
            has_value: false,
            is_doubtful: false,
            is_gone: false,
        }
    }

    /// Forgets the first `units` units.
    pub(super) fn release(&mut self, units: u32) {
        // case field/finding/what-failed-beyond-its-reach
        self.is_gone |= self.start < units;
        self.start = self.start.saturating_sub(units);
        self.strings.sound_until = self.strings.sound_until.saturating_sub(units);
    }

    /// Whether a token makes it a document. `is_spare`: there is one already, and only one is emitted.
    pub(super) fn judge(&mut self, kind: Kind, json: &Tokenizer, wanted: Wanted, is_spare: bool) -> Verdict {
        let depth = json.depth();
        if self.is_taken {
            return if depth == 0 && matches!(kind, Kind::Pop(_)) { Verdict::Fallback } else { Verdict::Wait };
        }
        match kind {
            // What is read before the first value or element, or before a key of the schema.
            Kind::Push(_) if depth == 1 => Verdict::Wait,
            Kind::Pop(_) if depth == 0 => self.judge_end(wanted.shape),
            Kind::Piece { is_key: true } | Kind::Character { is_key: true, .. } => Verdict::Wait,
            Kind::Text { is_key: true } => {
                let is_own = depth == if self.root == Container::Array { 2 } else { 1 };
                if self.keys.agree || !is_own { Verdict::Wait } else { Verdict::Ask }
            }
            Kind::Stumble | Kind::Fault(_) => self.judge_failure(json.failure(), wanted.shape),
            Kind::Push(_)
            | Kind::Pop(_)
            | Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::Text { .. }
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_) => self.judge_value(kind, depth, wanted, is_spare),
        }
    }

    /// It has ended before that was known: it is empty, or has one number.
    fn judge_end(&self, shape: Shape) -> Verdict {
        let fits_empty = self.numbers == 0 || shape == Shape::Any;
        match (fits_empty, self.rank.is_clear()) {
            _ if shape == Shape::Object || self.keys.disagree => Verdict::Fallback,
            (false, _) => Verdict::Drop,
            (true, true) => Verdict::Confirm,
            (true, false) => Verdict::Fallback,
        }
    }

    /// It can't be read before that was known.
    fn judge_failure(&self, failure: Failure, shape: Shape) -> Verdict {
        let is_clear = self.rank.is_clear();
        if self.keys.are_others() {
            // After a key something else may be wrong, unless it was prose.
            let is_drop = failure == Failure::Elsewhere && !(is_clear && self.has_value);
            return if is_drop { Verdict::Drop } else { Verdict::Wait };
        }
        // After the colon of a key that agrees, the value alone is wrong,
        // and so it is where it began well.
        let is_value = match failure {
            Failure::Elsewhere => false,
            Failure::InValue => self.root != Container::Array,
            Failure::InString => shape.takes(Item::String),
            Failure::TooLong => shape.takes(Item::Number),
            Failure::TooDeep => shape.takes(Item::Other),
        };
        let is_meant = shape != Shape::Any || is_clear || failure == Failure::InString;
        if is_value && self.keys.agree && is_meant { Verdict::Confirm } else { Verdict::Drop }
    }

    /// Its first value or element, or a value before a key of the schema.
    fn judge_value(&mut self, kind: Kind, depth: u16, wanted: Wanted, is_spare: bool) -> Verdict {
        let shape = wanted.shape;
        let is_in_array = self.root == Container::Array;
        if wanted.is_nullable && is_in_array && depth == 1 && kind == Kind::Word(Literal::Null) {
            return Verdict::Confirm;
        }
        self.keys.take_value(kind);
        if !self.keys.agree {
            self.has_value = true;
            // Only objects may be elements.
            let is_list = kind == Kind::Push(Container::Array) && depth == 2;
            let is_container = matches!(kind, Kind::Push(_) | Kind::Pop(_));
            let is_element = is_in_array && (is_list || !is_container && depth == 1);
            return if is_element { Verdict::Drop } else { Verdict::Wait };
        }
        let item = match (is_string(kind), is_number(kind)) {
            (true, _) => Item::String,
            (_, true) => Item::Number,
            _ => Item::Other,
        };
        if !shape.takes(item) {
            return Verdict::Drop;
        }
        if is_in_array && item == Item::Number && shape == Shape::Any && !self.rank.is_clear() {
            // `[1]` is a reference in prose, and not yet a document.
            self.numbers += u32::from(kind == Kind::Number);
            return if self.numbers < 2 || is_spare { Verdict::Wait } else { Verdict::Confirm };
        }
        Verdict::Confirm
    }
}

pub(super) fn is_string(kind: Kind) -> bool {
    matches!(kind, Kind::Piece { .. } | Kind::Character { .. } | Kind::Text { .. })
}

pub(super) fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Number | Kind::CutNumber)
}
