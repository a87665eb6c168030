"""Workspaces and verifications as files: JSON, Markdown."""
