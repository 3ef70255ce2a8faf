"""How each kind of fault begins: a function that starts it and returns its end."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewPartitions

from tests.faults.harness import Scenario
from tests.faults.mixture import Fault, Kind
from tests.services.brokers import Broker, KafkaCluster
from tests.services.processes import ServerProcess
from tests.services.proxy import ProxyThread
from tests.services.redis_servers import RedisServer

CLOCK_FILE: Final = "clock"
CLOCK_SOURCE: Final = Path(__file__).with_name("clock.c")
FILL_BYTES: Final = 1 << 16
Mend = Callable[[], None]


@dataclass(slots=True)
class Stage:
    """What faults can fall on.

    Attributes:
        broker_disk: small file system of the first broker, None where none may be mounted.
        worker_disk: the same for the temporary folder of the workers.
        left_out: kinds that cannot be had here, with the reason.
    """

    scenario: Scenario
    cluster: KafkaCluster
    proxies: list[ProxyThread]
    redis: RedisServer
    broker_disk: Path | None
    worker_disk: Path | None
    left_out: dict[Kind, str] = field(default_factory=dict)
    admin: AdminClient | None = None

    def worker(self, target: int) -> ServerProcess:
        workers = self.scenario.workers or [self.scenario.start_worker()]
        return workers[target % len(workers)]

    def broker(self, target: int) -> Broker:
        return self.cluster.brokers[target % len(self.cluster.brokers)]

    def mend_all(self) -> None:
        """Start everything that does not run, because overlapping faults may not repair it."""
        for broker in self.cluster.brokers:
            _revive(broker)


def begin(stage: Stage, fault: Fault) -> Mend:
    """Begin a fault; return a function that ends it, in any later state of its target."""
    return BEGINS[fault.kind](stage, fault)


def _nothing() -> None:
    """End a fault that is over in a moment."""


# -- workers


def _worker_killed(stage: Stage, fault: Fault) -> Mend:
    stage.scenario.kill_worker(stage.worker(fault.target))
    stage.scenario.start_worker()  # as a kubelet does
    return _nothing


def _worker_stopped(stage: Stage, fault: Fault) -> Mend:
    stage.scenario.ask_to_end(stage.worker(fault.target))
    stage.scenario.start_worker()
    return _nothing


def _worker_frozen(stage: Stage, fault: Fault) -> Mend:
    worker = stage.worker(fault.target)
    worker.freeze()
    return worker.thaw


def _worker_joins(stage: Stage, fault: Fault) -> Mend:
    stage.scenario.start_worker()
    return lambda: stage.scenario.ask_to_end(stage.worker(fault.target))


def _worker_leaves(stage: Stage, fault: Fault) -> Mend:
    stage.scenario.ask_to_end(stage.worker(fault.target))

    def come_back() -> None:
        stage.scenario.start_worker()

    return come_back


def _clock_changed(stage: Stage, fault: Fault) -> Mend:
    clock = stage.worker(fault.target).folder / CLOCK_FILE
    clock.write_text(f"{fault.amount:.0f}\n")

    def set_right() -> None:
        clock.write_text("0\n")

    return set_right


# -- brokers


def _broker_killed(stage: Stage, fault: Fault) -> Mend:
    broker = stage.broker(fault.target)
    broker.process.kill()
    return lambda: _revive(broker)


def _all_brokers_killed(stage: Stage, _: Fault) -> Mend:
    for broker in stage.cluster.brokers:
        broker.process.kill()
    return stage.mend_all


def _broker_frozen(stage: Stage, fault: Fault) -> Mend:
    process = stage.broker(fault.target).process
    process.freeze()
    return process.thaw


def _all_brokers_frozen(stage: Stage, _: Fault) -> Mend:
    processes = [broker.process for broker in stage.cluster.brokers]
    for process in processes:
        process.freeze()

    def thaw() -> None:
        for process in processes:
            process.thaw()

    return thaw


def _revive(broker: Broker) -> None:
    if not broker.process.is_running():
        broker.restart()


def _partitions_added(stage: Stage, fault: Fault) -> Mend:
    scenario = stage.scenario
    scenario.partitions += int(fault.amount)
    stage.admin = AdminClient(stage.cluster.client_config())
    wanted = [NewPartitions(scenario.names.pages, scenario.partitions)]
    stage.admin.create_partitions(wanted, operation_timeout=60, request_timeout=60)
    return _nothing  # answered some time later, or never while no broker answers


# -- disks


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path | None]:
    """A file system of that size at a folder, None without the right to mount one."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Write until nothing more goes in; return the file, which gives the room back."""
    filler = disk / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as stream:
        while True:
            stream.write(bytes(FILL_BYTES))
    return filler


def _broker_disk_full(stage: Stage, _: Fault) -> Mend:
    assert stage.broker_disk
    filler = fill(stage.broker_disk)

    def mend() -> None:
        filler.unlink()
        _revive(stage.cluster.brokers[0])

    return mend


def _worker_disk_full(stage: Stage, _: Fault) -> Mend:
    assert stage.worker_disk
    return fill(stage.worker_disk).unlink


def movable_clock(folder: Path) -> Mapping[str, str]:
    """Return the environment of a process whose wall clock can be moved; empty without a compiler.

    What moves it is a number of seconds in the file `clock` of the folder that it works in.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        return {}
    library = folder / "clock.so"
    folder.mkdir(parents=True, exist_ok=True)
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(CLOCK_SOURCE), "-ldl"]
    subprocess.run(command, check=True)
    return {"LD_PRELOAD": str(library)}


# -- Redis and the network


def _redis_frozen(stage: Stage, _: Fault) -> Mend:
    process = stage.redis.process
    process.freeze()
    return process.thaw


def _redis_killed(stage: Stage, _: Fault) -> Mend:
    stage.redis.process.kill()
    return stage.redis.restart


def _network_slow(stage: Stage, fault: Fault) -> Mend:
    def stall(seconds: float) -> None:
        for proxy in stage.proxies:
            proxy.stall(seconds)

    stall(fault.amount)
    return lambda: stall(0)


def _network_cut(stage: Stage, fault: Fault) -> Mend:
    proxy = stage.proxies[fault.target % len(stage.proxies)]
    proxy.cut()
    return proxy.mend


BEGINS: Final[Mapping[Kind, Callable[[Stage, Fault], Mend]]] = {
    Kind.WORKER_KILLED: _worker_killed,
    Kind.WORKER_STOPPED: _worker_stopped,
    Kind.WORKER_FROZEN: _worker_frozen,
    Kind.WORKER_JOINS: _worker_joins,
    Kind.WORKER_LEAVES: _worker_leaves,
    Kind.WORKER_DISK_FULL: _worker_disk_full,
    Kind.CLOCK_CHANGED: _clock_changed,
    Kind.BROKER_KILLED: _broker_killed,
    Kind.BROKER_FROZEN: _broker_frozen,
    Kind.BROKER_DISK_FULL: _broker_disk_full,
    Kind.ALL_BROKERS_KILLED: _all_brokers_killed,
    Kind.ALL_BROKERS_FROZEN: _all_brokers_frozen,
    Kind.PARTITIONS_ADDED: _partitions_added,
    Kind.REDIS_KILLED: _redis_killed,
    Kind.REDIS_FROZEN: _redis_frozen,
    Kind.NETWORK_SLOW: _network_slow,
    Kind.NETWORK_CUT: _network_cut,
}
