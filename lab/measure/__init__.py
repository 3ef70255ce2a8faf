"""Compare cleaned text with gold texts."""
