"""Compare cleaned text with what people say is the content of a page."""
