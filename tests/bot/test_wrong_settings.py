"""Settings with which a server must not start: each is said in one line that names the variable and shows no secret."""

import sqlite3
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from bot.entrypoints.embedded.folder import owned
from bot.entrypoints.opening import make_data_folder, opened_database
from bot.entrypoints.serving import serve
from bot.server_settings import ServerSettings, load_server_settings
from bot.storage.database import open_database
from bot.storage.database_state import database_state
from gonogo.errors import CallError, StageFailed
from tests.github.keys import pem, private_key


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of whoever runs the tests, and no `.env` of theirs."""
    import os

    for name in list(os.environ):
        if name.startswith(("GONOGO_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    enough = {
        "APP_ID": "7",
        "WEBHOOK_SECRET": "s",
        "PRIVATE_KEY": private_key(),
    }
    for name, value in enough.items():
        monkeypatch.setenv(f"GONOGO_GITHUB_{name}", value)
    monkeypatch.setenv("GONOGO_REDIS_URL", "redis://localhost")
    monkeypatch.setenv("GONOGO_DATA_DIR", str(tmp_path / "data"))


def refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is said when this variable has this value."""
    monkeypatch.setenv(name, value)
    with pytest.raises(CallError) as wrong:
        load_server_settings()
    assert "\n" not in str(wrong.value)
    return str(wrong.value)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("GONOGO_DEADLINE", ["0", "-5", "nan", "inf", "1e-9", "3601", "soon"]),
        ("GONOGO_STEPS", ["0", "-1", "1001", "2.5"]),
        ("GONOGO_WORKERS", ["0", "65"]),
        ("GONOGO_SWEEP_INTERVAL", ["0", "nan", "inf", "0.0000001", "1e300"]),
        ("GONOGO_DEPLOYS_WITHIN", ["-1", "nan", "inf", "1e300"]),
        ("GONOGO_WATCHES_FOR", ["0", "-1", "nan", "inf", "1e300"]),
        ("GONOGO_MEMORY_MB", ["1", "-1", "99999999999999999999"]),
        ("GONOGO_MAX_COST_PULL_REQUEST_DAY", ["-1", "nan", "inf", "1e300"]),
        ("GONOGO_MAX_COST_INSTALLATION_DAY", ["-0.01", "nan", "inf", "$5"]),
    ],
)
def test_a_number_out_of_its_bounds_is_refused(name: str, values: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(f"cannot start: {name} " in refused(name, value, monkeypatch) for value in values)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("GONOGO_GITHUB_WEBHOOK_SECRET", "   ", "is blank"),
        ("GONOGO_GITHUB_CLIENT_SECRET", " ", "is blank"),
        ("ANTHROPIC_API_KEY", "  ", "is blank"),
        ("GONOGO_SESSION_SECRET", "fifteen-letters", "is shorter than 16 characters"),
        ("GONOGO_SESSION_SECRET", " " * 20, "is blank"),
        ("GONOGO_INVESTIGATOR", "claude", "is claude and ANTHROPIC_API_KEY is not set"),
        ("GONOGO_URL", "https://a/b", "has more than a host and a port"),
        ("GONOGO_URL", "https://me:hunter2@a", "has more than a host and a port"),
        ("GONOGO_URL", "https://a?b", "has a ? or # in it"),
        ("GONOGO_URL", "https://a#b", "has a ? or # in it"),
        ("GONOGO_URL", "https://exa mple", "is not an address"),
        ("GONOGO_GITHUB_API_URL", "https://api.github.com:port", "has a port that is no number"),
        ("GONOGO_GITHUB_API_URL", "https://[::1", "is not an address"),
        ("GONOGO_GITHUB_URL", "https://bücher..x", "names a host that cannot be one"),
        ("GONOGO_REDIS_URL", "redis://u:hunter2@h/notadb", "names a database that is no number"),
        ("GONOGO_REDIS_URL", "redis://h/0/1", "names a database that is no number"),
        ("GONOGO_REDIS_URL", "redis://:hunter2@h:abc", "cannot be read"),
        ("GONOGO_REDIS_URL", "redis://h:99999", "cannot be read"),
        ("GONOGO_REDIS_URL", "redis://h/0?no_such_option=hunter2", "cannot be read"),
        ("GONOGO_REDIS_URL", "unix://", "names no socket"),
        ("GONOGO_DATABASE_URL", "sqlite://", "in memory"),
        ("GONOGO_DATABASE_URL", "sqlite:///:memory:", "in memory"),
        ("GONOGO_DATABASE_URL", "sqlite:///file:x?mode=memory&uri=true", "in memory"),
        ("GONOGO_DATABASE_URL", "postgresql+asyncpg://u:hunter2@h/x", "names a driver that gonogo does not use"),
        ("GONOGO_DATABASE_URL", "postgresql://u:hunter2@h:abc/x", "cannot be read"),
        ("GONOGO_DATABASE_URL", "postgresql://u:hunter2@h:99999/x", "has a port"),
        ("GONOGO_DATABASE_URL", "mysql://u:hunter2@h/x", "names mysql"),
        ("GONOGO_PRODUCTION", "nowhere", "is neither the folder of a snapshot, nor live, nor none"),
        ("GONOGO_PRODUCTION", "Live", "is neither the folder of a snapshot, nor live, nor none"),
    ],
)
def test_what_would_fail_quietly_later_is_refused(name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = refused(name, value, monkeypatch)

    assert f"cannot start: {name} {said}" in whole or (said == "in memory" and f"{name} names a database in memory" in whole)
    assert "hunter2" not in whole
    assert whole.endswith("the settings are in docs/app/install.md")


def test_a_folder_without_a_readable_snapshot_is_refused_and_a_good_one_is_taken_by_its_full_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path / "snapshot"
    place.mkdir()
    assert "GONOGO_PRODUCTION names a folder in which no snapshot can be read" in refused(
        "GONOGO_PRODUCTION", "snapshot", monkeypatch
    )
    (place / "resources.jsonl").write_text("{{{\n")
    assert "GONOGO_PRODUCTION names a folder in which no snapshot can be read" in refused(
        "GONOGO_PRODUCTION", "snapshot", monkeypatch
    )

    (place / "resources.jsonl").write_text('{"id": "a", "kind": "service", "name": "a"}\n{{{\n')

    assert load_server_settings().production == str(place)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----", "no key that can be read between them"),
        (pem(ec.generate_private_key(ec.SECP256R1())), "is no RSA key; GitHub Apps sign with RSA"),
        (pem(rsa.generate_private_key(public_exponent=65537, key_size=2048), b"hunter2"), "a key behind a passphrase"),
    ],
)
def test_a_key_that_cannot_sign_for_an_app_is_refused(
    key: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "key.pem").write_text(key)
    monkeypatch.delenv("GONOGO_GITHUB_PRIVATE_KEY")

    whole = refused("GONOGO_GITHUB_PRIVATE_KEY_FILE", str(tmp_path / "key.pem"), monkeypatch)

    assert "GONOGO_GITHUB_PRIVATE_KEY_FILE h" in whole
    assert said in whole
    assert key.splitlines()[1] not in whole


