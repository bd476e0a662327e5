//! The head of a JSON text: whether a tool begins there.
//!
//! ```text
//! head   ::= '['? '{' (member ',')* signature
//! member ::= 'id' ':' (string | word) | 'type' ':' kind
//! kind   ::= 'function' | 'function_call' | 'tool' | 'tool_call' | 'tool_use'
//! ```
//!
//! Signatures are data (`signature.rs`). White space outside strings doesn't
//! count, and a string may be in quotes of either kind.
//!
//! Source: spec/segment.md, "JSON"; spec/world.md, 7.7.

use crate::scan::{Entry, Literals, Prefix, is_space};

/// The members that may come before a signature.
const LEADING: Literals<'static> = Literals {
    bytes: b"idtype",
    entries: &[Entry { start: 0, len: 2, class: 0 }, Entry { start: 2, len: 4, class: TYPE }],
};
const TYPE: u8 = 1;

/// What the type of a call may be. Any other is the type of something else, such as a schema's.
const KINDS: Literals<'static> = Literals {
    bytes: b"functionfunction_calltooltool_calltool_use",
    entries: &[
        Entry { start: 0, len: 8, class: 0 },
        Entry { start: 8, len: 13, class: 0 },
        Entry { start: 21, len: 4, class: 0 },
        Entry { start: 25, len: 9, class: 0 },
        Entry { start: 34, len: 8, class: 0 },
    ],
};

/// Where the place is before the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Lead {
    /// The text before the signature, if any, isn't such members.
    Dead,
    /// `|[`, `|{`
    Start,
    /// `{|`, `{"id":1,|`
    Member,
    /// `{"i|d"`
    Key(Prefix),
    /// `{"id"|:`
    Colon { is_type: bool },
    /// `{"id":|`
    Value { is_type: bool },
    /// `{"id":"a|"`
    Text,
    /// `{"type":"func|tion"`
    Kind(Prefix),
    /// `{"id":1|`, which is not checked here
    Word,
    /// `{"id":"a"|`
    After,
}

/// How far the head was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Head {
    signature: Prefix,
    /// How far a signature fits from where the object's first member begins.
    first: Prefix,
    lead: Lead,
    /// The quote of the string that is open, or 0.
    quote: u8,
    is_escaped: bool,
}

impl Head {
    /// No tool begins.
    pub(super) const DEAD: Head =
        Head { signature: Prefix::DEAD, first: Prefix::DEAD, lead: Lead::Dead, quote: 0, is_escaped: false };

    /// Before the first bracket.
    pub(super) fn start(signatures: &Literals<'_>) -> Head {
        Head { signature: signatures.start(), lead: Lead::Start, ..Head::DEAD }
    }

    /// Whether a tool may still begin.
    pub(super) fn is_alive(&self) -> bool {
        self.signature.is_alive() || self.lead != Lead::Dead
    }

    /// Whether one does.
    pub(super) fn is_whole(&self, signatures: &Literals<'_>) -> bool {
        signatures.exact(self.signature).is_some()
    }

    /// One byte more; whether it counts.
    pub(super) fn step(&mut self, signatures: &Literals<'_>, byte: u8) -> bool {
        if self.quote == 0 && is_space(byte) {
            return false;
        }
        let is_quote = self.is_quote(byte);
        // Signatures are written with `"`.
        let byte = match byte {
            _ if is_quote => b'"',
            b'"' if self.quote == b'\'' => 0,
            byte => byte,
        };
        self.signature = signatures.step(self.signature, byte);
        let before = self.lead;
        self.lead = before.next(byte, is_quote);
        match (before, self.lead) {
            // A bracket that begins no signature.
            (Lead::Start, _) if !self.signature.is_alive() => self.lead = Lead::Dead,
            (Lead::Start, Lead::Member) => self.first = self.signature,
            (_, Lead::Member) => self.signature = self.first,
            _ => {}
        }
        true
    }

    /// Whether a string begins or ends with a byte.
    fn is_quote(&mut self, byte: u8) -> bool {
        if std::mem::take(&mut self.is_escaped) {
            return false;
        }
        match (self.quote, byte) {
            (0, b'"' | b'\'') => self.quote = byte,
            (0, _) => return false,
            (quote, byte) if quote == byte => self.quote = 0,
            (_, byte) => {
                self.is_escaped = byte == b'\\';
                return false;
            }
        }
        true
    }
}

