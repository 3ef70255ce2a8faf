"""Settings for people: the table of all names, and the values in use, redacted."""

from dataclasses import dataclass, fields

from winnow.worker.settings import Settings, variable_of


@dataclass(frozen=True, slots=True)
class SettingHelp:
    """One line of the table of settings."""

    variable: str
    meaning: str
    default: str


def help_lines() -> tuple[SettingHelp, ...]:
    """Return name, meaning and default of every setting, in their order."""
    return tuple(
        SettingHelp(variable_of(each.name), each.metadata["meaning"], shown(each.default))
        for each in fields(Settings)
    )


def redacted(settings: Settings) -> dict[str, str]:
    """Return every variable with a printable value: a secret shows only the path of its file."""
    return {
        variable_of(each.name): shown(getattr(settings, each.name)) for each in fields(settings)
    }


def shown(value: object) -> str:
    """Return a value as it would be written in the environment."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
