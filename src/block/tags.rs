//! Which names are tags, and what each means. Data: the default table is the
//! seed's, and a program adds to it or takes from it.

use crate::reasoning;
use crate::scan::{Entry, Literals};
use crate::text::numbered;
use crate::xml::{Recognised, Vocabulary};
use std::fmt;

numbered! {
    /// The tag tables that exist without being made: see `TagTable::built_in`.
    #[repr(u32)]
    pub enum TagSet {
        /// membrane's tags, and all names of thinking.
        Default = 0,
        /// membrane's tags.
        Membrane = 1,
        /// No tags.
        Empty = 2,
    }
}

numbered! {
/// What a tag means.
///
/// ```
/// use tokenweir::block::{Role, TagTable};
/// let mut tags = TagTable::default();
/// tags.set("reasoning", Role::named("thinking"))?;
/// assert_eq!(Role::named("error"), Some(Role::Error));
/// # Ok::<(), tokenweir::block::TagError>(())
/// ```
#[non_exhaustive]
#[repr(u8)]
pub enum Role {
    /// Reasoning.
    Thinking = 0 => "thinking",
    /// Around tool calls.
    FunctionCalls = 1 => "function_calls",
    /// Around tool results.
    FunctionResults = 2 => "function_results",
    /// One tool call.
    Invoke = 3 => "invoke",
    /// One parameter of a tool call.
    Parameter = 4 => "parameter",
    /// One tool result.
    Result = 5 => "result",
    /// One tool result that reports an error.
    Error = 6 => "error",
}
}

impl Role {
    /// The role that a class of tag names stands for.
    pub(super) fn of_class(class: u8) -> Option<Role> {
        Role::from_number(u32::from(class))
    }

    /// The role of that name.
    ///
    /// ```
    /// use tokenweir::block::Role;
    /// assert_eq!(Role::named("thinking"), Some(Role::Thinking));
    /// assert_eq!(Role::named("thought"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Role> {
        Role::of_class(Role::NAMES.iter().position(|&known| known == name)? as u8)
    }

    /// Its bit in a set of roles.
    pub(super) const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The class of the first name of a custom tag: below it are the roles.
const OWN: u8 = Role::ALL.len() as u8;

/// The classes of custom tags, a bit each.
const OWNS: u32 = u32::MAX << OWN;

/// How many custom tags may be open, one in the other.
///
/// ```
/// use tokenweir::block::{DEEPEST_OWN, TagError, TagTable};
/// let mut tags = TagTable::EMPTY;
/// let mut parent = 0;
/// for _ in 0..DEEPEST_OWN {
///     parent = tags.own("list", parent)?;
/// }
/// assert_eq!(tags.own("list", parent), Err(TagError::TooDeep));
/// # Ok::<(), TagError>(())
/// ```
pub const DEEPEST_OWN: usize = 4;

/// Most custom tags of one table; a tag that two others may have inside counts twice.
///
/// ```
/// use tokenweir::block::{MOST_OWN, TagError, TagTable};
/// let mut tags = TagTable::EMPTY;
/// let list = tags.own("list", 0)?;
/// for number in 1..MOST_OWN {
///     tags.own(&format!("item{}", number % 20), list)?;
/// }
/// assert_eq!(tags.own("item0", list), Err(TagError::TooMany));
/// # Ok::<(), TagError>(())
/// ```
pub const MOST_OWN: usize = 64;

/// The namespace prefix that every tag may carry.
pub(super) const PREFIX: &[u8] = b"antml:";

/// Most names in one table.
///
/// ```
/// use tokenweir::block::{MOST_NAMES, Role, TagError, TagTable};
/// let mut tags = TagTable::EMPTY;
/// for number in 0..MOST_NAMES {
///     tags.set(&format!("t{number}"), Some(Role::Thinking))?;
/// }
/// assert_eq!(tags.set("one_more", Some(Role::Thinking)), Err(TagError::TooMany));
/// # Ok::<(), TagError>(())
/// ```
pub const MOST_NAMES: usize = 64;

