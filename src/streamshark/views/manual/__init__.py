"""Pages of the manual, generated from schemas and rules."""
