//! All numbers that cross the border, as tables: `cargo xtask build` writes them
//! to `generated/ops.ts`. A table more is a line more here.

use crate::json::{
    Container, DocumentMode, END_OF_TEXT, FAULT_INSIDE, FAULT_PLACE, Fault, FaultPlace, JsonOp, Literal, Rule, RuleSet,
};
use crate::markdown;
use crate::text::{Line, Nothing, packed};
use crate::xml::{Element, ElementOp, TREE_IS_OVER, TreeAsk, TreeFault, TreeOp};
use crate::{block, edit, field, format, reasoning, segment};

/// Enums of what records say: how many bits their numbers take, and the numbers
/// with what they carry.
pub const RECORDS: &[(&str, u32, &[Line])] = &[
    ("Block", block::Op::LOW, block::Op::TABLE),
    ("Field", field::Op::LOW, field::Op::TABLE),
    ("Segment", segment::Op::LOW, segment::Op::TABLE),
    ("Call", segment::CallOp::LOW, segment::CallOp::TABLE),
    ("Format", format::Op::LOW, format::Op::TABLE),
    ("Edit", edit::Op::LOW, edit::Op::TABLE),
    ("Tree", TreeOp::LOW, TreeOp::TABLE),
    ("Element", ElementOp::LOW, ElementOp::TABLE),
];

/// Enums whose numbers JavaScript needs.
pub const ENUMS: &[(&str, &[Line])] = &[
    ("Nothing", Nothing::TABLE),
    ("BlockAsk", block::Ask::TABLE),
    ("BlockMode", block::Mode::TABLE),
    ("BlockFlag", block::Flag::TABLE),
    ("BlockKind", block::Kind::TABLE),
    ("BlockPlace", block::PlaceAsk::TABLE),
    ("Declared", block::Declared::TABLE),
    ("TagSet", block::TagSet::TABLE),
    ("TagAnswer", block::TagAnswer::TABLE),
    ("FieldAsk", field::Ask::TABLE),
    ("FieldMode", field::Mode::TABLE),
    ("FieldFlag", field::Flag::TABLE),
    ("FieldShape", field::Shape::TABLE),
    ("SegmentAsk", segment::Ask::TABLE),
    ("SegmentMode", segment::Mode::TABLE),
    ("CallMode", segment::CallMode::TABLE),
    ("SegmentFlag", segment::Flag::TABLE),
    ("SegmentChoice", segment::ChoiceNumber::TABLE),
    ("SegmentType", segment::SegmentType::TABLE),
    ("SegmentRow", segment::RowWord::TABLE),
    ("SegmentProfile", segment::Profile::TABLE),
    ("FormatAsk", format::Ask::TABLE),
    ("FormatMode", format::Mode::TABLE),
    ("FormatAnswer", format::Answer::TABLE),
    ("FormatStart", format::Start::TABLE),
    ("FormatPart", format::Part::TABLE),
    ("FormatBody", format::Body::TABLE),
    ("FormatFlag", format::Flag::TABLE),
    ("FormatTrim", format::Trim::TABLE),
    ("FormatCloser", format::Closer::TABLE),
    ("FormatPiece", format::HeadPiece::TABLE),
    ("FormatSlot", format::Slot::TABLE),
    ("FormatKind", format::Kind::TABLE),
    ("FormatRoute", format::RouteItem::TABLE),
    ("EditMode", edit::Mode::TABLE),
    ("EditFlag", edit::Flag::TABLE),
    ("EditFault", edit::Fault::TABLE),
    ("EditFormat", edit::Format::TABLE),
    ("EditFileOp", edit::FileOp::TABLE),
    ("JsonOp", JsonOp::TABLE),
    ("JsonRules", RuleSet::TABLE),
    ("DocumentMode", DocumentMode::TABLE),
    ("JsonContainer", Container::TABLE),
    ("JsonWord", Literal::TABLE),
    ("TreeAsk", TreeAsk::TABLE),
];

/// What models call the arguments of a call; keys that other objects may have come last.
const ARGUMENT_KEYS: [&str; 4] =
    ["arguments", format::Repair::Parameters.name(), format::Repair::Args.name(), format::Repair::Input.name()];

/// Stable names, by their numbers.
pub fn names() -> Vec<(&'static str, Vec<(u32, &'static str)>)> {
    let named = |lines: &[Line]| lines.iter().map(|line| (line.number, line.name)).collect::<Vec<_>>();
    vec![
        ("BLOCK_KINDS", named(block::Kind::TABLE)),
        ("TAG_ROLES", named(block::Role::TABLE)),
        ("ARGUMENT_KEYS", (0..).zip(ARGUMENT_KEYS).collect()),
        ("THINKING_TAGS", (0..).zip(reasoning::NAMES).collect()),
        ("SEGMENT_TYPES", named(segment::SegmentType::TABLE)),
        ("SEGMENT_FAULTS", named(segment::Fault::TABLE)),
        ("SEGMENT_ATTRIBUTES", named(segment::KnownAttribute::TABLE)),
        ("SEGMENT_PROFILES", named(segment::Profile::TABLE)),
        ("EDIT_OPS", named(edit::FileOp::TABLE)),
        ("EDIT_FORMATS", named(edit::Format::TABLE)),
        ("EDIT_SIDES", named(edit::Side::TABLE)),
        ("EDIT_FAULTS", named(edit::Fault::TABLE)),
        ("REASONS", named(format::Why::TABLE)),
        ("REPAIRS", named(format::Repair::TABLE)),
        ("JSON_RULES", named(Rule::TABLE)),
        ("JSON_FAULTS", [named(Fault::TABLE), vec![END_OF_TEXT]].concat()),
        ("JSON_PLACES", named(FaultPlace::TABLE)),
        ("JSON_CONTAINERS", named(Container::TABLE)),
        ("FIELD_FAULTS", Fault::ALL.map(|fault| (fault as u32, field::fault_name(fault))).to_vec()),
        ("TREE_FAULTS", named(TreeFault::TABLE)),
        ("ELEMENTS", named(Element::TABLE)),
    ]
}

