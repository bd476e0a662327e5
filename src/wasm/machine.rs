//! The exports that each machine has: one contract, written once.

/// Writes a machine's desk and its exports `X_pointer`, `X_size`, `X_run`,
/// `X_finish` and `X_answer`; where it holds calls `X_is_in_call`, `X_give_up`
/// and `X_pass`. `$answer` reads an answer by its number and the bytes that came with it.
///
/// What a call that reads returns is in `text/packed.rs`.
macro_rules! machine {
    (
        $machine:ty = $start:expr, $table:expr;
        $pointer:ident $size:ident $run:ident $finish:ident $answered:ident($answer:expr)
        $(; $is_in_call:ident $give_up:ident $pass:ident)?
    ) => {
        thread_local! {
            static DESK: crate::wasm::desk::Desk<$machine> = const { crate::wasm::desk::Desk::new($start, $table) };
        }

        type Table = <$machine as crate::text::Machine>::Table;
        type Outcome = crate::text::Outcome<<$machine as crate::text::Machine>::Ask>;

        fn at_work<R: Default>(use_it: impl FnOnce(&mut $machine, &mut Table) -> R) -> R {
            DESK.with(|desk| desk.at_work(use_it))
        }

        /// A call that reads, with `len` bytes of the input buffer.
        fn read(
            len: usize,
            act: impl FnOnce(&mut $machine, &Table, &[u8], &mut crate::wasm::batch::Batch) -> Outcome,
        ) -> u32 {
            at_work(|machine, table| {
                crate::wasm::batch::with(len, |bytes, batch| {
                    let Outcome { next, held_from, ask, waits } = act(machine, table, bytes, batch);
                    let mode = crate::text::Machine::mode(machine) as u32;
                    let flags = crate::text::Machine::flags(machine);
                    let waits = if waits { crate::text::packed::WAITS } else { 0 };
                    let ask = ask.map_or(0, |ask| ask as u32) << crate::text::packed::ASK_SHIFT;
                    let mode = mode << crate::text::packed::MODE_SHIFT;
                    batch.close(next, held_from, ask | waits | mode | flags << crate::text::packed::FLAGS_SHIFT)
                })
            })
        }

        /// The state of the machine at work, as an object.
        #[cfg(feature = "debug")]
        pub(super) fn state() -> wasm_bindgen::JsValue {
            at_work(|machine, _| crate::wasm::desk::object(machine))
        }

        /// Where the machine of the parser at work lies.
        #[wasm_bindgen]
        pub fn $pointer() -> usize {
            at_work(|machine, _| std::ptr::from_ref(machine) as usize)
        }

        /// Its size in bytes.
        #[wasm_bindgen]
        pub fn $size() -> usize {
            size_of::<$machine>()
        }

        /// Reads `len` bytes of the input buffer after `held` pending units.
        #[wasm_bindgen]
        pub fn $run(len: usize, held: u32, is_ascii: bool) -> u32 {
            read(len, |machine, table, bytes, batch| {
                let mut text = crate::text::Stretch::new(bytes, held, is_ascii);
                crate::text::Machine::run(machine, table, &mut text, batch)
            })
        }

        /// The end of the stream after `held` pending units, or where it was cut off.
        #[wasm_bindgen]
        pub fn $finish(held: u32, is_cut_off: bool) -> u32 {
            read(0, |machine, _, _, batch| {
                if is_cut_off {
                    crate::text::Machine::cut_off(machine);
                }
                crate::text::Machine::finish(machine, held, batch)
            })
        }

        /// Answers the last question by the number of an answer, and `len` bytes of
        /// the input buffer where it has any. False if there is no such answer.
        #[wasm_bindgen]
        pub fn $answered(answer: u32, len: usize) -> bool {
            let read: fn(u32, &[u8]) -> Option<<$machine as crate::text::Machine>::Answer> = $answer;
            let answer = crate::wasm::batch::with(len, |bytes, _| read(answer, bytes));
            let is_answer = answer.is_some();
            at_work(|machine, _| answer.map(|answer| crate::text::Machine::answer(machine, answer)));
            is_answer
        }

        $(
            /// Whether a call is pending whose end decides about it.
            #[wasm_bindgen]
            pub fn $is_in_call() -> bool {
                at_work(|machine, _| crate::text::Machine::is_in_call(machine))
            }

            /// Gives up that call, which has `held` pending units.
            #[wasm_bindgen]
            pub fn $give_up(held: u32) -> u32 {
                read(0, |machine, _, _, batch| crate::text::Machine::give_up(machine, held, batch))
            }

            /// So many units were emitted without a call.
            #[wasm_bindgen]
            pub fn $pass(units: u32) {
                at_work(|machine, _| crate::text::Machine::pass(machine, units));
            }
        )?
    };
}

pub(super) use machine;
