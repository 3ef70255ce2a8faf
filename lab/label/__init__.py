"""A page on which people mend gold texts, block by block (docs/labelling.md)."""
