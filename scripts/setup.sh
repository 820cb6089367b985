#!/usr/bin/env bash
# Makes .venv with everything that working on gonogo needs. Run through `make setup`, which skips it when nothing changed.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }

# A name on the PATH may be a shim that starts nothing, so every candidate is started.
is_suitable() { "$1" -I -c 'import sys; sys.exit(not (3, 12) <= sys.version_info[:2] < (4, 0))' >/dev/null 2>&1; }

find_python() {
  local candidate
  for candidate in python3.13 python3.14 python3.15 python3.12 "$HOME"/.pyenv/versions/3.1[3-9]*/bin/python python3 "$HOME"/.pyenv/versions/3.12*/bin/python; do  # later ones start quicker
    if is_suitable "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
  fetch_python
}

# Last resort: uv brings a Python of its own. uv itself runs on any Python 3.
fetch_python() {
  local folder
  folder=$(mktemp -d)
  if python3 -m venv "$folder" >/dev/null 2>&1 && "$folder/bin/pip" install --quiet uv >/dev/null 2>&1 &&
    "$folder/bin/uv" python install --quiet 3.12 >/dev/null 2>&1; then
    "$folder/bin/uv" python find 3.12
    rm -rf "$folder"
  else
    rm -rf "$folder"
    say "no Python 3.12 or later starts here; install one (apt-get install python3.12 python3.12-venv, or pyenv install 3.12) and run make again"
    return 1
  fi
}

if ! { [ -x .venv/bin/python ] && is_suitable .venv/bin/python; }; then
  python=$(find_python)
  say "making .venv with $("$python" --version)"
  rm -rf .venv
  if ! "$python" -m venv .venv >/dev/null; then
    rm -rf .venv
    say "$python cannot make virtual environments; install its venv module (apt-get install python3-venv) and run make again"
    exit 1
  fi
fi

wanted=$(sed -nE 's/^(uv==[^ ;\\]+).*/\1/p' requirements.lock)
if [ "$(.venv/bin/uv --version 2>/dev/null | cut -d' ' -f2)" != "${wanted#uv==}" ]; then
  .venv/bin/python -m pip install -qq --disable-pip-version-check "$wanted"
fi
say "installing requirements.lock"
export VIRTUAL_ENV="$PWD/.venv"
.venv/bin/uv pip install --quiet --compile-bytecode --require-hashes -r requirements.lock
.venv/bin/uv pip install --quiet --no-deps --no-build-isolation -e . -e benchmarks/bencher
# Byte code for the first run too, and where PYTHONDONTWRITEBYTECODE or a read-only folder keeps Python from writing it.
# It carries the time of its source, so an edit is seen at once.
.venv/bin/python -I -m compileall -q -j 0 gonogo bot context_graph heuristics forecasting
touch .venv/installed
say "ready: .venv/bin/gonogo"
