"""Side and bottom panels; each shows values and emits intents."""
