#!/usr/bin/env bash
# The steps of action.yml: install gonogo beside the checkout, evaluate the pull request, publish what was found.
# The checkout is hostile: nothing of it is ever importable (python -I), and no token is in the environment while it is read.
set -euo pipefail
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP
token=${GONOGO_TOKEN-}
unset GONOGO_TOKEN

ours=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${RUNNER_TEMP:-/tmp}/gonogo.XXXXXX")
python=${GONOGO_ACTION_PYTHON-}
if [ -z "$python" ]; then
  for candidate in python3 python3.13 python3.12; do
    if "$candidate" -I -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then python=$candidate && break; fi
  done
  [ -n "$python" ] || { echo "::error::gonogo needs Python 3.12 or later; put actions/setup-python before it" && exit 2; }
  "$python" -I -m venv "$work/venv"
  "$work/venv/bin/python" -I -m pip install --quiet --disable-pip-version-check --require-hashes -r "$ours/requirements-base.lock"
  python=$work/venv/bin/python
  echo "$ours" >"$("$python" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/gonogo.pth"
fi

gonogo() { "$python" -I -m bot.entrypoints.cli "$@"; }
publish() { GONOGO_TOKEN=$token "$python" -I -m bot.entrypoints.workflow "$@"; }

cd "$GITHUB_WORKSPACE"
git config --global --add safe.directory "$GITHUB_WORKSPACE"
range=$(publish pull-request "$work/pull_request.json")  # BASE HEAD
read -r base head <<<"$range"
more=()
[ -z "${GONOGO_ACTION_PRODUCTION-}" ] || more=(--production "$GONOGO_ACTION_PRODUCTION")
status=0
gonogo check --repo . --base "$base" --head "$head" --pr "$work/pull_request.json" --json "$work/report.json" --format markdown --quiet \
  --investigator "${GONOGO_ACTION_INVESTIGATOR:-auto}" --deadline "${GONOGO_ACTION_DEADLINE:-150}" "${more[@]}" \
  >"$work/comment.md" 2>"$work/said" || status=$?
cat "$work/said" >&2
echo "report=$work/report.json" >>"${GITHUB_OUTPUT:-/dev/null}"
publish verdict "$status" "$work/comment.md" "$work/said"
