"""Qt item models over core tuples."""
