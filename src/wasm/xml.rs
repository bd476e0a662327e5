//! The elements of one text after the other.

use super::machine::machine;
use crate::xml::Tree;
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Tree = Tree::START, ();
    tree_pointer tree_size tree_run tree_finish tree_answer(|is_raw, _| Some(is_raw != 0))
}

/// At the start of a text.
#[wasm_bindgen]
pub fn tree_start() {
    at_work(|tree, ()| *tree = Tree::START);
}
