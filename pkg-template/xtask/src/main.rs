//! The build program of the npm package. `cargo xtask build` makes `pkg/`.

fn main() {}
