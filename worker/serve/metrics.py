"""The metrics of `winnow serve`: a closed list, like the worker's."""

from http import HTTPStatus
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

from winnow.worker.service.metrics import Metric

_SECONDS: Final = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

REQUESTS: Final = Metric(
    "winnow_serve_requests_total",
    "counter",
    "Requests answered, by path and HTTP status; an unknown path counts as other",
    ("path", "status"),
)
SECONDS: Final = Metric(
    "winnow_serve_seconds",
    "histogram",
    "Seconds from the headers of a request to the end of its answer, by path",
    ("path",),
    _SECONDS,
)
LINES: Final = Metric(
    "winnow_serve_lines_total",
    "counter",
    "Lines of batches answered, by the HTTP status of the same page as a single request",
    ("status",),
)
AT_WORK: Final = Metric(
    "winnow_serve_at_work", "gauge", "Requests being read, waiting for a process or being answered"
)
SERVE_METRICS: Final = (REQUESTS, SECONDS, LINES, AT_WORK)


class ServeMetrics:
    """The metrics of one server, in a registry of its own."""

    def __init__(self) -> None:
        """Register the metrics of the list, and no others."""
        disable_created_metrics()  # type: ignore[no-untyped-call]
        registry = self.registry = CollectorRegistry()
        self._requests: Final = Counter(
            REQUESTS.name, REQUESTS.meaning, REQUESTS.labels, registry=registry
        )
        self._seconds: Final = Histogram(
            SECONDS.name,
            SECONDS.meaning,
            SECONDS.labels,
            buckets=SECONDS.buckets,
            registry=registry,
        )
        self._lines: Final = Counter(LINES.name, LINES.meaning, LINES.labels, registry=registry)
        self.at_work: Final = Gauge(AT_WORK.name, AT_WORK.meaning, registry=registry)

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(path, str(int(status))).inc()
        self._seconds.labels(path).observe(seconds)

    def line(self, status: int) -> None:
        """Count a line of a batch."""
        self._lines.labels(str(int(HTTPStatus(status)))).inc()