def settings_with(monkeypatch: pytest.MonkeyPatch, **told: str) -> ServerSettings:
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    return load_server_settings()


@pytest.mark.parametrize("place", ["a-file", "a-file/below", "/dev/null/x", "/proc/x"])
def test_a_data_folder_that_cannot_be_is_named_by_everything_that_needs_it(
    place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "a-file").write_text("x")
    settings = settings_with(monkeypatch, GONOGO_DATA_DIR=place)

    with pytest.raises(CallError, match=r"^GONOGO_DATA_DIR: .* cannot be"):
        make_data_folder(settings)
    with pytest.raises(CallError, match=r"^GONOGO_DATA_DIR: .* cannot be"):
        opened_database(settings)
    with pytest.raises(CallError, match="GONOGO_DATA_DIR"), owned(settings.data_dir):
        pass
    if place != "/proc/x":  # root may write there, says the system, until one tries
        assert not database_state(settings.database_url.get_secret_value())[0]


@pytest.mark.parametrize("file", ["folder", "corrupt.db", "/proc/nope/x.db", "a-file/x.db"])
def test_a_database_file_that_cannot_be_used_is_named(file: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "a-file").write_text("x")
    (tmp_path / "corrupt.db").write_bytes(b"not a database!!" * 100)
    settings = settings_with(monkeypatch, GONOGO_DATABASE_URL=f"sqlite:///{file}")

    with pytest.raises(CallError, match=r"^GONOGO_DATABASE_URL: .*cannot be") as wrong:
        opened_database(settings)
    is_fine, said = database_state(f"sqlite:///{file}")

    assert "\n" not in str(wrong.value)
    assert "is the server up" not in said
    assert not is_fine or file.startswith("/proc")  # root may write there, says the system, until one tries


def test_a_database_that_may_only_be_read_is_said_by_the_server_and_by_the_doctor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    open_database(f"sqlite:///{tmp_path}/gonogo.db").dispose()
    (tmp_path / "gonogo.db").chmod(stat.S_IRUSR)
    url = f"sqlite:///file:{tmp_path}/gonogo.db?mode=ro&uri=true"
    settings = settings_with(monkeypatch, GONOGO_DATABASE_URL=url)

    with pytest.raises(CallError, match=r"^GONOGO_DATABASE_URL: .* \(attempt to write a readonly database\)"):
        opened_database(settings)
    is_fine, said = database_state(url)

    assert (is_fine, "readonly" in said) == (False, True)


def test_a_database_of_a_newer_gonogo_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path}/gonogo.db").dispose()
    with sqlite3.connect(tmp_path / "gonogo.db") as database:
        database.execute("UPDATE alembic_version SET version_num = 'of-tomorrow'")
    database.close()

    with pytest.raises(CallError, match=r"^GONOGO_DATABASE_URL: .* was made by another version of gonogo"):
        opened_database(settings_with(monkeypatch, GONOGO_DATABASE_URL=f"sqlite:///{tmp_path}/gonogo.db"))


def test_a_database_server_that_is_down_is_no_mistake_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_with(monkeypatch, GONOGO_DATABASE_URL="postgresql://u:hunter2@127.0.0.1:1/x")

    with pytest.raises(StageFailed, match="it cannot be opened") as down:
        opened_database(settings)

    assert "hunter2" not in str(down.value)


@pytest.mark.parametrize("host", ["bücher..x", "999.1.1.1", "a" * 70])
def test_a_host_that_cannot_be_listened_on_is_said(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GONOGO_PORT", "0")
    monkeypatch.setenv("GONOGO_HOST", host)

    with pytest.raises(CallError, match=f"^cannot listen on {host}:0 .*; set GONOGO_HOST and GONOGO_PORT$") as wrong:
        serve(is_embedded=False)

    assert "while attempting" not in str(wrong.value)
