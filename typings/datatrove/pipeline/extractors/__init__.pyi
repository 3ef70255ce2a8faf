"""What is used of datatrove."""
