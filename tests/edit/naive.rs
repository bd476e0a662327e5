//! A plain reader of whole texts, line by line, to compare the real one with: it has the text at hand, so it knows
//! each line before it says anything of it. Patches are in `naive_patch.rs`, diffs in `naive_diff.rs`.

use crate::{naive_diff, naive_patch};
use tokenweir::edit::{Format, Options};

/// A line, and the unit at which it begins.
#[derive(Clone, Debug)]
pub struct Line {
    pub text: String,
    pub from: usize,
    pub to: usize,
}

impl Line {
    /// Without its `\n`.
    pub fn body(&self) -> &str {
        self.text.strip_suffix('\n').unwrap_or(&self.text)
    }

    pub fn is_empty(&self) -> bool {
        matches!(self.body(), "" | "\r")
    }
}

pub fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}

/// The lines that are left, and what was found.
pub struct Naive<'a> {
    pub options: &'a Options,
    pub has_finished: bool,
    pub rest: std::collections::VecDeque<Line>,
    pub end: usize,
    pub out: Out,
    last: Option<String>,
    /// The lines of text since the last edit that aren't empty: a name, a fence, or anything else.
    before: Vec<Before>,
}

#[derive(Clone, Debug, PartialEq)]
enum Before {
    Name(String),
    Fence,
    Other,
}

/// What was found, as `reading.rs` writes it.
#[derive(Default)]
pub struct Out {
    lines: Vec<String>,
    /// The front and the text of the last line, if more of it may come.
    joined: (String, String),
    files: usize,
    file: Option<(bool, Option<String>)>,
    hunks: usize,
    hunk: Option<(String, String)>,
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

impl Out {
    fn more(&mut self, front: String, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.joined.0 == front {
            self.lines.pop();
        } else {
            self.joined = (front, String::new());
        }
        self.joined.1.push_str(text);
        self.lines.push(format!("{} {}", self.joined.0, json(&self.joined.1)));
    }

    fn push(&mut self, line: String) {
        self.joined = Default::default();
        self.lines.push(line);
    }

    pub fn text(&mut self, text: &str) {
        self.more("text".to_owned(), text);
    }

    pub fn file(&mut self, op: &str, path: &str, moved: Option<&str>, format: &str) {
        self.close_file();
        let to = moved.map_or(String::new(), |to| format!(" {}", json(to)));
        self.push(format!("file {} {op} {}{to} {format}", self.files, json(path)));
        self.file = Some((false, (format == "search-replace").then(|| path.to_owned())));
        self.files += 1;
        self.hunks = 0;
    }

    pub fn hunk(&mut self, context: &[String], range: &str) {
        let range = if range.is_empty() { String::new() } else { format!(" {range}") };
        self.push(format!("hunk {}.{} {}{range}", self.files - 1, self.hunks, serde_json::to_string(context).unwrap()));
        self.hunk = Some((String::new(), String::new()));
        self.hunks += 1;
    }

    pub fn has_hunk(&self) -> bool {
        self.hunk.is_some()
    }

    pub fn delta(&mut self, side: &str, text: &str) {
        let place = format!("{side} {}.{}", self.files - 1, self.hunks - 1);
        let (old, new) = self.hunk.as_mut().unwrap();
        if side != "new" {
            old.push_str(text);
        }
        if side != "old" {
            new.push_str(text);
        }
        self.more(place, text);
    }

    pub fn close_hunk(&mut self, at_end: bool) {
        if let Some((old, new)) = self.hunk.take() {
            let at_end = if at_end { " at-end" } else { "" };
            self.push(format!("done {}.{} {} {}{at_end}", self.files - 1, self.hunks - 1, json(&old), json(&new)));
        }
    }

    pub fn close_file(&mut self) {
        if let Some((false, _)) = self.file.take() {
            self.push(format!("done {}", self.files - 1));
        }
    }

    /// Whether this fault spoils what is open is all that differs between them.
    pub fn malformed(&mut self, code: &str, from: usize, to: usize) {
        let spoils = code != "unexpected-text";
        let file = if spoils && self.file.is_some() { format!(" {}", self.files - 1) } else { String::new() };
        let hunk = if spoils && self.hunk.take().is_some() { format!(".{}", self.hunks - 1) } else { String::new() };
        self.push(format!("malformed {code}{file}{hunk} {from}..{to}"));
        if let Some((is_spoiled, _)) = self.file.as_mut().filter(|_| spoils) {
            *is_spoiled = true;
        }
    }
}

/// The lines of all events.
pub fn lines(options: &Options, text: &str, has_finished: bool) -> Vec<String> {
    let mut rest = std::collections::VecDeque::new();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let to = from + line.encode_utf16().count();
        rest.push_back(Line { text: line.to_owned(), from, to });
        from = to;
    }
    let last = options.path.clone();
    let mut naive = Naive { options, has_finished, rest, end: from, out: Out::default(), last, before: Vec::new() };
    while let Some(line) = naive.rest.pop_front() {
        naive.prose(&line);
    }
    naive.out.close_file();
    naive.out.lines
}

/// A marker of a block: what it is, and its length.
fn block_marker(line: &Line) -> Option<(char, usize)> {
    let body = line.body();
    let trimmed = body.trim_end_matches(is_space);
    if body.len() - trimmed.len() > 64 {
        return None;
    }
    let first = trimmed.chars().next()?;
    let run = trimmed.chars().take_while(|c| *c == first).count();
    let kind = match (first, &trimmed[run * first.len_utf8()..]) {
        ('<' | '-', " SEARCH") => 'S',
        ('>' | '+', " REPLACE") => 'R',
        ('=', "") => '=',
        _ => return None,
    };
    (5..=9).contains(&run).then_some((kind, run))
}

