"""Reads that the head has and the base had not: what production must give from now on."""

from collections.abc import Iterable, Sequence

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared
from heuristics.code import Creation, Read, creations_of, is_ci_path, is_production_code, reads_of
from heuristics.code.word_sets import words
from heuristics.rule import RuleContext
from heuristics.stages import names_other_stage

_BESIDE_PRODUCTION = words("scripts script tools tool hack dev devtools bin ci .github contrib notebooks")
_QUIETLY_OFF = pattern(
    r"(?i)(sentry|datadog|dd_|new_relic|otel|honeycomb|rollbar|bugsnag|statsd|metrics|tracing|trace|log_?level|debug|verbose|analytics|segment|posthog"
    r"|enabled?$|disabled?$|feature|flag|_dsn$|proxy|mixpanel|amplitude|version|commit|git_sha|release$|build_)"
)


class NeededName(Record):
    """One name that code reads from now on, the place that matters most, and where the head's manifests give it."""

    read: Read
    before: Read | None
    """How base read the same name, when it coped with absence there."""
    creations: tuple[Creation, ...]

    @property
    def name(self) -> str:
        """The name."""
        return self.read.name

    @property
    def fails(self) -> bool:
        """Whether absence is fatal, not just an empty value that a library may take for 'off'."""
        return self.read.is_strict or self.read.kind != "env" or _QUIETLY_OFF.search(self.name) is None


def needed_names(context: RuleContext) -> tuple[NeededName, ...]:
    """Names that changed production code reads at head and nothing read at base, each once, the strictest read first."""
    files = [f for f in context.changes.files if f.head_path and f.hunks and _runs(f.head_path)]
    if not files:
        return ()
    head = [r for r in reads_of(context.head, [f.head_path for f in files if f.head_path]) if not (r.is_test or r.is_ambient)]
    if not head:
        return ()
    before = _read_at_base(context, files, {r.name for r in head})
    found: dict[str, NeededName] = {}
    for read in sorted(head, key=_strictness):
        was = before.get(read.name)
        if read.name not in found and (was is None or (was.requirement != "required" and read.requirement == "required")):
            found[read.name] = NeededName(read, was, ())
    if not found:
        return ()
    created = creations_of(context.head)
    return tuple(
        NeededName(one.read, one.before, tuple(c for c in created if c.name in (one.name, *one.read.aliases)))
        for one in found.values()
    )


def gives_to(
    creation: Creation, declared: Sequence[Declared], owners: Iterable[str], context: RuleContext, *, phase: str
) -> bool:
    """Whether a creation reaches one of the resources `owners` (live ids), as far as the manifests tell.

    A value for another stage, one that is passed through from the host, and one in the block of another workload don't.
    """
    if not creation.has_value or creation.may_be_empty or names_other_stage(creation.environment):
        return False
    if names_other_stage(creation.file) or (phase == "run" and is_ci_path(creation.file) and creation.phase == "build"):
        return False
    wanted = set(owners)
    around = [d for d in declared if d.file == creation.file and d.line <= creation.line <= d.end_line]
    inner = min(around, key=lambda d: d.end_line - d.line, default=None)
    live = context.live_of(inner) if inner is not None else None
    if inner is not None and inner.kind == "cloudflare.worker":
        return live in wanted if live is not None else not wanted
    return (
        live is None
        or live in wanted
        or not wanted
        or inner is None
        or inner.kind.startswith(("kubernetes.configmap", "kubernetes.secret"))
    )


def _runs(path: str) -> bool:
    folders = {part.lower() for part in path.split("/")[:-1]}
    return is_production_code(path) and not folders & _BESIDE_PRODUCTION and not is_ci_path(path)


def _strictness(read: Read) -> tuple[int, int, str, int]:
    return ("required", "optional", "default").index(read.requirement), not read.is_strict, read.file, read.line


def _read_at_base(context: RuleContext, files: Sequence[ChangedFile], names: set[str]) -> dict[str, Read]:
    """Name → the strictest read of it anywhere at base."""
    paths = {f.base_path for f in files if f.base_path}
    for places in context.base.search(names).values():
        paths |= {p.file for p in places if is_production_code(p.file)}
    found: dict[str, Read] = {}
    for read in sorted(reads_of(context.base, paths), key=_strictness):
        if read.name in names:
            found.setdefault(read.name, read)
    return found
