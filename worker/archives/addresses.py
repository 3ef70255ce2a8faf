"""Addresses of the Internet at large, told from those of the machine and its neighbours."""

from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
_NOT_PUBLIC: Final = (
    IPv4Network("192.88.99.0/24"),  # relays of 6to4, withdrawn
    IPv6Network("2001::/23"),  # protocols: Teredo and others lead to an address of IPv4 inside
    IPv6Network("2001:db8::/32"),
    IPv6Network("2002::/16"),  # 6to4: an address of IPv4 inside
    IPv6Network("3fff::/20"),  # for documentation
)


def is_public(address: str) -> bool:
    """Whether an address is one that anybody on the Internet may connect to.

    Loopback, private, link-local, shared, multicast and reserved ones are not; nor are those of
    IPv6 that stand for an address of IPv4, except a mapped one that is public itself.
    """
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return is_public(str(parsed.ipv4_mapped))
        if parsed.scope_id or parsed not in _GLOBAL_UNICAST:
            return False
    is_special = parsed.is_multicast or parsed.is_reserved or not parsed.is_global
    return not is_special and not any(
        parsed in network for network in _NOT_PUBLIC if network.version == parsed.version
    )
