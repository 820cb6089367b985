"""Keeps the generated parts of the docs equal to the code (`make check`); `--write` writes them again (`make snap`).

Generated are what stands between `<!-- generated: name -->` and `<!-- end -->` in README.md, in docs/commands.md and in the indexes of
rules and playbooks and in docs/configuration.md, docs/report.schema.json, docs/gonogo.schema.json, and bot/report/rule_pages.json: the pages
of rules and playbooks as they are shipped.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from bot.github.app_manifest import PERMISSIONS
from bot.investigator.playbooks.registry import PLAYBOOKS
from bot.server_settings import ServerSettings
from gonogo.benchmark_setting import Benchmark
from gonogo.policy import Policy
from heuristics.registry import RULES
from scripts import policy_schema, report_schema
from scripts.policy_schema import said_below_fields

ROOT = Path(__file__).resolve().parent.parent
GONOGO = Path(sys.executable).parent / "gonogo"

_PART = re.compile(r"^(<!-- generated: (?P<name>[a-z-]+) -->\n).*?^(<!-- end -->)$", re.DOTALL | re.MULTILINE)


def documents() -> dict[Path, str]:
    """Every file with generated parts, as it should read."""
    marked = ("README.md", "docs/commands.md", "docs/configuration.md", "docs/rules/README.md", "docs/playbooks/README.md")
    wanted = {ROOT / name: _filled((ROOT / name).read_text(encoding="utf-8")) for name in marked}
    return wanted | {
        ROOT / "docs/report.schema.json": report_schema.schema_text(),
        ROOT / "docs/gonogo.schema.json": policy_schema.schema_text(),
        ROOT / "bot/report/rule_pages.json": pages_text(),
    }


def main() -> int:
    """Compare, or write; 1 when a document is out of date."""
    parser = argparse.ArgumentParser(description="Compare the generated parts of the docs with the code.")
    parser.add_argument("--write", action="store_true", help="write them instead")
    write: bool = parser.parse_args().write
    stale = [(path, text) for path, text in documents().items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path, text in stale:
        name = path.relative_to(ROOT)
        if write:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
        else:
            print(f"{name} is out of date; run: make snap", file=sys.stderr)
    return 1 if stale and not write else 0


def pages_text() -> str:
    """Id → page, rules first, each in the order of its registry."""
    listed = [*(("rules", rule.INFO.id) for rule in RULES), *(("playbooks", playbook.INFO.id) for playbook in PLAYBOOKS)]
    pages = {name: (ROOT / "docs" / folder / f"{name}.md").read_text(encoding="utf-8") for folder, name in listed}
    return json.dumps(pages, indent=0, ensure_ascii=False) + "\n"


def help_text(*verb: str) -> str:
    """What `gonogo VERB --help` prints, in a block."""
    env = os.environ | {"COLUMNS": "110", "TERM": "dumb", "NO_COLOR": "1"}
    done = subprocess.run([GONOGO, *verb, "--help"], capture_output=True, text=True, check=True, env=env)
    lines = [line.rstrip() for line in done.stdout.strip().splitlines()]
    return "\n".join(["```", *lines, "```"])


def settings_table() -> str:
    """The keys of `.github/gonogo.yml`."""
    said = said_below_fields(Policy)
    rows = ["| key | default | what |", "|---|---|---|"]
    for name, field in Policy.model_fields.items():
        rows.append(f"| `{name}` | {_default(field.get_default(call_default_factory=True))} | {said.get(name, '')} |")
    return "\n".join(rows)


def benchmark_table() -> str:
    """The keys of one entry of `benchmarks`."""
    said = said_below_fields(Benchmark)
    rows = ["| key | default | what |", "|---|---|---|"]
    for name, field in Benchmark.model_fields.items():
        default = "needed" if field.is_required() else _default(field.get_default(call_default_factory=True))
        rows.append(f"| `{name}` | {default} | {said.get(name, '')} |")
    return "\n".join(rows)


def server_settings_table() -> str:
    """The variables that `gonogo serve` and `gonogo worker` read."""
    said = said_below_fields(ServerSettings)
    rows = ["| variable | default | what |", "|---|---|---|"]
    for name, field in ServerSettings.model_fields.items():
        variable = name.upper() if name.startswith("anthropic_") else f"GONOGO_{name.upper()}"
        default = field.get_default(call_default_factory=True)
        is_told = "Default:" in said.get(name, "") or field.is_required()
        shown = "needed" if field.is_required() else "" if is_told else f"`{default}`" if default is not None else "none"
        rows.append(f"| `{variable}` | {shown} | {said.get(name, '')} |")
    return "\n".join(rows)


def _default(value: object) -> str:
    if value in (None, (), {}):
        return "none"
    if isinstance(value, tuple):
        return f"`[{', '.join(str(item) for item in cast('tuple[object, ...]', value))}]`"
    return str(value).lower()


def rules_index() -> str:
    """Every rule, in the order of the registry."""
    rows = (f"| [{rule.INFO.id}]({rule.INFO.id}.md) | {rule.INFO.title} |" for rule in RULES)
    return "\n".join(["| rule | what it points at |", "|---|---|", *rows])


def playbooks_index() -> str:
    """Every playbook, in the order they are tried."""
    rows = (f"| [{playbook.INFO.id}]({playbook.INFO.id}.md) | {playbook.INFO.question} |" for playbook in PLAYBOOKS)
    return "\n".join(["| playbook | what it asks of production |", "|---|---|", *rows])


def permissions_table() -> str:
    """What the GitHub App asks for."""
    rows = (f"| `{p.name}` | {p.level} | {p.reason}{' (optional)' if p.is_optional else ''} |" for p in PERMISSIONS)
    return "\n".join(["| permission | level | why |", "|---|---|---|", *rows])


_PARTS: dict[str, Callable[[], str]] = {
    "help": partial(help_text, "check"),
    "help-lint": partial(help_text, "lint"),
    "help-surface": partial(help_text, "surface"),
    "help-graph-export": partial(help_text, "graph", "export"),
    "help-graph-sync": partial(help_text, "graph", "sync"),
    "help-doctor": partial(help_text, "doctor"),
    "help-serve": partial(help_text, "serve"),
    "help-worker": partial(help_text, "worker"),
    "server-settings": server_settings_table,
    "help-snapshot": partial(help_text, "snapshot"),
    "help-replay": partial(help_text, "replay"),
    "help-app-create": partial(help_text, "app", "create"),
    "app-permissions": permissions_table,
    "settings": settings_table,
    "benchmark-settings": benchmark_table,
    "rules": rules_index,
    "playbooks": playbooks_index,
}


def _filled(text: str) -> str:
    return _PART.sub(lambda found: found[1] + _PARTS[found["name"]]() + "\n" + found[3], text)


if __name__ == "__main__":
    sys.exit(main())
