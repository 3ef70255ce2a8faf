"""CRC-32C (Castagnoli, 1993), by the processor's own instruction where it has one."""

from winnow.models._kernel import crc32c

__all__ = ["crc32c"]
