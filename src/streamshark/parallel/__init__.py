"""Reading captures in several processes, each a share of the connections, with rows in order."""
