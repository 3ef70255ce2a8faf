"""Servers for development: `python -m tests.services start|stop|install`.

Their state and data lie in one folder, `.services/` of the project, which git ignores.
"""

import argparse
import contextlib
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.services.brokers import KafkaCluster
from tests.services.certificates import make_secrets
from tests.services.processes import Lifetime, ProcessId, ServerError
from tests.services.programs import asyncapi_schemas, kafka_classpath, require
from tests.services.redis_servers import RedisServer, secured_directives

FOLDER: Final = Path(__file__).resolve().parents[2] / ".services"
STATE: Final = "state.json"
GRACE_S: Final = 15.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What to start, and where its state lies."""

    folder: Path
    brokers: int
    secured: bool


def main() -> int:
    """Run one command; return the exit code."""
    arguments = _parser().parse_args()
    folder = arguments.folder.resolve()  # the servers run in folders of their own
    try:
        if arguments.command == "install":
            require("java", "mvn", "redis-server", "openssl", "setpriv", "curl", "zstd")
            kafka_classpath()
            asyncapi_schemas()
        elif arguments.command == "stop":
            stop(folder)
        else:
            plan = Plan(folder, arguments.brokers, arguments.secured)
            for name, value in start(plan).items():
                sys.stdout.write(f"export {name}={value}\n")
    except ServerError as error:
        sys.stderr.write(f"winnow's test services: {error}\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="services", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="state and data")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("install", help="programs and jars, so that starting is quick")
    commands.add_parser("stop", help="end the servers and delete their data")
    starting = commands.add_parser("start", help="Kafka and Redis on free loopback ports")
    starting.add_argument("--brokers", type=int, default=1, help="each broker and controller")
    starting.add_argument("--secured", action="store_true", help="SASL_SSL, SCRAM, Redis by TLS")
    return parser


def start(plan: Plan) -> dict[str, str]:
    """Start the servers if they do not run yet, and return the variables to export.

    Raises:
        ServerError: a program is missing, or a server did not start.
    """
    state_file = plan.folder / STATE
    if state_file.exists():
        state = json.loads(state_file.read_text())
        if all(ProcessId(*process).is_running() for process in state["processes"]):
            return dict(state["variables"])
    stop(plan.folder)
    plan.folder.mkdir(parents=True)
    with contextlib.ExitStack() as undo:  # a start that fails or is interrupted leaves nothing
        undo.callback(shutil.rmtree, plan.folder)
        secrets = make_secrets(plan.folder / "secrets") if plan.secured else None
        directives = secured_directives(secrets) if secrets else []
        redis = RedisServer(plan.folder / "redis", Lifetime.DETACHED, directives)
        undo.callback(redis.process.stop)
        nodes = plan.folder / "kafka"
        kafka = KafkaCluster.start(nodes, plan.brokers, Lifetime.DETACHED, secrets)
        undo.pop_all()
    servers = [redis.process, *(broker.process for broker in kafka.brokers)]
    processes = [[server.process_id.pid, server.process_id.started] for server in servers]
    variables = _variables(kafka, redis)
    state_file.write_text(json.dumps({"processes": processes, "variables": variables}))
    return variables


def stop(folder: Path) -> None:
    """End the servers that run and delete their folder."""
    state_file = folder / STATE
    if state_file.exists():
        for process in json.loads(state_file.read_text())["processes"]:
            ProcessId(*process).end(GRACE_S)
        shutil.rmtree(folder)


def _variables(kafka: KafkaCluster, redis: RedisServer) -> dict[str, str]:
    variables = {"WINNOW_KAFKA_BOOTSTRAP": kafka.bootstrap}
    if kafka.secrets is None:
        return variables | {"WINNOW_REDIS_URL": redis.url}
    return variables | {
        "WINNOW_REDIS_URL": redis.secured_url(kafka.secrets),
        "WINNOW_REDIS_PASSWORD_FILE": str(kafka.secrets.password_file),
        "WINNOW_KAFKA_SECURITY": "sasl_ssl",
        "WINNOW_KAFKA_SASL_MECHANISM": "SCRAM-SHA-512",
        "WINNOW_KAFKA_USERNAME_FILE": str(kafka.secrets.username_file),
        "WINNOW_KAFKA_PASSWORD_FILE": str(kafka.secrets.password_file),
        "WINNOW_KAFKA_CA_FILE": str(kafka.secrets.ca_file),
    }


if __name__ == "__main__":
    sys.exit(main())
