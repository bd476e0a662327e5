//! What a machine says while it reads: small records that name places instead
//! of carrying text, so that nothing is copied and nothing is allocated.

/// One thing that happened, at `start..end` UTF-16 code units from the start
/// of the undecided text that the call began with.
///
/// ```
/// use tokenweir::text::Record;
/// use tokenweir::xml::TreeOp;
/// let record: Record = TreeOp::Character(u32::from('<')).at(3, 7); // the `&lt;` of `1 &lt; 2`
/// assert_eq!((record.start, record.end), (3, 7));
/// assert_eq!(TreeOp::of(record), Some(TreeOp::Character(60)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// What happened (low byte), and the parser's own detail above it.
    pub word: u32,
    /// First unit of the place.
    pub start: u32,
    /// One past its last unit.
    pub end: u32,
}

/// Where records go: a fixed buffer at the WebAssembly border, a `Vec` in Rust.
///
/// ```
/// use tokenweir::text::{Record, Sink};
///
/// /// Counts and keeps nothing.
/// struct Count(usize);
///
/// impl Sink for Count {
///     fn record(&mut self, _: Record) {
///         self.0 += 1;
///     }
///
///     fn lacks_room_for(&self, _: usize) -> bool {
///         false
///     }
/// }
///
/// use tokenweir::{text::Stretch, xml::{Tree, TreeFlow}};
/// let mut count = Count(0);
/// let mut text = Stretch::new(b"a &amp; b", 0, true);
/// let mut tree = Tree::START;
/// while tree.advance(&mut text, &mut count) != TreeFlow::Stop {}
/// assert_eq!(count.0, 3);
/// ```
pub trait Sink {
    /// Takes one record.
    fn record(&mut self, record: Record);

    /// Whether fewer than `count` records fit. A machine asks before each move
    /// and stops there when it is so.
    fn lacks_room_for(&self, count: usize) -> bool;
}

impl Sink for Vec<Record> {
    fn record(&mut self, record: Record) {
        self.push(record);
    }

    fn lacks_room_for(&self, _count: usize) -> bool {
        false
    }
}
