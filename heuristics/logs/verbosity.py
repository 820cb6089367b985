"""Log levels that a change makes more talkative, and log lines with whole bodies that it adds."""

import re
from typing import Literal

from gonogo.change import Hunk
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place
from heuristics.code import added_calls, is_ci_path, is_docs_path, is_migration_path, is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.code.word_sets import words
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere, names_other_stage

_RANKS = {
    "all": 0, "trace": 0, "silly": 0, "finest": 0, "trc": 0, "debug": 1, "dbg": 1, "verbose": 1, "fine": 1, "finer": 1, "debug5": 0, "debug1": 1, "diagnostic": 0, "detailed": 1,
    "http": 2, "info": 3, "information": 3, "notice": 3, "normal": 3, "config": 3, "log": 3, "warn": 4, "warning": 4, "minimal": 4, "error": 5, "err": 5, "severe": 5,
    "fatal": 6, "critical": 6, "crit": 6, "emerg": 6, "off": 7, "none": 7, "silent": 7, "quiet": 7, "ddl": 4, "mod": 3,
}  # fmt: skip
_LEVEL = pattern(r"(?i)(?<![\w$-])(?:level)?(" + "|".join(sorted(_RANKS, key=len, reverse=True)) + r")(?:level)?(?![\w-])")
_ABOUT_LOGS = pattern(
    r"(?i)log(?:ging|ger|s)?[\w.\-]*[\"'\])]*\s*(?:[:=,(]|\s)|\blevel\b|set_?level|rust_log|log_?level|verbosity|\blog_statement\b|error_log|@log|slog|logrus|zap\."
)
_SWITCH = pattern(
    r"(?i)\b(?:show[_-]?sql|format_sql|echo|db_echo|sql_echo|log_?(?:queries|sql|bodies|requests|statements)|debug_?log\w*|verbose_?log\w*)[\"'\])]*\s*[:=]\s*[\"']?(?P<state>true|false|on|off)(?!\w)"
)
_NUMERIC = pattern(r"(?i)\blog_min_duration_statement\b[^\d\-]{0,20}(-?\d{1,9})")


class Louder(Record):
    """One line. `variable` is the environment variable whose default or value it is, where the line names one."""

    place: Place
    base_line: int | None
    old: str
    new: str
    what: Literal["level", "body"]
    variable: str = ""
    is_default: bool = False
    """It only counts where the environment doesn't say otherwise."""
    is_statement_log: bool = False
    """The log of a database server."""
    declared: Declared | None = None
    function: str = ""
    logger: str = ""
    """The one logger whose level it is: a package, a module or a class; empty for all of them."""


def louder(context: RuleContext) -> tuple[Louder, ...]:
    """Every such line of production code, configuration and manifests."""
    found: list[Louder] = []
    for file in context.changes.files:
        path = file.head_path
        if file.is_binary or not path or not file.hunks or len(path) > 500:
            continue
        if (
            not is_production_code(path)
            or is_docs_path(path)
            or is_ci_path(path)
            or is_elsewhere(path)
            or is_migration_path(path)
        ):
            continue
        for hunk in file.hunks:
            found += _levels(context, path, hunk)
        if file.base_path and language_of(path) in CODE_LANGUAGES:
            found += _bodies(context, path, context.base.text(file.base_path) or "")
    return tuple(found)