/// Longest name, in bytes.
///
/// ```
/// use tokenweir::block::{LONGEST_NAME, Role, TagError, TagTable};
/// let mut tags = TagTable::default();
/// assert_eq!(tags.set(&"a".repeat(LONGEST_NAME), Some(Role::Thinking)), Ok(()));
/// assert_eq!(tags.set(&"a".repeat(LONGEST_NAME + 1), Some(Role::Thinking)), Err(TagError::BadName));
/// ```
pub const LONGEST_NAME: usize = 64;

const ENTRIES: usize = MOST_NAMES * 2;
const BYTES: usize = 4_096;

/// One byte for each two ASCII bytes.
const FRONTS: usize = 1 << (2 * FRONT_SHIFT);

/// Where the first byte stands in the place of both.
pub const FRONT_SHIFT: u32 = 7;

/// The second byte that stands for any; it is in no name.
pub const ANY_SECOND: u8 = 0;

/// The values of these attributes are wanted; a class is a place in [`crate::xml::Tag::values`].
const ATTRIBUTES: Literals<'static> = Literals {
    bytes: b"nametool_use_id",
    entries: &[Entry { start: 0, len: 4, class: NAME as u8 }, Entry { start: 4, len: 11, class: TOOL_USE_ID as u8 }],
};
pub(super) const NAME: usize = 0;
pub(super) const TOOL_USE_ID: usize = 1;

/// Why a name can't be a tag.
///
/// ```
/// use tokenweir::block::{Role, TagError, TagTable};
/// let refused = TagTable::default().set("not a name", Some(Role::Thinking));
/// assert_eq!(refused, Err(TagError::BadName));
/// assert!(refused.unwrap_err().to_string().starts_with("not a tag name"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TagError {
    /// Not a letter or `_` followed by letters, digits, `_`, `-`, `.` or `:`, or longer than [`LONGEST_NAME`].
    BadName,
    /// The table is full: [`MOST_NAMES`], [`MOST_OWN`], or 25 names of custom tags.
    TooMany,
    /// The name of a tag inside a custom tag has a role already.
    HasRole,
    /// More custom tags one in the other than 4.
    TooDeep,
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TagError::BadName => write!(
                f,
                "not a tag name: it must be a letter or `_`, then letters, digits, `_`, `-`, `.` or `:`, at most {LONGEST_NAME} bytes"
            ),
            TagError::TooMany => write!(f, "too many tags: at most {MOST_NAMES} names"),
            TagError::HasRole => write!(f, "the name has a role, which has to be taken out first"),
            TagError::TooDeep => write!(f, "too deep: at most {DEEPEST_OWN} tags one in the other"),
        }
    }
}

impl std::error::Error for TagError {}

/// A tag whose content is a block of its own.
#[derive(Clone, Copy, Debug)]
struct OwnTag {
    /// The class of its name.
    class: u8,
    /// The number of the tag that it stands in; 0 if it stands in text.
    parent: u8,
    /// How many are open with it.
    depth: u8,
}

/// A table of tag names without a heap: plain bytes that the border can copy.
///
/// ```
/// use tokenweir::block::{BlockParser, EventKind, Options, Role, TagTable};
/// let mut tags = TagTable::EMPTY; // without the default tags
/// tags.set("thought", Some(Role::Thinking))?;
/// let mut parser = BlockParser::new(Options { tags, ..Options::default() });
/// let events = parser.feed("<thinking> is text")?;
/// assert!(matches!(&events[1].kind, EventKind::Chunk { text, .. } if text == "<thinking> is text"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TagTable {
    bytes: [u8; BYTES],
    entries: [Entry; ENTRIES],
    /// Custom tags; the number of each is its place and one.
    owns: [OwnTag; MOST_OWN],
    used: u16,
    count: u8,
    own_count: u8,
    /// See `fronts`. The bits of names that were taken out stay.
    fronts: [u8; FRONTS],
}

