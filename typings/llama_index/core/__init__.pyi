"""What is used of llama-index-core."""
