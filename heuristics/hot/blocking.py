"""Calls that stop an event loop: synchronous I/O, sleeping and slow hashing inside functions that run on one."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import added_calls, is_ci_path, is_production_code, language_of
from heuristics.code.calls import AddedCall
from heuristics.code.syntax import Node, parse
from heuristics.code.views import calls_in
from heuristics.hot.spots import functions_of
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere


class Blocking(Record):
    """One call. `seconds` is how long it takes where the code says so; `is_http` when a service decides that."""

    call: AddedCall
    why: str
    is_http: bool
    seconds: float | None = None

    @property
    def place(self) -> Place:
        """The line of the call."""
        return Place(file=self.call.file, line=self.call.line, side="head")


_PYTHON_HTTP = pattern(
    r"^(?:requests\.(?:get|post|put|patch|delete|head|request)|urllib\.request\.urlopen|urlopen|httpx\.(?:get|post|put|patch|delete|request)|urllib3\.request)$"
)
_SESSION = pattern(r"\b(\w+)\s*=\s*(?:requests\.(?:Session|session)\(|httpx\.Client\(|urllib3\.PoolManager\()")
_PYTHON_OTHER = pattern(
    r"^(?:time\.sleep|subprocess\.(?:run|check_output|check_call|call)|os\.system|psycopg2\.connect|pymysql\.connect|bcrypt\.(?:hashpw|checkpw)|socket\.create_connection)$"
)
_BOTO = pattern(r"\b(\w+)\s*=\s*boto3\.(?:client|resource)\(")
_NODE = pattern(
    r"(?:^|\.)(?:execSync|execFileSync|spawnSync|pbkdf2Sync|scryptSync|hashSync|compareSync|readFileSync|writeFileSync|gzipSync|gunzipSync|deflateSync|inflateSync|brotliCompressSync|readdirSync|generateKeyPairSync)$"
)


def blocking_calls(context: RuleContext) -> tuple[Blocking, ...]:
    """The blocking calls that a change adds to functions which run on an event loop."""
    found: list[Blocking] = []
    for file in context.changes.files:
        path = file.head_path
        if file.is_binary or not file.hunks or not path or not file.base_path:
            continue
        if not is_production_code(path) or is_ci_path(path) or is_elsewhere(path):
            continue
        language = language_of(path)
        head = context.head.text(path) or ""
        if language == "python":
            found += _python(path, context.base.text(file.base_path) or "", head)
        elif language in ("javascript", "typescript", "tsx"):
            found += _node(context, path, context.base.text(file.base_path) or "", head)
    return tuple(found)


def _python(path: str, base: str, head: str) -> Iterator[Blocking]:
    if "async def" not in head:
        return
    sessions, clients = set(_SESSION.findall(head)), set(_BOTO.findall(head))
    root = parse(head, "python")
    if root is None:
        return
    loops = [n for n in root.find("function_definition") if n.text.startswith("async")]
    waits = {call.line: call.node for call in calls_in(root)}
    for call in added_calls(path, base, head):
        node = waits.get(call.line)
        if node is None or call.is_awaited or not _is_on_loop(node, loops):
            continue
        owner, _, method = call.callee.partition(".")
        if _PYTHON_HTTP.match(call.callee) or (
            owner in sessions and method in ("get", "post", "put", "patch", "delete", "request", "head", "send")
        ):
            yield Blocking(call, "waits for an answer without giving the event loop back", is_http=True)
        elif call.callee == "time.sleep":
            seconds = re.search(r"time\.sleep\(\s*(\d{1,4}(?:\.\d{1,4})?)\s*\)", head.split("\n")[call.line - 1][:400])
            yield Blocking(call, "sleeps on the event loop", is_http=False, seconds=float(seconds[1]) if seconds else None)
        elif _PYTHON_OTHER.match(call.callee) or (owner in clients and method):
            yield Blocking(call, "blocks the event loop while it runs", is_http=False)


def _is_on_loop(node: Node, loops: list[Node]) -> bool:
    """Whether the innermost function around is an `async def`; what is handed to a thread is not."""
    inner = node.inside("function_definition", "lambda")
    handed = re.search(
        r"to_thread|run_in_executor|run_in_threadpool|run_sync|sync_to_async",
        node.source[max(0, node.start - 120) : node.start].rpartition("\n")[2],
    )
    return inner is not None and any(inner is one for one in loops) and handed is None


def _node(context: RuleContext, path: str, base: str, head: str) -> Iterator[Blocking]:
    if "Sync(" not in head:
        return
    spots = functions_of(context.head, path)
    lines = head.split("\n")
    for call in added_calls(path, base, head):
        written = lines[call.line - 1][:400] if call.line <= len(lines) else ""
        is_inside = (
            bool(call.function)
            or any(s.start <= call.line <= s.end for s in spots)
            or "=>" in written
            or written.startswith((" ", "\t"))
        )
        if _NODE.search(call.callee) and is_inside:
            yield Blocking(call, "blocks the event loop while it runs", is_http=False)