impl Default for TagTable {
    /// membrane's tags, and `think`.
    fn default() -> Self {
        reasoning::NAMES.into_iter().fold(TagTable::of_roles(), |table, name| table.with(name, Role::Thinking))
    }
}

impl TagTable {
    /// What is in it, as text. The fronts follow from it, and are many.
    pub(super) fn listed(&self) -> String {
        let names = self.bytes.get(..usize::from(self.used)).unwrap_or_default();
        let entries = self.entries.get(..usize::from(self.count)).unwrap_or_default();
        format!("{names:?} {entries:?} {:?}", self.owns())
    }

    /// No tags at all.
    pub const EMPTY: TagTable = TagTable {
        bytes: [0; BYTES],
        entries: [Entry { start: 0, len: 0, class: 0 }; ENTRIES],
        owns: [OwnTag { class: 0, parent: 0, depth: 0 }; MOST_OWN],
        used: 0,
        count: 0,
        own_count: 0,
        fronts: [0; FRONTS],
    };

    /// membrane's tags, each by its role's name: `thinking`, `function_calls`, `function_results`,
    /// `invoke`, `parameter`, `result`, `error`.
    ///
    /// ```
    /// use tokenweir::block::{BlockParser, Face, Options, TagTable};
    /// let mut parser = BlockParser::new(Options { face: Face::Elements, tags: TagTable::of_roles(), ..Options::default() });
    /// assert_eq!(parser.feed("<think>")?.len(), 2); // text: its start, and a chunk
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[must_use]
    pub fn of_roles() -> TagTable {
        Role::ALL.into_iter().fold(TagTable::EMPTY, |table, role| table.with(role.name(), role))
    }

    /// One of the tables that exist without being made.
    ///
    /// ```
    /// use tokenweir::block::{BlockParser, Options, TagSet, TagTable};
    /// let tags = TagTable::built_in(TagSet::Empty);
    /// let mut parser = BlockParser::new(Options { tags, ..Options::default() });
    /// assert_eq!(parser.feed("<think>")?.len(), 2); // text: its start, and a chunk
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[must_use]
    pub fn built_in(set: TagSet) -> TagTable {
        match set {
            TagSet::Default => TagTable::default(),
            TagSet::Membrane => TagTable::of_roles(),
            TagSet::Empty => TagTable::EMPTY,
        }
    }

    fn with(mut self, name: &str, role: Role) -> TagTable {
        let added = self.set(name, Some(role));
        debug_assert_eq!(added, Ok(()));
        self
    }

    /// Gives a name a role, or with `None` takes it out. The name with the
    /// prefix `antml:` means the same.
    ///
    /// # Errors
    /// A name that no tag can have, or one more than the table holds.
    ///
    /// ```
    /// use tokenweir::block::{Role, TagTable};
    /// let mut tags = TagTable::default();
    /// tags.set("think", Some(Role::Thinking))?;
    /// tags.set("thinking", None)?;
    /// assert!(tags.set("<think>", Some(Role::Thinking)).is_err());
    /// # Ok::<(), tokenweir::block::TagError>(())
    /// ```
    pub fn set(&mut self, name: &str, role: Option<Role>) -> Result<(), TagError> {
        self.set_class(name, role.map(|role| role as u8))
    }

