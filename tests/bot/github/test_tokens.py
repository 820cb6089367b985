"""Tokens reach one repository and no further, are renewed in time, and are seen nowhere."""

import asyncio
import logging
from datetime import timedelta

import pytest

from bot.github.app import GitHubApp
from bot.github.app_manifest import PERMISSIONS
from bot.github.client import RepositoryClient
from gonogo.errors import Forbidden, Gone, Suspended
from tests.bot.github.conftest import Shop
from tests.github import faults
from tests.github.world import Token, now

MINTS = "POST /app/installations/*/access_tokens"


def minted(shop: Shop) -> list[Token]:
    return [t for t in shop.github.world.tokens.values() if t.installation]


def test_a_token_reaches_one_repository_with_the_permissions_of_the_manifest(shop: Shop) -> None:
    shop.github.repositories.create("acme/other")

    shop.ask(lambda c: c.pull_request(1))

    (token,) = minted(shop)
    assert token.repository_ids == {shop.repository.id}
    assert token.permissions == {p.name: p.level for p in PERMISSIONS}


def test_git_reads_with_a_token_that_can_do_nothing_else(shop: Shop) -> None:
    shop.ask(lambda c: c.git_token())

    (token,) = minted(shop)
    assert token.permissions == {"contents": "read", "metadata": "read"}
    assert token.repository_ids == {shop.repository.id}


def test_a_token_is_made_once_for_many_calls_at_a_time(shop: Shop) -> None:
    async def read(client: RepositoryClient) -> None:
        await asyncio.gather(*(client.pull_request(1) for _ in range(10)))

    shop.ask(read)

    assert len(minted(shop)) == 1


def test_a_token_with_less_than_five_minutes_left_is_renewed(shop: Shop) -> None:
    ahead = [timedelta()]

    async def read(app: GitHubApp) -> None:
        client = shop.client(app)
        for passed in (0, 54, 56):
            ahead[0] = timedelta(minutes=passed)
            await client.pull_request(1)

    shop.as_app(read, clock=lambda: now() + ahead[0])

    assert len(minted(shop)) == 2


def test_a_revoked_token_is_made_anew_once(shop: Shop) -> None:
    async def read(client: RepositoryClient) -> None:
        await client.pull_request(1)
        shop.github.apps.revoke_tokens()
        await client.pull_request(1)

    shop.ask(read)

    assert len(minted(shop)) == 2


def test_a_write_with_a_revoked_token_is_done_once(shop: Shop) -> None:
    async def write(client: RepositoryClient) -> None:
        await client.pull_request(1)
        shop.github.apps.revoke_tokens()
        await client.publish_comment(1, "hello <!-- gonogo:1 -->", marker="<!-- gonogo:1 -->")

    shop.ask(write)

    assert len(shop.github.comments(shop.pull)) == 1


def test_a_token_that_is_refused_twice_is_an_answer(shop: Shop) -> None:
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", faults.bad_credentials(), times=9)

    with pytest.raises(Forbidden, match="Bad credentials"):
        shop.ask(lambda c: c.pull_request(1))

    assert len(shop.github.record.of("GET /repos/acme/shop/pulls/1")) == 2


def test_git_is_given_another_token_than_the_one_it_was_refused_with(shop: Shop) -> None:
    async def read(client: RepositoryClient) -> tuple[str, str, str]:
        first = await client.git_token()
        return first, await client.git_token(), await client.git_token(refused=first)

    first, same, other = shop.ask(read)

    assert first == same != other


def test_an_optional_permission_that_was_not_granted_costs_only_what_it_is_for(shop: Shop) -> None:
    granted = {k: v for k, v in shop.app.permissions.items() if k not in ("secrets", "environments", "actions")}
    shop.github.apps.accept_permissions(shop.installation, granted)

    assert shop.ask(lambda c: c.pull_request(1)).number == 1
    assert shop.ask(lambda c: c.environments()) is None


def test_a_permission_without_which_code_cannot_be_read_is_named(shop: Shop) -> None:
    shop.github.apps.accept_permissions(shop.installation, {"metadata": "read", "checks": "write"})

    with pytest.raises(Forbidden, match="contents") as refused:
        shop.ask(lambda c: c.git_token())
    assert refused.value.permission == "contents"


def test_a_suspended_installation_is_told_from_one_that_is_gone(shop: Shop) -> None:
    shop.github.apps.suspend(shop.installation)
    with pytest.raises(Suspended) as suspended:
        shop.ask(lambda c: c.pull_request(1))
    shop.github.apps.uninstall(shop.installation)

    with pytest.raises(Suspended) as removed:
        shop.ask(lambda c: c.pull_request(1))

    assert (suspended.value.is_removed, removed.value.is_removed) == (False, True)


def test_an_installation_that_is_suspended_while_its_token_is_good_says_so(shop: Shop) -> None:
    async def read(client: RepositoryClient) -> None:
        await client.pull_request(1)
        shop.github.apps.suspend(shop.installation)
        await client.pull_request(1)

    with pytest.raises(Suspended):
        shop.ask(read)


def test_a_repository_that_the_app_was_not_given_is_gone(shop: Shop) -> None:
    shop.github.apps.remove_repositories(shop.installation, shop.repository)

    with pytest.raises(Gone, match="not among those"):
        shop.ask(lambda c: c.pull_request(1))


def test_a_failed_mint_is_tried_again_because_one_too_many_does_no_harm(shop: Shop) -> None:
    shop.github.faults.add(MINTS, faults.bad_gateway(after_commit=True))

    assert shop.ask(lambda c: c.pull_request(1)).number == 1


def test_no_token_and_no_key_is_logged_or_shown(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", faults.permission_missing(), times=1)
    said: list[str] = []

    async def read(app: GitHubApp) -> None:
        client = shop.client(app)
        try:
            await client.pull_request(1)
        except Forbidden as error:
            said.append(f"{error!r} {error}")
        await client.git_token()
        said.append(repr(list(vars(vars(client)["_tokens"])["_held"].values())) + repr(app.access))

    with caplog.at_level(logging.DEBUG):
        shop.as_app(read)

    shown = " ".join([*said, caplog.text])
    assert not any(t.value in shown for t in minted(shop))
    assert "PRIVATE KEY" not in shown
    assert len(minted(shop)) == 2


def test_two_apps_of_one_number_do_not_share_a_signature(shop: Shop) -> None:
    """githubkit keeps signatures in a store of the whole process, by the App's number alone."""
    shop.as_app(lambda app: app.app())
    other = type(shop.access)(app_id=shop.app.id, private_key=another_key(), api_url=shop.github.api_url)

    async def ask() -> None:
        async with GitHubApp(other) as app:
            await app.app()

    with pytest.raises(Forbidden, match="private key"):
        asyncio.run(ask())


def another_key() -> str:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    return key.private_bytes(pem, serialization.PrivateFormat.TraditionalOpenSSL, plain).decode()