def _levels(context: RuleContext, path: str, hunk: Hunk) -> list[Louder]:
    """Pairs of lines that differ in nothing but a level."""
    found: list[Louder] = []
    removed = [(hunk.base_start + i, text[:1000]) for i, text in enumerate(hunk.removed[:400])]
    for i, text in enumerate(hunk.added[:400]):
        written, number = text[:1000], hunk.head_start + i
        above = keys_above(context.head.text(path) or "", number) if path.lower().endswith(_NESTED) else ()
        named = _name_beside(context, path, number, written)
        is_about = (
            _ABOUT_LOGS.search(written) or _SWITCH.search(written) or _ABOUT_LOGS.search(named) or _holds_levels(above, written)
        )
        if not is_about or _is_comment(written) or _is_log_call(written):
            continue
        if not removed and (new := _set_anew(context, path, number, f"{named} {written}")) is not None:
            found.append(new)
        for base_line, before in removed:
            pair = _raised(before, written)
            if pair is None:
                continue
            declared = _declared_at(context, path, number)
            if declared is not None and (names_other_stage(declared.environment) or names_other_stage(declared.file)):
                break
            variable, is_default = _variable(f"{written} {named}", language_of(path) in CODE_LANGUAGES)
            about_database = "log_statement" in written or "log_min_duration" in written
            found.append(
                Louder(
                    Place(file=path, line=number, side="head"),
                    base_line,
                    *pair,
                    "level",
                    variable,
                    is_default,
                    about_database,
                    declared,
                    logger=logger_of(written, above),
                )
            )
            break
    return found


_NESTED = (".yml", ".yaml", ".json", ".json5", ".jsonc", ".tpl", ".j2")
_KEY = pattern(r"^(\s*)(?:-\s+)?[\"']?([\w.$*/-]+)[\"']?\s*:")


def keys_above(text: str, line: int) -> tuple[str, ...]:
    """The keys that a line of YAML or of indented JSON stands under, the nearest first."""
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return ()
    indent, found = len(lines[line - 1]) - len(lines[line - 1].lstrip()), list[str]()
    for written in reversed(lines[max(0, line - 400) : line - 1]):
        key = _KEY.match(written[:300])
        if key is not None and len(key[1]) < indent and not written.lstrip().startswith("#"):
            indent = len(key[1])
            found.append(key[2])
    return tuple(found)


_LEVEL_HOLDERS = pattern(r"(?i)(?:.*[._-])?(?:log_?levels?|loggers?|logging|log|logs|serilog|minimumlevel|override)(?:[._-].*)?")


def _holds_levels(above: tuple[str, ...], written: str) -> bool:
    """Whether the value is a level because of what it stands under: `logging.level.<logger>`, `Logging:LogLevel:<logger>`."""
    value = written.partition(":")[2].strip().strip("\"',").lower()
    return value in _RANKS and any(_LEVEL_HOLDERS.fullmatch(key) for key in above[:3])


_NAMED_LOGGER = pattern(
    r"""(?i)logging\.level\.(?P<spring>[\w.$]+)\s*=|<(?:async)?logger\b[^>]*\bname\s*=\s*["'](?P<xml>[\w.$]+)|get_?logger\(\s*["'](?P<code>[\w.]+)["']\s*\)\.set_?level|["'](?P<dict>[\w.]+)["']\s*:\s*\{[^}]*["']level["']"""
)
_ROOTS = words("root default level loglevel logging log logger loggers rootlogger minimumlevel environment data env value values")


def logger_of(written: str, above: tuple[str, ...]) -> str:
    """The logger that a level belongs to; empty when it is the level of the whole program."""
    found = _NAMED_LOGGER.search(written)
    key = _KEY.match(written)
    name = next((g for g in found.groups() if g), "") if found is not None else ""
    if not name and key is not None and any(_LEVEL_HOLDERS.fullmatch(k) for k in above[:3]):
        name = key[2] if key[2].lower() != "level" else above[0]
    return "" if name.lower() in _ROOTS or _LEVEL_HOLDERS.fullmatch(name) else name


def is_logger_of(logger: str, path: str) -> bool:
    """Whether the code of a file logs with this logger or one below it."""
    folder = logger.replace("::", "/").replace(".", "/").strip("/").lower()
    bare = re.sub(r"\.\w+$", "", path).lower()
    return f"/{bare}/".find(f"/{folder}/") >= 0 or f"/{bare.replace('_', '-')}/".find(f"/{folder.replace('_', '-')}/") >= 0


