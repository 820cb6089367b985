"""The copy of a repository holds exactly the commits that were asked for, whatever is on the disk and on the way."""

import asyncio
import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.changes.pull_request import PullRequest as AskedPullRequest
from bot.changes.repository import GitRepository
from bot.github.mirror import Fetched, Mirrors, Source
from gonogo.errors import Forbidden, ForgeUnavailable, Gone, NotFoundYet, StageFailed
from tests.bot.github.conftest import Shop
from tests.github import faults
from tests.github.world import PullRequest

GIT = "* /acme/shop.git/*"


@pytest.fixture
def mirrors(tmp_path: Path) -> Mirrors:
    return Mirrors(tmp_path / "data", fetch_timeout_s=30, create_timeout_s=30)


def fetched(shop: Shop, mirrors: Mirrors, pull: PullRequest | None = None, **how: str) -> Fetched:
    pull = pull or shop.pull
    wanted = {"base_ref": "refs/heads/main", "head_ref": f"refs/pull/{pull.number}/head", "head_sha": pull.head_sha} | how

    async def run() -> Fetched:
        async def work(app: object) -> Fetched:
            client = shop.client(app)  # pyright: ignore[reportArgumentType]
            source = Source(shop.repository.id, shop.access.git_url("acme", shop.repository.name), client.git_token)
            return await mirrors.fetch(source, **wanted)  # pyright: ignore[reportArgumentType]

        return await _as_app(shop, work)

    return asyncio.run(run())


async def _as_app(shop: Shop, work: Callable[..., object]) -> Fetched:
    from bot.github.app import GitHubApp

    async with GitHubApp(shop.access) as app:
        return await work(app)  # pyright: ignore[reportGeneralTypeIssues, reportReturnType]


def git(folder: Path, *args: str) -> str:
    return subprocess.run(["git", f"--git-dir={folder}", *args], check=True, capture_output=True, text=True).stdout.strip()


def test_base_and_head_are_brought_and_their_merge_base_is_found(shop: Shop, mirrors: Mirrors) -> None:
    before = shop.pull.base_sha
    tip = shop.github.repositories.push(shop.repository, "main", {"later.txt": "x\n"})

    got = fetched(shop, mirrors)

    assert (got.base_sha, got.head_sha, got.merge_base_sha) == (tip, shop.pull.head_sha, before)
    assert got.folder == mirrors.folder(shop.repository.id)
    assert git(got.folder, "show", f"{got.head_sha}:app.py") == "print(2)"
    assert git(got.folder, "rev-parse", "--is-bare-repository") == "true"


def test_the_change_is_read_from_the_copy_as_from_a_checkout(shop: Shop, mirrors: Mirrors) -> None:
    got = fetched(shop, mirrors)

    repository = GitRepository(got.folder, base=got.base_sha, head=got.head_sha, pull_request=AskedPullRequest())

    assert [f.path for f in repository.changes().files] == ["app.py"]
    repository.close()


def test_what_is_there_already_is_not_fetched_again(shop: Shop, mirrors: Mirrors) -> None:
    first = fetched(shop, mirrors)
    asked = len(shop.github.record.of(GIT))

    again = fetched(shop, mirrors, base_sha=first.base_sha)

    assert again == first
    assert len(shop.github.record.of(GIT)) == asked


def test_a_new_commit_brings_only_what_is_new(shop: Shop, mirrors: Mirrors) -> None:
    fetched(shop, mirrors)
    shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})

    got = fetched(shop, mirrors)

    assert git(got.folder, "show", f"{got.head_sha}:app.py") == "print(3)"


def test_a_head_that_was_pushed_away_is_still_evaluated(shop: Shop, mirrors: Mirrors) -> None:
    old = shop.github.pulls.push(shop.pull, {"app.py": "print('old')\n"})
    shop.github.pulls.push(shop.pull, {"app.py": "print('new')\n"}, onto=shop.pull.base_sha)

    got = fetched(shop, mirrors, head_sha=old)

    assert git(got.folder, "show", f"{old}:app.py") == "print('old')"


def test_a_head_whose_ref_lags_is_fetched_by_its_id(shop: Shop, mirrors: Mirrors) -> None:
    shop.pull.stale_fetches_after_push = 9
    head = shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})

    assert fetched(shop, mirrors).head_sha == head


