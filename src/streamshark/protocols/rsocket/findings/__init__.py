"""Rules of RSocket, by subject; `all_rules` has them all."""
