"""The check of words reports what it should, at its line."""

import pytest

from tests.plain_words import problems


@pytest.mark.parametrize(
    ("name", "source", "found"),
    [
        (
            "a.py",
            '"""Text.\n\nIt stands\nbehind it."""\n',
            ["a.py:3: 'stands'", "a.py:4: 'behind'"],
        ),
        ("a.py", "told = 1  # so many\n", ["a.py:1: 'so many'"]),
        ("a.py", "# a value that is\n", []),
        ("a.py", 'x = "is no number"\n', ["a.py:1: 'is no'"]),
        ("a.py", 'x = "if there is no number, it is no longer used"\n', []),
        ("a.py", '"""Return it, or None if there is none; the default is None."""\n', []),
        ("a.py", '"""A star stands for any name."""\n', []),
        ("a.py", '"""Two pages a second."""\n', ["a.py:1: 'pages a second'"]),
        ("a.py", '"""Start `python -m worker.beside`."""\n', []),
        ("a.py", "def test_a_change_is_told() -> None: ...\n", ["a.py:1: 'told'"]),
        ("a.rs", "let told = 1; // Whoever asks\n", ["a.rs:1: 'Whoever'"]),
        ("a.js", "// asked\nconst told = 1;\n", []),
        ("a.yaml", "# one\n# made anew\n", ["a.yaml:2: 'anew'"]),
        ("a.md", "# What was changed\n\nAll. What is old, goes.\n", ["a.md:3: 'What is'"]),
        ("a.md", "Ask. What is old?\nThe cost is that of a parse.", ["a.md:2: 'that of'"]),
        ("a.svg", "told", []),
    ],
)
def test_words_are_found_in_what_people_read(name: str, source: str, found: list[str]) -> None:
    lines = list(problems(name, source))

    assert [line.rsplit(": ", 1)[0] for line in lines] == found
