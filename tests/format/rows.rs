//! The catalogue's rows: as the bytes that the machine reads, and as they are written (formats/*.json5).

use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tokenweir::format::{Body, Format, HeadPiece, Part, Slot, Table};

/// What `like` doesn't copy.
const OWN: [&str; 7] = ["id", "like", "title", "models", "template", "sample", "source"];

/// Tools that samples and cases call, in byte order.
pub const TOOLS: [&str; 7] = ["f", "g", "get_time", "get_weather", "read_file", "search", "write_to_file"];

/// One format.
#[derive(Clone, Debug)]
pub struct Row {
    pub id: String,
    pub bytes: &'static [u8],
    pub sample: String,
    /// All its markers, without `{suffix}`, and with a bar for `{bars}`.
    pub markers: Vec<String>,
    pub body: Body,
    /// Whether it calls declared tools only.
    pub is_known: bool,
    /// Whether the end of the stream ends a call of parameters.
    pub requires_close: bool,
    /// Whether a call may be JSON too.
    pub or_json: bool,
    /// Whether all of a span or of a message may be removed from text.
    pub removes_spans: bool,
    fields: Value,
}

impl Row {
    /// The texts of a list, such as `call.open`.
    pub fn texts(&self, path: &str) -> Vec<String> {
        texts(self.fields.pointer(&format!("/{}", path.replace('.', "/"))))
    }
}

/// Rows that a stream is read by together.
pub struct Rows {
    pub table: Box<Table>,
    pub rows: Vec<&'static Row>,
}

impl Rows {
    pub fn of(rows: Vec<&'static Row>, has_tools: bool) -> Rows {
        let mut table = Box::new(Table::NOTHING);
        for row in &rows {
            assert!(table.add(row.bytes), "{} has no room", row.id);
        }
        for name in TOOLS.iter().filter(|_| has_tools) {
            assert!(table.names.add(name.as_bytes()), "{name}");
        }
        Rows { table, rows }
    }
}

/// All rows of the catalogue, in the order of their ids.
pub static ALL: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let written = written();
    let mut rows: Vec<_> = written.iter().map(|row| read(resolved(row, &written))).collect();
    rows.sort_by(|one, other| one.id.cmp(&other.id));
    assert!(rows.len() > 90, "the rows are not where they should be");
    rows
});

/// The fuzzer's crate lies below the root.
fn folder() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above.map(|folder| folder.join("formats")).find(|formats| formats.join("hermes.json5").is_file()).unwrap()
}

fn written() -> Vec<Map<String, Value>> {
    let paths = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json5"));
    let read = |path: PathBuf| -> Vec<Map<String, Value>> {
        json5::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap_or_else(|error| panic!("{path:?}: {error}"))
    };
    paths.flat_map(read).collect()
}

/// A row with what it takes over from the row that it is like.
fn resolved(row: &Map<String, Value>, all: &[Map<String, Value>]) -> Map<String, Value> {
    let Some(like) = row.get("like") else { return row.clone() };
    let other = all.iter().find(|other| other.get("id") == Some(like)).unwrap();
    let mut fields = resolved(other, all);
    fields.retain(|name, _| !OWN.contains(&name.as_str()));
    fields.extend(row.clone());
    fields
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).map(|text| text.replace("{bars}", "｜")).collect()
}

fn read(fields: Map<String, Value>) -> Row {
    let fields = Value::Object(fields);
    let text = |path: &str| fields.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
    let format = Format::find(&text("/id")).expect("`cargo xtask formats` writes the catalogue");
    let is = |path: &str| fields.pointer(path) == Some(&Value::Bool(true));
    Row {
        id: text("/id"),
        sample: text("/sample"),
        body: body(format.bytes()),
        is_known: is("/call/known"),
        requires_close: is("/call/requireClose"),
        or_json: is("/call/orJson"),
        removes_spans: ["/messages", "/skip", "/citations"].iter().any(|path| fields.pointer(path).is_some()),
        bytes: format.bytes(),
        markers: markers(format.bytes()),
        fields,
    }
}

fn body(mut bytes: &[u8]) -> Body {
    while let [number, low, high, rest @ ..] = bytes {
        let (content, after) = rest.split_at(usize::from(*low) | usize::from(*high) << 8);
        if *number == Part::Body as u8 {
            return Body::from_number(u32::from(content[0])).unwrap();
        }
        bytes = after;
    }
    Body::Nothing
}

/// The markers of a row, and the texts around the pieces of its heads and routes.
fn markers(mut bytes: &[u8]) -> Vec<String> {
    let mut markers = Vec::new();
    while let [number, low, high, rest @ ..] = bytes {
        let (content, after) = rest.split_at(usize::from(*low) | usize::from(*high) << 8);
        bytes = after;
        match Part::from_number(u32::from(*number)).unwrap() {
            Part::CallHead | Part::ParamHead => markers.extend(pieces(content)),
            // Before its items a route has its kind and their count.
            Part::Route => markers.extend(pieces(&content[2..])),
            Part::Body | Part::Flags | Part::Value | Part::Rules => {}
            _ => markers.push(text(content)),
        }
    }
    markers.retain(|marker| !marker.is_empty());
    markers.sort();
    markers.dedup();
    markers
}

fn pieces(mut bytes: &[u8]) -> Vec<String> {
    let mut texts = Vec::new();
    while let [number, len, rest @ ..] = bytes {
        let (content, after) = rest.split_at(usize::from(*len));
        bytes = after;
        match HeadPiece::from_number(u32::from(*number)) {
            Some(HeadPiece::Attribute) => texts.push(format!(" {}=\"", text(&content[1..]))),
            // A slot, by its number.
            Some(HeadPiece::Text) if content.len() == 1 && content[0] <= Slot::Index as u8 => {}
            _ => texts.push(text(content)),
        }
    }
    texts
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap().replace('\u{1}', "").replace('\u{2}', "｜")
}
