"""The copies on the disk: made once by many processes, made anew when broken, kept small."""

import asyncio
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.github.mirror import Mirrors
from gonogo.errors import ForgeUnavailable, StageFailed
from tests.bot.github.conftest import Shop
from tests.bot.github.fetching import GIT, fetched, git, git_processes, until
from tests.github import faults
from tests.github.authority import new_token


def truncate_packs(folder: Path) -> None:
    for pack in folder.glob("objects/pack/*.pack"):
        pack.chmod(0o644)
        pack.write_bytes(pack.read_bytes()[:40])


def garble_packs(folder: Path) -> None:
    for pack in folder.glob("objects/pack/*.pack"):
        pack.chmod(0o644)
        with pack.open("r+b") as file:
            file.seek(40)
            file.write(b"\0" * (pack.stat().st_size - 60))


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
    [
        truncate_packs,
        garble_packs,
        lose_packs,
        lose_index,
        garble_config,
        lose_head,
        lose_objects,
        zero_refs,
        leave_locks,
        become_a_file,
    ],
)
def test_a_copy_that_is_broken_is_made_whole(shop: Shop, mirrors: Mirrors, harm: Callable[[Path], None]) -> None:
    first = fetched(shop, mirrors)
    harm(first.folder)
    shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})

    got = fetched(shop, mirrors)

    assert git(got.folder, "show", f"{got.head_sha}:app.py") == "print(3)"
    assert git(got.folder, "rev-list", "--objects", got.head_sha, got.base_sha)


def test_many_processes_at_once_make_one_copy(shop: Shop, mirrors: Mirrors, tmp_path: Path) -> None:
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


def test_many_packs_become_few_and_nothing_is_lost(shop: Shop, mirrors: Mirrors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.github.mirror_packs._TOO_MANY", 4)
    heads: list[str] = []
    packs: list[int] = []
    for n in range(12):
        heads.append(shop.github.pulls.push(shop.pull, {"app.py": f"print({n})\n"}, onto=shop.pull.base_sha))
        got = fetched(shop, mirrors)
        packs.append(len(list(got.folder.glob("objects/pack/*.pack"))))

    assert max(packs) <= 5
    assert [git(got.folder, "show", f"{sha}:app.py") for sha in heads] == [f"print({n})" for n in range(12)]


def test_a_copy_that_has_grown_too_large_is_made_anew(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.github.mirror_fetch._LOOK_S", 0.005)
    roomy, tight = Mirrors(tmp_path / "data"), Mirrors(tmp_path / "data", max_bytes=2_000_000)
    big = shop.github.pulls.push(shop.pull, {"big.bin": os.urandom(3_000_000)})
    fetched(shop, roomy)
    shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"}, onto=shop.pull.base_sha)
    shop.github.faults.add(GIT, faults.slow(0.3), times=1)

    got = fetched(shop, tight)

    assert git(got.folder, "show", f"{got.head_sha}:app.py") == "print(3)"
    assert big not in git(got.folder, "cat-file", "--batch-all-objects", "--batch-check")


def test_few_names_are_kept_however_many_pull_requests_there_are(shop: Shop, mirrors: Mirrors) -> None:
    for n in range(3):
        got = fetched(shop, mirrors, shop.github.pulls.open(shop.repository, {"n.txt": f"{n}\n"}))

    assert len(git(got.folder, "for-each-ref").splitlines()) == 1


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
