"""The parameters that decide between content and boilerplate."""

from dataclasses import dataclass, fields
from math import isfinite

from winnow.models.errors import OptionsError


@dataclass(frozen=True, slots=True)
class ContrastParameters:
    """Weights, in bits unless stated otherwise.

    The values were found by `python -m winnow.lab.train.contrast tune` on the training part of the
    development pages (docs/decisions/contrast-engine.md).

    Attributes:
        offset: margin of a token (log2 P by the content model minus log2 P by the boilerplate
            model) that favours neither; the threshold of the engine.
        bit: factor of the margin.
        most_bits: limit of the mean margin of a block, on both sides.
        unknown: added to the margin of a token that is not in the content model.
        unseen: added to the margin of a token that is not in the boilerplate model: it was
            trained on little text, so a missing word means more than its lowest probability.
        most_tokens: tokens of a block that count.
        linked_token: against content, a linked token.
        most_linked: tokens that count for it.
        link_block: against content, a block with more than half of its text in links.
        block: against content, each block: boilerplate has short blocks.
        heading, paragraph: for content, blocks of these kinds.
        path: factor of the mean over the blocks of the same tag path.
        most_path: limit of a block in that mean, on both sides.
        switch: against each change between content and boilerplate along the page.
        edge: against content at both ends of the page.
        least_share: share of a page's tokens below which it is judged again with all blocks
            raised, 0 to 1: so no page becomes empty.

    Raises:
        OptionsError: a value is not a number.
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
        """Validate the values."""
        for field in fields(self):
            if not isfinite(getattr(self, field.name)):
                raise OptionsError(
                    f"{field.name} must be a number, not {getattr(self, field.name)}"
                )
