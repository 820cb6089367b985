"""Cache reads in code: those that go, and those whose key changes."""

import re
from collections.abc import Iterator

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.resource import Place
from heuristics.code import ValueChange
from heuristics.code.paths import is_production_code
from heuristics.rule import RuleContext
from heuristics.runtime.cache_change import NOT_A_CACHE, CacheChange, Loss

_CALL = pattern(
    r"(?i)Rails\.cache\.(fetch|read)|@(lru_cache|cached|cache_page|cache|cached_property|memoize|Cacheable|cacheable|alru_cache)\b|\bcaches?(\.default)?\.(get|fetch|remember|getOrSet|get_or_set|wrap|match)\w*\("
    r"|Cache::(remember|get|rememberForever)\(|\b_?(redis|rdb|redis_client|redisClient|memcached?|mc|cache)\w*\.(get|hget|mget|setex|set)\("
)
_KEY_NAME = pattern(
    r"(?i)(^|[_.-])(cache)?_?(key|prefix|version|ver|namespace|ns|generation)([_.-]|$)|cacheKey|keyPrefix|KeyVersion|CacheVersion"
)


def is_key(context: RuleContext, value: ValueChange) -> bool:
    """A version or prefix that stands in the key of a cache call of the same file."""
    if value.old == value.new or value.head_line is None or len(str(value.old)) > 120:
        return False
    text = context.head.text(value.file) or ""
    lines = text.split("\n")
    if _CALL.search(f"{value.call}(") and re.search(r"(?i)fetch|get|read|remember|match", value.call):
        return (
            value.old_text is not None and value.old_text[:1] in "\"'`f" and re.search(r"[:/_\-]|v\d", str(value.old)) is not None
        )
    if value.name and _KEY_NAME.search(value.name):
        uses = re.compile(rf"(?<![\w$]){re.escape(value.name)}(?![\w$])")
        near = [i for i, line in enumerate(lines) if uses.search(line) and i + 1 != value.head_line]
        if any(_CALL.search("\n".join(lines[max(0, i - 1) : i + 4])) for i in near):
            return True
        return re.search(r"(?i)\bcaches?\b", value.path) is not None
    return False


def removed_calls(context: RuleContext) -> Iterator[CacheChange]:
    """Cache reads that go from a file without another in their place."""
    for file in context.changes.files:
        if (
            not file.head_path
            or not file.hunks
            or not is_production_code(file.path)
            or file.path.endswith((".md", ".lock", ".json", ".yaml", ".yml"))
        ):
            continue
        found = _removed_call(context, file)
        if found is not None:
            yield found


def _removed_call(context: RuleContext, file: ChangedFile) -> CacheChange | None:
    names = stores_in(context.base.text(file.base_path or file.path) or "") | stores_in(
        context.head.text(file.head_path or file.path) or ""
    )
    removed = [(n, t) for n, t in file.removed_lines().items() if _reads_cache(t, names)]
    if not removed or any(_calls_cache(t, names) for t in file.added_lines().values()):
        return None
    before, after = (
        sum(_calls_cache(line, names) for line in (tree.text(path) or "").split("\n"))
        for tree, path in ((context.base, file.base_path or file.path), (context.head, file.head_path or file.path))
    )
    if after >= before or not file.head_path or not context.head.text(file.head_path):
        return None
    line, text = removed[0]
    place = Place(file=file.head_path, line=file.head_line_after_which(line))
    return CacheChange(
        Loss.ALL,
        text.strip()[:60],
        place,
        Place(file=file.base_path or file.path, line=line, side="base"),
        f"`{text.strip()[:120]}` is removed",
        "cache_page" in text,
    )


_STORE = pattern(
    r"(\w{1,40})\s*:?=\s*(?:await\s+)?(?:new\s+)?[\w.]{0,40}(?:[Rr]edis|[Mm]emcache|LRU|NodeCache|TTLCache|Caffeine|Cache)\w{0,40}\s*[.(<{]"
)


def stores_in(text: str) -> frozenset[str]:
    """The names that a file gives a cache's client."""
    return frozenset(_STORE.findall(text[:200_000]))


def _reads_cache(line: str, names: frozenset[str]) -> bool:
    return _calls_cache(line, names) and NOT_A_CACHE.search(line[:600]) is None


def _calls_cache(line: str, names: frozenset[str]) -> bool:
    """Also what is kept for a time and is no cache: a key that gains a session id is still looked up."""
    found = re.search(r"(?:^|[^\w.])(\w{1,40})\.(?:get|hget|mget|fetch|getIfPresent)\(", line[:600])
    return (_CALL.search(line[:600]) is not None or (found is not None and found[1] in names)) and not line.lstrip().startswith(
        ("#", "//", "*", "import", "from")
    )


_LITERAL = pattern(r"""[fF]?(["'`])((?:(?!\1)[^\n]){1,200})\1""")


def keys_in_lines(context: RuleContext) -> Iterator[CacheChange]:
    """Keys made of a text with gaps (`f"user:v1:{id}"`) whose fixed part differs."""
    for file in context.changes.files:
        if not file.head_path or not file.base_path or not is_production_code(file.path) or file.path.endswith((".md", ".json")):
            continue
        names = stores_in(context.head.text(file.head_path) or "") if file.hunks else frozenset[str]()
        for hunk in file.hunks:
            for offset, (old, new) in enumerate(zip(hunk.removed, hunk.added, strict=False)):
                if not _reads_cache(old, names) or not _reads_cache(new, names):
                    continue
                was, now = _LITERAL.search(old[:600]), _LITERAL.search(new[:600])
                if was is None or now is None or not re.search(r"[#$]?\{", now[2]) or _fixed(was[2]) == _fixed(now[2]):
                    continue
                place = Place(file=file.head_path, line=hunk.head_start + offset)
                before = Place(file=file.base_path, line=hunk.base_start + offset, side="base")
                yield CacheChange(
                    Loss.KEY, now[2][:60], place, before, f"the key goes from `{was[2][:80]}` to `{now[2][:80]}`", is_http=False
                )


def _fixed(literal: str) -> str:
    """The part of a text with gaps that is the same for every key."""
    return re.sub(r"[#$]?\{[^{}]{0,100}\}", "{}", literal)


def file_has(context: RuleContext, path: str, pattern: re.Pattern[str]) -> bool:
    """Whether the text of a file at head has the pattern."""
    return pattern.search((context.head.text(path) or "")[:200_000]) is not None
