"""The repository's own settings: what may stand in them, and that every mistake is told at once, where it stands."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonogo.errors import CallError, WrongConfiguration
from gonogo.policy import Policy
from gonogo.policy_file import read_policy

SOURCE = ".github/gonogo.yml"
KNOWN = frozenset({"postgres/index-not-concurrent", "postgres/vacuum-full", "iam/action-removed", "lock-on-live-table"})
DOCUMENTED = Path(__file__).parents[2] / "docs" / "configuration.md"


def read(text: str) -> Policy:
    return read_policy(text, source=SOURCE, known=lambda: KNOWN)


def mistakes(text: str) -> list[tuple[int | None, str]]:
    with pytest.raises(WrongConfiguration) as said:
        read(text)
    return [(m.line, m.message) for m in said.value.mistakes]


def outcome_of(text: str) -> Policy | WrongConfiguration:
    try:
        return read(text)
    except WrongConfiguration as error:
        return error


def test_every_mistake_is_told_at_once_with_the_settings_that_exist() -> None:
    with pytest.raises(CallError) as said:
        Policy.from_mapping({"blok_on_plausible": True, "material_requests": "many"}, source=SOURCE)

    assert SOURCE in str(said.value)
    assert "'blok_on_plausible' is not a setting" in str(said.value)
    assert "'material_requests'" in str(said.value)
    assert "block_on_plausible" in str(said.value)


@pytest.mark.parametrize("empty", [None, {}])
def test_an_empty_file_means_the_defaults(empty) -> None:
    assert Policy.from_mapping(empty, source="x") == Policy()


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "---\n", "ignore:\nbenchmarks:\n"])
def test_a_file_without_values_means_the_defaults(text) -> None:
    assert read(text) == Policy()


def test_a_list_is_not_a_configuration() -> None:
    with pytest.raises(CallError, match="expected a mapping"):
        Policy.from_mapping(["a"], source="x")


def test_each_mistake_stands_at_its_line() -> None:
    text = """\
# settings
blok_on: [confirmed]
deadline: soon
rules:
  postgres/index-not-concurent: high
  postgres/vacuum-full: {severity: huge}
  iam/action-removed: off
accept:
  - file: a.sql
    rule: lock-on-live-tables
    reason: archived
benchmarks:
  - benchmark: support@3
    entry_point: a
    import_path: b:c
  - benchmark: support@3
    entry_point: a
    gates:
      - {metric: accuracy}
    env:
      - OPENAI_API_KEY=sk-1
    hosts: ['https://api.openai.com/v1']
