"""The provider conformance suite: what every source of production facts promises, whatever it reads."""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from context_graph.redaction import redacted
from gonogo.ports import Provider
from gonogo.word import ResourceId

NOBODY = ResourceId("nobody:knows:this")

Contract = Callable[[Provider, Sequence[ResourceId]], None]


def check_provider(make: Callable[[], Provider], ids: Sequence[ResourceId]) -> None:
    """Hold a provider against every contract; `make` gives a fresh one, `ids` are resources that it knows. AssertionError names the breach."""
    for contract in CONTRACTS:
        contract(make(), ids)


def has_a_name_and_an_aware_now(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """The report names the source; an instant without an offset is no instant."""
    del ids
    assert provider.name.strip(), "a provider has a name"
    now = provider.now()
    assert now is None or now.tzinfo is not None, "now() knows its offset"


def asked_about_nothing_it_answers_nothing(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """No ids is not all ids."""
    del ids
    for question, ask in _questions(provider):
        assert list(ask([])) == [], f"{question}([]) is empty"


def does_not_know_strangers(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """An unknown id is no error and has no facts."""
    del ids
    for question, ask in _questions(provider):
        assert list(ask([NOBODY])) == [], f"{question} of an unknown resource is empty"
    assert dict(provider.graph().kinds_of([NOBODY])) == {}, "kinds_of leaves out what is unknown"


def answers_about_what_was_asked(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """Facts of others would be read as facts of these."""
    for at in ids:
        for question, ask in _questions(provider):
            others = {_of(fact) for fact in ask([at])} - {at}
            assert not others, f"{question}([{at}]) also answers about {others}"


def answers_the_same_alone_and_together(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """What is known of a resource does not depend on who else is asked about, nor on how often."""
    for question, ask in _questions(provider):
        together = list(ask(ids))
        for at in ids:
            assert list(ask([at])) == [f for f in together if _of(f) == at], f"{question} of {at} alone and with others"


def lays_series_on_a_grid(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """A reading is a finite number; a missing one is None; one series a name and unit."""
    found = list(provider.series(ids))
    for one in found:
        where = f"{one.metric} of {one.resource}"
        assert one.step_s > 0, f"{where}: a step takes time"
        assert any(v is not None for v in one.values), f"{where}: a series has a reading"
        assert all(v is None or math.isfinite(v) for v in one.values), f"{where}: readings are finite"
    names = [(s.resource, s.metric, s.unit) for s in found]
    assert len(names) == len(set(names)), "a series comes once"


def tells_oldest_first(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """Logs and deploys are in the order of time."""
    for question, stamps in (
        ("logs", [line.timestamp for line in provider.logs(ids)]),
        ("deploys", [d.timestamp for d in provider.deploys(ids)]),
    ):
        assert stamps == sorted(stamps), f"{question} are oldest first"


def holds_the_tables_that_its_databases_have(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """Which database holds a table is asked before its statistics; both must know the same tables."""
    held = provider.tables()
    for database in provider.databases(ids):
        listed = {t.name for t in database.tables}
        assert listed <= set(held.get(database.resource, ())), f"tables() knows those of {database.resource}"


def walks_along_its_edges(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """An edge leaves its source, arrives at its target, and is counted there."""
    graph = provider.graph()
    for at in ids:
        assert all(edge.source == at for edge in graph.edges_from([at])), f"edges_from({at}) leave it"
        arriving = graph.edges_to([at])
        assert all(edge.target == at for edge in arriving), f"edges_to({at}) arrive there"
        assert graph.in_degrees([at]).get(at, 0) >= len({(e.source, e.relation) for e in arriving}), (
            f"in_degrees counts those of {at}"
        )
    for at, (kind, name) in graph.kinds_of(ids).items():
        assert at in graph.named([kind], [name]), f"named() finds {at}"
    assert graph.is_empty() is (not graph.kinds_of(ids) and not graph.edges_from(ids) and not graph.edges_to(ids)) or not ids


def names_its_gaps(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """A gap says what and why."""
    for _, ask in _questions(provider):
        ask(ids)
    for gap in provider.gaps():
        assert gap.what, "a gap says what was not read"
        assert gap.why, "a gap says why"


def keeps_no_secret(provider: Provider, ids: Sequence[ResourceId]) -> None:
    """Configuration and log lines have been through redaction."""
    for fact in (*provider.resources(ids), *provider.logs(ids)):
        assert redacted(fact) == fact, f"a fact of {_of(fact)} holds what looks like a secret"


CONTRACTS: tuple[Contract, ...] = (
    has_a_name_and_an_aware_now,
    asked_about_nothing_it_answers_nothing,
    does_not_know_strangers,
    answers_about_what_was_asked,
    answers_the_same_alone_and_together,
    lays_series_on_a_grid,
    tells_oldest_first,
    holds_the_tables_that_its_databases_have,
    walks_along_its_edges,
    names_its_gaps,
    keeps_no_secret,
)


def _questions(provider: Provider) -> Iterator[tuple[str, Callable[[Collection[ResourceId]], Sequence[Any]]]]:
    yield from (
        ("resources", provider.resources), ("series", provider.series), ("logs", provider.logs), ("databases", provider.databases),
        ("deploys", provider.deploys), ("alarms", provider.alarms),
    )  # fmt: skip


def _of(fact: Any) -> ResourceId:
    return fact.id if hasattr(fact, "attributes") else fact.resource
