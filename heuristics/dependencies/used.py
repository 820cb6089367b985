"""Code at head that uses what a new version took away, and proof that it copes or uses none of it."""

import re
from collections.abc import Iterable
from functools import lru_cache

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_generated_path, is_migration_path, is_production_code, language_of
from heuristics.code.word_sets import words
from heuristics.dependencies import breaks_node, breaks_others, breaks_python
from heuristics.dependencies.breaks import Break
from heuristics.dependencies.bumps import Bump, bumps, pins_at_head
from heuristics.dependencies.pins import pins_in
from heuristics.rule import RuleContext

_LANGUAGES = {
    "python": words("python"),
    "node": words("javascript typescript tsx"),
    "ruby": words("ruby"),
    "java": words("java kotlin scala dockerfile yaml bash env properties procfile"),
    "php": words("php"),
}
_LINE_LIMIT = 400


class Use(Record):
    """One line that uses a removed API."""

    place: Place
    what: Break


class Settled(Record):
    """A raised version with known removals: what uses them, what copes with one, and where the library is used at all."""

    bump: Bump
    uses: tuple[Use, ...]
    copes: tuple[Use, ...]
    """Lines that show how the code copes: a connect, a package that provides the module."""
    rows: tuple[Break, ...]
    anchor: Place | None
    """A line that uses the library or is run by the runtime, and that is fine."""


def settled(context: RuleContext) -> tuple[Settled, ...]:
    """Every raised version that is known to take something away."""
    found: list[Settled] = []
    for bump in bumps(context):
        rows = tuple(r for r in _rows(bump.ecosystem) if r.package == bump.name and bump.passes(r.since))
        rows = tuple(r for r in rows if not r.only_functions or bump.declared is not None)
        if rows and bump.is_raised:
            found.append(_settle(context, bump, rows))
    return tuple(found)


@lru_cache(maxsize=8)
def _rows(ecosystem: str) -> tuple[Break, ...]:
    every = (*breaks_python.BREAKS, *breaks_node.BREAKS, *breaks_others.BREAKS)
    return tuple(row for row in every if row.ecosystem == ecosystem)


def _settle(context: RuleContext, bump: Bump, rows: tuple[Break, ...]) -> Settled:
    asked = {word for row in rows for word in row.words}
    places = context.head.search(asked)
    libraries = pins_at_head(context, bump.ecosystem)
    uses: list[Use] = []
    copes: list[Use] = []
    for row in rows:
        if row.until_runtime and _runtime_is_at_least(context, row):
            continue
        if row.package == "python" and row.pattern.startswith(r"^\s*(?:import") and _is_own_module(context, row.words[0]):
            continue
        pattern, needs = re.compile(row.pattern), re.compile(row.needs) if row.needs else None
        for place in _in_order(p for word in row.words for p in places.get(word, ())):
            if not _is_code_of(place.file, bump.ecosystem) or len(uses) > 40:
                continue
            text = (context.head.text(place.file) or "")[:400_000]
            line = _line(text, place.line)
            if not pattern.search(line) or _is_comment(line) or (needs is not None and not needs.search(text)):
                continue
            use = Use(place, row)
            answer = _copes(context, use, text, libraries)
            if answer is not None:
                copes.append(Use(answer, row))
            else:
                uses.append(use)
    return Settled(bump, tuple(_distinct(uses)), tuple(copes), rows, _anchor(context, bump))


def _in_order(places: Iterable[Place]) -> list[Place]:
    found = {(place.file, place.line): place for place in places}
    return [found[key] for key in sorted(found)]


def _distinct(uses: list[Use]) -> list[Use]:
    found = {(use.place.file, use.place.line): use for use in reversed(uses)}
    return [use for use in uses if found[use.place.file, use.place.line] is use]


def _copes(context: RuleContext, use: Use, text: str, libraries: frozenset[str]) -> Place | None:
    """The line that shows that this use is harmless."""
    row, place = use.what, use.place
    if row.provided_by and (libraries & set(row.provided_by) or _is_locked(context, row)):
        return place
    if _is_tried(text, place.line):
        return place
    if row.unless:
        found = re.search(row.unless, text)
        if found:
            return Place(file=place.file, line=text.count("\n", 0, found.start()) + 1, side="head")
        return _coping_importer(context, row, place)
    return None


