"""Web2Text: content as the best labelling of the leaves of the collapsed DOM."""
