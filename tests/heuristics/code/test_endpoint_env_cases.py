"""Every recorded case of a route or an environment read comes out right, by mechanism.

`RIGHT` says in terms of the interface what each `right_answer` of the file means. A case that needs production facts
(what production holds, what a ConfigMap has) gets them from the case's own `context`.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from context_graph.testing import MemoryTree
from heuristics.code import (
    Creation,
    Narrowed,
    Read,
    Route,
    added_routes,
    conditional_routes,
    creations_of,
    narrowed_routes,
    reads_of,
    redirected_routes,
    removed_routes,
    rerouted_routes,
    route_callers,
    value_changes,
)

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parents[2] / "fixtures" / "endpoint_env_cases.jsonl").read_text().splitlines())
}


class Case:
    def __init__(self, case: dict) -> None:
        self.base = MemoryTree(case["base"], side="base")
        self.head = MemoryTree(case["head"], side="head")
        self.files = case
        self.context = case["context"]

    def removed(self) -> set[tuple[str, str]]:
        return {route.key for route in removed_routes(self.base, self.head)}

    def narrowed(self) -> tuple[Narrowed, ...]:
        return narrowed_routes(self.base, self.head)

    def reads(self) -> dict[str, Read]:
        return {read.name: read for read in reads_of(self.head)}

    def creations(self) -> dict[str, Creation]:
        return {creation.name: creation for creation in creations_of(self.head)}

    def missing(self) -> set[str]:
        """Required reads of head that neither the tree nor production creates."""
        made = {name for name, creation in self.creations().items() if creation.has_value}
        held = (
            set(self.context.get("production_env", ()))
            | set(self.context.get("worker_secrets", ()))
            | set(self.context.get("worker_vars", ()))
        )
        return {r.name for r in reads_of(self.head) if r.requirement == "required" and not {r.name, *r.aliases} & (made | held)}


def untouched(case: Case) -> bool:
    return not case.removed() and not case.narrowed() and not conditional_routes(case.base, case.head)


METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def e015(case: Case) -> bool:
    return not case.removed() and [r.key for r in conditional_routes(case.base, case.head)] == [("GET", "/legacy/report")]


def e016(case: Case) -> bool:
    return not case.removed() and [r.key for r in redirected_routes(case.base, case.head)] == [("GET", "/legacy/report")]


def e017(case: Case) -> bool:
    (found,) = rerouted_routes(case.base, case.head)
    return not case.removed() and (found.base.path, found.base.handler, found.head.handler) == ("/a/export", "one", "two")


def e027(case: Case) -> bool:
    (found,) = rerouted_routes(case.base, case.head)
    return not case.removed() and (found.base.key, found.base.handler, found.head.handler) == (("DELETE", "/tasks/{}"), "d", "h")


def e036(case: Case) -> bool:
    method, path = case.files["base"]["svc-a: routes"].split()
    gone = Route(method, path, "routes", 1)
    deployed = MemoryTree({"client.py": "\n".join(case.context["callers"]["svc-b@deployed"])}, side="head")
    main = MemoryTree({"client.py": "\n".join(case.context["callers"]["svc-b@main"])}, side="head")
    return len(route_callers(deployed, gone)) == 1 and route_callers(main, gone) == ()


def e046(case: Case) -> bool:
    made, read = case.creations()["A"], case.reads()["A"]
    return made.may_be_empty and read.requirement == "default" and read.fails_on_empty


def e058(case: Case) -> bool:
    (need,) = case.creations()["QUEUE_URL"].needs
    return (need.kind, need.name, need.key, need.is_optional) == (
        "configmap",
        "app",
        "queue_url",
        False,
    ) and need.key not in case.context["production_configmaps"]["app"]


def e061(case: Case) -> bool:
    made = case.creations()["QUEUE_URL"]
    return (
        not case.missing()
        and made.file == "infra/ecs.tf"
        and made.file in case.files["head"]
        and made.file not in case.files["base"]
    )


def e062(case: Case) -> bool:
    (need,) = case.creations()["PAY_KEY"].needs
    return need.kind == "parameter" and need.name == "/prod/pay_key" and need.name not in case.context["ssm_names"]


def e067(case: Case) -> bool:
    changes = value_changes("wrangler.toml", case.base.text("wrangler.toml"), case.head.text("wrangler.toml"))
    same_name = {c.name for c in creations_of(case.base)} == {c.name for c in creations_of(case.head)} == {"DB"}
    return same_name and [(c.path, c.old, c.new) for c in changes] == [("d1_databases.0.database_id", "a", "b")]


def e068(case: Case) -> bool:
    from heuristics.code import exported_classes

    bound = {
        c.new or c.old
        for c in value_changes("wrangler.toml", "", case.head.text("wrangler.toml"))
        if c.path.startswith("migrations.") and "new_classes" in c.path
    }
    base, head = (exported_classes(tree.text("src/i.ts") or "", "typescript") for tree in (case.base, case.head))
    return base - head == {"Room"} and head - base == {"Hall"} and any("Room" in str(name) for name in bound)


def e069(case: Case) -> bool:
    made = case.creations()
    at_deploy = {(n.kind, n.name) for c in made.values() for n in c.needs if not n.is_optional}
    return at_deploy == {("parameter", "/prod/pay_key"), ("host", "X")} and {
        r.name for r in case.reads().values() if r.requirement == "required"
    } == {"/prod/pay_key", "X"}


def e072(case: Case) -> bool:
    read = case.reads()["ACME_BUS.URL"]
    return read.requirement == "required" and not read.is_strict and "ACME_BUS_URL" in read.aliases


def e078(case: Case) -> bool:
    reads = case.reads()
    return case.missing() == {"PAY_KEY", "BUILD_SHA"} and reads["BUILD_SHA"].phase == "build" and reads["PAY_KEY"].phase == "run"


def e081(case: Case) -> bool:
    return not case.reads() and [r.name for r in reads_of(case.base)] == ["OLD"]


RIGHT: dict[str, Callable[[Case], bool]] = {
    "e006": lambda c: [(n.how, n.place, n.name) for n in c.narrowed()] == [("new required", "body", "queue")] and not c.removed(),
    "e010": lambda c: c.removed() == {(method, "/api/cart/{}/") for method in METHODS},
    "e012": lambda c: c.removed() == {("DELETE", "view:CartView")},
    "e013": untouched,
    "e015": e015,
    "e016": e016,
    "e017": e017,
    "e018": lambda c: c.removed() == {("POST", "/api/quotes")},
    "e021": lambda c: c.removed() == {("DELETE", "/api/users/{}")},
    "e022": lambda c: (
        c.removed() == {("GET", "/v1/users")} and {r.key for r in added_routes(c.base, c.head)} == {("GET", "/v2/users")}
    ),
    "e023": lambda c: c.removed() == {("PUT", "/v1/loans/{}")},
    "e027": e027,
    "e030": lambda c: c.removed() == {("DELETE", "/api/books/{}")},
    "e032": lambda c: c.removed() == {(method, "api.acme.dev/{*}") for method in METHODS},
    "e034": lambda c: c.removed() == {(method, "/pay") for method in METHODS - {"POST"}},
    "e036": e036,
    "e037": lambda c: untouched(c) and not removed_routes(c.base, c.head),
    "e039": lambda c: c.missing() == set(),
    "e041": lambda c: c.missing() == set() and c.reads()["SENTRY_DSN"].requirement == "optional",
    "e043": lambda c: c.missing() == {"STRIPE_SECRET_KEY"} and "STRIPE_KEY" in {r.name for r in reads_of(c.base)},
    "e046": e046,
    "e052": lambda c: (
        {r.name: r.requirement for r in c.reads().values()}
        == {"DB": "required", "PAY_KEY": "required", "OPT": "optional", "D": "default"}
    ),
    "e055": lambda c: c.missing() == set(),
    "e056": lambda c: "VITE_" in c.reads()["GRAPH_URL"].problem,
    "e057": lambda c: c.missing() == {"NEW_KEY"},
    "e058": e058,
    "e061": e061,
    "e062": e062,
    "e064": lambda c: c.missing() == {"QUEUE_URL"} and not c.creations()["QUEUE_URL"].has_value,
    "e066": lambda c: c.missing() == {"PAY_KEY"} and c.reads()["PAY_KEY"].kind == "binding",
    "e067": e067,
    "e068": e068,
    "e069": e069,
    "e070": lambda c: (
        c.missing() == {"pay.key"} and c.reads()["pay.key"].aliases == ("PAY_KEY",) and c.reads()["pay.ttl"].default == "60"
    ),
    "e072": e072,
    "e073": lambda c: c.missing() == {"B_URL"} and c.reads()["D"].default == "5",
    "e074": lambda c: c.missing() == set() and c.reads()["FEATURE_X"].requirement == "optional",
    "e078": e078,
    "e079": lambda c: c.missing() == {"PAY_KEY"} and c.reads()["PAY_KEY"].phase == "run",
    "e080": lambda c: c.reads() == {},
    "e081": e081,
    "e083": lambda c: c.missing() == {"X_ID"} and c.reads()["X_ID"].is_strict,
}


def test_every_case_of_the_file_has_an_expectation() -> None:
    assert set(RIGHT) == set(CASES)


@pytest.mark.parametrize("case_id", sorted(CASES))
def test_the_case_comes_out_right(case_id: str) -> None:
    case = Case(CASES[case_id])

    assert RIGHT[case_id](case), CASES[case_id]["right_answer"]
