"""One file per command, named as its filter: all its forms and versions; `FRAMES` is what each has."""
