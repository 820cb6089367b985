"""Calls of other services that a change moves to another path or method."""

from collections.abc import Iterator

from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import Route, is_production_code
from heuristics.code.endpoints.callers import ClientCall, client_calls
from heuristics.code.endpoints.extract import routes
from heuristics.code.endpoints.route import covers, normal
from heuristics.rule import RuleContext

MAX_CALLS = 20
_NO_PATH = ("grpc:", "/static/", "/assets/")


class MovedCall(Record):
    """A request to a literal path that becomes a request to another one. Methods are empty where the text does not say them."""

    file: str
    before: ClientCall
    after: ClientCall

    @property
    def place(self) -> Place:
        """The line that makes the new call."""
        return Place(file=self.file, line=self.after.line, side="head")

    @property
    def old(self) -> Route:
        """The endpoint that was called."""
        return Route(self.before.method or "ANY", normal(self.before.path), self.file, self.before.line)

    @property
    def new(self) -> Route:
        """The endpoint that is called from now on."""
        return Route(self.after.method or "ANY", normal(self.after.path), self.file, self.after.line)

    @property
    def label(self) -> str:
        """`POST /v2/slots/search`."""
        return f"{self.after.method} {self.after.path}".strip()


def moved_calls(context: RuleContext) -> tuple[MovedCall, ...]:
    """Every call that a changed file makes at head instead of another one at base; those of paths that the repository serves itself are none."""
    found = list(_moved(context))[:MAX_CALLS]
    own = [normal(route.path) for route in routes(context.head)] if found else []
    return tuple(one for one in found if not any(covers(path, normal(one.after.path)) for path in own))


def _moved(context: RuleContext) -> Iterator[MovedCall]:
    for file in context.changes.files:
        if file.is_binary or not file.head_path or not file.base_path or not is_production_code(file.head_path):
            continue
        before = _calls(file.base_path, context.base.text(file.base_path))
        after = _calls(file.head_path, context.head.text(file.head_path))
        gone = [call for key, call in before.items() if key not in after]
        come = [call for key, call in after.items() if key not in before]
        if gone and len(gone) == len(come):
            yield from (MovedCall(file.head_path, old, new) for old, new in zip(gone, come, strict=True))


def _calls(path: str, text: str | None) -> dict[tuple[str, str], ClientCall]:
    """The calls of a file by method and path, in the order of its lines."""
    every = sorted(client_calls(path, text), key=lambda c: c.line) if text is not None and len(text) < 300_000 else ()
    return {(c.method, normal(c.path)): c for c in every if c.callee and not c.path.startswith(_NO_PATH)}
