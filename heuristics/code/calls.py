"""Which calls a function makes, which of them in a loop, and which of them a change added."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.paths import CODE_LANGUAGES, language_of
from heuristics.code.syntax import Node, parse
from heuristics.code.views import Call, call_of, calls_in, is_function, scope_of
from heuristics.code.word_sets import words

CallKind = Literal["http", "database", "cache", "queue", "other"]


class CallSite(Record):
    """One call. `in_loop`: it runs once for each item of something, or once a round; `through` names the local
    function that makes the call of that kind, when the call itself is of a function of this file.
    """

    function: str
    callee: str
    first_string: str | None
    line: int
    end_line: int
    in_loop: bool
    is_awaited: bool
    kind: CallKind
    through: str = ""


class AddedCall(Record):
    """A call that head makes and base didn't; `was_outside_loop` when base made it, but once."""

    file: str
    line: int
    function: str
    callee: str
    kind: CallKind
    in_loop: bool
    is_awaited: bool
    first_string: str | None
    was_outside_loop: bool = False
    through: str = ""


def call_sites(text: str, language: str) -> tuple[CallSite, ...]:
    """Every call of a program in the order of the text; empty when it can't be parsed."""
    root = parse(text, language)
    if root is None:
        return ()
    scopes: dict[int, str] = {}
    loops: dict[int, bool] = {}
    sites = [
        _site(call, language, scopes, loops)
        for call in calls_in(root)
        if call.node.kind not in ("annotation", "constructor_invocation")
    ]
    own = _kinds_of_functions(sites)
    return tuple(_through(site, own) for site in sites)


def added_calls(path: str, base_text: str | None, head_text: str | None) -> tuple[AddedCall, ...]:
    """The calls that head makes more often than base, function by function; code that only moved adds nothing."""
    language = language_of(path, (head_text or "").split("\n", 1)[0]) or ""
    if language not in CODE_LANGUAGES:
        return ()
    base, head = call_sites(base_text or "", language), call_sites(head_text or "", language)
    before = Counter((site.function, site.callee, site.in_loop) for site in base)
    rest: list[CallSite] = []
    for site in head:
        key = (site.function, site.callee, site.in_loop)
        before[key] -= 1
        if before[key] < 0:
            rest.append(site)
    moved = Counter({(callee, in_loop): 0 for _, callee, in_loop in before})
    for (_, callee, in_loop), left in before.items():
        moved[callee, in_loop] += max(0, left)
    found: list[AddedCall] = []
    for site in rest:
        if moved[site.callee, site.in_loop] > 0:
            moved[site.callee, site.in_loop] -= 1
            continue
        was_outside = site.in_loop and moved[site.callee, False] > 0
        found.append(_added(path, site, was_outside_loop=was_outside))
    return tuple(found)


def _added(path: str, site: CallSite, *, was_outside_loop: bool) -> AddedCall:
    return AddedCall(
        path,
        site.line,
        site.function,
        site.callee,
        site.kind,
        site.in_loop,
        site.is_awaited,
        site.first_string,
        was_outside_loop,
        site.through,
    )


_LOOPS = words(
    "for_statement for_in_statement while_statement do_statement enhanced_for_statement for_expression while_expression loop_expression foreach_statement "
    "for while until for_each_statement list_comprehension generator_expression set_comprehension dictionary_comprehension do_while_statement "
    "while_modifier until_modifier c_style_for_statement repeat_statement"
)
_ITERATED = ("right", "value", "collection", "iterable", "initializer")
_ITERATING = pattern(
    r"(?i)(^|[.:>&?])(map|for_?each|each(_\w+)?|flat_?map|collect|filter(Map)?|select|reject|find_each|find_in_batches|in_batches|times|upto|reduce|inject|fold|some|every"
    r"|any|all|map_?indexed|parallel_?map|p?limit|async_stream|repeat|walk|array_map|array_walk|then_each|map_async|starmap|imap\w*|forEachOrdered|parallelMap|mapAsync|mapLimit"
    r"|eachLimit|mapSeries|eachSeries)\(?\)?[?!]?$"
)


def _site(call: Call, language: str, scopes: dict[int, str], loops: dict[int, bool]) -> CallSite:
    node = call.node
    around = node.parent
    is_awaited = around is not None and (
        around.kind in ("await", "await_expression") or (around.parent is not None and around.parent.kind == "await_expression")
    )
    return CallSite(
        function=scope_of(node, scopes),
        callee=call.callee,
        first_string=call.first_string(),
        line=node.line,
        end_line=node.end_line,
        in_loop=is_in_loop(node, loops),
        is_awaited=is_awaited,
        kind=kind_of_call(call, language),
    )


