"""Scenarios on 4.x."""
