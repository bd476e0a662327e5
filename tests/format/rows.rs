//! The catalogue's rows (formats/*.json5), as the bytes that the machine reads.
//!
//! What writes them for programs is `formats/encode.ts`. That this writes the same is seen where
//! the calls of samples and cases are read.

use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tokenweir::format::{Body, Closer, Flag, HeadPiece, Kind, Part, RouteItem, Slot, Table, Trim};
use tokenweir::json::Rule;

/// What `like` doesn't copy.
const OWN: [&str; 7] = ["id", "like", "title", "models", "template", "sample", "source"];

/// Tools that samples and cases call, in byte order.
pub const TOOLS: [&str; 7] = ["f", "g", "get_time", "get_weather", "read_file", "search", "write_to_file"];

/// The rules by which literals of Python are read.
const PYTHON: [Rule; 5] =
    [Rule::SingleQuotes, Rule::PythonWord, Rule::TrailingComma, Rule::RawControl, Rule::Json5Escape];

/// One format.
#[derive(Clone, Debug)]
pub struct Row {
    pub id: String,
    pub bytes: Vec<u8>,
    pub sample: String,
    /// All its markers, without `{suffix}`.
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
            assert!(table.add(&row.bytes), "{} has no room", row.id);
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
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn read(fields: Map<String, Value>) -> Row {
    let fields = Value::Object(fields);
    let text = |path: &str| fields.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut writer = Writer { fields: &fields, bytes: Vec::new(), markers: Vec::new() };
    writer.write();
    let Writer { bytes, mut markers, .. } = writer;
    markers.sort();
    markers.dedup();
    let is = |path: &str| fields.pointer(path) == Some(&Value::Bool(true));
    Row {
        id: text("/id"),
        sample: text("/sample"),
        body: body(&text("/call/body")),
        is_known: is("/call/known"),
        requires_close: fields.pointer("/call/requireClose").and_then(Value::as_bool).unwrap_or_default(),
        or_json: is("/call/orJson"),
        removes_spans: ["/messages", "/skip", "/citations"].iter().any(|path| fields.pointer(path).is_some()),
        bytes,
        markers,
        fields,
    }
}

fn body(name: &str) -> Body {
    match name {
        "json" => Body::Json,
        "keyed" => Body::Keyed,
        "text" => Body::Text,
        "args" => Body::Args,
        "params" => Body::Params,
        "elements" => Body::Elements,
        "brace" => Body::Brace,
        "python" => Body::Python,
        "yaml" => Body::Yaml,
        "" => Body::Nothing,
        other => panic!("there is no body {other}"),
    }
}

/// Writes the parts of a row.
struct Writer<'a> {
    fields: &'a Value,
    bytes: Vec<u8>,
    markers: Vec<String>,
}

