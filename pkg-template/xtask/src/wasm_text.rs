//! WebAssembly as text in a JavaScript file. Read by pkg-template/src/start/text.ts, which says how.

use crate::wasm::optimise;
use crate::workspace::Workspace;
use anyhow::{Result, bail};

/// The characters, in the order of their numbers: ASCII without what would need
/// an escape in quotes, in a template or in HTML.
const ALPHABET: &[u8] = b" !#%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~";

/// How many of them begin a pair.
const PAIRS: usize = 2;

/// The longest text: the memory of what decodes it has room for so much after its table.
const LONGEST: usize = 7 * 65_536 - 512;

/// The module with the text of a wasm.
pub fn module(wasm: &[u8]) -> Result<String> {
    let mut counts = [0_usize; 256];
    for &byte in wasm {
        counts[usize::from(byte)] += 1;
    }
    let mut by_count: Vec<usize> = (0..256).collect();
    by_count.sort_by_key(|&byte| std::cmp::Reverse(counts[byte]));
    let mut is_single = [false; 256];
    for &byte in &by_count[..ALPHABET.len() - PAIRS] {
        is_single[byte] = true;
    }

    let mut codes: Vec<Vec<u8>> = Vec::with_capacity(256);
    let (mut singles, mut pairs) = (0, 0);
    for single in is_single {
        if single {
            codes.push(vec![ALPHABET[PAIRS + singles]]);
            singles += 1;
        } else {
            codes.push(vec![ALPHABET[pairs / ALPHABET.len()], ALPHABET[pairs % ALPHABET.len()]]);
            pairs += 1;
        }
    }

    let frequent = is_single.chunks(4).map(|bits| bits.iter().rev().fold(0, |digit, &bit| digit << 1 | u8::from(bit)));
    let text: Vec<u8> = frequent
        .map(|digit| b'@' + digit)
        .chain(wasm.iter().flat_map(|&byte| codes[usize::from(byte)].iter().copied()))
        .collect();
    if text.len() > LONGEST {
        bail!("the text of a wasm has {} characters: give the memory of start/text.wat another page", text.len());
    }
    Ok(format!("/** The wasm. */\nexport const text: string = '{}'\n", String::from_utf8_lossy(&text)))
}

/// The module with the wasm that decodes such texts, as numbers.
pub fn decoder(workspace: &Workspace) -> Result<String> {
    let folder = workspace.target.join("wasm");
    std::fs::create_dir_all(&folder)?;
    let wasm = folder.join("decoder.wasm");
    optimise(workspace, &["-Oz"], &workspace.path("pkg-template/src/start/text.wat"), &wasm)?;
    let bytes = std::fs::read(&wasm)?;
    Ok(format!("/** The wasm of start/text.wat. */\nexport const decoder: readonly number[] = {bytes:?}\n"))
}
