"""Installations and their repositories: who let us in, and where nothing is to be done any more."""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Literal

import sqlalchemy as sa

from bot.storage.app_ending import end_unconcluded, withdraw
from bot.storage.app_rows import Because, InstallationRow, RepositoryFacts, RepositoryRow
from bot.storage.app_tables import EVALUATION, INSTALLATION, OUTBOX, REPOSITORY, storable
from bot.storage.app_transactions import Transactions, Upsert, upsert

InstallationState = Literal["active", "suspended", "deleted"]
RepositoryState = Literal["active", "archived", "removed"]


_INSTALLED = Upsert(INSTALLATION, key=("id",), update=("account", "state", "updated_at"))
_INSTALLED_WITH_PERMISSIONS = Upsert(INSTALLATION, key=("id",), update=("account", "state", "permissions", "updated_at"))
_NAMED = Upsert(INSTALLATION, key=("id",))
_SEEN = Upsert(REPOSITORY, key=("id",), update=("installation_id", "owner", "name", "default_branch", "is_private", "updated_at"))
_REPOSITORY = sa.select(REPOSITORY).where(REPOSITORY.c.id == sa.bindparam("id"))
_SEEN_IN_STATE = Upsert(REPOSITORY, key=("id",), update=(*_SEEN.update, "state"))


