//! Where the machine lies that is at work.

use crate::text::Machine;
use std::cell::RefCell;

/// The machine of the parser at work, and its table. The glue swaps their bytes
/// when another parser's turn comes: so they are `Copy`, which nothing is that has
/// a destructor or a cell, and borrow nothing that could be gone.
pub(super) struct Desk<M: Machine>(RefCell<(M, M::Table)>);

impl<M: Machine + 'static> Desk<M>
where
    M::Table: Copy,
{
    pub(super) const fn new(machine: M, table: M::Table) -> Desk<M> {
        // The glue copies whole words; bytes after the last one would be lost.
        const { assert!(size_of::<M>().is_multiple_of(4) && align_of::<M>() >= 4) }
        const { assert!(size_of::<M::Table>().is_multiple_of(4)) }
        Desk(RefCell::new((machine, table)))
    }

    /// Nobody calls from inside a call; a borrow that could fail would bring in
    /// the texts of panics.
    pub(super) fn at_work<R: Default>(&self, use_it: impl FnOnce(&mut M, &mut M::Table) -> R) -> R {
        let Ok(mut work) = self.0.try_borrow_mut() else { return R::default() };
        let (machine, table) = &mut *work;
        use_it(machine, table)
    }
}

/// A machine's state as an object, of the debug build. Numbers of 64 bits are hashes and counts, which a JavaScript
/// number may not hold.
#[cfg(feature = "debug")]
pub(super) fn object(state: &impl serde::Serialize) -> wasm_bindgen::JsValue {
    let serializer = serde_wasm_bindgen::Serializer::new().serialize_large_number_types_as_bigints(true);
    state.serialize(&serializer).unwrap_or_else(|error| error.into())
}
