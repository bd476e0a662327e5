//! What holds for the events of any text.

use crate::reading::{Call, Event, What, byte_of, covers, units};
use crate::rows::{Row, Rows};
use tokenweir::format::{Body, Op, Repair};

/// Nothing is lost: text, reasoning, the segments of calls and what is removed tile the stream,
/// and what is removed are markers of the rows.
pub fn assert_tiled(rows: &Rows, events: &[Event], text: &str) {
    let mut at = 0;
    for Event { what, text: piece, span, .. } in events.iter().filter(|event| covers(event.what)) {
        assert_eq!(span.0, at, "a gap or an overlap at {at}, where {what:?} stands at {span:?}");
        at = span.1;
        if *what == What::Own(Op::Markup) {
            assert!(removes(&rows.rows, piece), "{piece:?} is removed");
        }
        let is_text = matches!(what, What::Own(Op::Text | Op::Failed | Op::Reasoned));
        let there = &text[byte_of(text, span.0 as u32)..byte_of(text, span.1 as u32)];
        assert!(!is_text || piece == there, "{what:?} says {piece:?}, where {there:?} stands");
    }
    assert_eq!(at, u64::from(units(text)), "not all of the stream is covered");
}

/// Whether rows may remove a text: markers, white space, and what stands between the calls of a list.
fn removes(rows: &[&Row], text: &str) -> bool {
    if rows.iter().any(|row| row.removes_spans) {
        return true;
    }
    let text = with_plain_bars(text);
    let markers = rows.iter().flat_map(|row| &row.markers).map(|marker| with_plain_bars(marker));
    let mut markers: Vec<_> = markers.filter(|marker| !marker.is_empty()).collect();
    markers.sort_by_key(String::len);
    let mut rest = text.as_str();
    'rest: while let Some(c) = rest.chars().next() {
        // The longest first, and with the suffix that it may have.
        for marker in markers.iter().rev() {
            if let Some(after) = rest.strip_prefix(marker.as_str()) {
                rest = after;
                continue 'rest;
            }
            if let Some(front) = marker.strip_suffix('>')
                && let Some(after) = rest.strip_prefix(front)
                && let Some((suffix, after)) = after.split_once('>')
                && suffix.trim_end().strip_prefix(':').unwrap_or(suffix.trim()).chars().all(char::is_alphanumeric)
            {
                rest = after;
                continue 'rest;
            }
        }
        if !c.is_ascii_whitespace() && !matches!(c, '[' | ']' | '}' | ',' | ';') {
            return false;
        }
        rest = &rest[1..];
    }
    true
}

/// A text with one bar for any bars, and no space around them.
fn with_plain_bars(text: &str) -> String {
    let is_bar = |c| matches!(c, '|' | '｜' | '‖' | '│');
    let mut pieces = text.split(is_bar).map(str::trim).filter(|piece| !piece.is_empty());
    let first = pieces.next().unwrap_or_default();
    pieces.fold(first.to_owned(), |all, piece| all + "|" + piece)
}

/// Whether the payload of a call that the end of the stream made was whole.
pub fn is_whole(row: &Row, call: &Call, text: &str) -> bool {
    let payload = &text[byte_of(text, call.payload as u32)..byte_of(text, call.end as u32)];
    // The first call of a list begins with the list.
    let element = payload.strip_prefix('[').unwrap_or(payload);
    if call.has(Repair::MissingCloseTag) {
        // The last closer is missing, and what ends the call is there.
        let (front, rest) = text.split_at(byte_of(text, call.end as u32));
        let own = [format!("</{}>", call.name)];
        let is_closed = row.texts("call.close").iter().chain(&own).any(|marker| ends_with(front, marker));
        let mut outer = ["section.close", "messages.close"].into_iter().flat_map(|path| row.texts(path));
        return is_closed || outer.any(|marker| length_of(&marker, rest.trim_start()).is_some());
    }
    if call.has_inner_quotes() {
        // What is a string is the machine's answer; all brackets of it are written.
        return !call.has(Repair::MissingCloser) && has_all_brackets(call) && payload.ends_with(['}', ')', ']']);
    }
    match row.body {
        Body::Json | Body::Keyed | Body::Args | Body::Python => is_closed(element, &["\"", "'"]),
        Body::Brace => {
            let quotes = row.texts("call.quote");
            let quote = quotes.first().map(String::as_str);
            quote.map_or_else(|| is_closed(payload, &["\""]), |quote| is_closed(payload, &[quote, "\""]))
        }
        // The closing tag at the end of a line counts, and more of the line may follow it.
        Body::Yaml => payload.trim_end().ends_with(&format!("</{}>", call.name)) || has_elements(call),
        // A JSON object may stand there instead.
        Body::Params if payload.starts_with('{') && may_be_json(row) => is_closed(payload, &["\""]),
        // A body that is one text, by a repair, ends with the tool's closing tag.
        Body::Elements if is_message(call, payload) => row.texts("repairs").iter().any(|name| name == "message-text"),
        // The end of the stream closes the call after an argument.
        Body::Params | Body::Elements => !row.requires_close && !call.arguments.is_empty(),
        // Any text is whole.
        Body::Text => true,
        // No row of the catalogue has these.
        Body::Nothing | Body::Tree => false,
    }
}

