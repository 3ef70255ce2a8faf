"""Proof at import that the kernel reads lexbor's tree rightly: known markup, known blocks."""

import selectolax
from selectolax.lexbor import LexborHTMLParser

from winnow.models._kernel import walk

_VERSION = "1.0.2"

_MARKUP = (
    "<html lang=en><head><title>Known</title><meta name=author content='An author'></head>"
    "<body><h2>Head<b>ing</b></h2><p>Some <a href=/x>linked</a> text &amp; more"
    "<ul><li>one<li hidden>two<li x-custom-attribute-name=1 style='display: none'>three</ul>"
    "<script>no text</script><custom-element-of-its-own>tail</custom-element-of-its-own>"
)

_BLOCKS = [
    ("Heading", "heading", 2, "body/h2", 0),
    ("Some linked text & more", "paragraph", 0, "body/p", 6),
    ("one", "list_item", 1, "body/ul/li", 0),
    ("tail", "other", 0, "body", 0),
]

_DECLARED = [("lang", "en"), ("title", "Known"), ("meta:author", "An author")]


def check_tree_layout() -> None:
    """Walk a known document and compare.

    The version is compared first, because reading a tree of another layout may crash.

    Raises:
        ImportError: selectolax is another version, or its tree is not laid out as the kernel
            expects; there is no way to clean pages then.
    """
    if selectolax.__version__ != _VERSION:
        raise ImportError(
            f"the kernel reads the tree of selectolax {_VERSION}, "
            f"but {selectolax.__version__} is installed: install the pinned version"
        )
    blocks = walk(LexborHTMLParser(_MARKUP))
    found = [
        (block.text, block.kind.value, block.level, block.tag_path, block.link_chars)
        for block in map(blocks.block, range(len(blocks)))
    ]
    if found != _BLOCKS or blocks.declared != _DECLARED:
        raise ImportError(
            f"the kernel does not read the tree of selectolax {_VERSION} rightly: "
            f"expected {_BLOCKS} and {_DECLARED}, found {found} and {blocks.declared}"
        )
