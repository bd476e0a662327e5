//! The numbers of elements that cross the border.

use crate::text::{numbered, records};

numbered! {
    /// What isn't well-formed.
    ///
    /// ```
    /// use tokenweir::text::{Record, Stretch};
    /// use tokenweir::xml::{Tree, TreeFault, TreeFlow, TreeOp};
    /// let mut tree = Tree::START;
    /// let (mut text, mut records) = (Stretch::new(b"a < b</c>", 0, true), Vec::new());
    /// while tree.advance(&mut text, &mut records) != TreeFlow::Stop {}
    /// let faults: Vec<_> = records.iter().filter_map(|&record| match TreeOp::of(record) {
    ///     Some(TreeOp::Fault(fault)) => Some((fault, record.start)),
    ///     _ => None,
    /// }).collect();
    /// assert_eq!(faults, [(TreeFault::LooseLess, 2), (TreeFault::StrayCloser, 5)]);
    /// ```
    #[non_exhaustive]
    #[repr(u8)]
    pub enum TreeFault {
        /// A closing tag that nothing opened.
        StrayCloser = 0 => "stray-closer",
        /// A `<` that begins no tag. It is text.
        LooseLess = 1 => "loose-less",
        /// An opening tag of its own name inside a raw element. It is text.
        OwnTag = 2 => "own-tag",
        /// Nesting beyond the limit.
        TooDeep = 3 => "too-deep",
        /// The text ended in a tag.
        CutTag = 4 => "cut-tag",
        /// Text where only elements may stand.
        Text = 5 => "text",
    }
}

records! {
    /// What a record says. The numbers are above those of `JsonOp`.
    ///
    /// ```
    /// use tokenweir::text::Stretch;
    /// use tokenweir::xml::{Tree, TreeFlow, TreeOp};
    /// let mut tree = Tree::START;
    /// let (mut text, mut records) = (Stretch::new(b"<!-- a -->1 &lt; 2", 0, true), Vec::new());
    /// while tree.advance(&mut text, &mut records) != TreeFlow::Stop {}
    /// let ops: Vec<_> = records.into_iter().filter_map(TreeOp::of).collect();
    /// assert_eq!(ops, [TreeOp::Text, TreeOp::Character(60), TreeOp::Text]);
    /// assert_eq!(TreeOp::of(TreeOp::Close.at(4, 8)), Some(TreeOp::Close));
    /// ```
    pub enum TreeOp: 8 {
        /// The name of an attribute in an opening tag, before its `Open`. If what looked like a tag is text, a `Fault`
        /// says so.
        Attribute = 16,
        /// That attribute's value, references and all.
        Value = 17,
        /// An opening tag is whole: its name. If it closes its element immediately, `Close` follows.
        Open = 18,
        /// Text of the innermost element.
        Text = 19 => text(text),
        /// A reference to this character.
        Character(code: u32 = 8..32) = 20 => text(character),
        /// The inside of a CDATA section, or a piece of it.
        CData = 21 => cdata(text),
        /// The innermost element closes.
        Close = 22 => close(from),
        /// The innermost element was never closed.
        Abandon = 23 => abandon(),
        /// Something isn't well-formed.
        Fault(code: TreeFault = 8..32) = 24,
    }
}

numbered! {
    /// What an element is.
    #[repr(u8)]
    pub enum Element {
        /// Any but those below.
        Other = 0 => "other",
        /// `<arg>`
        Arg = 1 => "arg",
        /// `<item>`
        Item = 2 => "item",
        /// `<arguments>`
        Arguments = 3 => "arguments",
    }
}

records! {
    /// What a record of a tool's arguments says.
    pub enum ElementOp: 4 {
        /// The name in an opening tag, before its `Open`.
        Name = 1,
        /// The value of its attribute `name`, the first of them.
        NameValue = 2,
        /// An element opens by the tag at the place.
        Open {
            /// Which it is.
            element: Element = 4..8,
            /// Whether it has attributes besides `name`, or any if it isn't `<arg>`.
            has_attributes: bool = 8..9,
        } = 3,
        /// The innermost element closes by the tag at the place.
        Close = 4,
        /// The innermost element was never closed.
        Abandon = 5,
        /// The inside of the innermost element is not well-formed.
        Spoil = 6,
        /// The inside of a CDATA section, before its `CData`.
        Inner = 7,
        /// A CDATA section.
        CData = 8,
        /// The argument that closed last goes on, up to the tag at the place.
        Reclose = 9,
        /// The argument that closed last has ended, and text follows it.
        Stray = 10,
        /// The closing tag of the innermost element is missing, before its `Close`.
        Lacks = 11,
    }
}
