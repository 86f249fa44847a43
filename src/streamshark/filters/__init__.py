"""Display filters in Wireshark's language: parsed, typed by the registry of fields, compiled."""
