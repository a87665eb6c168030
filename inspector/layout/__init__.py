"""Where to draw it: pure geometry in pixels, from index arrays to boxes and polylines."""
