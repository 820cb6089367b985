"""Where code tries again: loops around a failure, decorators and options of libraries, with the number of attempts."""

import re
from collections.abc import Iterator, Mapping

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.constants import Constant, constant_of
from heuristics.code.syntax import Node, parse
from heuristics.code.value_sites import known_constants
from heuristics.code.views import Call, calls_in, is_function, scope_of
from heuristics.code.word_sets import words


class RetryLoop(Record):
    """One place that retries.

    `attempts` counts the first try too; None when the text doesn't say how many. `attempts_line` is where the number
    stands. `has_backoff`: there is a pause between attempts; `is_growing`: the pause grows; `has_jitter`: it is spread.
    """

    library: str
    function: str
    attempts: int | None
    line: int
    attempts_line: int
    has_backoff: bool
    is_growing: bool
    has_jitter: bool
    calls: tuple[str, ...] = ()


def retry_shape(text: str, language: str) -> tuple[RetryLoop, ...]:
    """Every retry of a program in the order of the text; empty when it can't be parsed."""
    root = parse(text, language)
    if root is None:
        return ()
    known = known_constants(root)
    lines = {node.named[0].text: node.line for node in root.walk() if node.kind in _DECLARATORS and node.named}
    found = [*_loops(root, known, lines), *_libraries(root, known, lines, language)]
    return tuple(sorted(found, key=lambda retry: retry.line))


_DECLARATORS = words(
    "assignment variable_declarator const_spec var_spec const_item let_declaration const_element property_element short_var_declaration"
)
_LOOPS = words(
    "for_statement while_statement do_statement for_expression while_expression loop_expression for while until for_in_statement enhanced_for_statement "
    "do_while_statement begin foreach_statement"
)
_CATCHES = pattern(
    r"(?<!\w)(except|catch|rescue|recover|err\s*!=\s*nil|err\s*==\s*nil|Err\(|is_err|\.catch|Result::|runCatching|onFailure|if let Ok|Ok\()(?!\w)?"
)
_ANSWERS = pattern(
    r"(?i)\bstatus_?code\b|\.status\b|\bgetStatus\w*\(|\.code\(\)|is_?success\w*|\.ok\b|\bcode\s*[<>=!]=?\s*[45]\d\d|\b[45]\d\d\b"
)
"""A loop may look at the answer's status where others catch a failure."""
_TRIES = pattern(r"(?i)attempt|retr(y|ies)|\btr(y|ies)\b")
_LEAVES = pattern(r"(?<!\w)(return|break)(?!\w)")
_PAUSES = pattern(
    r"(?i)(?<!\w)(sleep|usleep|delay|setTimeout|wait|time\.After|backoff|Task\.Delay|Thread\.sleep|pause|timer)\w*\s*[(.! ]"
)
_GROWS = pattern(
    r"(?i)\*\*|<<|pow\(|\*=\s*2|\*\s*\(?(i|n|attempts?|retry|retries|try|tries|count)\b|exponential|backoff\s*\*|Math\.pow|\bexpo\b|\.next_back_?off|delay\s*\*|2\s*\^"
)
_JITTERS = pattern(r"(?i)jitter|rand(om)?\b|rand\.|Math\.random|uniform\(|randomi[sz]")


def _loops(root: Node, known: Mapping[str, Constant], lines: Mapping[str, int]) -> Iterator[RetryLoop]:
    for node in root.walk():
        is_repeat = node.kind in ("call", "call_expression") and re.match(r"(repeat\s*\(|[\w.]+\.times\b)", node.text) is not None
        if node.kind not in _LOOPS and not is_repeat:
            continue
        text = node.text
        if len(text) > 20_000 or not (_CATCHES.search(text) or (_ANSWERS.search(text) and _TRIES.search(text))):
            continue
        if node.kind == "begin":
            if not re.search(r"(?<!\w)retry(?!\w)", text):
                continue
        elif not (_LEAVES.search(text) or _stops_in_its_head(node, text)) or _walks_a_collection(node, known):
            continue
        limit = _limit_of(node, known)
        if limit is None and not re.search(r"(?i)retr|attempt|tries", text):
            continue
        yield _retry("loop", node, limit, known, lines)


