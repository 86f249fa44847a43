"""Exceptions that users see.

Malformed traffic never raises: it becomes problems, gaps and events. A bad file, option or schema
raises, and the command line prints the message as one line on stderr.
"""


class StreamsharkError(Exception):
    """An error that the user can fix: a file, an option, a name. Its message is one line."""

    exit_code = 2
    """Exit code of the command line (2: usage error, bad filter, nothing readable)."""
    details = ""
    """Lines that the command line prints below the message; empty for most errors."""


class SchemaError(StreamsharkError):
    """A schema breaks a rule of the vocabulary; raised when it is walked, naming the field."""
