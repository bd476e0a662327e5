//! What one call of a machine returns in one number, from the lowest bit on: the number of
//! records, the question that it asks, whether it waits for more text, the mode,
//! and the machine's own flags.

/// The number of records.
pub const COUNT_MASK: u32 = 0x1FF;
/// The lowest bit of the question, which is 0 if nothing is asked.
pub const ASK_SHIFT: u32 = 9;
/// Its bits, once shifted.
pub const ASK_MASK: u32 = 15;
/// Whether the machine waits for more text.
pub const WAITS: u32 = 1 << 13;
/// The lowest bit of the mode.
pub const MODE_SHIFT: u32 = 14;
/// Its bits, once shifted.
pub const MODE_MASK: u32 = 15;
/// The lowest bit of the machine's own flags.
pub const FLAGS_SHIFT: u32 = 18;