impl Naive<'_> {
    pub fn has(&self, format: Format) -> bool {
        self.options.formats.contains(&format)
    }

    pub fn forget_names(&mut self) {
        self.before.clear();
    }

    fn prose(&mut self, line: &Line) {
        if self.has(Format::V4a)
            && matches!(naive_patch::star(line, self.options.whole), Some(naive_patch::Star::Begin))
        {
            self.out.close_file();
            naive_patch::patch(self);
            return self.forget_names();
        }
        if self.has(Format::SearchReplace) {
            match block_marker(line) {
                Some(('S', run)) => return self.block(line, run),
                Some(('R', _)) => {
                    self.out.malformed("stray-marker", line.from, line.to);
                    return self.forget_names();
                }
                _ => {}
            }
        }
        if self.has(Format::Unified) && naive_diff::begins(self, line) {
            return naive_diff::diff(self, line);
        }
        self.text_line(line);
    }

    fn text_line(&mut self, line: &Line) {
        let has_names = self.has(Format::SearchReplace);
        let (kind, at) = kind(line.body());
        let is_header = self.has(Format::Unified) && naive_diff::path(line.body(), "--- ").is_some();
        let may_be = match &kind {
            None | Some(Before::Fence) => true,
            Some(Before::Name(_)) => has_names,
            Some(Before::Other) => false,
        };
        let is_wrong = self.options.whole && !may_be;
        // Where it can't be a name any more; a header of a diff is known at its end alone, and said at its start.
        let at = if is_header { 0 } else { at };
        let byte = line.text.char_indices().map(|(byte, _)| byte).nth(at).unwrap_or(line.text.len());
        self.out.text(&line.text[..byte]);
        if is_wrong {
            let place = line.from + line.text[..byte].encode_utf16().count();
            self.out.malformed("unexpected-text", place, place);
        }
        self.out.text(&line.text[byte..]);
        self.before.extend(kind);
    }

    fn name_before(&self) -> Option<String> {
        let lines: Vec<_> = self.before.iter().rev().take(3).skip_while(|line| **line == Before::Fence).collect();
        if let Some(Before::Name(name)) = lines.first() { Some(name.clone()) } else { None }
    }

    fn block(&mut self, line: &Line, run: usize) {
        let path = self.name_before().or(self.last.clone());
        self.forget_names();
        let Some(path) = path else {
            self.out.malformed("missing-path", line.from, line.to);
            return self.skip_block(run);
        };
        self.last = Some(path.clone());
        if !matches!(&self.out.file, Some((_, Some(open))) if *open == path) {
            self.out.file("update", &path, None, "search-replace");
        }
        self.out.hunk(&[], "");
        let mut side = "old";
        while let Some(line) = self.rest.pop_front() {
            let marker = block_marker(&line);
            let code = match marker {
                Some(('S', _)) => "marker-in-content",
                Some(('=', found)) if found == run && side == "new" => "ambiguous-separator",
                Some(('R', found)) if found == run && side == "old" => "missing-separator",
                Some(('=', found)) if found == run => {
                    side = "new";
                    continue;
                }
                Some(('R', found)) if found == run => return self.out.close_hunk(false),
                _ => {
                    self.out.delta(side, &line.text);
                    continue;
                }
            };
            self.out.malformed(code, line.from, line.to);
            if code != "missing-separator" {
                self.skip_block(run);
            }
            return;
        }
        self.out.malformed("unterminated", self.end, self.end);
    }

    fn skip_block(&mut self, run: usize) {
        while let Some(line) = self.rest.pop_front() {
            if block_marker(&line) == Some(('R', run)) {
                return;
            }
        }
    }
}

/// What a line of text is, and the character by which it can't be a name: nothing if it is white space.
fn kind(body: &str) -> (Option<Before>, usize) {
    let chars: Vec<char> = body.chars().collect();
    let end = chars.len();
    let space = |c: char| matches!(c, ' ' | '\t' | '\r' | '\u{b}' | '\u{c}');
    let trimmed = body.trim_matches(space);
    if trimmed.is_empty() {
        return (None, end);
    }
    if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
        return (Some(Before::Fence), end);
    }
    let front = chars.iter().position(|&c| !space(c) && c != '#' && c != '*').unwrap_or(end);
    let around =
        |from: usize| chars[from..].iter().position(|&c| !space(c) && !"#*:".contains(c)).map_or(end, |at| from + at);
    let (name, stop) = if chars.get(front) == Some(&'`') {
        let close = chars[front + 1..].iter().position(|&c| c == '`').map(|at| front + 1 + at);
        match close {
            None => return (Some(Before::Other), end),
            Some(close) if close == front + 1 => return (Some(Before::Other), (front + 2).min(end)),
            Some(close) => (chars[front + 1..close].iter().collect::<String>(), around(close + 1)),
        }
    } else {
        let word_end = chars[front..].iter().position(|&c| space(c) || c == '`').map_or(end, |at| front + at);
        let word: String = chars[front..word_end].iter().collect();
        let word = word.trim_end_matches(['#', '*', ':']).to_owned();
        if chars.get(word_end) == Some(&'`') {
            return (Some(Before::Other), word_end);
        }
        let name = if word.contains(['.', '/', '\\']) { word } else { String::new() };
        (name, around(word_end))
    };
    if stop < end || name.is_empty() || name.ends_with('.') {
        return (Some(Before::Other), stop);
    }
    (Some(Before::Name(name)), end)
}
