"""One module for each message, with all of its layouts."""
