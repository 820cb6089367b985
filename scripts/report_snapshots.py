"""Keeps the reports of the bundled example as their readers see them: tests/bot/report/expected (`make snap` writes them again).

A test compares; only this writes, and never where CI is set.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.build_demo import EXAMPLE, build_example
from scripts.published_snapshots import FORMS, PUBLISHED, published_of

ROOT = Path(__file__).resolve().parent.parent
EXPECTED = ROOT / "tests" / "bot" / "report" / "expected"
GONOGO = Path(sys.executable).parent / "gonogo"
SUFFIXES = {"text": ".txt", "markdown": ".md"}

_SNAPSHOT = ("--production", str(EXAMPLE / "production"), "--pr", str(EXAMPLE / "pr.yaml"))
CALLS: dict[str, tuple[str, ...]] = {
    "confirmed": ("--head", "unsafe", *_SNAPSHOT),
    "refuted": ("--head", "safe", *_SNAPSHOT),
    "plausible-without-production": ("--head", "unsafe"),
    "nothing-to-evaluate": ("--head", "main"),
    "could-not-evaluate": ("--head", "unsafe", "--production", "live"),
}
"""What each report is of, and the arguments that give it."""


def report_of(name: str, form: str, *, repository: Path) -> str:
    """What `gonogo check` prints, 100 columns wide."""
    command = [GONOGO, "check", "--repo", repository, "--base", "main", "--format", form, "--quiet", *CALLS[name]]
    env = os.environ | {"COLUMNS": "100", "TERM": "dumb"}
    done = subprocess.run(command, env=env, check=False, capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(f"gonogo check gave no report for {name}: {done.stderr.strip()[-500:]}")
    return done.stdout


def main() -> int:
    """Write every report that changed."""
    if os.environ.get("CI"):
        print("reports are not written in CI: run make snap on a laptop and look at what changed", file=sys.stderr)
        return 2
    EXPECTED.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gonogo-snap-") as folder:
        repository = build_example(Path(folder) / "rides")
        for name in CALLS:
            for form, suffix in SUFFIXES.items():
                _keep(f"{name}{suffix}", report_of(name, form, repository=repository))
        for name in PUBLISHED:
            for form, suffix in FORMS.items():
                _keep(f"{name}{suffix}", published_of(name, form, repository=repository))
    return 0


def _keep(name: str, text: str) -> None:
    path = EXPECTED / name
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(main())
