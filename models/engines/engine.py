"""The interface of engines: the rule by which the kernel judges pages."""

from typing import Protocol

from winnow.models._kernel import Rule


class Engine(Protocol):
    """Turns pages into verdicts. Implementations are immutable and thread-safe."""

    @property
    def name(self) -> str:
        """The name on the command line and in documents."""
        ...

    @property
    def threshold(self) -> float:
        """The threshold; its meaning depends on the engine."""
        ...

    @property
    def digest(self) -> str:
        """Hex SHA-256 of the engine's own parameters; empty if it has none."""
        ...

    @property
    def rule(self) -> Rule:
        """Which blocks of a page the kernel judges, and how."""
        ...
