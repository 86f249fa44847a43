"""Wireshark plugins made from the schemas: one Lua file per protocol; how they are installed."""
