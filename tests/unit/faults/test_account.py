"""The account of a mixture: a page that is lost, repeated or out of order is told."""

from streams.records import Incoming
from tests.faults.account import account


def a_page(offset: int, url: bytes = b"https://example.org/") -> Incoming:
    return Incoming("pages", 0, offset, url, b"body")


def an_output(page: Incoming, topic: str, partition: int = 0) -> Incoming:
    return Incoming(topic, partition, 0, page.key, b"", (("source", page.source.encode()),))


def outputs(pages: list[Incoming], topic: str = "documents") -> list[Incoming]:
    return [an_output(page, topic) for page in pages]


def test_every_page_with_an_outcome_leaves_nothing_to_tell() -> None:
    pages = [a_page(number, b"https://example.org/%d" % number) for number in range(4)]

    settled = account(pages, outputs(pages[:3]), outputs(pages[:3]), outputs(pages[3:]))

    assert (settled.pages, settled.documents, settled.dead) == (4, 3, 1)
    assert settled.repeated == 0
    assert settled.lost == settled.unfounded == settled.without_stats == settled.out_of_order == ()


def test_a_page_without_an_outcome_is_lost() -> None:
    pages = [a_page(number) for number in range(3)]

    settled = account(pages, outputs(pages[:2]), outputs(pages[:2]), [])

    assert settled.lost == ("pages/0/2",)


def test_a_version_is_lost_though_its_url_has_another_document() -> None:
    older, newer = a_page(0), a_page(1)

    settled = account([older, newer], outputs([newer]), outputs([newer]), [])

    assert settled.lost == ("pages/0/0",)


def test_a_page_that_is_done_again_is_repeated() -> None:
    pages = [a_page(0, b"a"), a_page(1, b"b")]

    settled = account(pages, outputs([*pages, *pages]), outputs(pages), outputs(pages[:1]))

    assert settled.repeated == 2
    assert settled.documents == 2
    assert settled.dead == 1


def test_a_record_without_a_page_is_unfounded() -> None:
    page, other = a_page(0), a_page(7)

    settled = account([page], outputs([page, other]), outputs([page, other]), [])

    assert settled.unfounded == ("pages/0/7",)


def test_a_document_without_statistics_is_told() -> None:
    pages = [a_page(0), a_page(1)]

    settled = account(pages, outputs(pages), outputs(pages[1:]), [])

    assert settled.without_stats == ("pages/0/0",)


def test_a_repeated_batch_is_in_order() -> None:
    pages = [a_page(number) for number in range(3)]

    settled = account(pages, outputs([*pages, *pages]), outputs(pages), [])

    assert settled.out_of_order == ()


def test_an_older_version_behind_the_last_is_out_of_order() -> None:
    pages = [a_page(number) for number in range(2)]

    settled = account(pages, outputs([*pages, pages[0]]), outputs(pages), [])

    assert len(settled.out_of_order) == 1
    assert "the last document is not of the last version: [0, 1, 0]" in settled.out_of_order[0]


def test_a_version_that_overtakes_another_is_out_of_order() -> None:
    first, second, third = (a_page(number) for number in range(3))

    settled = account([first, second, third], outputs([second, first, third]), [], [])

    assert "versions first seen in the order [1, 0, 2]" in settled.out_of_order[0]


def test_documents_of_one_url_in_two_partitions_are_out_of_order() -> None:
    page = a_page(0)
    documents = [an_output(page, "documents", partition) for partition in (0, 1)]

    settled = account([page], documents, outputs([page]), [])

    assert "documents in partitions [0, 1]" in settled.out_of_order[0]
