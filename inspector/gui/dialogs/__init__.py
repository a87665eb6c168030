"""Dialogs: sizes of dynamic dimensions, crash report, what to do with unsaved work."""
