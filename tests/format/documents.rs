//! Random documents of a row: its sample, whole, cut and changed, its markers, and what may
//! stand between them.

use crate::rows::Row;

/// What payloads and texts are made of, in any format.
const COMMON: [&str; 46] = [
    "{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Paris\"}}",
    "{\"location\": \"</tool_call>\", \"n\": [1, -2.5e3, true, null, {}]}",
    "[{\"name\": \"f\", \"arguments\": \"{\\\"a\\\": 1}\"}, {\"name\": \"get_time\", \"parameters\": {}}]",
    "{\"arguments\": {\"a\": \"\\u00e9\\\"\"}, \"name\": \"f\"}",
    "{'name': 'f', 'arguments': {'a': None,}}",
    "{\"f\": {}}",
    "f(a=1, b='x]', c=[True, {'d': None}])",
    "{a:1}",
    "<f>",
    "</f>",
    "<get_weather>",
    "</get_weather>",
    "<location>Paris</location>",
    "<![CDATA[",
    "]]>",
    "&lt;",
    "<think>",
    "</think>",
    "```json\n",
    "```",
    "f",
    "get_weather",
    "location",
    "functions.f:0",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "\\",
    ":",
    ",",
    "=",
    "<",
    ">",
    "/>",
    " ",
    "\n",
    "\r\n  ",
    "é",
    "水🙂",
    "plain words",
    "1",
];

/// One step of a document: what is done, and two numbers that say with what.
pub type Step = (u8, u16, u16);

/// What documents of a row are made of.
pub struct Pieces {
    tokens: Vec<String>,
    all: Vec<String>,
    is_mixed: bool,
}

impl Pieces {
    pub fn of(rows: &[&Row]) -> Pieces {
        let tokens = tokens(&rows[0].sample, &rows[0].markers);
        let mut all: Vec<_> = rows.iter().flat_map(|row| row.markers.iter().chain([&row.sample])).cloned().collect();
        // As often as all the rest.
        let markers = all.clone();
        while all.len() < COMMON.len() {
            all.extend(markers.iter().cloned());
        }
        all.extend(COMMON.iter().map(|&piece| piece.to_owned()));
        all.extend(tokens.iter().cloned());
        all.retain(|piece| !piece.is_empty());
        Pieces { tokens, all, is_mixed: false }
    }

    /// Of these alone, most of them whole, and now and then a part of the sample.
    pub fn of_these(mut all: Vec<String>, row: &Row) -> Pieces {
        all.retain(|piece| !piece.is_empty());
        Pieces { tokens: tokens(&row.sample, &row.markers), all, is_mixed: true }
    }

    /// Most steps of a document, and one more.
    pub fn most(&self) -> usize {
        if self.is_mixed { 14 } else { 7 }
    }

    /// All of them.
    pub fn all(&self) -> &[String] {
        &self.all
    }

    /// All fronts of the sample that end with a token.
    pub fn fronts(&self) -> Vec<String> {
        (1..=self.tokens.len()).map(|end| self.tokens[..end].concat()).collect()
    }

    /// A document of some steps.
    pub fn document(&self, steps: &[Step]) -> String {
        steps.iter().map(|step| self.piece(*step)).collect()
    }

    fn piece(&self, (what, one, other): Step) -> String {
        let any = |number: u16| self.all[usize::from(number) % self.all.len()].clone();
        let place = |number: u16| usize::from(number) % (self.tokens.len() + 1);
        let (from, to) = (place(one).min(place(other)), place(one).max(place(other)));
        let changed = |instead: &str, skipped: usize| {
            let (front, back) = self.tokens.split_at(place(one));
            [&front.concat(), instead, &back.get(skipped..).unwrap_or_default().concat()].concat()
        };
        match if self.is_mixed { 3 + what % 64 } else { what % 16 } {
            0..=2 => self.tokens.concat(),
            3 => self.tokens[from..to].concat(),
            4 => self.tokens[..from].concat(),
            5 => changed("", 1),
            6 | 7 => changed(&any(other), 0),
            8 => changed(&any(other), 1),
            9 => {
                let piece = any(one);
                let end = usize::from(other) % (piece.chars().count() + 1);
                piece.chars().take(end).collect()
            }
            _ => any(one),
        }
    }
}

/// A sample's markers, words and other characters.
fn tokens(sample: &str, markers: &[String]) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = sample;
    while let Some(first) = rest.chars().next() {
        let marker = markers.iter().filter(|marker| rest.starts_with(marker.as_str())).map(String::len).max();
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (token, after) = rest.split_at(marker.unwrap_or(word.max(first.len_utf8())));
        tokens.push(token.to_owned());
        rest = after;
    }
    tokens
}
