//! Pieces of block markup, valid and broken: for the property tests and
//! the fuzzer.

#![allow(unreachable_pub, reason = "one table for several programs")]

/// `@` stands for the namespace prefix.
pub const PIECES: &[&str] = &[
    "<artifact>",
    "<artifact id=\"<action>\" a='&lt;' b=c d>",
    "<artifact a=",
    "</artifact>",
    "<action/>",
    "<action>",
    "</action>",
    "<mention id=1>",
    "</mention >",
    "<thinking>",
    "</thinking>",
    "<function_calls>",
    "</function_calls>",
    "<function_results>",
    "</function_results>",
    "<invoke name=\"a\">",
    "<invoke name='b'/>",
    "<invoke>",
    "</invoke>",
    "<parameter name=\"p\">",
    "</parameter>",
    "<parameter name=\"&lt;\"/>",
    "<p>",
    "</p>",
    "<p a='",
    "<@p/>",
    "<p",
    "</@p >",
    "<result tool_use_id=\"x\">",
    "</result>",
    "<error>",
    "</error>",
    "<@thinking>",
    "</@parameter>",
    "<@invoke name=\"c\">",
    "<",
    "</",
    "<thin",
    "<@",
    "</param",
    "<invoke name=\"<thinking>",
    "<invoke name='&amp;",
    "\"",
    "'",
    ">",
    "/>",
    "&lt;",
    "&#x1F642;",
    "&am",
    "&",
    "{\"k\": [1, 2]}",
    "[1, ",
    "\"str\"",
    "12",
    "1234567890123456",
    "true",
    "nul",
    " ",
    "\n",
    "\u{a0}",
    "\u{3000}",
    "水🙂",
    "é",
    "x",
    "plain words",
    "`",
    "``",
    "```",
    "\n```\n",
    "\n> ",
    "\n- ",
    "\r",
    "\n\n",
    "\\",
    "\u{1}",
];

/// Adds custom tags whose names the pieces have.
pub fn add_own(tags: &mut tokenweir::block::TagTable) {
    let artifact = tags.own("artifact", 0).unwrap_or_default();
    let action = tags.own("action", artifact).unwrap_or_default();
    for (name, parent) in [("mention", 0), ("mention", artifact), ("artifact", action), ("b", action)] {
        let added = tags.own(name, parent);
        // A name that an option gives a role is no custom tag inside another one.
        assert!(matches!(added, Ok(_) | Err(tokenweir::block::TagError::HasRole)), "{added:?}");
    }
}
