//! What may be pending: the start of something that could still be
//! markup, and no more. Written down anew, from the grammar and not from the
//! machine.

use tokenweir::segment::{
    Event, EventKind, LONGEST_HEADER, LONGEST_SIGNATURE, LONGEST_SPACE, Markers, Reasoning, STATES, ToolState,
};
use tokenweir::xml::LONGEST_TAG;

/// How a parser is configured.
pub struct Setting<'a> {
    pub markers: Markers,
    pub reasoning: Reasoning,
    pub signatures: Vec<&'a str>,
    /// The program's states, the last of a name counts; none makes a tool generic.
    pub states: Vec<(&'a str, Option<ToolState<'a>>)>,
}

/// A piece of what a held text is the front of.
enum Part<'a> {
    /// In any case of letters.
    Literal(&'a str),
    /// Exactly this.
    Exact(&'a str),
    /// White space, at most so much.
    Space,
}

/// A closing tag, with what may stand before its `>`. What ends a sentinel has no such place.
fn closing_tag(tag: &str) -> [Part<'_>; 3] {
    match tag.strip_suffix('>') {
        Some(front) => [Part::Literal(front), Part::Space, Part::Literal(">")],
        None => [Part::Literal(tag), Part::Literal(""), Part::Literal("")],
    }
}

/// Whether a text is the front of the parts, and not all of them.
fn is_front(mut text: &str, parts: &[Part]) -> bool {
    for part in parts {
        if text.is_empty() {
            return true;
        }
        match part {
            Part::Literal(literal) | Part::Exact(literal) => {
                let is_exact = matches!(part, Part::Exact(_));
                let same = |a: &str, b: &str| if is_exact { a == b } else { a.eq_ignore_ascii_case(b) };
                let len = text.len().min(literal.len());
                if !text.is_char_boundary(len) || !same(&text[..len], &literal[..len]) {
                    return false;
                }
                text = &text[len..];
                if len < literal.len() {
                    return true;
                }
            }
            Part::Space => {
                let rest = text.trim_start_matches([' ', '\t', '\n', '\r']);
                if text.len() - rest.len() > LONGEST_SPACE as usize + 1 {
                    return false;
                }
                text = rest;
            }
        }
    }
    false
}

/// Whether a text may be the front of a tag with one of these names: a front of
/// `<name`, or that and what may follow it.
fn is_tag_front(text: &str, names: &[&str]) -> bool {
    text.encode_utf16().count() <= LONGEST_TAG as usize
        && names.iter().any(|name| {
            let literal = format!("<{name}");
            is_front(text, &[Part::Literal(&literal)])
                || text.get(..literal.len()).is_some_and(|front| front.eq_ignore_ascii_case(&literal))
                    && text[literal.len()..].starts_with(|c: char| c.is_whitespace() || c == '/' || c == '>')
                || text.len() == literal.len() && text.eq_ignore_ascii_case(&literal)
        })
}

/// The text without the white space that doesn't count in a signature, all strings in double quotes, and
/// what is no quote there in its place.
fn squeezed(text: &str) -> String {
    let (mut open, mut is_escaped, mut bare) = (None, false, String::new());
    for c in text.chars() {
        if open.is_none() && " \t\r\n".contains(c) {
            continue;
        }
        let is_quote = !is_escaped && open.map_or(c == '"' || c == '\'', |quote| quote == c);
        is_escaped = !is_escaped && open.is_some() && c == '\\';
        bare.push(match c {
            _ if is_quote => '"',
            '"' if open == Some('\'') => '\'',
            c => c,
        });
        if is_quote {
            open = if open.is_some() { None } else { Some(c) };
        }
    }
    bare
}

/// What a signature must begin with, if members `id` and `type` come before it in a
/// squeezed text: what is left without those that are whole. A member that is not
/// is left out too, since anything may follow it.
fn fronts_behind_members(bare: &str) -> Vec<String> {
    let Some((bracket, mut rest)) = bare.find('{').map(|at| bare.split_at(at + 1)) else { return Vec::new() };
    let mut fronts = Vec::new();
    loop {
        fronts.push(format!("{bracket}{rest}"));
        let kinds = ["function", "function_call", "tool", "tool_call", "tool_use"];
        let types = kinds.iter().map(|kind| format!("\"type\":\"{kind}\","));
        if is_front_of_any(rest, ["\"id\":".to_owned()].into_iter().chain(types.clone())) {
            fronts.push(bracket.to_owned());
            return fronts;
        }
        let after = types.filter_map(|member| rest.strip_prefix(member.as_str())).next();
        let Some(next) = after.or_else(|| rest.strip_prefix("\"id\":").map(after_scalar)) else { return fronts };
        if next.is_empty() {
            fronts.push(bracket.to_owned());
            return fronts;
        }
        rest = next;
    }
}

fn is_front_of_any(text: &str, mut all: impl Iterator<Item = String>) -> bool {
    all.any(|whole| whole.starts_with(text))
}

/// What follows a string, a number or a word and its comma; nothing if it is open,
/// and what fits no signature if it is something else.
fn after_scalar(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('"') else {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "+-.".contains(c));
        return rest.strip_prefix(',').filter(|_| rest.len() < text.len()).unwrap_or(if rest.is_empty() {
            ""
        } else {
            "!"
        });
    };
    let mut is_escaped = false;
    for (at, c) in inner.char_indices() {
        if c == '"' && !is_escaped {
            let rest = &inner[at + 1..];
            return rest.strip_prefix(',').unwrap_or(if rest.is_empty() { "" } else { "!" });
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    ""
}

/// The segment that is open, as far as its end depends on it.
enum Open<'a> {
    Prose,
    Json,
    Raw(&'static str),
    Reasoning(&'static str),
    Tool(ToolState<'a>),
}

impl Setting<'_> {
    /// The state that a tool is read by.
    fn state(&self, tool: &str) -> Option<ToolState<'_>> {
        let own = self.states.iter().rfind(|(name, _)| name.eq_ignore_ascii_case(tool));
        match own {
            Some((_, state)) => *state,
            None => STATES.into_iter().find(|state| state.tool.eq_ignore_ascii_case(tool)),
        }
    }

    /// Whether a tool's start may wait for its arguments.
    fn waits(&self, tool: &str) -> bool {
        let waits = |state: ToolState| !state.content.is_empty() && state.start_when.len() + state.metadata.len() > 0;
        self.state(tool).is_some_and(waits)
    }

    fn open(&self, events: &[Event]) -> Open<'_> {
        let Some(start) = events.iter().rposition(|event| matches!(event.kind, EventKind::Start { .. })) else {
            return Open::Prose;
        };
        if events[start..].iter().any(|event| event.kind == EventKind::End) {
            return Open::Prose;
        }
        let EventKind::Start { segment_type, metadata } = &events[start].kind else { unreachable!() };
        // All of the markup, which may have come in pieces.
        let is_markup = |event: &&Event| event.segment != 0 && matches!(event.kind, EventKind::Markup(_));
        let markup = events[..start].last().filter(is_markup);
        let Some(Event { kind: EventKind::Markup(markup), .. }) = markup else {
            return if segment_type.name() == "text" { Open::Prose } else { Open::Json };
        };
        let opening = markup.to_ascii_lowercase();
        if opening.starts_with("[[seg_start") {
            return Open::Raw("[[SEG_END]]");
        }
        if opening.starts_with("<write_file") {
            return Open::Raw("</write_file>");
        }
        if opening.starts_with("<run_bash") {
            return Open::Raw("</run_bash>");
        }
        if let Some(thought) = opening.strip_prefix("<think") {
            return Open::Reasoning(if thought.starts_with("ing") { "</thinking" } else { "</think" });
        }
        assert!(opening.starts_with("<tool"), "{markup:?} opens nothing");
        match self.state(&metadata[0].1) {
            Some(state) if !state.content.is_empty() => Open::Tool(state),
            _ => Open::Raw("</tool>"),
        }
    }

    /// Whether text may be undecided after these events.
    pub fn may_be_held(&self, events: &[Event], held: &str) -> bool {
        if held.is_empty() {
            return true;
        }
        match self.open(events) {
            Open::Prose => self.may_be_held_in_prose(held) || self.may_be_held_for_reasoning(events, held),
            Open::Reasoning(closing) => is_reasoning_front(held, closing),
            Open::Json => false,
            Open::Raw("</tool>") => is_in_values(held),
            Open::Raw(closing) => is_front(held, &closing_tag(closing)) || is_section(held),
            Open::Tool(state) => {
                let (start, end) = state.markers.unwrap_or(("", ""));
                is_in_values(held)
                    || is_section(held)
                    // Between arguments, where it is markup anyhow.
                    || is_tag_front(held, &["arg", "/tool"])
                    || state.markers.is_some() && is_marked_front(held, start, end)
            }
        }
    }

    fn may_be_held_for_reasoning(&self, events: &[Event], held: &str) -> bool {
        let opens =
            || ["<think", "<thinking"].iter().any(|tag| is_reasoning_front(held, tag)) && may_open_reasoning(events);
        let closes = || ["</think", "</thinking"].iter().any(|tag| is_reasoning_front(held, tag));
        let is_stray = || self.reasoning == Reasoning::Parts && may_open_reasoning(events);
        self.reasoning != Reasoning::Search && opens() || (self.reasoning == Reasoning::Text || is_stray()) && closes()
    }

    fn may_be_held_in_prose(&self, held: &str) -> bool {
        let Markers { xml, json, sentinel, .. } = self.markers;
        let units = held.encode_utf16().count();
        let is_tag = || is_tag_front(held, &["write_file", "run_bash", "tool"]);
        let is_waiting = || {
            let lower = held.to_ascii_lowercase();
            let quoted = |tool: &str| [format!("\"{tool}\""), format!("'{tool}'")];
            let names = STATES.iter().map(|state| state.tool).chain(self.states.iter().map(|(name, _)| *name));
            let mut waiting = names.filter(|name| self.waits(name));
            lower.starts_with("<tool")
                && waiting.any(|name| quoted(name).iter().any(|name| lower.contains(&name.to_ascii_lowercase())))
        };
        let is_signature = || {
            let bare = squeezed(held);
            let begins = |text: &str| self.signatures.iter().any(|signature| signature.starts_with(text));
            let object =
                |text: &str| text == "{" || begins(text) || fronts_behind_members(text).iter().any(|text| begins(text));
            units <= LONGEST_SPACE as usize + 1 + LONGEST_SIGNATURE && object(&bare)
        };
        let is_sentinel = || {
            let begins = held.starts_with("[[SEG_START") && units <= LONGEST_HEADER as usize + 2;
            begins || is_front(held, &[Part::Exact("[[SEG_START")])
        };
        xml && (is_tag() || is_waiting()) || json && is_signature() || sentinel && is_sentinel()
    }
}

/// Most white space in a tag of reasoning.
const LONGEST_GAP: usize = 16;

/// Whether a text is a front of a tag of reasoning without its `>`.
fn is_reasoning_front(held: &str, tag: &str) -> bool {
    tag.starts_with(held)
        || held
            .strip_prefix(tag)
            .is_some_and(|gap| gap.len() <= LONGEST_GAP && gap.trim_start_matches([' ', '\t', '\n', '\r']).is_empty())
}

/// Whether reasoning may open after these events: in prose without more in its line than what begins one.
fn may_open_reasoning(events: &[Event]) -> bool {
    let mut text = String::new();
    for event in events {
        match &event.kind {
            EventKind::Start { .. } => text.clear(),
            EventKind::Content(more) => text.push_str(more),
            EventKind::End | EventKind::Markup(_) | EventKind::Fault(_) => {}
            _ => panic!("unknown: {event:?}"),
        }
    }
    let is_prose = !events
        .iter()
        .rfind(|event| !matches!(event.kind, EventKind::Fault(_)))
        .is_some_and(|event| event.kind == EventKind::End);
    let line = text.rsplit(['\n', '\r']).next().unwrap_or_default();
    let begins = |c: char| c.is_ascii_digit() || " \t>-+*.)".contains(c);
    // What was refused is text as well: what follows it follows a segment.
    !is_prose || line.chars().all(begins) || text.trim_end().ends_with('>')
}

/// A tag in a value; after one that may have ended it, up to what decides.
fn is_in_values(held: &str) -> bool {
    let lower = held.to_ascii_lowercase();
    let closes = ["</arg", "</tool"].iter().any(|tag| lower.starts_with(tag));
    is_tag_front(held, &["arg", "/arg", "/arguments", "tool", "/tool"])
        || closes && held.encode_utf16().count() <= (LONGEST_TAG + FURTHEST_CLOSER) as usize
}

/// Most that is pending after a closing tag that may have ended a value.
const FURTHEST_CLOSER: u32 = 4_096;

/// White space at the start of a content, and what may begin CDATA or end it.
fn is_section(held: &str) -> bool {
    let opener = held.trim_start_matches([' ', '\t', '\n', '\r']);
    held.len() - opener.len() <= LONGEST_SPACE as usize + 1 && "<![CDATA[".starts_with(opener) || "]]".starts_with(held)
}

/// Before the start marker, after it, and before the content ends.
fn is_marked_front(held: &str, start: &str, end: &str) -> bool {
    use Part::{Exact, Literal, Space};
    let ends = |held: &str| {
        let [arg, space, greater] = closing_tag("</arg>");
        is_front(held, &[Exact(end), Space, arg, space, greater])
            || ["</tool", "</arguments"].iter().any(|closer| {
                let [arg, space, greater] = closing_tag("</arg>");
                is_front(held, &[arg, space, greater, Space, Literal(closer), Space, Literal(">")])
            })
    };
    let after_break = held.strip_prefix('\n').map(|rest| rest.trim_start_matches([' ', '\t', '\n', '\r']));
    let space = after_break.map_or(0, |rest| held.len() - rest.len());
    is_front(held, &[Space, Exact(start), Exact("\r"), Exact("\n")])
        || ends(held)
        || space <= LONGEST_SPACE as usize + 1 && after_break.is_some_and(|rest| rest.is_empty() || ends(rest))
}

/// Longest inline code, in UTF-16 code units.
const LONGEST_QUOTED: usize = 1_024;

/// Whether a marker may be held since it may be quoted: backticks are near before it.
pub fn may_be_quoted(front: &str, held: &str) -> bool {
    let near = front.char_indices().rev().take(LONGEST_QUOTED).any(|(_, c)| c == '`');
    near && held.starts_with(['<', '{', '[']) && held.encode_utf16().count() <= LONGEST_QUOTED
}
