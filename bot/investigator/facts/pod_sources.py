"""Everything a pod takes its environment from, as its manifest says, and whether each of them was read and lacks a name."""

import re
from collections.abc import Iterator, Mapping
from typing import cast

from bot.investigator.asking import config
from bot.investigator.case import Case
from bot.investigator.facts.runners import declarations_of
from bot.investigator.facts.stores import key_of, store_of, stores_of
from gonogo.evidence import ConfigEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Resource
from heuristics.names.given import given_names, sources_of

_GIVEN_OTHERWISE = pattern(
    r"(?i)agent-inject|vault-env|bank-vaults|secrets-init|secrets\.infisical|doppler(?:secret| run)|infisical run|chamber exec|berglas|envconsul|aws-vault|sops exec-env"
    r"|\bop run\b|teller run|secretless|akeyless|conjur|summon "
)
"""What puts variables into a container past its manifest: injectors, and programs that start the program."""
_STARTS = pattern(
    r"(^|/)(Dockerfile[\w.-]*|[\w.-]*entrypoint[\w.-]*|Procfile|start[\w-]*\.sh|run[\w-]*\.sh|docker-\w+\.sh|package\.json)$"
)
_ENVIRONMENT = pattern(r"(\s*)(?:- )?env(?:From)?:")
_WRITES_MORE = pattern(r"\{\{-?\s*(?:range|toYaml|tpl|include|template|with|if)\b")
_PREFIXED = pattern(r"(?:^|[\s{-])prefix:")
"""Puts something before the name of every key that a pod takes whole."""
_KINDS = {"secretRef": "secret", "configMapRef": "configmap"}


def lacking_sources(case: Case, resource: Resource, names: tuple[str, ...]) -> tuple[ConfigEvidence, ...] | None:
    """A citation for every ConfigMap and Secret that the pod takes whole; None unless it is certain that nothing gives the name.

    The manifest at head has to be in plain text, name at least one of them, and none of its variables may be called so;
    each of them was read in production, and so was each that production joins to the workload.
    """
    declared = declarations_of(case, resource.id)
    if not declared or not all(_is_plain(case, one) for one in declared) or _is_given_otherwise(case):
        return None
    found: dict[str, Resource] = {s.id: s for s in stores_of(case, resource)}
    has_sources = False
    for one in declared:
        if any(name in given_names(one) for name in names):
            return None
        for source in sources_of(one):
            label, _, name = source.partition("/")
            store = store_of(case, resource, name, _KINDS.get(label, ""))
            if store is None:
                return None
            has_sources = True
            found[store.id] = store
    if not _named_live(case, resource) <= {store.name for store in found.values()}:
        return None
    held = [key_of(case, store, name) for store in found.values() for name in names]
    if not has_sources or not all(one is not None and one.absent for one in held):
        return None
    return tuple(sorted((one for one in held if one is not None), key=lambda e: "/secret/" not in e.resource))


class TakenWhole(Record):
    """The live ConfigMaps and Secrets of which every key becomes a variable of the pod by its own name, by id."""

    stores: Mapping[str, Resource]
    is_read: bool
    """Whether each that the pod names was read; one that was not may hold any name."""


def taken_whole(case: Case, resource: Resource) -> TakenWhole:
    """What the live workload and its manifest take whole."""
    named = {("", name) for name in _named_live(case, resource)}
    for declared in declarations_of(case, resource.id):
        sources = sources_of(declared)
        if sources and _PREFIXED.search((case.diff.head.text(declared.file) or "")[:100_000]):
            return TakenWhole({}, is_read=False)
        for source in sources:
            label, _, name = source.partition("/")
            named.add((_KINDS.get(label, ""), name))
    found = [store_of(case, resource, name, kind) for kind, name in sorted(named)]
    return TakenWhole({store.id: store for store in found if store is not None}, is_read=None not in found)


def _is_plain(case: Case, declared: Declared) -> bool:
    """Whether the variables stand in the manifest as they are: no part of a template that may give more."""
    text = (case.diff.head.text(declared.file) or "")[:100_000]
    if _GIVEN_OTHERWISE.search(text):
        return False
    lines = text.split("\n")
    return not any(
        _WRITES_MORE.search(line)
        for at, start in enumerate(lines)
        if (found := _ENVIRONMENT.match(start))
        for line in _block(lines, at, len(found[1]))
    )


def _block(lines: list[str], at: int, indent: int) -> Iterator[str]:
    """The lines below a key, down to the next key beside it."""
    for line in lines[at : at + 1]:
        yield line
    for line in lines[at + 1 : at + 200]:
        bare = line.lstrip(" ")
        if bare and not bare.startswith(("-", "#", "{{")) and len(line) - len(bare) <= indent:
            return
        yield line


def _named_live(case: Case, resource: Resource) -> set[str]:
    """Names of what the live workload itself says to take whole."""
    cited = config(case, resource.id, "env_from", "environment_from")
    listed = cast("list[object]", cited.value) if cited is not None and isinstance(cited.value, list) else []
    return {str(one).rpartition("/")[2] for one in listed if isinstance(one, str)}


def _is_given_otherwise(case: Case) -> bool:
    """Whether what starts the program gives it variables of its own."""
    starts = [p for p in case.diff.head.paths() if _STARTS.search(p)]
    texts = (re.sub(r"[\"',\[\] ]+", " ", (case.diff.head.text(p) or "")[:50_000]) for p in starts[:60])
    return any(_GIVEN_OTHERWISE.search(text) for text in texts)
