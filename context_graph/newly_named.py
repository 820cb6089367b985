"""Live resources that a change names: in the variables and statements of its manifests, and in the calls that its code makes.

By exact ARN, by host, or by the whole name where its place says what it is (`ORDERS_TABLE`, `.Table("orders")`): only one
resource of production may have it. Production has no edge to such a resource yet: the change is what makes it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from context_graph.affected import Start
from context_graph.providers.aws.arns import parse_arn, unqualified
from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.ports import Graph
from gonogo.record import Record
from gonogo.resource import Declared, Setting, SettingChange
from gonogo.word import Json, ResourceId

_PROGRAMS = ("kubernetes.deployment", "kubernetes.service", "kubernetes.statefulset", "aws.ecs.service")
_CACHES = ("aws.elasticache.cluster", "aws.elasticache.replication_group", "aws.memorydb.cluster")
_SERVERS = ("aws.rds.instance", "aws.rds.cluster", "aws.rds.proxy", *_CACHES)
_SAYS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (pattern(r"(?i)table"), ("aws.dynamodb.table",)),
    (pattern(r"(?i)queue"), ("aws.sqs.queue",)),
    (pattern(r"(?i)topic"), ("aws.sns.topic",)),
    (pattern(r"(?i)bucket"), ("aws.s3.bucket",)),
    (pattern(r"(?i)stream"), ("aws.kinesis.stream", "aws.firehose.delivery_stream")),
    (pattern(r"(?i)function|lambda"), ("aws.lambda.function",)),
    (pattern(r"(?i)state_?machine|workflow"), ("aws.stepfunctions.state_machine",)),
)
_SERVICES = {
    "dynamodb": "aws.dynamodb.table", "sqs": "aws.sqs.queue", "sns": "aws.sns.topic", "s3": "aws.s3.bucket", "kinesis": "aws.kinesis.stream",
    "lambda": "aws.lambda.function", "states": "aws.stepfunctions.state_machine", "firehose": "aws.firehose.delivery_stream",
}  # fmt: skip
_VARIABLE = pattern(r"(?:(?:init_)?container\.[^.]+\.)?(?:environment|data|vars|binding)\.([\w.-]+)")
_STATEMENT = pattern(r"statement\.\d+|policy\.\d+|policies\.\d+")
_ARN = pattern(r"arn:aws[a-z-]{0,8}:[a-z0-9-]{2,20}:[a-z0-9*-]{0,20}:[\d*]{0,12}:[^\s\"',;|<>{}\[\]()]{1,300}")
_OPEN = pattern(r"\$\{[^{}]{1,100}\}")
"""`${AWS::AccountId}`: as good as a star."""
_NAME = pattern(r"[A-Za-z0-9_][\w.-]{2,254}")
_QUEUE_URL = pattern(r"https://sqs\.[a-z0-9-]{2,20}\.amazonaws\.com/\d{12}/([\w.-]{1,90})")
_SERVER_HOST = pattern(
    r"(?:(?:master|replica|primary|clustercfg|[\w-]{1,64}-ro)\.)?([\w-]{1,64})\.[\w.-]{1,80}\.(?:rds|cache|memorydb)\.amazonaws\.com"
)
_INNER_HOST = pattern(
    r"(?:[a-z+]{2,12}://)?([a-z][a-z0-9-]{1,62})(?:\.([a-z0-9-]{1,63}))?(?:\.svc(?:\.cluster\.local)?|\.(?:internal|local)|(?=:\d))[:/\w.-]*"
)
_NAMESPACED = pattern(r"[a-z+]{2,12}://([a-z][a-z0-9-]{1,62})\.([a-z0-9-]{1,63})(?:/[\w./-]*)?")
"""`http://rates.core`: counts when a workload of that name stands in that namespace."""
_NO_CODE = pattern(r"(?i)(^|/)(tests?|spec|docs?|examples?|fixtures)/|[._](test|spec)\.|\.(md|rst|txt|json|ya?ml|lock)$")
_CAPITALS = pattern(r"[A-Z][A-Z0-9_]{2,80}")
_CALLED = pattern(
    r"""(?P<word>[Tt]able(?:Name|_name)?|[Qq]ueue(?:Url|URL|_url|Name)?|[Tt]opic(?:Arn|_arn)?|[Ss]tream(?:Name|_name)?|[Bb]ucket(?:Name)?|[Ff]unction(?:Name)?)\b["']?\s*(?:[:=(,]|:=|=>)\s*(?:\w+[.(])*\s*["'`](?P<text>[^"'`\s]{3,300})["'`]"""
)


class _Named(Record):
    text: str
    place: str
    """What the text is called: the variable, the argument."""
    file: str
    line: int

    @property
    def arns(self) -> tuple[str, ...]:
        return arns_in(self.text)


def newly_named(
    settings: Sequence[SettingChange], declared: Iterable[Declared], files: Iterable[ChangedFile], graph: Graph
) -> Iterator[Start]:
    """A start for every resource that the change names and that nothing else of production can be.

    `declared` is what head declares: its variables count where the code of the change reads them from now on.
    """
    code = [*_added_lines(files)]
    named = [*_in_settings(settings), *_in_code(code), *_read_by(code, declared)]
    fixed = {ResourceId(unqualified(arn)) for one in named for arn in one.arns if "*" not in arn}
    none: Mapping[ResourceId, tuple[str, str]] = {}
    known = graph.kinds_of(fixed) if fixed else none
    wanted = {one: tuple(meant(one.text, one.place)) for one in named}
    kinds = {kind for asked in wanted.values() for kind, _ in asked}
    alike: dict[tuple[str, str], list[ResourceId]] = {}
    names = {name for asked in wanted.values() for _, name in asked}
    for at, found in (graph.named(kinds, names) if kinds else none).items():
        alike.setdefault(found, []).append(at)
    seen: set[ResourceId] = set()
    for one, asked in wanted.items():
        targets = [a for arn in one.arns if (a := ResourceId(unqualified(arn))) in known]
        candidates = [at for pair in asked for at in alike.get(pair, ()) if _fits(at, one)] if not targets else []
        targets += candidates if len(set(candidates)) == 1 else []
        for target in targets:
            if target not in seen:
                seen.add(target)
                yield Start(target, f"{one.file} line {one.line} names it", is_named=False, steps=2)


def _in_settings(settings: Sequence[SettingChange]) -> Iterator[_Named]:
    for change in settings:
        declared = change.after
        if declared is None:
            continue
        if change.key == "" and change.before is None:
            for key, setting in declared.settings.items():
                yield from _of_setting(declared, key, setting)
        elif change.new is not None:
            yield from _of_setting(declared, change.key, change.new)


def _of_setting(declared: Declared, key: str, setting: Setting) -> Iterator[_Named]:
    variable = _VARIABLE.fullmatch(key)
    file = setting.file or declared.file
    if variable is not None and isinstance(setting.value, str):
        yield _Named(setting.value.strip()[:500], variable[1], file, setting.line)
    elif _STATEMENT.fullmatch(key):
        for text in _texts(setting.value):
            if text.startswith("arn:"):
                yield _Named(text[:500], "", file, setting.line)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in cast("dict[str, Json]", value).values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in cast("list[Json]", value):
            yield from _texts(inner)


def _added_lines(files: Iterable[ChangedFile]) -> Iterator[tuple[str, int, str]]:
    for file in files:
        path = file.head_path
        if path is not None and not _NO_CODE.search(path):
            for hunk in file.hunks:
                yield from ((path, number, line[:1_000]) for number, line in enumerate(hunk.added, start=hunk.head_start))


def _in_code(lines: Iterable[tuple[str, int, str]]) -> Iterator[_Named]:
    for path, number, line in lines:
        for found in _CALLED.finditer(line):
            yield _Named(found["text"], found["word"], path, number)


def _read_by(lines: Iterable[tuple[str, int, str]], declared: Iterable[Declared]) -> Iterator[_Named]:
    words = {word for _, _, line in lines for word in _CAPITALS.findall(line)}
    for one in declared if words else ():
        for key, setting in one.settings.items():
            variable = _VARIABLE.fullmatch(key)
            if variable is not None and variable[1] in words:
                yield from _of_setting(one, key, setting)


def arns_in(text: str) -> tuple[str, ...]:
    """ARNs with whatever is open in them (`${AWS::AccountId}`) as a star."""
    return tuple(_ARN.findall(_OPEN.sub("*", text)))


def meant(text: str, place: str) -> Iterator[tuple[str, str]]:
    """Kind and name of what a text may mean that stands in a variable or an argument called `place`."""
    arns = arns_in(text)
    for parsed in [parsed for arn in arns if (parsed := parse_arn(arn)) is not None]:
        parts = re.split(r"[:/]", parsed.resource)
        name = parts[1] if parsed.service != "s3" and len(parts) > 1 else parts[0]
        if parsed.service in _SERVICES and "*" not in name:
            yield _SERVICES[parsed.service], name
    if arns or text.startswith("arn:"):
        return
    queue, server, inner = _QUEUE_URL.fullmatch(text), _SERVER_HOST.search(text), _INNER_HOST.fullmatch(text)
    if queue is not None:
        yield "aws.sqs.queue", queue[1]
    elif server is not None:
        yield from ((kind, server[1]) for kind in _SERVERS)
    elif inner is not None:
        yield from ((kind, inner[1]) for kind in _PROGRAMS)
    elif (near := _NAMESPACED.fullmatch(text)) is not None:
        yield from ((kind, near[1]) for kind in _PROGRAMS if kind.startswith("kubernetes."))
    elif _NAME.fullmatch(text):
        yield from ((kind, text) for says, kinds in _SAYS if says.search(place) for kind in kinds)


def _fits(at: ResourceId, one: _Named) -> bool:
    """Region of an ARN with an open account; namespace of a host in a cluster."""
    arn = next((parsed for found in one.arns if (parsed := parse_arn(found)) is not None), None)
    mine = parse_arn(at)
    if arn is not None and mine is not None:
        return all(part in ("", "*", own) for part, own in ((arn.region, mine.region), (arn.account, mine.account)))
    host = _INNER_HOST.fullmatch(one.text) or _NAMESPACED.fullmatch(one.text)
    space = host[2] if host is not None else None
    return not (at.startswith("kubernetes:") and space not in (None, "svc", "internal", "local")) or f"/{space}/" in at