impl Writer<'_> {
    fn at(&self, path: &str) -> Option<&Value> {
        self.fields.pointer(path)
    }

    fn texts(&self, path: &str) -> Vec<String> {
        texts(self.at(path))
    }

    fn text(&self, path: &str) -> Option<String> {
        self.at(path).and_then(Value::as_str).map(str::to_owned)
    }

    fn is(&self, path: &str) -> bool {
        self.at(path) == Some(&Value::Bool(true))
    }

    fn part(&mut self, part: Part, content: &[u8]) {
        self.bytes.push(part as u8);
        self.bytes.extend(u16::try_from(content.len()).unwrap().to_le_bytes());
        self.bytes.extend(content);
    }

    fn list(&mut self, part: Part, markers: Vec<String>) {
        for marker in markers.into_iter().filter(|marker| !marker.is_empty()) {
            self.part(part, with_suffix(&marker).as_bytes());
            self.markers.push(marker.replace("{suffix}", ""));
        }
    }

    fn write(&mut self) {
        for (part, path) in [
            (Part::SectionOpen, "/section/open"),
            (Part::SectionClose, "/section/close"),
            (Part::CallOpen, "/call/open"),
            (Part::CallClose, "/call/close"),
            (Part::Separator, "/call/separator"),
            (Part::NameKey, "/keys/name"),
            (Part::ArgsKey, "/keys/args"),
            (Part::IdKey, "/keys/id"),
            (Part::ParamOpen, "/params/open"),
            (Part::ParamClose, "/params/close"),
        ] {
            self.list(part, self.texts(path));
        }
        let label = self.text("/reasoning/label");
        let opens = self.texts("/reasoning/open").into_iter();
        let opens = opens.flat_map(|open| [Some(open.clone()), label.as_ref().map(|label| open + label)]);
        self.list(Part::ReasoningOpen, opens.flatten().collect());
        self.list(Part::ReasoningClose, self.texts("/reasoning/close"));
        let frames = self.at("/answer").and_then(Value::as_array).cloned().unwrap_or_default();
        let frames = frames.iter().flat_map(|frame| [texts(frame.get("open")), texts(frame.get("close"))]);
        let drops = frames.flatten().chain(self.texts("/drop")).collect();
        self.list(Part::Drop, drops);
        self.list(Part::MessageOpen, self.texts("/messages/open"));
        self.list(Part::MessageBegin, self.texts("/messages/begins"));
        self.list(Part::HeadEnd, self.texts("/messages/headEnd"));
        self.list(Part::MessageClose, self.texts("/messages/close"));
        self.list(Part::Quote, self.text("/call/quote").into_iter().collect());
        self.list(Part::Prefix, self.text("/elements/prefix").into_iter().collect());
        let skips = self.at("/skip").and_then(Value::as_array).cloned().unwrap_or_default();
        let closers = |skip: &Value| vec![texts(skip.get("close"))[0].clone(); texts(skip.get("open")).len()];
        self.list(Part::SkipOpen, skips.iter().flat_map(|skip| texts(skip.get("open"))).collect());
        self.list(Part::SkipClose, skips.iter().flat_map(closers).collect());
        self.list(Part::CiteOpen, self.text("/citations/open").into_iter().collect());
        self.list(Part::CiteClose, self.text("/citations/close").into_iter().collect());
        self.list(Part::CiteEnd, self.text("/citations/end").into_iter().collect());
        self.list(Part::NameOpen, self.texts("/call/names/open"));
        self.list(Part::NameClose, self.texts("/call/names/close"));
        for (part, path) in [(Part::CallHead, "/call/head"), (Part::ParamHead, "/params/head")] {
            if let Some(Value::Array(pieces)) = self.at(path).cloned() {
                let head = self.head(&pieces);
                self.part(part, &head);
            }
        }
        for route in self.at("/messages/routes").and_then(Value::as_array).cloned().unwrap_or_default() {
            let route = self.route(&route);
            self.part(Part::Route, &route);
        }
        self.part(Part::Body, &[body(&self.text("/call/body").unwrap_or_default()) as u8]);
        self.part(Part::Flags, &self.flags().to_le_bytes());
        let trim = match self.text("/params/trim").as_deref() {
            Some("line") => Trim::Line,
            Some("all") => Trim::All,
            Some("block") => Trim::Block,
            _ => Trim::Nothing,
        };
        let closer = match self.text("/params/closer").as_deref() {
            Some("first") => Closer::First,
            Some("last") => Closer::Last,
            _ => Closer::Structure,
        };
        self.part(Part::Value, &[trim as u8, closer as u8]);
        self.part(Part::Rules, &self.rules().to_le_bytes());
    }

    fn flags(&self) -> u32 {
        let repairs = self.texts("/repairs");
        let has = |names: &[&str]| repairs.iter().any(|repair| names.contains(&repair.as_str()));
        let lacks_label = self.at("/reasoning/label").is_none();
        let (opens, closes) = (self.texts("/reasoning/open").len(), self.texts("/reasoning/close").len());
        [
            (Flag::SectionOptional, self.is("/section/optional")),
            (Flag::BareAtStart, self.text("/call/bare").as_deref() == Some("start")),
            (Flag::BareOnLine, self.text("/call/bare").as_deref() == Some("line")),
            (Flag::BareAnywhere, self.text("/call/bare").as_deref() == Some("anywhere")),
            (Flag::RequireClose, self.is("/call/requireClose")),
            (Flag::EndsAtCall, self.is("/reasoning/endsAtCall")),
            (Flag::Anywhere, self.text("/reasoning/where").as_deref() == Some("anywhere")),
            (Flag::CData, self.is("/params/cdata")),
            (Flag::Entities, self.is("/params/entities")),
            (Flag::Pairs, lacks_label && opens > 1 && opens == closes),
            (Flag::Texts, self.is("/call/texts")),
            (Flag::HeaderAtStart, self.texts("/messages/begins").iter().any(String::is_empty)),
            (Flag::CloseOptional, self.texts("/call/close").iter().any(String::is_empty)),
            (Flag::OrJson, self.is("/call/orJson")),
            (Flag::NamelessParams, has(&["nameless-params"])),
            (Flag::OpenParams, has(&["open-params"])),
            (Flag::LooseTags, has(&["loose-tags"])),
            (Flag::ElementParams, has(&["element-params"])),
            (Flag::MissingAngle, has(&["missing-angle"])),
            (
                Flag::AsksWhole,
                has(&["drop-unsafe", "require-arguments", "unwrap-arguments"])
                    || self.text("/params/duplicate").as_deref() == Some("reject"),
            ),
            (Flag::ExtraCloser, has(&["extra-closer"])),
            (Flag::JsonBody, has(&["json-body"])),
            (Flag::BareName, has(&["bare-name"])),
            (Flag::PlainQuotes, has(&["plain-quotes"])),
            (Flag::MessageText, has(&["message-text"])),
            (Flag::YamlElements, has(&["yaml-elements"])),
            (Flag::Fences, self.is("/call/fences")),
            (Flag::LineNames, has(&["line-name"])),
        ]
        .iter()
        .filter(|(_, is)| *is)
        .fold(0, |all, &(flag, _)| all | 1 << flag as u32)
    }

    fn rules(&self) -> u32 {
        let is_json = self.text("/call/body").as_deref() == Some("json") || self.is("/call/orJson");
        let is_python = is_json && self.texts("/literals").iter().any(|literals| literals == "python");
        let repairs = self.texts("/repairs");
        let named = Rule::ALL.iter().copied().filter(|rule| repairs.iter().any(|repair| repair == rule.name()));
        let python = PYTHON.into_iter().filter(|_| is_python);
        named.chain(python).fold(0, |all, rule| all | 1 << rule as u32)
    }

    fn head(&mut self, pieces: &[Value]) -> Vec<u8> {
        let mut head = Vec::new();
        for piece in pieces {
            match piece {
                Value::String(text) => match slot(text) {
                    Some(slot) => head.extend([HeadPiece::Text as u8, 1, slot as u8]),
                    None => head.extend(self.literal(HeadPiece::Literal as u8, text)),
                },
                Value::Array(_) => {
                    for (nth, text) in texts(Some(piece)).iter().enumerate() {
                        let kind = if nth == 0 { HeadPiece::Literal } else { HeadPiece::Or };
                        head.extend(self.literal(kind as u8, text));
                    }
                }
                _ if piece.get("optional").is_some() => {
                    head.extend([HeadPiece::Optional as u8, 0]);
                    head.extend(self.head(piece["optional"].as_array().unwrap()));
                    head.extend([HeadPiece::OptionalEnd as u8, 0]);
                }
                _ => {
                    head.extend(self.literal(HeadPiece::Attributes as u8, piece["end"].as_str().unwrap()));
                    for (name, to) in piece["attributes"].as_object().unwrap() {
                        head.extend([HeadPiece::Attribute as u8, name.len() as u8 + 1]);
                        head.push(slot(to.as_str().unwrap()).unwrap() as u8);
                        head.extend(name.as_bytes());
                        self.markers.push(format!(" {name}=\""));
                    }
                }
            }
        }
        head
    }

    fn route(&mut self, route: &Value) -> Vec<u8> {
        let kind = match route["kind"].as_str().unwrap() {
            "text" => Kind::Text,
            "reasoning" => Kind::Reasoning,
            "call" => Kind::Call,
            "calls" => Kind::Calls,
            "drop" => Kind::Drop,
            other => panic!("there is no kind {other}"),
        };
        let lists =
            [("is", RouteItem::Is), ("has", RouteItem::Has), ("lacks", RouteItem::Lacks), ("name", RouteItem::Name)];
        let items: Vec<_> = lists
            .iter()
            .flat_map(|&(name, item)| texts(route.get(name)).into_iter().map(move |text| (item as u8, text)))
            .collect();
        let mut bytes = vec![kind as u8, items.len() as u8];
        for (item, text) in items {
            bytes.extend(self.literal(item, &text));
        }
        bytes
    }

    fn literal(&mut self, number: u8, text: &str) -> Vec<u8> {
        if !text.is_empty() {
            self.markers.push(text.replace("{suffix}", ""));
        }
        let text = with_suffix(text);
        [&[number, text.len() as u8], text.as_bytes()].concat()
    }
}

fn with_suffix(marker: &str) -> String {
    marker.replace("{suffix}", "\u{1}")
}

fn slot(name: &str) -> Option<Slot> {
    Some(match name {
        "NAME" => Slot::Name,
        "ID" => Slot::Id,
        "KEY" => Slot::Key,
        "TYPE" => Slot::Type,
        "STRING" => Slot::IsString,
        "INDEX" => Slot::Index,
        _ => return None,
    })
}
