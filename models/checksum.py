"""CRC-32C (Castagnoli, 1993), digests of pages (BLAKE3) and Kafka's hash of a key."""

from winnow.models._kernel import content_digest, content_digests, crc32c, key_hash

__all__ = ["content_digest", "content_digests", "crc32c", "key_hash"]
