"""The settings of the servers: where they come from, and what is said when they are wrong."""

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.server_settings import ServerSettings, load_server_settings
from gonogo.errors import CallError
from tests.github.keys import pem, private_key

KEY = private_key()
ENOUGH = {
    "GONOGO_GITHUB_APP_ID": "7",
    "GONOGO_GITHUB_WEBHOOK_SECRET": "s3cret-of-the-hook",
    "GONOGO_GITHUB_PRIVATE_KEY": KEY,
    "GONOGO_REDIS_URL": "redis://localhost/3",
}


@pytest.fixture(autouse=True)
def _alone(monkeypatch, tmp_path):
    """No setting of whoever runs the tests, and no `.env` of theirs."""
    import os

    for name in list(os.environ):
        if name.startswith(("GONOGO_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def environment(monkeypatch):
    """Sets variables; what loading adds is taken back."""
    import os

    before = dict(os.environ)

    def told(values):
        for name, value in values.items():
            monkeypatch.setenv(name, value)

    yield told
    for name in set(os.environ) - set(before):
        del os.environ[name]


def test_the_defaults_are_those_of_the_contract(environment, tmp_path):
    environment(ENOUGH)

    settings = load_server_settings()

    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert (settings.github_api_url, settings.github_url) == ("https://api.github.com", "https://github.com")
    assert settings.data_dir == tmp_path / "state" / "gonogo"
    assert settings.database_url.get_secret_value() == f"sqlite:///{tmp_path}/state/gonogo/gonogo.db"
    assert (settings.investigator, settings.deadline, settings.steps, settings.sweep_interval) == ("auto", 150, 30, 300)
    assert settings.public_url == "http://127.0.0.1:8000"


def test_every_setting_of_the_contract_is_read(environment, tmp_path):
    (tmp_path / "key.pem").write_text(KEY)
    environment(
        {
            "GONOGO_HOST": "0.0.0.0",
            "GONOGO_PORT": "9000",
            "GONOGO_DATA_DIR": str(tmp_path / "data"),
            "GONOGO_DATABASE_URL": "postgresql://u:p@db/gonogo",
            "GONOGO_REDIS_URL": "rediss://:pw@redis:6380/1",
            "GONOGO_GITHUB_API_URL": "https://ghe.example.com/api/v3/",
            "GONOGO_GITHUB_URL": "https://ghe.example.com/",
            "GONOGO_GITHUB_APP_ID": "12",
            "GONOGO_GITHUB_PRIVATE_KEY_FILE": str(tmp_path / "key.pem"),
            "GONOGO_GITHUB_WEBHOOK_SECRET": "w",
            "GONOGO_GITHUB_CLIENT_ID": "Iv1.x",
            "GONOGO_GITHUB_CLIENT_SECRET": "c",
            "GONOGO_PRODUCTION": "live",
            "GONOGO_INVESTIGATOR": "claude",
            "ANTHROPIC_API_KEY": "k",
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:1",
            "GONOGO_MODEL": "m",
            "GONOGO_SMALL_MODEL": "s",
            "GONOGO_DEADLINE": "60",
            "GONOGO_STEPS": "5",
            "GONOGO_SWEEP_INTERVAL": "2.5",
        }
    )

    settings = load_server_settings()

    assert (settings.host, settings.port, settings.data_dir) == ("0.0.0.0", 9000, tmp_path / "data")
    assert settings.database_url.get_secret_value() == "postgresql://u:p@db/gonogo"
    assert settings.redis_url.get_secret_value() == "rediss://:pw@redis:6380/1"
    assert (settings.github_api_url, settings.github_url) == ("https://ghe.example.com/api/v3", "https://ghe.example.com")
    assert (settings.github_app_id, settings.private_key.get_secret_value()) == (12, KEY)
    assert (settings.github_client_id, settings.github_client_secret.get_secret_value()) == ("Iv1.x", "c")
    assert (settings.production, settings.investigator) == ("live", "claude")
    assert (settings.anthropic_api_key.get_secret_value(), settings.anthropic_base_url) == ("k", "http://127.0.0.1:1")
    assert (settings.model, settings.small_model) == ("m", "s")
    assert (settings.deadline, settings.steps, settings.sweep_interval) == (60, 5, 2.5)


def test_all_mistakes_are_told_at_once_and_no_value_with_them(environment):
    environment(
        {
            "GONOGO_PORT": "eighty",
            "GONOGO_DEADLINE": "-1",
            "GONOGO_GITHUB_CLIENT_ID": "Iv1.x",
            "GONOGO_REDIS_URL": "http://hunter2",
        }
    )

    with pytest.raises(CallError) as wrong:
        load_server_settings()

    said = str(wrong.value)
    for name in (
        "GONOGO_PORT is not a whole number",
        "GONOGO_DEADLINE should be at least 1",
        "GONOGO_REDIS_URL begins with none of redis://",
        "GONOGO_GITHUB_APP_ID is not set",
        "GONOGO_GITHUB_WEBHOOK_SECRET is not set",
        "GONOGO_GITHUB_PRIVATE_KEY or GONOGO_GITHUB_PRIVATE_KEY_FILE is not set",
        "GONOGO_GITHUB_CLIENT_SECRET go together",
    ):
        assert name in said
    assert "hunter2" not in said
    assert "eighty" not in said


@pytest.mark.parametrize(
    "left_out", ["GONOGO_GITHUB_WEBHOOK_SECRET", "GONOGO_GITHUB_APP_ID", "GONOGO_GITHUB_PRIVATE_KEY", "GONOGO_REDIS_URL"]
)
@pytest.mark.parametrize("as_what", ["", None])
def test_nothing_starts_without(environment, left_out, as_what):
    environment({name: value for name, value in ENOUGH.items() if name != left_out} | ({left_out: ""} if as_what == "" else {}))

    with pytest.raises(CallError, match=f"{left_out}.* is not set"):
        load_server_settings()


def test_an_embedded_server_needs_no_redis_url(environment):
    environment({name: value for name, value in ENOUGH.items() if name != "GONOGO_REDIS_URL"})

    assert load_server_settings(is_embedded=True).redis_url is None


def test_the_environment_goes_before_the_named_file_and_that_before_dotenv(environment, tmp_path):
    (tmp_path / "gonogo.env").write_text("GONOGO_PORT=9001\nGONOGO_HOST=10.0.0.1\nGONOGO_STEPS=11\n")
    (tmp_path / ".env").write_text("GONOGO_STEPS=12\nGONOGO_DEADLINE=33\n# a comment\nexport GONOGO_MODEL='m m'\n")
    environment({**ENOUGH, "GONOGO_CONFIG": str(tmp_path / "gonogo.env"), "GONOGO_PORT": "9000"})

    settings = load_server_settings()

    assert (settings.port, settings.host, settings.steps, settings.deadline, settings.model) == (9000, "10.0.0.1", 11, 33, "m m")


def test_what_a_file_says_holds_for_every_reader_of_the_environment(environment, tmp_path):
    import os

    (tmp_path / ".env").write_text("GONOGO_PROMETHEUS_URL=http://prometheus:9090\n")
    environment(ENOUGH)

    load_server_settings()

    assert os.environ["GONOGO_PROMETHEUS_URL"] == "http://prometheus:9090"


def test_a_named_file_that_is_not_there_is_said(environment, tmp_path):
    environment({**ENOUGH, "GONOGO_CONFIG": str(tmp_path / "nowhere.env")})

    with pytest.raises(CallError, match=r"GONOGO_CONFIG names .*nowhere\.env, which is no file"):
        load_server_settings()


def test_the_key_may_stand_in_one_line(environment):
    environment({**ENOUGH, "GONOGO_GITHUB_PRIVATE_KEY": KEY.strip().replace("\n", "\\n")})

    assert load_server_settings().private_key.get_secret_value() == KEY


@pytest.mark.parametrize("key", ["hunter2", "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----"])
def test_a_key_that_is_none_is_said_and_not_shown(environment, key):
    environment({**ENOUGH, "GONOGO_GITHUB_PRIVATE_KEY": key})

    with pytest.raises(CallError, match="GONOGO_GITHUB_PRIVATE_KEY holds no private key in PEM") as wrong:
        load_server_settings()
    assert "hunter2" not in str(wrong.value)


def test_two_keys_are_one_too_many(environment, tmp_path):
    environment({**ENOUGH, "GONOGO_GITHUB_PRIVATE_KEY_FILE": str(tmp_path / "key.pem")})

    with pytest.raises(CallError, match="are both set; keep one"):
        load_server_settings()


def test_the_pages_of_a_server_of_ones_own_are_found_by_its_api(environment):
    environment({**ENOUGH, "GONOGO_GITHUB_API_URL": "http://127.0.0.1:4010"})

    assert load_server_settings().github_url == "http://127.0.0.1:4010"


def test_no_secret_is_printed_with_the_settings(environment):
    environment(
        {
            **ENOUGH,
            "ANTHROPIC_API_KEY": "sk-1",
            "GONOGO_DATABASE_URL": "postgresql://u:hunter2@db/x",
            "GONOGO_SESSION_SECRET": "hunter3-and-16-more",
        }
    )

    shown = repr(load_server_settings())

    assert not [secret for secret in ("sk-1", "hunter", "s3cret", KEY.splitlines()[3], "localhost/3") if secret in shown]


def test_web_processes_of_one_app_sign_sessions_alike_and_those_of_another_do_not():
    def of(key):
        return ServerSettings(github_app_id=1, github_private_key=key, github_webhook_secret="w").session_key

    assert of(KEY) == of(KEY)
    assert of(KEY) != of(pem(rsa.generate_private_key(public_exponent=65537, key_size=2048)))


def test_a_dot_env_that_nobody_named_sets_no_variable_of_the_loader(environment, tmp_path):
    import os

    (tmp_path / ".env").write_text("LD_AUDIT=/nowhere/x.so\nPYTHONHOME=/nowhere\nGONOGO_STEPS=12\n")
    environment(ENOUGH)

    assert load_server_settings().steps == 12
    assert not {"LD_AUDIT", "PYTHONHOME"} & os.environ.keys()
