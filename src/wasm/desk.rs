//! Where the machine lies that is at work.

use std::cell::RefCell;

/// The machine of the parser at work. The glue swaps its bytes when another
/// parser's turn comes.
pub(super) struct Desk<T>(RefCell<T>);

impl<T> Desk<T> {
    pub(super) const fn new(machine: T) -> Desk<T> {
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