def _is_own_module(context: RuleContext, name: str) -> bool:
    """Whether the repository has a module of that name itself."""
    return any(
        path.endswith((f"/{name}.py", f"/{name}/__init__.py")) or path in (f"{name}.py", f"{name}/__init__.py")
        for path in context.head.paths()
    )


def _is_locked(context: RuleContext, row: Break) -> bool:
    """Whether a library that another one brings along provides it."""
    if row.ecosystem != "ruby":
        return False
    locks = [context.head.text(path) or "" for path in context.head.paths() if path.endswith("Gemfile.lock")]
    return any(re.search(rf"(?m)^ +{re.escape(name)} \(", text) for text in locks for name in row.provided_by)


def _coping_importer(context: RuleContext, row: Break, place: Place) -> Place | None:
    """A file that uses this one and does what copes with it (`require("./client").connect()`)."""
    stem = re.sub(r"/index$", "", place.file.rpartition(".")[0]).rpartition("/")[2]
    for file in sorted({p.file for p in context.head.search({stem}).get(stem, ())})[:60]:
        if file == place.file or not _is_code_of(file, row.ecosystem):
            continue
        text = (context.head.text(file) or "")[:400_000]
        found = re.search(row.unless, text)
        if found and re.search(rf"[\"'][./\w@-]*{re.escape(stem)}(?:\.\w+)?[\"']", text):
            return Place(file=file, line=text.count("\n", 0, found.start()) + 1, side="head")
    return None


_TRY = pattern(r"^\s*(?:try\s*:|try\s*\{|begin\b)")
_EXCEPT = pattern(r"\b(?:ImportError|ModuleNotFoundError|except\s*:|except\s+Exception|catch|rescue\s+LoadError)")


def _is_tried(text: str, line: int) -> bool:
    """Whether an import stands in a `try` whose failure is taken care of, or in its handler, or behind a look at the version."""
    lines = text.split("\n")
    indent = _indent(lines[line - 1])
    for above in range(line - 2, max(-1, line - 12), -1):
        written = lines[above]
        if not written.strip() or _indent(written) >= indent:
            continue
        if re.search(r"sys\.version_info|RUBY_VERSION|process\.version", written) or _EXCEPT.search(written):
            return True
        if _TRY.match(written):
            return any(_EXCEPT.search(below) for below in lines[line : line + 8])
        indent = _indent(written)
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _anchor(context: RuleContext, bump: Bump) -> Place | None:
    """Where head uses the library; of a runtime, an import of its code."""
    if not bump.is_runtime:
        module = re.split(r"[/]", bump.name)[-1]
        for word in (bump.name, module, module.replace("-", "_"), module.removeprefix("py")):
            for place in context.head.search({word}).get(word, ()):
                if _is_code_of(place.file, bump.ecosystem):
                    return place
        return None
    word = {"python": "import", "node": "require", "ruby": "require", "java": "import", "php": "function"}[bump.ecosystem]
    options = [word, *(["import"] if word == "require" else [])]
    found = context.head.search(options)
    return next((p for w in options for p in found.get(w, ()) if _is_code_of(p.file, bump.ecosystem)), None)


@lru_cache(maxsize=20_000)
def _is_code_of(path: str, ecosystem: str) -> bool:
    language = language_of(path)
    return (
        language in _LANGUAGES[ecosystem]
        and is_production_code(path)
        and not is_generated_path(path)
        and not (is_migration_path(path) and ecosystem != "java")
        and not re.search(r"(^|/)(scripts?|tools|bin/dev|setup\.py$|noxfile\.py$|tasks\.py$)", path)
    )


def _line(text: str, line: int) -> str:
    lines = text.split("\n")
    return lines[line - 1][:_LINE_LIMIT] if line <= len(lines) else ""


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "//", "*", "/*", "--"))


def _runtime_is_at_least(context: RuleContext, row: Break) -> bool:
    """Whether an image or version file of head says that the runtime is new enough for it to work again."""
    for path in context.head.paths():
        if re.search(r"(^|/)(Dockerfile|\.nvmrc|\.node-version|package\.json)$", path):
            for pin in pins_in(path, context.head.text(path) or ""):
                if pin.name == row.ecosystem and (*pin.version, 99)[:2] >= row.until_runtime:
                    return True
    return False
