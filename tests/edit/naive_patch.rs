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

pub fn star(line: &Line) -> Option<Star> {
    let body = line.body();
    let rest = body.trim_start_matches(is_space);
    let trimmed = rest.trim_end_matches(is_space);
    let around = body.len() - trimmed.len();
    if body.len() - rest.len() > 64 {
        return None;
    }
    for (front, op) in
        [("Add File:", "add"), ("Delete File:", "delete"), ("Update File:", "update"), ("Move to:", "move")]
    {
        if let Some(path) = rest.strip_prefix("*** ").and_then(|rest| rest.strip_prefix(front)) {
            return Some(Star::Header(op, path.trim_matches(is_space).to_owned()));
        }
    }
    match trimmed {
        _ if around > 64 => None,
        "*** Begin Patch" => Some(Star::Begin),
        "*** End Patch" => Some(Star::End),
        "*** End of File" => Some(Star::EndOfFile),
        _ => None,
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
        match star(&line) {
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
        if star(&line).is_some() {
            naive.out.malformed("unknown-header", line.from, line.to);
            (file, is_spoiled) = (None, true);
        } else if !file.as_mut().is_some_and(|file| content(naive, file, &line)) {
            let is_header = file.is_none() || line.text.starts_with("*** ");
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
        && let Some(Star::Header("move", to)) = naive.rest.front().and_then(star)
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
