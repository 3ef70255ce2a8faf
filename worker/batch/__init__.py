"""Cleaning without a broker: files, folders, archives, lines."""
