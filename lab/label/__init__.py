"""Correct gold texts block by block in a browser (docs/labelling.md)."""
