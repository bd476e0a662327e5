//! What machines count for the tests of growth.

/// How much was read so far, each time that it was. Counted natively, where the
/// tests are; in WebAssembly it takes no room and no time.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(crate) struct Steps {
    #[cfg(not(target_arch = "wasm32"))]
    made: u64,
}

impl Steps {
    /// None yet.
    pub(crate) const NONE: Steps = Steps {
        #[cfg(not(target_arch = "wasm32"))]
        made: 0,
    };

    #[inline(always)]
    #[allow(clippy::unused_self, reason = "in WebAssembly nothing is counted")]
    pub(crate) fn add(&mut self, steps: usize) {
        #[cfg(not(target_arch = "wasm32"))]
        {
            self.made += steps as u64;
        }
        #[cfg(target_arch = "wasm32")]
        let _ = steps;
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn made(self) -> u64 {
        self.made
    }
}
