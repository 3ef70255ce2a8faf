"""Floors of quality that no engine may fall below."""
