//! Placeholder until the engine lands in the next commits.
