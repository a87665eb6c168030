"""Measurements of the product against its budgets: `python -m benchmarks layout --json`."""
