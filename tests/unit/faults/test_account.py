"""The account of a mixture reports lost, mistaken, repeated and misordered pages."""

from dataclasses import replace

from tests.faults.account import account
from winnow.streams.records import Incoming


def a_page(offset: int, url: bytes = b"https://example.org/") -> Incoming:
    return Incoming("pages", 0, offset, url, b"body")


def an_output(page: Incoming, topic: str, partition: int = 0) -> Incoming:
    return Incoming(topic, partition, 0, page.key, b"", (("source", page.source.encode()),))


def outputs(pages: list[Incoming], topic: str = "documents") -> list[Incoming]:
    return [an_output(page, topic) for page in pages]


def test_pages_with_outcomes_leave_no_problems() -> None:
    pages = [a_page(number, b"https://example.org/%d" % number) for number in range(4)]

    settled = account(pages, outputs(pages[:3]), outputs(pages[:3]), outputs(pages[3:]))

    assert (settled.pages, settled.documents, settled.dead) == (4, 3, 1)
    assert settled.repeated == 0
    assert settled.lost == settled.unfounded == settled.without_stats == settled.out_of_order == ()


def test_a_page_without_an_outcome_is_lost() -> None:
    pages = [a_page(number) for number in range(3)]

    settled = account(pages, outputs(pages[:2]), outputs(pages[:2]), [])

    assert settled.lost == ("pages/0/2",)


def test_a_version_is_lost_even_if_its_url_has_another_document() -> None:
    older, newer = a_page(0), a_page(1)

    settled = account([older, newer], outputs([newer]), outputs([newer]), [])

    assert settled.lost == ("pages/0/0",)


def test_a_page_that_is_done_again_is_repeated() -> None:
    pages = [a_page(0, b"a"), a_page(1, b"b")]

    settled = account(pages, outputs([*pages, *pages]), outputs(pages), outputs(pages[:1]))

    assert settled.repeated == 2
    assert settled.documents == 2
    assert settled.dead == 1


def test_an_output_without_a_page_is_unfounded() -> None:
    page, other = a_page(0), a_page(7)

    settled = account([page], outputs([page, other]), outputs([page, other]), [])

    assert settled.unfounded == ("pages/0/7",)


def test_a_document_without_statistics_is_reported() -> None:
    pages = [a_page(0), a_page(1)]

    settled = account(pages, outputs(pages), outputs(pages[1:]), [])

    assert settled.without_stats == ("pages/0/0",)


def test_a_repeated_batch_is_in_order() -> None:
    pages = [a_page(number) for number in range(3)]

    settled = account(pages, outputs([*pages, *pages]), outputs(pages), [])

    assert settled.out_of_order == ()


def test_an_older_version_after_the_last_is_out_of_order() -> None:
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


def a_tombstone(page: Incoming, topic: str = "documents") -> Incoming:
    return replace(an_output(page, topic), value=None)


def with_status(page: Incoming, status: bytes) -> Incoming:
    return replace(page, headers=(("status", status),))


def test_pages_are_documents_deleted_skipped_and_dead() -> None:
    there, dead = a_page(0, b"a"), a_page(1, b"b")
    gone, none = with_status(a_page(2, b"c"), b"410"), replace(a_page(3, b"d"), value=None)
    skipped = with_status(a_page(4, b"e"), b"503")
    documents = [an_output(there, "documents"), a_tombstone(gone), a_tombstone(none)]

    settled = account([there, dead, gone, none, skipped], documents, documents, outputs([dead]))

    assert (settled.documents, settled.deleted, settled.skipped, settled.dead) == (1, 2, 1, 1)
    assert settled.lost == settled.mistaken == settled.without_stats == ()


def test_a_page_that_is_gone_without_tombstones_is_lost() -> None:
    gone = with_status(a_page(0), b"404")

    assert account([gone], [], [], []).lost == ("pages/0/0",)


def test_a_page_with_an_unexpected_outcome_is_reported() -> None:
    there, gone = a_page(0, b"a"), with_status(a_page(1, b"b"), b"404")
    skipped = with_status(a_page(2, b"c"), b"500")
    documents = [a_tombstone(there), an_output(gone, "documents"), an_output(skipped, "documents")]

    settled = account([there, gone, skipped], documents, documents, [])

    assert settled.mistaken == ("pages/0/0", "pages/0/1", "pages/0/2")


def test_a_tombstone_only_in_documents_is_reported() -> None:
    gone = with_status(a_page(0), b"404")

    settled = account([gone], [a_tombstone(gone)], [an_output(gone, "stats")], [])

    assert settled.without_stats == ("pages/0/0", "pages/0/0")


def test_a_deletion_before_the_page_it_deletes_is_out_of_order() -> None:
    page, gone = a_page(0), with_status(a_page(1), b"404")
    documents = [a_tombstone(gone), an_output(page, "documents")]

    settled = account([page, gone], documents, documents, [])

    assert len(settled.out_of_order) == 2
