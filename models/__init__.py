"""What text stays: pages to blocks, the language model, engines, the cleaner."""
