"""A client that moves to another endpoint of a service which is deployed by itself."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

RUBY = ("class SlotClient\n  def free(d)\n    @http.{}\n  end\nend\n", 'get("/v1/depots/#{d}/slots")', 'post("/v2/slots/search", d.to_json)')  # fmt: skip
PYTHON = ("import requests\n\n\ndef free(d):\n    return {}\n", 'requests.get(f"{URL}/v1/depots/{d}/slots")', 'requests.post(f"{URL}/v2/slots/search", json=d)')  # fmt: skip
NODE = ("export const free = async (d) => {};\n", "await axios.get(`${process.env.SLOT_URL}/v1/depots/${d}/slots`)", "await axios.post(`${process.env.SLOT_URL}/v2/slots/search`, d)")  # fmt: skip
FETCH = ("export const free = async (d) => {};\n", "fetch(`${URL}/v1/depots/${d}/slots`)", 'fetch(`${URL}/v2/slots/search`, {method: "POST"})')  # fmt: skip
GO = ("package slots\n\nfunc Free(d string) {\n\treq, _ := {}\n\tdo(req)\n}\n".replace("{\n", "{{\n").replace("\n}", "\n}}"), 'http.NewRequest("GET", base+"/v1/depots/"+d+"/slots", nil)', 'http.NewRequest("POST", base+"/v2/slots/search", d)')  # fmt: skip
JAVA = ("class SlotClient {{\n  Slots free(String d) {{\n    return {};\n  }}\n}}\n", 'rest.getForObject(base + "/v1/depots/{d}/slots", Slots.class, d)', 'rest.postForObject(base + "/v2/slots/search", d, Slots.class)')  # fmt: skip
HTTPX = ("import httpx\n\n\nasync def free(d):\n    return await {}\n", 'client.get(f"/v1/depots/{d}/slots")', 'client.post("/v2/slots/search", json=d)')  # fmt: skip
HOST = ("import httpx\n\n\ndef free(d):\n    return {}\n", 'httpx.get(f"http://slot-api:7000/v1/depots/{d}/slots")', 'httpx.post("http://slot-api:7000/v2/slots/search", json=d)')  # fmt: skip
FORMS = {
    "app/clients/slot_client.rb": RUBY, "shop/slot_client.py": PYTHON, "src/slots.ts": NODE, "src/slot_client.ts": FETCH,
    "slots/client.go": GO, "src/main/java/SlotClient.java": JAVA, "shop/slots.py": HTTPX, "shop/slot_api.py": HOST,
}  # fmt: skip
OLD = "http_requests_per_second{route=/v1/depots/:depot/slots}"
NEW = "http_requests_per_second{route=/v2/slots/search}"


def a_shop(*, old=14.0, new=None, **attributes):
    production = MemoryProduction()
    own = production.resource("kubernetes:prod/shop/deployment/shop", "kubernetes.deployment", "shop", is_deployed=True)
    other = production.resource("kubernetes:prod/slots/deployment/slot-api", "kubernetes.deployment", "slot-api", **attributes)
    production.edge(own, other, "invokes")
    production.metric(other, OLD, "Count/Second", old)
    if new is not None:
        production.metric(other, NEW, "Count/Second", new)
    return production


def told(file, production, *, extra=None):
    text, old, new = FORMS[file]
    base = {file: text.replace("{}", old).replace("{{", "{").replace("}}", "}"), **(extra or {})}
    head = {file: text.replace("{}", new).replace("{{", "{").replace("}}", "}")}
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "moved-call"]


@pytest.mark.parametrize("file", FORMS)
def test_whether_the_new_path_is_served_is_asked(file):
    assert told(file, a_shop()) == ["plausible"]


@pytest.mark.parametrize("file", FORMS)
def test_a_path_that_is_called_already_is_served(file):
    assert told(file, a_shop(new=0.5)) == ["refuted"]


@pytest.mark.parametrize(
    ("routes", "expected"),
    [
        (["/v1/depots/:depot/slots"], "confirmed"),
        (["GET /v1/depots/{depot}/slots", "GET /v2/slots/search"], "confirmed"),
        (["GET /v1/depots/{depot}/slots", "POST /v2/slots/search"], "refuted"),
        (["/v1/depots/:depot/slots", "/v2/slots/search"], "refuted"),
        (["/"], "plausible"),
        (["/v1/depots/:depot/slots", "/*"], "plausible"),
        ([], "plausible"),
    ],
)
def test_the_live_routes_of_the_service_decide(routes, expected):
    assert told("app/clients/slot_client.rb", a_shop(routes=routes)) == [expected]


@pytest.mark.parametrize(("status", "expected"), [(200, "refuted"), (404, "plausible")])
def test_only_calls_that_succeeded_prove_the_path(status, expected):
    production = a_shop()
    for _ in range(3):
        production.log(
            "kubernetes:prod/slots/deployment/slot-api", f"method=POST path=/v2/slots/search status={status} duration=4"
        )
    assert told("app/clients/slot_client.rb", production) == [expected]


def test_a_call_that_nobody_makes_is_no_matter():
    assert told("app/clients/slot_client.rb", a_shop(old=0.0)) == []


def test_a_path_that_the_repository_serves_itself_is_no_other_service():
    routes = {"config/routes.rb": 'Rails.application.routes.draw do\n  post "/v2/slots/search", to: "slots#search"\nend\n'}
    assert told("app/clients/slot_client.rb", a_shop(), extra=routes) == []
