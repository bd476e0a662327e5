//! Which of the tools that were given a name means.
//!
//! ```text
//! run                     itself, if there is such a tool
//! "run"                   quotes come off
//! functions_run_1         so does what a row writes around names, where the row has `functions.`:
//! functionsrun1           the prefix, and the number of the call
//! runjson                 the content type, where a message's header has the name
//! default_api:run         a namespace, in braces and in Python's calls
//! ```
//!
//! A name that is a tool wins over what could come off it.
//!
//! Source: spec/policy.md, 8. `tool-calls/tool-name.ts` is the same for JavaScript, where the tools are.

const NAMESPACE: &str = "functions";

/// The tool that a name means, or the name if it means none.
pub(super) fn tool_named(
    written: &str,
    has_namespace: bool,
    has_messages: bool,
    has_prefix: bool,
    is_tool: impl Fn(&str) -> bool,
) -> &str {
    if is_tool(written) {
        return written;
    }
    let name = ['"', '\'', '`'].iter().find_map(|&quote| unquoted(written, quote)).unwrap_or(written);
    if is_tool(name) {
        return name;
    }
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let numbered = Some(digits).filter(|digits| digits.len() < name.len() && has_namespace);
    let ends = [
        Some(name),
        numbered.and_then(|digits| digits.strip_suffix(':')),
        numbered.and_then(|digits| digits.strip_suffix('_')),
        numbered,
        name.strip_suffix("json").filter(|_| has_messages),
    ];
    for end in ends.into_iter().flatten() {
        let bare = end.strip_prefix(NAMESPACE).filter(|_| has_namespace);
        let bare = bare.map(|bare| bare.strip_prefix(['.', '_']).unwrap_or(bare));
        let word = end.find(['.', ':']).filter(|_| has_prefix);
        let word = word.filter(|&at| at > 0 && end[..at].chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        let after = word.and_then(|at| end.get(at + 1..));
        if let Some(tool) = [Some(end), bare, after].into_iter().flatten().find(|candidate| is_tool(candidate)) {
            return tool;
        }
    }
    name
}

fn unquoted(name: &str, quote: char) -> Option<&str> {
    name.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.is_empty())
}

/// `get` of `get.get`, where `get` is a tool, or no tools are known.
pub(super) fn undoubled(name: &str, is_any: bool, is_tool: impl Fn(&str) -> bool) -> &str {
    let half = name.get(..name.len().saturating_sub(1) / 2).unwrap_or_default();
    let is_doubled = !half.is_empty() && name.strip_prefix(half).and_then(|rest| rest.strip_prefix('.')) == Some(half);
    if is_doubled && (is_any || is_tool(half) && !is_tool(name)) { half } else { name }
}

/// Whether a name of a row with `functions.` is an id of a call: `call_1`.
pub(super) fn is_call_id(name: &str) -> bool {
    name.starts_with("call_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_row_writes_around_a_name_comes_off() {
        let named = |name| tool_named(name, true, true, true, |tool| matches!(tool, "run" | "run2" | "functions_own"));
        for (written, name) in [
            ("run", "run"),
            ("\"run\"", "run"),
            ("functions.run:0", "run"),
            ("functions_run_1", "run"),
            ("functionsrun1", "run"),
            ("functions.run2", "run2"),
            ("functions_own", "functions_own"),
            ("runjson", "run"),
            ("default_api:run", "run"),
            ("default_api.run", "run"),
            ("walk", "walk"),
            ("", ""),
        ] {
            assert_eq!(named(written), name, "{written}");
        }
        assert_eq!(tool_named("functions.run", false, false, false, |tool| tool == "run"), "functions.run");
        assert_eq!(undoubled("get.get", true, |_| false), "get");
        assert_eq!(undoubled("get.got", true, |_| false), "get.got");
        assert_eq!(undoubled(".", true, |_| false), ".");
    }
}
