"""Bytes of one frame to values: strict, shallow and lax decoders, generated from the schemas."""
