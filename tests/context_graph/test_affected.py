"""The walk from a change to what it can reach."""

from context_graph.affected import HUB_IN_DEGREE, MAX_AFFECTED, Start, affected_resources
from context_graph.graph import MemoryGraph
from gonogo.resource import Edge, Relation

REPOSITORY = "github:acme/shop"


def reach(*edges: tuple[str, str, str], starts=()):
    graph = MemoryGraph([Edge(source=s, target=t, relation=Relation(r)) for s, r, t in edges], {})
    found, gaps = affected_resources(REPOSITORY, starts, graph)
    return {a.resource: a for a in found}, gaps


def test_what_the_repository_deploys_to_is_affected_and_so_is_what_that_writes_to() -> None:
    found, _ = reach((REPOSITORY, "deploys_to", "api"), ("api", "writes_to", "db"))

    assert found["db"].path == (REPOSITORY, "api", "db")
    assert found["db"].why == "api writes_to db"
    assert found["api"].distance < found["db"].distance


def test_callers_and_triggers_are_affected_two_steps_up() -> None:
    found, _ = reach(
        (REPOSITORY, "deploys_to", "api"), ("lb", "routes_to", "api"), ("dns", "routes_to", "lb"), ("user", "routes_to", "dns")
    )

    assert {"lb", "dns"} <= found.keys()
    assert "user" not in found


def test_teams_and_other_repositories_are_not_affected() -> None:
    found, _ = reach((REPOSITORY, "deploys_to", "api"), ("api", "owned_by", "team:a"), ("github:acme/other", "deploys_to", "api"))

    assert found.keys() == {"api"}


def test_a_neighbour_of_a_neighbour_upstream_is_not_walked_down_again() -> None:
    found, _ = reach((REPOSITORY, "deploys_to", "api"), ("lb", "routes_to", "api"), ("lb", "routes_to", "unrelated"))

    assert "unrelated" not in found


def test_a_hub_is_reached_and_not_expanded_and_that_is_said() -> None:
    crowd = [(f"c{i}", "connects_to", "kms") for i in range(HUB_IN_DEGREE + 1)]
    found, gaps = reach(
        (REPOSITORY, "deploys_to", "api"), ("api", "connects_to", "kms"), ("kms", "connects_to", "beyond"), *crowd
    )

    assert "kms" in found
    assert "beyond" not in found
    assert any("not expanded" in gap.why for gap in gaps)


def test_a_walk_that_is_cut_says_so() -> None:
    wide = [("api", "invokes", f"f{i}") for i in range(MAX_AFFECTED + 50)]
    found, gaps = reach((REPOSITORY, "deploys_to", "api"), *wide)

    assert len(found) == MAX_AFFECTED
    assert any("cut" in gap.why for gap in gaps)


def test_what_the_change_names_comes_first() -> None:
    found, _ = reach(
        (REPOSITORY, "deploys_to", "aaa"), (REPOSITORY, "deploys_to", "zzz"), starts=[Start("zzz", "named", is_named=True)]
    )

    assert list(found) == ["zzz", "aaa"]


def test_a_cycle_ends() -> None:
    found, _ = reach((REPOSITORY, "deploys_to", "a"), ("a", "invokes", "b"), ("b", "invokes", "a"))

    assert found.keys() == {"a", "b"}
