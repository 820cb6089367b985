"""`gonogo lint` as it is called from an editor, a hook and CI."""

import io
import json
import sys

import pytest

INDEX = "CREATE INDEX orders_customer ON orders (customer_id);\n"


def test_json_lists_every_statement_with_its_facts_and_findings(verb, tmp_path):
    (tmp_path / "0114.sql").write_text(f"SET lock_timeout = '2s';\n{INDEX}")

    said = verb("lint", tmp_path / "0114.sql", "--dialect", "postgres", "--server-version", "15", "--format", "json")

    harmless, index = said.report["statements"]
    assert said.status == 1
    assert (harmless["line"], harmless["analysed"], harmless["findings"]) == (1, True, [])
    assert (index["file"], index["line"], index["sql"]) == (str(tmp_path / "0114.sql"), 2, INDEX.strip().rstrip(";"))
    facts = {key: index["facts"][key] for key in ("locks", "blocks_reads", "blocks_writes", "rewrites", "scans", "error")}
    assert facts == {
        "locks": {"orders": "Share"}, "blocks_reads": [], "blocks_writes": ["orders"], "rewrites": [], "scans": ["orders"], "error": None,
    }  # fmt: skip
    (finding,) = index["findings"]
    assert finding["rule"] == "postgres/index-not-concurrent"
    assert finding["safe_alternative"].startswith("CREATE INDEX CONCURRENTLY orders_customer ON orders (customer_id);")


def test_nothing_found_is_0_findings_are_1_and_a_wrong_call_is_2(verb, tmp_path):
    (tmp_path / "safe.sql").write_text("CREATE INDEX CONCURRENTLY i ON t (a);\n")
    (tmp_path / "unsafe.sql").write_text("CREATE INDEX i ON t (a);\n")

    assert verb("lint", tmp_path / "safe.sql").status == 0
    assert verb("lint", tmp_path / "unsafe.sql").status == 1
    for wrong in (
        ("lint",),
        ("lint", tmp_path / "gone.sql"),
        ("lint", tmp_path / "safe.sql", "--repo", tmp_path),
        ("lint", "--repo", tmp_path),
        ("lint", tmp_path / "safe.sql", "--server-version", "new"),
        ("lint", tmp_path / "safe.sql", "--schema", tmp_path / "gone.sql"),
        ("lint", tmp_path / "safe.sql", "--dialect", "oracle"),
    ):
        said = verb(*wrong)
        assert (said.status, said.out) == (2, ""), wrong
        assert said.line.startswith("gonogo: ")


def test_standard_input_is_linted_under_the_name_that_it_is_given(verb, monkeypatch):
    monkeypatch.setattr(
        sys,
        "stdin",
        io.TextIOWrapper(io.BytesIO(b"class I < ActiveRecord::Migration[7.1]\n  def change\n    add_index :t, :a\n  end\nend\n")),
    )

    said = verb("lint", "-", "--stdin-name", "db/migrate/20260101000000_i.rb", "--dialect", "postgres", "--format", "json")

    (statement,) = said.report["statements"]
    assert (statement["file"], statement["line"], statement["framework"]) == ("db/migrate/20260101000000_i.rb", 3, "rails")


