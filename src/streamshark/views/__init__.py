"""Rows as people and programs read them: text, trees, bytes, JSON, columns of fields."""
