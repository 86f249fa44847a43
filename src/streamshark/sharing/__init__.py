"""What people share of captures: less traffic, without secrets, with a report."""