def _raised(before: str, after: str) -> tuple[str, str] | None:
    """Old and new level when the lines are alike but for a level that lets more through."""
    durations = _NUMERIC.search(before), _NUMERIC.search(after)
    if durations[0] and durations[1]:
        old, new = int(durations[0][1]), int(durations[1][1])
        return (str(old), str(new)) if new == 0 and old != 0 else None
    states = _SWITCH.search(before), _SWITCH.search(after)
    if states[0] is not None and states[1] is not None and _SWITCH.sub("∎", before).split() == _SWITCH.sub("∎", after).split():
        is_on = [state["state"].lower() in ("true", "on") for state in states if state is not None]
        return ("off", "on") if is_on == [False, True] else None
    olds, news = [m[1] for m in _LEVEL.finditer(before)], [m[1] for m in _LEVEL.finditer(after)]
    if len(olds) != len(news) or _LEVEL.sub("∎", before).split() != _LEVEL.sub("∎", after).split():
        return None
    for old, new in zip(olds, news, strict=True):
        low, high = _RANKS[new.lower()], _RANKS[old.lower()]
        if low < high and (low <= 1 or high - low >= 2 or "log_statement" in after):
            return old, new
    return None


def _name_beside(context: RuleContext, path: str, number: int, written: str) -> str:
    """`name: LOG_LEVEL` above or below a line that only says `value: debug`."""
    if not re.match(r"\s*-?\s*[\"']?value[\"']?\s*[:=]", written, re.IGNORECASE):
        return ""
    lines = (context.head.text(path) or "").split("\n")
    near = [lines[n][:300] for n in (number - 2, number) if 0 <= n < len(lines)]
    return next((t.strip() for t in near if re.match(r"\s*-?\s*[\"']?name[\"']?\s*[:=]", t, re.IGNORECASE)), "")


_NEW_NAME = pattern(r"\b(LOG_?LEVEL|\w+_LOG_?LEVEL|RUST_LOG|LOGGING_LEVEL_\w+|LOG_VERBOSITY)\b")


def _set_anew(context: RuleContext, path: str, number: int, written: str) -> Louder | None:
    """A variable of the environment that a manifest of before did not set, with a detailed level."""
    name, level = _NEW_NAME.search(written), [m[1] for m in _LEVEL.finditer(written)]
    file = context.changes.file(path)
    base = context.base.text(file.base_path) if file is not None and file.base_path else None
    if name is None or not level or _RANKS[level[-1].lower()] > 1 or base is None or language_of(path) in CODE_LANGUAGES:
        return None
    declared = _declared_at(context, path, number)
    if declared is not None and (names_other_stage(declared.environment) or names_other_stage(declared.file)):
        return None
    if re.search(rf"\b{name[1]}\b", base):
        return None
    old = "info"
    for place in context.head.search({name[1]}).get(name[1], ()):
        if language_of(place.file) in CODE_LANGUAGES and is_production_code(place.file):
            lines = (context.head.text(place.file) or "").split("\n")
            known = (
                [m[1] for m in _LEVEL.finditer(lines[place.line - 1][:500].replace(name[1], ""))]
                if place.line <= len(lines)
                else []
            )
            old = known[-1] if known and known[-1].lower() != "log" else old
    if _RANKS[level[-1].lower()] >= _RANKS[old.lower()]:
        return None
    return Louder(Place(file=path, line=number, side="head"), None, old, level[-1], "level", name[1], declared=declared)


def _variable(line: str, is_code: bool) -> tuple[str, bool]:
    found = re.search(r"\b([A-Z][A-Z0-9_]*(?:LOG|LEVEL|VERBOSITY|DEBUG)[A-Z0-9_]*)\b", line)
    name = found[1] if found else ""
    is_read = is_code or re.search(r"\$\{?\w+:-?", line) is not None
    return name, bool(name) and is_read


def _declared_at(context: RuleContext, path: str, line: int) -> Declared | None:
    side = context.declared.get("head")
    inside = [d for d in side.resources if d.file == path and d.line <= line <= d.end_line] if side is not None else []
    return min(inside, key=lambda d: d.end_line - d.line, default=None)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "//", "*", "/*", "--", ";"))


