"""Which environment variables, secrets and bindings code reads, and what happens without them."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.code.guards import Requirement
from heuristics.code.own_readers import OwnReader, own_readers, reads_by, reads_in_loops
from heuristics.code.paths import CODE_LANGUAGES, is_docs_path, is_example_path, is_generated_path, is_test_path, language_of
from heuristics.code.reads_config import reads_of_configuration
from heuristics.code.reads_found import Found, Kind, Phase
from heuristics.code.reads_go import reads_go
from heuristics.code.reads_jvm import reads_jvm
from heuristics.code.reads_others import reads_bash, reads_csharp, reads_elixir, reads_php, reads_ruby, reads_rust
from heuristics.code.reads_prefilter import may_read
from heuristics.code.reads_python import reads_python
from heuristics.code.reads_script import reads_script
from heuristics.code.syntax import parse
from heuristics.code.word_sets import words


class Read(Record):
    """One read. `aliases` are other spellings that also create it (`pay.key` is `PAY_KEY` in the environment).

    `required`: absence fails, or the empty value is used without a guard. `is_strict`: absence fails right at the
    read, or the code tests for it and fails. `problem` says why the read can't work whatever production holds.
    """

    kind: Kind
    name: str
    requirement: Requirement
    default: str | None
    phase: Phase
    file: str
    line: int
    code: str
    is_test: bool = False
    is_strict: bool = False
    aliases: tuple[str, ...] = ()
    problem: str = ""
    fails_on_empty: bool = False
    """A variable that is set to an empty text does not parse: the default is not used and the start fails."""
    is_ambient: bool = False
    """The platform itself sets it (HOME, AWS_REGION, PORT ...)."""


def reads_in(path: str, text: str, own: Collection[OwnReader] = ()) -> tuple[Read, ...]:
    """Every read of one file, in the order of the text; a name that is read twice the same way on a line once.

    `own` are readers that other files of the repository define; those of the file itself are found here.
    """
    language = language_of(path, text.split("\n", 1)[0]) or ""
    if not own and not may_read(path, language, text):
        return ()
    found = [*_found(path, text, language), *_by_own_readers(path, text, language, own)]
    lines = text.split("\n")
    reads = [_read(path, lines, item) for item in _without_echoes(found)]
    return tuple(sorted(dict.fromkeys(_agreed(reads)), key=lambda r: (r.line, r.name)))


def reads_of(tree: SourceTree, paths: Collection[str] | None = None) -> tuple[Read, ...]:
    """Every read of production code in a tree, or in some of its paths; tests, examples and docs read nothing."""
    found: list[Read] = []
    for path in sorted(paths) if paths is not None else tree.paths():
        if language_of(path) not in _READABLE and "." in path.rsplit("/", 1)[-1]:
            continue
        if is_test_path(path) or is_example_path(path) or is_docs_path(path) or is_generated_path(path):
            continue
        text = tree.text(path)
        if text:
            found += reads_in(path, text, _readers_elsewhere(tree, path, text) if paths is not None else ())
    return tuple(found)


_READABLE = words(
    "python typescript tsx javascript go java kotlin ruby php rust csharp elixir bash yaml properties conf html dockerfile"
)
_BUILD_FILE = pattern(
    r"(^|/)((next|vite|webpack|rollup|nuxt|svelte|astro|vue|babel|metro|craco|tailwind|postcss)\.config\.[\w.]+|setup\.py|build\.rs|build\.gradle(\.kts)?|gulpfile\.\w+)$"
)
_AMBIENT = pattern(
    r"HOME|PATH|USER|USERNAME|PWD|SHELL|TZ|LANG|LC_\w+|TERM|TMPDIR|TEMP|TMP|HOSTNAME|HOST|PORT|CI|NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|MIX_ENV|ENV|ENVIRONMENT"
    r"|PYTHON\w+|GO\w{2,}|JAVA_HOME|NEXT_RUNTIME|NEXT_PHASE|npm_\w+|INIT_CWD|NO_COLOR|FORCE_COLOR|DEBUG|EDITOR"
    r"|AWS_(REGION|DEFAULT_REGION|EXECUTION_ENV|LAMBDA_\w+|SESSION_TOKEN|ACCESS_KEY_ID|SECRET_ACCESS_KEY|CONTAINER_\w+|ACCOUNT_ID)|LAMBDA_TASK_ROOT|_HANDLER|_X_AMZN_TRACE_ID|ECS_\w+"
    r"|KUBERNETES_\w+|POD_NAME|POD_NAMESPACE|POD_IP|K_SERVICE|K_REVISION|FUNCTION_\w+|GAE_\w+|DYNO|HEROKU_\w+|VERCEL\w*|NETLIFY|RENDER\w*|FLY_\w+|RAILWAY_\w+|CF_PAGES\w*"
    r"|GITHUB_\w+|RUNNER_\w+|CI_\w+|WEBSITE_\w+|DOTNET_\w+|ASPNETCORE_\w+|RUST_(LOG|BACKTRACE)|OTEL_\w+"
)


def is_ambient(name: str) -> bool:
    """Whether platforms set this name themselves."""
    return _AMBIENT.fullmatch(name) is not None


_Reader = Callable[..., Iterator[Found]]
_READERS: dict[str, _Reader] = {
    "python": reads_python,
    "go": reads_go,
    "java": reads_jvm,
    "kotlin": reads_jvm,
    "ruby": reads_ruby,
    "php": reads_php,
    "rust": reads_rust,
    "csharp": reads_csharp,
    "bash": reads_bash,
}


def _found(path: str, text: str, language: str) -> Iterator[Found]:
    if language in ("yaml", "properties", "conf"):
        yield from reads_of_configuration(path, text, language)
        return
    root = parse(text, language)
    if root is None:
        return
    if language in ("typescript", "tsx", "javascript"):
        yield from reads_script(root, language)
    elif language == "elixir":
        yield from reads_elixir(root, path)
    elif language in _READERS:
        yield from _READERS[language](root)


def _by_own_readers(path: str, text: str, language: str, own: Collection[OwnReader]) -> Iterator[Found]:
    root = parse(text, language) if language in CODE_LANGUAGES else None
    if root is None:
        return

    def reading(changed: str) -> Iterator[Found]:
        return _found(path, changed, language)

    yield from reads_by(root, (*own, *own_readers(root, reading)))
    yield from reads_in_loops(root, reading)


_CALLED = pattern(r"""(?<![\w$])(\w{2,40})[!?]?(?:<[\w<>]+>)?\(\s*["'][A-Z][A-Z0-9]*_[A-Z0-9_]+["']""")
_DEFINED = pattern(r"(?<!\w)(func|function|def|defp|fn|fun|const|let|var|static|public|private|internal|export|sub)(?!\w)")
_CALLED_LIMIT = 6


def _readers_elsewhere(tree: SourceTree, path: str, text: str) -> tuple[OwnReader, ...]:
    """Readers that other files of the same language define under a name that this file calls with a literal."""
    called = list(dict.fromkeys(_CALLED.findall(text)))[:_CALLED_LIMIT]
    language = language_of(path)
    if not called or language not in CODE_LANGUAGES:
        return ()
    files: dict[str, set[str]] = {}
    for word, places in tree.search(called).items():
        for place in places:
            other = tree.text(place.file) if place.file != path and _same_family(language, language_of(place.file)) else None
            lines = other.split("\n") if other else []
            line = lines[place.line - 1][:400] if place.line <= len(lines) else ""
            if re.search(rf"(?<!\w){word}[!?]?\s*[(=:<]", line) and _DEFINED.search(line) and not is_test_path(place.file):
                files.setdefault(place.file, set()).add(word)
    found: list[OwnReader] = []
    for file, wanted in sorted(files.items())[:_CALLED_LIMIT]:
        source = tree.text(file) or ""
        kind = language_of(file) or ""
        root = parse(source, kind) if may_read(file, kind, source) else None
        if root is not None:
            made = own_readers(root, lambda changed, file=file, kind=kind: _found(file, changed, kind))
            found += [reader for reader in made if reader.name.rstrip("!?") in wanted]
    return tuple(found)


def _same_family(one: str | None, other: str | None) -> bool:
    families = (frozenset(("typescript", "tsx", "javascript")), frozenset(("java", "kotlin")))
    return one == other or any({one, other} <= family for family in families)


def _without_echoes(found: Iterable[Found]) -> Iterator[Found]:
    """A schema says more than the bare reads that feed it."""
    items = list(found)
    declared = {item.name for item in items if item.is_declared}
    return (item for item in items if item.is_declared or item.name not in declared or item.is_strict)


def _read(path: str, lines: list[str], item: Found) -> Read:
    line = item.node.line
    return Read(
        kind=item.kind,
        name=item.name,
        requirement=item.coping.requirement,
        default=item.coping.default,
        phase=item.phase or ("build" if _BUILD_FILE.search(path) else "run"),
        file=path,
        line=line,
        code=lines[line - 1].strip() if line <= len(lines) else "",
        is_test=is_test_path(path),
        is_strict=item.is_strict or item.coping.is_deliberate,
        aliases=item.aliases,
        problem=item.problem,
        fails_on_empty=item.fails_on_empty,
        is_ambient=is_ambient(item.name),
    )


def _agreed(reads: list[Read]) -> Iterator[Read]:
    """One file, one name: where one read tests for absence, its bare neighbours need it no more; where one fails, all do."""
    by_name: dict[tuple[str, str], list[Read]] = {}
    for read in reads:
        by_name.setdefault((read.kind, read.name), []).append(read)
    for read in reads:
        others = by_name[read.kind, read.name]
        copes = next((o for o in others if o.requirement != "required"), None)
        if read.requirement == "required" and not read.is_strict and copes is not None and not any(o.is_strict for o in others):
            yield replace(read, requirement=copes.requirement, default=copes.default)
        else:
            yield read
