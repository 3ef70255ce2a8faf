"""What others have named, on one line."""

import os
from pathlib import Path

from worker.terminal import shown_path


def test_shown_path_has_no_control_characters_and_escapes_what_is_no_text() -> None:
    path = Path(os.fsdecode(b"caf\xe9/\x1b[31m\n\xc3\xa9.html"))

    assert shown_path(path) == "caf\\xe9/\ufffd[31m\ufffdé.html"