impl Lead {
    /// The move on a byte.
    fn next(self, byte: u8, is_quote: bool) -> Lead {
        match (self, byte) {
            (Lead::Start, b'[') => Lead::Start,
            (Lead::Start, b'{') | (Lead::Word | Lead::After, b',') => Lead::Member,
            (Lead::Member, _) if is_quote => Lead::Key(LEADING.start()),
            (Lead::Key(read), _) if is_quote => {
                LEADING.exact(read).map_or(Lead::Dead, |class| Lead::Colon { is_type: class == TYPE })
            }
            (Lead::Key(read), byte) => Lead::while_alive(LEADING.step(read, byte), Lead::Key),
            (Lead::Colon { is_type }, b':') => Lead::Value { is_type },
            (Lead::Value { is_type: true }, _) if is_quote => Lead::Kind(KINDS.start()),
            (Lead::Value { is_type: false }, _) if is_quote => Lead::Text,
            (Lead::Value { is_type: false } | Lead::Word, byte) if is_in_word(byte) => Lead::Word,
            (Lead::Text, _) if is_quote => Lead::After,
            (Lead::Text, _) => Lead::Text,
            (Lead::Kind(read), _) if is_quote => KINDS.exact(read).map_or(Lead::Dead, |_| Lead::After),
            (Lead::Kind(read), byte) => Lead::while_alive(KINDS.step(read, byte), Lead::Kind),
            (
                Lead::Dead
                | Lead::Start
                | Lead::Member
                | Lead::Colon { .. }
                | Lead::Value { .. }
                | Lead::Word
                | Lead::After,
                _,
            ) => Lead::Dead,
        }
    }

    fn while_alive(read: Prefix, lead: fn(Prefix) -> Lead) -> Lead {
        if read.is_alive() { lead(read) } else { Lead::Dead }
    }
}

/// Whether a byte may be part of a number or of `null`.
fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

#[cfg(test)]
mod tests {
    use super::super::signature::{Profile, Signatures};
    use super::*;

    /// After how many bytes a tool begins; none if it can't any more, or not yet.
    fn whole(profile: Profile, text: &str) -> Option<usize> {
        let signatures = Signatures::of(profile);
        let signatures = signatures.literals();
        let mut head = Head::start(&signatures);
        text.bytes().position(|byte| {
            head.step(&signatures, byte);
            head.is_whole(&signatures)
        })
    }

    #[test]
    fn a_signature_may_follow_id_and_type() {
        for text in [
            r#"{"tool":"#,
            r#"{ "id" : "a, \"tool\":", 'type': 'function', "tool" :"#,
            r#"{"id":17,"function":"#,
            r#"{"id":null,"type":"tool_use","tool":"#,
            r#"{'type':'function_call','id':'it\'s','tool':"#,
        ] {
            assert_eq!(whole(Profile::Default, text), Some(text.len() - 1), "{text}");
        }
        for text in [
            r#"[{"id":"a","type":"function","function":"#,
            r#"[ { "type":"tool", "tool":"#,
            r#"{"id":"a","tool_calls":"#,
        ] {
            assert_eq!(whole(Profile::OpenAi, text), Some(text.len() - 1), "{text}");
        }
    }

    #[test]
    fn anything_else_before_it_begins_no_tool() {
        for text in [
            r#"{"idx":1,"tool":"#,
            r#"{"i":1,"tool":"#,
            r#"{"id":{},"tool":"#,
            r#"{"id":[1],"tool":"#,
            r#"{"id""a","tool":"#,
            r#"{"id":,"tool":"#,
            r#"{"id":"a" "tool":"#,
            r#"{"id":"a",,"tool":"#,
            r#"{"type":"object","tool":"#,
            r#"{"type":"functions","tool":"#,
            r#"{"type":function,"tool":"#,
            r#"{"a":"x","tool":"#,
            r#"{'tool":"#,
            r#"{"tool':"#,
            r#"{tool:"#,
            r#"[{"id":"a","tool":"#,
            r#"{"id":"a",{"tool":"#,
            r#""tool":"#,
        ] {
            assert_eq!(whole(Profile::Default, text), None, "{text}");
        }
    }
}
