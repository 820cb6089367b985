"""Laws of the distribution: what it imports, what it needs, and that every repeat loop of ours passes its sample."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
SOURCES = sorted((HERE / "src").rglob("*.py"))
CALLERS = [*SOURCES, *sorted((HERE / "bench").rglob("*.py"))]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_only_the_standard_library_and_itself_are_imported(path):
    tree = ast.parse(path.read_text())
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}

    assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names | {"bencher"}


def test_it_depends_on_nothing():
    assert tomllib.loads((HERE / "pyproject.toml").read_text())["project"]["dependencies"] == []


def test_no_source_asks_for_the_time_or_a_random_number():
    """Neither may reach a key; the fake agent's jitter is the one exception."""
    asked = [
        path.name
        for path in SOURCES
        if path.name != "testing.py" and {"time", "datetime", "random", "uuid", "secrets"} & names(path)
    ]

    assert asked == []


def names(path):
    return {
        alias.name.partition(".")[0]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in ([ast.alias(node.module or "")] if isinstance(node, ast.ImportFrom) else node.names)
    }


def repeats_without_sample(text):
    """Calls of agent() or ask() in a loop over range() whose prompt does not name the loop's variable, and that pass no sample."""
    found = []
    for loop in ast.walk(ast.parse(text)):
        heads = [loop] if isinstance(loop, ast.For | ast.AsyncFor) else getattr(loop, "generators", [])
        for head in heads:
            if not (isinstance(head.iter, ast.Call) and isinstance(head.iter.func, ast.Name) and head.iter.func.id == "range"):
                continue
            variable = {node.id for node in ast.walk(head.target) if isinstance(node, ast.Name)}
            calls = (call for call in ast.walk(loop) if isinstance(call, ast.Call) and asks(call))
            found += [ast.unparse(call) for call in calls if not passes_sample(call) and not mentions(call, variable)]
    return found


def asks(call):
    used = [call.func, *call.args[:1]]  # run.agent(...), partial(run.agent, ...)
    return any(isinstance(each, ast.Attribute) and each.attr in ("agent", "ask") for each in used)


def passes_sample(call):
    return any(keyword.arg == "sample" for keyword in call.keywords)


def mentions(call, variable):
    return any(isinstance(node, ast.Name) and node.id in variable for node in ast.walk(call))


def test_every_repeat_loop_of_ours_passes_its_sample():
    assert {path.name: wrong for path in CALLERS if (wrong := repeats_without_sample(path.read_text()))} == {}


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("[run.agent(p) for trial in range(3)]", True),
        ("for trial in range(3):\n    await run.ask(prompt, options)", True),
        ("[partial(run.agent, p) for _ in range(3)]", True),
        ("[run.agent(p, sample=trial) for trial in range(3)]", False),
        ("[run.agent(f'{p} {n}') for n in range(3)]", False),
        ("[run.agent(p) for p in prompts]", False),
    ],
)
def test_the_law_of_samples_sees_a_loop_without_one(text, is_wrong):
    assert bool(repeats_without_sample(text)) == is_wrong
