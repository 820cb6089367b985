"""A fallback that turns while the flag service decides: what it serves is what counts."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

PYTHON = 'from UnleashClient import UnleashClient\n\nclient = UnleashClient(url=URL, app_name="trips")\nDEFAULTS = {{"fast-router": {}}}\n\n\ndef on(name):\n    return client.is_enabled(name, fallback_function=lambda f, _: DEFAULTS[f])\n'
TABLE = 'export const defaults: Record<string, boolean> = {{\n  "fast-router": {},\n}};\nexport const isOn = (n: string) => client.isEnabled(n, defaults[n]);\n'
VARIATION = 'import ld from "./ld";\nexport const route = async (u) => {{\n  const fast = await ld.boolVariation("fast-router", u, {});\n  return fast;\n}};\n'
GO = 'package trips\n\nfunc Fast(c Ctx) bool {{\n\ton, _ := client.BoolVariation("fast-router", c, {})\n\treturn on\n}}\n'
JAVA = 'class Router {{\n  boolean fast() {{\n    return unleash.isEnabled("fast-router", {});\n  }}\n}}\n'
RUBY = "module Flags\n  DEFAULTS = {{\n    fast_router: {},\n  }}.freeze\n\n  def self.on?(name)\n    UNLEASH.is_enabled?(name, nil, DEFAULTS.fetch(name))\n  end\nend\n"
YAML = "flags:\n  fast-router:\n    default: {}\n"
KOTLIN = 'class Router {{\n  fun fast() = unleash.isEnabled("fast-router", {})\n}}\n'
FORMS = [
    ("trips/flags.py", PYTHON, ("False", "True")),
    ("src/flags.ts", TABLE, ("false", "true")),
    ("src/router.ts", VARIATION, ("false", "true")),
    ("trips/router.go", GO, ("false", "true")),
    ("src/main/java/Router.java", JAVA, ("false", "true")),
    ("src/main/kotlin/Router.kt", KOTLIN, ("false", "true")),
    ("lib/flags.rb", RUBY, ("false", "true")),
    ("config/flags.yaml", YAML, ("false", "true")),
]
UNLEASH = {"enabled": True, "strategies": [{"name": "flexibleRollout", "rollout": 100, "constraints": []}]}


def told(file, text, sides, production):
    evaluation = evaluation_of({file: text.format(sides[0])}, {file: text.format(sides[1])}, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "feature-flag"]


def trips(kind="unleash.feature", **attributes):
    production = MemoryProduction()
    job = production.resource("nomad:job:trips", "nomad.job", "trips", is_deployed=True)
    if attributes:
        flag = production.resource(f"{kind.partition('.')[0]}:feature:fast-router", kind, "fast-router", **attributes)
        production.edge(job, flag, "reads_from")
    return production


def counted(name, on, off, labels=("feature", "enabled")):
    production = trips()
    for state, rate in (("true", on), ("false", off)):
        metric = f"{name}{{{labels[0]}=fast-router,{labels[1]}={state}}}"
        production.metric("nomad:job:trips", metric, "Count/Second", rate)
    return production


@pytest.mark.parametrize(("file", "text", "sides"), FORMS)
def test_a_fallback_of_a_flag_that_serves_everyone_changes_nobody(file, text, sides):
    assert told(file, text, sides, trips(**UNLEASH)) == ["refuted"]


@pytest.mark.parametrize(
    ("kind", "attributes"),
    [
        ("unleash.feature", {"enabled": True, "strategies": [{"name": "default"}]}),
        ("unleash.feature", {"enabled": True, "rollout": 100}),
        ("launchdarkly.flag", {"on": True, "fallthrough": True, "rules": [], "targets": []}),
        ("launchdarkly.flag", {"on": True, "rollout_percent": 100}),
        ("flagsmith.feature", {"enabled": True, "percentage": 100}),
        ("flagd.flag", {"state": "ENABLED", "default_variant": "on"}),
        ("aws.appconfig.flag", {"enabled": True}),
        ("split.feature_flag", {"default_treatment": "on", "traffic_allocation": 100}),
    ],
)
def test_every_service_says_in_its_own_words_that_all_get_it(kind, attributes):
    assert told(*FORMS[0], trips(kind, **attributes)) == ["refuted"]


@pytest.mark.parametrize(
    "attributes",
    [
        {"enabled": True, "strategies": [{"name": "flexibleRollout", "rollout": 20, "constraints": []}]},
        {
            "enabled": True,
            "strategies": [{"name": "flexibleRollout", "rollout": 100, "constraints": [{"contextName": "region"}]}],
        },
        {"enabled": True, "rollout": 100, "archived": True},
        {"enabled": False},
        {"owner": "routing"},
    ],
)
def test_a_flag_that_does_not_serve_everyone_is_no_proof(attributes):
    assert "refuted" not in told(*FORMS[0], trips(**attributes))


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("feature_toggle_usage_per_second", ("feature", "enabled")),
        ("flag_evaluations_per_second", ("flag", "value")),
        ("feature_flag_evaluation_requests", ("feature_flag.key", "variant")),
        ("launchdarkly_evaluations_total", ("flag_key", "variation")),
    ],
)
@pytest.mark.parametrize(("on", "off", "expected"), [(40.0, 0.0, ["refuted"]), (40.0, 3.0, []), (0.0, 0.0, [])])
def test_evaluations_that_all_gave_the_new_state_are_proof(name, labels, on, off, expected):
    assert told(*FORMS[0], counted(name, on, off, labels)) == expected


def test_a_fallback_that_turns_off_is_held_against_a_flag_that_is_off():
    file, text, (off, on) = FORMS[0]
    assert told(file, text, (on, off), trips(enabled=False)) == ["refuted"]
    assert told(file, text, (on, off), trips(**UNLEASH)) == []
