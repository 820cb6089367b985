import pytest

from bot.testing import evaluation_of

ROUTE = 'const app = require("express")();\napp.get("/x", async (req, res) => {{\n  const rows = await all();\n  {}\n}});\n'
ASYNC = "import requests\nimport httpx\n\n\nasync def enrich(url):\n    return {}\n"
CASES = [
    ("dependencies/removed-api", "requirements.txt", "pydantic=={}\n", "1.10", "2.6"),
    ("flags/turned", "flags.py", 'NEW = flag("NEW_SEARCH", {})\n', "False", "True"),
    ("logs/level-lowered", "app.py", "logging.basicConfig(level=logging.{})\n", "INFO", "DEBUG"),
    ("logs/whole-body-logged", "app.js", ROUTE, "res.json(rows);", "log.info({ body: req.body });"),
    ("calls/added-in-loop", "app.js", ROUTE, "res.json(rows);", "res.json(rows.map((r) => fetch(`${U}/${r.id}`)));"),
    ("calls/blocks-event-loop", "app.py", ASYNC, "await httpx.AsyncClient().get(url)", "requests.get(url)"),
    ("calls/limit-removed", "app.py", 'def events():\n    return db.query("SELECT * FROM events{}")\n', " LIMIT 9", ""),
    ("regex/catastrophic", "app.py", 'import re\n\nCODE = re.compile(r"{}")\n', "^[a-z]+$", "^([a-z]+-?)+$"),
]
each = pytest.mark.parametrize(("rule", "path", "text", "old", "new"), CASES, ids=[c[0] for c in CASES])
OTHER = {"uses.py": "from pydantic import BaseSettings\n"}


@each
def test_the_hazard_is_found_at_its_line(rule, path, text, old, new) -> None:
    before, after = text.format(old), text.format(new)

    found = [f for f in evaluation_of({path: before, **OTHER}, {path: after}).findings if f.rule == rule]

    changed = [n for n, (a, b) in enumerate(zip(before.split("\n"), after.split("\n"), strict=True), start=1) if a != b]
    assert [(f.file, f.line) for f in found] == [(path, changed[0])]
    assert found[0].safe_alternative


@pytest.mark.parametrize(
    ("rule", "path", "text", "old", "new"),
    [c for c in CASES if c[0] != "flags/turned"],
    ids=[c[0] for c in CASES[:1] + CASES[2:]],
)
def test_the_other_way_round_it_is_silent(rule, path, text, old, new) -> None:
    evaluation = evaluation_of({path: text.format(new), **OTHER}, {path: text.format(old)})

    assert [f for f in evaluation.findings if f.rule == rule] == []


@each
def test_in_tests_it_is_silent(rule, path, text, old, new) -> None:
    evaluation = evaluation_of({f"tests/{path}": text.format(old), **OTHER}, {f"tests/{path}": text.format(new)})

    assert [f for f in evaluation.findings if f.rule == rule] == []


@pytest.mark.parametrize(
    "text", ["(" * 20_000, "if x:\n " * 3_000, "a = " + "f(" * 5_000, "/" * 4_000, "log.debug(" * 3_000, "\x00debug: true"]
)
@pytest.mark.parametrize(
    "path", ["a.py", "a.js", "a.rb", "A.java", "package.json", "pyproject.toml", "Dockerfile", "a.yaml", "Gemfile"]
)
def test_text_that_is_no_program_breaks_nothing(path, text) -> None:
    assert evaluation_of({path: "level: info\n"}, {path: text}).failures == ()
