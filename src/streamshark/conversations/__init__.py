"""Frames to conversations: pairing, lives of objects, links across connections."""
