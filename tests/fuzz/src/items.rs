//! Markup that is well-formed, of each format, as the bytes choose. What the
//! inside of something may be is anything, so it is nearly well-formed at times.

use arbitrary::{Result, Unstructured};

/// Deepest nesting of what is written here.
const DEEPEST: u8 = 6;

const WORDS: &str = "¦a¦x y¦words and more¦1¦-2.5e3¦true¦null¦ ¦\n¦é¦水🙂¦a < b > c¦&lt;¦&#x41;¦&¦\"¦'¦\\¦</¦<b>¦{¦]¦```\n¦<!-- -->¦]]>¦\
     0x1F¦12345678901234567890";

/// What is in strings of JSON, and what else is in those of models.
const IN_STRINGS: [&str; 2] = [
    "a¦¦words ¦\\n¦\\\"¦\\\\¦\\u0041¦\\ud83d\\ude42¦\\ud83d¦é¦水🙂¦[1, {¦</a>¦name",
    "'¦\n¦\"¦\\q¦\\x41¦\\\n¦\",¦</tool_call>",
];

/// One of the texts of a list, between which there is `¦`.
fn one_of<'a>(bytes: &mut Unstructured<'_>, list: &'a str) -> Result<&'a str> {
    Ok(*bytes.choose(&list.split('¦').collect::<Vec<_>>())?)
}

