"""What is used of nemo_curator."""
