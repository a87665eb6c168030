"""The window: the only code that may import Qt."""
