"""What is used of langchain-core."""
