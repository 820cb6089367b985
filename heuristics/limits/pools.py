"""How many connections one instance may hold: the pool of a process × the processes of an instance, as head has them."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import ValueSite, is_ci_path, is_production_code, value_sites
from heuristics.code.word_sets import words as word_set
from heuristics.limits.changed import as_number, words_of
from heuristics.limits.concurrency import is_pool_name
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere, is_for_production


class Sized(Record):
    """A number and the lines that say it: where it is used and, when it comes from the environment, where that is set."""

    value: float
    places: tuple[Place, ...]
    variable: str = ""


class Shape(Record):
    """Connections of one instance. `processes` is None when nothing says how many there are: one, as a rule."""

    pool: Sized | None
    processes: Sized | None
    has_pooler: bool
    """Whether a pooler stands between the instances and the database, so that their connections do not add up there."""
    fills: bool = False
    """Whether the pool opens all of its connections when the process starts, as Hikari does unless it is told otherwise."""

    @property
    def each(self) -> float | None:
        """Connections that one instance may hold."""
        if self.pool is None:
            return None
        return self.pool.value * (self.processes.value if self.processes is not None else 1.0)

    @property
    def places(self) -> tuple[Place, ...]:
        """The lines that say so."""
        found = (*(self.pool.places if self.pool else ()), *(self.processes.places if self.processes else ()))
        return tuple(dict.fromkeys(found))


def pool_shape(context: RuleContext) -> Shape:
    """What the code and the configuration of head say; a size that differs between files is no size."""
    pool = _sole(list(_pools(context)))
    is_one_process = pool is not None and _ONE_PROCESS.search(pool.places[0].file) is not None
    processes = [] if is_one_process else list(_processes(context))
    each = _sole(processes)
    if pool is None and each is not None and (threads := _threads_without_pool(context)) is not None:
        pool = threads
    return Shape(pool, each, _has_pooler(context), fills=_fills(context, pool))


def _fills(context: RuleContext, pool: Sized | None) -> bool:
    text = (context.head.text(pool.places[0].file) or "") if pool is not None else ""
    return re.search(r"(?i)hikari", text) is not None and re.search(r"(?i)minimum-?_?idle", text) is None


_THREADS = pattern(r"gunicorn\b.{0,200}?--threads[\"',= ]{1,5}(\d{1,3})\b|(?m:^threads\s?=\s?(\d{1,3})\s{0,20}$)")


def _threads_without_pool(context: RuleContext) -> Sized | None:
    """One connection a child of PHP-FPM, one a thread of Django: neither pools unless it is told to."""
    for file in _files(context, ("max_children",)):
        for number, line in enumerate((context.head.text(file) or "").split("\n"), start=1):
            if "max_children" in line:
                return Sized(1.0, (Place(file=file, line=number),))
    for file in _files(context, ("DATABASES",)):
        text = context.head.text(file) or ""
        found = re.search(r"(?m)^DATABASES\s?=", text)
        if found is None or re.search(r"[\"']pool[\"']\s?:", text):
            continue
        threads = [
            (f, m)
            for f in _files(context, ("gunicorn", "threads"))
            if (m := _THREADS.search((context.head.text(f) or "")[:50_000])) is not None
        ]
        at = Place(file=file, line=text[: found.start()].count("\n") + 1)
        if not threads:
            return Sized(1.0, (at,))
        where, match = threads[0]
        return Sized(
            float(match[1] or match[2]),
            (at, Place(file=where, line=(context.head.text(where) or "")[: match.start()].count("\n") + 1)),
        )
    return None


_ONE_PROCESS = pattern(r"\.(java|kt|kts|scala|go|cs|rs|ex|exs|properties|conf)$|(^|/)(application|bootstrap)[\w-]*\.ya?ml$")
"""Files of platforms that work with threads inside one process."""


def _sole(found: list[Sized]) -> Sized | None:
    return found[0] if len({one.value for one in found}) == 1 else None


# -- pools ----------------------------------------------------------------------------------------

_POOL_WORDS = (
    "pool", "pool_size", "poolSize", "maximumPoolSize", "maximum-pool-size", "max-pool-size", "max_pool_size", "maxPoolSize", "setMaximumPoolSize", "max_size",
    "SetMaxOpenConns", "MaxConns", "MaxOpenConns", "max_connections", "maxConnections", "connection_limit", "connectionLimit", "max_overflow", "Pool", "POOL_SIZE",
    "DB_POOL", "DB_POOL_SIZE", "DATABASE_POOL", "DATABASE_POOL_SIZE", "SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "RAILS_MAX_THREADS", "hikari", "max",
)  # fmt: skip
_SECTIONS_LEFT_OUT = word_set("development test local staging ci sandbox cache redis queue cable")
_READS = pattern(
    r"(?:ENV\.fetch|ENV\[|getenv|environ(?:\.get)?|process\.env\.?|env\(|get_env|Getenv)\W{0,4}[\"']?([A-Z][A-Z0-9_]{2,60})"
)
_PLACEHOLDER = pattern(r"\$\{([A-Z][A-Z0-9_]{2,60})(?::-?(\d{1,6}))?\}")


def _pools(context: RuleContext) -> Iterator[Sized]:
    files = _files(context, _POOL_WORDS)
    for file in files:
        sites = value_sites(file, context.head.text(file) or "")
        overflow = next(
            (n for s in sites if words_of(s.name) == ("max", "overflow") and (n := as_number(s.value)) is not None), None
        )
        for site in sites:
            path = set(words_of(site.path))
            if path & _SECTIONS_LEFT_OUT or words_of(site.name) == ("max", "overflow"):
                continue
            name = site.name or ""
            if isinstance(site.value, str) and (asked := _IN_ADDRESS.search(site.value[:2_000])) is not None:
                yield Sized(float(asked[1]), (Place(file=file, line=site.line),))
                continue
            if not is_pool_name(name, site.path, site.call):
                continue
            found = _sized(context, file, site)
            if found is None or not 0 < found.value <= 2_000:
                continue
            more = 0.0
            if words_of(name) == ("pool", "size") and file.endswith(".py"):
                more = overflow if overflow is not None else 10.0 if "create_engine" in site.call else 0.0
            yield Sized(found.value + more, found.places, found.variable)
    for key, value, place in _environment(context):
        if is_pool_name(key, key, ""):
            yield Sized(value, (place,), key)


_IN_ADDRESS = pattern(
    r"(?i)(?:postgres(?:ql)?|mysql|mariadb|sqlserver|mongodb)(?:\+\w{1,20})?://\S{0,300}[?&](?:connection_limit|pool_size|max_pool_size|maxpoolsize|pool_max_conns)=(\d{1,4})"
)


def _sized(context: RuleContext, file: str, site: ValueSite) -> Sized | None:
    """The number of a site; where it is read from the environment, what production's manifests set, else the default in the text."""
    at = Place(file=file, line=site.line)
    line = (context.head.text(file) or "").split("\n")[site.line - 1][:1_000] if site.line else ""
    read = _READS.search(site.text) or _READS.search(line)
    placed = _PLACEHOLDER.search(site.text)
    variable = read[1] if read is not None else placed[1] if placed is not None else ""
    if variable:
        given = next(((value, place) for key, value, place in _environment(context) if key == variable), None)
        if given is not None:
            return Sized(given[0], (at, given[1]), variable)
        default = as_number(placed[2]) if placed is not None and placed[2] else as_number(site.value)
        return Sized(default, (at,), variable) if default is not None else None
    value = as_number(site.value)
    return Sized(value, (at,)) if value is not None else None


