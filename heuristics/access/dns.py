"""DNS records that a change points elsewhere, takes away, or pins for longer."""

from typing import cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, SettingChange
from gonogo.word import Json
from heuristics.rule import RuleContext
from heuristics.stages import production_settings

_RECORD = pattern(
    r"aws\.route53\.(record|record_set)|cloudflare\.dns\.record|google\.dns\.record_set|azure\.dns\w*\.?\w*record|digitalocean\.record|dnsimple\.\w*record"
)
_TARGETS = ("records", "alias_target", "content", "value", "values", "rrdatas", "record", "target")
_TTL = ("ttl", "TTL", "ttl_s")


class MovedRecord(Record):
    """One record: where it pointed, where it points, and how long resolvers keep the answer."""

    before: Declared
    after: Declared | None
    change: SettingChange
    old_target: str
    new_target: str
    """Empty when the record goes."""
    old_ttl_s: float | None
    new_ttl_s: float | None
    covered_by: Declared | None = None
    """A wildcard of head that answers for a record that goes, with the same target."""

    @property
    def name(self) -> str:
        """The host that the record answers for."""
        return self.before.name or self.before.address


def moved_records(context: RuleContext) -> tuple[MovedRecord, ...]:
    """Records of hosts (A, AAAA, CNAME, alias) whose target changes or that go."""
    found: list[MovedRecord] = []
    for change in production_settings(context):
        before = change.before
        if before is None or not _RECORD.fullmatch(before.kind) or not _is_host(before):
            continue
        if change.after is None if change.key == "" else change.key == "name":  # by another name it leaves the old one
            others = [d for d in context.declared["head"].resources if _RECORD.fullmatch(d.kind) and d.name and _is_host(d)]
            same = next((d for d in others if _bare(d.name) == _bare(before.name) and _target(d) == _target(before)), None)
            if same is not None:
                continue  # another block declares the record from now on
            wider = next((d for d in others if _covers(d.name, before.name) and _target(d) == _target(before)), None)
            found.append(MovedRecord(before, None, change, _target(before), "", _ttl(before), None, wider))
        elif change.after is not None and change.key in _TARGETS and change.old is not None and change.new is not None:
            found.append(
                MovedRecord(
                    before,
                    change.after,
                    change,
                    _text(change.old.value, change.old.text),
                    _text(change.new.value, change.new.text),
                    _ttl(before),
                    _ttl(change.after),
                )
            )
    return tuple(found)


def _bare(name: str | None) -> str:
    return (name or "").rstrip(".").lower()


def _covers(wildcard: str | None, name: str | None) -> bool:
    star, _, zone = _bare(wildcard).partition(".")
    if star == "*" and not zone:
        return "." not in _bare(name)  # both are relative to their zone
    return star == "*" and _bare(name).endswith("." + zone)


def _is_host(declared: Declared) -> bool:
    kind = declared.settings.get("type")
    return kind is None or str(kind.value).upper() in ("A", "AAAA", "CNAME", "ALIAS", "NONE")


def _target(declared: Declared) -> str:
    setting = next((declared.settings[key] for key in _TARGETS if key in declared.settings), None)
    return _text(setting.value, setting.text) if setting is not None else ""


def _ttl(declared: Declared) -> float | None:
    value = next((declared.settings[key].value for key in _TTL if key in declared.settings), None)
    return float(value) if isinstance(value, int | float) else None


def _text(value: Json, text: str) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(one) for one in cast("list[object]", value))
    return str(value) if value is not None else text
