"""Raw frames to rows: detection, negotiation, reassembly, embedded protocols."""
