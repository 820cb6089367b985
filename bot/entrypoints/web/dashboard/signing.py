"""Signing in through GitHub and out again. https://datatracker.ietf.org/doc/html/rfc9700 (state bound to the browser, PKCE)."""

import hmac
import logging

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from bot.entrypoints.web.dashboard.parts import Parts
from bot.entrypoints.web.dashboard.session import SESSION_FOR, Begun, Viewer
from gonogo.errors import ForgeError, ForgeUnavailable

log = logging.getLogger("gonogo.web")

BACK = "/sign-in/callback"


def signing_routes(parts: Parts) -> list[Route]:
    """`/sign-in` goes to GitHub, GitHub comes back to `/sign-in/callback`; `/sign-out` is a form."""
    back = parts.public_url + BACK

    async def begin(request: Request) -> Response:
        if parts.sign_in is None:
            return parts.templates.page(request, "landing", status=503, can_sign_in=False)
        begun = Begun.towards(request.query_params.get("next", "/"))
        answer = RedirectResponse(parts.sign_in.address(back=back, state=begun.state, verifier=begun.verifier), 303)
        parts.sessions.begin(answer, begun)
        return answer

    async def come_back(request: Request) -> Response:
        begun, code = parts.sessions.begun(request), request.query_params.get("code", "")
        state = request.query_params.get("state", "")
        if parts.sign_in is None or begun is None or not hmac.compare_digest(begun.state.encode(), state.encode()):
            return _failed(request, 400, "This sign-in was not begun in this browser, or it took more than ten minutes.")
        if not code:
            return _failed(request, 400, "GitHub says that you did not agree to it.")
        try:
            person = await parts.sign_in.person(code=code, back=back, verifier=begun.verifier)
        except ForgeUnavailable as error:
            log.warning("sign-in failed", extra={"why": str(error)})
            return _failed(request, 502, "GitHub does not answer right now.")
        except ForgeError as error:
            log.warning("sign-in refused", extra={"why": str(error)})
            return _failed(request, 400, "GitHub did not take the code of this sign-in.")
        answer = RedirectResponse(begun.next, 303)
        parts.sessions.open(answer, Viewer.of(number=person.id, login=person.login))
        log.info("signed in", extra={"login": person.login})
        return answer

    async def leave(request: Request) -> Response:
        viewer = await parts.viewer(request)
        answer = RedirectResponse("/", 303)
        if viewer is None:
            return answer
        token = (await request.form(max_files=0, max_fields=5)).get("token")
        if not isinstance(token, str) or not parts.sessions.is_form_of(viewer, token):
            return _failed(request, 403, "This form did not come from a page of yours.")
        await parts.stored(parts.ended.end, viewer.nonce, lasts=SESSION_FOR)
        parts.sessions.close(answer)
        return answer

    def _failed(request: Request, status: int, says: str) -> Response:
        link = ("/sign-in", "Sign in again")
        return parts.templates.page(request, "message", status=status, title="Not signed in", says=says, link=link)

    return [
        Route("/sign-in", begin, methods=["GET"]),
        Route(BACK, come_back, methods=["GET"]),
        Route("/sign-out", leave, methods=["POST"]),
    ]
