"""The live ConfigMap or Secret behind a reference of a manifest: by name and namespace, never by likeness."""

from collections.abc import Iterator

from bot.investigator.asking import lists_name
from bot.investigator.case import Case
from gonogo.evidence import ConfigEvidence
from gonogo.resource import Relation, Resource
from heuristics.code import Creation
from heuristics.code.creates import Need
from heuristics.names.given import KeyReference, key_references

STORE_LISTS = (
    "keys", "environment_keys", "data_keys", "data", "secret_keys", "key_names", "string_data", "json_keys", "entries", "config_keys", "names"
)  # fmt: skip
"""What the list of its keys may be called at a ConfigMap or Secret."""
_STORES = (
    "kubernetes.configmap",
    "kubernetes.secret",
    "kubernetes.externalsecret",
    "aws.ecs.task_definition",
    "doppler.",
    "vault.",
)
_TAKES = (Relation.READS_FROM, Relation.DEPENDS_ON, Relation.CONNECTS_TO)


def stores_of(case: Case, resource: Resource) -> Iterator[Resource]:
    """ConfigMaps, Secrets and task definitions that the program takes names from, by the live graph."""
    for edge in case.out_of(resource.id, *_TAKES):
        found = case.production.resource(edge.target)
        if found is not None and found.kind.startswith(_STORES):
            yield found


def key_of(case: Case, store: Resource, key: str) -> ConfigEvidence | None:
    """Whether a ConfigMap, Secret or parameter store has a key; None when its keys were not read."""
    for name in STORE_LISTS:
        found = lists_name(case, store.id, name, key)
        if found is not None:
            return found
    return None


def reference_of(case: Case, creation: Creation) -> KeyReference | None:
    """The reference by which a manifest gives a name, with the chart's values put in; None when it is no such reference."""
    for declared in case.diff.declared["head"].resources if "head" in case.diff.declared else ():
        if declared.file == creation.file and declared.line <= creation.line <= declared.end_line:
            found = key_references(declared).get(creation.name)
            if found is not None:
                return found
    return None


def resolved(case: Case, creation: Creation, need: Need) -> Need:
    """The need with the name and key that a template stands for, where its values are known."""
    if "{{" not in need.name + need.key:
        return need
    found = reference_of(case, creation)
    return need if found is None else Need(need.kind, found.store, found.key, is_optional=need.is_optional or found.is_optional)


def store_of(case: Case, program: Resource | None, name: str, kind: str) -> Resource | None:
    """The live store of this name; of several, the one that the program takes from, else the one of its namespace."""
    suffix = f".{kind}" if kind in ("secret", "configmap") else ""
    found = [
        r
        for r in case.production.resources
        if r.name == name and r.kind.endswith((".secret", ".configmap")) and (not suffix or r.kind.endswith(suffix))
    ]
    if program is None:
        return found[0] if len(found) == 1 else None
    taken = {s.id for s in stores_of(case, program)}
    own = [r for r in found if r.id in taken]
    if len(own) == 1:
        return own[0]
    near = [r for r in found if _may_be_beside(r, program)]
    return near[0] if len(near) == 1 else None


def store_by_siblings(
    case: Case, program: Resource | None, creation: Creation, need: Need, every: tuple[Creation, ...]
) -> Resource | None:
    """The one live store of that kind which the program takes from, when it has the other keys that the same template names."""
    if program is None or "{{" not in need.name:
        return None
    stores = [s for s in stores_of(case, program) if s.kind.endswith(f".{need.kind}")]
    others = {n.key for c in every if c.file == creation.file for n in c.needs if n.name == need.name and n.kind == need.kind}
    others -= {need.key, ""}
    if len(stores) != 1 or not others:
        return None
    held = [key_of(case, stores[0], key) for key in sorted(others)]
    return stores[0] if all(h is not None and not h.absent for h in held) else None


def _may_be_beside(store: Resource, program: Resource) -> bool:
    for key in ("namespace", "cluster"):
        mine, other = store.attributes.get(key), program.attributes.get(key)
        if mine is not None and other is not None and mine != other:
            return False
    return True
