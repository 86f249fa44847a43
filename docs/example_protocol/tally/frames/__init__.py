"""One file for each command, with all its forms and versions in `FRAMES`."""
