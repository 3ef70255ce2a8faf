"""Header names that are not UTF-8, as clients in C and Go may send them."""


class RawName(str):
    """A header name that the slower batch builder of aiokafka writes after two odd bytes."""

    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return b"\xff\xfe" + super().encode(encoding, errors)