def test_a_head_that_github_does_not_have_yet_may_be_asked_for_again(shop: Shop, mirrors: Mirrors) -> None:
    with pytest.raises(NotFoundYet, match="head commit ffffffffffff"):
        fetched(shop, mirrors, head_sha="f" * 40)

    assert fetched(shop, mirrors).head_sha == shop.pull.head_sha


def test_a_fork_is_read_through_the_base_repository(shop: Shop, mirrors: Mirrors) -> None:
    fork = shop.github.repositories.fork(shop.repository, "mallory")
    pull = shop.github.pulls.open(shop.repository, {"evil.txt": "x\n"}, fork=fork)
    shop.github.repositories.delete(fork)

    got = fetched(shop, mirrors, pull)

    assert git(got.folder, "show", f"{got.head_sha}:evil.txt") == "x"
    assert not shop.github.record.of("* /mallory/*")


def test_a_merge_group_is_fetched_by_its_ref_and_after_its_end_by_its_id(shop: Shop, mirrors: Mirrors) -> None:
    group = shop.github.pulls.enqueue(shop.pull)
    there = fetched(shop, mirrors, head_ref=group.head_ref, head_sha=group.head_sha, base_sha=group.base_sha)
    asyncio.run(mirrors.discard(shop.repository.id))
    shop.github.pulls.destroy(group)

    gone = fetched(shop, mirrors, head_ref=group.head_ref, head_sha=group.head_sha, base_sha=group.base_sha)

    assert (there.head_sha, there.merge_base_sha) == (group.head_sha, group.base_sha)
    assert gone.head_sha == group.head_sha


def test_branches_of_awkward_names_do_not_stand_in_each_others_way(shop: Shop, mirrors: Mirrors) -> None:
    names = ["release", "release/2", 'ünï/"q"$(id)', "-x"]
    for name in names:
        if name == "release/2":
            shop.github.repositories.delete_branch(shop.repository, "release")
        shop.github.repositories.branch(shop.repository, name)
        assert fetched(shop, mirrors, base_ref=f"refs/heads/{name}").base_sha == shop.pull.base_sha


def test_a_base_branch_that_is_gone_is_not_taken_from_memory(shop: Shop, mirrors: Mirrors) -> None:
    shop.github.repositories.branch(shop.repository, "release")
    fetched(shop, mirrors, base_ref="refs/heads/release")
    shop.github.repositories.delete_branch(shop.repository, "release")

    with pytest.raises(Gone, match="no branch refs/heads/release"):
        fetched(shop, mirrors, base_ref="refs/heads/release")


def test_two_histories_without_a_common_commit_have_no_merge_base(shop: Shop, mirrors: Mirrors) -> None:
    orphan = shop.github.repositories.commit(shop.repository, "refs/heads/orphan", {"a": "b\n"})
    pull = shop.github.pulls.open(shop.repository, head_sha=orphan, branch="orphan")

    assert fetched(shop, mirrors, pull).merge_base_sha is None


def test_a_renamed_repository_keeps_its_copy(shop: Shop, mirrors: Mirrors) -> None:
    before = fetched(shop, mirrors)
    shop.github.repositories.rename(shop.repository, "store")
    shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})

    after = fetched(shop, mirrors)

    assert after.folder == before.folder
    assert after.head_sha == shop.pull.head_sha


def test_a_repository_that_is_gone_or_hidden_is_gone(shop: Shop, mirrors: Mirrors) -> None:
    shop.repository.is_deleted = True
    shop.github.faults.add("POST /app/installations/*/access_tokens", a_token(shop), times=9)

    with pytest.raises(Gone):
        fetched(shop, mirrors)


def a_token(shop: Shop) -> faults.Answer:
    from tests.github.authority import new_token

    token = new_token(shop.github.world, "ghs", shop.app, installation=shop.installation, permissions={"contents": "read"})
    body = {"token": token.value, "expires_at": "2099-01-01T00:00:00Z", "permissions": {"contents": "read"}}
    return faults.Answer("a token", 201, body)


