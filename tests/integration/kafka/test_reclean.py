"""`winnow reclean` on the real Kafka."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.integration.kafka.conftest import Deployment, Winnow, held, publish
from tests.services.processes import free_port
from winnow.streams.records import Outgoing
from winnow.worker.service.recleaning import standing

ROOT = Path(__file__).parents[3]
# without a memory of sites: the pages of these tests are nearly equal
TEXT = {"WINNOW_OPTIONS": '{"seen": 0}'}
MARKDOWN = {"WINNOW_OPTIONS": '{"seen": 0, "format": "markdown"}'}


def page(deployment: Deployment, number: int, text: str = "") -> Outgoing:
    url = f"https://example.org/{number}"
    text = text or f"The bees of hive {number} find more flowers in the city."
    html = f"<p>{text}</p>"
    if number % 2:
        html = html.replace("bees", "<strong>bees</strong>")
    value = json.dumps({"url": url, "html": html}).encode()
    return Outgoing(deployment.names.pages, url.encode(), value, ())


def reclean(deployment: Deployment, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    ours = {"WINNOW_WEB_PORT": str(free_port())}
    return subprocess.Popen(
        [sys.executable, "-m", "winnow", "reclean", "--json", "--compare", "1", *arguments],
        cwd=ROOT,
        env=os.environ | deployment.environment | ours | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def summary(running: subprocess.Popen[str]) -> tuple[int, Mapping[str, Any]]:
    out, err = running.communicate(timeout=150)
    lines = out.splitlines()
    assert lines, err
    return running.returncode, json.loads(lines[-1])


def documents(deployment: Deployment) -> dict[bytes | None, Any]:
    return {
        each.key: json.loads(each.value) if isinstance(each.value, bytes) else None
        for each in held(deployment, deployment.names.documents)
    }


@pytest.mark.timeout(300)
def test_all_pages_are_cleaned_again_and_what_changed_is_counted_by_field(
    topics: Deployment,
) -> None:
    publish(topics, *(page(topics, number) for number in range(20)))
    _, first = summary(reclean(topics, **TEXT))

    code, again = summary(reclean(topics, **MARKDOWN))
    _, nothing = summary(reclean(topics, **MARKDOWN))

    assert (code, first["records"], first["added"], first["compared"]) == (0, 20, 20, 0)
    assert (again["records"], again["left"], again["compared"]) == (20, 0, 20)
    assert again["changed"]["text"] == 10  # those with emphasis
    assert again["changed"].get("url", 0) == 0
    assert documents(topics)[b"https://example.org/1"]["text"].startswith("The **bees**")
    assert (nothing["records"], nothing["compared"]) == (0, 0)


@pytest.mark.timeout(300)
def test_new_topics_are_compared_with_the_old_ones_and_the_group_of_the_workers_stays(
    topics: Deployment, winnow: Winnow
) -> None:
    publish(topics, *(page(topics, number) for number in range(8)))
    summary(reclean(topics, **TEXT))
    fresh = f"{topics.names.documents}.2"
    made = winnow("topics", "create", "--partitions", "4", WINNOW_TOPIC_DOCUMENTS=fresh)
    assert made.exit_code == 0, made.output
    before = documents(topics)

    _, counts = summary(
        reclean(
            topics,
            "--against",
            topics.names.documents,
            WINNOW_TOPIC_DOCUMENTS=fresh,
            **MARKDOWN,
        )
    )

    assert (counts["compared"], counts["changed"]["text"]) == (8, 4)
    assert documents(topics) == before
    assert len(held(topics, fresh)) == 8
    assert standing(topics.connection, topics.names.pages, topics.group).left == 8


@pytest.mark.timeout(300)
def test_a_stopped_run_continues_and_includes_new_files(topics: Deployment) -> None:
    publish(topics, *(page(topics, number) for number in range(200)))
    group = f"{topics.group}.again"
    running = reclean(topics, "--rate", "3", "--group", group)
    until = time.monotonic() + 120
    while standing(topics.connection, topics.names.pages, group).left > 170:
        assert time.monotonic() < until
        time.sleep(0.5)
    running.send_signal(signal.SIGTERM)
    code, stopped = summary(running)
    publish(topics, *(page(topics, number, "The bees sleep in winter.") for number in range(5)))

    code_after, rest = summary(reclean(topics, "--group", group))

    assert (code, code_after) == (1, 0)
    assert 0 < stopped["left"] < 200
    assert stopped["records"] + rest["records"] == 205
    assert rest["left"] == 0
    assert documents(topics)[b"https://example.org/2"]["text"] == "The bees sleep in winter."
