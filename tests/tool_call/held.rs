//! What may be pending where text is emitted. Written down anew, from the
//! grammar and not from the machine.

use tokenweir::tool_call::LONGEST_SPACE;

/// Whether a text may be the front of a tag, and what is after it if it is whole.
enum Front<'a> {
    No,
    Part,
    After(&'a str),
}

/// Tokens around turns, in any template.
const TURNS: [&str; 11] = [
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<end_of_turn>",
    "<|end|>",
    "<|im_start|>",
    "<|start_header_id|>",
    "<start_of_turn>",
    "<tool_response>",
];

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

fn tag<'a>(text: &'a str, name: &str) -> Front<'a> {
    if name.starts_with(text) {
        return Front::Part;
    }
    let Some(rest) = text.strip_prefix(name) else { return Front::No };
    let after = rest.trim_start_matches(SPACE);
    match after.strip_prefix('>') {
        _ if rest.len() - after.len() > 64 => Front::No,
        Some(after) => Front::After(after),
        None if after.is_empty() => Front::Part,
        None => Front::No,
    }
}

/// Whether text may be undecided: written down from the grammar, not from the machine.
pub fn may_be_held(held: &str, is_morph: bool, is_failed: bool) -> bool {
    let starts: &[&str] = if is_morph { &["<add", "<get"] } else { &["<tool_call"] };
    let ends: &[&str] = if is_morph { &["</add", "</get"] } else { &["</tool_call"] };
    let lead = |after: &str| {
        let rest = after.trim_start_matches(SPACE);
        let rest = if is_morph { rest } else { rest.strip_prefix('[').unwrap_or(rest).trim_start_matches(SPACE) };
        let begins = if is_morph { '<' } else { '{' };
        // A fence around the payload, with the name of its language.
        let in_fence = rest.strip_prefix("```").map(|named| named.trim_start_matches(char::is_alphanumeric));
        let rest = if is_morph { rest } else { in_fence.map_or(rest, |inside| inside.trim_start_matches(SPACE)) };
        // A list of calls may begin inside the fence, too.
        let rest = if is_morph { rest } else { rest.strip_prefix('[').unwrap_or(rest).trim_start_matches(SPACE) };
        if !is_morph && "``".starts_with(rest) {
            return true;
        }
        rest.is_empty() && after.len() <= LONGEST_SPACE as usize || rest.starts_with(begins)
    };
    let is_start = |name: &&str| match tag(held, name) {
        Front::Part => true,
        Front::After(after) => lead(after),
        // A tool's tag may have attributes, and may close itself.
        Front::No => {
            is_morph && held.strip_prefix(*name).is_some_and(|rest| rest.starts_with('/') || rest.starts_with(SPACE))
        }
    };
    // An object that names a tool is a call where only its opener is missing.
    let is_named = !is_morph
        && held.strip_prefix('{').is_some_and(|inside| {
            let key = inside.trim_start_matches(SPACE);
            key.is_empty()
                || key.strip_prefix('"').is_some_and(|name| !name.contains('"') || name.starts_with("name\""))
        });
    // Of reasoning, which is outside of calls and their failures.
    let is_thought =
        ["<think", "<thinking", "</think", "</thinking"].iter().any(|name| matches!(tag(held, name), Front::Part));
    // What ends a turn, or begins another's, whose name is read too. White space may stand before its `>`.
    let is_turn = TURNS.iter().any(|turn| !matches!(tag(held, turn.trim_end_matches('>')), Front::No));
    held.is_empty()
        || is_thought
        || is_turn
        || is_named
        || starts.iter().any(is_start)
        || is_failed && ends.iter().any(|name| matches!(tag(held, name), Front::Part))
}