def is_in_loop(node: Node, known: dict[int, bool] | None = None) -> bool:
    """Whether a node runs once a round of a loop of its own function (callbacks of map, each and their kin count).

    With `known` (start empty, one for a tree) every node around is looked at once however often it is asked for.
    """
    known = {} if known is None else known
    chain: list[Node] = []
    child = node
    answer: bool | None = None
    while answer is None:
        answer = known.get(id(child))
        if answer is None:
            chain.append(child)
            around = child.parent
            answer = False if around is None else _loops_around(around, child)
            child = around or child
    known.update((id(step), answer) for step in chain)
    return answer


def _loops_around(around: Node, child: Node) -> bool | None:
    """What one step up says; None when it takes another step to know."""
    if around.kind in _LOOPS and not _is_iterated(around, child):
        return True
    if around.kind == "call" and around.named and around.named[0].text == "for" and around.named[0] is not child:
        return True  # Elixir
    if around.kind in ("block", "do_block", "annotated_lambda") and around.parent is not None and _iterates(_caller_of(around)):
        return True
    if is_function(around):
        return _iterates(_caller_of(around))
    return None


_BETWEEN = words("arguments argument_list value_argument argument value_arguments call_suffix annotated_lambda")


def _caller_of(node: Node) -> Node | None:
    """The call that a function or block is handed to."""
    return next((around for around in node.ancestors() if around.kind not in _BETWEEN), None)


def _is_iterated(loop: Node, child: Node) -> bool:
    if "comprehension" in loop.kind or loop.kind == "generator_expression":
        clauses = [c for c in loop.named if c.kind == "for_in_clause"]
        return bool(clauses) and clauses[0] is child
    if child.kind in ("for_clause", "range_clause"):
        return True
    return any(loop.field(name) is child for name in _ITERATED)


def _iterates(node: Node | None) -> bool:
    call = call_of(node) if node is not None else None
    return call is not None and _ITERATING.search(call.callee) is not None


_HTTP = pattern(
    r"(?i)^(requests|httpx|aiohttp|urllib3?|treq|axios|got|ky|superagent|needle|undici|fetch|\$fetch|ofetch|http|https|net::http|httparty|faraday|resttemplate|restclient|webclient"
    r"|typhoeus|excon|httpoison|req|tesla|finch|reqwest|guzzle|curl_exec|file_get_contents|ureq|grequests|unirest|feign)\b"
    r"|(^|\.)fetch$|(http|rest|api|web|service|upstream|remote|grpc)_?(client|session|template|stub)?\(?\)?(\.|->|::)(get|post|put|patch|delete|head|options|request|send|do|exchange|execute|call|getforobject|getforentity|postforobject"
    r"|getasync|postasync|putasync|deleteasync|sendasync|getstringasync|getfromjsonasync|postasjsonasync|newcall|stream)$|^http::|urlopen$|http\.(get|post|do|head|newrequest\w*)$|newcall$|\bclient\.do$|stub\.\w+$|\.block$"
)
_DATABASE = pattern(
    r"(?i)(cursor|cur|conn|connection|db|database|pool|tx|txn|trx|pg|sql|mysql|engine|session|knex|jdbctemplate|jdbc|entitymanager|em|dbcontext|_context|context|repo|\w*repository|\w*dao|mongo|collection|table|ddb|dynamo(db)?|\w*_table|prisma|sequelize|manager|querybuilder|stmt|statement)"
    r"\(?\)?([.:>-]+\w+\(?\)?)?(\.|->|::)(execute\w*|exec\w*|query\w*|fetch(row|one|all|val)?|fetch_(one|all|row|val)|scalars?|get|all|first|one|find\w*|insert\w*|update\w*|delete\w*|save\w*|create\w*|upsert\w*|select\w*|aggregate|count\w*|batch\w*|prepare\w*|raw|commit"
    r"|get_item|put_item|scan|batch_get_item|transact_write_items|persist|merge|tolistasync|firstordefaultasync|savechangesasync|run|add|bulk_\w+)$"
    r"|\.objects(\.|\(\)).*|\.objects\.\w+$|^[A-Z]\w*(\.|::)(find|find_by!?|find_or_\w+|where|create!?|update_all|delete_all|exists\?|pluck|count|first|all|findOrFail|findOne|findAll|findMany|findByPk|findById|updateOrCreate|insert|query|bulkCreate)$"
    r"|^repo\.|^DB::|sqlx::query\w*|diesel::|\.(findMany|findUnique|findFirst|findOne|findByPk|findAll|find_by|upsert|objects)$|\.(refresh_from_db|select_related|prefetch_related|bulk_create|get_or_create|update_or_create)$"
    r"|\bD1\b|env\.DB\.prepare|\.prepare\(\)\.(bind|all|first|run)|\.save!?$"
)
_CACHE = pattern(
    r"(?i)(^|[.:>_])(redis\w*|rdb|cache\w*|memcached?|mc|lru|rails\.cache|dalli|kv|valkey|\$redis|ioredis)\(?\)?(\.|->|::)\w+$|^cache(::|->)"
)
_QUEUE = pattern(
    r"(?i)(send_?message(_?batch|s)?|publish\w*|enqueue\w*|basic_publish|perform_(async|later|in|at)|apply_async|\.delay|produce|xadd|lpush|rpush|put_events?|put_records?|dispatch|send_?task|send_to_queue|sendtoqueue|insert_all_jobs|convertandsend)$"
    r"|(queue|producer|topic|sqs|sns|kafka\w*|nats|pubsub|eventbus|bus|channel|orders|jobs)(\.|->|::)(send|add|push|put|publish|produce|emit)\w*$|Oban\.insert"
)