class Installations(Transactions):
    """Installations and repositories, by GitHub's numeric ids: names change."""

    def upsert_installation(
        self,
        installation_id: int,
        *,
        account: str,
        state: InstallationState = "active",
        permissions: Mapping[str, str] | None = None,
    ) -> InstallationRow:
        """Write what an installation event or the API says; permissions None leaves those that are known."""
        with self._writing() as connection:
            values = {
                "id": installation_id, "account": account, "state": state,
                "permissions": dict(permissions or {}), "updated_at": self._now(connection),
            }  # fmt: skip
            upsert(connection, _INSTALLED if permissions is None else _INSTALLED_WITH_PERMISSIONS, values)
            self._leave(connection, installation_id, state)
            return _installation(connection, installation_id)

    def set_installation_state(self, installation_id: int, state: InstallationState) -> int:
        """Suspend, delete or wake it; every evaluation that has not ended is cancelled unless it is active. How many were.

        What waits in the outbox of a suspended installation is written when it is active again; of a deleted one, never.
        """
        with self._writing() as connection:
            changed = sa.update(INSTALLATION).where(INSTALLATION.c.id == installation_id)
            connection.execute(changed.values(state=state, updated_at=self._now(connection)))
            return self._leave(connection, installation_id, state)

    def hold_installation(self, installation_id: int, until: datetime) -> None:
        """Publish nothing to it before then: GitHub throttles the whole installation, not one write."""
        with self._writing() as connection:
            connection.execute(
                sa.update(INSTALLATION)
                .where(
                    INSTALLATION.c.id == installation_id,
                    sa.or_(INSTALLATION.c.held_until.is_(None), INSTALLATION.c.held_until < until),
                )
                .values(held_until=until)
            )

    def installation(self, installation_id: int) -> InstallationRow | None:
        """One installation, or None when it was never seen."""
        with self._reading() as connection:
            row = connection.execute(sa.select(INSTALLATION).where(INSTALLATION.c.id == installation_id)).mappings().first()
            return InstallationRow(**row) if row else None

    def installations(self, *, states: Collection[InstallationState] = ("active",)) -> list[InstallationRow]:
        """Those in one of these states, by id."""
        with self._reading() as connection:
            query = sa.select(INSTALLATION).where(INSTALLATION.c.state.in_(sorted(states))).order_by(INSTALLATION.c.id)
            return [InstallationRow(**row) for row in connection.execute(query).mappings()]

    def upsert_repository(self, facts: RepositoryFacts, *, state: RepositoryState | None = None) -> RepositoryRow:
        """Write what an event says of a repository: a rename or transfer keeps its id.

        State None leaves the state (a new one is active). The installation is made when it was never seen, and stays as it is else.
        Nothing is written when all of it is known, as with most events.
        """
        known = self.repository(facts.id)
        if known is not None and known.says(facts) and state in (None, known.state):
            return known
        with self._writing() as connection:
            now = self._now(connection)
            place = {
                "id": facts.installation_id,
                "account": facts.owner,
                "state": "active",
                "permissions": dict[str, str](),
                "updated_at": now,
            }
            upsert(connection, _NAMED, place)
            values = asdict(facts) | {"state": state or "active", "updated_at": now}
            upsert(connection, _SEEN if state is None else _SEEN_IN_STATE, values)
            return _repository(connection, facts.id)

    def set_repository_state(self, repository_id: int, state: RepositoryState) -> int:
        """Archive, remove or wake it; every evaluation that has not ended is cancelled unless it is active. How many were."""
        with self._writing() as connection:
            changed = sa.update(REPOSITORY).where(REPOSITORY.c.id == repository_id)
            connection.execute(changed.values(state=state, updated_at=self._now(connection)))
            if state == "active":
                return 0
            ended = self._end(connection, EVALUATION.c.repository_id == repository_id)
            withdraw(
                connection, OUTBOX.c.repository_id == repository_id, now=self._now(connection), why=f"the repository is {state}"
            )
            return ended

    def repository(self, repository_id: int) -> RepositoryRow | None:
        """One repository, or None when it was never seen."""
        with self._reading() as connection:
            row = connection.execute(_REPOSITORY, {"id": repository_id}).mappings().first()
            return RepositoryRow(**row) if row else None

    def repository_named(self, owner: str, name: str) -> RepositoryRow | None:
        """The repository that has this name now, whatever its letter case; the one seen last when a name was taken over."""
        with self._reading() as connection:
            query = (
                sa.select(REPOSITORY)
                .where(
                    sa.func.lower(REPOSITORY.c.owner) == storable(owner.lower()),
                    sa.func.lower(REPOSITORY.c.name) == storable(name.lower()),
                )
                .order_by((REPOSITORY.c.state == "active").desc(), REPOSITORY.c.updated_at.desc())
            )
            row = connection.execute(query.limit(1)).mappings().first()
            return RepositoryRow(**row) if row else None

    def repositories(
        self, *, installation_id: int | None = None, states: Collection[RepositoryState] = ("active",)
    ) -> list[RepositoryRow]:
        """Those in one of these states, of one installation or of all, by owner and name."""
        query = sa.select(REPOSITORY).where(REPOSITORY.c.state.in_(sorted(states)))
        if installation_id is not None:
            query = query.where(REPOSITORY.c.installation_id == installation_id)
        with self._reading() as connection:
            rows = connection.execute(query.order_by(REPOSITORY.c.owner, REPOSITORY.c.name)).mappings()
            return [RepositoryRow(**row) for row in rows]

    def _leave(self, connection: sa.Connection, installation_id: int, state: InstallationState) -> int:
        if state == "active":
            return 0
        ended = self._end(connection, EVALUATION.c.installation_id == installation_id)
        if state == "deleted":
            whose = OUTBOX.c.installation_id == installation_id
            withdraw(connection, whose, now=self._now(connection), why="the installation is deleted")
        return ended

    def _end(self, connection: sa.Connection, whose: sa.ColumnElement[bool]) -> int:
        return len(end_unconcluded(connection, whose, because=Because.SUSPENDED, now=self._now(connection)))


def _installation(connection: sa.Connection, installation_id: int) -> InstallationRow:
    return InstallationRow(
        **connection.execute(sa.select(INSTALLATION).where(INSTALLATION.c.id == installation_id)).mappings().one()
    )


def _repository(connection: sa.Connection, repository_id: int) -> RepositoryRow:
    return RepositoryRow(**connection.execute(_REPOSITORY, {"id": repository_id}).mappings().one())
