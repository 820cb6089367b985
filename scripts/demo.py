"""Evaluates the bundled example pull request as its author first wrote it, then in its safe form (`make demo`).

Ends with 0 only when the first is a no-go and the second a go.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.build_demo import EXAMPLE, build_example

GONOGO = Path(sys.executable).parent / "gonogo"


def main() -> int:
    """Both evaluations, as a user would run them."""
    with tempfile.TemporaryDirectory(prefix="gonogo-demo-") as folder:
        repository = build_example(Path(folder) / "rides")
        print("A pull request adds an index to a table that takes 38 writes a second.\n", flush=True)
        unsafe = _check(repository, "unsafe")
        print("\nThe same pull request, with the index built as the report says.\n", flush=True)
        safe = _check(repository, "safe")
    if (unsafe, safe) == (1, 0):
        print("\nNow your own repository: .venv/bin/gonogo check --repo PATH --base main")
        return 0
    print(f"\nthe demo expected exit status 1, then 0; it got {unsafe}, then {safe}", file=sys.stderr)
    return 1


def _check(repository: Path, branch: str) -> int:
    where = ["--production", EXAMPLE / "production", "--pr", EXAMPLE / "pr.yaml"]
    print(f"$ gonogo check --base main --head {branch} --production production --pr pr.yaml", flush=True)
    done = subprocess.run(
        [GONOGO, "check", "--repo", repository, "--base", "main", "--head", branch, *where, "--quiet"], check=False
    )
    print(f"exit status {done.returncode}", flush=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
