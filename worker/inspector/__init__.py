"""The inspector: a web page that shows what a cleaner keeps and why, and its JSON API."""
