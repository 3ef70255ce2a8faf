"""The built image under runc: its own user, no capability, a root that nobody can write."""

import json
import os
import re
import subprocess
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.deploy.chart import ROOT

BUILD: Final = ROOT / "deploy" / "image" / "build"
IMAGE_NAME: Final = "winnow-test"
CAPABILITY_SETS: Final = ("bounding", "effective", "inheritable", "permitted", "ambient")
MOUNTS: Final = (
    ("/proc", "proc", ["nosuid", "noexec", "nodev"]),
    ("/dev", "tmpfs", ["nosuid", "strictatime", "mode=755", "size=64k"]),
    ("/tmp", "tmpfs", ["nosuid", "nodev", "mode=1777", "size=256m"]),
)


def build(*arguments: str) -> str:
    """Run `deploy/image/build` and return what it prints."""
    done = subprocess.run([str(BUILD), *arguments], check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"build {' '.join(arguments)}: {done.stderr[-3000:]}")
    return done.stdout.strip()


@dataclass(frozen=True, slots=True)
class Image:
    """An image in buildah's storage: its files and its configuration."""

    files: Path
    config: Mapping[str, Any]

    @property
    def command(self) -> list[str]:
        """What the image runs before any arguments."""
        entrypoint: list[str] = self.config["Entrypoint"]
        return entrypoint

    def bundle(self, folder: Path, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Write a runc bundle that runs `command`, on this machine's network."""
        user, group = map(int, self.config["User"].split(":"))
        given = [f"{name}={value}" for name, value in environment.items()]
        spec = {
            "ociVersion": "1.0.2",
            "root": {"path": str(self.files), "readonly": True},
            "process": {
                "terminal": False,
                "user": {"uid": user, "gid": group},
                "args": list(command),
                "cwd": self.config["WorkingDir"],
                "env": [*self.config["Env"], *given],
                "capabilities": {name: [] for name in CAPABILITY_SETS},
                "noNewPrivileges": True,
            },
            "mounts": [
                {"destination": place, "type": kind, "source": kind, "options": options}
                for place, kind, options in MOUNTS
            ],
            "linux": {
                "namespaces": [{"type": kind} for kind in ("pid", "mount", "ipc", "uts")],
                "maskedPaths": ["/proc/kcore", "/proc/keys", "/proc/timer_list"],
                "readonlyPaths": ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"],
            },
        }
        (folder / "config.json").write_text(json.dumps(spec))

    def run(
        self, folder: Path, *arguments: str, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run the image's command with arguments to its end."""
        return self.run_command(folder, [*self.command, *arguments], stdin=stdin)

    def run_command(
        self, folder: Path, command: Sequence[str], stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run any command in the image to its end."""
        self.bundle(folder, command, {})
        return subprocess.run(
            ["runc", "run", "--bundle", str(folder), name()],
            check=False, capture_output=True, text=True, input=stdin,
        )  # fmt: skip

    @contextmanager
    def started(
        self, folder: Path, command: Sequence[str], environment: Mapping[str, str]
    ) -> Iterator["Container"]:
        """Start a container whose output goes into `folder`; kill what is left of it at the end."""
        self.bundle(folder, command, environment)
        container = Container.start(folder, name())
        try:
            yield container
        finally:
            container.end()


@dataclass(frozen=True, slots=True)
class Container:
    """A running container."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(cls, bundle: Path, name: str) -> "Container":
        """Start the container of a bundle."""
        log = bundle / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["runc", "run", "--bundle", str(bundle), name],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip
        return cls(name, process, log)

    def execute(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a second command in the container, like a probe."""
        return subprocess.run(
            ["runc", "exec", self.name, *command], check=False, capture_output=True, text=True
        )

    def memory_mib(self) -> float:
        """Return the memory of all its processes in MiB, shared pages counted once (PSS)."""
        listed = subprocess.run(
            ["runc", "ps", "--format", "json", self.name],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        rollups = [
            Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in json.loads(listed.stdout)
        ]
        kib = re.findall(r"^Pss: +(\d+) kB$", "".join(rollups), re.MULTILINE)
        return sum(map(int, kib)) / 1024

    def signal(self, number: str) -> None:
        """Send a signal to the first process, as the kubelet does."""
        subprocess.run(["runc", "kill", self.name, number], check=True, capture_output=True)

    def end(self) -> None:
        """Kill what still runs."""
        delete = ["runc", "delete", "--force", self.name]
        subprocess.run(delete, check=False, capture_output=True)
        self.process.wait()


def name() -> str:
    """Return a unique name of a container."""
    return f"winnow-{os.getpid()}-{uuid.uuid4().hex[:8]}"
