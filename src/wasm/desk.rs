//! Where the machine lies that is at work.

use std::cell::RefCell;

/// The machine of the parser at work. The glue swaps its bytes when another
/// parser's turn comes: so it is `Copy`, which nothing is that has a destructor
/// or a cell, and borrows nothing that could be gone.
pub(super) struct Desk<T>(RefCell<T>);

impl<T: Copy + 'static> Desk<T> {
    pub(super) const fn new(machine: T) -> Desk<T> {
        // The glue copies whole words; bytes behind the last one would be lost.
        const { assert!(size_of::<T>().is_multiple_of(4) && align_of::<T>() >= 4) }
        Desk(RefCell::new(machine))
    }

    /// Nobody calls from inside a call; a borrow that could fail would bring in
    /// the texts of panics.
    pub(super) fn at_work<R: Default>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        let Ok(mut machine) = self.0.try_borrow_mut() else { return R::default() };
        use_it(&mut machine)
    }

    /// Where it lies.
    #[cfg(any(feature = "field", feature = "segment", feature = "tool_call"))]
    pub(super) fn pointer(&self) -> usize {
        self.0.try_borrow().map_or(0, |machine| std::ptr::from_ref(&*machine) as usize)
    }
}
