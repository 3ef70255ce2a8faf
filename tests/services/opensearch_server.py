"""A node of OpenSearch on loopback, from the jars that Maven has.

There is no distribution in Maven, but all of its parts: the server, and modules whose jars are laid
out here in the way that the distribution has them.
"""

import json
import shutil
import urllib.request
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError

from tests.services.processes import Lifetime, ServerProcess, free_port
from tests.services.programs import OPENSEARCH, jars_of, require

READY_WITHIN_S: Final = 180.0
VERSION: Final = "2.19.6"
# module -> class, and how its jars begin
MODULES: Final = {
    "transport-netty4": (
        "org.opensearch.transport.Netty4Plugin",
        ("transport-netty4-client-", "netty-"),
    ),
    "analysis-common": (
        "org.opensearch.analysis.common.CommonAnalysisPlugin",
        ("analysis-common-",),
    ),
    "reindex": ("org.opensearch.index.reindex.ReindexPlugin", ("reindex-client-",)),
}
# the jars of the modules hold no policies
_POLICY: Final = """grant {
  permission java.net.SocketPermission "*", "accept,connect,resolve";
  permission java.lang.RuntimePermission "getClassLoader";
  permission java.lang.RuntimePermission "accessDeclaredMembers";
  permission java.lang.RuntimePermission "setContextClassLoader";
  permission java.lang.reflect.ReflectPermission "suppressAccessChecks";
};
"""
_LOG: Final = """status = error
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %p %c{1} %m%n
"""


class OpenSearchServer:
    """A cluster of one node, empty at its start."""

    def __init__(self, folder: Path, lifetime: Lifetime) -> None:
        """Start the node and wait until it answers.

        Raises:
            ServerError: Java is missing, the jars cannot be had, or the node is not ready in time.
        """
        require("java", "setpriv")
        port = free_port(2)
        self.url: Final = f"http://127.0.0.1:{port}"
        classpath = _lay_out(folder, jars_of(OPENSEARCH))
        _write_settings(folder / "config", port)
        jvm = ("-Xms256m", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        # without JNA's native library the user is unknown, so root may start the node
        properties = {
            "java.security.manager": "allow", "jna.nounpack": "true", "jna.nosys": "true",
            "opensearch.path.home": str(folder), "opensearch.path.conf": str(folder / "config"),
            "opensearch.distribution.type": "tar", "java.io.tmpdir": str(folder / "tmp"),
        }  # fmt: skip
        options = [f"-D{name}={value}" for name, value in properties.items()]
        program = "org.opensearch.bootstrap.OpenSearch"
        command = ["java", *jvm, *options, "-cp", classpath, program]
        self.process: Final = ServerProcess(command, folder, lifetime)
        self.process.wait_for_output("Node started", READY_WITHIN_S)

    def ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Send a request with JSON and return what is answered.

        Raises:
            AssertionError: it is an error; the text is the engine's.
        """
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                found: dict[str, Any] = json.load(answer)
        except HTTPError as error:
            raise AssertionError(error.read().decode()) from error
        return found

    def urls(self, index: str, query: str) -> list[str]:
        """Return the URLs of documents that a query in the language of Lucene finds, in order."""
        self.ask("POST", f"/{index}/_refresh")
        body = {"query": {"query_string": {"query": query}}, "sort": ["url"], "size": 100}
        hits = self.ask("POST", f"/{index}/_search", body)["hits"]["hits"]
        return [hit["_source"]["url"] for hit in hits]


def _lay_out(folder: Path, jars: Path) -> str:
    """Put the jars of each module into its folder; return the classpath of the server."""
    own = {module: begins for module, (_, begins) in MODULES.items()}
    for name in ("lib", "plugins", "config", "tmp", *(f"modules/{module}" for module in own)):
        (folder / name).mkdir(parents=True)
    for jar in jars.iterdir():
        home = next((each for each in own if jar.name.startswith(own[each])), None)
        if home is None:
            (folder / "lib" / jar.name).symlink_to(jar)
        else:  # where a module's links lead to, the node may not read
            shutil.copy(jar, folder / "modules" / home)
    for module, (program, _) in MODULES.items():
        lines = {
            "name": module, "description": module, "version": VERSION,
            "opensearch.version": VERSION, "java.version": "11", "classname": program,
        }  # fmt: skip
        text = "".join(f"{name}={value}\n" for name, value in lines.items())
        (folder / "modules" / module / "plugin-descriptor.properties").write_text(text)
    (folder / "modules" / "transport-netty4" / "plugin-security.policy").write_text(_POLICY)
    return f"{folder / 'lib'}/*"


def _write_settings(folder: Path, port: int) -> None:
    settings = {
        "discovery.type": "single-node", "network.host": "127.0.0.1", "http.port": port,
        "transport.port": port + 1,
        # a nearly full disk does not matter to the tests
        "cluster.routing.allocation.disk.threshold_enabled": False,
    }  # fmt: skip
    (folder / "opensearch.yml").write_text(json.dumps(settings))
    (folder / "log4j2.properties").write_text(_LOG)
