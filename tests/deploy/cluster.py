"""A Kubernetes API server with its etcd and controllers on loopback, and a fake kubelet."""

import json
import secrets
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

from tests.services.processes import Lifetime, ServerError, ServerProcess, free_port

READY_WITHIN_S: Final = 120.0
COMPONENT: Final = "app.kubernetes.io/component"
# The controllers that need what is not here: nodes and clouds.
CONTROLLERS: Final = (
    "*,-node-ipam-controller,-node-lifecycle-controller,-cloud-node-lifecycle-controller"
)


@dataclass
class Cluster:
    """A running API server; `steps` is the log of what was done to it."""

    kubectl: Path
    kubeconfig: Path
    servers: list[ServerProcess]
    steps: list[str] = field(default_factory=list)

    @classmethod
    def start(cls, programs: Path, etcd: Path, folder: Path) -> Self:
        """Start all three servers; returns when the API server says that it is ready.

        Raises:
            ServerError: one of them ended, or the time is up.
        """
        token = secrets.token_hex(16)
        client, peer, api, manager = (free_port() for _ in range(4))
        write_credentials(folder, token, api)
        commands = {
            "etcd": etcd_command(etcd, folder, client, peer),
            "api": api_command(programs / "kube-apiserver", folder, client, api),
            "manager": manager_command(programs / "kube-controller-manager", folder, manager),
        }
        cluster = cls(programs / "kubectl", folder / "kubeconfig", [])
        try:
            for name, command in commands.items():
                server = ServerProcess(command, folder / name, Lifetime.CALLER)
                cluster.servers.append(server)
                if name == "api":
                    cluster.wait_until_ready(server)
        except ServerError:
            cluster.stop()
            raise
        return cluster

    def wait_until_ready(self, server: ServerProcess) -> None:
        """Wait until the API server reports ready."""
        deadline = time.monotonic() + READY_WITHIN_S
        while self.try_kubectl("get", "--raw", "/readyz").returncode:
            if not server.is_running() or time.monotonic() > deadline:
                raise ServerError(f"no API server:\n{server.output()[-2000:]}")
            time.sleep(0.3)

    def stop(self) -> None:
        """Stop the servers, the last first."""
        while self.servers:
            self.servers.pop().stop()

    def try_kubectl(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run kubectl and return how it ended."""
        command = [str(self.kubectl), "--kubeconfig", str(self.kubeconfig), *arguments]
        return subprocess.run(command, check=False, capture_output=True, text=True, input=stdin)

    def run(self, *arguments: str, stdin: str = "") -> str:
        """Run kubectl, which has to succeed, and return what it prints."""
        done = self.try_kubectl(*arguments, stdin=stdin)
        assert done.returncode == 0, f"kubectl {' '.join(arguments)}: {done.stderr}"
        return done.stdout

    def get(self, namespace: str, what: str, *arguments: str) -> list[dict[str, Any]]:
        """Return the objects of a kind."""
        printed = self.run("--namespace", namespace, "get", what, "--output", "json", *arguments)
        items: list[dict[str, Any]] = json.loads(printed)["items"]
        return items

    def restricted_namespace(self, name: str) -> str:
        """Create a namespace for pods of the restricted profile only."""
        labels = {"pod-security.kubernetes.io/enforce": "restricted"}
        metadata = {"name": name, "labels": labels}
        manifest = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
        self.run("apply", "--filename", "-", stdin=json.dumps(manifest))
        return name

    @contextmanager
    def kubelet(self, namespace: str) -> Iterator[None]:
        """Report pods as a kubelet would: workers run, all others have succeeded."""
        stop = threading.Event()

        def watch() -> None:
            while not stop.wait(0.3):
                for pod in self.get(namespace, "pods", "--field-selector=status.phase=Pending"):
                    status = json.dumps({"status": pod_status(pod["metadata"])})
                    name = f"pod/{pod['metadata']['name']}"
                    patch = ("--subresource=status", "--type=merge", "--patch", status)
                    self.try_kubectl("--namespace", namespace, "patch", name, *patch)

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()


def pod_status(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the status of a working pod."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if metadata["labels"].get(COMPONENT) != "worker":
        return {"phase": "Succeeded", "startTime": now}
    ready = {"type": "Ready", "status": "True", "lastTransitionTime": now}
    return {"phase": "Running", "startTime": now, "conditions": [ready]}


def write_credentials(folder: Path, token: str, port: int) -> None:
    """Write the administrator's token, a kubeconfig with it, and the service accounts' key."""
    (folder / "tokens.csv").write_text(f"{token},admin,1,system:masters\n")
    (folder / "tokens.csv").chmod(0o600)
    server = {"server": f"https://127.0.0.1:{port}", "insecure-skip-tls-verify": True}
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "test", "cluster": server}],
        "users": [{"name": "admin", "user": {"token": token}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "admin"}}],
        "current-context": "test",
    }
    (folder / "kubeconfig").write_text(json.dumps(config))
    key, public = str(folder / "sa.key"), str(folder / "sa.pub")
    for command in (
        ["openssl", "genrsa", "-out", key, "2048"],
        ["openssl", "rsa", "-in", key, "-pubout", "-out", public],
    ):
        subprocess.run(command, check=True, capture_output=True)


def etcd_command(program: Path, folder: Path, client: int, peer: int) -> list[str]:
    """Return how etcd is started: for one test, so without waiting for the disk."""
    return [
        str(program),
        f"--data-dir={folder / 'etcd-data'}",
        "--unsafe-no-fsync",
        "--log-level=warn",
        f"--listen-client-urls=http://127.0.0.1:{client}",
        f"--advertise-client-urls=http://127.0.0.1:{client}",
        f"--listen-peer-urls=http://127.0.0.1:{peer}",
        f"--initial-advertise-peer-urls=http://127.0.0.1:{peer}",
        f"--initial-cluster=default=http://127.0.0.1:{peer}",
    ]


def api_command(program: Path, folder: Path, etcd_port: int, port: int) -> list[str]:
    """Return how the API server is started."""
    return [
        str(program),
        f"--etcd-servers=http://127.0.0.1:{etcd_port}",
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        f"--secure-port={port}",
        f"--cert-dir={folder / 'certificates'}",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={folder / 'sa.pub'}",
        f"--service-account-signing-key-file={folder / 'sa.key'}",
        f"--token-auth-file={folder / 'tokens.csv'}",
        "--authorization-mode=RBAC",
        "--endpoint-reconciler-type=none",
    ]


def manager_command(program: Path, folder: Path, port: int) -> list[str]:
    """Return how the controller manager is started."""
    return [
        str(program),
        f"--kubeconfig={folder / 'kubeconfig'}",
        f"--service-account-private-key-file={folder / 'sa.key'}",
        "--use-service-account-credentials=false",
        "--leader-elect=false",
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--cert-dir={folder / 'manager-certificates'}",
        "--authentication-skip-lookup=true",
        f"--controllers={CONTROLLERS}",
    ]
