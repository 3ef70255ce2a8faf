"""A cached result <-> the bytes that are stored for it under a key."""

import struct
from dataclasses import dataclass
from hashlib import blake2b
from hmac import compare_digest
from typing import Final

import zstandard

from winnow.streams.cache.results import CachedResult, CacheKey
from winnow.streams.errors import DamagedValue

# page digest, lengths of the frame, the document and the stats; then one zstd frame with document
# and stats; then, with a secret, the MAC of the key and all previous bytes
_HEADER: Final = struct.Struct(">32sIII")
_LEVEL: Final = 1  # documents get 2 % larger than at zstd's default, in two thirds of its time
_MAC_BYTES: Final = 32
_NAME_BYTES: Final = 8


class ValueAuthentication:
    """Recognizes values that a holder of the secret has written under their key."""

    def __init__(self, secret: bytes) -> None:
        """Derive the signing key from a secret of any length."""
        self._key = blake2b(secret, person=b"winnow mac").digest()
        name = blake2b(secret, digest_size=_NAME_BYTES, person=b"winnow name")
        self.name: Final = name.hexdigest()
        """Identifies the secret in cache keys: values of another secret are simply not found."""

    def mac(self, key: CacheKey, value: bytes) -> bytes:
        """Return the MAC of a value under its key."""
        name = key.encode()
        mac = blake2b(len(name).to_bytes(4), key=self._key, digest_size=_MAC_BYTES)
        mac.update(name)
        mac.update(value)
        return mac.digest()


@dataclass(frozen=True, slots=True)
class PackedResult:
    """A stored value of which only the header has been read.

    Attributes:
        page_digest: from the header; nothing is verified before the value is opened.
        content_bytes: unpacked size, document plus stats.
    """

    page_digest: str
    content_bytes: int
    _codec: "ValueCodec"
    _key: CacheKey
    _stored: bytes

    def open(self) -> CachedResult:
        """Authenticate and unpack.

        Raises:
            DamagedValue: the bytes are not a valid result.
        """
        return self._codec.unpack(self._key, self._stored)


class ValueCodec:
    """Packs and unpacks; not thread-safe, because it reuses its zstd contexts."""

    def __init__(self, max_bytes: int, authentication: ValueAuthentication | None = None) -> None:
        """Unpack at most `max_bytes`, and with `authentication` only signed values."""
        self._max_bytes = max_bytes
        self._authentication = authentication
        self._mac_bytes = _MAC_BYTES if authentication else 0
        # the checksum finds damage that leaves the frame valid
        self._compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
        self._decompressor = zstandard.ZstdDecompressor()

    def pack(self, key: CacheKey, result: CachedResult) -> bytes:
        """Return the bytes to store."""
        frame = self._compressor.compress(result.document + result.stats)
        sizes = len(frame), len(result.document), len(result.stats)
        value = _HEADER.pack(bytes.fromhex(result.page_digest), *sizes) + frame
        return value + self._authentication.mac(key, value) if self._authentication else value

    def stored_bytes(self, stored: bytes) -> int:
        """Return the length of the whole value that begins with these bytes.

        Raises:
            DamagedValue: the bytes are not a valid header.
        """
        _, frame_bytes, _, _ = _header(stored)
        return _HEADER.size + frame_bytes + self._mac_bytes

    def read(self, key: CacheKey, stored: bytes) -> PackedResult:
        """Read the header of a value.

        Raises:
            DamagedValue: there is no valid header, or its size is above the limit.
        """
        digest, frame_bytes, document_bytes, stats_bytes = _header(stored)
        if len(stored) != _HEADER.size + frame_bytes + self._mac_bytes:
            raise DamagedValue("length does not match its header")
        content_bytes = document_bytes + stats_bytes
        if content_bytes > self._max_bytes:
            raise DamagedValue("larger than the limit for stored values")
        return PackedResult(digest.hex(), content_bytes, self, key, stored)

    def unpack(self, key: CacheKey, stored: bytes) -> CachedResult:
        """Return the result.

        Raises:
            DamagedValue: the bytes are not a valid result, or not signed.
        """
        content_bytes = self.read(key, stored).content_bytes
        digest, frame_bytes, document_bytes, _ = _header(stored)
        end = _HEADER.size + frame_bytes
        if self._authentication:
            right = self._authentication.mac(key, stored[:end])
            if not compare_digest(right, stored[end:]):
                raise DamagedValue("not signed with the key of this worker")
        content = self._content(stored[_HEADER.size : end], content_bytes)
        return CachedResult(digest.hex(), content[:document_bytes], content[document_bytes:])

    def _content(self, frame: bytes, content_bytes: int) -> bytes:
        """Unpack a frame into a buffer of the verified size; zstd never writes past it."""
        try:
            # zstandard allocates the size in the frame's header, so that is checked first
            if zstandard.frame_content_size(frame) != content_bytes:
                raise DamagedValue("the size of the frame does not match the header")
            content = self._decompressor.decompress(frame, allow_extra_data=False)
        except zstandard.ZstdError as error:
            raise DamagedValue(str(error)) from None
        if len(content) != content_bytes:
            raise DamagedValue("shorter than its frame declares")
        return content


def _header(stored: bytes) -> tuple[bytes, int, int, int]:
    try:
        digest, frame_bytes, document_bytes, stats_bytes = _HEADER.unpack_from(stored)
    except struct.error:
        raise DamagedValue("shorter than a header") from None
    return digest, frame_bytes, document_bytes, stats_bytes
