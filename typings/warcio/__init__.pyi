"""What is used of warcio."""
