"""Print what a lock file has beyond another: `python3 beyond.py LOCK OTHER`."""

import re
import sys
from pathlib import Path

_ENTRY = re.compile(r"^\S.*\n(?:[ \t].*\n)*", re.MULTILINE)

if __name__ == "__main__":
    lock, other = (Path(path).read_text(encoding="utf-8") for path in sys.argv[1:])
    has = {entry.split("\\")[0] for entry in _ENTRY.findall(other)}
    sys.stdout.writelines(e for e in _ENTRY.findall(lock) if e.split("\\")[0] not in has)
