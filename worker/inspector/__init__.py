"""The page on which one sees what a cleaner keeps of a page and why, and its JSON API."""
