"""What a page says about itself: title, author, dates, addresses, subject, licence.

One rule a field, first source that gives a usable value, and nothing is guessed. The rules stand in
the kernel, `models/kernel/src/metadata`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the page says about itself; each field empty when it says nothing.

    Attributes:
        canonical_url, image, licence: absolute, http or https.
        author: one name, or several as the page joins them.
        published_at, modified_at: RFC 3339, a date alone when the page gives no time.
        lang: language tag as the page spells it.
        sources: where the page says it, by name of the field.
    """

    title: str = ""
    canonical_url: str = ""
    author: str = ""
    published_at: str = ""
    modified_at: str = ""
    site_name: str = ""
    lang: str = ""
    description: str = ""
    image: str = ""
    section: str = ""
    tags: tuple[str, ...] = ()
    licence: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
