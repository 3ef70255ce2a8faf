from fsspec.spec import AbstractFileSystem

class MemoryFileSystem(AbstractFileSystem):
    store: dict[str, object]
    pseudo_dirs: list[str]
    def size(self, path: str) -> int: ...
