# syntax=docker/dockerfile:1
# gonogo as an application. Needs no network when it runs: docker run --rm -v "$PWD:/repo:ro" gonogo check --production none

FROM python:3.13-slim AS build
WORKDIR /source
RUN python -m venv /opt/gonogo
COPY requirements-base.lock requirements.lock ./
RUN /opt/gonogo/bin/pip install --no-cache-dir --require-hashes -r requirements-base.lock
# The build backend is pinned too; it stays in this stage.
RUN python -m venv /opt/build && /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY gonogo gonogo
COPY bot bot
COPY context_graph context_graph
COPY heuristics heuristics
COPY forecasting forecasting
RUN /opt/build/bin/hatchling build -t wheel -d /wheel \
 && /opt/gonogo/bin/pip install --no-cache-dir --no-deps --no-index /wheel/*.whl \
 && /opt/gonogo/bin/pip uninstall --yes pip

FROM python:3.13-slim AS base
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin gonogo
COPY --from=build /opt/gonogo /opt/gonogo
# The checkout belongs to whoever mounted it.
RUN git config --system --add safe.directory '*'

FROM base AS app
ENV PYTHONPATH="" PYTHONDONTWRITEBYTECODE=1
USER gonogo
WORKDIR /repo
# -I: the mounted checkout is never importable, whatever it holds.
ENTRYPOINT ["/opt/gonogo/bin/python", "-I", "-m", "bot.entrypoints.cli"]
CMD ["--help"]
