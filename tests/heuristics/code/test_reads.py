"""What code reads from its environment, and whether it copes without."""

import pytest

from context_graph.testing import MemoryTree
from heuristics.code import reads_in, reads_of

READS = [
    ("a.py", 'A = os.environ["A"]', {"A": "required"}),
    ("a.py", 'A = os.getenv("A")\nif not A:\n    raise RuntimeError("no A")\n', {"A": "required"}),
    ("a.py", 'A = os.getenv("A") or "d"\nB = os.environ.get("B", 5)\n', {"A": "default", "B": "default"}),
    ("a.py", 'try:\n    A = os.environ["A"]\nexcept KeyError:\n    A = None\n', {"A": "optional"}),
    ("a.py", 'if "A" in os.environ:\n    f(os.environ["A"])\n', {"A": "optional"}),
    ("a.py", 'A = os.getenv("A")\nrequests.get(A)\n', {"A": "required"}),
    ("a.py", 'client.get_secret_value(SecretId="prod/db")\n', {"prod/db": "required"}),
    ("a.py", 'class S(BaseSettings):\n    model_config = SettingsConfigDict(env_prefix="APP_")\n    x: str\n    y: int = 5\n', {"APP_X": "required", "APP_Y": "default"}),
    ("a.ts", 'const a = process.env.A ?? "d"; const b = process.env["B"]!; if (process.env.C) f(process.env.C);', {"A": "default", "B": "required", "C": "optional"}),
    ("a.ts", "const { A, B = '1' } = process.env;\nuse(A);", {"A": "required", "B": "default"}),
    ("a.ts", 'const A = process.env.A;\nif (!A) throw new Error("A");', {"A": "required"}),
    ("a.ts", 'const on = process.env.FLAG === "true";', {"FLAG": "optional"}),
    ("a.ts", "fetch(`${process.env.URL}/x`)", {"URL": "required"}),
    ("env.ts", "export const env = createEnv({ server: { A: z.string(), B: z.string().optional() }, runtimeEnv: { A: process.env.A, B: process.env.B } });", {"A": "required", "B": "optional"}),
    ("src/w.ts", "export default { async fetch(req: Request, env: Env) { return env.RATES.get('x') } }", {"RATES": "required"}),
    ("src/w.ts", 'app.get("/", (c) => c.env.DB.prepare("x"))', {"DB": "required"}),
    ("src/w.ts", "const { KEY } = env;\nif (KEY) use(KEY);", {"KEY": "optional"}),
    ("m.go", 'package m\nvar a = os.Getenv("A")\n', {"A": "required"}),
    ("m.go", 'package m\nfunc f() {\n a := os.Getenv("A")\n if a == "" {\n  a = "d"\n }\n}\n', {"A": "optional"}),
    ("m.go", 'package m\nfunc f() {\n a, ok := os.LookupEnv("A")\n if !ok {\n  panic("A")\n }\n use(a)\n}\n', {"A": "required"}),
    ("m.go", 'package m\nfunc f() error {\n a, err := strconv.Atoi(os.Getenv("A"))\n if err != nil {\n  return err\n }\n use(a)\n}\n', {"A": "required"}),
    ("m.go", 'package m\nvar p = getEnv("PORT_X", "8080")\n', {"PORT_X": "default"}),
    ("m.go", 'package m\ntype C struct {\n X string `env:"X,required"`\n Y string `env:"Y" envDefault:"5"`\n Z string `env:"Z"`\n}\n', {"X": "required", "Y": "default", "Z": "optional"}),
    ("A.java", 'class A { String a = System.getenv("A"); String b = System.getenv().getOrDefault("B", "d"); }', {"A": "required", "B": "default"}),
    ("A.kt", 'fun f() { val a = System.getenv("A") ?: "d"; val b = System.getenv("B") ?: error("B") }', {"A": "default", "B": "required"}),
    ("application.yml", "a: ${DB_URL}\nb: ${POOL:5}\n", {"DB_URL": "required", "POOL": "default"}),
    ("a.rb", 'a = ENV.fetch("A")\nb = ENV.fetch("B", 5)\nc = ENV.fetch("C") { 3 }\nd = ENV["D"] || "x"\nf(ENV["E"])\n', {"A": "required", "B": "default", "C": "default", "D": "default", "E": "required"}),
    ("a.php", '<?php $a = env("A", "d"); $b = env("B"); $c = $_ENV["C"] ?? throw new X();', {"A": "default", "B": "required", "C": "required"}),
    ("m.rs", 'fn f() { let a = env::var("A").unwrap(); let b = env::var("B").unwrap_or("x".into()); if let Ok(c) = env::var("C") { g(c) } }', {"A": "required", "B": "default", "C": "optional"}),
    ("A.cs", 'class A { void F() { var a = Environment.GetEnvironmentVariable("A") ?? "d"; var b = Environment.GetEnvironmentVariable("B") ?? throw new X(); } }', {"A": "default", "B": "required"}),
    ("config/runtime.exs", 'a = System.get_env("A") || raise "no"\nb = System.get_env("B", "5")\n', {"A": "required", "B": "default"}),
    ("run.sh", 'X1=5\necho "$X1 ${ZZ:-3} ${WW:?}"\n', {"ZZ": "default", "WW": "required"}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), READS)
def test_a_read_is_required_optional_or_has_a_default(path: str, text: str, expected: dict[str, str]) -> None:
    assert {read.name: read.requirement for read in reads_in(path, text)} == expected


def test_a_go_value_that_is_used_only_when_it_parses_has_the_value_before_it_as_default() -> None:
    text = """package config
func Load() Config {
	mb := int64(25)
	if v, err := strconv.ParseInt(os.Getenv("MAX_UPLOAD_MB"), 10, 64); err == nil && v > 0 {
		mb = v
	}
	return Config{Max: mb << 20}
}
"""

    (read,) = reads_in("config.go", text)

    assert (read.requirement, read.default, read.line) == ("default", "25", 4)


def test_a_module_that_has_done_the_reading_is_not_a_binding() -> None:
    assert reads_in("a.ts", 'import { env } from "./env";\nuse(env.KEY);') == ()


def test_a_parameter_called_env_with_another_type_is_no_environment() -> None:
    assert reads_in("a.ts", "function f(env: string) { return env.LENGTH }") == ()


def test_writing_a_variable_is_no_read() -> None:
    assert reads_in("a.py", 'os.environ["A"] = "x"\n') == ()
    assert reads_in("a.js", 'process.env.A = "x";') == ()


def test_tests_examples_and_docs_read_nothing() -> None:
    code = 'import os\nos.environ["A"]\n'
    tree = MemoryTree(
        {"tests/test_a.py": code, "examples/a.py": code, "docs/a.md": code, "conftest.py": code, "app/a.py": code}, side="head"
    )

    assert [read.file for read in reads_of(tree)] == ["app/a.py"]


def test_build_tools_read_when_the_program_is_built() -> None:
    assert reads_in("vite.config.ts", "process.env.A!")[0].phase == "build"
    assert reads_in("src/a.ts", "use(process.env.NEXT_PUBLIC_A)")[0].phase == "build"


def test_hostile_nesting_is_read_without_recursion() -> None:
    text = "x = " + "f(" * 3_000 + 'os.environ["A"]' + ")" * 3_000

    assert [read.name for read in reads_in("a.py", text)] == ["A"]