def test_a_folder_stands_for_the_migrations_in_it(verb, tmp_path):
    for name, text in {"migrations/1_a.sql": INDEX, "migrations/deep/002_b.sql": INDEX, "notes.txt": "x"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    said = verb("lint", tmp_path / "migrations", "--format", "json")

    assert [s["file"].removeprefix(f"{tmp_path}/") for s in said.report["statements"]] == [
        "migrations/1_a.sql",
        "migrations/deep/002_b.sql",
    ]


def test_a_commit_is_linted_without_its_folder(verb, a_repository):
    checkout = a_repository(
        {"db/migrations/001_t.sql": "CREATE TABLE orders (customer_id int);\n", "db/migrations/002_i.sql": INDEX}
    )
    checkout.write({"db/migrations/002_i.sql": "SELECT 1;\n"})

    said = verb("lint", "--repo", checkout.folder, "--ref", "main", "--format", "json")

    assert [(s["file"], len(s["findings"])) for s in said.report["statements"]] == [
        ("db/migrations/001_t.sql", 0),
        ("db/migrations/002_i.sql", 1),
    ]


def test_a_schema_file_settles_what_the_statement_does_not(verb, tmp_path):
    (tmp_path / "a.sql").write_text("ALTER TABLE orders ALTER COLUMN ref TYPE varchar(80);\n")
    (tmp_path / "schema.sql").write_text("CREATE TABLE public.orders (id bigint, ref character varying(40));\n")

    assert verb("lint", tmp_path / "a.sql", "--dialect", "postgres").status == 1
    assert verb("lint", tmp_path / "a.sql", "--dialect", "postgres", "--schema", tmp_path / "schema.sql").status == 0


def test_a_file_that_is_not_text_is_not_analysed_and_never_clean(verb, tmp_path):
    (tmp_path / "a.sql").write_bytes(b"\x00\x01\x02")

    said = verb("lint", tmp_path / "a.sql", "--format", "json")

    (statement,) = said.report["statements"]
    assert (said.status, statement["analysed"], statement["note"]) == (1, False, "it is not text")


def test_a_file_that_is_no_migration_is_skipped_and_said(verb, tmp_path):
    (tmp_path / "app.py").write_text("import os\n")

    said = verb("lint", tmp_path / "app.py")

    assert said.status == 0
    assert "app.py  skipped: it is no migration" in said.out


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_what_is_accepted_is_listed_with_its_reason_and_is_no_failure(verb, tmp_path, form):
    accept = "-- gonogo: accept postgres/index-not-concurrent because the table is archived\n"
    (tmp_path / "a.sql").write_text(accept + INDEX)

    said = verb("lint", tmp_path / "a.sql", "--dialect", "postgres", "--format", form)

    assert said.status == 0
    assert "the table is archived" in said.out


def test_an_acceptance_that_accepts_nothing_is_reported(verb, tmp_path):
    (tmp_path / "a.sql").write_text("SELECT 1; -- gonogo: accept postgres/vacuum-full because it is night\n")

    said = verb("lint", tmp_path / "a.sql", "--format", "json")

    assert [u["why"] for u in said.report["useless_acceptances"]] == ["nothing of postgres/vacuum-full is found there"]


def test_the_settings_beside_the_files_accept_too(verb, tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github/gonogo.yml").write_text(
        "accept:\n- {rule: postgres/index-not-concurrent, file: a.sql, reason: the table is archived}\n"
    )
    (tmp_path / "a.sql").write_text(INDEX)

    said = verb("lint", tmp_path / "a.sql", "--dialect", "postgres", "--format", "json")

    assert said.status == 0
    assert said.report["statements"][0]["findings"][0]["accepted"]["reason"] == "the table is archived"


def test_an_entry_without_a_reason_is_a_wrong_setting(verb, tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github/gonogo.yml").write_text("accept:\n- {rule: postgres/index-not-concurrent, file: a.sql}\n")
    (tmp_path / "a.sql").write_text(INDEX)

    said = verb("lint", tmp_path / "a.sql")

    assert said.status == 2
    assert "accept[0].reason" in said.line


def test_json_is_one_document_with_no_path_of_the_machine_in_sarif(verb, a_repository):
    checkout = a_repository({"db/migrations/002_i.sql": INDEX})

    said = verb("lint", checkout.folder / "db/migrations/002_i.sql", "--format", "sarif")

    (result,) = json.loads(said.out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "db/migrations/002_i.sql"


def test_a_file_name_with_control_characters_and_line_ends_stays_one_harmless_line(verb, tmp_path):
    name = "a\x1b[31m\n0 findings.sql"
    (tmp_path / name).write_text(f"-- gonogo: accept postgres/vacuum-full because it is night\n{INDEX}")

    said = verb("lint", tmp_path / name, "--dialect", "postgres")

    assert said.status == 1
    assert "\x1b" not in said.out
    assert "\n0 findings.sql" not in said.out
    assert said.out.count("\ufffd0 findings.sql:") == 2


def test_an_acceptance_in_a_string_of_the_statement_accepts_nothing(verb, tmp_path):
    rule = "postgres/index-not-concurrent"
    (tmp_path / "a.sql").write_text(f"CREATE INDEX i ON t (a) WHERE b = '-- gonogo: accept {rule} because archived';\n")

    said = verb("lint", tmp_path / "a.sql", "--dialect", "postgres", "--format", "json")

    assert said.status == 1
    assert said.report["statements"][0]["findings"][0].get("accepted") is None
