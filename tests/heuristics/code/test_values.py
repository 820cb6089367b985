"""Values that change, with what names them and what they mean in seconds."""

import pytest

from heuristics.code import ValueChange, value_changes, value_sites

CHANGES = [
    ("stock.ts", "const ATTEMPTS = 2;", "const ATTEMPTS = 6;", ("ATTEMPTS", "", 2, 6, None, None)),
    ("f.py", "requests.post(u, timeout=30)", "requests.post(u, timeout=3)", ("timeout", "requests.post", 30, 3, 30.0, 3.0)),
    ("a.ts", "AbortSignal.timeout(800)", "AbortSignal.timeout(80)", ("timeout", "AbortSignal.timeout", 800, 80, 0.8, 0.08)),
    (
        "a.ts",
        "axios.create({ timeout: 5_000 })",
        "axios.create({ timeout: 500 })",
        ("timeout", "axios.create", 5000, 500, 5.0, 0.5),
    ),
    (
        "m.go",
        "package m\nvar c = http.Client{Timeout: 5 * time.Second}",
        "package m\nvar c = http.Client{Timeout: 500 * time.Millisecond}",
        ("Timeout", "http.Client", 5, 500, 5.0, 0.5),
    ),
    (
        "A.java",
        "class A { void f() { c.connectTimeout(30, TimeUnit.SECONDS); } }",
        "class A { void f() { c.connectTimeout(3, TimeUnit.SECONDS); } }",
        ("connectTimeout", "c.connectTimeout", 30, 3, 30.0, 3.0),
    ),
    (
        "A.kt",
        "val a = f(Duration.ofSeconds(3))",
        "val a = f(Duration.ofMinutes(3))",
        ("f", "f", 3, 3, 3.0, 180.0),
    ),
    (
        "a.rb",
        'Rails.cache.fetch("k", expires_in: 5.minutes) { x }',
        'Rails.cache.fetch("k", expires_in: 30.seconds) { x }',
        ("expires_in", "Rails.cache.fetch", 5, 30, 300.0, 30.0),
    ),
    ("a.rb", "http.read_timeout = 5\n", "http.read_timeout = 50\n", ("read_timeout", "", 5, 50, 5.0, 50.0)),
    ("a.ts", 'redis.set("k", v, "EX", 300)', 'redis.set("k", v, "EX", 3)', ("EX", "redis.set", 300, 3, 300.0, 3.0)),
    ("a.py", 'T = int(os.getenv("T", "30"))', 'T = int(os.getenv("T", "3"))', ("T", "os.getenv", "30", "3", None, None)),
    (
        "a.ts",
        'res.setHeader("Cache-Control", "public, max-age=3600")',
        'res.setHeader("Cache-Control", "public, max-age=0")',
        ("Cache-Control", "res.setHeader", "public, max-age=3600", "public, max-age=0", 3600.0, 0.0),
    ),
    ("nginx/nginx.conf", "proxy_read_timeout 60s;", "proxy_read_timeout 5s;", ("proxy_read_timeout", "", "60s", "5s", 60.0, 5.0)),
    ("src/main/resources/application.yml", "spring:\n  t: 5s\n", "spring:\n  t: 30s\n", ("t", "", "5s", "30s", 5.0, 30.0)),
    (
        "config/database.yml",
        'p:\n  pool: <%= ENV.fetch("P") { 5 } %>\n',
        'p:\n  pool: <%= ENV.fetch("P") { 50 } %>\n',
        ("pool", "", 5, 50, None, None),
    ),
    (
        "Dockerfile",
        'CMD ["gunicorn", "--timeout", "30"]',
        'CMD ["gunicorn", "--timeout", "3"]',
        ("timeout", "", 30, 3, None, None),
    ),
    ("settings.toml", "[pool]\nsize = 3 # c\n", "[pool]\nsize = 30\n", ("size", "", 3, 30, None, None)),
]


@pytest.mark.parametrize(("path", "base", "head", "expected"), CHANGES)
def test_a_changed_value_is_named_and_computed(path: str, base: str, head: str, expected: tuple[object, ...]) -> None:
    (change,) = value_changes(path, base, head)

    assert (change.name, change.call, change.old, change.new, change.old_seconds, change.new_seconds) == expected


def test_code_that_only_moved_changes_no_value() -> None:
    first, second = "def f():\n    x(timeout=3)\n", "def g():\n    y(4)\n"

    assert value_changes("a.py", first + second, second + first) == ()


def test_another_spelling_of_the_same_duration_is_no_change() -> None:
    assert value_changes("a.py", "TTL = 60\n", "TTL = 1 * 60\n") == ()
    assert value_changes("m.go", "package m\nvar T = 60 * time.Second", "package m\nvar T = time.Minute * 1") == ()


def test_a_value_that_is_new_has_no_old_side() -> None:
    (change,) = value_changes("a.py", "requests.get(u)\n", "requests.get(u, timeout=2)\n")

    assert (change.is_added, change.name, change.new, change.new_seconds, change.base_line) == (True, "timeout", 2, 2.0, None)


def test_a_time_limit_set_to_none_has_a_text_and_no_value() -> None:
    (change,) = value_changes("a.py", "get(u, timeout=2)\n", "get(u, timeout=None)\n")

    assert (change.old, change.new, change.new_text, change.is_removed) == (2, None, "None", False)


def test_lines_are_those_of_each_side() -> None:
    change: ValueChange
    (change,) = value_changes("a.py", "N = 1\n", "import os\n\nN = 2\n")

    assert (change.base_line, change.head_line) == (1, 3)


def test_deeply_nested_values_are_read_without_recursion() -> None:
    assert value_sites("a.py", "x = " + "[" * 3_000 + "1" + "]" * 3_000 + "\n")
    assert value_sites("a.js", "x = " + "1+" * 3_000 + "y\n")


def test_a_use_of_a_constant_is_not_a_value_of_its_own() -> None:
    changes = value_changes("a.py", 'N = "a"\nf(N)\n', 'N = "b"\nf(N)\n')

    assert [(change.name, change.old, change.new) for change in changes] == [("N", "a", "b")]
