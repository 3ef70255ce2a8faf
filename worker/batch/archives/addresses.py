"""Tell public Internet addresses from addresses of this machine and its local networks.

The ranges are listed here, because the ranges in `ipaddress` differ between Python versions.
"""

from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
# IANA's special-purpose registries, multicast, and anycast addresses, which may lead to a local
# machine. No page is published on any of them.
_NOT_PUBLIC: Final = (
    IPv4Network("0.0.0.0/8"),
    IPv4Network("10.0.0.0/8"),
    IPv4Network("100.64.0.0/10"),  # shared by customers of a carrier
    IPv4Network("127.0.0.0/8"),
    IPv4Network("169.254.0.0/16"),  # link-local
    IPv4Network("172.16.0.0/12"),
    IPv4Network("192.0.0.0/24"),  # protocols; .9 and .10 are the nearest port mapper and relay
    IPv4Network("192.0.2.0/24"),  # for documentation
    IPv4Network("192.31.196.0/24"),  # AS112, the nearest name server for private addresses
    IPv4Network("192.52.193.0/24"),  # the nearest multicast relay
    IPv4Network("192.88.99.0/24"),  # relays of 6to4, withdrawn
    IPv4Network("192.168.0.0/16"),
    IPv4Network("192.175.48.0/24"),  # AS112 too
    IPv4Network("198.18.0.0/15"),  # for benchmarks
    IPv4Network("198.51.100.0/24"),  # for documentation
    IPv4Network("203.0.113.0/24"),  # for documentation
    IPv4Network("224.0.0.0/3"),  # multicast, reserved, broadcast
    IPv6Network("2001::/23"),  # protocols: Teredo and others lead to an address of IPv4 inside
    IPv6Network("2001:db8::/32"),
    IPv6Network("2002::/16"),  # 6to4: an address of IPv4 inside
    IPv6Network("2620:4f:8000::/48"),  # AS112
    IPv6Network("3fff::/20"),  # for documentation
)


def is_public(address: str) -> bool:
    """Whether anybody on the Internet can connect to an address.

    An IPv6 address that contains an IPv4 address is not public, unless it is an IPv4-mapped
    address and the IPv4 address is public.
    """
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return not parsed.scope_id and is_public(str(parsed.ipv4_mapped))
        if parsed.scope_id or parsed not in _GLOBAL_UNICAST:
            return False
    return not any(
        parsed in network for network in _NOT_PUBLIC if network.version == parsed.version
    )
