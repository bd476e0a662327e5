//! The file on the command line in chunks of text, as a network would bring it.

use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::{env, str};

/// Few bytes, so that tags and characters are cut.
const CHUNK: usize = 7;

/// Calls `each` with every chunk of the file. A character that the end of a chunk cuts
/// waits for its other bytes; bytes that are not UTF-8 are U+FFFD.
pub(crate) fn each_chunk(mut each: impl FnMut(&str) -> Result<(), Box<dyn Error>>) -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which file? cargo run --example NAME -- FILE")?;
    let mut file = File::open(path)?;
    let mut pending = Vec::new();
    while file.by_ref().take(CHUNK as u64).read_to_end(&mut pending)? > 0 {
        let cut = pending.split_off(pending.len() - cut_len(&pending));
        each(&String::from_utf8_lossy(&pending))?;
        pending = cut;
    }
    each(&String::from_utf8_lossy(&pending))
}

/// The length in bytes of a character at the end that is not complete.
fn cut_len(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    match str::from_utf8(last) {
        Err(error) if error.error_len().is_none() => last.len(),
        _ => 0,
    }
}
