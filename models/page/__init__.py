"""Bytes of a page to its blocks."""
