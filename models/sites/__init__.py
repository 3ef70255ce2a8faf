"""Blocks that pages of one host share: boilerplate that a single page does not reveal."""

from winnow.models.sites.memory import SiteMemory, SiteOptions

__all__ = ["SiteMemory", "SiteOptions"]
