"""The graph view: paints from arrays, no object per node."""
