"""Wireshark plugins made from the schemas: one Lua file per protocol, and how they are installed."""
