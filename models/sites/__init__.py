"""Blocks that pages of one host share: boilerplate that no page shows by itself."""

from models.sites.memory import SiteMemory, SiteOptions
from models.sites.seen import seen_verdicts

__all__ = ["SiteMemory", "SiteOptions", "seen_verdicts"]
