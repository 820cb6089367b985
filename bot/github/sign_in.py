"""Signs a person in through GitHub: the web flow of a GitHub App, with PKCE. The person's token is used once and kept nowhere.

https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
"""

import base64
import hashlib
from typing import Any, cast
from urllib.parse import urlencode

import httpx

from gonogo.errors import ForgeError, ForgeUnavailable, Refused
from gonogo.record import Record

_TIMEOUT_S = 10.0


class Person(Record):
    """Who signed in."""

    id: int
    login: str


class SignIn:
    """The flow of one App. `api_url` and `web_url` without a slash at the end."""

    def __init__(
        self, *, client_id: str, client_secret: str, api_url: str, web_url: str, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._client_id, self._secret = client_id, client_secret
        self._api_url, self._web_url, self._transport = api_url, web_url, transport

    def address(self, *, back: str, state: str, verifier: str) -> str:
        """Where the browser goes; GitHub sends it `back` with a code and the state. `verifier`: 43 to 128 letters that nobody can guess."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {
            "client_id": self._client_id,
            "redirect_uri": back,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{self._web_url}/login/oauth/authorize?{urlencode(asked)}"

    async def person(self, *, code: str, back: str, verifier: str) -> Person:
        """Who the code was given to. Raises Refused when GitHub does not take it, ForgeUnavailable when it does not answer."""
        async with httpx.AsyncClient(timeout=_TIMEOUT_S, transport=self._transport, follow_redirects=False) as client:
            given = {
                "client_id": self._client_id,
                "client_secret": self._secret,
                "code": code,
                "redirect_uri": back,
                "code_verifier": verifier,
            }
            answer = await _asked(
                client, "POST", f"{self._web_url}/login/oauth/access_token", data=given, headers={"Accept": "application/json"}
            )
            token = answer.get("access_token")  # GitHub answers 200 also when it refuses
            if not isinstance(token, str) or not token:
                raise Refused(f"GitHub did not take the sign-in ({answer.get('error') or 'no token'})")
            headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json", "User-Agent": "gonogo"}
            told = await _asked(client, "GET", f"{self._api_url}/user", headers=headers)
        number, login = told.get("id"), told.get("login")
        if not isinstance(number, int) or not isinstance(login, str) or not login:
            raise Refused("GitHub did not say who signed in")
        return Person(number, login)


async def _asked(client: httpx.AsyncClient, method: str, url: str, **more: Any) -> dict[str, Any]:
    try:
        answer = await client.request(method, url, **more)
        told = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        raise ForgeUnavailable(f"GitHub did not answer the sign-in ({type(error).__name__})") from error
    if answer.status_code >= 500:
        raise ForgeUnavailable(f"GitHub answered the sign-in with {answer.status_code}")
    if answer.status_code >= 400 or not isinstance(told, dict):
        raise Refused(f"GitHub refused the sign-in ({answer.status_code})")
    return cast("dict[str, Any]", told)


SIGN_IN_ERRORS = (ForgeError,)
"""What `person` raises."""