def test_a_token_that_git_is_refused_with_is_made_anew(shop: Shop, mirrors: Mirrors) -> None:
    shop.github.faults.add("GET /acme/shop.git/info/refs", faults.Answer("401", 401, "no", {"www-authenticate": "Basic"}))

    assert fetched(shop, mirrors).head_sha == shop.pull.head_sha
    assert len(shop.github.record.of("POST /app/installations/*/access_tokens")) == 2


def test_git_that_is_refused_twice_names_the_permission(shop: Shop, mirrors: Mirrors) -> None:
    shop.github.faults.add("GET /acme/shop.git/info/refs", faults.Answer("403", 403, "no"), times=9)

    with pytest.raises(Forbidden, match="contents: read") as refused:
        fetched(shop, mirrors)
    assert refused.value.permission == "contents"


def test_a_failure_on_the_way_is_tried_again_once(shop: Shop, mirrors: Mirrors) -> None:
    shop.github.faults.add(GIT, faults.server_error(502))
    assert fetched(shop, mirrors).head_sha == shop.pull.head_sha
    asyncio.run(mirrors.discard(shop.repository.id))
    shop.github.faults.add(GIT, faults.server_error(502), times=9)

    with pytest.raises(ForgeUnavailable):
        fetched(shop, mirrors)
    assert not mirrors.folder(shop.repository.id).exists()


def test_a_connection_that_breaks_in_the_middle_leaves_nothing_behind(shop: Shop, mirrors: Mirrors) -> None:
    shop.github.faults.add("POST /acme/shop.git/git-upload-pack", faults.cut(), skip=1, times=9)

    with pytest.raises(ForgeUnavailable):
        fetched(shop, mirrors)

    root = mirrors.folder(shop.repository.id).parent
    assert [p.name for p in root.iterdir()] == [f"{shop.repository.id}.lock"]


def test_git_that_takes_too_long_is_ended_with_all_that_it_started(shop: Shop, tmp_path: Path) -> None:
    shop.github.faults.add(GIT, faults.hang(), times=9)
    mirrors = Mirrors(tmp_path / "data", fetch_timeout_s=1, create_timeout_s=1)

    with pytest.raises(ForgeUnavailable, match="more than 1 s"):
        fetched(shop, mirrors)

    assert not git_processes(tmp_path)


def test_git_is_ended_within_a_second_when_the_evaluation_is_cancelled(shop: Shop, mirrors: Mirrors, tmp_path: Path) -> None:
    shop.github.faults.add(GIT, faults.hang(), times=9)

    async def token(refused: str | None) -> str:
        return "a-token"

    async def run() -> float:
        source = Source(1, shop.access.git_url("acme", "shop"), token)
        head = {"base_ref": "refs/heads/main", "head_ref": "refs/pull/1/head", "head_sha": "a" * 40}
        work = asyncio.ensure_future(mirrors.fetch(source, **head))
        while not git_processes(tmp_path):  # noqa: ASYNC110  nothing tells when git is there
            await asyncio.sleep(0.02)
        started = time.monotonic()
        work.cancel()
        await asyncio.wait({work})
        assert work.cancelled()
        return time.monotonic() - started

    assert asyncio.run(run()) < 1
    assert not git_processes(tmp_path)


def git_processes(folder: Path) -> list[str]:
    """Command lines of git that speak of this folder."""
    found: list[str] = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = place.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if line.startswith("git") and str(folder) in line:
            found.append(line)
    return found


def test_the_token_is_in_no_argument_no_file_and_no_message(shop: Shop, mirrors: Mirrors, tmp_path: Path) -> None:
    lines: list[str] = []
    shop.github.faults.add(GIT, faults.slow(0.4), times=2)

    async def watch(app: object) -> Fetched:
        client = shop.client(app)  # pyright: ignore[reportArgumentType]
        source = Source(shop.repository.id, shop.access.git_url("acme", "shop"), client.git_token)
        wanted = {"base_ref": "refs/heads/main", "head_ref": "refs/pull/1/head", "head_sha": shop.pull.head_sha}
        work = asyncio.ensure_future(mirrors.fetch(source, **wanted))
        while not work.done():
            lines.extend(git_processes(tmp_path))
            await asyncio.sleep(0.02)
        return work.result()

    asyncio.run(_as_app(shop, watch))

    token = next(t.value for t in shop.github.world.tokens.values() if t.installation)
    written = [p for p in mirrors.folder(shop.repository.id).rglob("*") if p.is_file()]
    assert any("fetch" in line for line in lines)
    assert not any(token in line or "Authorization" in line for line in lines)
    assert written
    assert not any(token.encode() in p.read_bytes() or b"Authorization" in p.read_bytes() for p in written)