fn word(bytes: &mut Unstructured<'_>) -> Result<&'static str> {
    one_of(bytes, WORDS)
}

fn name(bytes: &mut Unstructured<'_>) -> Result<&'static str> {
    one_of(bytes, "a¦b¦name¦path¦p¦0¦é¦x-y¦arguments¦type¦")
}

/// How strings and names of a document are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    Json,
    /// With JSON5's liberties, and those of models.
    Loose,
}

/// A document, or a value.
pub fn document(bytes: &mut Unstructured<'_>, quoting: Quoting) -> Result<String> {
    let mut text = String::new();
    value(bytes, quoting, 0, &mut text)?;
    Ok(text)
}

fn value(bytes: &mut Unstructured<'_>, quoting: Quoting, depth: u8, text: &mut String) -> Result<()> {
    let is_loose = quoting == Quoting::Loose;
    match bytes.int_in_range(0..=9)? {
        0..=2 if depth < DEEPEST => container(bytes, quoting, depth, text, true)?,
        3 | 4 if depth < DEEPEST => container(bytes, quoting, depth, text, false)?,
        5 => *text += one_of(bytes, "0¦-1¦12.5¦1e400¦-0¦123456789012345678901234¦2E-7")?,
        6 if is_loose => *text += one_of(bytes, "+1¦.5¦5.¦0xFf¦NaN¦-Infinity¦True¦None¦007¦tru¦1e")?,
        6 | 7 => *text += bytes.choose(&["true", "false", "null"])?,
        _ => string(bytes, quoting, text)?,
    }
    Ok(())
}

fn container(
    bytes: &mut Unstructured<'_>,
    quoting: Quoting,
    depth: u8,
    text: &mut String,
    is_object: bool,
) -> Result<()> {
    let is_loose = quoting == Quoting::Loose;
    text.push(if is_object { '{' } else { '[' });
    let count = bytes.int_in_range(0..=4)?;
    for nth in 0..count {
        if nth > 0 {
            text.push(',');
        }
        space(bytes, is_loose, text)?;
        if is_object {
            if is_loose && bytes.arbitrary()? {
                *text += name(bytes)?
            } else {
                string(bytes, quoting, text)?
            }
            space(bytes, is_loose, text)?;
            text.push(':');
            space(bytes, is_loose, text)?;
        }
        value(bytes, quoting, depth + 1, text)?;
        space(bytes, is_loose, text)?;
    }
    if is_loose && bytes.ratio(1, 4)? {
        text.push(',');
    }
    text.push(if is_object { '}' } else { ']' });
    Ok(())
}

fn space(bytes: &mut Unstructured<'_>, is_loose: bool, text: &mut String) -> Result<()> {
    let all = &["", "", " ", "\n", "\t\r\n", "/* c */", "// c\n", "\u{a0}", "#c\n"];
    *text += bytes.choose(&all[..if is_loose { all.len() } else { 5 }])?;
    Ok(())
}

fn string(bytes: &mut Unstructured<'_>, quoting: Quoting, text: &mut String) -> Result<()> {
    let is_loose = quoting == Quoting::Loose;
    let quote = if is_loose { *bytes.choose(&["\"", "\"", "'", "\"\"\""])? } else { "\"" };
    let [json, more] = IN_STRINGS;
    let pieces: Vec<_> = json.split('¦').chain(more.split('¦').filter(|_| is_loose)).collect();
    *text += quote;
    for _ in 0..bytes.int_in_range(0..=4)? {
        *text += bytes.choose(&pieces)?;
    }
    *text += quote;
    Ok(())
}

/// Attributes of a tag.
fn attributes(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    for _ in 0..bytes.int_in_range(0..=2)? {
        text.push_str(bytes.choose(&[" ", "\n", " \t"])?);
        text.push_str(name(bytes)?);
        match bytes.int_in_range(0..=4)? {
            0 => {}
            1 => text += &format!("='{}'", word(bytes)?),
            2 => text += &format!("={}", name(bytes)?),
            3 => text += &format!(" = \"{}\"", word(bytes)?),
            _ => text += &format!("=\"{}\"", word(bytes)?),
        }
    }
    Ok(text)
}

/// An element, as any XML has them.
pub fn element(bytes: &mut Unstructured<'_>, names: &[&str]) -> Result<String> {
    let mut text = String::new();
    element_into(bytes, names, 0, &mut text)?;
    Ok(text)
}

fn element_into(bytes: &mut Unstructured<'_>, names: &[&str], depth: u8, text: &mut String) -> Result<()> {
    let own = bytes.choose(names)?;
    *text += &format!("<{own}{}", attributes(bytes)?);
    if bytes.ratio(1, 6)? {
        *text += "/>";
        return Ok(());
    }
    text.push('>');
    for _ in 0..bytes.int_in_range(0..=3)? {
        match bytes.int_in_range(0..=6)? {
            0..=2 if depth < DEEPEST => element_into(bytes, names, depth + 1, text)?,
            3 => *text += &format!("<![CDATA[{}]]>", word(bytes)?),
            4 => *text += &format!("<!--{}-->", word(bytes)?),
            _ => *text += word(bytes)?,
        }
    }
    *text += &format!("</{own}{}>", bytes.choose(&["", "", "", " ", "\n"])?);
    Ok(())
}

/// A block: thinking, calls, results.
pub fn block(bytes: &mut Unstructured<'_>) -> Result<String> {
    let spaced = bytes.choose(&["", "@"])?;
    Ok(match bytes.int_in_range(0..=5)? {
        0 => format!("<{spaced}thinking{}>{}</{spaced}thinking>", attributes(bytes)?, word(bytes)?),
        1 => {
            let result = format!("<result tool_use_id=\"{}\">{}</result>", name(bytes)?, word(bytes)?);
            format!("<{spaced}function_results>\n{result}{}</{spaced}function_results>", word(bytes)?)
        }
        2 => format!("<function_results><error>{}</error></function_results>", word(bytes)?),
        3 => element(bytes, &["thinking", "function_calls", "invoke", "parameter", "@parameter", "b"])?,
        _ => {
            let mut calls = String::new();
            for _ in 0..bytes.int_in_range(1..=2)? {
                calls += &format!("<{spaced}invoke name=\"{}\">\n", name(bytes)?);
                for _ in 0..bytes.int_in_range(0..=3)? {
                    let value = match bytes.int_in_range(0..=3)? {
                        0 => word(bytes)?.to_owned(),
                        1 => document(bytes, Quoting::Loose)?,
                        _ => document(bytes, Quoting::Json)?,
                    };
                    let space = bytes.choose(&["", "", "\n", " "])?;
                    calls += &format!(
                        "<{spaced}parameter name=\"{}\">{space}{value}{space}</{spaced}parameter>",
                        name(bytes)?
                    );
                }
                calls += &format!("</{spaced}invoke>{}", bytes.choose(&["", "\n", "x"])?);
            }
            format!("<{spaced}function_calls>{calls}</{spaced}function_calls>")
        }
    })
}

/// A tool of a segment, in one of the four ways to write them.
pub fn segment(bytes: &mut Unstructured<'_>) -> Result<String> {
    let inner = match bytes.int_in_range(0..=3)? {
        0 => document(bytes, Quoting::Json)?,
        1 => element(bytes, &["a", "arg", "item", "arguments"])?,
        2 => format!("{}\n{}", word(bytes)?, word(bytes)?),
        _ => word(bytes)?.to_owned(),
    };
    Ok(match bytes.int_in_range(0..=8)? {
        0 => format!("<run_bash{}>{inner}</run_bash>", attributes(bytes)?),
        1 => format!("<write_file path=\"{}\">{inner}</write_file>", name(bytes)?),
        2 => format!("<tool name=\"{}\">{inner}</tool>", name(bytes)?),
        3 | 4 => {
            let tool = one_of(bytes, "write_file¦patch_file¦edit_file¦run_bash¦note¦list")?;
            let (argument, marker) = match tool {
                "write_file" => ("content", "CONTENT"),
                "patch_file" | "edit_file" => ("patch", "PATCH"),
                "run_bash" => ("command", ""),
                _ => (if tool == "note" { "text" } else { "item" }, ""),
            };
            let space = bytes.choose(&["", "\n", " \r\n", "   "])?;
            let content = match (marker, bytes.arbitrary()?) {
                ("", _) | (_, false) => inner,
                (marker, true) => format!("{space}__START_{marker}__{space}{inner}{space}__END_{marker}__{space}"),
            };
            let content = format!("<arg name=\"{argument}\">{content}</arg>{space}");
            let path =
                format!("<arg name=\"{}\">{}</arg>{space}", bytes.choose(&["path", "to", "lang"])?, word(bytes)?);
            let arguments = if bytes.arbitrary()? { path + &content } else { content + &path };
            match bytes.arbitrary()? {
                true => format!("<tool name=\"{tool}\"><arguments>{space}{arguments}</arguments></tool>"),
                false => format!("<tool name='{tool}'>{arguments}</tool>"),
            }
        }
        5 => {
            let value = document(bytes, Quoting::Json)?;
            let key = format!("\"{}\"", one_of(bytes, "tool¦function¦name¦tools¦call it¦tool_calls")?);
            let space = bytes.choose(&["", " ", "\n  "])?;
            match bytes.arbitrary()? {
                true => format!("[{space}{{{space}{key}{space}:{space}{value}}}]"),
                false => format!("{{{key}{space}:{value}{space}}}"),
            }
        }
        6 => one_of(bytes, "```\n¦~~~\n¦`¦```xml\n")?.to_owned() + &inner + one_of(bytes, "\n```\n¦\n~~~\n¦`")?,
        _ => {
            let kind = one_of(bytes, "text¦tool_call¦write_file¦edit_file¦run_bash¦reasoning¦Text¦no")?;
            let more = document(bytes, Quoting::Json)?;
            let header = match bytes.arbitrary()? {
                true => format!("{{\"type\":\"{kind}\",\"a\":{more}}}"),
                false => format!("{{\"a\":{more}, \"type\": \"{kind}\"}}"),
            };
            format!("[[SEG_START {header}]]{inner}[[SEG_END]]")
        }
    })
}

/// A call in Hermes' form.
pub fn hermes(bytes: &mut Unstructured<'_>) -> Result<String> {
    let quoting = if bytes.arbitrary()? { Quoting::Json } else { Quoting::Loose };
    let space = bytes.choose(&["", "", "\n", " "])?;
    let tool = bytes.choose(&["\"add\"", "\"get\"", "'add'", "\"\"", "1"])?;
    let key = bytes.choose(&["\"arguments\"", "\"parameters\"", "arguments", "'arguments'"])?;
    let mut arguments = String::new();
    container(bytes, quoting, 2, &mut arguments, true)?;
    if bytes.ratio(1, 5)? {
        arguments = serde_json::Value::String(arguments).to_string();
    }
    let call = match bytes.int_in_range(0..=5)? {
        0 => format!("{{{key}:{arguments},\"name\":{tool}}}"),
        1 => format!("{{\"name\":{tool}}}"),
        2 => format!("{{\"x\":{arguments},\"name\":{tool},{key}:{arguments}}}"),
        _ => format!("{{{space}\"name\": {tool},{space}{key}: {arguments}{space}}}"),
    };
    Ok(match bytes.int_in_range(0..=6)? {
        0 => format!("<tool_call>[{call},{call}]</tool_call>"),
        1 => format!("<tool_call>{call}<tool_call>"),
        2 => format!("<tool_call>{call}"),
        _ => format!("<tool_call>{space}{call}{space}</tool_call>"),
    })
}

/// A call in Morph's form.
pub fn morph(bytes: &mut Unstructured<'_>) -> Result<String> {
    let tool = bytes.choose(&["add", "get"])?;
    let space = bytes.choose(&["", "", "\n", " "])?;
    let mut inside = String::new();
    for _ in 0..bytes.int_in_range(0..=3)? {
        inside += &element(bytes, &["a", "b", "c", "add", "get", "0"])?;
        inside += space;
    }
    Ok(match bytes.int_in_range(0..=5)? {
        0 => format!("<{tool}{}/>", attributes(bytes)?),
        1 => format!("<{tool}>{space}{inside}"),
        _ => format!("<{tool}{}>{space}{inside}</{tool}>", attributes(bytes)?),
    })
}
