//! Rows as the bytes that the machine reads (src/format/row.rs), and as the catalogue of Rust programs.
//!
//! `pkg-template/src/formats/encode.ts` writes the same at run time, for the rows of a program. That both
//! agree is seen where the cases of `tests/formats` are read in both languages.

use super::Format;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use tokenweir::format::{Body, Closer, Flag, HeadPiece, Kind, Part, RouteItem, Slot, Trait, Trim};
use tokenweir::json::Rule;

/// The rules by which literals of Python are read.
const PYTHON: [Rule; 4] = [Rule::SingleQuotes, Rule::PythonWord, Rule::TrailingComma, Rule::RawControl];

/// The catalogue as a Rust source.
pub fn catalogue(formats: &BTreeMap<String, Format>) -> String {
    let mut text = format!(
        "//! Written by `cargo xtask formats` from formats/*.json5.\n\
         \n\
         use super::catalogue::{{Format, Trait}};\n\
         \n\
         #[rustfmt::skip]\n\
         pub(super) static ROWS: [Format; {}] = [\n",
        formats.len()
    );
    for (id, format) in formats {
        let row = Encoding { fields: Value::Object(format.clone()) };
        let traits: Vec<String> = row.traits().iter().map(|each| format!("Trait::{each:?}")).collect();
        let _ = write!(
            text,
            "    Format {{\n        id: {id:?},\n        title: {:?},\n        sample: {:?},\n        \
             traits: &[{}],\n        bytes: b\"{}\",\n    }},\n",
            row.text("/title").unwrap_or_default(),
            row.text("/sample").unwrap_or_default(),
            traits.join(", "),
            row.bytes().escape_ascii()
        );
    }
    text + "];\n"
}

/// Encodes one row.
struct Encoding {
    fields: Value,
}

impl Encoding {
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

    fn is_word(&self, path: &str, word: &str) -> bool {
        self.at(path).and_then(Value::as_str) == Some(word)
    }

    fn items(&self, path: &str) -> Vec<Value> {
        self.at(path).and_then(Value::as_array).cloned().unwrap_or_default()
    }

    fn repairs(&self, names: &[&str]) -> bool {
        self.texts("/repairs").iter().any(|repair| names.contains(&repair.as_str()))
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (number, markers) in self.lists() {
            for marker in markers.iter().filter(|marker| !marker.is_empty()) {
                part(&mut bytes, number, with_words(marker).as_bytes());
            }
        }
        for (number, path) in [(Part::CallHead, "/call/head"), (Part::ParamHead, "/params/head")] {
            if self.at(path).is_some() {
                part(&mut bytes, number, &head(&self.items(path)));
            }
        }
        for each in self.items("/messages/routes") {
            part(&mut bytes, Part::Route, &route(&each));
        }
        part(&mut bytes, Part::Body, &[self.body() as u8]);
        part(&mut bytes, Part::Flags, &self.flags().to_le_bytes());
        let trims = [("line", Trim::Line), ("all", Trim::All), ("block", Trim::Block)];
        let closers = [("first", Closer::First), ("last", Closer::Last)];
        let trim = trims.iter().find(|(word, _)| self.is_word("/params/trim", word));
        let closer = closers.iter().find(|(word, _)| self.is_word("/params/closer", word));
        let trim = trim.map_or(Trim::Nothing, |&(_, trim)| trim);
        part(&mut bytes, Part::Value, &[trim as u8, closer.map_or(Closer::Structure, |&(_, closer)| closer) as u8]);
        part(&mut bytes, Part::Rules, &self.rules().to_le_bytes());
        bytes
    }

