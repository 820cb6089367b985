"""A team's own readers of the environment, and loops over the names that must be set."""

import pytest

from heuristics.code import reads_in


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "a.go",
            'package m\nfunc must(name string) string {\n\tv, ok := os.LookupEnv(name)\n\tif !ok {\n\t\tlog.Fatalf("%s x", name)\n\t}\n\treturn v\n}\nvar a = must("KEY_A")\n',
        ),
        (
            "a.go",
            'package m\nfunc init() {\n\tfor _, k := range []string{"KEY_A", "KEY_B"} {\n\t\tif os.Getenv(k) == "" {\n\t\t\tpanic(k)\n\t\t}\n\t}\n}\n',
        ),
        (
            "a.ts",
            'function need(name: string): string {\n  const v = process.env[name];\n  if (!v) throw new Error(`missing ${name}`);\n  return v;\n}\nexport const a = need("KEY_A");\n',
        ),
        (
            "a.ts",
            'const need = (name: string, fb?: string) => { const v = process.env[name] ?? fb; if (v === undefined) throw new Error(name); return v; };\nexport const a = need("KEY_A"); const b = need("KEY_D", "c");\n',
        ),
        (
            "a.ts",
            'const REQUIRED = ["KEY_A", "KEY_B"];\nfor (const k of REQUIRED) {\n  if (!process.env[k]) throw new Error(k);\n}\n',
        ),
        (
            "a.ts",
            'const REQUIRED = ["KEY_A", "KEY_B"];\nREQUIRED.forEach((k) => {\n  if (!process.env[k]) { console.error(k); process.exit(1); }\n});\n',
        ),
        (
            "a.py",
            'import os\ndef need(name: str) -> str:\n    value = os.environ.get(name)\n    if not value:\n        raise RuntimeError(f"{name} missing")\n    return value\nA = need("KEY_A")\n',
        ),
        (
            "a.py",
            'import os\ndef cfg(name, default=None):\n    value = os.environ.get(name, default)\n    if value is None:\n        raise RuntimeError(name)\n    return value\nA = cfg("KEY_A")\nB = cfg("KEY_D", "x")\n',
        ),
        ("a.py", 'import os\ndef need(k): return os.environ[k]\nA = need("KEY_A")\n'),
        (
            "a.py",
            'import os\nREQ = ("KEY_A", "KEY_B")\nfor k in REQ:\n    if k not in os.environ:\n        raise SystemExit(k)\n',
        ),
        ("a.py", 'import os\nfor k in ["KEY_A"]:\n    os.environ[k]\n'),
        ("a.rb", 'def need(key)\n  ENV.fetch(key)\nend\nA = need("KEY_A")\n'),
        ("a.rb", 'class C\n  def self.need(k)\n    ENV[k] || raise("x #{k}")\n  end\nend\nA = C.need("KEY_A")\n'),
        ("a.rb", "%w[KEY_A KEY_B].each { |k| raise k unless ENV[k] }\n"),
        ("a.rb", 'REQ = ["KEY_A"].freeze\nREQ.each do |k|\n  raise k if ENV[k].nil?\nend\n'),
        (
            "a.java",
            'class A { static String need(String name) { String v = System.getenv(name); if (v == null || v.isBlank()) { throw new IllegalStateException(name); } return v; } String a = need("KEY_A"); }',
        ),
        ("a.kt", 'fun need(name: String): String = System.getenv(name) ?: error("missing $name")\nval a = need("KEY_A")\n'),
        (
            "a.php",
            '<?php\nfunction need(string $k): string { $v = getenv($k); if ($v === false) { throw new \\RuntimeException($k); } return $v; }\n$a = need("KEY_A");\n',
        ),
        (
            "a.rs",
            'fn need(name: &str) -> String { std::env::var(name).unwrap_or_else(|_| panic!("{name} missing")) }\nfn m() { let a = need("KEY_A"); }\n',
        ),
        ("a.rs", 'fn need(name: &str) -> String { env::var(name).expect("missing") }\nfn m() { let a = need("KEY_A"); }\n'),
        (
            "a.cs",
            'class A { static string Need(string key) => Environment.GetEnvironmentVariable(key) ?? throw new InvalidOperationException(key); string a = Need("KEY_A"); }',
        ),
        ("a.ex", 'defmodule A do\n  defp need(k), do: System.get_env(k) || raise "x"\n  def a, do: need("KEY_A")\nend\n'),
        ("a.ex", 'defmodule A do\n  defp need(k) do\n    System.fetch_env!(k)\n  end\n  def a, do: need("KEY_A")\nend\n'),
    ],
)
def test_a_name_that_is_read_through_a_function_that_fails_is_needed(path: str, text: str) -> None:
    found = [read for read in reads_in(path, text) if read.name == "KEY_A"]

    assert found
    assert found[0].requirement == "required"
    assert found[0].is_strict


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "a.go",
            'package m\nfunc get(name, def string) string {\n\tif v := os.Getenv(name); v != "" {\n\t\treturn v\n\t}\n\treturn def\n}\nvar a = get("KEY_D", "x")\n',
        ),
        (
            "a.ts",
            'const need = (name: string) => process.env[name] ?? fail(name);\nconst opt = (name: string, d: string) => process.env[name] ?? d;\nexport const a = opt("KEY_D", "x");\n',
        ),
        (
            "a.ts",
            'const need = (name: string, fb?: string) => { const v = process.env[name] ?? fb; if (v === undefined) throw new Error(name); return v; };\nexport const a = need("KEY_A"); const b = need("KEY_D", "c");\n',
        ),
        (
            "a.py",
            'import os\ndef cfg(name, default=None):\n    value = os.environ.get(name, default)\n    if value is None:\n        raise RuntimeError(name)\n    return value\nA = cfg("KEY_A")\nB = cfg("KEY_D", "x")\n',
        ),
        (
            "a.rs",
            'fn opt(name: &str, d: &str) -> String { env::var(name).unwrap_or_else(|_| d.to_string()) }\nfn m() { let a = opt("KEY_D", "x"); }\n',
        ),
    ],
)
def test_a_name_that_is_read_with_a_fallback_is_not_needed(path: str, text: str) -> None:
    found = [read for read in reads_in(path, text) if read.name == "KEY_D"]

    assert [read.requirement for read in found] == ["default"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.ts", 'const get = (m: Map<string, string>, name: string) => m.get(name);\nexport const a = get(m, "KEY_A");\n'),
        ("a.py", 'import os\ndef get(name):\n    return os.environ[name]\nx = cache.get("KEY_A")\n'),
        (
            "a.go",
            'package m\nfunc has(name string) bool {\n\t_, ok := os.LookupEnv(name)\n\treturn ok\n}\nvar a = m.Get("KEY_A")\n',
        ),
    ],
)
def test_a_function_of_the_same_name_that_is_something_else_reads_nothing(path: str, text: str) -> None:
    assert [read for read in reads_in(path, text) if read.name == "KEY_A"] == []
