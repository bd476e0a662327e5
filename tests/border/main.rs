//! What the border relies on. One machine of a kind is at work at a time, in one
//! place of wasm memory, its desk; JavaScript copies the bytes of the others out
//! and in, between any two calls (`Desk` in pkg-template/src/wasm/border.ts). So
//! a machine has to be all that it knows: a plain value that means the same
//! where it is put back. That it is `Copy` and borrows nothing the compiler
//! checks (src/wasm/desk.rs); here it is shown that it goes on the same (desk.rs),
//! and what JavaScript may do without it (modes.rs).
//!
//! `npm run miri` runs this under Miri, which sees each read of what was never
//! written, and each place that is kept where it is no more. There is no `unsafe`
//! of ours for it to judge: this is the one place where bytes are moved by
//! somebody whom the compiler doesn't see.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test that can't go on fails")]
#![allow(unreachable_pub, reason = "one program in several files")]

mod desk;
mod machines;
mod modes;
