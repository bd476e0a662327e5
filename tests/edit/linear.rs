//! Linear: growth is counted in moves, not in time.

use crate::pieces::PIECES;
use crate::support::{self, Random};
use tokenweir::edit::{EditParser, LONGEST_HEADER, Options};

/// Most moves for a byte: a header is read again as text, once or twice.
const MOVES_A_BYTE: u64 = 6;

fn cost(text: &str, size: usize) -> (u64, u32) {
    let mut parser = EditParser::new(Options::default());
    let mut most = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = size.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        parser.feed(piece).unwrap();
        most = most.max(parser.held());
        rest = after;
    }
    parser.finish();
    (parser.steps(), most)
}

fn repeated(open: &str, unit: &str, len: usize) -> String {
    format!("{open}{}", unit.repeat(len.div_ceil(unit.len())))
}

#[test]
fn moves_grow_with_the_text_and_not_with_its_square() {
    for input in support::adversarial_inputs("edit") {
        for size in [1, 4, usize::MAX] {
            let (short, long) = (input.text(15_000), input.text(60_000));
            let ((few, _), (many, held)) = (cost(&short, size), cost(&long, size));
            let place = format!("{} in chunks of {size}", input.name);
            assert!(many <= input.steps * long.len() as u64 + 8, "{place}: {many} moves for {} bytes", long.len());
            assert!(many <= few * 4 * 21 / 20 + 30_000, "{place}: {few} moves grow to {many}");
            assert!(held <= input.held, "{place}: {held} units were held");
        }
    }
}

#[test]
fn no_unit_of_some_pieces_grows_faster() {
    let seed = support::seed();
    eprintln!("SEED={seed}");
    let mut random = Random::new(seed);
    let long = format!("--- {}\n", "a".repeat(LONGEST_HEADER as usize - 8));
    let mut pieces = PIECES.to_vec();
    pieces.push(&long);
    for _ in 0..400 {
        let unit: String = (0..=random.below(6))
            .map(|_| pieces[random.below(pieces.len())].repeat(1 + random.below(2) * random.below(20)))
            .collect();
        let open = [
            "",
            "*** Begin Patch\n",
            "*** Begin Patch\n*** Update File: a\n",
            "--- a\n+++ b\n@@ -1 +1 @@\n",
            "a.b\n<<<<<<< SEARCH\n",
        ][random.below(5)];
        let size = [1, 4, usize::MAX][random.below(3)];
        let [few, many] = [60_000, 240_000].map(|len| cost(&repeated(open, &unit, len), size).0);
        let place = format!("SEED={seed} {open:?} and {unit:?} in chunks of {size}");
        assert!(many <= MOVES_A_BYTE * 250_000, "{place}: {many} moves");
        // The first unit may stand in another place than those after it, and a unit may be longer than the short text.
        let first = MOVES_A_BYTE * unit.len() as u64;
        assert!(many <= few * 4 * 21 / 20 + 60_000 + first, "{place}: {few} moves grow to {many}");
    }
}

#[test]
fn a_header_is_pending_up_to_its_bound() {
    for (front, most) in [
        ("*** Begin Patch\n*** Update File: ", LONGEST_HEADER),
        ("*** Begin Patch\n*** Update File: a\n@@ ", LONGEST_HEADER + 32),
        ("--- ", LONGEST_HEADER),
        ("--- a\n+++ ", LONGEST_HEADER + 6),
        ("--- a\n+++ b\n@@ ", LONGEST_HEADER),
    ] {
        let (_, held) = cost(&format!("{front}{}", "a".repeat(20_000)), 1);
        assert!(held <= most && held >= LONGEST_HEADER, "{front:?}: {held}");
    }
}
