"""The person in front of the browser, and the codes that GitHub gave them to carry."""

from dataclasses import dataclass
from datetime import datetime

from tests.github.world import Account, App


@dataclass
class Code:
    """A code that is exchanged once, within its time."""

    app: App
    user: Account | None
    ends_at: datetime
    redirect_uri: str | None = None
    challenge: str | None = None


class Desk:
    """Who sits in front of the browser, and the codes that were given out. `who` None: the person refuses."""

    def __init__(self) -> None:
        self.who: str | None = "olivia"
        self.codes: dict[str, Code] = {}
