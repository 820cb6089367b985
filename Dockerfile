# syntax=docker/dockerfile:1
# gonogo as an application.
#   docker build -t gonogo .                                   command line, web process and worker
#   docker build -t gonogo-forecaster --target forecaster .    the same with torch, for forecasts with Toto
#   docker run --rm -v "$PWD:/repo:ro" gonogo check            needs no network
#   docker run -p 8000:8000 -v gonogo:/data --env-file gonogo.env gonogo serve --embedded --host 0.0.0.0

FROM python:3.13-slim AS build
WORKDIR /source
RUN python -m venv /opt/gonogo
COPY requirements-server.lock requirements.lock ./
RUN /opt/gonogo/bin/pip install --no-cache-dir --require-hashes -r requirements-server.lock
# The build backend is pinned too; it stays in this stage.
RUN python -m venv /opt/build && /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY gonogo gonogo
COPY bot bot
COPY context_graph context_graph
COPY heuristics heuristics
COPY forecasting forecasting
COPY benchmarks/bencher benchmarks/bencher
RUN /opt/build/bin/hatchling build -t wheel -d /wheel
WORKDIR /source/benchmarks/bencher
RUN /opt/build/bin/hatchling build -t wheel -d /wheel \
 && /opt/gonogo/bin/pip install --no-cache-dir --no-deps --no-index /wheel/*.whl

FROM build AS build-forecaster
WORKDIR /source
COPY requirements-toto.lock ./
RUN /opt/gonogo/bin/pip install --no-cache-dir --require-hashes -r requirements-toto.lock

FROM python:3.13-slim AS base
# Debian's current security fixes are wanted, so versions are not pinned here.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends git redis-server \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin gonogo \
 && install -d -o gonogo /data \
 # The checkout belongs to whoever mounted it.
 && git config --system --add safe.directory '*'
ENV PYTHONPATH="" PYTHONDONTWRITEBYTECODE=1 GONOGO_DATA_DIR=/data
USER 10001
WORKDIR /repo
VOLUME /data
EXPOSE 8000
# -I: the mounted checkout is never importable, whatever it holds.
ENTRYPOINT ["/opt/gonogo/bin/python", "-I", "-m", "bot.entrypoints.cli"]
CMD ["--help"]

FROM base AS forecaster
COPY --from=build-forecaster /opt/gonogo /opt/gonogo

FROM base AS app
COPY --from=build /opt/gonogo /opt/gonogo
