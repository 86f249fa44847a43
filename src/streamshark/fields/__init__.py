"""The registry of fields: every name that outputs and filters use, with type and getter."""
