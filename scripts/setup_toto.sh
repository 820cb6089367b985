#!/usr/bin/env bash
# Makes .venv-toto: gonogo with the extra `toto` (torch and toto-2), for the tests and benches of that extra only.
# On x86-64 Linux the registry's torch is a CUDA build (about 5.6 GB installed, under a minute on a fast line); it runs on the CPU as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }

if ! .venv-toto/bin/python -I -c 'import sys; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1; then
  rm -rf .venv-toto
  .venv/bin/uv venv --quiet --python .venv/bin/python .venv-toto
fi
say "installing requirements-toto.lock into .venv-toto (several GB on x86-64)"
export VIRTUAL_ENV="$PWD/.venv-toto" UV_HTTP_TIMEOUT=300
.venv/bin/uv pip install --quiet --require-hashes -r requirements-toto.lock
.venv/bin/uv pip install --quiet --no-deps --no-build-isolation -e .
# The first import compiles thousands of files; once here, not in every process that a test starts.
env -u PYTHONDONTWRITEBYTECODE .venv-toto/bin/python -W ignore -c 'import toto2'
touch .venv-toto/installed
say "ready: .venv-toto/bin/python"
