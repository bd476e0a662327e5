//! Documents out of random bytes: each choice takes a byte, and no bytes are
//! the simplest choice, so that a failure shrinks to a small document.

const WORDS: &[&str] = &["null", "true", "false"];

const JSON_SPACE: &[&str] = &["", " ", "\n", "\t", "\r\n", "  \r", "                    \n    "];

const JSON5_SPACE: &[&str] = &[
    "",
    " ",
    "\n",
    "\r\n",
    "\u{b}",
    "\u{c}",
    "\u{a0}",
    "\u{feff}",
    "\u{2028}",
    "\u{2029}",
    "\u{3000}",
    "\u{2003}",
    "// it's \"one\"\n",
    "//\r",
    "// [1]\u{2028}",
    "/**/",
    "/***/",
    "/* a * / {\n **/",
    "//*\n",
    "/*/*/",
];

/// Pieces of a string that any quotes may enclose.
const JSON_TEXT: &[&str] = &[
    "a",
    "é",
    "水",
    "🙂",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b",
    "\\f",
    "\\r",
    "\\t",
    "\\u0041",
    "\\u00e9",
    "\\uD83D\\uDE42",
    "\\ud83d\\ude42",
    "\\u0000",
    "\\u0022",
    "\\uFFFF",
    "\u{2028}",
    "\u{7f}",
    "\u{feff}",
    "plain words, [1] {2}: // no comment",
    "/*",
    " ",
    "null",
    "水水水水水水🙂🙂🙂🙂🙂🙂",
];

const JSON5_TEXT: &[&str] = &[
    "\\x41",
    "\\xE9",
    "\\v",
    "\\0",
    "\\'",
    "\\a",
    "\\é",
    "\\🙂",
    "\\ ",
    "\\\n",
    "\\\r\n",
    "\\\r",
    "\\\u{2028}",
    "\\\u{2029}",
    "\\]",
];

const NAMES: &[&str] = &["a", "b", "", "__proto__", "a.b", "constructor", "[0]"];

const JSON5_NAMES: &[&str] = &[
    "a",
    "b",
    "_",
    "$x",
    "__proto__",
    "é",
    "水",
    "a1",
    "\\u0061",
    "a\\u0031c",
    "a\u{200d}b",
    "null",
    "Infinity",
    "NaN",
    "true1",
];

/// Which documents are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Json,
    Json5,
}

/// The document that the bytes choose.
pub fn document(bytes: &[u8], dialect: Dialect) -> String {
    let mut writer = Writer { bytes: bytes.iter(), dialect, text: String::new() };
    writer.space();
    // Mostly containers: the rest of the choices is inside.
    match writer.below(8) {
        7 => writer.value(1),
        nth => writer.container(0, nth % 2 == 0),
    }
    writer.space();
    if dialect == Dialect::Json5 && writer.below(4) == 1 {
        writer.text.push_str("// the end");
    }
    writer.text
}

struct Writer<'a> {
    bytes: std::slice::Iter<'a, u8>,
    dialect: Dialect,
    text: String,
}

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.bytes.next().map_or(0, |&byte| usize::from(byte) % bound)
    }

    fn one_of(&mut self, choices: &[&str]) {
        let nth = self.below(choices.len());
        self.text.push_str(choices[nth]);
    }

    fn is_json5(&mut self) -> bool {
        self.dialect == Dialect::Json5 && self.below(2) == 1
    }

    fn space(&mut self) {
        for _ in 0..self.below(3) {
            self.one_of(if self.dialect == Dialect::Json5 { JSON5_SPACE } else { JSON_SPACE });
        }
    }

    fn value(&mut self, depth: usize) {
        match self.below(8) {
            0 => self.one_of(WORDS),
            1 | 2 => self.number(),
            3 | 4 => self.string(),
            nth if depth < 7 => self.container(depth, nth == 5),
            _ => self.string(),
        }
    }

    fn container(&mut self, depth: usize, is_object: bool) {
        self.text.push(if is_object { '{' } else { '[' });
        self.space();
        let count = self.below(5);
        for nth in 0..count {
            if nth > 0 {
                self.text.push(',');
                self.space();
            }
            if is_object {
                self.name();
                self.space();
                self.text.push(':');
                self.space();
            }
            self.value(depth + 1);
            self.space();
        }
        if count > 0 && self.is_json5() {
            self.text.push(',');
            self.space();
        }
        self.text.push(if is_object { '}' } else { ']' });
    }

    fn name(&mut self) {
        if self.is_json5() {
            return self.one_of(JSON5_NAMES);
        }
        if self.below(4) == 3 {
            return self.string();
        }
        self.text.push('"');
        self.one_of(NAMES);
        self.text.push('"');
    }

    fn string(&mut self) {
        let (quote, other) = if self.is_json5() { ('\'', '"') } else { ('"', '\'') };
        self.text.push(quote);
        for _ in 0..self.below(8) {
            if self.below(8) == 7 {
                self.text.push(other);
            } else if self.is_json5() {
                self.one_of(JSON5_TEXT);
            } else {
                self.one_of(JSON_TEXT);
            }
        }
        self.text.push(quote);
    }

    fn digits(&mut self, most: usize) {
        for _ in 0..=self.below(most) {
            let digit = self.below(10);
            self.text.push(char::from(b'0' + digit as u8));
        }
    }

    /// Never beyond a double's range, where serde_json refuses it.
    fn number(&mut self) {
        let is_json5 = self.is_json5();
        self.one_of(if is_json5 { &["", "-", "+"] } else { &["", "-"] });
        let kind = if is_json5 { self.below(8) } else { 0 };
        match kind {
            5 => return self.one_of(&["NaN", "Infinity"]),
            6 | 7 => {
                self.one_of(&["0x", "0X"]);
                for _ in 0..=self.below(14) {
                    self.one_of(&["0", "1", "9", "a", "F", "c", "E", "e"]);
                }
                return;
            }
            // `.5` has no digits here.
            3 | 4 => {}
            _ => {
                self.one_of(&["0", "1", "2", "9", "10", "12345678901234567890123"]);
                if !self.text.ends_with('0') || self.text.ends_with("10") {
                    for _ in 0..self.below(3) {
                        self.digits(6);
                    }
                }
            }
        }
        match kind {
            2 => self.text.push('.'),
            3 | 4 => {
                self.text.push('.');
                self.digits(6);
            }
            _ if self.below(2) == 1 => {
                self.text.push('.');
                self.digits(20);
            }
            _ => {}
        }
        if self.below(4) == 3 {
            self.one_of(&["e", "E", "e+", "E-", "e-0"]);
            self.digits(2);
        }
    }
}
