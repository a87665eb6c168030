"""Is it still the same: seeded inputs, error figures, limits, and the verdict on a comparison."""
