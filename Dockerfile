# Docker, BuildKit and buildah 1.28 can build this: no heredocs, no COPY --link.
# Change tag and digest together; set another base with --build-arg PYTHON_IMAGE=..., RUST_IMAGE=...
ARG PYTHON_IMAGE=python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b
ARG RUST_IMAGE=rust:1.95-slim-bookworm@sha256:d7482085ff5b415f84dba5647ae71606650bdef00db7aeb69f4b3d170c3e4082

# The wheel: Python code and the compiled kernel.
FROM ${RUST_IMAGE} AS wheel
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
# any version of Debian's stable release will do to build the wheel
# hadolint ignore=DL3008
RUN python3 -c 'import venv, ensurepip' 2>/dev/null \
    || { apt-get update && apt-get install -y --no-install-recommends python3-venv && rm -rf /var/lib/apt/lists/*; }
WORKDIR /src
COPY requirements/build.txt requirements/
RUN --mount=type=cache,target=/root/.cache/pip \
    python3 -m venv /opt/build && /opt/build/bin/pip install --no-deps --require-hashes -r requirements/build.txt
COPY pyproject.toml README.md LICENSE ./
COPY models models
COPY streams streams
COPY lab lab
COPY worker worker
COPY winnow winnow
RUN --mount=type=cache,target=/cargo --mount=type=cache,target=/src/models/kernel/target \
    CARGO_HOME=/cargo /opt/build/bin/pip wheel --no-deps --no-index --no-build-isolation --wheel-dir /wheels .

# The runtime: Python, and an init that forwards signals and reaps processes.
FROM ${PYTHON_IMAGE} AS runtime
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
# any version of Debian's stable release will do
# hadolint ignore=DL3008
RUN test -x /usr/bin/tini \
    || { apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*; }

# Third-party packages, at the locked versions; pip itself stays outside the environment.
FROM runtime AS environment
COPY requirements/runtime.txt /tmp/
RUN --mount=type=cache,target=/root/.cache/pip \
    python3 -m venv /opt/pip && python3 -m venv --without-pip /app/.venv \
    && /opt/pip/bin/pip --python /app/.venv/bin/python install --no-deps --require-hashes -r /tmp/runtime.txt

# Our files, in a layer that changes with the model and a layer that changes with the code.
# (A copy, not a mount of the stage: buildah 1.28 would use a cached layer although the wheel has changed.)
FROM environment AS application
COPY --from=wheel /wheels /wheels
RUN /opt/pip/bin/pip --python /app/.venv/bin/python install --no-deps --no-index /wheels/*.whl \
    && site=$(/app/.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))') \
    && mkdir -p "/layers/model$site/winnow/models" "/layers/code$site" /layers/code/app/.venv/bin \
    && { test ! -d "$site/winnow/models/data" || mv "$site/winnow/models/data" "/layers/model$site/winnow/models/"; } \
    && mv "$site"/{winnow,winnow_web-*.dist-info} "/layers/code$site/" \
    && mv /app/.venv/bin/winnow /layers/code/app/.venv/bin/
COPY --chmod=0755 deploy/image/probe.py /layers/code/app/probe
COPY --chmod=0755 deploy/image/round_trip.py /layers/code/app/round-trip

# The bill of materials of the image.
FROM runtime AS inventory
ARG VERSION=0.0.0
COPY --from=environment /app/.venv /app/.venv
COPY models/kernel/Cargo.lock deploy/image/sbom.py /tmp/
RUN /app/.venv/bin/python /tmp/sbom.py "$VERSION" /tmp/Cargo.lock > /sbom.cdx.json

FROM runtime AS winnow
ARG VERSION=0.0.0
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
ARG SOURCE=
ARG PYTHON_IMAGE
COPY --from=environment /app/.venv /app/.venv
COPY --from=application /layers/model/ /
COPY --from=application /layers/code/ /
COPY --from=inventory /sbom.cdx.json /usr/share/doc/winnow/sbom.cdx.json
LABEL org.opencontainers.image.title="winnow" \
      org.opencontainers.image.description="A streaming worker that cleans crawled web pages" \
      org.opencontainers.image.vendor="The Winnow maintainers" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.base.name="${PYTHON_IMAGE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
# HOME: the user has no entry in /etc/passwd, and only /tmp is writable.
# OPENBLAS_NUM_THREADS: otherwise numpy starts a thread per core of the node in every process.
ENV PATH=/app/.venv/bin:/usr/local/bin:/usr/bin:/bin \
    HOME=/tmp \
    OPENBLAS_NUM_THREADS=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    WINNOW_WEB_HOST=0.0.0.0
WORKDIR /app
USER 10001:10001
EXPOSE 6066
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 CMD ["/app/probe", "livez"]
ENTRYPOINT ["/usr/bin/tini", "--", "winnow"]
CMD ["worker"]