def _stops_in_its_head(node: Node, text: str) -> bool:
    """`while (!response.isSuccessful() && tries < 3)` leaves by its own condition."""
    head = re.split(r"[{\n]", text, maxsplit=1)[0]
    return node.kind.startswith("while") and _ANSWERS.search(head) is not None and _TRIES.search(head) is not None


def _walks_a_collection(node: Node, known: Mapping[str, Constant]) -> bool:
    """`for x in items` is no retry, unless items is a range."""
    if node.kind not in (
        "for_statement",
        "for_expression",
        "for",
        "for_in_statement",
        "enhanced_for_statement",
        "foreach_statement",
    ):
        return False
    head = re.split(r"[{\n]", node.text, maxsplit=1)[0]
    if re.search(r"range\s*\(|\.\.|;|\d+\.times", head) or head.strip() in ("for", "loop"):
        return False
    over = re.search(r"range\s+([\w.]+)\s*$", head.strip())
    return over is None or (over[1] not in known and not over[1].isdigit())


def _limit_of(node: Node, known: Mapping[str, Constant]) -> tuple[int | None, Node] | None:
    """The number of rounds and the node that says it."""
    for found in node.walk():
        if found.kind in ("argument_list", "value_arguments") and any(
            re.match(r"(range|repeat)\b", around.text) for around, _ in zip(found.ancestors(), range(2), strict=False)
        ):
            constants = [(constant_of(part, known), part) for part in found.named if part.kind != "value_argument"]
            constants += [
                (constant_of(part.named[0], known), part.named[0])
                for part in found.named
                if part.kind == "value_argument" and part.named
            ]
            values = [(c.value, part) for c, part in constants if c is not None and isinstance(c.value, int)]
            if values:
                first = values[0][0] if len(values) > 1 else 0
                return int(values[min(len(values), 2) - 1][0]) - int(first), values[min(len(values), 2) - 1][1]
            return None, found.named[-1] if found.named else found
        if found.kind in ("range_expression", "range_clause", "range") and found.named:
            constant = constant_of(found.named[-1], known)
            if constant is not None and isinstance(constant.value, int):
                return constant.value + ("..=" in found.text), found.named[-1]
        if ("binary" in found.kind or "comparison" in found.kind) and len(found.named) == 2:
            operator = next((c.kind for c in found.children if not c.is_named), "")
            counted = re.search(r"(?i)^(\$|@)?(\w*\.)?(i|j|n|\w*(attempt|retr|tries|try|count)\w*)(\+\+)?$", found.named[0].text)
            constant = constant_of(found.named[1], known)
            if (
                operator in ("<", "<=", ">=", ">", "==", "===")
                and counted
                and constant is not None
                and isinstance(constant.value, int)
            ):
                return constant.value + _rounds_more(operator, found.named[0].text, node), found.named[1]
        if found.kind == "call" and (times := re.match(r"(\w+)\.times", found.text)):
            constant = constant_of(found.named[0], known)
            return (constant.value if constant is not None and isinstance(constant.value, int) else None), found.named[
                0
            ] if times else found
    return None


def _rounds_more(operator: str, counter: str, loop: Node) -> int:
    starts_at_one = re.search(rf"{re.escape(counter.rstrip('+'))}\s*:?=\s*1\b", loop.text) is not None
    head = re.split(r"[{\n]", loop.text, maxsplit=1)[0]
    if operator in ("==", "===", ">=") and loop.kind.startswith("for") and head.count(";") == 2:
        return 0 if starts_at_one else 1  # the counter of the head is looked at before it counts this round
    return (1 if operator in ("<=", ">") else 0) - (1 if starts_at_one else 0)


def _retry(
    library: str, node: Node, limit: tuple[int | None, Node] | None, known: Mapping[str, Constant], lines: Mapping[str, int]
) -> RetryLoop:
    text = node.text
    inside = tuple(dict.fromkeys(call.callee for call in calls_in(node) if call.node is not node))
    attempts, said = limit if limit is not None else (None, node)
    name = said.text
    return RetryLoop(
        library=library,
        function=scope_of(node),
        attempts=attempts,
        line=node.line,
        attempts_line=lines.get(name, said.line) if name in known else said.line,
        has_backoff=_PAUSES.search(text) is not None,
        is_growing=_GROWS.search(text) is not None and _PAUSES.search(text) is not None,
        has_jitter=_JITTERS.search(text) is not None,
        calls=inside[:40],
    )


