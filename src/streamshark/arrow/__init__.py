"""Tables as Arrow: the columns of rows and of each command."""
