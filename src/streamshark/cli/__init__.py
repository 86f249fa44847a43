"""The command line: one file per command, arguments to values, values to a call, rows to a view."""
