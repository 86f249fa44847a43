"""Prepare captures for others: without secrets, as small as their finding allows."""
