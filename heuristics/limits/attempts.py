"""Attempts that a change adds, and pauses between attempts that it takes away."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code import is_ci_path, is_production_code, language_of, value_sites
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.code.retries import RetryLoop, retry_shape
from heuristics.code.word_sets import words as word_set
from heuristics.limits.budgets import Budget, budget_of
from heuristics.limits.changed import Changed, changed_numbers, words_of
from heuristics.limits.destinations import destinations
from heuristics.limits.pauses import longest_pause
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere

SHORT_PAUSE_S = 0.25
"""A fixed pause below this does not relieve a service that answers slowly."""


class Attempts(Record):
    """Attempts for one call, the first included, before and after. A pause is None when the text does not tell."""

    changed: Changed
    old: int
    new: int | None
    has_pause: bool | None
    is_growing: bool | None
    has_jitter: bool
    lost_pause: bool = False
    budget: Budget | None = None

    @property
    def factor(self) -> float:
        """How many times the calls multiply when every one of them fails."""
        return (self.new or self.old) / max(1, self.old)

    @property
    def is_eager(self) -> bool:
        """Whether attempts are known to follow one another without a pause that grows."""
        return self.is_growing is False and self.has_pause is not None


def raised_attempts(context: RuleContext) -> Iterator[Attempts]:
    """Every place that tries more often than before, or without the pause that it made before."""
    taken: set[tuple[str, int | None]] = set()
    for file in context.changes.files:
        if not (file.hunks and file.head_path) or is_elsewhere(file.path):
            continue
        if is_production_code(file.path) and not is_ci_path(file.path):
            for found in _of_code(file, context):
                taken |= {(file.head_path, found.changed.head_line), (file.head_path, found.changed.base_line)}
                yield found
    for changed in changed_numbers(context):
        if (changed.file, changed.head_line) in taken:
            continue
        found = _of_value(changed, context) or _of_pause(changed, context)
        if found is not None:
            yield found


# -- loops and library calls ----------------------------------------------------------------


def _of_code(file: ChangedFile, context: RuleContext) -> Iterator[Attempts]:
    path = file.head_path or file.path
    language = language_of(path)
    if language not in CODE_LANGUAGES:
        return
    before = context.base.text(file.base_path) if file.base_path else None
    after = context.head.text(path)
    if after is None or before == after or not (_may_retry(before) or _may_retry(after)):
        return
    olds, news = ([_with_its_pause(path, side, retry) for retry in retry_shape(side, language)] for side in (before or "", after))
    for old, new in _paired(olds, news):
        found = _of_loops(path, old, new, file)
        if found is not None:
            yield found


def _with_its_pause(path: str, text: str, retry: RetryLoop) -> RetryLoop:
    """A pause that the text states and that is too short to matter is none, even where it grows."""
    longest = longest_pause(path, text, retry.attempts_line, attempts=retry.attempts, is_growing=retry.is_growing)
    if longest is None and retry.line != retry.attempts_line:
        longest = longest_pause(path, text, retry.line, attempts=retry.attempts, is_growing=retry.is_growing)
    if longest is None or longest >= SHORT_PAUSE_S:
        return retry
    return replace(retry, has_backoff=False, is_growing=False)


_RETRIES = pattern(r"(?i)retr|attempt|tries|back_?off|stop_after|maxAttempts|polly")
_LOOPS = pattern(r"\b(for|while|loop|repeat|times|until)\b")
_CATCHES = pattern(r"\b(except|catch|rescue|recover|Err|err)\b")


def _may_retry(text: str | None) -> bool:
    """Whether it is worth parsing: a word of retries, or a loop and something that catches a failure."""
    return bool(text and (_RETRIES.search(text) or (_LOOPS.search(text) and _CATCHES.search(text))))


def _paired(olds: Sequence[RetryLoop], news: Sequence[RetryLoop]) -> Iterator[tuple[RetryLoop | None, RetryLoop]]:
    """By library and function, in the order of the text; then by library; what is left is new."""
    left = list(olds)
    for new in news:
        same = [o for o in left if (o.library, o.function) == (new.library, new.function)] or [
            o for o in left if o.library == new.library
        ]
        if same:
            left.remove(same[0])
        yield (same[0] if same else None), new


def _of_loops(path: str, old: RetryLoop | None, new: RetryLoop, file: ChangedFile) -> Attempts | None:
    added = file.added_lines()
    if old is None:
        if new.attempts is None or new.line not in added:
            return None
        return Attempts(_named(path, new, None, file), 1, new.attempts, new.has_backoff, new.is_growing, new.has_jitter)
    was, now = old.attempts, new.attempts
    raised = was is not None and now is not None and now > was
    lost = (old.is_growing and not new.is_growing) or (old.has_backoff and not new.has_backoff)
    if not raised and not (lost and (now is None or now > 2)):
        return None
    return Attempts(
        _named(path, new, old, file), was or now or 1, now, new.has_backoff, new.is_growing, new.has_jitter, lost_pause=lost
    )


def _named(path: str, new: RetryLoop, old: RetryLoop | None, file: ChangedFile) -> Changed:
    added = file.added_lines()
    raised = old is None or old.attempts != new.attempts
    near = [line for line in sorted(added) if line >= new.line] or sorted(added)
    head_line = next((line for line in (new.attempts_line, new.line) if raised and line in added), near[0] if near else new.line)
    return Changed(
        key=new.function,
        name="attempts",
        file=path,
        base_line=old.attempts_line if old else None,
        head_line=head_line,
        old=float(old.attempts) if old and old.attempts is not None else None,
        new=float(new.attempts) if new.attempts is not None else None,
        old_text=str(old.attempts) if old else None,
        new_text=str(new.attempts),
        scope=new.function,
    )


# -- numbers in configuration, and constants that another file uses -----------------------------


_PAUSE_WORDS = word_set(
    "delay wait interval backoff timeout after pause sleep ms millis seconds duration jitter factor multiplier period at on"
)
_OTHER_ATTEMPTS = word_set("login password otp pin signin auth captcha guess payment dunning invoice failed quiz game lockout")
_MORE = word_set("limit max count total")
"""`retry: {max: 3}` counts the attempts that follow the first."""
_COUNTING = word_set("max maximum count limit times total num number number_of attempts retries tries")


def _of_value(changed: Changed, context: RuleContext) -> Attempts | None:
    if changed.new is None or changed.new != int(changed.new) or not 0 <= changed.new <= 1000:
        return None
    words = set(changed.words)
    around = changed.path_words
    if words & (_PAUSE_WORDS | _OTHER_ATTEMPTS) or (
        changed.declared is not None and not changed.key.startswith(("environment.", "data.", "spec."))
    ):
        return None
    is_attempts = bool(words & {"attempts", "tries"}) or (
        bool(words & {"limit", "max", "count", "total"}) and bool(around & {"retry", "retries", "retrying"})
    )
    is_retries = bool(words & {"retries"}) or ("retry" in words and bool(words & _COUNTING or words == {"retry"}))
    if not (is_attempts or is_retries) or "queue" in words:
        return None
    is_more = is_retries or (bool(words & _MORE) and not around & {"attempts", "tries"})
    more = 1 if is_more and "attempts" not in words else 0
    old = int(changed.old) + more if changed.old is not None else 1
    new = int(changed.new) + more
    if new <= old:
        return None
    pause = _pauses_beside(changed, context)
    if pause.has_pause is None and changed.declared is None:
        pause = _pauses_where_used(changed, context)
    if pause.has_pause is None and changed.declared is None:
        pause = _pauses_near(changed, context, new)
    return replace(pause, changed=changed, old=old, new=new, budget=budget_of(changed, context, destinations(changed, context)))


def _of_pause(changed: Changed, context: RuleContext) -> Attempts | None:
    """A pause of a configured retry that all but vanishes, where several attempts follow one another."""
    words = set(changed.words)
    if changed.old_seconds is None or changed.new_seconds is None or changed.declared is not None:
        return None
    if not words & {"wait", "delay", "backoff", "interval"} or not changed.path_words & {"retry", "retries"} or "max" in words:
        return None
    if changed.new_seconds >= SHORT_PAUSE_S or changed.new_seconds * 4 > changed.old_seconds:
        return None
    beside = _pauses_beside(changed, context)
    parent = changed.key.rpartition(".")[0]
    sites = value_sites(changed.file, context.head.text(changed.file) or "")
    number = next((s.value for s in sites if s.path.startswith(parent + ".") and "attempts" in words_of(s.name)), None)
    if beside.is_growing or not isinstance(number, int) or isinstance(number, bool) or number < 3:
        return None
    return replace(beside, changed=changed, old=number, new=number, lost_pause=True)


def _pauses_where_used(changed: Changed, context: RuleContext) -> Attempts:
    """The loop in another file that counts up to this constant."""
    found = Attempts(changed, 1, 1, None, None, has_jitter=False)
    if len(changed.name) < 4 or language_of(changed.file) not in CODE_LANGUAGES:
        return found
    places = context.head.search([changed.name]).get(changed.name, ())
    for place in [p for p in places if p.file != changed.file and is_production_code(p.file)][:12]:
        language = language_of(place.file)
        text = context.head.text(place.file) if language in CODE_LANGUAGES else None
        for loop in retry_shape(text or "", language or "") if text else ():
            if 0 <= place.line - loop.line <= 25:
                return replace(found, has_pause=loop.has_backoff, is_growing=loop.is_growing, has_jitter=loop.has_jitter)
    return found


def _pauses_near(changed: Changed, context: RuleContext, attempts: int) -> Attempts:
    """The pause that the options of a client library around the number state."""
    found = Attempts(changed, 1, 1, None, None, has_jitter=False)
    text = context.head.text(changed.file) or ""
    if language_of(changed.file) not in CODE_LANGUAGES or changed.head_line is None:
        return found
    lines = "\n".join(text.split("\n")[max(0, changed.head_line - 7) : changed.head_line + 6])
    grows = _GROWS.search(lines) is not None
    longest = longest_pause(changed.file, text, changed.head_line, attempts=attempts, is_growing=grows)
    if longest is None:
        return replace(found, has_pause=True, is_growing=True) if grows else found
    is_long = longest >= SHORT_PAUSE_S
    return replace(found, has_pause=is_long, is_growing=grows and is_long, has_jitter="jitter" in lines.lower())


_GROWS = pattern(r"(?i)exponential|\bexpo\b|back_?off_?(factor|multiplier)|multiplier|jitter")


def _pauses_beside(changed: Changed, context: RuleContext) -> Attempts:
    """What stands under the same keys about pauses: resilience4j, spring-retry, Istio, YAML of any client."""
    unknown = Attempts(changed, 1, 1, None, None, has_jitter=False)
    parent = changed.key.rpartition(".")[0]
    if not parent or (language_of(changed.file) in CODE_LANGUAGES) or changed.declared is not None:
        return unknown
    beside = [s for s in value_sites(changed.file, context.head.text(changed.file) or "") if s.path.startswith(parent + ".")]
    shared = [
        s
        for s in value_sites(changed.file, context.head.text(changed.file) or "")
        if re.search(r"(?i)\bretry\.(configs\.)?default\b", s.path)
    ]
    grows = jitters = pauses = False
    for site in (*beside, *shared):
        words = set(words_of(site.path.removeprefix(parent)))
        is_off = site.value is False or site.value in (0, 1, 1.0)
        is_spread = words >= {"back", "off"} and bool(words & {"base", "max"}) and "interval" in words
        grows, jitters = grows or is_spread, jitters or is_spread  # Envoy's: exponential, with full jitter
        grows = grows or (bool(words & {"exponential", "multiplier", "factor"}) and not is_off)
        jitters = jitters or (bool(words & {"jitter", "random", "randomized", "randomization"}) and not is_off)
        if words & {"wait", "delay", "interval", "backoff", "duration"} and not words & {"max", "enable", "multiplier"}:
            seconds = site.seconds if site.seconds is not None else (site.value if isinstance(site.value, int | float) else 0)
            pauses = pauses or float(seconds) >= SHORT_PAUSE_S
    return replace(unknown, has_pause=pauses or grows, is_growing=grows, has_jitter=jitters)
