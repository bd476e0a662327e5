//! WebAssembly as text in a JavaScript file. Read by pkg-template/src/start/text.ts, which says how.

/// The characters, in the order of their numbers: ASCII without what would need
/// an escape in quotes, in a template or in HTML.
const ALPHABET: &[u8] = b" !#%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~";

/// How many of them begin a pair.
const PAIRS: usize = 2;

/// The module with the text of a wasm.
pub fn module(wasm: &[u8]) -> String {
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

    let text: Vec<u8> = wasm.iter().flat_map(|&byte| codes[usize::from(byte)].iter().copied()).collect();
    let frequent: String = is_single
        .chunks(4)
        .map(|bits| bits.iter().fold(0, |digit, &bit| digit << 1 | u32::from(bit)))
        .map(|digit| char::from_digit(digit, 16).unwrap_or('0'))
        .collect();
    format!(
        "/** Which bytes are one character. */\nexport const frequent: string = '{frequent}'\n/** The wasm. */\nexport const text: string = '{}'\n",
        String::from_utf8_lossy(&text)
    )
}
