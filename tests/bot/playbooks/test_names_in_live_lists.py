"""Names that code must have, found in the live lists of a service: secrets, variables and settings, under any usual attribute."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status
from gonogo.word import Json

SERVICE = "arn:aws:ecs:eu-west-1:1:service/core/pay"
READS = {
    "src/main/java/com/example/pay/Bank.java": (
        "class Bank {}\n",
        'class Bank {\n  Bank(@Value("${PAY_KEY}") String key) {}\n}\n',
    ),
    "src/main/java/com/acme/Pay.java": (
        "class Pay {}\n",
        'class Pay {\n  String key = Objects.requireNonNull(System.getenv("PAY_KEY"));\n}\n',
    ),
    "src/main/kotlin/example/Pay.kt": (
        "class Pay\n",
        'class Pay {\n  val key = System.getenv("PAY_KEY") ?: error("PAY_KEY")\n}\n',
    ),
    "src/main/resources/application.yml": (
        "pay:\n  url: https://a.example\n",
        "pay:\n  url: https://a.example\n  key: ${PAY_KEY}\n",
    ),
    "internal/pay/pay.go": (
        "package pay\n",
        'package pay\n\nimport "os"\n\nfunc Key() string {\n\tkey := os.Getenv("PAY_KEY")\n\tif key == "" {\n\t\tpanic("PAY_KEY")\n\t}\n\treturn key\n}\n',
    ),
    "app/pay.rb": ("class Pay; end\n", 'class Pay\n  KEY = ENV.fetch("PAY_KEY")\nend\n'),
    "src/pay.rs": (
        "fn main() {}\n",
        'fn main() {\n    let key = std::env::var("PAY_KEY").expect("PAY_KEY");\n    run(key);\n}\n',
    ),
    "src/Pay.cs": (
        "class Pay {}\n",
        'class Pay {\n  string key = Environment.GetEnvironmentVariable("PAY_KEY") ?? throw new Exception("PAY_KEY");\n}\n',
    ),
    "config/runtime.exs": ("import Config\n", 'import Config\n\nconfig :pay, key: System.fetch_env!("PAY_KEY")\n'),
    "src/pay.ts": ("export {};\n", 'export const key = required("PAY_KEY", process.env.PAY_KEY);\n'),
}


def _statuses(path: str, **attributes: Json) -> list[Status]:
    production = MemoryProduction("github:acme/shop")
    production.resource(SERVICE, "aws.ecs.service", "pay", is_deployed=True, **{"environment_keys": ["A"], **attributes})  # pyright: ignore[reportArgumentType]
    production.metric(SERVICE, "RequestCountPerSecond", "Count/Second", 4.0)
    before, after = READS[path]
    evaluation = evaluation_of({path: before}, {path: after}, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "missing-name"]


@pytest.mark.parametrize("path", READS)
def test_a_secret_of_the_live_service_refutes_in_every_language(path: str) -> None:
    assert _statuses(path, secret_keys=["PAY_KEY", "B"]) == [Status.REFUTED]


@pytest.mark.parametrize(
    "attributes",
    [
        {"environment_keys": ["A", "PAY_KEY"]},
        {"secrets": ["PAY_KEY"]},
        {"secrets": [{"name": "PAY_KEY", "value_from": "arn:aws:ssm:e:1:parameter/pay"}]},
        {"vars": ["PAY_KEY"]},
        {"env_vars": ["PAY_KEY"]},
        {"config_keys": ["PAY_KEY"]},
        {"config_vars": {"PAY_KEY": "…"}},
        {"app_settings": {"PAY_KEY": "…"}},
    ],
)
def test_the_list_may_have_any_usual_name(attributes: dict[str, Json]) -> None:
    assert _statuses("app/pay.rb", **attributes) == [Status.REFUTED]


@pytest.mark.parametrize("path", READS)
def test_a_list_without_the_name_does_not_refute(path: str) -> None:
    assert Status.REFUTED not in _statuses(path, secret_keys=["OTHER_KEY"])
