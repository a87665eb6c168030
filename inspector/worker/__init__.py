"""The only code that may load native inference: a child process, its protocol and its tasks."""
