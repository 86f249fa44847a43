"""One file per command, named like it in filters: all its forms and versions, in `FRAMES`."""
