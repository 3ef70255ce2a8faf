"""The OpenAPI description of the HTTP API, from the options and the schema of documents."""

import re
from enum import StrEnum
from http import HTTPStatus
from importlib.resources import files
from inspect import cleandoc
from typing import Any, Final, get_type_hints

import orjson

from winnow.models.errors import Reason
from winnow.models.options import CleanerOptions
from winnow.streams.pages import MAX_URL_BYTES
from winnow.worker.serve.asked import LINES, OPTIONS, URL, Form
from winnow.worker.serve.work import CLEAN, EXPLAIN

_DOCUMENT: Final = files("winnow.streams") / "schemas" / "document.json"
_TEXT: Final = {"type": "string"}
_REFUSALS: Final = {
    HTTPStatus.BAD_REQUEST: "URL, query or body are invalid; in plain text "
    "if the request line or a header is longer than 8,190 bytes.",
    HTTPStatus.FORBIDDEN: "A browser sent it from another site.",
    HTTPStatus.NOT_ACCEPTABLE: "The client accepts none of the available types.",
    HTTPStatus.REQUEST_TIMEOUT: "The request did not arrive in time.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The page is too large.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body is not HTML or text, or is encoded.",
    HTTPStatus.EXPECTATION_FAILED: "The header Expect has a value other than 100-continue.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "The page is nested too deeply, or has too many nodes.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "A bug, or a process that ended: see the log.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Busy: the header Retry-After says when to try again.",
    HTTPStatus.GATEWAY_TIMEOUT: "The page took too long.",
}


def described() -> bytes:
    """Return the OpenAPI document."""
    pages = {each: {"schema": _TEXT} for each in ("text/html", "application/xhtml+xml")}
    pages["text/plain"] = {"schema": _TEXT}
    lines = {"schema": {**_TEXT, "description": "One message of docs/messages.md per line."}}
    texts = {each.value: {"schema": _TEXT} for each in (Form.MARKDOWN, Form.TEXT)}
    answers = {Form.JSON.value: _of("Document"), **texts, LINES: {"schema": _TEXT}}
    explained = {Form.JSON.value: {"schema": {"type": "object", "required": ["blocks"]}}}
    paths = {
        CLEAN: _post("Clean a page, or each page of a batch.", {**pages, LINES: lines}, answers),
        EXPLAIN: _post("Show for each block of a page whether it is kept.", pages, explained),
        "/livez": _get("Is the process working?"),
        "/readyz": _get("Does it accept requests?"),
    }
    return orjson.dumps(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "winnow serve",
                "version": "1",
                "description": "Cleans web pages. It fetches no URLs and stores nothing.",
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            },
            "servers": [{"url": "/"}],
            "paths": paths,
            "components": {"schemas": {"Document": _document(), "Error": _error()}},
        }
    )


def _post(summary: str, takes: dict[str, Any], gives: dict[str, Any]) -> dict[str, Any]:
    responses: dict[str, Any] = {"200": {"description": "The answer.", "content": gives}}
    for status, why in {**_REFUSALS, HTTPStatus.METHOD_NOT_ALLOWED: "POST only."}.items():
        content = {Form.JSON.value: _of("Error")}
        if status == HTTPStatus.BAD_REQUEST:  # aiohttp itself answers requests that it cannot parse
            content[Form.TEXT.value] = {"schema": _TEXT}
        responses[str(int(status))] = {"description": why, "content": content}
    return {
        "post": {
            "summary": summary,
            "parameters": _parameters(),
            "requestBody": {"required": True, "content": takes},
            "responses": responses,
        }
    }


def _get(summary: str) -> dict[str, Any]:
    answer = {Form.JSON.value: {"schema": {"type": "object", "required": ["ok"]}}}
    responses = {"200": {"description": "Yes.", "content": answer}}
    responses["405"] = {"description": "GET only.", "content": {Form.JSON.value: _of("Error")}}
    return {"get": {"summary": summary, "responses": responses}}


def _parameters() -> list[dict[str, Any]]:
    said = _said_of_options()
    options = [
        {"name": name, "in": "query", "schema": _option(name), "description": said[name]}
        for name in OPTIONS
    ]
    why = "URL of the page; needed for an answer in JSON."
    address = {**_TEXT, "format": "uri", "maxLength": MAX_URL_BYTES}
    url = {"name": URL, "in": "query", "schema": address, "description": why}
    headers = {
        "Url": "The same as the parameter url.",
        "Fetched-At": "Time of the fetch; copied to the document.",
        "X-Robots-Tag": "As the site sent it.",
    }
    named = [
        {"name": name, "in": "header", "schema": _TEXT, "description": why}
        for name, why in headers.items()
    ]
    return [url, *options, *named]


def _option(name: str) -> dict[str, Any]:
    kind, default = get_type_hints(CleanerOptions)[name], getattr(CleanerOptions(), name)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {"enum": list(kind), "default": default}
    if kind is bool:
        return {"type": "boolean", "default": default}
    return {"type": "string", "default": default} if kind is str else {"type": "number"}


def _said_of_options() -> dict[str, str]:
    """Return the descriptions of the options in their class's docstring."""
    text = cleandoc(CleanerOptions.__doc__ or "").partition("Attributes:\n")[2]
    said: dict[str, str] = {}
    for names, what in re.findall(r"^ {4}(\w[\w, ]*): (.*(?:\n {5,}.*)*)", text, re.MULTILINE):
        said |= dict.fromkeys(names.split(", "), " ".join(what.split()))
    return said


def _document() -> dict[str, Any]:
    schema: dict[str, Any] = orjson.loads(_DOCUMENT.read_bytes())
    return {name: value for name, value in schema.items() if not name.startswith("$")}


def _error() -> dict[str, Any]:
    reason = {"enum": [*Reason], "description": "as of a dead letter"}
    return {
        "type": "object",
        "properties": {"error": _TEXT, "reason": reason},
        "required": ["error"],
    }


def _of(schema: str) -> dict[str, Any]:
    return {"schema": {"$ref": f"#/components/schemas/{schema}"}}
