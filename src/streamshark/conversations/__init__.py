"""Frames to conversations: pairing, lifecycles of objects, links across connections."""
