"""The image at work on a real Kafka: a page cleaned, drained in time, back without a rebalance."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.deploy.chart import ROOT, Chart, value_set, values
from tests.deploy.containers import Container, Image
from tests.deploy.deployments import PARTITIONS, Deployment, wait_for, wait_until_ready
from tests.deploy.report import Report, said_version
from tests.services.processes import free_port

pytestmark = [pytest.mark.image, pytest.mark.timeout(1500)]

ARTICLE = (ROOT / "worker" / "samples" / "article.html").read_bytes()
PAGES = 6000
# What may be cleaned twice after a stop: a batch of each process (WINNOW_BATCH_PAGES).
BATCH_PAGES = 128


@pytest.fixture
def deployment(image: Image, kafka_bootstrap: str, tmp_path: Path) -> Deployment:
    """Topics of the test's own, made by the image as the chart's Job makes them."""
    planned = Deployment.planned(kafka_bootstrap)
    arguments = (f"--partitions={PARTITIONS}", "--replication=1")
    command = [*image.command, "topics", "create", *arguments]
    settings = planned.settings(free_port())
    with image.started(folder(tmp_path, "topics"), command, settings) as job:
        assert job.process.wait(120) == 0, job.log.read_text()
    return planned


def folder(parent: Path, name: str) -> Path:
    (parent / name).mkdir()
    return parent / name


def test_a_page_comes_back_as_a_document(
    image: Image, deployment: Deployment, tmp_path: Path, report: Report
) -> None:
    settings = deployment.settings(free_port(), WINNOW_PROCESSES="2")
    with image.started(folder(tmp_path, "worker"), [*image.command, "worker"], settings) as worker:
        wait_until_ready(worker)
        alive = worker.execute("/app/probe", "livez")

        command = ["/app/round-trip", "--timeout", "60"]
        settings = deployment.settings(free_port())
        with image.started(folder(tmp_path, "trip"), command, settings) as trip:
            code = trip.process.wait(90)

    assert alive.stdout == "ok\n"
    assert code == 0, trip.log.read_text()
    assert "came back as a document" in trip.log.read_text()
    runc = said_version("runc", "--version")
    report.add("runc", "a page cleaned by the image on a real Kafka", 0, version=runc)


def test_sigterm_under_load_loses_nothing_and_ends_within_the_charts_grace_period(
    image: Image, chart: Chart, deployment: Deployment, tmp_path: Path, report: Report
) -> None:
    pod = chart.pod(value_set("minimal"))
    grace_s = pod["terminationGracePeriodSeconds"]
    deployment.publish(page(number) for number in range(PAGES))
    command = [*image.command, "worker"]

    def more_than(documents: int) -> Callable[[], bool]:
        return lambda: deployment.count(deployment.names.documents) > documents

    ended_s: list[float] = []
    left: list[int] = []
    for stop in range(3):
        settings = deployment.settings(free_port(), WINNOW_PROCESSES="2")
        with image.started(folder(tmp_path, f"{stop}"), command, settings) as worker:
            wait_for(more_than(deployment.count(deployment.names.documents)), worker, 90)
            ended_s.append(stopped(worker, grace_s))
        left.append(PAGES - len(answered(deployment)))

    settings = deployment.settings(free_port(), WINNOW_PROCESSES="2")
    with image.started(folder(tmp_path, "last"), command, settings) as worker:
        wait_for(lambda: len(answered(deployment)) == PAGES, worker, 300)
        ended_s.append(stopped(worker, grace_s))

    documents = deployment.urls(deployment.names.documents)
    lost, repeated = deployment.sent - answered(deployment), documents.total() - len(documents)
    slowest = f"{max(ended_s):.1f} s of {grace_s} s"
    checked = f"3 x SIGTERM under load, {PAGES} pages, repeated {repeated}, slowest stop {slowest}"
    report.add("runc", checked, len(lost), version=said_version("runc", "--version"))
    assert min(left) > 0, f"stopped without a load: {left} pages left"
    assert lost == set()
    assert repeated <= 4 * 2 * BATCH_PAGES


def test_processes_stay_within_the_memory_that_the_chart_gives_them(
    image: Image, chart: Chart, deployment: Deployment, tmp_path: Path, report: Report
) -> None:
    given = values(worker={"processes": 2, "replicas": 1})
    limit_mib = int(chart.worker(given)["resources"]["limits"]["memory"].removesuffix("Mi"))
    deployment.publish(page(number) for number in range(PAGES))
    settings = deployment.settings(free_port(), WINNOW_PROCESSES="2")

    with image.started(folder(tmp_path, "worker"), [*image.command, "worker"], settings) as worker:
        wait_for(lambda: len(answered(deployment)) == PAGES, worker, 300)
        used_mib = worker.memory_mib()

    checked = f"2 processes after {PAGES} pages: {used_mib:.0f} of {limit_mib} MiB"
    report.add("runc", checked, 0, version=said_version("runc", "--version"))
    assert 50 < used_mib < limit_mib


def test_a_static_member_comes_back_without_a_rebalance(
    image: Image, deployment: Deployment, tmp_path: Path
) -> None:
    def member(name: str) -> dict[str, str]:
        return deployment.settings(free_port(), WINNOW_GROUP_INSTANCE=name)

    command = [*image.command, "worker"]
    stays = member("pod-0")
    with image.started(folder(tmp_path, "stays"), command, stays) as first:
        wait_until_ready(first)
        with image.started(folder(tmp_path, "goes"), command, member("pod-1")) as second:
            wait_until_ready(second)
            wait_for(lambda: "partitions_revoked" in first.log.read_text(), first, 60)
            wait_until_ready(first)
            rebalances = first.log.read_text().count("partitions_revoked")
            stopped(second, 40)
        with image.started(folder(tmp_path, "back"), command, member("pod-1")) as again:
            wait_until_ready(again)

        assert first.log.read_text().count("partitions_revoked") == rebalances


def page(number: int) -> bytes:
    """Return a unique page."""
    return re.sub(rb"</body>", b"<p>Page %d.</p></body>" % number, ARTICLE, count=1)


def answered(deployment: Deployment) -> set[str]:
    """Return the pages that have a document, or a dead letter."""
    return set(deployment.urls(deployment.names.documents)) | set(
        deployment.urls(deployment.names.dead)
    )


def stopped(worker: Container, grace_s: float) -> float:
    """Stop a worker as the kubelet does; return the seconds that it took, within the grace."""
    started = time.monotonic()
    worker.signal("TERM")
    code = worker.process.wait(grace_s)
    assert code == 0, worker.log.read_text()[-3000:]
    return time.monotonic() - started
