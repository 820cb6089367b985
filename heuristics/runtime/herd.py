"""Random delays that spread work over time and go away in this change."""

from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.paths import is_production_code
from heuristics.rule import RuleContext

_SPREAD = pattern(
    r"(?i)jitter|splay|rand(?:om|int|range|f)?\b|math/rand|Random|uniform\(|hash\(.*%|(?:md5|sha1|sha256|crc32|adler32|hashcode|fnv|murmur|digest|checksum|parseint|index|each\.key|count\.index)\b.*%"
    r"|random_(?:integer|shuffle|string)|\bH(?:\(\d+-\d+\))?(?:/\d+)? [H*\d]"
)
"""Random numbers, remainders of a hash or of an index, and the `H` of Jenkins."""
_TIMED = pattern(r"(?i)sleep|interval|ttl|expir|delay|schedul|cron|every|timer|refresh|poll")
_RETRIES = pattern(r"(?i)retr|backoff|attempt|exponential")


class Unspread(Record):
    """A delay that was random and is the same for every copy now."""

    file: str
    base_line: int
    head_line: int
    text: str


def spread_removed(context: RuleContext) -> Iterator[Unspread]:
    """Removed lines that made a delay random, in files where nothing of the kind is left."""
    for file in context.changes.files:
        if (
            not file.head_path
            or not file.hunks
            or not (is_production_code(file.path) or file.path.endswith((".tf", ".tofu")))
            or file.path.endswith((".md", ".txt", ".lock", ".json"))
        ):
            continue
        removed = file.removed_lines()
        found = next(
            (
                n
                for n, text in removed.items()
                if _SPREAD.search(text[:400]) and _TIMED.search(text[:400]) and not _RETRIES.search(text[:400])
            ),
            None,
        )
        if found is None or any(_SPREAD.search(text[:400]) for text in file.added_lines().values()):
            continue
        if any(_TIMED.search(text[:400]) for text in file.added_lines().values()):
            yield Unspread(file.head_path, found, file.head_line_after_which(found), removed[found])


_LATER = pattern(
    r"(?i)perform_in|perform_at|perform_later|enqueue_(in|at)|apply_async|countdown|send_with_options|delay\s*[:=(]|->later|later\(|schedule_in|wait:|DelaySeconds|available_at|runAt|\.schedule\("
)
_NOW = pattern(
    r"perform_async|perform_later|perform_bulk|\benqueue\b|\.delay\(|apply_async\(|\.send\(|\.add\(|addBulk\(|dispatch\(|::dispatch|send_message|sendMessage|SendMessage|\.push\(|Oban\.insert|enqueue\("
)


class FanOut(Record):
    """Jobs that were put in a queue for random moments and are all put in at once now."""

    file: str
    base_line: int
    head_line: int


def fan_outs(context: RuleContext) -> Iterator[FanOut]:
    """Removed lines that put a job in a queue after a random delay, with an added line that puts it in without one."""
    for file in context.changes.files:
        if not file.head_path or not file.hunks or not is_production_code(file.path):
            continue
        for hunk in file.hunks:
            later = next(
                (
                    at
                    for at, text in enumerate(hunk.removed, hunk.base_start)
                    if _SPREAD.search(text[:400]) and _LATER.search(text[:400]) and not _RETRIES.search(text[:400])
                ),
                None,
            )
            now = next(
                (
                    at
                    for at, text in enumerate(hunk.added, hunk.head_start)
                    if _NOW.search(text[:400]) and not _SPREAD.search(text[:400])
                ),
                None,
            )
            if later is not None and now is not None:
                yield FanOut(file.head_path, later, now)
