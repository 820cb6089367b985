def test_attributes_and_settings_of_the_checkout_run_nothing(gonogo_command, a_repository, tmp_path):
    mark = tmp_path / "executed"
    checkout = a_repository(
        {".gitattributes": "*.sql diff=evil filter=evil\n", "1.sql": "select 1;\n"},
        {".gitattributes": "*.sql diff=evil filter=evil merge=evil\n*.py -text\n", "1.sql": "select 2;\n"},
    )
    run = f"touch {mark}; cat"
    for key in (
        "diff.evil.textconv",
        "diff.evil.command",
        "diff.external",
        "filter.evil.smudge",
        "filter.evil.clean",
        "core.fsmonitor",
        "core.pager",
    ):
        checkout.git("config", key, run)
    hook = checkout.folder / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)

    said = gonogo_command(checkout, "--base", "main", "--format", "json")

    assert said.status == 0
    assert not mark.exists()


def test_attributes_cannot_hide_a_file_as_binary(gonogo_command, a_repository):
    path = "db/migrations/2.sql"
    index = "create index trips_note on trips (note);\n"
    plain = a_repository({"app.py": "x = 1\n"}, {path: index}, name="plain")
    hidden = a_repository({"app.py": "x = 1\n"}, {path: index, ".gitattributes": "*.sql binary -diff\n"}, name="hidden")

    seen, unseen = (gonogo_command(c, "--base", "main", "--format", "json").report for c in (plain, hidden))

    assert seen["findings"] == unseen["findings"]
    assert seen["coverage"]["statements_analysed"] == unseen["coverage"]["statements_analysed"] == 1


def test_terminal_escapes_in_a_pull_request_do_not_reach_the_terminal(gonogo_command, a_repository, tmp_path):
    pr = tmp_path / "pr.yaml"
    pr.write_text('title: "\\e]0;owned\\a\\e[2J"\nbody: "\\e[31m"\n')
    checkout = a_repository({"app.py": "x = 1\n"}, {"db/migrations/\x1b[31m.sql": "create index a on b (c);\n"})

    for form in ("text", "markdown"):
        said = gonogo_command(checkout, "--base", "main", "--pr", pr, "--format", form)

        assert "\x1b" not in said.out + said.err