    /// The markers, in the order of their parts.
    fn lists(&self) -> Vec<(Part, Vec<String>)> {
        let label = self.text("/reasoning/label");
        let opens = self.texts("/reasoning/open").into_iter();
        let opens = opens.flat_map(|open| [Some(open.clone()), label.as_ref().map(|label| open + label)]);
        let frames = self.items("/answer");
        let frames = frames.iter().flat_map(|frame| [texts(frame.get("open")), texts(frame.get("close"))]);
        let skips = self.items("/skip");
        let closer = |skip: &Value| texts(skip.get("close")).into_iter().next().unwrap_or_default();
        let one = |path: &str| self.text(path).into_iter().collect();
        vec![
            (Part::SectionOpen, self.texts("/section/open")),
            (Part::SectionClose, self.texts("/section/close")),
            (Part::CallOpen, self.texts("/call/open")),
            (Part::CallClose, self.texts("/call/close")),
            (Part::Separator, self.texts("/call/separator")),
            (Part::NameKey, self.texts("/keys/name")),
            (Part::ArgsKey, self.texts("/keys/args")),
            (Part::IdKey, self.texts("/keys/id")),
            (Part::ParamOpen, self.texts("/params/open")),
            (Part::ParamClose, self.texts("/params/close")),
            (Part::ReasoningOpen, opens.flatten().collect()),
            (Part::ReasoningClose, self.texts("/reasoning/close")),
            (Part::Drop, frames.flatten().chain(self.texts("/drop")).collect()),
            (Part::MessageOpen, self.texts("/messages/open")),
            (Part::MessageBegin, self.texts("/messages/begins")),
            (Part::HeadEnd, self.texts("/messages/headEnd")),
            (Part::MessageClose, self.texts("/messages/close")),
            (Part::Quote, one("/call/quote")),
            (Part::Prefix, one("/elements/prefix")),
            (Part::SkipOpen, skips.iter().flat_map(|skip| texts(skip.get("open"))).collect()),
            (
                Part::SkipClose,
                skips.iter().flat_map(|skip| vec![closer(skip); texts(skip.get("open")).len()]).collect(),
            ),
            (Part::CiteOpen, one("/citations/open")),
            (Part::CiteClose, one("/citations/close")),
            (Part::CiteEnd, one("/citations/end")),
            (Part::NameOpen, self.texts("/call/names/open")),
            (Part::NameClose, self.texts("/call/names/close")),
            (Part::TurnEnd, self.texts("/turn/end")),
            (Part::OtherTurn, self.texts("/turn/other")),
        ]
    }

    fn body(&self) -> Body {
        match self.text("/call/body").as_deref() {
            Some("elements") if self.is("/call/tolerant") => Body::Tree,
            Some("json") => Body::Json,
            Some("keyed") => Body::Keyed,
            Some("args") => Body::Args,
            Some("params") => Body::Params,
            Some("elements") => Body::Elements,
            Some("brace") => Body::Brace,
            Some("python") => Body::Python,
            Some("yaml") => Body::Yaml,
            Some("text") => Body::Text,
            _ => Body::Nothing,
        }
    }

    fn flags(&self) -> u32 {
        let has = |name| self.repairs(&[name]);
        let lacks_label = self.at("/reasoning/label").is_none();
        let (opens, closes) = (self.texts("/reasoning/open").len(), self.texts("/reasoning/close").len());
        let asks = self.repairs(&["drop-unknown", "drop-unsafe", "require-arguments", "unwrap-arguments"]);
        [
            (Flag::SectionOptional, self.is("/section/optional")),
            (Flag::BareAtStart, self.is_word("/call/bare", "start")),
            (Flag::BareAnywhere, self.is_word("/call/bare", "anywhere")),
            (Flag::BareOnLine, self.is_word("/call/bare", "line")),
            (Flag::RequireClose, self.is("/call/requireClose")),
            (Flag::EndsAtCall, self.is("/reasoning/endsAtCall")),
            (Flag::Anywhere, self.is_word("/reasoning/where", "anywhere")),
            (Flag::CData, self.is("/params/cdata")),
            (Flag::Entities, self.is("/params/entities")),
            (Flag::Pairs, lacks_label && opens > 1 && opens == closes),
            (Flag::Texts, self.is("/call/texts")),
            (Flag::HeaderAtStart, self.texts("/messages/begins").iter().any(String::is_empty)),
            (Flag::CloseOptional, self.texts("/call/close").iter().any(String::is_empty)),
            (Flag::OrJson, self.is("/call/orJson")),
            (Flag::NamelessParams, has("nameless-params")),
            (Flag::OpenParams, has("open-params")),
            (Flag::LooseTags, has("loose-tags")),
            (Flag::ElementParams, has("element-params")),
            (Flag::MissingAngle, has("missing-angle")),
            (Flag::AsksWhole, asks || self.is_word("/params/duplicate", "reject")),
            (Flag::ExtraCloser, has("extra-closer")),
            (Flag::JsonBody, has("json-body")),
            (Flag::BareName, has("bare-name")),
            (Flag::PlainQuotes, has("plain-quotes")),
            (Flag::MessageText, has("message-text")),
            (Flag::YamlElements, has("yaml-elements")),
            (Flag::Fences, self.is("/call/fences")),
            (Flag::LineNames, has("line-name")),
            (Flag::LineParams, self.has_line_params()),
            (Flag::Tolerant, self.is("/call/tolerant")),
        ]
        .iter()
        .filter(|(_, is)| *is)
        .fold(0, |all, &(flag, _)| all | 1 << flag as u32)
    }

    fn has_line_params(&self) -> bool {
        let text = |path| self.text(path).unwrap_or_default();
        let written = text("/write/param") + &text("/write/paramJoin");
        written.starts_with('\n') || written.ends_with('\n') || self.is_word("/params/trim", "line")
    }

