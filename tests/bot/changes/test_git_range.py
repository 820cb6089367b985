"""Real git repositories, with everything a path and a file may be."""

import os
import subprocess
from pathlib import Path

import pytest

from bot.changes.pull_request import PullRequest
from bot.changes.repository import GitRepository, repository_of_url
from gonogo.change import ChangeKind
from gonogo.errors import CallError, ShallowCheckout

ENV = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
}  # fmt: skip


class Folder:
    """A git repository with a branch `main` and, checked out, `pr`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *args: str) -> str:
        done = subprocess.run(["git", "-C", str(self.path), *args], check=True, env=ENV, capture_output=True, text=True)
        return done.stdout.strip()

    def write(self, **files: str | bytes) -> "Folder":
        return self.put(files)

    def put(self, files: dict[str, str | bytes]) -> "Folder":
        for name, content in files.items():
            target = self.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self

    def commit(self, message: str = "m") -> "Folder":
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self

    def branch(self, name: str = "pr") -> "Folder":
        self.git("checkout", "-q", "-b", name)
        return self

    def read(
        self, *, base: str | None = None, head: str = "HEAD", pr: PullRequest | None = None, is_staged: bool = False
    ) -> GitRepository:
        return GitRepository(self.path, base=base, head=head, pull_request=pr or PullRequest(), is_staged=is_staged)


@pytest.fixture
def folder(tmp_path) -> Folder:
    return Folder(tmp_path / "repo")


def changed(repository: GitRepository):
    try:
        return {f.path: f for f in repository.changes().files}
    finally:
        repository.close()


def test_paths_with_spaces_unicode_quotes_and_a_b_slash_are_themselves(folder) -> None:
    odd = {"a b/x b/y.txt": "1\n", 'q"uote.py': "1\n", "tab\there.py": "1\n", "naïve/文.py": "1\n", "-dash": "1\n"}
    folder.put(odd).commit().branch().put(dict.fromkeys(odd, "2\n")).commit()

    assert set(changed(folder.read())) == set(odd)


def test_a_content_line_that_looks_like_a_header_is_content(folder) -> None:
    folder.put({"a.txt": "one\n"}).commit().branch().put({"a.txt": "one\n-- diff --git a/x b/x\n@@ -1 +1 @@\n"}).commit()

    file = changed(folder.read())["a.txt"]

    assert file.added_lines() == {2: "-- diff --git a/x b/x", 3: "@@ -1 +1 @@"}


def test_renames_keep_both_paths_and_binary_and_mode_changes_are_named(folder) -> None:
    folder.put({"old.py": "x = 1\n" * 30, "bin": b"\0\1" * 50, "run.sh": "true\n"}).commit().branch()
    folder.git("mv", "old.py", "new.py")
    folder.put({"bin": b"\0\2" * 50})
    (folder.path / "run.sh").chmod(0o755)
    folder.commit()

    files = changed(folder.read())

    assert (files["new.py"].kind, files["new.py"].base_path) == (ChangeKind.RENAMED, "old.py")
    assert files["bin"].is_binary
    assert files["run.sh"].kind is ChangeKind.MODE


def test_a_submodule_is_named_as_one(folder, tmp_path) -> None:
    inner = Folder(tmp_path / "inner").put({"a": "1"}).commit()
    folder.put({"a": "1"}).commit().branch()
    folder.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "lib")
    folder.commit()

    assert changed(folder.read())["lib"].kind is ChangeKind.SUBMODULE


def test_crlf_and_latin_1_are_decoded(folder) -> None:
    folder.put({"w.txt": b"a\r\nb\r\n", "l.txt": "café\n".encode("latin-1")}).commit().branch()
    folder.put({"w.txt": b"a\r\nc\r\n", "l.txt": "cafés\n".encode("latin-1")}).commit()
    repository = folder.read()

    assert repository.tree("head").text("w.txt") == "a\nc\n"
    assert repository.tree("head").text("l.txt") == "cafés\n"
    assert changed(repository)["w.txt"].added_lines() == {2: "c"}


def test_attributes_of_the_pull_request_hide_nothing(folder) -> None:
    folder.put({"m.sql": "select 1;\n"}).commit().branch().put(
        {".gitattributes": "*.sql binary -diff\n", "m.sql": "drop table t;\n"}
    ).commit()

    assert changed(folder.read())["m.sql"].added_lines() == {1: "drop table t;"}


def test_the_range_starts_at_the_merge_base(folder) -> None:
    folder.put({"a": "1"}).commit().branch().put({"b": "1"}).commit()
    folder.git("checkout", "-q", "main")
    folder.put({"c": "1"}).commit()

    assert set(changed(folder.read(base="main", head="pr"))) == {"b"}


def test_a_detached_head_is_a_head(folder) -> None:
    folder.put({"a": "1"}).commit().branch().put({"b": "1"}).commit()
    folder.git("checkout", "-q", "--detach")

    assert set(changed(folder.read())) == {"b"}


def test_the_index_is_evaluated_without_writing_into_the_repository(folder) -> None:
    folder.put({"a": "1"}).commit().branch().put({"b": "staged"})
    folder.git("add", "b")
    folder.put({"c": "not staged"})
    before = sorted(p.name for p in (folder.path / ".git" / "objects").rglob("*"))

    repository = folder.read(is_staged=True)
    text, files = repository.tree("head").text("b"), changed(repository)

    assert (set(files), text) == ({"b"}, "staged")
    assert sorted(p.name for p in (folder.path / ".git" / "objects").rglob("*")) == before


def test_search_finds_whole_words_in_any_file(folder) -> None:
    folder.put({"a b.py": "x = ORDERS\ny = ORDERS_URL\n", "c.ts": "env.ORDERS.send()\n"}).commit().branch().commit()
    repository = folder.read()

    found = repository.tree("head").search({"ORDERS", "nothing"})
    repository.close()

    assert [(p.file, p.line) for p in found["ORDERS"]] == [("a b.py", 1), ("c.ts", 1)]
    assert found["nothing"] == ()


def test_an_unknown_ref_says_what_to_run(folder) -> None:
    folder.put({"a": "1"}).commit()

    with pytest.raises(CallError, match=r"git fetch origin nope"):
        folder.read(head="nope")


def test_a_ref_that_is_an_option_is_not_run(folder) -> None:
    folder.put({"a": "1"}).commit()

    with pytest.raises(CallError, match="not the name of a commit"):
        folder.read(head="--output=x")


def test_a_shallow_checkout_says_how_to_deepen_it(folder, tmp_path) -> None:
    folder.put({"a": "1"}).commit().put({"a": "2"}).commit().branch().put({"a": "3"}).commit()
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", "--branch", "pr", f"file://{folder.path}", str(tmp_path / "shallow")],
        check=True,
        env=ENV,
    )

    with pytest.raises(ShallowCheckout, match="git fetch --unshallow"):
        GitRepository(tmp_path / "shallow", base=folder.git("rev-parse", "main"), head="HEAD", pull_request=PullRequest())


def test_no_default_branch_says_what_to_pass(folder) -> None:
    folder.git("checkout", "-q", "-b", "trunk")
    folder.put({"a": "1"}).commit()

    with pytest.raises(CallError, match="--base"):
        folder.read()


def test_an_empty_repository_and_a_plain_folder_are_wrong_calls(folder, tmp_path) -> None:
    with pytest.raises(CallError):
        folder.read()
    (tmp_path / "plain").mkdir()
    with pytest.raises(CallError, match="not a git repository"):
        GitRepository(tmp_path / "plain", base=None, head="HEAD", pull_request=PullRequest())


def test_hooks_and_monitors_of_the_repository_do_not_run(folder, tmp_path) -> None:
    folder.put({"a": "1"}).commit().branch().put({"a": "2"}).commit()
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "diff.external", "core.pager", "diff.x.textconv", "diff.x.command"):
        folder.git("config", key, str(trap))
    folder.put({".git/info/attributes": "* diff=x\n"})

    repository = folder.read()
    repository.uncommitted(), repository.tree("head").search({"a"}), changed(repository)

    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://github.com/Acme/Shop.git", "acme/shop"),
        ("git@github.com:acme/shop", "acme/shop"),
        ("ssh://git@github.com:22/acme/shop.git", "acme/shop"),
        ("https://token:x@github.com/acme/shop/", "acme/shop"),
        ("https://GITHUB.com/acme/shop.js.git", "acme/shop.js"),
        ("../elsewhere", None),
        ("", None),
    ],
)
def test_a_remote_names_its_repository_in_every_spelling(url, expected) -> None:
    assert repository_of_url(url) == expected


def test_the_pull_request_names_the_repository_before_the_remote_does(folder) -> None:
    folder.put({"a": "1"}).commit()
    folder.git("remote", "add", "origin", "https://github.com/Acme/Fork.git")

    assert folder.read(pr=PullRequest(repository="Acme/Shop")).repository_id == "github:acme/shop"
    assert folder.read().repository_id == "github:acme/fork"
