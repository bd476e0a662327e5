//! The plain reader's unified diffs.

use crate::naive::{Line, Naive, is_space};

/// The path of a header, if the line is one.
pub fn path(body: &str, front: &str) -> Option<String> {
    let rest = body.strip_prefix(front)?.trim_start_matches(is_space);
    let path = rest.split('\t').next().unwrap_or_default().trim_end_matches(is_space);
    (!path.is_empty()).then(|| path.to_owned())
}

/// Whether a diff begins with the line.
pub fn begins(naive: &Naive<'_>, line: &Line) -> bool {
    let next = naive.rest.front().and_then(|next| path(next.body(), "+++ "));
    path(line.body(), "--- ").is_some() && next.is_some()
}

pub fn diff(naive: &mut Naive<'_>, first: &Line) {
    naive.forget_names();
    let mut header = first.clone();
    loop {
        naive.out.close_file();
        let second = naive.rest.pop_front().unwrap();
        if !file(naive, &header, &second) {
            return;
        }
        match hunks(naive) {
            Some(next) => header = next,
            None => return,
        }
    }
}

fn file(naive: &mut Naive<'_>, first: &Line, second: &Line) -> bool {
    let (old, new) = (path(first.body(), "--- ").unwrap(), path(second.body(), "+++ ").unwrap());
    let null = "/dev/null";
    let has_folders = (old == null || old.starts_with("a/")) && (new == null || new.starts_with("b/"));
    let short = |path: &str| if has_folders && path != null { path[2..].to_owned() } else { path.to_owned() };
    let (from, to) = (short(&old), short(&new));
    match (old == null, new == null) {
        (true, true) => {}
        (true, false) if !to.is_empty() => {
            naive.out.file("add", &to, None, "unified");
            return true;
        }
        (false, true) if !from.is_empty() => {
            naive.out.file("delete", &from, None, "unified");
            return true;
        }
        (false, false) if !from.is_empty() && !to.is_empty() => {
            let moved = (from != to).then_some(to.as_str());
            naive.out.file(if moved.is_some() { "move" } else { "update" }, &from, moved, "unified");
            return true;
        }
        _ => {}
    }
    naive.out.malformed("missing-path", first.from, second.to);
    false
}

/// Gives the header of the next file, if one follows.
fn hunks(naive: &mut Naive<'_>) -> Option<Line> {
    let mut has_hunks = false;
    while let Some(line) = naive.rest.pop_front() {
        if line.is_empty() {
            continue;
        }
        if is_section(&line) {
            has_hunks = true;
            match hunk(naive, &line) {
                Some(true) => continue,
                Some(false) => return next_file(naive),
                None => return None,
            }
        }
        if !has_hunks {
            naive.out.malformed("empty-update", line.from, line.from);
        }
        naive.rest.push_front(line);
        return next_file(naive);
    }
    if has_hunks {
        naive.out.close_file();
    } else {
        naive.out.malformed("unterminated", naive.end, naive.end);
    }
    None
}

/// The line after a file, if it is the header of another one; else it is text.
fn next_file(naive: &mut Naive<'_>) -> Option<Line> {
    naive.out.close_file();
    let line = naive.rest.pop_front()?;
    if begins(naive, &line) {
        return Some(line);
    }
    naive.rest.push_front(line);
    None
}

fn is_section(line: &Line) -> bool {
    let rest = line.body().strip_prefix("@@");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(is_space))
}

/// Reads a hunk: true if another may follow, false if none does, nothing at the end of the text.
fn hunk(naive: &mut Naive<'_>, section: &Line) -> Option<bool> {
    let rest = &section.body()[2..];
    let range = range(rest);
    let context = match (rest.find("@@"), &range) {
        (Some(at), _) => &rest[at + 2..],
        (None, None) => rest,
        (None, Some(_)) => "",
    };
    let context = context.trim_matches(is_space).to_owned();
    let numbers = range.map_or(String::new(), |range| range.map(|number| number.to_string()).join(","));
    naive.out.hunk(&Vec::from_iter((!context.is_empty()).then_some(context)), &numbers);
    let mut missing = range.map(|[_, old, _, new]| (old, new));
    let mut blanks: Vec<Line> = Vec::new();
    let mut has_lines = false;
    while let Some(line) = naive.rest.pop_front() {
        let is_over = missing == Some((0, 0));
        if line.is_empty() && !is_over {
            blanks.push(line);
            continue;
        }
        let is_header = missing.is_none_or(|(old, _)| old == 0) && begins(naive, &line);
        let side = match line.text.chars().next() {
            Some(' ') => "both",
            Some('+') => "new",
            Some('-') if !is_header => "old",
            _ => {
                let at = blanks.first().unwrap_or(&line).from;
                if has_lines {
                    naive.out.close_hunk(false)
                } else {
                    naive.out.malformed("empty-update", at, at)
                }
                let goes_on = line.is_empty() || is_section(&line);
                naive.rest.push_front(line);
                return Some(goes_on);
            }
        };
        has_lines = true;
        for blank in blanks.drain(..) {
            naive.out.delta("both", &blank.text);
            missing = less(missing, "both");
        }
        missing = less(missing, side);
        let mut text = &line.text[1..];
        while naive.rest.front().is_some_and(|next| next.text.starts_with('\\')) && line.text.ends_with('\n') {
            text = line.text[1..].strip_suffix("\r\n").or(line.text[1..].strip_suffix('\n')).unwrap();
            naive.rest.pop_front();
        }
        naive.out.delta(side, text);
    }
    let at = blanks.first().map_or(naive.end, |blank| blank.from);
    if has_lines && (missing == Some((0, 0)) || naive.has_finished) {
        naive.out.close_hunk(false);
        naive.out.close_file();
    } else {
        naive.out.malformed("unterminated", at, at);
    }
    None
}

fn less(missing: Option<(u32, u32)>, side: &str) -> Option<(u32, u32)> {
    let one = |other: &str| u32::from(side != other);
    missing.map(|(old, new)| (old.saturating_sub(one("new")), new.saturating_sub(one("old"))))
}

fn range(rest: &str) -> Option<[u32; 4]> {
    let blank = |c: char| matches!(c, ' ' | '\r');
    let number = |text: &mut &str| {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, after) = text.split_at(end);
        *text = after;
        digits.parse::<u32>().ok()
    };
    let pair = |text: &mut &str| {
        let start = number(text)?;
        let Some(after) = text.strip_prefix(',') else { return Some((start, 1)) };
        *text = after;
        Some((start, number(text)?))
    };
    let mut rest = rest.trim_start_matches(blank).strip_prefix('-')?;
    let old = pair(&mut rest)?;
    if !rest.starts_with(' ') {
        return None;
    }
    rest = rest.trim_start_matches(blank).strip_prefix('+')?;
    let new = pair(&mut rest)?;
    let after = rest.trim_start_matches(blank);
    let is_end = rest.is_empty() || rest.starts_with(blank) && (after.is_empty() || after.starts_with('@'));
    is_end.then_some([old.0, old.1, new.0, new.1])
}
