//! The plain reader's patches in V4A.

use crate::naive::{Line, Naive, is_space};

/// A marker of a patch.
#[derive(Clone, Debug, PartialEq)]
pub enum Star {
    Begin,
    End,
    EndOfFile,
    Header(&'static str, String),
}

/// `may_be_bold`: not in prose.
pub fn star(line: &Line, may_be_bold: bool) -> Option<Star> {
    let body = line.body();
    let rest = body.trim_start_matches(is_space);
    if body.len() - rest.len() > 64 {
        return None;
    }
    let stars = rest.len() - rest.trim_start_matches('*').len();
    let after = &rest[stars..];
    // Decorations: more stars, or no space after them.
    let front = body.len() - after.len();
    let is_begun = match after.strip_prefix(' ') {
        Some(_) => stars == 3 || stars > 3 && front <= 64,
        None => stars > 2 && front < 64,
    };
    let name = after.strip_prefix(' ').unwrap_or(after);
    for (front, op) in
        [("Add File:", "add"), ("Delete File:", "delete"), ("Update File:", "update"), ("Move to:", "move")]
    {
        if let Some(path) = name.strip_prefix(front).filter(|_| is_begun) {
            let path = path.trim_matches(is_space);
            let plain = path.trim_end_matches(|c| is_space(c) || c == '*');
            let is_apart = !plain.is_empty() && path[plain.len()..].starts_with(is_space);
            return Some(Star::Header(op, if is_apart { plain } else { path }.to_owned()));
        }
    }
    let is_bold = may_be_bold && stars == 2 && front < 64 && !after.starts_with(' ');
    [("Begin Patch", Star::Begin), ("End Patch", Star::End), ("End of File", Star::EndOfFile)]
        .into_iter()
        .filter(|_| is_begun || is_bold)
        .find_map(|(text, star)| Some((name.strip_prefix(text)?, star)))
        .filter(|(rest, _)| rest.chars().all(|c| is_space(c) || "*-=_".contains(c)))
        .filter(|(rest, _)| body.len() - after.len() - stars + rest.len() <= 64)
        .map(|(_, star)| star)
}

/// Whether a marker fits four characters or more.
fn is_like_a_header(text: &str) -> bool {
    let after = text.trim_start_matches('*');
    match text.len() - after.len() {
        2 => ["Be", "En"].iter().any(|start| after.starts_with(start)),
        3 => after.starts_with([' ', 'A', 'B', 'D', 'E', 'M', 'U']),
        stars => stars > 3,
    }
}

/// What a file's lines are, as far as they were read.
struct File {
    op: &'static str,
    contexts: Option<Vec<String>>,
    blanks: Vec<Line>,
    has_hunks: bool,
}

pub fn patch(naive: &mut Naive<'_>) {
    let mut file: Option<File> = None;
    let mut is_spoiled = false;
    while let Some(line) = naive.rest.pop_front() {
        match star(&line, true) {
            Some(Star::End) => return end(naive, file, &line),
            Some(Star::Header("move", _)) | Some(Star::Begin) => {}
            Some(Star::Header(op, path)) => {
                end(naive, file.take(), &line);
                (file, is_spoiled) = header(naive, &line, op, path);
                continue;
            }
            Some(Star::EndOfFile) if !is_spoiled && naive.out.has_hunk() => {
                naive.out.close_hunk(true);
                file.iter_mut().for_each(|file| file.blanks.clear());
                continue;
            }
            Some(Star::EndOfFile) | None => {}
        }
        if is_spoiled {
            continue;
        }
        let takes_blanks = file.as_ref().is_some_and(|file| file.op != "delete");
        if line.is_empty() {
            if takes_blanks {
                file.as_mut().unwrap().blanks.push(line);
            }
            continue;
        }
        if star(&line, true).is_some() {
            naive.out.malformed("unknown-header", line.from, line.to);
            (file, is_spoiled) = (None, true);
        } else if !file.as_mut().is_some_and(|file| content(naive, file, &line)) {
            let is_header = file.is_none() || is_like_a_header(&line.text);
            naive.out.malformed(if is_header { "unknown-header" } else { "bad-line" }, line.from, line.from);
            (file, is_spoiled) = (None, true);
        }
    }
    naive.out.malformed("unterminated", naive.end, naive.end);
    naive.out.close_file();
}

/// The header of a file, and the line that moves it. True if the file is spoiled.
fn header(naive: &mut Naive<'_>, line: &Line, op: &'static str, path: String) -> (Option<File>, bool) {
    if path.is_empty() {
        naive.out.malformed("missing-path", line.from, line.to);
        return (None, true);
    }
    let mut op = op;
    let mut moved = None;
    if op == "update"
        && let Some(Star::Header("move", to)) = naive.rest.front().and_then(|line| star(line, true))
    {
        let line = naive.rest.pop_front().unwrap();
        if to.is_empty() {
            naive.out.malformed("missing-path", line.from, line.to);
            return (None, true);
        }
        (op, moved) = ("move", Some(to));
    }
    let shown = moved.as_deref().filter(|to| *to != path);
    let shown_op = if op == "move" && shown.is_none() { "update" } else { op };
    naive.out.file(shown_op, &path, shown, "v4a");
    (Some(File { op, contexts: None, blanks: Vec::new(), has_hunks: false }), false)
}

fn open(naive: &mut Naive<'_>, file: &mut File) {
    if !naive.out.has_hunk() {
        naive.out.hunk(&file.contexts.take().unwrap_or_default(), "");
        file.has_hunks = true;
    }
}

/// A line of the file; false if it can't be one.
fn content(naive: &mut Naive<'_>, file: &mut File, line: &Line) -> bool {
    let body = line.body();
    if file.op != "add"
        && file.op != "delete"
        && (body == "@@" || body.starts_with("@@") && body[2..].starts_with(is_space))
    {
        naive.out.close_hunk(false);
        file.blanks.clear();
        let context = body[2..].trim_matches(is_space);
        file.contexts.get_or_insert_default().extend((!context.is_empty()).then(|| context.to_owned()));
        return true;
    }
    let side = match (file.op, line.text.chars().next()) {
        ("add", Some('+')) if file.blanks.is_empty() => "new",
        ("add" | "delete", _) => return false,
        (_, Some('+')) => "new",
        (_, Some('-')) => "old",
        (_, Some(' ')) => "both",
        _ => return false,
    };
    if !naive.out.has_hunk() && file.contexts.is_none() && file.has_hunks {
        return false;
    }
    open(naive, file);
    for blank in std::mem::take(&mut file.blanks) {
        naive.out.delta("both", &blank.text);
    }
    naive.out.delta(side, &line.text[1..]);
    true
}

/// The file is whole, before a line.
fn end(naive: &mut Naive<'_>, file: Option<File>, line: &Line) {
    if let Some(mut file) = file {
        if file.op == "add" && !file.has_hunks {
            open(naive, &mut file);
        }
        let is_update = matches!(file.op, "update" | "move");
        if is_update && (file.contexts.is_some() || !file.has_hunks && file.op != "move") {
            let at = file.blanks.first().unwrap_or(line).from;
            naive.out.malformed("empty-update", at, at);
        }
        naive.out.close_hunk(false);
    }
    naive.out.close_file();
}
