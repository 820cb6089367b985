"""Keys of a shared cache that gain a part of each visitor, user or request: entries are shared no more."""

import re
from collections.abc import Iterator, Sequence

from gonogo.change import ChangedFile, Hunk
from gonogo.pattern import pattern
from gonogo.resource import Place
from heuristics.code.paths import is_production_code
from heuristics.code.word_sets import words
from heuristics.rule import RuleContext
from heuristics.runtime.cache_change import NOT_A_CACHE, CacheChange, Loss
from heuristics.runtime.personal import Part, part_of

_STORE = pattern(
    r"(?i)redis|memcache|\bcache|caffeine|\blru|nodecache|ttlcache|ehcache|hazelcast|dalli|ristretto|bigcache|proxy_cache|hash_data|varnish|IMemoryCache|IDistributedCache"
)
_CALL = pattern(
    r"(?i)\b\w*cache\w*(?:\.\w+|::\w+)?!?\s*[(\[]|\b(?:cached|memoi[sz]e|remember\w*|get_?or_?(?:set|load|add|create|compute)|getorset|wrap|unstable_cache|hash_data|fragment)\s*\("
    r"|\b(?:redis|rdb|mc|memcached?|store|client|kv)\w*\.(?:get|hget|mget|setex|set|fetch)\s*\(|@Cache(?:able|Put)\b|proxy_cache_key|fastcgi_cache_key|\bRails\.cache\b|<%\s*cache\b"
)
_KEY = pattern(
    r"(?i)(?<![\w.])(?:\w*_)?(?:cache_?)?key(?:_?\w{0,10})?\s*(?::\s*\w+\s*)?(?::=|=(?!=)|:)\s*|\b\w*key\w*\s*\([^)]*\)\s*[^;{]*=>|hash_data"
)
_FUNCTION = pattern(
    r"(?i)(?:def|function|func|fun|fn|const|let|String|string)\s+(?:\([^)]{0,80}\)\s*)?(?:self\.)?(?P<name>\w*key\w*|\w*cache_?name\w*)"
)
_NAME = pattern(r"(?:[@$#]{0,2})[A-Za-z_][\w$]*[?!]?(?:(?:\(\))?(?:\?\.|\.|::|->)[A-Za-z_]\w*|\[[\"']\w+[\"']\])*(?:\(\))?")
_TEXT = pattern(r"""(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote))[^\\\n]){0,300})(?P=quote)""")
_GAP = pattern(r"[#$]?\{(?P<inner>[^{}]{1,160})\}|\$(?P<bare>[a-z_]\w*)|#(?P<spring>[A-Za-z_]\w*(?:\.\w+)*)")
DECORATED = pattern(
    r"(?i)@(?:functools\.)?(?:lru_cache|alru_cache|cached|cache|memoize|cache\.memoize|cache_result|ttl_cache|cacheable)\b(?![^\n]*key)"
)
_SIGNATURE = pattern(r"\b(?:def|function|fun)\s+\w+\s*\((?P<parameters>[^)]{0,400})\)|^\s*(?:public|protected)\s[\w<>\[\], .?]+\s\w+\((?P<java>[^)]{0,400})\)")  # fmt: skip
_TARGET = pattern(r"^\s*(?:(?:const|let|var|val|final|String|string|auto)\s+)*[\w$@]+\s*(?::\s*\w+\s*)?(?::=|=(?![=>]))")
"""What the line sets."""
_PICKED = pattern(r"""\[["'](?P<key>[\w-]+)["']\]|\.(?:get|fetch|dig)\(["':]+(?P<taken>[\w-]+)["']?\)""")
_JOINED = pattern(r"(?<=\w)\$(?=[A-Za-z_])")
"""Variables of a proxy stand side by side: `$host$uri`."""
_NAMED_ARGUMENT = pattern(r"\s*=(?![=>])")
_WORDS = words(
    "return const let var await async function def new if else do end use fn f format join None null nil true false self this"
)
_LOOK_BACK = 8


def personal_keys(context: RuleContext) -> Iterator[CacheChange]:
    """One a file and key that gains such a part, and had none."""
    for file in context.changes.files:
        if file.head_path and file.base_path and file.hunks and (is_production_code(file.path) or _is_proxy(file.path)):
            yield from _in_file(context, file)


def _is_proxy(path: str) -> bool:
    return path.endswith((".conf", ".vcl", ".nginx")) or "nginx" in path.rpartition("/")[2]


def _in_file(context: RuleContext, file: ChangedFile) -> Iterator[CacheChange]:
    head, base = (
        (t.text(p or "") or "").split("\n") for t, p in ((context.head, file.head_path), (context.base, file.base_path))
    )
    for hunk in file.hunks:
        old = [t for at, t in enumerate(hunk.removed) if is_key_line(context, base, hunk.base_start + at)]
        for at, text in enumerate(hunk.added):
            line = hunk.head_start + at
            found = _gained(context, file, head, line, hunk, old) if text.strip() else None
            if found is None:
                continue
            part, before = found
            was = f"`{old[0].strip()[:80]}`" if old else "the key"
            yield CacheChange(
                Loss.PERSONAL,
                text.strip()[:60],
                Place(file=file.head_path or file.path, line=line),
                before,
                f"{was} gains `{part.text}`, which is another one for each {part.each.value}",
                is_http=False,
                is_certain=part.is_certain,
                each=part.each.value,
            )
            break


