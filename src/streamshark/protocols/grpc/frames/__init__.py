"""One module for each frame."""
