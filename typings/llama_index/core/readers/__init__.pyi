"""What is used of llama_index.core.readers."""
