"""Conversations to findings: rules, and what they found."""
