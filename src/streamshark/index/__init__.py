"""The index of captures: any row at once, without reading what comes before it."""
