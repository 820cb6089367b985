"""Settings of the process, from its environment; read once, by `bootstrap`. A repository's own settings are `gonogo.policy`."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from gonogo.word import Word


class Settings(Word):
    """Where this process keeps its data."""

    data_dir: Path
    database_url: str

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """`GONOGO_DATA_DIR`, else `gonogo` in the user's state folder; `GONOGO_DATABASE_URL`, else SQLite in the data folder."""
        state = environment.get("XDG_STATE_HOME") or str(Path(environment.get("HOME") or "~").expanduser() / ".local" / "state")
        data_dir = Path(environment.get("GONOGO_DATA_DIR") or Path(state) / "gonogo").absolute()
        url = environment.get("GONOGO_DATABASE_URL") or f"sqlite:///{quote(str(data_dir / 'gonogo.db'))}"
        return cls(data_dir=data_dir, database_url=url)
