"""Which changes are comments and layout only."""

import pytest

from heuristics.code import same_code

SAME = [
    ("a.py", "x=1 # a\n", "x = 1\n"),
    ("a.py", 'def f():\n    """a"""\n    return 1\n', 'def f():\n  """b"""\n\n  return 1\n'),
    ("a.py", "f(1, 2)\n", "f(\n    1,\n    2,\n)\n"),
    ("a.py", "x = 1  # type: ignore\n", "x = 1\n"),
    ("a.go", "// x\npackage m\n", "// y\npackage m\n"),
    ("a.ts", "const x = 'a'; // z", 'const x = "a"'),
    ("a.ts", "// eslint-disable-next-line\nf()", "f()"),
    ("A.java", "class A { /** doc */ int x; }", "class A {\n  int x;\n}"),
    ("a.rb", "x = 1 # a\n", "x = 1\n"),
    ("a.sql", "SELECT 1 -- a\n", "SELECT   1"),
    ("a.yml", "a: 1 # x\nb: [1, 2]\n", "a:   1\nb:\n- 1\n- 2\n"),
    ("a.toml", "a=1 # x", "a = 1"),
    ("a.jsonc", '{"a": 1, // x\n}', '{"a":1}'),
    ("main.tf", "a = 1 # x\n", "a   = 1\n"),
    ("Dockerfile", "FROM x\n# a\n", "FROM x\n"),
    ("app.properties", "# c\na=1\n", "a=1\n"),
]
DIFFERENT = [
    ("a.py", "if x:\n  a()\n  b()\n", "if x:\n  a()\nb()\n"),
    ("a.py", "x = (1,)\n", "x = (1)\n"),
    ("a.py", 'def f():\n    """a"""\nprint(f.__doc__)\n', 'def f():\n    """b"""\nprint(f.__doc__)\n'),
    ("a.go", "//go:build linux\npackage m\n", "//go:build darwin\npackage m\n"),
    ("a.go", "//go:embed a.txt\nvar s string\n", "var s string\n"),
    ("a.sql", "-- +goose Up\nSELECT 1", "SELECT 1"),
    ("a.sql", "SELECT /*+ IndexScan(t) */ 1", "SELECT 1"),
    ("a.sql", "/*!40101 SET x = 1 */;", ";"),
    ("Dockerfile", "# syntax=docker/dockerfile:1\nFROM x\n", "FROM x\n"),
    ("a.rb", "# frozen_string_literal: true\nx\n", "x\n"),
    ("a.ts", "// @ts-nocheck\nf()", "f()"),
    ("a.ts", '"use client"\nf()', "f()"),
    ("a.js", "return\na", "return a"),
    ("run.sh", "#!/bin/sh\nx\n", "#!/bin/bash\nx\n"),
    ("a.yml", "a: 1", "a: '1'"),
    ("a.php", '<?php /** @Route("/a") */ function f(){}', '<?php /** @Route("/b") */ function f(){}'),
    ("a.sql", "SELECT '-- a'", "SELECT '-- b'"),
]


@pytest.mark.parametrize(("path", "base", "head"), SAME)
def test_comments_and_layout_change_nothing(path: str, base: str, head: str) -> None:
    assert same_code(path, base, head) is True


@pytest.mark.parametrize(("path", "base", "head"), DIFFERENT)
def test_code_and_directives_change_something(path: str, base: str, head: str) -> None:
    assert same_code(path, base, head) is False


@pytest.mark.parametrize(
    ("path", "base", "head"),
    [("a.py", "def f(:\n", "def f(:\n # x\n"), ("a.xyz", "a", "b"), ("a.yml", "a: [", "a: [ # x"), ("a.toml", "a =", "a = # x")],
)
def test_what_cannot_be_parsed_is_not_called_the_same(path: str, base: str, head: str) -> None:
    assert same_code(path, base, head) is None


def test_deeply_nested_text_is_compared_without_recursion() -> None:
    nested = "x = " + "(" * 3_000 + "1" + ")" * 3_000 + "\n"

    assert same_code("a.py", nested, nested + "# c\n") is True
    assert same_code("a.yml", "a: &a [x]\n" + "b: [*a, *a]\n" * 50, "a: &a [x]\n" + "b: [*a, *a] # c\n" * 50) is True