class _Library(Record):
    name: str
    callee: re.Pattern[str]
    keys: tuple[str, ...]
    more: int
    """What to add to the number for the first attempt."""
    pauses: bool = False
    grows: bool = False
    jitters: bool = False
    position: int | None = None


_LIBRARIES = (
    _Library("tenacity", pattern(r"(^|\.)stop_after_attempt$"), ("max_attempt_number",), 0, position=0),
    _Library(
        "backoff",
        pattern(r"(^|\.)backoff\.on_(exception|predicate)$|^on_exception$"),
        ("max_tries",),
        0,
        pauses=True,
        grows=True,
        jitters=True,
    ),
    _Library("stamina", pattern(r"^stamina\.retry(_context)?$"), ("attempts",), 0, pauses=True, grows=True, jitters=True),
    _Library(
        "retry",
        pattern(r"^(retry|retry_call|retriable|Retriable\.retriable|retrying\.retry|with_retries)$"),
        ("tries", "stop_max_attempt_number", "max_tries"),
        0,
    ),
    _Library("urllib3", pattern(r"(^|\.)Retry$"), ("total", "connect", "read"), 1, position=0),
    _Library("httpx", pattern(r"(^|\.)(Async)?HTTPTransport$|^HTTPAdapter$|\.HTTPAdapter$"), ("retries", "max_retries"), 1),
    _Library("celery", pattern(r"(^|\.)(shared_task|task)$"), ("max_retries",), 1, pauses=True),
    _Library(
        "botocore",
        pattern(r"(^|\.)(BotoConfig|Config)$"),
        ("max_attempts", "total_max_attempts"),
        0,
        pauses=True,
        grows=True,
        jitters=True,
    ),
    _Library(
        "p-retry",
        pattern(
            r"^(pRetry|promiseRetry|asyncRetry|retry|backOff|withRetry|retryAsync|fetchRetry|fetchWithRetry|ky\.\w+|ky|got|got\.\w+)$"
        ),
        ("retries", "limit", "maxRetries", "numOfAttempts", "maxAttempts", "attempts", "times"),
        1,
        pauses=True,
        grows=True,
    ),
    _Library("axios-retry", pattern(r"^(axiosRetry|rax\.attach)$"), ("retries", "retry"), 1),
    _Library("aws-sdk", pattern(r"Client$"), ("maxAttempts", "max_attempts"), 0, pauses=True, grows=True, jitters=True),
    _Library("bullmq", pattern(r"(?i)(queue\w*|jobs?)\.(add|addBulk)$|^Queue$"), ("attempts",), 0),
    _Library("spring-retry", pattern(r"^Retryable$"), ("maxAttempts",), 0),
    _Library("resilience4j", pattern(r"(?i)maxAttempts$"), (), 0, position=0),
    _Library("reactor", pattern(r"^Retry\.(backoff|max|fixedDelay)$|\.retry$"), (), 1, position=0),
    _Library("polly", pattern(r"(?i)(WaitAndRetry|Retry)(Async)?$"), (), 1, position=0),
    _Library("polly", pattern(r"RetryStrategyOptions$"), ("MaxRetryAttempts",), 1, pauses=True),
    _Library("retry-go", pattern(r"^retry\.Attempts$"), (), 0, pauses=True, grows=True, jitters=True, position=0),
    _Library(
        "backoff-go",
        pattern(r"^(backoff|retry)\.WithMax(Retries|Tries)$"),
        ("max",),
        1,
        pauses=True,
        grows=True,
        jitters=True,
        position=1,
    ),
    _Library("backoff-go", pattern(r"^backoff\.WithMaxTries$"), (), 0, pauses=True, grows=True, jitters=True, position=0),
    _Library("faraday", pattern(r"\.(request|use)$"), ("max",), 1),
    _Library("sidekiq", pattern(r"^sidekiq_options$"), ("retry",), 1, pauses=True, grows=True, jitters=True),
    _Library("active-job", pattern(r"^retry_on$"), ("attempts",), 0, pauses=True),
    _Library("laravel", pattern(r"^retry$|->retry$|::retry$"), (), 0, position=0),
    _Library(
        "tower",
        pattern(r"(?i)(ExponentialBackoff|FixedInterval|RetryIf|with_max_retries|max_retries|max_times)$"),
        (),
        1,
        pauses=True,
        grows=True,
        position=0,
    ),
    _Library("microprofile", pattern(r"^Retry$"), ("maxRetries",), 1),
)
_SCRIPTS = words("typescript tsx javascript")
_JVM = words("java kotlin")
_FAMILIES = {
    **dict.fromkeys(words("tenacity backoff stamina urllib3 httpx celery botocore"), words("python")),
    **dict.fromkeys(words("spring-retry resilience4j reactor microprofile"), _JVM),
    **dict.fromkeys(words("retry-go backoff-go"), words("go")),
    **dict.fromkeys(words("faraday sidekiq active-job"), words("ruby")),
    "retry": words("python ruby"),
    "aws-sdk": _SCRIPTS,
    "polly": words("csharp"),
    "laravel": words("php"),
    "tower": words("rust"),
}
"""The languages a library is of; what is not listed is of scripts."""
_FIELDS = {
    "RetryMax": ("retryablehttp", 1),
    "MaxRetries": ("client", 1),
    "max_retries": ("client", 1),
    "maxRetries": ("client", 1),
    "tries": ("laravel", 0),
    "maxRetriesPerRequest": ("ioredis", 1),
}


