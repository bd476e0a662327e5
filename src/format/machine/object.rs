//! The object of a call in JSON: which members it has, and what was read of them.
//!
//! In a tolerant row `tool`, `args` and `input` mean name and arguments only in a call of a tool that is known; elsewhere
//! they are other members. An object with two names or two members for arguments is not a call, since the machine can't
//! know which were meant.

use super::{Answer, Why};
use crate::format::op::Repair;
use crate::format::row::{Flag, Part, Row};
/// Longest key with a meaning, in bytes, and one more.
const KEY: usize = 33;

/// Most keys of the arguments that are remembered, to find one that comes twice.
const MOST_KEYS: usize = 64;

/// The hash of no bytes: FNV-1a.
const HASH: u64 = 0xCBF2_9CE4_8422_2325;

/// What a member of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Member {
    Other,
    Name,
    Arguments,
    Id,
}

/// What is known of the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Arguments {
    Missing,
    /// They were emitted, or are.
    Emitted,
    /// They come before the name, after the key that ends at the unit.
    Before(u32),
}

/// The call that is being read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Call {
    /// Depth of its members: two where it is one of a list.
    pub(super) depth: u16,
    pub(super) member: Member,
    pub(super) arguments: Arguments,
    pub(super) has_name: bool,
    /// Whether a value of the arguments has begun, and whether it is a string.
    pub(super) has_begun: bool,
    pub(super) is_encoded: bool,
    /// Where reading goes on when arguments were read again.
    pub(super) resume: Option<u32>,
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::buffer"))]
    pub(super) key: [u8; KEY],
    pub(super) key_len: usize,
    pub(super) repaired: Repaired,
}

impl Call {
    pub(super) const START: Call = Call {
        depth: 1,
        member: Member::Other,
        arguments: Arguments::Missing,
        has_name: false,
        has_begun: false,
        is_encoded: false,
        resume: None,
        key: [0; KEY],
        key_len: 0,
        repaired: Repaired::START,
    };

    pub(super) fn release(&mut self, units: u32) {
        if let Arguments::Before(at) = &mut self.arguments {
            *at = at.saturating_sub(units);
        }
        self.resume = self.resume.map(|at| at.saturating_sub(units));
        self.repaired.release(units);
    }

    /// Whether the arguments' tokens are emitted. While a list is checked only a string is,
    /// since it may not be arguments.
    pub(super) fn emits(&self) -> bool {
        let is_emitted = if self.repaired.is_silent { self.has_begun && self.is_encoded } else { self.has_name };
        self.member == Member::Arguments && is_emitted
    }

    /// Takes the answer about its name; returns why it is not a call, if so.
    pub(super) fn named(&mut self, answer: Answer) -> Option<Why> {
        self.has_name = answer != Answer::Other;
        self.repaired.is_known = answer == Answer::Known;
        if self.repaired.is_known { self.repaired.doubt } else { None }
    }

    /// What a member of the call is, by its key; an error if it makes the call invalid.
    pub(super) fn member(&mut self, key: &[u8], row: &Row, is_bare: bool, here: u32) -> Result<Member, Why> {
        let is = |part: Part| row.list(part).any(|known| known == key);
        let is_tolerant = row.is(Flag::Tolerant);
        let spelling = spelling(key);
        let is_alias = is_tolerant && key == b"tool";
        let is_loose = is_alias || is_tolerant && matches!(spelling, Some(Repair::Args | Repair::Input));
        if is(Part::NameKey) || is_alias || is_tolerant && key == b"name" {
            if !self.has_name {
                self.repaired.is_alias = is_alias;
                return Ok(Member::Name);
            }
            return if is_alias && !self.repaired.is_alias { Ok(Member::Other) } else { Err(Why::Ambiguous) };
        }
        // Where prose may stand, `args` and `input` may be any object's.
        let is_spelled = spelling.is_some_and(|repair| !is_bare || repair == Repair::Parameters);
        let is_arguments = is(Part::ArgsKey) || !row.is(Flag::Strict) && (key == b"arguments" || is_spelled);
        if !is_arguments || is_loose && self.has_name && !self.repaired.is_known {
            return Ok(if is(Part::IdKey) { Member::Id } else { Member::Other });
        }
        if self.arguments != Arguments::Missing {
            if self.repaired.is_known || !is_loose && !self.repaired.has_loose_key() {
                return Err(Why::Ambiguous);
            }
            // Whether there are two is known when the tool is.
            self.repaired.doubt = Some(Why::Ambiguous);
            if is_loose {
                return Ok(Member::Other);
            }
        }
        self.repaired.spelling = spelling.filter(|_| is_tolerant);
        self.arguments = if self.has_name { Arguments::Emitted } else { Arguments::Before(here) };
        Ok(Member::Arguments)
    }

