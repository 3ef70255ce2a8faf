"""What has changed between two documents, by field."""

import json
from typing import Any

from winnow.streams.operator.changes import Changes, digests_of


def document(**fields: Any) -> bytes:  # noqa: ANN401
    return json.dumps(
        {"url": "u", "text": "a", "tags": ["x"], "wishes": {"a": 1, "b": 2}} | fields
    ).encode()


def counted(before: bytes | None, after: bytes | None) -> Changes:
    changes = Changes()
    changes.count(*(each if each is None else digests_of(each) for each in (before, after)))
    return changes


def test_fields_with_another_value_are_counted_in_any_member_order() -> None:
    changed = counted(document(), document(text="b", licence="c", wishes={"b": 2, "a": 1}))

    assert (changed.compared, changed.same) == (1, 0)
    assert changed.fields == {"text": 1, "licence": 1}
    assert counted(document(), document()).same == 1


def test_documents_that_came_or_went_are_not_compared() -> None:
    assert counted(None, document()).added == 1
    assert counted(document(), None).gone == 1
    assert counted(None, None) == Changes()
