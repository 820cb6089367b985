import pytest

MIGRATION = "alter table trips add column note text;\n"
INDEX = "create index trips_note on trips (note);\n"

STRANGE_PATHS = [
    "db/migrations/2 add note.sql",
    "db/migrations/2 b/add.sql",
    "a b/b/db/migrations/2.sql",
    "db/migrations/2_größe_列.sql",
    'db/migrations/2_"quoted"\t.sql',
    "db/migrations/--output=x.sql",
    "db/migrations/:(glob)*.sql",
]


@pytest.mark.parametrize("path", STRANGE_PATHS)
def test_a_strange_path_is_read_and_named_as_it_is(gonogo, a_repository, path):
    checkout = a_repository({path: MIGRATION}, {path: MIGRATION + INDEX})

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.status == 0
    assert said.report["coverage"] == said.report["coverage"] | {"files_changed": 1, "files_read": 1}
    assert {finding["file"] for finding in said.report["findings"]} <= {path}


def test_crlf_line_ends_change_nothing_about_what_is_found(gonogo, a_repository):
    path = "db/migrations/0002_note.sql"
    found = []
    for name, end in (("lf", "\n"), ("crlf", "\r\n")):
        checkout = a_repository({"README.md": "x\n"}, {path: (MIGRATION + INDEX).replace("\n", end)}, name=name)
        found.append(gonogo(checkout, "--base", "main", "--format", "json").report)

    assert found[0]["findings"] == found[1]["findings"]
    assert found[0]["coverage"] == found[1]["coverage"]


def test_a_file_that_is_not_utf_8_is_evaluated(gonogo, a_repository):
    path = "db/migrations/0002_note.sql"
    checkout = a_repository({"app.py": "x = 1\n"}, {path: b"-- gr\xf6\xdfe\n" + INDEX.encode()})

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.status == 0
    assert said.report["conclusion"] == "evaluated"
    assert said.report["coverage"]["files_changed"] == 1


def test_a_path_that_is_not_utf_8_does_not_end_the_evaluation(gonogo, a_repository):
    checkout = a_repository({"app.py": "x = 1\n"}, {})
    odd = checkout.folder.joinpath(b"caf\xe9.py".decode("utf-8", "surrogateescape"))
    odd.write_bytes(b"x = 1\n")
    checkout.commit({})

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.status == 0
    assert said.report["coverage"]["files_changed"] == 1


def test_a_binary_file_is_counted(gonogo, a_repository):
    checkout = a_repository({"logo.bin": b"\x00\x01"}, {"logo.bin": b"\x00\x02"})

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.status == 0
    assert said.report["coverage"]["files_changed"] == 1


def test_a_submodule_that_moved_is_something_to_evaluate(gonogo, a_repository):
    checkout = a_repository({"app.py": "x = 1\n"})
    first = checkout.git("rev-parse", "HEAD").strip()
    checkout.git("update-index", "--add", "--cacheinfo", f"160000,{first},vendor/lib")
    checkout.git("commit", "-q", "-m", "submodule")
    checkout.git("checkout", "-q", "-b", "pr")
    checkout.git("update-index", "--cacheinfo", f"160000,{checkout.git('rev-parse', 'main').strip()},vendor/lib")
    checkout.git("commit", "-q", "-m", "newer")

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.status == 0
    assert said.report["conclusion"] == "evaluated"
    assert said.report["coverage"]["files_changed"] == 1


def test_a_mode_change_is_something_to_evaluate(gonogo, a_repository):
    checkout = a_repository({"run.sh": "#!/bin/sh\necho\n"}, {})
    checkout.git("update-index", "--chmod=+x", "run.sh")
    checkout.git("commit", "-q", "-m", "executable")

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.status == 0
    assert said.report["conclusion"] == "evaluated"


def test_a_rename_is_one_file(gonogo, a_repository):
    text = "".join(f"line_{n} = {n}\n" for n in range(30))
    checkout = a_repository({"old name.py": text}, {"old name.py": None, "new name.py": text + "last = 1\n"})

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.report["coverage"]["files_changed"] == 1


def test_a_symbolic_link_is_not_followed(gonogo, a_repository):
    checkout = a_repository({"app.py": "x = 1\n"}, {})
    (checkout.folder / "passwords.py").symlink_to("/etc/passwd")
    checkout.commit({})

    said = gonogo(checkout, "--base", "main", "--format", "json")

    assert said.status == 0
    assert "root:" not in said.out


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app.py", f"x = {'(' * 5000}1{')' * 5000}\n"),
        ("template.yaml", f"Resources: {'[' * 20_000}{']' * 20_000}\n"),
        ("package.json", "[" * 20_000 + "]" * 20_000),
        ("bundle.js", "a=" + "1+" * 150_000 + "1\n"),
        ("db/migrations/2.sql", "select " + "(" * 20_000 + "1" + ")" * 20_000 + ";\n"),
        ("main.tf", "locals {\n a = " + "[" * 20_000 + "]" * 20_000 + "\n}\n"),
    ],
    ids=["python", "yaml", "json", "javascript on one line", "sql", "terraform"],
)
def test_deep_nesting_and_very_long_lines_end_in_time(gonogo_command, a_repository, path, text):
    checkout = a_repository({"app.py": "x = 1\n"}, {path: text})

    said = gonogo_command(checkout, "--base", "main", "--format", "json", "--quiet", timeout_s=30)

    assert said.status == 0, said.err
    assert said.report["coverage"]["files_changed"] == 1
