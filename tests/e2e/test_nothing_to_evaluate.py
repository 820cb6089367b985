import pytest


def conclusion(gonogo, checkout):
    said = gonogo(checkout, "--base", "main", "--format", "json", "--quiet")
    assert said.status == 0, said.err
    assert said.report["verdict"] == "go"
    return said.report["conclusion"]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({"README.md": "a\n", "docs/guide.rst": "b\n"}, {"README.md": "c\n", "docs/guide.rst": "d\n"}),
        ({"tests/test_api.py": "a = 1\n", "app.py": "x = 1\n"}, {"tests/test_api.py": "a = 2\n"}),
        ({"src/cart.test.ts": "a = 1\n"}, {"src/cart.test.ts": "a = 2\n"}),
        ({"app.py": "x = 1  # one\n"}, {"app.py": "# the limit\nx = 1\n"}),
        ({"app.ts": "const a = 1; // one\n"}, {"app.ts": "/* the limit */\nconst a = 1;\n"}),
        ({"main.go": "package main\n\nfunc main() {}\n"}, {"main.go": "package main\n\n// main starts it.\nfunc main() {}\n"}),
        ({"queries/a.sql": "select 1;\n"}, {"queries/a.sql": "-- one\nselect 1;\n"}),
        ({"main.tf": 'variable "a" {}\n'}, {"main.tf": '# a\nvariable "a" {}\n'}),
        ({"deploy.yaml": "a: 1\n"}, {"deploy.yaml": "# one\na: 1\n"}),
    ],
    ids=["documents", "python tests", "typescript tests", "python", "typescript", "go", "sql", "terraform", "yaml"],
)
def test_documents_tests_and_comments_cannot_reach_production(gonogo, a_repository, base, head):
    assert conclusion(gonogo, a_repository(base, head)) == "nothing-to-evaluate"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("main_linux.go", "package main\n", "//go:build linux\n\npackage main\n"),
        (
            "main.go",
            'package main\n\nimport _ "embed"\n\nvar a string\n',
            'package main\n\nimport _ "embed"\n\n//go:embed a.txt\nvar a string\n',
        ),
        ("db/migrations/1.sql", "select 1;\n", "-- +goose NO TRANSACTION\nselect 1;\n"),
        ("Dockerfile", "FROM scratch\n", "# syntax=docker/dockerfile:1\nFROM scratch\n"),
        ("db/migrations/1.sql", "select 1;\n", "/*! set sql_mode='' */;\nselect 1;\n"),
        ("bin/run", "echo\n", "#!/bin/bash -e\necho\n"),
        ("app.rb", 'a = "x"\n', '# frozen_string_literal: true\na = "x"\n'),
    ],
    ids=["go:build", "go:embed", "goose", "docker syntax", "mysql hint", "shebang", "frozen_string_literal"],
)
def test_a_directive_in_a_comment_is_code(gonogo, a_repository, path, before, after):
    assert conclusion(gonogo, a_repository({path: before}, {path: after})) == "evaluated"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("app.py", 'x = "# one"\n', 'x = "# two"\n'),
        ("app.py", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n"),
        ("app.js", "const a = 'http://one';\n", "const a = 'http://two';\n"),
        ("deploy.yaml", "a: one #x\n", "a: one#x\n"),
        ("docs/conf.py", "x = 1\n", "x = 2\n"),
    ],
    ids=["a hash in a string", "indentation", "slashes in a string", "a hash without a space", "code in a folder of documents"],
)
def test_what_only_looks_like_a_comment_is_code(gonogo, a_repository, path, before, after):
    assert conclusion(gonogo, a_repository({path: before}, {path: after})) == "evaluated"


def test_ignored_paths_cannot_reach_production(gonogo, a_repository):
    base = {".github/gonogo.yml": "ignore: ['tools/*']\n", "tools/a.py": "x = 1\n"}

    assert conclusion(gonogo, a_repository(base, {"tools/a.py": "x = 2\n"})) == "nothing-to-evaluate"
