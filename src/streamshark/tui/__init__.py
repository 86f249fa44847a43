"""The terminal interface: screens of an index, for `streamshark tui`."""
