"""`python -m tests.plain_words`: find words that make sentences of the sources hard to read.

Checked are comments, strings and names of tests of Python, comments of Rust and JavaScript, and
whole files of a few other kinds, Markdown among them. `WORDS` is the whole list of words to avoid:
an author reads it, and the check reads it. The patterns fit the sentences of the project, so no
line needs an exception. Other names in code are not checked.
"""

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
# all files but the two that hold the words to find
CHECKED: Final = (".", ":!tests/plain_words.py", ":!tests/unit/docs/test_plain_words.py")

# a word or phrase -> what to write instead
WORDS: Final = {
    r"anew": "again, new",
    r"(?<![./_])besides?(?![./:_}])": "next to, and, with, in addition to",
    r"behind": "after, with",
    r"(?<!there )(?:is|are) (?-i:none)": "not a, invalid, missing",
    r"(?<!there )(?:is|are) no(?! longer)": "is not a",
    r"know?s no": "does not know, has no",
    r"lets? in": "accept",
    r"but for": "except",
    r"so many": "the number",
    r"stands?(?! for)": "is, occurs",
    r"th(?:at|ose) of": "the thing itself",
    r"told": "called, reported",
    r"whatever": "any, all, also",
    r"whoever": "who it is",
    r"(?<=[.;] )(?-i:What) (?:is|was|has|had|cannot|no|others)(?![^.]*\?)": "the thing itself",
    r"(?:bytes|documents|lines|pages|records|requests|rows|tokens) a"
    r" (?:batch|core|day|host|hour|line|minute|page|second)": "per",
}
_FOUND: Final = re.compile(
    "|".join(rf"\b(?P<w{number}>{word})\b" for number, word in enumerate(WORDS)), re.IGNORECASE
)
_COMMENT: Final = re.compile(r"(?m)//[/!]?(.*)$")
_WHOLE: Final = {"", ".css", ".md", ".sh", ".toml", ".tpl", ".yaml", ".yml"}


def texts(name: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a file that people read, with the number of their first line."""
    kind = Path(name).suffix
    if kind in {".py", ".pyi"}:
        read = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)}
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in read:
                yield token.start[0], token.string
            elif token.type == tokenize.NAME and token.string.startswith("test_"):
                yield token.start[0], token.string.replace("_", " ")
    elif kind in {".js", ".rs"}:
        for found in _COMMENT.finditer(source):
            yield source.count("\n", 0, found.start()) + 1, found[1]
    elif kind in _WHOLE:
        yield 1, source


def problems(name: str, source: str) -> Iterator[str]:
    """Yield one line for each word found in a file."""
    better = list(WORDS.values())
    for first, text in texts(name, source):
        for found in _FOUND.finditer(re.sub(r"\s", " ", text)):
            assert found.lastgroup
            line = first + text.count("\n", 0, found.start())
            yield f"{name}:{line}: {found[0]!r}: write {better[int(found.lastgroup[1:])]}"


def sources() -> Iterator[tuple[str, str]]:
    """Yield name and text of the files to check."""
    command = ["git", "ls-files", "-z", *CHECKED]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in listed.split("\0")[:-1]:
        path = ROOT / name
        if path.suffix in _WHOLE | {".js", ".py", ".pyi", ".rs"} and not path.is_symlink():
            yield name, path.read_text(encoding="utf-8")


def main() -> int:
    """Print the problems; return the exit code."""
    found = [line for name, source in sources() for line in problems(name, source)]
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
