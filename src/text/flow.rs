//! How a machine reads a stretch: move by move.

use super::record::Sink;
use super::stretch::Stretch;

/// What reading goes on with after a move.
pub(crate) enum Flow {
    Go,
    /// The stretch is at its end, or something has to be answered first.
    Stop,
    /// Too little text follows.
    Wait,
    /// At another unit.
    At(u32),
}

/// Why no more moves are made on a stretch.
pub(crate) struct Halt {
    /// The unit to read on at, if that isn't in the stretch.
    pub(crate) next: Option<u32>,
    /// Whether too little text follows.
    pub(crate) waits: bool,
}

/// Makes moves while there is room for the records of one.
pub(crate) fn read<S: Sink>(
    text: &mut Stretch<'_>,
    sink: &mut S,
    room: usize,
    mut advance: impl FnMut(&mut Stretch<'_>, &mut S) -> Flow,
) -> Halt {
    let mut halt = Halt { next: None, waits: false };
    while !sink.lacks_room_for(room) {
        match advance(text, sink) {
            Flow::Go => continue,
            Flow::At(unit) if text.go_to(unit) => continue,
            Flow::At(unit) => halt.next = Some(unit),
            Flow::Stop => {}
            Flow::Wait => halt.waits = true,
        }
        break;
    }
    halt
}