    /// Makes a name a custom tag, whose content is a block: inside the tag of the number `parent`, or with 0 in text.
    /// Gives its number, from 1 on. Inside of it only its own closing tag counts, and the tags that are inside.
    ///
    /// # Errors
    /// A name that no tag can have, or that has a role and stands inside another tag; more than the table holds.
    ///
    /// ```
    /// use tokenweir::block::{BlockParser, EventKind, Kind, Options, TagTable};
    /// let mut tags = TagTable::default();
    /// let artifact = tags.own("artifact", 0)?;
    /// tags.own("action", artifact)?;
    /// let mut parser = BlockParser::new(Options { tags, ..Options::default() });
    /// let events = parser.feed(r#"<artifact id="a1">Steps: <action/></artifact>"#)?;
    /// let EventKind::OwnTag { number, parent, attributes } = &events[0].kind else { panic!("{events:?}") };
    /// assert_eq!((*number, *parent, attributes[0].1.as_str()), (artifact, None, "a1"));
    /// assert_eq!(events[1].kind, EventKind::BlockStart { index: 0, block: Kind::Own });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn own(&mut self, name: &str, parent: u8) -> Result<u8, TagError> {
        let known =
            self.position(name.as_bytes()).ok().and_then(|index| self.entries.get(index)).map(|entry| entry.class);
        let class = match known {
            Some(class) if class >= OWN => class,
            Some(_) if parent > 0 => return Err(TagError::HasRole),
            Some(_) | None => self.owns().iter().map(|own| own.class + 1).max().unwrap_or(OWN),
        };
        if class > 31 {
            return Err(TagError::TooMany);
        }
        let depth = self.own_tag(parent).map_or(1, |around| around.depth + 1);
        if usize::from(depth) > DEEPEST_OWN {
            return Err(TagError::TooDeep);
        }
        let number = self.own_count + 1;
        *self.owns.get_mut(usize::from(self.own_count)).ok_or(TagError::TooMany)? = OwnTag { class, parent, depth };
        if known != Some(class) {
            self.set_class(name, Some(class))?;
        }
        self.own_count = number;
        Ok(number)
    }

    fn owns(&self) -> &[OwnTag] {
        self.owns.get(..usize::from(self.own_count)).unwrap_or_default()
    }

    fn own_tag(&self, number: u8) -> Option<&OwnTag> {
        self.owns().get(usize::from(number).checked_sub(1)?)
    }

    /// The number of the custom tag of a class of names inside another one, or with 0 in text.
    pub(super) fn own_in(&self, parent: u8, class: u8) -> Option<u8> {
        let at = self.owns().iter().position(|own| own.parent == parent && own.class == class)?;
        Some(at as u8 + 1)
    }

    /// What counts inside a custom tag, or with 0 what custom tags count in text.
    #[inline(never)]
    pub(super) fn counted_in(&self, number: u8) -> Recognised {
        let inside = self.owns().iter().filter(|own| own.parent == number);
        Recognised {
            openers: inside.fold(0, |classes, own| classes | 1 << own.class),
            closers: self.own_tag(number).map_or(0, |own| 1 << own.class),
        }
    }

    #[inline(never)]
    fn set_class(&mut self, name: &str, class: Option<u8>) -> Result<(), TagError> {
        let name = name.as_bytes();
        let is_name = name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte))
            && name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        if !is_name || name.len() > LONGEST_NAME {
            return Err(TagError::BadName);
        }
        let mut prefixed = [0; PREFIX.len() + LONGEST_NAME];
        for (to, from) in prefixed.iter_mut().zip(PREFIX.iter().chain(name)) {
            *to = *from;
        }
        for text in [name, prefixed.get(..PREFIX.len() + name.len()).unwrap_or_default()] {
            self.take_out(text);
            if let Some(class) = class {
                self.put_in(text, class)?;
            }
        }
        Ok(())
    }

    /// What the tokenizer reads by.
    pub(super) fn vocabulary(&self) -> Vocabulary<'_> {
        Vocabulary { names: self.names(), attributes: ATTRIBUTES, folds_case: false, slash_closes: false }
    }

    /// Whether `after`, which stands after a `<`, may begin a tag that
    /// counts; a no is final. Whoever asks first is spared most of the `<` that
    /// begin no tag.
    #[must_use]
    pub(crate) fn may_begin_with(&self, after: &[u8], counted: Recognised) -> bool {
        match after {
            [] => true,
            [b'/', name @ ..] => roles_of(counted.closers) & self.roles_named(name) != 0,
            name => roles_of(counted.openers) & self.roles_named(name) != 0,
        }
    }

    /// The roles, one bit each, whose tags' names, with what ends them, may
    /// begin with these bytes. Two are looked at.
    fn roles_named(&self, name: &[u8]) -> u32 {
        match *name {
            [] => u32::MAX,
            [first] => self.front(first, ANY_SECOND),
            [first, second, ..] => self.front(first, second),
        }
    }

    fn front(&self, first: u8, second: u8) -> u32 {
        // Beyond the table for a first byte that isn't ASCII.
        self.fronts.get(front(first, second)).filter(|_| second.is_ascii()).copied().map_or(0, u32::from)
    }

    /// For each two ASCII bytes, at 128 times the first plus the second: the
    /// roles, one bit each, whose tags' names may begin so. NUL as the second
    /// stands for any.
    // Hidden: for the tests.
    #[doc(hidden)]
    #[must_use]
    pub fn fronts(&self) -> &[u8] {
        &self.fronts
    }

    /// Whether two names, by their places, are one but for the prefix.
    pub(super) fn are_one_name(&self, one: u8, other: u8) -> bool {
        let names = self.names();
        let bare = |index: u8| {
            let name = names.text(usize::from(index));
            name.strip_prefix(PREFIX).unwrap_or(name)
        };
        one == other || bare(one) == bare(other)
    }

    fn names(&self) -> Literals<'_> {
        Literals { bytes: &self.bytes, entries: self.entries.get(..usize::from(self.count)).unwrap_or_default() }
    }

    // One copy: it is asked when tags are set, not when they are read.
    #[inline(never)]
    fn position(&self, text: &[u8]) -> Result<usize, usize> {
        let names = self.names();
        let place = (0..names.entries.len()).find(|&index| names.text(index) >= text);
        match place {
            Some(index) if names.text(index) == text => Ok(index),
            place => Err(place.unwrap_or(names.entries.len())),
        }
    }

    /// The role of a tag's name.
    pub(super) fn role(&self, name: &[u8]) -> Option<Role> {
        let index = self.position(name).ok()?;
        self.entries.get(index).and_then(|entry| Role::of_class(entry.class))
    }

    fn add_front(&mut self, first: u8, second: u8, class: u8) {
        if let Some(roles) = self.fronts.get_mut(front(first, second)) {
            *roles |= roles_of(1 << class) as u8;
        }
    }

    /// The bytes of a name that is taken out stay; a table is made once.
    fn take_out(&mut self, text: &[u8]) {
        if let Ok(index) = self.position(text) {
            self.entries.copy_within(index + 1.., index);
            self.count -= 1;
        }
    }

    fn put_in(&mut self, text: &[u8], class: u8) -> Result<(), TagError> {
        let (Err(index) | Ok(index)) = self.position(text);
        let start = usize::from(self.used);
        let room = self.bytes.get_mut(start..start + text.len()).ok_or(TagError::TooMany)?;
        if usize::from(self.count) == ENTRIES {
            return Err(TagError::TooMany);
        }
        room.copy_from_slice(text);
        self.entries.copy_within(index..ENTRIES - 1, index + 1);
        if let Some(entry) = self.entries.get_mut(index) {
            *entry = Entry { start: self.used, len: text.len() as u8, class };
        }
        let first = text.first().copied().unwrap_or_default();
        self.add_front(first, ANY_SECOND, class);
        match text.get(1) {
            Some(&second) => self.add_front(first, second, class),
            None => b" \t\n\r/>".iter().for_each(|&end| self.add_front(first, end, class)),
        }
        self.used += text.len() as u16;
        self.count += 1;
        Ok(())
    }
}

