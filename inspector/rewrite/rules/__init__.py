"""Rewrite rules, one file each; the registry imports this folder."""
