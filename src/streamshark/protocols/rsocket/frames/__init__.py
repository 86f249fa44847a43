"""One file per command, named like it in filters: version 1.0 and dialect 0.1, in `FRAMES`."""