def _gained(
    context: RuleContext, file: ChangedFile, head: Sequence[str], line: int, hunk: Hunk, old: Sequence[str]
) -> tuple[Part, Place | None] | None:
    text = head[line - 1][:600] if line <= len(head) else ""
    is_list = not old and not is_key_line(context, head, line) and _is_inside_call(head, line, hunk)
    is_signature = not old and bool(parameters_of(text)) and any(DECORATED.search(t) for t in head[max(0, line - 4) : line - 1])
    if is_signature:
        was = next((t for t in hunk.removed if parameters_of(t)), None)
        if was is None:
            return None
        gone, names = set(parameters_of(was)), parameters_of(text)
    elif is_list or (old and is_key_line(context, head, line)):
        before = head[max(0, line - 7) : line - 1] if is_list else ()
        gone = {n for t in (*(old or hunk.removed), *before) for n in names_on(t)}
        names = names_on(text)
    else:
        return None
    if any(NOT_A_CACHE.search(t[:600]) for t in (old or [head[max(0, line - 2)]])) and not is_signature:
        return None
    path = file.head_path or file.path
    if any(part_of(context, path, line, n) is not None for n in gone):
        return None
    for name in names:
        if name not in gone and (part := part_of(context, path, line, name)) is not None:
            before = Place(file=file.base_path or path, line=hunk.base_start, side="base") if hunk.removed else None
            return part, before
    return None


def is_key_line(context: RuleContext, lines: Sequence[str], line: int) -> bool:
    """Whether a line makes or uses the key of a cache."""
    text = lines[line - 1][:600] if 0 < line <= len(lines) else ""
    if text.lstrip().startswith(("#", "//", "*", "import ", "from ", "<%#")) and "hash_data" not in text:
        return False
    if _CALL.search(text):
        return True
    if not _TEXT.search(text) and not re.search(r"(?i)join|format|sprintf|\[|\+", text):
        return False
    if _KEY.search(text):
        return _is_about_cache(context, lines, "")
    if re.search(r"\breturn\b|^\s*[\"'f`]|=>", text) or line >= 2:
        above = [m for t in lines[max(0, line - _LOOK_BACK) : line] if (m := _FUNCTION.search(t[:300])) is not None]
        return bool(above) and _is_about_cache(context, lines, above[-1]["name"])
    return False


def _is_about_cache(context: RuleContext, lines: Sequence[str], function: str) -> bool:
    """Whether the file keeps a cache, or one that calls the function does."""
    if any(_STORE.search(t[:300]) for t in lines[:2_000]):
        return True
    if not function:
        return False
    files = {p.file for places in context.head.search({function}).values() for p in places[:30] if is_production_code(p.file)}
    return any(_STORE.search((context.head.text(f) or "")[:100_000]) for f in files)


def _is_inside_call(head: Sequence[str], line: int, hunk: Hunk) -> bool:
    """Whether an added line is an item of a key that was a list of several lines before."""
    depth = 0
    for at in range(line - 1, max(0, line - 7), -1):
        text = head[at - 1][:600]
        depth += text.count("[") + text.count("(") - text.count("]") - text.count(")")
        if depth > 0 and (_CALL.search(text) or _KEY.search(text)):
            return not hunk.head_start <= at < hunk.head_start + hunk.head_count
    return False


def names_on(line: str) -> list[str]:
    """Names of values on a line, those in the gaps of a text included; not its words."""
    inner: list[str] = []

    def kept(text: re.Match[str]) -> str:
        inner.extend(next(g for g in m.groups() if g is not None) for m in _GAP.finditer(text["text"]))
        return " "

    rest = _TEXT.sub(kept, _PICKED.sub(_picked, _TARGET.sub(" ", _JOINED.sub(" $", line[:600]))))
    spread = [rest, *inner, *(m["spring"] for m in _GAP.finditer(rest) if m["spring"])]
    found = [
        m[0].removesuffix("()").lstrip("#")
        for part in spread
        for m in _NAME.finditer(part)
        if not _NAMED_ARGUMENT.match(part, m.end())
    ]
    return [name for name in found if name not in _WORDS]


def _picked(found: re.Match[str]) -> str:
    """`cookies["sid"]` and `cookies.get("sid")` as `cookies.sid`, `headers["x-request-id"]` as `headers.request_id`."""
    return "." + re.sub(r"(?i)^x-(?=\w)", "", found["key"] or found["taken"]).replace("-", "_")


def parameters_of(line: str) -> list[str]:
    """The parameters of a function that the line declares."""
    found = _SIGNATURE.search(line[:600])
    listed = (found["parameters"] or found["java"] or "") if found is not None else ""
    return [
        name
        for p in listed.split(",")
        if (name := re.sub(r"\W.*", "", p.strip().split(" ")[-1] if found and found["java"] else p.strip()))
    ]