/// Classes of names as roles. Custom tags pass for thinking: both count nearly everywhere in text, and who reads the
/// tag looks again.
pub(super) const fn roles_of(classes: u32) -> u32 {
    classes & !OWNS | if classes & OWNS == 0 { 0 } else { Role::Thinking.bit() }
}

/// Where two bytes stand in [`TagTable::fronts`].
fn front(first: u8, second: u8) -> usize {
    usize::from(first) << FRONT_SHIFT | usize::from(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted_names(table: &TagTable) -> Vec<String> {
        let names = table.names();
        (0..names.entries.len()).map(|index| String::from_utf8_lossy(names.text(index)).into_owned()).collect()
    }

    #[test]
    fn names_stay_sorted_through_every_change() -> Result<(), TagError> {
        let mut table = TagTable::default();
        assert_eq!(sorted_names(&table).len(), 16);
        table.set("think", None)?;
        table.set("think", Some(Role::Thinking))?;
        table.set("a", Some(Role::Result))?;
        table.set("think", Some(Role::Error))?;
        table.set("invoke", None)?;
        let names = sorted_names(&table);
        assert!(names.is_sorted());
        assert_eq!(names.len(), 16);
        assert!(names.contains(&"antml:think".to_owned()) && !names.contains(&"antml:invoke".to_owned()));
        Ok(())
    }

    #[test]
    fn a_name_of_64_bytes_is_one() {
        assert_eq!(TagTable::default().set(&"x".repeat(LONGEST_NAME), Some(Role::Thinking)), Ok(()));
    }

    #[test]
    fn what_is_no_name_is_refused_and_so_is_one_too_many() {
        let mut table = TagTable::default();
        for name in ["", "1a", "a b", "a>", "é", &"x".repeat(65)] {
            assert_eq!(table.set(name, Some(Role::Thinking)), Err(TagError::BadName), "{name}");
        }
        let last = (0..).find_map(|index| {
            table.set(&format!("tag{index}"), Some(Role::Thinking)).err().map(|error| (index, error))
        });
        assert_eq!(last, Some((56, TagError::TooMany)));
    }

    #[test]
    fn fronts_are_those_of_the_names() -> Result<(), TagError> {
        let mut table = TagTable::EMPTY;
        table.set("b", Some(Role::Thinking))?;
        table.set("thinking", Some(Role::Thinking))?;
        table.set("tool", Some(Role::Result))?;
        let fronts: Vec<String> = (0..128)
            .flat_map(|first| (0..128).map(move |second| (first, second)))
            .filter(|&(first, second)| table.fronts().get(front(first, second)).is_some_and(|roles| *roles != 0))
            .map(|(first, second)| format!("{}{}", char::from(first), char::from(second)))
            .collect();
        assert_eq!(fronts, ["a\0", "an", "b\0", "b\t", "b\n", "b\r", "b ", "b/", "b>", "t\0", "th", "to"]);

        let thinking = Role::Thinking.bit();
        let opens = Recognised { openers: thinking, closers: 0 };
        let closes = Recognised { openers: 0, closers: thinking };
        for name in ["a", "an", "b", "b>", "t", "th", "th<"] {
            let closing = format!("/{name}");
            assert!(table.may_begin_with(name.as_bytes(), opens) && !table.may_begin_with(closing.as_bytes(), opens));
            assert!(!table.may_begin_with(name.as_bytes(), closes) && table.may_begin_with(closing.as_bytes(), closes));
        }
        for name in ["c", "ab", "/", "t ", "é", "to"] {
            let closing = format!("/{name}");
            assert!(!table.may_begin_with(name.as_bytes(), opens), "{name}");
            assert!(!table.may_begin_with(closing.as_bytes(), closes), "{closing}");
        }
        assert!(table.may_begin_with(b"", opens) && table.may_begin_with(b"/", closes));
        assert!(!table.may_begin_with(b"/", opens));
        // As a number its second byte would be the "h" of the next row.
        assert!(!table.may_begin_with("s\u{8000}".as_bytes(), opens));
        Ok(())
    }

    #[test]
    fn classes_are_roles() {
        for role in Role::ALL {
            assert_eq!(Role::of_class(role as u8), Some(role));
            assert_eq!(Role::named(role.name()), Some(role));
        }
    }
}
