"""Which services the code around a value names: hosts of addresses, stems of variables that hold an address, keys of its path."""

from gonogo.pattern import pattern
from heuristics.code.word_sets import words as word_set
from heuristics.limits.changed import Changed, normal_name, words_of
from heuristics.limits.destinations import destinations
from heuristics.rule import RuleContext

_HOST = pattern(r"(?:https?|grpcs?|tcp|dns|lb)://+([A-Za-z0-9][\w.-]{1,100})")
_VARIABLE = pattern(
    r"\b([A-Za-z][A-Za-z0-9_]{1,60}?)_?(?:BASE_?URL|API_?URL|URL|URI|HOST|HOSTNAME|ENDPOINT|ADDR|ADDRESS|ORIGIN|DSN|TARGET|SERVICE_HOST)\b"
)
_ADDRESS_OF = pattern(r"\b([a-z][A-Za-z0-9]{1,40}?)(?:BaseUrl|ApiUrl|Url|URL|Host|Endpoint|Addr|Address|Target)\b")
_GENERIC = word_set(
    "api base http https service server client gateway upstream backend remote target host url default app web internal local public "
    "database db redis cache localhost proxy callback redirect webhook config settings env www root self base-api"
)
_PLUMBING = word_set(
    "spring resilience4j retry retries instances configs client clients config default feign backend http timeout timeouts services service upstreams "
    "datasource hikari properties options kafka consumer production rest webclient timelimiter circuitbreaker max attempts wait duration"
)

_NO_SERVICE = word_set(
    "request http client read response call api default total with set get add use number num on by my our number_of max min"
)


def services_named(changed: Changed, context: RuleContext) -> frozenset[str]:
    """Normal names of services that stand near the value; those of the whole file when nothing near names one."""
    beside = destinations(changed, context)
    keys = {normal_name(part) for part in changed.key.split(".") if normal_name(part) and not set(words_of(part)) <= _PLUMBING}
    if len(changed.key.split(".")) > 2 and keys:
        return beside | frozenset(keys - {normal_name(changed.name)}) | _from_text(_near(changed, context, whole=False))
    near = _from_text(_near(changed, context, whole=False)) | _from_name(changed)
    return beside | frozenset(near or (_from_text(_near(changed, context, whole=True)) if not beside else ()))


def addresses_in_manifests(context: RuleContext) -> dict[str, str]:
    """Stem of a variable → first label of the host that the head's manifests give it."""
    found: dict[str, str] = {}
    for declared in context.declared["head"].resources if "head" in context.declared else ():
        for key, setting in declared.settings.items():
            if key.startswith(("environment.", "data.")) and isinstance(setting.value, str):
                names, hosts = _VARIABLE.match(key.partition(".")[2]), _HOST.search(setting.value)
                if names and hosts:
                    found[normal_name(names[1])] = normal_name(hosts[1].split(".")[0])
    return found


def _from_name(changed: Changed) -> frozenset[str]:
    """`RATES_TIMEOUT_MS` names rates."""
    words = changed.words
    at = next((i for i, w in enumerate(words) if w in ("timeout", "time", "deadline", "retries", "attempts", "max", "retry")), 0)
    stem = "-".join(words[:at])
    left = set(words[:at]) - _NO_SERVICE
    return frozenset({stem} if left and stem not in _GENERIC else set())


def _from_text(text: str) -> frozenset[str]:
    hosts = {normal_name(h.split(".")[0]) for h in _HOST.findall(text)}
    stems = {normal_name(v) for v in (*_VARIABLE.findall(text), *_ADDRESS_OF.findall(text))}
    return frozenset(name for name in hosts | stems if name and name not in _GENERIC)


def _near(changed: Changed, context: RuleContext, *, whole: bool) -> str:
    tree = context.head if changed.head_line else context.base
    text = tree.text(changed.file) or ""
    if whole:
        return text[:100_000]
    lines = text.split("\n")
    at = (changed.head_line or changed.base_line or 1) - 1
    return "\n".join(lines[max(0, at - 8) : at + 9])