# -- processes ------------------------------------------------------------------------------------

_PROCESS_WORDS = (
    "WEB_CONCURRENCY", "UVICORN_WORKERS", "GUNICORN_WORKERS", "GUNICORN_CMD_ARGS", "WEB_WORKERS", "workers", "worker_processes", "gunicorn", "uvicorn", "max_children",
    "puma", "unicorn", "uwsgi", "processes",
)  # fmt: skip
_FLAGS = pattern(
    r"(?:gunicorn|uvicorn|hypercorn|granian|uwsgi|puma)\b.{0,200}?(?:--workers|-w|--processes)[\"',= ]{1,5}(\d{1,3})\b"
)
_PROCESS_FILES = pattern(r"(^|/)(puma|unicorn|gunicorn)[\w.-]*\.(rb|py)$|(^|/)(www|php-fpm|pool)[\w.-]*\.conf$|(^|/)uwsgi\.ini$")
_PROCESS_NAMES = pattern(r"(?i)web_concurrency|(uvicorn|gunicorn|web|puma|unicorn)_workers|fpm_max_children|pm_max_children")


def is_process_name(name: str, file: str = "") -> bool:
    """Whether a setting counts processes, each with a pool of its own, and not threads that share one."""
    if _PROCESS_NAMES.fullmatch(name.replace("-", "_")):
        return True
    parts = words_of(name)
    if parts in (("worker", "processes"), ("max", "children"), ("processes",)):
        return True
    return (
        parts == ("workers",)
        and re.search(r"(?i)gunicorn|uvicorn|puma|unicorn|Dockerfile|Procfile|\.sh$|compose", file) is not None
    )


