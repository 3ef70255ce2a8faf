"""Labelled pages: their readers, gold texts, parts and tasks."""