def test_settings_of_the_host_and_of_the_user_have_no_say(
    shop: Shop, mirrors: Mirrors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap, caught = tmp_path / "trap", tmp_path / "caught"
    trap.write_text(f"#!/bin/sh\ntouch {caught}\n")
    trap.chmod(0o755)
    config = tmp_path / "gitconfig"
    config.write_text(
        textwrap.dedent(f"""
        [core]
            hooksPath = {tmp_path}
            sshCommand = {trap}
            askPass = {trap}
            fsmonitor = {trap}
        [credential]
            helper = {trap}
        [url "http://127.0.0.1:9/"]
            insteadOf = http://127.0.0.1
        [protocol]
            allow = never
        """)
    )
    (tmp_path / "reference-transaction").write_text(trap.read_text())
    (tmp_path / "reference-transaction").chmod(0o755)
    for name, value in {
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_CONFIG_SYSTEM": str(config),
        "GIT_ASKPASS": str(trap),
        "GIT_DIR": str(tmp_path),
        "GIT_TRACE_CURL": str(tmp_path / "trace"),
        "HOME": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)

    got = fetched(shop, mirrors)

    assert got.head_sha == shop.pull.head_sha
    assert not caught.exists()
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("url", ["file:///etc", "ext::sh -c touch% x", "ssh://127.0.0.1/x", "/tmp", "git://127.0.0.1/x"])
def test_only_http_is_spoken(mirrors: Mirrors, url: str) -> None:
    async def token(refused: str | None) -> str:
        return "a-token"

    wanted = {"base_ref": "refs/heads/main", "head_ref": "refs/pull/1/head", "head_sha": "a" * 40}
    with pytest.raises((ForgeUnavailable, Gone, StageFailed)):
        asyncio.run(mirrors.fetch(Source(1, url, token), **wanted))


def truncate_packs(folder: Path) -> None:
    for pack in folder.glob("objects/pack/*.pack"):
        pack.chmod(0o644)
        pack.write_bytes(pack.read_bytes()[:40])


def lose_packs(folder: Path) -> None:
    for pack in folder.glob("objects/pack/*"):
        pack.unlink()


def lose_index(folder: Path) -> None:
    for index in folder.glob("objects/pack/*.idx"):
        index.unlink()


def garble_config(folder: Path) -> None:
    (folder / "config").write_text("[core\nbare = maybe")


def lose_head(folder: Path) -> None:
    (folder / "HEAD").unlink()


def lose_objects(folder: Path) -> None:
    shutil.rmtree(folder / "objects")


def zero_refs(folder: Path) -> None:
    for ref in folder.glob("refs/**/*"):
        if ref.is_file():
            ref.write_text("")


def leave_locks(folder: Path) -> None:
    (folder / "shallow.lock").touch()
    (folder / "packed-refs.lock").touch()
    for ref in list(folder.glob("refs/gonogo/**/*")):
        if ref.is_file():
            ref.with_name(f"{ref.name}.lock").touch()
    (folder / "objects" / "pack" / "tmp_pack_abc").write_bytes(b"half")


def become_a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("not a folder")


@pytest.mark.parametrize(
    "harm",
    [truncate_packs, lose_packs, lose_index, garble_config, lose_head, lose_objects, zero_refs, leave_locks, become_a_file],
)
def test_a_copy_that_is_broken_is_made_whole(shop: Shop, mirrors: Mirrors, harm: Callable[[Path], None]) -> None:
    first = fetched(shop, mirrors)
    harm(first.folder)
    shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})

    got = fetched(shop, mirrors)

    assert git(got.folder, "show", f"{got.head_sha}:app.py") == "print(3)"
    assert git(got.folder, "rev-list", "--objects", got.head_sha, got.base_sha)


