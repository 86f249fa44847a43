"""Segments to frames: cutting, the record decoder, layers, detection."""
