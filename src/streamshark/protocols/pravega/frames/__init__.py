"""One file per command with its own reply, named as in `WireCommands`; `FRAMES` in each."""
