"""`python -m tests.messages`: write docs/messages.md and docs/asyncapi.json.

The examples come from a real worker on the embedded broker, everything else from the schemas.
"""

from tests.messages import examples, pages


def main() -> None:
    """Write both files."""
    made = examples.made()
    pages.ASYNCAPI.write_text(pages.asyncapi_text(made), encoding="utf-8")
    text = pages.PAGE.read_text(encoding="utf-8")
    pages.PAGE.write_text(pages.page(text, made), encoding="utf-8")


if __name__ == "__main__":
    main()
