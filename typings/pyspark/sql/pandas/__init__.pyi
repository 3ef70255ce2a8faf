"""What is used of pyspark."""