_LOG_CALL = pattern(
    r"(?i)(?:^|[\s.({=>])(?:console|_?log(?:ger|ging)?|slog|zap|logrus|Rails\.logger|Log|LOG|sugar|log\w*)\.(\w+)\("
)


def _is_log_call(line: str) -> bool:
    found = _LOG_CALL.search(line)
    return found is not None and "level" not in found[1].lower() and found[1].lower() in _RANKS


_LOGGERS = pattern(
    r"(?i)(?:^|[.:>])(?:console|_?logg?(?:er|ing)?|log|slog|zap|logrus|sugar|tracing|rails\.logger)(?:\(\))?(?:\.|::)(info|log|infof|infow|notice|print|printf|println)$|^(?:print|println!?|puts|fmt\.Print\w*|System\.out\.println|dd|var_dump|print_r)$"
)
_WHOLE = words(
    "body payload request req event response message rawbody raw_body requestbody request_body headers params input document data html json blob"
)


def _bodies(context: RuleContext, path: str, base: str) -> list[Louder]:
    """Added log calls at a level that is written, with a whole request, body or message among what they print."""
    found: list[Louder] = []
    head = context.head.text(path) or ""
    lines = head.split("\n")
    for call in added_calls(path, base, head):
        if not _LOGGERS.search(call.callee) or (not call.function and call.line > len(lines)):
            continue
        written = lines[call.line - 1][:1000] if call.line <= len(lines) else ""
        if prints_whole(written, call.callee.rpartition(".")[2]):
            place = Place(file=path, line=call.line, side="head")
            found.append(Louder(place, None, "", written.strip(), "body", function=call.function))
    return found


def prints_whole(line: str, call: str) -> bool:
    """Whether a whole body, request, event or message is among what a log call prints."""
    bare = re.sub(r"\"[^\"{]*\"|'[^'{]*'", "", line.partition(call + "(")[2])
    bare = re.sub(r"(?i)\b(?:e|ex|err|error|exc|exception|cause|reason)\.(?:message|data|params|input)\b", "", bare)
    named = re.search(r"(?<!\w)(?:JSON\.stringify|json\.dumps|to_json|repr|Marshal)\(?\s*(\w+)?", bare)
    names = {w.lower() for w in re.findall(r"(?:^|[.\s({,$:])([A-Za-z_]+)(?:\)|\s*[,})\]]|$)", bare)}
    return bool((names | ({(named[1] or "").lower()} if named else set[str]())) & _WHOLE)


def is_let_through(line: str, level: str) -> bool:
    """Whether a log call at a detailed level is written once the level is this one."""
    rank = _RANKS.get(level.lower(), 1)
    return rank <= (0 if _FINEST.search(line) else 1)


_FINEST = pattern(r"(?i)[.:>_](?:log)?(?:trace|silly|finest)\w*(?:\(|!|\s*\{|\s+[\"'])|\btrace!")
_DETAILED = (
    "debug", "trace", "Debug", "Debugf", "Debugw", "Debugln", "DebugContext", "Trace", "Tracef", "LogDebug", "LogTrace", "verbose", "silly", "fine", "finer", "finest", "logDebug",
)  # fmt: skip


def detailed_lines(context: RuleContext) -> tuple[tuple[Place, bool], ...]:
    """Log calls at debug level or below in production code at head, each with whether it prints a whole body."""
    found: list[tuple[Place, bool]] = []
    for word, places in context.head.search(_DETAILED).items():
        written_so = re.compile(rf"[.:>]{word}(?:\(|\s*\{{|\s+[\"'])|(?<![\w.]){word}!\(")
        for place in places[:400]:
            if language_of(place.file) not in CODE_LANGUAGES or not is_production_code(place.file):
                continue
            lines = (context.head.text(place.file) or "").split("\n")
            written = lines[place.line - 1][:1000] if place.line <= len(lines) else ""
            if written_so.search(written) and not _is_comment(written):
                found.append((place, prints_whole(written, word)))
    return tuple(dict.fromkeys(found))
