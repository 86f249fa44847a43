"""The command line: one module per command; arguments to values, a call, rows to a view."""
