"""The protocols: one complete folder each, and what joins and finds them."""
