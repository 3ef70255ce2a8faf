"""Blocks that pages of one host share: boilerplate that no page shows by itself."""

from winnow.models.sites.memory import SiteMemory, SiteOptions

__all__ = ["SiteMemory", "SiteOptions"]
