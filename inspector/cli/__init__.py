"""The command line: the only code that prints.

Each command is a module with `run(argv, language) -> int`; `main` imports the one that was asked for and nothing else,
so that `--help` and `--version` cost little more than starting Python.
"""
