"""What a server says when it starts: whether the App on GitHub asks for all that gonogo needs, and is given it."""

import logging

from bot.github.app import GitHubApp
from bot.github.app_manifest import shortcomings, shortcomings_of
from gonogo.errors import ForgeError

log = logging.getLogger("gonogo.worker")


async def self_check(github: GitHubApp) -> None:
    """One warning for each permission and event that is missing, and one when GitHub cannot be asked. Nothing is stopped by it."""
    try:
        app = await github.app()
        installations = await github.installations()
    except ForgeError as error:
        log.warning("the App could not be looked at", extra={"why": str(error)})
        return
    log.info("the App is known to GitHub", extra={"app": app.slug, "app_id": app.id, "installations": len(installations)})
    for one in shortcomings_of(app):
        log.warning("the App lacks something", extra={"what": one.what, "reason": one.reason, "optional": one.is_optional})
    for account in installations:
        for one in shortcomings(account.permissions, None) if not account.is_suspended else ():
            told = {"account": account.account, "what": one.what, "reason": one.reason, "optional": one.is_optional}
            log.warning("an account has not accepted something", extra=told)
