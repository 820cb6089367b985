"""How many connections one process opens at its start and keeps, however little it has to do."""

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_production_code, is_test_path
from heuristics.code.word_sets import words
from heuristics.rule import RuleContext

_WORDS = words(
    "MinConns pool_min_conns minimumIdle setMinimumIdle minimum-idle minimum_idle minimum Minimum MinPoolSize min_connections min_size"
)
_FLOOR = pattern(
    r"(?:\bMinConns\s*[:=]\s*|\bpool_min_conns=|\b(?:minimumIdle|minimum-idle|minimum_idle)[\"']?\s*[:=]\s*|\bsetMinimumIdle\(|\bMin(?:imum )?\s?Pool\s?Size\s*=\s*"
    r"|\bmin_connections\(|\b(?:create_pool|ConnectionPool|AsyncConnectionPool)\(.*\bmin_size\s*=\s*)(\d{1,4})\b"
)
_SETTINGS = (".yaml", ".yml", ".properties", ".env", ".toml", ".json")


class Floor(Record):
    """Connections that a process keeps open for certain, and the line that says so."""

    value: int
    place: Place


def pool_floor(context: RuleContext) -> Floor | None:
    """The only minimum of a pool that head writes as a number; None when there are several, which may be of several programs."""
    places = {(p.file, p.line): p for listed in context.head.search(_WORDS).values() for p in listed}
    found: list[Floor] = []
    for place in places.values():
        if is_test_path(place.file) or not (is_production_code(place.file) or place.file.endswith(_SETTINGS)):
            continue
        line = (context.head.text(place.file) or "").split("\n")[place.line - 1][:400]
        kept = _FLOOR.search(line)
        if kept is not None and not line.lstrip().startswith(("#", "//", "*", "--")):
            found.append(Floor(int(kept[1]), place))
    return found[0] if len(found) == 1 and found[0].value > 0 else None
