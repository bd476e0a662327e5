//! The members of a call's input: each key is written once. A key that comes again can't be added to
//! what was emitted, so the input starts over in another block: with the new value, and with what was
//! emitted of other members at its end.
//!
//! Source: spec/policy.md, 7. The TypeScript is `json/members.ts`, which knows lists besides.

use std::collections::BTreeMap;

/// Most blocks of one call. Arguments that come again more often are more than a model's mistake.
///
/// ```
/// use tokenweir::block::{BlockParser, EventKind, MOST_STARTS, Options};
/// let again = "<parameter name='a'>1</parameter>".repeat(MOST_STARTS as usize + 1);
/// let events = BlockParser::new(Options::default()).feed(&format!("<invoke name='f'>{again}</invoke>"))?;
/// assert!(!events.iter().any(|event| matches!(event.kind, EventKind::BlockComplete { is_incomplete: false, .. })));
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub const MOST_STARTS: u32 = 64;

/// Where the members of the input that is being written stand, and those that it still lacks.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    /// Where each begins in the input, after its brace or comma.
    starts: BTreeMap<String, usize>,
    /// Members of blocks before, in the order of their numbers.
    carried: BTreeMap<String, (usize, String)>,
    carries: usize,
    /// How often the input began.
    pub(super) begun: u32,
}

impl Members {
    /// Whether a key was written, and may not be again: it may be a call's that begins too often.
    pub(super) fn is_written(&self, key: &str) -> bool {
        self.starts.contains_key(key)
    }

    /// A member is written at a place of the input. Gives what stands before its key.
    pub(super) fn begin(&mut self, key: &str, at: usize) -> char {
        let opener = if self.starts.is_empty() { '{' } else { ',' };
        self.starts.insert(key.to_owned(), at + 1);
        self.carried.remove(key);
        opener
    }

    /// The input starts over with a key; `written` is what there is of it.
    pub(super) fn start_over(&mut self, key: &str, written: &str) {
        self.begun += 1;
        let mut members: Vec<_> = std::mem::take(&mut self.starts).into_iter().collect();
        members.sort_unstable_by_key(|(_, start)| *start);
        let ends = members.iter().skip(1).map(|(_, next)| next - 1).chain([written.len()]).collect::<Vec<_>>();
        for ((name, start), end) in members.into_iter().zip(ends) {
            if name != key {
                let text = written.get(start..end).unwrap_or_default().to_owned();
                self.carried.insert(name, (self.carries, text));
                self.carries += 1;
            }
        }
    }

    /// The end of the input, with the members that it lacks.
    pub(super) fn end(&mut self) -> String {
        let mut lacking: Vec<_> = std::mem::take(&mut self.carried).into_values().collect();
        lacking.sort_unstable();
        let mut end = String::new();
        for (at, (_, member)) in lacking.into_iter().enumerate() {
            end.push(if at == 0 && self.starts.is_empty() { '{' } else { ',' });
            end.push_str(&member);
        }
        end.push('}');
        end
    }
}