def test_many_processes_at_once_make_one_copy(shop: Shop, mirrors: Mirrors, tmp_path: Path) -> None:
    from tests.github.authority import new_token

    token = new_token(shop.github.world, "ghs", shop.app, installation=shop.installation, permissions={"contents": "read"})
    heads = [shop.github.pulls.open(shop.repository, {"n.txt": f"{n}\n"}) for n in range(4)]
    script = textwrap.dedent("""
        import asyncio, os, sys
        from pathlib import Path
        from bot.github.mirror import Mirrors, Source
        async def token(refused): return os.environ["TOKEN"]
        folder, url, number, head = sys.argv[1:]
        source = Source(7, url, token)
        got = asyncio.run(Mirrors(Path(folder)).fetch(source, base_ref="refs/heads/main", head_ref=f"refs/pull/{number}/head", head_sha=head))
        print(got.merge_base_sha)
    """)
    url = shop.access.git_url("acme", "shop")
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path / "data"), url, str(p.number), p.head_sha],
            env=os.environ | {"TOKEN": token.value, "PYTHONPATH": str(Path(__file__).parents[3])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for p in heads
    ]
    ended = [process.communicate(timeout=60) for process in running]

    assert [out.strip() for out, _ in ended] == [shop.pull.base_sha] * 4, [said for _, said in ended]
    folder = mirrors.folder(7)
    assert sorted(p.name for p in folder.parent.iterdir()) == ["7.git", "7.lock"]
    assert all(git(folder, "cat-file", "-t", p.head_sha) == "commit" for p in heads)


def test_a_repository_that_is_larger_than_the_disk_is_to_hold_is_refused(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.github.mirror_fetch._LOOK_S", 0.01)
    shop.github.repositories.push(shop.repository, "main", {"big.bin": os.urandom(3_000_000)})
    mirrors = Mirrors(tmp_path / "data", max_bytes=100_000)

    with pytest.raises(StageFailed, match="the repository has more than"):
        fetched(shop, mirrors)
    assert not mirrors.folder(shop.repository.id).exists()


def test_packs_are_put_together_only_when_asked_and_nothing_is_lost(shop: Shop, mirrors: Mirrors) -> None:
    heads: list[str] = []
    for n in range(5):
        heads.append(shop.github.pulls.push(shop.pull, {"app.py": f"print({n})\n"}, onto=shop.pull.base_sha))
        got = fetched(shop, mirrors)
    packs = len(list(got.folder.glob("objects/pack/*.pack")))

    assert not asyncio.run(mirrors.repack(shop.repository.id))
    assert asyncio.run(mirrors.repack(shop.repository.id, more_than_packs=3))

    assert packs >= 5
    assert len(list(got.folder.glob("objects/pack/*.pack"))) == 1
    assert [git(got.folder, "show", f"{sha}:app.py") for sha in heads] == [f"print({n})" for n in range(5)]


@pytest.mark.parametrize("sha", ["main", "--upload-pack=x", "a" * 39, "A" * 40, ""])
def test_only_the_id_of_a_commit_is_a_head(shop: Shop, mirrors: Mirrors, sha: str) -> None:
    with pytest.raises(ValueError, match="not the id of a commit"):
        fetched(shop, mirrors, head_sha=sha)


def test_the_lock_of_a_killed_process_holds_as_long_as_its_git(shop: Shop, tmp_path: Path) -> None:
    shop.github.faults.add(GIT, faults.hang(), times=9)
    script = textwrap.dedent("""
        import asyncio, sys
        from pathlib import Path
        from bot.github.mirror import Mirrors, Source
        async def token(refused): return "a-token"
        source = Source(7, sys.argv[2], token)
        asyncio.run(Mirrors(Path(sys.argv[1])).fetch(source, base_ref="refs/heads/main", head_ref="refs/pull/1/head", head_sha="a" * 40))
    """)
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "data"), shop.access.git_url("acme", "shop")],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
    )
    until(lambda: bool(git_processes(tmp_path)) and bool(shop.github.record.of(GIT)))
    holder.kill()
    holder.wait()

    with pytest.raises(ForgeUnavailable, match="in use"):
        asyncio.run(Mirrors(tmp_path / "data", create_timeout_s=0.5).discard(7))
    shop.github.faults.clear()
    until(lambda: not git_processes(tmp_path))
    asyncio.run(Mirrors(tmp_path / "data", create_timeout_s=0.5).discard(7))


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