    /// Whether what is no arguments may be another member's value, if the tool is not known.
    pub(super) fn doubts_arguments(&mut self) -> bool {
        let doubts = self.repaired.has_loose_key() && !self.has_name;
        if doubts {
            self.repaired.doubt = Some(Why::Malformed);
            self.forget_arguments();
            self.member = Member::Other;
        }
        doubts
    }

    fn forget_arguments(&mut self) {
        self.arguments = Arguments::Missing;
        self.repaired.spelling = None;
    }

    /// The object has ended: what repaired its members is known, as bits.
    pub(super) fn settle_repairs(&mut self) -> u64 {
        if self.repaired.has_loose_key() && !self.repaired.is_known {
            self.forget_arguments();
        }
        let alias = if self.repaired.is_alias { Repair::Tool.bit() } else { 0 };
        self.repaired.spelling.map_or(alias, |repair| alias | repair.bit())
    }

    pub(super) fn add_to_key(&mut self, text: &[u8]) {
        for &byte in text {
            if let Some(room) = self.key.get_mut(self.key_len) {
                *room = byte;
                self.key_len += 1;
            }
        }
    }
}

/// What was read of a member besides the name and the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Other {
    None,
    /// Its key.
    Key,
    /// Its value, from the unit on.
    Value(u32),
}

/// What repairs have to know of a call.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Repaired {
    /// Whether it is of a list that is read for the first time.
    pub(super) is_silent: bool,
    /// Whether the key of the name is `tool`.
    pub(super) is_alias: bool,
    /// Whether its tool is known.
    pub(super) is_known: bool,
    /// How the key of the arguments is written, if not `arguments`.
    pub(super) spelling: Option<Repair>,
    /// Why it is not a call if its tool is known: perhaps there are other arguments.
    pub(super) doubt: Option<Why>,
    /// Whether a key besides name and arguments was recorded.
    pub(super) has_other: bool,
    /// What was read of the last one.
    pub(super) other: Other,
    /// Where the key begins that is being read, if one is.
    pub(super) key_from: Option<u32>,
    /// The keys of the arguments, as hashes, and whether one came twice.
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    pub(super) keys: [u64; MOST_KEYS],
    pub(super) keys_len: usize,
    pub(super) argument_key: u64,
    pub(super) repeats_key: bool,
    /// What comes before the string that is being read ends here.
    pub(super) string_from: u32,
    /// Up to where closers were looked for in it.
    pub(super) looked_at: u32,
}

impl Repaired {
    pub(super) const START: Repaired = Repaired {
        is_silent: false,
        is_alias: false,
        is_known: false,
        spelling: None,
        doubt: None,
        has_other: false,
        other: Other::None,
        key_from: None,
        keys: [0; MOST_KEYS],
        keys_len: 0,
        argument_key: HASH,
        repeats_key: false,
        string_from: 0,
        looked_at: 0,
    };

    pub(super) fn release(&mut self, units: u32) {
        self.key_from = self.key_from.map(|at| at.saturating_sub(units));
        if let Other::Value(from) = &mut self.other {
            *from = from.saturating_sub(units);
        }
        self.string_from = self.string_from.saturating_sub(units);
        self.looked_at = self.looked_at.saturating_sub(units);
    }

    /// A value of the arguments begins: no key of it has come.
    pub(super) fn begin_arguments(&mut self) {
        self.keys_len = 0;
        self.repeats_key = false;
    }

    /// Whether the arguments' key is one that means so only with a tool that is known.
    pub(super) fn has_loose_key(&self) -> bool {
        matches!(self.spelling, Some(Repair::Args | Repair::Input))
    }

    /// More of a key of the arguments.
    pub(super) fn hash_key(&mut self, text: &[u8]) {
        for &byte in text {
            self.argument_key = (self.argument_key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    pub(super) fn argument_key_ended(&mut self) {
        let key = std::mem::replace(&mut self.argument_key, HASH);
        let known = self.keys.get(..self.keys_len).unwrap_or_default();
        if known.contains(&key) {
            self.repeats_key = true;
        } else if let Some(room) = self.keys.get_mut(self.keys_len) {
            *room = key;
            self.keys_len += 1;
        }
    }
}

/// How a key that means the arguments, other than `arguments`, is reported.
pub(super) fn spelling(key: &[u8]) -> Option<Repair> {
    const PARAMETERS: &[u8] = Repair::Parameters.name().as_bytes();
    const ARGS: &[u8] = Repair::Args.name().as_bytes();
    const INPUT: &[u8] = Repair::Input.name().as_bytes();
    match key {
        PARAMETERS => Some(Repair::Parameters),
        ARGS => Some(Repair::Args),
        INPUT => Some(Repair::Input),
        _ => None,
    }
}
