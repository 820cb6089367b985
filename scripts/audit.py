"""Asks the public advisories about every pinned dependency. A known fault fails `make check`; no answer is one line."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCK = "requirements-server.lock"
WITHIN_S = 90


def main() -> int:
    """0 when nothing is known against what is installed for users, or the advisories cannot be reached from here; 1 else."""
    command = [
        str(Path(sys.executable).with_name("pip-audit")),
        *("--requirement", LOCK, "--disable-pip", "--require-hashes"),
        *("--format", "json", "--progress-spinner", "off", "--timeout", "5"),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN_S, check=False)
        answers: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        answers = []
    asked = [one for one in answers if "skip_reason" not in one]
    if not asked:
        print(f"audit: no advisories could be read from here, so {LOCK} was not audited", file=sys.stderr)
        return 0
    known = [(one["name"], one["version"], fault) for one in asked for fault in one["vulns"]]
    for name, version, fault in known:
        fixed = ", ".join(fault.get("fix_versions") or ()) or "no version yet"
        print(f"audit: {name} {version}: {fault['id']}, fixed in {fixed}", file=sys.stderr)
    if len(asked) < len(answers):
        print(f"audit: {len(answers) - len(asked)} of {len(answers)} dependencies are unknown to the advisories", file=sys.stderr)
    return 1 if known else 0


if __name__ == "__main__":
    sys.exit(main())