def _libraries(root: Node, known: Mapping[str, Constant], lines: Mapping[str, int], language: str) -> Iterator[RetryLoop]:
    seen: set[int] = set()
    for call in calls_in(root):
        for library in _LIBRARIES:
            if language not in _FAMILIES.get(library.name, _SCRIPTS) or not library.callee.search(call.callee):
                continue
            said = _attempts_node(call, library)
            constant = constant_of(said, known) if said is not None else None
            if (
                said is None
                or constant is None
                or isinstance(constant.value, bool)
                or not isinstance(constant.value, int)
                or said.start in seen
            ):
                continue
            seen.add(said.start)
            yield _of_library(call, library, said, constant.value, known, lines)
    for node in root.walk():
        if (
            node.kind
            not in ("assignment", "pair", "keyword_argument", "keyed_element", "property_element", "assignment_statement")
            or len(node.named) < 2
        ):
            continue
        name = re.findall(r"\w+", node.named[0].text)[-1:]
        field = _FIELDS.get(name[0]) if name else None
        value = constant_of(node.named[-1], known)
        if (
            field is not None
            and value is not None
            and isinstance(value.value, int)
            and not isinstance(value.value, bool)
            and node.named[-1].start not in seen
        ):
            seen.add(node.named[-1].start)
            yield RetryLoop(
                field[0],
                scope_of(node),
                value.value + field[1],
                node.line,
                node.line,
                has_backoff=field[0] == "retryablehttp",
                is_growing=field[0] == "retryablehttp",
                has_jitter=False,
            )


def _attempts_node(call: Call, library: _Library) -> Node | None:
    named = next((found for key in library.keys if (found := call.argument(key)) is not None), None)
    if named is not None:
        return named
    if library.position is not None and (found := call.positional(library.position)) is not None:
        return found
    for argument in call.arguments:
        for pair in argument.value.find("pair", "keyed_element", "array_element_initializer"):
            if len(pair.named) > 1 and pair.named[0].text.strip("\"': ") in library.keys:
                return pair.named[-1]
    return None


def _of_library(
    call: Call, library: _Library, said: Node, number: int, known: Mapping[str, Constant], lines: Mapping[str, int]
) -> RetryLoop:
    around = next(
        (
            a
            for a in call.node.ancestors()
            if a.kind in ("decorator", "expression_statement", "annotation", "method_declaration") or is_function(a)
        ),
        call.node,
    )
    text = around.text if len(around.text) < 2_000 else call.node.text
    pauses = library.pauses or re.search(r"(?i)wait|back_?off|delay|interval|sleep|multiplier|pause", text) is not None
    if library.name == "laravel" and len(call.arguments) > 1:
        pauses = True
    grows = library.grows or re.search(r"(?i)exponential|back_?off_?factor|multiplier|\bexpo\b|factor", text) is not None
    jitters = library.jitters or _JITTERS.search(text) is not None
    line = lines.get(said.text, said.line) if said.text in known else said.line
    return RetryLoop(library.name, scope_of(call.node), number + library.more, call.line, line, pauses, grows and pauses, jitters)
