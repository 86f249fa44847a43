"""Segments to raw frames: heads, splitting, resynchronisation, carriers."""
