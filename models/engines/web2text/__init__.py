"""Web2Text: the content of a page as the best labelling of the leaves of its collapsed DOM."""
