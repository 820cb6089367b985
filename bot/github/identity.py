"""Who the App is, so that it takes nobody else's comment for its own."""

from collections.abc import Awaitable, Callable

from gonogo.forge import AppFacts, Comment


class Identity:
    """The App's number is known from the settings; its login is asked for when it is needed."""

    def __init__(self, app_id: int, app: Callable[[], Awaitable[AppFacts]]) -> None:
        self.app_id, self._app = app_id, app

    async def wrote(self, comment: Comment) -> bool:
        """Whether a comment is ours. A marker proves nothing: anybody can write one."""
        if comment.app_id is not None:
            return comment.app_id == self.app_id
        return comment.is_bot and comment.login == (await self._app()).login