def kind_of_call(call: Call, language: str) -> CallKind:
    """What a call talks to, guessed from its callee and from the libraries of the file."""
    callee = call.callee
    if _CACHE.search(callee):
        return "cache"
    if _QUEUE.search(callee) and not re.search(r"(?i)(dispatcher|store)\.dispatch$|^dispatch$|window\.", callee):
        return "queue"
    if _HTTP.search(callee) and not re.search(
        r"(?i)^http\.(Error|NotFound|Redirect|HandleFunc|Handle|ListenAndServe|StatusText|createServer|Server|MaxBytesReader|StripPrefix|FileServer|Serve\w*|SetCookie)",
        callee,
    ):
        return "http" if not _is_route_or_object(call, language) else "other"
    if _SENDS.search(callee) and _COMMAND.search(call.node.text[:300]) and "dynamo" in call.node.source.lower():
        return "database"
    if re.search(
        r"^(client|session|self\.client|self\.session|this\.client|this\.http|_client|c)\.(get|post|put|patch|delete|request|send)$",
        callee,
    ):
        return "http" if re.search(r"\b(httpx|aiohttp|requests|axios|HttpClient|reqwest|got)\b", call.node.source) else "other"
    if re.match(
        r"(Promise|Array|Object|JSON|Math|Number|String|console|Set|Map|Collections|List|Stream|Enum|Rails|Time|Date|Logger)\b",
        callee,
    ):
        return "other"
    if _ITEMS.search(callee) and "dynamo" in call.node.source.lower():
        return "database"
    return "database" if _DATABASE.search(callee) else "other"


_ITEMS = pattern(
    r"(?i)\.(?:get_?item|put_?item|update_?item|delete_?item|batch_?get_?item|batch_?write_?item|transact_?(?:get|write)_?items?)(?:async|WithContext)?$"
)
"""Names that only tables of DynamoDB have, whatever the table is called in the code."""
_SENDS = pattern(r"(?:^|[.>])send$")
_COMMAND = pattern(
    r"\bnew\s+(?:Get|Put|Update|Delete|Query|Scan|BatchGet|BatchWrite|TransactGet|TransactWrite)(?:Items?)?Command\s*\("
)


def _is_route_or_object(call: Call, language: str) -> bool:
    """`http.createServer` and decorators look like calls of a client."""
    parent = call.node.parent
    return (parent is not None and parent.kind == "decorator") or (
        language == "go" and call.name in ("Header", "Client", "Cookie", "Request")
    )


def _kinds_of_functions(sites: list[CallSite]) -> Mapping[str, CallKind]:
    """The local functions that make outside calls themselves: last word of the name → kind."""
    found: dict[str, CallKind] = {}
    for site in sites:
        name = site.function.rsplit(".", 1)[-1]
        if name and site.kind != "other":
            found.setdefault(name, site.kind)
    return found


def _through(site: CallSite, own: Mapping[str, CallKind]) -> CallSite:
    match = re.fullmatch(r"(?:(?:self|this|cls|Self|@)[.:>-]+)?(\w+[?!]?)", site.callee)
    name = match[1] if match else ""
    if site.kind != "other" or name not in own or site.function.rsplit(".", 1)[-1] == name:
        return site
    return CallSite(
        site.function,
        site.callee,
        site.first_string,
        site.line,
        site.end_line,
        site.in_loop,
        site.is_awaited,
        own[name],
        through=name,
    )