/// The length of a marker, whose suffix may be any, at the start of a text.
fn length_of(marker: &str, text: &str) -> Option<usize> {
    let (front, back) = marker.split_once("{suffix}").unwrap_or((marker, ""));
    let after = text.strip_prefix(front)?;
    let at = if front.len() == marker.len() { 0 } else { after.find(back)? };
    Some(front.len() + at + back.len())
}

/// Whether a text ends with a marker, with any bars.
fn ends_with(text: &str, marker: &str) -> bool {
    let (text, marker) = (with_plain_bars(text), with_plain_bars(marker));
    let front = marker.split("{suffix}").next().unwrap_or_default();
    text.rfind(front).is_some_and(|at| length_of(&marker, &text[at..]) == Some(text.len() - at))
}

/// Whether all brackets of the arguments that open close.
fn has_all_brackets(call: &Call) -> bool {
    let count = |fronts: &[&str]| {
        let is_of = |line: &&String| fronts.iter().any(|front| line.starts_with(front));
        call.arguments.iter().filter(is_of).count()
    };
    count(&["Json(Object", "Json(Array"]) == count(&["Json(Close"])
}

/// Whether the arguments are elements.
fn has_elements(call: &Call) -> bool {
    call.arguments.iter().any(|argument| argument.starts_with("Element(Close)"))
}

/// Whether a JSON object may stand where the row has something else.
fn may_be_json(row: &Row) -> bool {
    row.or_json || row.texts("repairs").iter().any(|name| name == "json-body")
}

/// Whether the last that was said of a call's arguments is all of its body.
fn is_message(call: &Call, payload: &str) -> bool {
    let body = payload.strip_suffix(&format!("</{}>", call.name));
    body.is_some_and(|body| call.arguments.last() == Some(&format!("value {body:?} None")))
}

/// Whether the first bracket, or the string, that a text begins with is closed in it.
fn is_closed(text: &str, quotes: &[&str]) -> bool {
    let mut open = Vec::new();
    let mut rest = text;
    let mut has_closed = false;
    while let Some(c) = rest.chars().next() {
        if let Some(quote) = quotes.iter().find(|quote| rest.starts_with(**quote)) {
            let inside = &rest[quote.len()..];
            let mut end = None;
            let mut at = 0;
            while at < inside.len() {
                if inside[at..].starts_with('\\') && quote.len() == 1 {
                    at += 1 + inside[at + 1..].chars().next().map_or(0, char::len_utf8);
                    continue;
                }
                if inside[at..].starts_with(quote) {
                    end = Some(at + quote.len());
                    break;
                }
                at += inside[at..].chars().next().map_or(1, char::len_utf8);
            }
            let Some(end) = end else { return false };
            rest = &inside[end..];
            has_closed |= open.is_empty();
        } else {
            match c {
                '{' | '[' | '(' => open.push(c),
                '}' | ']' | ')' => {
                    open.pop();
                    has_closed |= open.is_empty();
                }
                _ => {}
            }
            rest = &rest[c.len_utf8()..];
        }
        if has_closed && open.is_empty() {
            return true;
        }
    }
    has_closed && open.is_empty()
}