/// What may end the text of each mode, by its number.
pub fn stops() -> [(&'static str, Vec<&'static [u8]>); 10] {
    let prose = |flags: u32| {
        let has = |flag: segment::Flag| flags & flag as u32 != 0;
        let [xml, json, sentinel] = [segment::Flag::Xml, segment::Flag::Json, segment::Flag::Sentinel].map(has);
        segment::Markers { xml, json, sentinel, skips_code: has(segment::Flag::SkipsCode) }
            .stops(segment::Reasoning::of(flags))
    };
    [
        ("BLOCK_STOPS", block::Mode::ALL.map(block::Mode::stops).to_vec()),
        ("FIELD_STOPS", field::Mode::ALL.map(field::Mode::stops).to_vec()),
        ("SEGMENT_STOPS", segment::Mode::ALL.map(segment::Mode::stops).to_vec()),
        ("SEGMENT_FRONTS", segment::Mode::ALL.map(segment::Mode::fronts).to_vec()),
        // By the flags of what is looked for.
        ("SEGMENT_PROSE_STOPS", (0..64).map(prose).collect()),
        ("CALL_STOPS", segment::CallMode::ALL.map(segment::CallMode::stops).to_vec()),
        ("EDIT_STOPS", edit::Mode::ALL.map(edit::Mode::stops).to_vec()),
        ("DOCUMENT_STOPS", DocumentMode::ALL.map(DocumentMode::stops).to_vec()),
        ("FORMAT_STOPS", format::Mode::ALL.map(format::Mode::stops).to_vec()),
        // Where lines count, and where code does.
        ("CODE_STOPS", vec![&markdown::LINE_ENDS, &markdown::STOPS]),
    ]
}

/// Lists of what JavaScript writes as it stands: words that are values there as in JSON, and the
/// tools of segments, with the content of each and whether it is a file.
pub fn literals() -> [(&'static str, Vec<String>); 2] {
    let tool = |state: segment::ToolState| {
        let is_file = state.start_when.contains(&"path");
        format!("['{}', '{}', {is_file}]", state.tool, state.content)
    };
    [
        ("JSON_WORDS", Literal::ALL.map(|literal| literal.name().to_owned()).to_vec()),
        ("SEGMENT_TOOLS", segment::STATES.map(tool).to_vec()),
    ]
}

/// Numbers that belong to no enum.
pub const CONSTANTS: &[(&str, &[Line])] = &[
    (
        "Packed",
        &[
            line("Count", packed::COUNT_MASK),
            line("AskShift", packed::ASK_SHIFT),
            line("AskMask", packed::ASK_MASK),
            line("Waits", packed::WAITS),
            line("ModeShift", packed::MODE_SHIFT),
            line("ModeMask", packed::MODE_MASK),
            line("FlagsShift", packed::FLAGS_SHIFT),
        ],
    ),
    (
        "JsonBits",
        &[
            line("OpMask", 0xFF),
            line("CharacterCodeShift", 8),
            line("WordLiteralShift", 8),
            line("FaultCodeShift", 8),
            line("FaultPlaceShift", FAULT_PLACE),
            line("FaultInsideShift", FAULT_INSIDE),
            line("FaultMask", 0xFF),
        ],
    ),
    (
        "BlockTrigger",
        &[
            line("Less", b'<' as u32),
            line("Slash", b'/' as u32),
            line("FirstShift", block::FRONT_SHIFT),
            line("Any", block::ANY_SECOND as u32),
            line("OpenersMask", (1 << block::Role::ALL.len()) - 1),
            line("ClosersShift", block::Role::ALL.len() as u32),
        ],
    ),
    (
        "FieldBit",
        &[
            line("Closable", field::CLOSABLE),
            line("KeyAgrees", field::KEY_AGREES as u32),
            line("NoObject", field::NO_OBJECT as u32),
            line("NoArray", field::NO_ARRAY as u32),
        ],
    ),
    ("TreeFlag", &[line("Over", TREE_IS_OVER)]),
    // A number that none of them has.
    (
        "Absent",
        &[line("BlockKind", block::Kind::ALL.len() as u32), line("SegmentProfile", segment::Profile::ALL.len() as u32)],
    ),
    (
        "Limit",
        &[
            line("Signatures", segment::MOST_SIGNATURES as u32),
            line("SignatureBytes", segment::LONGEST_SIGNATURE as u32),
            line("MetadataArguments", segment::MOST_METADATA as u32),
            line("RowWordBytes", segment::LONGEST_WORD as u32),
            line("TagNames", block::MOST_NAMES as u32),
            line("TagNameBytes", block::LONGEST_NAME as u32),
            line("CallStarts", block::MOST_STARTS),
            line("OwnTagDepth", block::DEEPEST_OWN as u32),
        ],
    ),
];

const fn line(variant: &'static str, number: u32) -> Line {
    Line::number(variant, number, "")
}
