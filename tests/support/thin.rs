//! How much is tried: all of it, or an n-th where `THIN=n` says so. For runs
//! that are many (a mutant each) or slow (Miri).

/// What of so many random texts or cuts is tried; one at least.
pub fn thinned(count: usize) -> usize {
    count.div_ceil(thinness())
}

/// For `step_by`: each, or each n-th.
pub fn thinness() -> usize {
    std::env::var("THIN")
        .map_or(1, |thin| thin.parse().ok().filter(|&thin| thin > 0).expect("THIN is a number above 0"))
}
