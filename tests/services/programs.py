"""Find or install programs for tests: Java, Maven, redis-server, Kafka's jars, npm."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tests.services.processes import ServerError

RECIPE: Final = Path(__file__).parent / "kafka"
CONNECT: Final = Path(__file__).parent / "connect"
OPENSEARCH: Final = Path(__file__).parent / "opensearch"
STRIMZI: Final = Path(__file__).parent / "strimzi"
# pinned like the jars; resolved by name through Maven's configured repositories
COPY_GOAL: Final = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
# the JSON Schemas of the AsyncAPI specification, by its makers
ASYNCAPI: Final = "@asyncapi/specs@6.11.1"
ASYNCAPI_SHA256: Final = "01af8744dc33c0c7eb2e908f6a955319ee58b70ecadc9387d1aeb16c0cd28928"
# program -> Debian package
PACKAGES: Final = {
    "java": "default-jre-headless",
    "mvn": "maven",
    "redis-server": "redis-server",
    "openssl": "openssl",
    "setpriv": "util-linux",
    "npm": "npm",
    "curl": "curl",
    "zstd": "zstd",
}


def require(*programs: str) -> None:
    """Make sure that programs are there, installing Debian's packages when root.

    Raises:
        ServerError: a program is missing and cannot be installed.
    """
    missing = [PACKAGES[program] for program in programs if shutil.which(program) is None]
    if not missing:
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise ServerError(f"needs more programs: apt-get install {' '.join(missing)}")
    # runlevel 1: the packages must not start a server of their own
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    install = ["install", "-qq", "-y", "--no-install-recommends", *missing]
    for arguments in (["update", "-qq"], install):
        _run(["apt-get", *arguments], environment)


def kafka_classpath(recipe: Path = RECIPE) -> str:
    """Return a classpath with Kafka on it, by default with the broker.

    Raises:
        ServerError: as `jars_of`.
    """
    return f"{jars_of(recipe)}/*"


def jars_of(recipe: Path) -> Path:
    """Return the folder with the jars of a recipe, fetched and checked the first time.

    It is in the user's cache and named by the digest of its recipe: the folder with `pom.xml` and
    `jars.sha256`.

    Raises:
        ServerError: Maven failed, or a jar is not the one whose digest is recorded.
    """
    pom, digests = recipe / "pom.xml", recipe / "jars.sha256"
    name = hashlib.sha256(pom.read_bytes() + digests.read_bytes()).hexdigest()[:16]
    cache = _cache()
    jars = cache / f"{recipe.name}-{name}"
    if not jars.is_dir():
        require("java", "mvn")
        with tempfile.TemporaryDirectory(dir=cache, prefix="fetch-") as scratch:
            fetched = Path(scratch) / "jars"
            _run(["mvn", "-q", "-B", "-f", str(pom), COPY_GOAL, f"-DoutputDirectory={fetched}"])
            _check_jars(fetched, digests)
            if not jars.is_dir():
                fetched.rename(jars)
    return jars


def asyncapi_schemas() -> Path:
    """Return the archive of AsyncAPI's schemas, fetched and checked the first time.

    Raises:
        ServerError: npm failed, or the archive is not the one whose digest is recorded.
    """
    archive = _cache() / f"asyncapi-{ASYNCAPI_SHA256[:16]}.tgz"
    if not archive.is_file():
        require("npm")
        with tempfile.TemporaryDirectory(dir=_cache(), prefix="fetch-") as scratch:
            _run(["npm", "pack", "--silent", "--pack-destination", scratch, ASYNCAPI])
            (fetched,) = Path(scratch).glob("*.tgz")
            if _file_digest(fetched) != ASYNCAPI_SHA256:
                raise ServerError(f"{ASYNCAPI} is not the package whose digest is recorded")
            fetched.rename(archive)
    return archive


def _cache() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "winnow"
    cache.mkdir(parents=True, exist_ok=True)
    return cache


def _check_jars(folder: Path, digests: Path) -> None:
    lines = [line.split() for line in digests.read_text().splitlines()]
    recorded = {name: digest for digest, name in lines}
    found = {jar.name: _file_digest(jar) for jar in folder.iterdir()}
    wrong = sorted(
        name for name in recorded.keys() | found.keys() if recorded.get(name) != found.get(name)
    )
    if wrong:
        raise ServerError(f"jars differ from {digests}: {', '.join(wrong)}")


def _file_digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _run(command: list[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ServerError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-1000:]}")
