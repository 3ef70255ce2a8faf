"""Web2Text: the content of a page as the best labelling of the leaves of its collapsed DOM."""

from models.structure.alignment import align, content_labels, matched_chars

__all__ = ["align", "content_labels", "matched_chars"]
