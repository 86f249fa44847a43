"""The bulk path: the same data as Arrow columns, under the same names."""
