"""A cached result <-> the bytes that are stored for it."""

import struct
from typing import Final

import zstandard

from streams.cache import CachedResult

# bytes of the digest, bytes of the document in the frame; then the digest and one zstd frame
# that holds document and stats
_HEADER: Final = struct.Struct(">BI")
_LEVEL: Final = 3  # zstd's own default


class DamagedValue(ValueError):  # noqa: N818 - names what was found
    """The bytes are none that `pack` wrote, or were changed since."""


class ValueCodec:
    """Packs and unpacks; not for two threads at once, as the zstd contexts are reused."""

    def __init__(self, max_bytes: int) -> None:
        """Unpack no frame of more than `max_bytes`, whatever its header promises."""
        self._max_bytes = max_bytes
        # the checksum finds damage that would still be a valid frame
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self._decompressor = zstandard.ZstdDecompressor()

    def pack(self, result: CachedResult) -> bytes:
        """Return the bytes to store."""
        digest = result.content_digest.encode()
        frame = self._compressor.compress(result.document + result.stats)
        return _HEADER.pack(len(digest), len(result.document)) + digest + frame

    def unpack(self, stored: bytes) -> CachedResult:
        """Return the result.

        Raises:
            DamagedValue: these bytes hold no result.
        """
        try:
            digest_bytes, document_bytes = _HEADER.unpack_from(stored)
            digest = stored[_HEADER.size : _HEADER.size + digest_bytes].decode("ascii")
            content = self._content(stored[_HEADER.size + digest_bytes :])
        except (struct.error, zstandard.ZstdError, UnicodeDecodeError) as error:
            raise DamagedValue(type(error).__name__) from error
        if document_bytes > len(content):
            raise DamagedValue("shorter than its document")
        return CachedResult(digest, content[:document_bytes], content[document_bytes:])

    def _content(self, frame: bytes) -> bytes:
        # zstandard trusts the size in the frame's header, so it is looked at first
        if zstandard.frame_content_size(frame) > self._max_bytes:
            raise DamagedValue("larger than any value that is stored")
        return self._decompressor.decompress(frame, allow_extra_data=False)