def _processes(context: RuleContext) -> Iterator[Sized]:
    for key, value, place in _environment(context):
        if _PROCESS_NAMES.fullmatch(key):
            yield Sized(value, (place,), key)
            return
    for file in _files(context, _PROCESS_WORDS):
        text = context.head.text(file) or ""
        for site in value_sites(file, text) if _PROCESS_FILES.search(file) else ():
            value = _sized(context, file, site) if is_process_name(site.name, file) else None
            if value is not None and 0 < value.value <= 500:
                yield value
        for number, line in enumerate(text.split("\n")[:2_000], start=1):
            flag = _FLAGS.search(line[:1_000])
            if flag is not None:
                yield Sized(float(flag[1]), (Place(file=file, line=number),))


# -- where to look --------------------------------------------------------------------------------


def _files(context: RuleContext, words: tuple[str, ...]) -> list[str]:
    found: dict[str, None] = {}
    for places in context.head.search(words).values():
        for place in places:
            if is_production_code(place.file) and not is_ci_path(place.file) and not is_elsewhere(place.file):
                found[place.file] = None
    return sorted(found)[:60]


def _environment(context: RuleContext) -> Iterator[tuple[str, float, Place]]:
    """Variables with a number that production's manifests of head give, those of files named after production first."""
    sides = context.declared.get("head")
    declared = [d for d in (sides.resources if sides else ()) if is_for_production(context, d)]
    for one in sorted(declared, key=lambda d: not (d.environment or "").startswith(("prod", "live"))):
        for key, setting in one.settings.items():
            name = (
                key.rpartition("environment.")[2]
                if "environment." in key
                else key.removeprefix("data.")
                if key.startswith("data.")
                else ""
            )
            value = as_number(setting.value) if name else None
            if name and isinstance(setting.value, str) and (asked := _IN_ADDRESS.search(setting.value[:2_000])) is not None:
                yield "connection_limit", float(asked[1]), Place(file=setting.file or one.file, line=setting.line)
            if value is not None:
                yield name, value, Place(file=setting.file or one.file, line=setting.line)


def _has_pooler(context: RuleContext) -> bool:
    words = (
        "pgbouncer",
        "PgBouncer",
        "PGBOUNCER",
        "pgcat",
        "odyssey",
        "proxysql",
        "rds-proxy",
        "aws_db_proxy",
        "DatabaseProxy",
        "supavisor",
        "pooler",
        "pgpool",
    )
    return any(
        not place.file.endswith((".md", ".txt", ".rst")) for places in context.head.search(words).values() for place in places
    )