"""
    told = mistakes(text)

    assert [line for line, _ in told] == [2, 3, 5, 6, 7, 10, 13, 19, 21, 22]
    said = dict(told)
    assert said[2].startswith("'blok_on' is not a setting; did you mean block_on?")
    assert said[3] == "'deadline': must be a number"
    assert said[5] == "'postgres/index-not-concurent' is not a rule; did you mean postgres/index-not-concurrent?"
    assert said[6] == "'rules.postgres/vacuum-full.severity': must be 'high', 'medium', 'low' or 'off'"
    assert "needs a reason" in said[7]
    assert said[10] == "'lock-on-live-tables' is no rule and no playbook; did you mean lock-on-live-table?"
    assert said[13] == "'benchmarks[0]': name the agent by exactly one of 'entry_point' and 'import_path'"
    assert said[19] == "'benchmarks[1].gates[0].max_drop': is missing"
    assert "only names stand here" in said[21]
    assert "without a scheme" in said[22]


def test_the_message_names_file_and_lines() -> None:
    with pytest.raises(WrongConfiguration) as said:
        read("shadow: maybe\nlive_gate: 3\n")

    assert str(said.value) == (
        ".github/gonogo.yml line 1: 'shadow': must be true or false; line 2: 'live_gate': must be true or false"
    )


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("", ("confirmed",)),
        ("block_on: [confirmed]", ("confirmed",)),
        ("block_on: [confirmed, plausible]", ("confirmed", "plausible")),
        ("block_on: [plausible, confirmed]", ("plausible", "confirmed")),
        ("block_on_plausible: true", ("confirmed", "plausible")),
        ("block_on_plausible: false", ("confirmed",)),
        ("block_on: [confirmed, plausible]\nblock_on_plausible: true", ("confirmed", "plausible")),
    ],
)
def test_what_blocks_and_its_older_form_say_the_same(written, meant) -> None:
    policy = read(written)

    assert policy.block_on == meant
    assert policy.block_on_plausible is ("plausible" in meant)
    assert Policy.model_validate_json(policy.model_dump_json()) == policy


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("block_on: [plausible]", "must hold confirmed"),
        ("block_on: []", "shadow: true"),
        ("block_on: plausible", "must be a list"),
        ("block_on: [confirmed, sometimes]", "must be 'confirmed' or 'plausible'"),
        ("block_on: [confirmed]\nblock_on_plausible: true", "say different things"),
        ("on_error: maybe", "must be 'open' or 'closed'"),
        ("deadline: 0", "greater than or equal to 1"),
        ("deadline: .inf", "finite"),
        ("material_requests: .nan", "finite"),
        ("ignore: docs", "must be a list"),
        ("resources: [a]", "must be a mapping"),
        ("accept: [{rule: postgres/vacuum-full, file: a, reason: r, until: soon}]", "until"),
    ],
)
def test_what_makes_no_sense_is_a_mistake(written, why) -> None:
    assert any(why in message for _, message in mistakes(written))


@pytest.mark.parametrize(
    "written",
    [
        "{severity: off, reason: we drain it}",
        "{severity: 'off', reason: we drain it}",
        "{off: we drain it}",
        "{'off': we drain it}",
    ],
)
def test_a_rule_is_off_with_a_reason_however_yaml_reads_the_word(written) -> None:
    policy = read(f"rules: {{postgres/vacuum-full: {written}}}")

    assert policy.switched_off == {"postgres/vacuum-full": "we drain it"}
    assert policy.severity_of("postgres/vacuum-full") is None
    assert [(a.rule, a.file, a.reason) for a in policy.accepted_everywhere] == [("postgres/vacuum-full", "*", "we drain it")]


@pytest.mark.parametrize("written", ["off", "'off'", "{severity: off}", "{severity: off, reason: '  '}", "{off: }"])
def test_a_rule_is_not_off_without_a_reason(written) -> None:
    assert len(mistakes(f"rules:\n  postgres/vacuum-full: {written}\n")) == 1


def test_a_rule_has_a_severity_with_or_without_a_reason() -> None:
    policy = read("rules:\n  postgres/vacuum-full: low\n  iam/action-removed: {severity: high, reason: it hurt}\n")

    assert (policy.severity_of("postgres/vacuum-full"), policy.severity_of("iam/action-removed")) == ("low", "high")
    assert policy.severity_of("other/rule") is None
    assert policy.switched_off == {}


def test_a_playbook_is_accepted_and_not_switched_off() -> None:
    [(line, said)] = mistakes("rules: {lock-on-live-table: low}")

    assert (line, said) == (1, "'lock-on-live-table' is a playbook, not a rule; accept what it finds with 'accept'")
    assert read("accept: [{rule: lock-on-live-table, file: a.sql, reason: archived}]").accept[0].rule == "lock-on-live-table"


def test_one_resource_needs_no_list() -> None:
    assert read("resources: {a/: x, b/: [y, z]}").resources == {"a/": ("x",), "b/": ("y", "z")}


def test_a_benchmark_has_defaults_and_limits() -> None:
    [benchmark] = read("benchmarks: [{benchmark: support@3, entry_point: support}]").benchmarks

    assert (benchmark.agent, benchmark.parallelism, benchmark.repeats, benchmark.gates, benchmark.env) == (".", 4, 1, (), ())
    for wrong in ("parallelism: 0", "parallelism: 1.5", "repeats: 0", "benchmark: ' '", "gates: [{metric: a, max_drop: -1}]"):
        assert mistakes(f"benchmarks: [{{benchmark: support@3, entry_point: support, {wrong}}}]")


@pytest.mark.parametrize("host", ["api.openai.com", "localhost:8080", "*.example.org", "10.0.0.1:443"])
def test_hosts_are_names_with_or_without_a_port(host) -> None:
    [benchmark] = read(f"benchmarks: [{{benchmark: a, entry_point: b, hosts: ['{host}']}}]").benchmarks

    assert benchmark.hosts == (host,)


@pytest.mark.parametrize("host", ["http://x", "a b", "", "x/", "-x.org", "x:port", "*", "x..y"])
def test_what_is_no_host_is_a_mistake(host) -> None:
    assert mistakes(f"benchmarks: [{{benchmark: a, entry_point: b, hosts: ['{host}']}}]")


def test_the_example_of_the_documentation_is_read() -> None:
    from bot.report.rule_pages import page_ids

    example = DOCUMENTED.read_text().split("```yaml\n")[1].split("```")[0]

    policy = read_policy(example, source=str(DOCUMENTED), known=page_ids)

    assert {name for name in Policy.model_fields if getattr(policy, name) != Policy.model_fields[name].get_default(call_default_factory=True)} >= {
        "production", "block_on", "on_error", "deadline", "ignore", "resources", "rules", "accept", "benchmarks",
    }  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates(),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from([*Policy.model_fields, "severity", "off", "reason", "rule", "a/b"]) | st.text(), inner, max_size=4
            )
        ),
        max_leaves=20,
    )
)
def test_whatever_a_file_holds_it_is_a_policy_or_mistakes(value) -> None:
    import yaml

    text = yaml.safe_dump(value, allow_unicode=True)

    said = outcome_of(text)

    assert isinstance(said, Policy) or (str(said).startswith(SOURCE) and all(m.message for m in said.mistakes))
