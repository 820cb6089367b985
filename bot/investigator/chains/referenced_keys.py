"""A pod takes a variable from a key that its live ConfigMap or Secret does not have, whoever reads the variable."""

from collections.abc import Collection, Iterator

from bot.investigator.asking import quote
from bot.investigator.case import Case
from bot.investigator.chain import harm, mechanism, trigger
from bot.investigator.facts.runners import is_workload
from bot.investigator.facts.stores import key_of, store_of
from bot.investigator.facts.traffic import busy
from gonogo.resource import Declared, Resource
from gonogo.trajectory import Certainty, Impact, Trajectory
from heuristics.names.given import KeyReference, key_references
from heuristics.names.given import given_names as names_of


def referenced_keys(case: Case, told: Collection[str]) -> Iterator[Trajectory]:
    """One chain for each reference of this change to a key that production lacks; `told` are names that have one already."""
    if "head" not in case.diff.declared:
        return
    before = {(d.address, d.environment): key_references(d) for d in case.diff.declared["base"].resources if is_workload(d.kind)}
    for declared in case.diff.declared["head"].resources:
        program = case.live_of(declared) if is_workload(declared.kind) else None
        if program is None:
            continue
        known = before.get((declared.address, declared.environment), {})
        for name, reference in key_references(declared).items():
            old = known.get(name)
            is_same = old is not None and (old.store, old.key) == (reference.store, reference.key)
            if name in told or reference.is_optional or is_same:
                continue
            found = _chain(case, declared, program, name, reference)
            if found is not None:
                yield found


def _chain(case: Case, declared: Declared, program: Resource, name: str, reference: KeyReference) -> Trajectory | None:
    store = store_of(case, program, reference.store, reference.kind)
    held = key_of(case, store, reference.key) if store is not None else None
    if store is None or held is None or not held.absent or _gives(case, reference):
        return None
    file, line = reference.setting.file or declared.file, reference.setting.line
    at = quote(case, file, line)
    claim = f"{store.name} has no key {reference.key} in production: new pods of {program.name} do not start (CreateContainerConfigError)"
    return Trajectory(
        title=f"{program.name} takes {name} from a key that {store.name} does not have",
        impact=Impact.HIGH,
        resource=program.id,
        metric="Errors",
        links=(
            trigger(f"{file} line {line} takes {name} from key {reference.key} of {reference.store}", at),
            mechanism("the reference is not optional, so a container is not created without the key", at),
            busy(case, program, held),
            harm(claim, held),
        ),
        make_safe=f"Add `{reference.key}` to {store.name} before the roll-out, or mark the reference `optional: true`.",
        undo="Roll back to the previous version: it does not ask for the key.",
        certainty=Certainty.NAME_ABSENT,
        path=(program.id, store.id),
    )


def _gives(case: Case, reference: KeyReference) -> bool:
    """Whether this repository declares the store with the key."""
    return any(
        d.name == reference.store and reference.key in names_of(d)
        for d in case.diff.declared["head"].resources
        if d.kind.endswith(("secret", "configmap", "secret_store"))
    )
