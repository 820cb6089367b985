"""Files that were read in pieces and are now held whole, in many languages, against memory and measured sizes."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

GIB = 1024.0**3
PROGRAM = "kubernetes:c/jobs/deployment/importer"

CHANGES = {
    "src/a.ts": (
        "export async function load(name: string) {\n  const rows = bucket.file(name).createReadStream().pipe(parse());\n  for await (const row of rows) await save(row);\n}\n",
        "export async function load(name: string) {\n  const [content] = await bucket.file(name).download();\n  for (const row of parse(content)) await save(row);\n}\n",
    ),
    "src/b.mjs": (
        "export async function load(path) {\n  const lines = readline.createInterface({ input: fs.createReadStream(path) });\n  for await (const line of lines) await save(line);\n}\n",
        'export async function load(path) {\n  const text = await fs.promises.readFile(path, "utf8");\n  for (const line of text.split("\\n")) await save(line);\n}\n',
    ),
    "app/a.py": (
        "def load(key):\n    body = s3.get_object(Bucket=B, Key=key)['Body']\n    for line in body.iter_lines():\n        save(line)\n",
        "def load(key):\n    body = s3.get_object(Bucket=B, Key=key)['Body']\n    for line in body.read().splitlines():\n        save(line)\n",
    ),
    "app/b.py": (
        "def load(path):\n    for part in pd.read_csv(path, chunksize=5000):\n        save(part)\n",
        "def load(path):\n    save(pd.read_csv(path))\n",
    ),
    "load.go": (
        "package a\n\nfunc load(r io.Reader) error {\n\ts := bufio.NewScanner(r)\n\tfor s.Scan() {\n\t\tsave(s.Bytes())\n\t}\n\treturn s.Err()\n}\n",
        "package a\n\nfunc load(r io.Reader) error {\n\tall, err := io.ReadAll(r)\n\tsave(all)\n\treturn err\n}\n",
    ),
    "src/main/java/a/Load.java": (
        "package a;\nclass Load {\n  void load(Path p) throws IOException {\n    try (var in = Files.lines(p)) { in.forEach(this::save); }\n  }\n}\n",
        "package a;\nclass Load {\n  void load(Path p) throws IOException {\n    for (var line : Files.readAllLines(p)) save(line);\n  }\n}\n",
    ),
    "lib/load.rb": (
        "def load(path)\n  CSV.foreach(path, headers: true) { |row| save(row) }\nend\n",
        "def load(path)\n  CSV.parse(File.read(path), headers: true).map { |row| save(row) }\nend\n",
    ),
    "src/Load.php": (
        "<?php\nfunction load_file($p) {\n  $in = fopen($p, 'r');\n  while (($line = fgets($in)) !== false) { save($line); }\n}\n",
        "<?php\nfunction load_file($p) {\n  $all = file_get_contents($p);\n  foreach (explode('x', $all) as $line) { save($line); }\n}\n",
    ),
    "src/Load.cs": (
        "class Load {\n  void Run(string p) {\n    foreach (var line in File.ReadLines(p)) Save(line);\n  }\n}\n",
        "class Load {\n  void Run(string p) {\n    foreach (var line in File.ReadAllLines(p)) Save(line);\n  }\n}\n",
    ),
    "src/load.rs": (
        "fn load(p: &str) {\n    for line in BufReader::new(File::open(p).unwrap()).lines() { save(line); }\n}\n",
        "fn load(p: &str) {\n    let all = std::fs::read_to_string(p).unwrap();\n    save(all);\n}\n",
    ),
    "lib/load.ex": (
        "defmodule Load do\n  def run(p), do: p |> File.stream!() |> Enum.each(&save/1)\nend\n",
        "defmodule Load do\n  def run(p), do: p |> File.read!() |> save()\nend\n",
    ),
}  # fmt: skip


def _production(size: float | None, *, memory_mib: int = 1024, name: str = "import_bytes.max") -> MemoryProduction:
    production = MemoryProduction()
    program = production.resource(PROGRAM, "kubernetes.deployment", "importer", is_deployed=True, memory_limit_mib=memory_mib)
    production.metric(program, "container_memory_working_set_bytes", "Bytes", 0.2 * GIB)
    if size is not None:
        production.metric(program, name, "Bytes", size)
    return production


def _statuses(path: str, production: MemoryProduction) -> list[Status]:
    before, after = CHANGES[path]
    said = evaluation_of({path: before}, {path: after}, production)
    return [e.status for e in said.ledger if e.trajectory.playbook == "whole-read"]


@pytest.mark.parametrize("path", CHANGES)
def test_files_that_are_bigger_than_the_memory_kill_it(path: str) -> None:
    assert _statuses(path, _production(1.3 * GIB)) == [Status.CONFIRMED]


@pytest.mark.parametrize("path", CHANGES)
def test_small_files_refute_it(path: str) -> None:
    assert _statuses(path, _production(3e6)) == [Status.REFUTED]


@pytest.mark.parametrize("path", CHANGES)
def test_unknown_sizes_leave_the_question(path: str) -> None:
    assert _statuses(path, _production(None)) == [Status.PLAUSIBLE]


def test_a_size_between_is_a_question() -> None:
    assert _statuses("app/a.py", _production(0.4 * GIB)) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(
    "name", ["ObjectSize.max", "upload_size_bytes.p99", "file_bytes", "payload_bytes.max{kind=csv}", "attachment_size"]
)
def test_sizes_have_many_names(name: str) -> None:
    assert _statuses("app/a.py", _production(1.3 * GIB, name=name)) == [Status.CONFIRMED]


@pytest.mark.parametrize("name", ["BucketSizeBytes", "network_bytes", "disk_bytes", "cache_size_bytes"])
def test_other_bytes_are_no_sizes_of_one_thing(name: str) -> None:
    assert _statuses("app/a.py", _production(1.3 * GIB, name=name)) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"object":"gs://drop/in/7.csv","bytes":1937590574,"msg":"import started"}', Status.CONFIRMED),
        ("import file=7.csv size_mb=1900 rows=12", Status.CONFIRMED),
        ("import file=7.csv size_mb=3", Status.REFUTED),
        ("GET /health 200 bytes=12", Status.PLAUSIBLE),
    ],
)
def test_a_log_may_tell_the_size(line: str, expected: Status) -> None:
    production = _production(None)
    production.log(PROGRAM, line)

    assert _statuses("app/a.py", production) == [expected]


def test_reading_in_pieces_from_now_on_is_silent() -> None:
    after, before = CHANGES["app/a.py"]
    said = evaluation_of({"app/a.py": before}, {"app/a.py": after}, _production(1.3 * GIB))

    assert said.ledger == ()
