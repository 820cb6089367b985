"""What an owner does with Apps: register, install, suspend, add and remove repositories."""

import itertools
import secrets
from collections.abc import Sequence

from tests.github.grants import EVENTS, PERMISSIONS
from tests.github.hub import Hub
from tests.github.keys import private_key
from tests.github.mail import Delivery
from tests.github.world import Account, App, Installation, Repository, now


class Apps:
    """Apps and their installations."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._world = hub, hub.world
        self._numbers = itertools.count(900_001)

    def register(self, slug: str = "gonogo", *, owner: str = "acme", webhook_url: str | None = None, webhook_secret: str | None = None,
                 permissions: dict[str, str] | None = None, events: Sequence[str] = EVENTS, callback_urls: Sequence[str] = ()) -> App:  # fmt: skip
        """A new App with the permissions and events of gonogo's manifest. All Apps of a process share one private key."""
        number = next(self._numbers)
        app = App(
            id=number, slug=slug, name=slug, owner=self._world.account(owner, "Organization"), bot=self._world.account(f"{slug}[bot]", "Bot"),
            client_id=f"Iv23li{number}", client_secret=secrets.token_hex(20), webhook_secret=webhook_secret or secrets.token_hex(16),
            webhook_url=webhook_url, private_key=private_key(), permissions=dict(PERMISSIONS if permissions is None else permissions),
            events=list(events), created_at=now(), callback_urls=list(callback_urls),
        )  # fmt: skip
        self._world.apps[app.id] = app
        return app

    def install(self, app: App, account: str = "acme", *, repositories: Sequence[Repository] | None = None, by: str = "olivia",
                kind: str = "Organization", tell: bool = True) -> Installation:  # fmt: skip
        """On all repositories of the account, or on some. Permissions are those that the App asks for."""
        owner = self._world.account(account, "Organization" if kind == "Organization" else "User")
        made = Installation(
            id=self._world.new_id(), app=app, account=owner, permissions=dict(app.permissions), created_at=now(),
            selection="all" if repositories is None else "selected", repository_ids={r.id for r in repositories or ()},
        )  # fmt: skip
        self._world.installations[made.id] = made
        if tell:
            self._tell("created", made, by, repositories=self._briefly(self.seen_by(made)), requester=None)
        return made

    def seen_by(self, installation: Installation) -> list[Repository]:
        return [r for r in self._world.repositories.values() if self._world.sees(installation, r)]

    def uninstall(self, installation: Installation, *, by: str = "olivia") -> None:
        gone = self._briefly(self.seen_by(installation))
        installation.is_deleted = True
        self._tell("deleted", installation, by, repositories=gone)

    def suspend(self, installation: Installation, *, by: str = "olivia", tell: bool = True) -> None:
        """Its tokens and new ones are refused with 403. With `tell` False the webhook is lost for good."""
        installation.suspended_at = now()
        if tell:
            self._tell("suspend", installation, by)

    def unsuspend(self, installation: Installation, *, by: str = "olivia", tell: bool = True) -> None:
        installation.suspended_at = None
        if tell:
            self._tell("unsuspend", installation, by)

    def accept_permissions(self, installation: Installation, permissions: dict[str, str], *, by: str = "olivia") -> None:
        installation.permissions = dict(permissions)
        self._tell(
            "new_permissions_accepted", installation, by, repositories=self._briefly(self.seen_by(installation)), requester=None
        )

    def rename_account(self, installation: Installation, login: str, *, by: str = "olivia") -> None:
        """The account gets another name; ids stay."""
        account, before = installation.account, installation.account.login
        account.login = login
        self._world.accounts[login] = account
        self._hub.announcer.about_installation(
            "installation_target", "renamed", installation, self._person(by), account=self._hub.facts.account(account),
            changes={"login": {"from": before}}, target_type=account.kind,
        )  # fmt: skip

    def add_repositories(self, installation: Installation, *added: Repository, by: str = "olivia") -> None:
        installation.selection = "selected"
        installation.repository_ids |= {r.id for r in added}
        self._about_repositories("added", installation, added, by)

    def remove_repositories(self, installation: Installation, *removed: Repository, by: str = "olivia") -> None:
        if installation.selection == "all":
            installation.selection, installation.repository_ids = "selected", {r.id for r in self.seen_by(installation)}
        installation.repository_ids -= {r.id for r in removed}
        self._about_repositories("removed", installation, removed, by)

    def revoke_tokens(self, app: App | None = None) -> int:
        """All installation tokens so far become bad; how many."""
        tokens = [t for t in self._world.tokens.values() if t.installation and (app is None or t.app is app) and not t.is_revoked]
        for token in tokens:
            token.is_revoked = True
        return len(tokens)

    def ping(self, app: App) -> Delivery | None:
        return self._hub.announcer.ping(app)

    def _about_repositories(self, action: str, installation: Installation, which: Sequence[Repository], by: str) -> None:
        sides = {"added": [], "removed": []} | {action: self._briefly(which)}
        self._hub.announcer.about_installation(
            "installation_repositories", action, installation, self._person(by), repository_selection=installation.selection,
            repositories_added=sides["added"], repositories_removed=sides["removed"], requester=None,
        )  # fmt: skip

    def _tell(self, action: str, installation: Installation, by: str, **parts: object) -> None:
        self._hub.announcer.about_installation("installation", action, installation, self._person(by), **parts)

    def _person(self, login: str) -> Account:
        return self._world.account(login)

    def _briefly(self, repositories: Sequence[Repository]) -> list[dict[str, object]]:
        return [self._hub.facts.brief_repository(r) for r in repositories]
