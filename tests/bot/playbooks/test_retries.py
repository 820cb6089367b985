import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "retries"]


def a_service(*, cpu=None, errors=None, **limits):
    production = MemoryProduction("github:acme/basket")
    basket = production.resource("kubernetes:prod/shop/deployment/basket", "kubernetes.deployment", "basket", is_deployed=True)
    stock = production.resource("kubernetes:prod/shop/deployment/stock", "kubernetes.deployment", "stock", **limits)
    production.edge(basket, stock, "invokes")
    production.metric(basket, "http_requests_per_second", "Count/Second", 100.0)
    if cpu is not None:
        production.metric(stock, "cpu_utilization", "Percent", cpu)
    if errors is not None:
        production.metric(stock, "http_error_ratio", "Percent", errors)
    return production


EAGER = """import requests

ATTEMPTS = {}

def reserve(sku):
    for attempt in range(ATTEMPTS):
        try:
            return requests.get("http://stock/" + sku, timeout=1)
        except requests.RequestException:
            continue
    raise RuntimeError(sku)
"""
EAGER_TS = """const ATTEMPTS = {};
export async function reserve(sku: string) {{
  for (let i = 0; i < ATTEMPTS; i++) {{
    try {{
      return await fetch(`http://stock/${{sku}}`);
    }} catch (e) {{
      continue;
    }}
  }}
  throw new Error(sku);
}}
"""
PATIENT = """from tenacity import retry, stop_after_attempt, wait_random_exponential

@retry(stop=stop_after_attempt({}), wait=wait_random_exponential(multiplier=0.5, max=10))
def reserve(sku):
    return requests.get("http://stock/" + sku, timeout=1)
"""
SPRING = "resilience4j:\n  retry:\n    instances:\n      stock:\n        max-attempts: {}\n        wait-duration: 10ms\n"
SPRING_PATIENT = (
    SPRING.replace("10ms", "500ms")
    + "        enable-exponential-backoff: true\n        exponential-backoff-multiplier: 2\n        enable-randomized-wait: true\n"
)


@pytest.mark.parametrize(("path", "text"), [("a.py", EAGER), ("a.ts", EAGER_TS), ("src/main/resources/application.yml", SPRING)])
def test_eager_attempts_at_a_service_near_its_limit_are_confirmed(path, text) -> None:
    assert told(evaluation_of({path: text.format(2)}, {path: text.format(6)}, a_service(cpu=92.0, errors=4.0))) == ["confirmed"]


@pytest.mark.parametrize(
    ("path", "text"), [("a.py", EAGER), ("a.py", PATIENT), ("src/main/resources/application.yml", SPRING_PATIENT)]
)
def test_a_service_with_ample_room_refutes(path, text) -> None:
    assert told(evaluation_of({path: text.format(2)}, {path: text.format(4)}, a_service(cpu=20.0, errors=0.01))) == ["refuted"]


def test_attempts_that_wait_for_a_service_that_never_fails_are_refuted() -> None:
    assert told(evaluation_of({"a.py": PATIENT.format(2)}, {"a.py": PATIENT.format(6)}, a_service(cpu=80.0, errors=0.0))) == [
        "refuted"
    ]


def test_attempts_that_wait_for_a_busy_service_stay_a_question() -> None:
    assert told(evaluation_of({"a.py": PATIENT.format(2)}, {"a.py": PATIENT.format(6)}, a_service(cpu=95.0, errors=4.0))) == [
        "plausible"
    ]


def test_eager_attempts_at_an_unmeasured_service_stay_a_question() -> None:
    assert told(evaluation_of({"a.ts": EAGER_TS.format(1)}, {"a.ts": EAGER_TS.format(5)}, a_service())) == ["plausible"]


def test_fewer_attempts_are_silent() -> None:
    assert told(evaluation_of({"a.py": EAGER.format(6)}, {"a.py": EAGER.format(2)}, a_service(cpu=92.0, errors=4.0))) == []


@pytest.mark.parametrize("text", ["MAX_LOGIN_ATTEMPTS = {}\n", "RETRY_DELAY_SECONDS = {}\n", "PAGE_LIMIT = {}\n"])
def test_other_numbers_are_silent(text) -> None:
    assert told(evaluation_of({"a.py": text.format(3)}, {"a.py": text.format(9)}, a_service(cpu=92.0, errors=4.0))) == []


def test_a_pause_that_goes_is_confirmed_at_a_service_near_its_limit() -> None:
    path = "src/main/resources/application.yml"
    before = SPRING.format(5).replace("10ms", "2s")

    assert told(evaluation_of({path: before}, {path: SPRING.format(5)}, a_service(cpu=92.0, errors=4.0))) == ["confirmed"]


def test_a_constant_is_judged_by_the_loop_that_uses_it() -> None:
    loop = EAGER.replace("ATTEMPTS = {}\n", "from settings import ATTEMPTS\n")
    base = {"settings.py": "ATTEMPTS = 2\n", "stock.py": loop}

    assert told(evaluation_of(base, {"settings.py": "ATTEMPTS = 6\n"}, a_service(cpu=92.0, errors=4.0))) == ["confirmed"]
