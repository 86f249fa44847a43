"""Scenarios on 3.10 by hand."""
