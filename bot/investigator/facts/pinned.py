"""Whether production gives an environment variable an explicit value, so that a default in the code does not count."""

from collections.abc import Sequence
from typing import cast

from bot.investigator.asking import config, lists_name, quote
from bot.investigator.case import Case
from bot.investigator.facts.runners import declarations_of
from gonogo.evidence import ConfigEvidence, FileEvidence
from gonogo.record import Record
from gonogo.resource import Declared, Resource
from heuristics.stages import is_for_production


class Pin(Record):
    """The explicit value, None when only the name was read, and the citation."""

    name: str
    value: str | None
    cited: ConfigEvidence | FileEvidence

    @property
    def is_live(self) -> bool:
        """Whether production itself says so."""
        return isinstance(self.cited, ConfigEvidence)


def pin_of(case: Case, resource: Resource | None, *names: str) -> Pin | None:
    """What sets one of the variables: the live environment first, then the manifests of head that base had too."""
    for name in names:
        if resource is not None:
            for key in (f"environment.{name}", f"environment_variables.{name}", f"vars.{name}", f"env.{name}", f"config.{name}"):
                cited = config(case, resource.id, key)
                if cited is not None:
                    return Pin(name, _text(cited.value), cited)
            for source in _taken_whole(case, resource):
                if (cited := config(case, source.id, f"data.{name}")) is not None:
                    return Pin(name, _text(cited.value), cited)
            for key in ("environment_keys", "environment", "secrets", "vars"):
                listed = lists_name(case, resource.id, key, name)
                if listed is not None and not listed.absent:
                    return Pin(name, None, listed)
        for declared in _declarations(case, resource):
            setting = declared.settings.get(f"environment.{name}") or declared.settings.get(f"data.{name}")
            if setting is not None:
                file = str(getattr(setting, "file", None) or declared.file)
                return Pin(name, _text(setting.value), quote(case, file, max(1, setting.line)))
    return None


def _taken_whole(case: Case, resource: Resource) -> list[Resource]:
    """The live maps of values that a workload takes into its environment as they are; the last of two that have a name wins."""
    listed = config(case, resource.id, "env_from", "environment_from")
    named = (
        [str(one) for one in cast("Sequence[object]", listed.value)]
        if listed is not None and isinstance(listed.value, list | tuple)
        else []
    )
    maps = (case.production.resource(e.target) for e in case.out_of(resource.id))
    found = [m for m in maps if m is not None and m.kind.endswith("configmap") and f"configmap/{m.name}" in named]
    return sorted(found, key=lambda m: -named.index(f"configmap/{m.name}"))


def lacks(case: Case, resource: Resource | None, *names: str) -> ConfigEvidence | None:
    """Proof that production does not set the variable."""
    for name in names:
        for key in ("environment_keys", "environment"):
            found = lists_name(case, resource.id, key, name) if resource is not None else None
            if found is not None and found.absent:
                return found
    return None


def _declarations(case: Case, resource: Resource | None) -> list[Declared]:
    """Declarations of the workload, and the configuration of the same folder that it may take values from."""
    own = list(declarations_of(case, resource.id)) if resource is not None else []
    side = case.diff.declared.get("head")
    every = side.resources if side is not None else ()
    extra = [d for d in every if (d.kind.endswith("configmap") or not own) and is_for_production(case.diff, d)]
    return [*own, *extra]


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None
