"""The published schema of `.github/gonogo.yml` and the reader of the file say the same."""

from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from gonogo.errors import WrongConfiguration
from gonogo.policy import Policy
from gonogo.policy_file import read_policy
from scripts.policy_schema import policy_schema, said_below_fields

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "docs" / "configuration.md").read_text().split("```yaml\n")[1].split("```")[0]

RIGHT = [
    EXAMPLE,
    "repository: a/b\nproduction: snapshot\nmaterial_requests: 10\nchange_may_accept: true\nblock_on_plausible: true",
    "block_on: [confirmed]\non_error: open\nshadow: true\nlive_gate: true\ndeadline: 1.5",
    "resources: {a: b, c: [d, e]}\nignore: [a/*]",
    "rules: {a/b: high, c/d: {severity: low}, e/f: {severity: low, reason: r}, g/h: {severity: off, reason: r}}",
    "rules: {a/b: {severity: 'off', reason: r}, c/d: {'off': r}}",
    "benchmarks: [{benchmark: a, entry_point: b, gates: [{metric: m, max_drop: 0}], env: [A_1], hosts: ['h:1', '*.x.org']}]",
    "benchmarks: [{benchmark: a, import_path: 'b:c', agent: d, extra_deps: [e], parallelism: 64, repeats: 100}]",
]
WRONG = [
    "nonsense: 1",
    "block_on: [plausible]",
    "block_on: [sometimes]",
    "on_error: maybe",
    "shadow: maybe",
    "deadline: 0",
    "deadline: 86401",
    "material_requests: 0",
    "resources: {a: 1}",
    "resources: [a]",
    "ignore: a",
    "rules: {a/b: huge}",
    "rules: {a/b: off}",
    "rules: {a/b: {severity: off}}",
    "rules: {a/b: {reason: r}}",
    "rules: {a/b: {severity: low, because: r}}",
    "accept: [{rule: a/b, file: c}]",
    "accept: [{rule: A, file: c, reason: d}]",
    "benchmarks: [{benchmark: a}]",
    "benchmarks: [{benchmark: a, entry_point: b, import_path: c}]",
    "benchmarks: [{entry_point: b}]",
    "benchmarks: [{benchmark: a, entry_point: b, env: [A=b]}]",
    "benchmarks: [{benchmark: a, entry_point: b, hosts: ['http://x']}]",
    "benchmarks: [{benchmark: a, entry_point: b, parallelism: 65}]",
    "benchmarks: [{benchmark: a, entry_point: b, gates: [{metric: m}]}]",
    "benchmarks: [{benchmark: a, entry_point: b, gates: [{metric: m, max_drop: -1}]}]",
    "benchmarks: [{benchmark: a, entry_point: b, timeout: 5}]",
    "[a]",
]


def is_valid(text: str) -> bool:
    return not list(Draft202012Validator(policy_schema()).iter_errors(yaml.load(text, _Dates)))


class _Dates(yaml.SafeLoader):
    """YAML as JSON has it: a date is text."""


_Dates.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(policy_schema())


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_read_is_valid(text):
    assert isinstance(read_policy(text, source="x"), Policy)
    assert is_valid(text)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_a_mistake_is_not_valid(text):
    with pytest.raises(WrongConfiguration):
        read_policy(text, source="x")
    assert not is_valid(text)


def test_every_key_is_in_the_schema_and_is_explained():
    properties = policy_schema()["properties"]

    assert list(properties) == list(Policy.model_fields)
    assert [name for name, field in properties.items() if not field.get("description")] == []
    assert said_below_fields(Policy).keys() == Policy.model_fields.keys()
