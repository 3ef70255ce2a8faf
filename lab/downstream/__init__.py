"""What cleaning is good for: classification, search and energy on the cleaned pages."""
