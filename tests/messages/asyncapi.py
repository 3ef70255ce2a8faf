"""The schemas, the topics and example messages -> an AsyncAPI 3 document."""

from importlib.metadata import version
from typing import Any, Final

from tests.messages.examples import Examples
from tests.messages.schemas import NAMES, Json, schema
from winnow.streams.topics import TopicNames, TopicSpec, topic_specs

_JSON: Final = "application/json"
_BYTES: Final = "application/octet-stream"
_KAFKA: Final = "0.5.0"
_KEY: Final[Json] = {"type": "string", "description": "the URL of the page, in UTF-8"}
_NOTHING: Final[Json] = {"type": "null", "description": "no value: a tombstone"}
_RAW: Final[Json] = {"type": "string", "description": "the bytes of the page, as they were fetched"}
_ORIGINAL: Final[Json] = {"type": "string", "description": "the bytes of the original's value"}

# message -> what it is, schema of its headers, of its value, content type
_MESSAGES: Final[dict[str, tuple[str, str, Json | str, str]]] = {
    "rawPage": ("A page as it was fetched", "page_headers", _RAW, "text/html"),
    "jsonPage": ("A page in JSON", "page_headers", "page", _JSON),
    "deletion": ("A page that is gone", "page_headers", _NOTHING, _BYTES),
    "document": ("A cleaned page", "output_headers", "document", _JSON),
    "stats": ("What happened to a page, in numbers", "output_headers", "stats", _JSON),
    "tombstone": ("A page that is gone", "output_headers", _NOTHING, _BYTES),
    "deadLetter": ("A page that gives no document", "dead", _ORIGINAL, _BYTES),
    "stub": ("A pointer to a page that no dead letter can hold", "dead", "stub", _JSON),
}
# channel -> the topic's name, what a worker does with it, its messages
_CHANNELS: Final = {
    "pages": ("pages", "receive", ("rawPage", "jsonPage", "deletion")),
    "documents": ("documents", "send", ("document", "tombstone")),
    "stats": ("stats", "send", ("stats", "tombstone")),
    "deadLetters": ("dead", "send", ("deadLetter", "stub")),
}


def document(examples: Examples) -> Json:
    """Return the document, from the side of the worker: what it receives and sends."""
    specs = {spec.name: spec for spec in topic_specs(TopicNames())}
    channels = {
        name: _channel(specs[getattr(TopicNames(), topic)], messages)
        for name, (topic, _, messages) in _CHANNELS.items()
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Winnow",
            "version": version("winnow-web"),
            "description": "Cleans crawled web pages: pages in, documents and statistics out.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": _JSON,
        "channels": channels,
        "operations": {
            f"{action}{name[0].upper()}{name[1:]}": {
                "action": action,
                "channel": {"$ref": f"#/channels/{name}"},
            }
            for name, (_, action, _) in _CHANNELS.items()
        },
        "components": {
            "messages": {name: _message(name, examples) for name in _MESSAGES},
            "schemas": _schemas(),
        },
    }


def _channel(spec: TopicSpec, messages: tuple[str, ...]) -> Json:
    return {
        "address": spec.name,
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
        "bindings": {
            "kafka": {
                "topicConfiguration": {
                    "cleanup.policy": [spec.cleanup.value],
                    "retention.ms": spec.retention_ms,
                    "max.message.bytes": spec.max_message_bytes,
                },
                "bindingVersion": _KAFKA,
            }
        },
    }


def _message(name: str, examples: Examples) -> Json:
    title, headers, payload, content_type = _MESSAGES[name]
    made: Json = {
        "title": title,
        "contentType": content_type,
        "headers": _reference(headers),
        "payload": _reference(payload) if isinstance(payload, str) else payload,
        "bindings": {"kafka": {"key": _KEY, "bindingVersion": _KAFKA}},
    }
    return made | ({"examples": [examples[name]]} if name in examples else {})


def _reference(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _schemas() -> Json:
    """Return the schemas and their definitions, at the places of their references."""
    made: Json = {}
    for name in NAMES:
        read = schema(name)
        made |= read.pop("$defs", {})
        made[name] = {key: each for key, each in read.items() if key not in {"$schema", "$id"}}
    moved: Json = _moved(made)
    return moved


def _moved(part: Any) -> Any:  # noqa: ANN401 - decoded JSON
    if isinstance(part, dict):
        return {name: _moved(each) for name, each in part.items()}
    if isinstance(part, list):
        return [_moved(each) for each in part]
    if isinstance(part, str):
        return part.replace("#/$defs/", "#/components/schemas/")
    return part
