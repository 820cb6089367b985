"""Where GitHub is and who we are there."""

from dataclasses import field
from typing import TYPE_CHECKING

from gonogo.record import Record

if TYPE_CHECKING:
    from bot.server_settings import ServerSettings

GITHUB_API_URL = "https://api.github.com"
GITHUB_URL = "https://github.com"


def web_url_of(api_url: str) -> str:
    """Where the pages and the git of an API are."""
    return GITHUB_URL if api_url.rstrip("/") == GITHUB_API_URL else api_url.rstrip("/").removesuffix("/api/v3")


class GitHubAccess(Record):
    """The App's number and key, and the addresses of the GitHub that it lives on. A repr shows no key."""

    app_id: int
    private_key: str = field(repr=False)
    """PEM, as GitHub hands it out."""
    api_url: str = GITHUB_API_URL
    """`https://HOST/api/v3` on GitHub Enterprise Server."""
    web_url: str = GITHUB_URL
    """Pages and git."""

    def git_url(self, owner: str, name: str) -> str:
        """Where git reads a repository."""
        return f"{self.web_url.rstrip('/')}/{owner}/{name}.git"


def access_of(settings: "ServerSettings") -> GitHubAccess:
    """The access that the settings of a server name."""
    return GitHubAccess(
        app_id=settings.github_app_id,
        private_key=settings.private_key.get_secret_value(),
        api_url=settings.github_api_url,
        web_url=settings.github_url,
    )