    fn rules(&self) -> u32 {
        let is_json = self.is_word("/call/body", "json") || self.is("/call/orJson");
        let is_python = is_json && self.texts("/literals").iter().any(|literals| literals == "python");
        let named = Rule::ALL.iter().copied().filter(|rule| self.repairs(&[rule.name()]));
        named.chain(PYTHON.into_iter().filter(|_| is_python)).fold(0, |all, rule| all | 1 << rule as u32)
    }

    /// What the machine needs not know, and the program does.
    fn traits(&self) -> Vec<Trait> {
        let names = self
            .items("/call/head")
            .into_iter()
            .chain(self.items("/messages/routes").into_iter().filter_map(|route| route.get("name").cloned()));
        let has_namespace =
            names.into_iter().any(|piece| texts(Some(&piece)).iter().any(|text| text.ends_with("functions.")));
        [
            (Trait::Known, self.is("/call/known")),
            (Trait::UntypedJson, self.is_word("/untyped", "json")),
            (Trait::Attributes, self.is_word("/typing", "attribute")),
            (Trait::Python, self.texts("/literals").iter().any(|literals| literals == "python")),
            (Trait::RejectsRepeats, self.is_word("/params/duplicate", "reject")),
            (Trait::ListsRepeats, self.is_word("/params/duplicate", "list")),
            (Trait::Namespace, has_namespace),
            (Trait::Prefixed, self.is_word("/call/body", "brace") || self.is_word("/call/body", "python")),
            (Trait::TextIds, self.is_word("/ids", "text")),
            (Trait::DoubledName, self.repairs(&["doubled-name"])),
            (Trait::ValueTag, self.repairs(&["value-tag"])),
            (Trait::DropsUnsafe, self.repairs(&["drop-unsafe"])),
            (Trait::Prefilled, self.is_word("/reasoning/prefilled", "always")),
            (Trait::Messages, self.at("/messages").is_some()),
        ]
        .into_iter()
        .filter(|(_, is)| *is)
        .map(|(each, _)| each)
        .collect()
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn part(bytes: &mut Vec<u8>, number: Part, content: &[u8]) {
    let [low, high, ..] = content.len().to_le_bytes();
    bytes.extend([number as u8, low, high]);
    bytes.extend(content);
}

fn head(pieces: &[Value]) -> Vec<u8> {
    let mut head = Vec::new();
    for piece in pieces {
        if let Some(text) = piece.as_str() {
            match slot(text) {
                Some(slot) => head.extend([HeadPiece::Text as u8, 1, slot as u8]),
                None => head.extend(item(HeadPiece::Literal as u8, text)),
            }
        } else if piece.is_array() {
            for (nth, text) in texts(Some(piece)).iter().enumerate() {
                head.extend(item(if nth == 0 { HeadPiece::Literal } else { HeadPiece::Or } as u8, text));
            }
        } else if let Some(inner) = piece.get("optional").and_then(Value::as_array) {
            head.extend(item(HeadPiece::Optional as u8, ""));
            head.extend(self::head(inner));
            head.extend(item(HeadPiece::OptionalEnd as u8, ""));
        } else {
            head.extend(item(
                HeadPiece::Attributes as u8,
                piece.get("end").and_then(Value::as_str).unwrap_or_default(),
            ));
            for (name, to) in piece.get("attributes").and_then(Value::as_object).into_iter().flatten() {
                let Some(slot) = to.as_str().and_then(slot) else { continue };
                head.extend([HeadPiece::Attribute as u8, name.len() as u8 + 1, slot as u8]);
                head.extend(name.as_bytes());
            }
        }
    }
    head
}

fn route(route: &Value) -> Vec<u8> {
    let kind = match route.get("kind").and_then(Value::as_str) {
        Some("reasoning") => Kind::Reasoning,
        Some("call") => Kind::Call,
        Some("calls") => Kind::Calls,
        Some("drop") => Kind::Drop,
        _ => Kind::Text,
    };
    let lists =
        [("is", RouteItem::Is), ("has", RouteItem::Has), ("lacks", RouteItem::Lacks), ("name", RouteItem::Name)];
    let items = lists
        .iter()
        .flat_map(|&(name, number)| texts(route.get(name)).into_iter().map(move |text| item(number as u8, &text)));
    let items: Vec<_> = items.collect();
    [vec![kind as u8, items.len() as u8], items.concat()].concat()
}

fn item(number: u8, text: &str) -> Vec<u8> {
    let text = with_words(text);
    [&[number, text.len() as u8], text.as_bytes()].concat()
}

fn with_words(marker: &str) -> String {
    marker.replace("{suffix}", "\u{1}").replace("{bars}", "\u{2}")
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
