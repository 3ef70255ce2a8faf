"""Other tools on the same pages."""
