//! How a machine reads a stretch: move by move.

use super::record::Sink;
use super::stretch::Stretch;

/// What reading goes on with after a move.
pub(crate) enum Flow<Ask> {
    Go,
    /// The stretch is at its end.
    Stop,
    /// Too little text follows.
    Wait,
    Ask(Ask),
    /// At another unit.
    At(u32),
}

/// Why no more moves are made on a stretch.
pub(crate) struct Halt<Ask> {
    /// The unit to read on at, if that isn't in the stretch.
    pub(crate) next: Option<u32>,
    pub(crate) ask: Option<Ask>,
    /// Whether too little text follows.
    pub(crate) waits: bool,
}

/// Makes moves while there is room for the records of one.
pub(crate) fn read<Ask, S: Sink>(
    text: &mut Stretch<'_>,
    sink: &mut S,
    room: usize,
    mut advance: impl FnMut(&mut Stretch<'_>, &mut S) -> Flow<Ask>,
) -> Halt<Ask> {
    let mut halt = Halt { next: None, ask: None, waits: false };
    while !sink.lacks_room_for(room) {
        match advance(text, sink) {
            Flow::Go => continue,
            Flow::At(unit) if text.go_to(unit) => continue,
            Flow::At(unit) => halt.next = Some(unit),
            Flow::Stop => {}
            Flow::Wait => halt.waits = true,
            Flow::Ask(question) => halt.ask = Some(question),
        }
        break;
    }
    halt
}
