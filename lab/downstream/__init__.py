"""Effects of cleaning on later work: classification, search and energy."""
