"""The numbers that decide between content and boilerplate."""

from dataclasses import dataclass, fields
from math import isfinite

from winnow.models.errors import OptionsError


@dataclass(frozen=True, slots=True)
class ContrastParameters:
    """What counts how much, in bits unless it says otherwise.

    The values are those that `python -m winnow.lab.train.contrast tune` found on the
    training part of the development pages (docs/decisions/contrast-engine.md).

    Attributes:
        offset: margin of a token (log2 P by the model of content minus log2 P by that of
            boilerplate) at which it speaks for neither; the threshold of the engine.
        bit: factor of the margin.
        most_bits: bound of the mean margin of a block, on both sides.
        unknown: added to the margin of a token that the model of content never met.
        unseen: added to the margin of a token that the model of boilerplate never met: that one was
            counted on little text, where a word that is missing says more than its floor.
        most_tokens: tokens of a block that count.
        linked_token: against content, a linked token.
        most_linked: tokens that count for it.
        link_block: against content, a block of which links hold more than half.
        block: against content, each block: boilerplate comes in short ones.
        heading, paragraph: for content, blocks of these kinds.
        path: factor of the mean over the blocks of the same tag path.
        most_path: bound of a block in that mean, on both sides.
        switch: against each change between content and boilerplate along the page.
        edge: against content at both ends of the page.
        least_share: share of a page's tokens below which it is judged again with all blocks
            raised, 0 to 1: no page is emptied.

    Raises:
        OptionsError: a value is no number.
    """

    offset: float = -0.5
    bit: float = 1.0
    most_bits: float = 1.1
    unknown: float = 0.5
    unseen: float = 10.0
    most_tokens: float = 50.0
    linked_token: float = 5.0
    most_linked: float = 30.0
    link_block: float = 25.0
    block: float = 15.0
    heading: float = 10.0
    paragraph: float = 20.0
    path: float = 1.0
    most_path: float = 40.0
    switch: float = 80.0
    edge: float = 50.0
    least_share: float = 0.1

    def __post_init__(self) -> None:
        """Refuse what is no number."""
        for field in fields(self):
            if not isfinite(getattr(self, field.name)):
                raise OptionsError(f"{field.name} is no number: {getattr(self, field.name)}")
