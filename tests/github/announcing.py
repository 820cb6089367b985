"""Tells the Apps what happened: which of them get an event, and what its payload is."""

from typing import Any

from tests.github.facts import Facts
from tests.github.grants import EVENT_NEEDS, UNSUBSCRIBED, allows
from tests.github.mail import Delivery, Mail
from tests.github.shapes import Json, webhook_example
from tests.github.world import Account, App, Installation, Repository, World


class Announcer:
    """Every App that is installed on the repository, is not suspended, may read such things and subscribed gets the event."""

    def __init__(self, world: World, facts: Facts, mail: Mail) -> None:
        self._world, self._facts, self._mail = world, facts, mail

    def event(self, event: str, action: str | None, repository: Repository, by: Account, *, only: App | None = None,
              wait: bool = True, **parts: Any) -> list[Delivery]:  # fmt: skip
        """Tell all Apps (or `only` one) about something in a repository; `parts` are the payload's own fields."""
        sent: list[Delivery | None] = []
        for installation in self._world.installations_of(repository):
            app = installation.app
            is_wanted = event in app.events and allows(installation.permissions, EVENT_NEEDS.get(event, "metadata"), "read")
            if installation.suspended_at or (only is not None and app is not only) or not (is_wanted or event in UNSUBSCRIBED):
                continue
            payload = self.payload(event, action, by, repository=repository, installation=installation, **parts)
            sent.append(self._mail.send(app, event, payload, wait=wait))
        return [delivery for delivery in sent if delivery]

    def about_installation(
        self, event: str, action: str, installation: Installation, by: Account, **parts: Any
    ) -> Delivery | None:
        """`installation`, `installation_repositories`, `installation_target`: sent to its App whatever its state."""
        is_brief = event == "installation_target"
        brief = {"id": installation.id, "node_id": f"IN_{installation.id}"}
        payload = {
            "action": action,
            "installation": brief if is_brief else self._facts.installation(installation),
            **parts,
            "sender": self._facts.account(by),
        }
        return self._mail.send(installation.app, event, payload)

    def ping(self, app: App) -> Delivery | None:
        hook = webhook_example("ping")["hook"] | {"type": "App", "app_id": app.id, "events": list(app.events)}
        return self._mail.send(app, "ping", {"zen": "Keep it logically awesome.", "hook_id": app.id + 1, "hook": hook})

    def payload(self, event: str, action: str | None, by: Account, *, repository: Repository,
                installation: Installation, **parts: Any) -> Json:  # fmt: skip
        template = webhook_example(event, action).get("repository") or webhook_example("pull_request")["repository"]
        whole: Json = {} if action is None else {"action": action}
        whole |= parts
        whole["repository"] = self._facts.repository(repository, template)
        if repository.owner.kind == "Organization":
            whole["organization"] = self._facts.organization(repository.owner)
        whole["sender"] = self._facts.account(by)
        whole["installation"] = {"id": installation.id, "node_id": f"IN_{installation.id}"}
        return whole
