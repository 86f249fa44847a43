"""The one exception that users meet.

Bad traffic never raises: it becomes problems, gaps and events. What raises is a bad file, a bad
option or a bad schema, and the command line turns it into one line on stderr.
"""


class StreamsharkError(Exception):
    """Something the user can mend: a file, an option, a name. The message is one line."""

    exit_code = 2
    """What the command line exits with (design: 2 is usage, bad filter, nothing readable)."""


class SchemaError(StreamsharkError):
    """A schema breaks a rule of the vocabulary; raised when it is walked, naming the field."""
