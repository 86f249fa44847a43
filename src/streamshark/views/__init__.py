"""Views of rows: text, trees, hex dumps, JSON, columns of fields."""
