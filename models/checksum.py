"""CRC-32C (Castagnoli, 1993) and the digest of a page (BLAKE3), with vector instructions."""

from winnow.models._kernel import content_digest, crc32c

__all__ = ["content_digest", "crc32c"]
