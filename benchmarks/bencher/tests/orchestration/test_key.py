"""Point 1, rules 1 and 11: what the same question is."""

import hashlib
import json
import os
import subprocess
import sys

import pytest
from bencher.orchestration import NotCanonical, Orchestrator, Policy, key_of
from bencher.orchestration.question import Question
from bencher.orchestration.testing import FakeAgent, in_virtual_time
from hypothesis import given, settings
from hypothesis import strategies as st

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def test_the_key_is_the_sha256_of_canonical_json():
    asked = json.dumps([1, "read é", {"a": [1, 2.5, None], "model": "m"}, 3], ensure_ascii=False, separators=(",", ":"))

    assert key_of("read é", {"model": "m", "a": [1, 2.5, None]}, 3) == hashlib.sha256(asked.encode()).hexdigest()


def test_keys_do_not_change_from_release_to_release():
    assert key_of("p", {"model": "m"}) == "db8da05f402bdddbdea57a051389b593c97a91b50409de485b7f17a8f85e961c"


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_keys_are_the_same_in_another_process_under_another_hash_seed(seed):
    options = {"tools": ["b", "a"], "model": "m", "z": {"y": 1, "x": 2}}
    code = f"from bencher.orchestration import key_of; print(key_of('p', {options!r}, 2))"

    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == key_of("p", dict(reversed(options.items())), 2)


def test_kinds_of_one_sign_differ():
    values = [1, "1", 1.0, True, None, "null", [], {}, [1], ["1"], "é", "e\u0301", "\U0001f600", "\ud83d\ude00", "\ud83d"]

    assert len({key_of("p", {"v": v}) for v in values}) == len(values)
    assert len({key_of(v) for v in values}) == len(values)
    assert len({key_of("p", {}, n) for n in range(5)}) == 5


@settings(max_examples=25, deadline=None)
@given(JSON, st.dictionaries(st.text(max_size=5), JSON, max_size=3), JSON, st.dictionaries(st.text(max_size=5), JSON, max_size=3))
def test_equal_keys_mean_equal_questions(prompt, options, other_prompt, other_options):
    def told(prompt, options):
        return json.dumps([prompt, options], sort_keys=True)

    same = told(prompt, options) == told(other_prompt, other_options)

    assert (key_of(prompt, options) == key_of(other_prompt, other_options)) == same
    assert told(*Question.of(prompt, options, 0).for_agent()) == told(prompt, options)


class Thing:
    pass


LOOP: list = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    "value",
    [{1, 2}, b"x", float("nan"), float("inf"), Thing(), {1: "a"}, {"x": [{None: 1}]}, print, LOOP],
    ids=["set", "bytes", "nan", "inf", "object", "key 1", "key None", "function", "circle"],
)
@pytest.mark.parametrize("place", ["prompt", "options", "sample"])
def test_what_is_not_canonical_is_refused_before_anything_is_paid(value, place):
    agent = FakeAgent(1)

    async def job():
        async with Orchestrator(runner=agent) as run:
            asked = {"prompt": "p", "options": {"o": 1}, "sample": 0}
            asked[place] = {"v": value} if place == "options" else value
            with pytest.raises(NotCanonical):
                await run.agent(**asked)

    in_virtual_time(job())

    assert agent.begun == []


@pytest.mark.parametrize("options", [0, 5, [], [("a", 1)], "", "ab", False, {1}], ids=repr)
def test_options_that_are_no_mapping_are_refused(options):
    with pytest.raises(NotCanonical, match="give a dict"):
        key_of("p", options)


def test_patience_and_limits_are_not_in_the_key(tmp_path):
    agents = [FakeAgent(seed) for seed in range(3)]

    async def job(agent, limit, policy, durability):
        async with Orchestrator(
            journal=tmp_path / "j", limit=limit, runner=agent, durability=durability, run_id=str(limit)
        ) as run:
            return await run.agent("p", {"model": "m"}, policy=policy)

    first = in_virtual_time(job(agents[0], 4, Policy(), "process"))
    second = in_virtual_time(job(agents[1], 1, Policy(attempts=9, timeout_s=1, backoff_s=5, validate=bool), "process"))
    third = in_virtual_time(job(agents[2], None, Policy(attempts=2), "power"))

    assert first == second == third
    assert [len(agent.begun) for agent in agents] == [1, 0, 0]


def test_the_agent_gets_what_the_key_says_whatever_happens_to_the_callers_objects():
    seen = []

    async def spoiling(prompt, options):
        seen.append((json.dumps(prompt), json.dumps(options)))
        options["model"] = "spoiled"
        prompt.append("spoiled")
        raise ValueError

    prompt, options = ["p"], {"model": "m"}

    async def job():
        async with Orchestrator(runner=spoiling) as run:
            with pytest.raises(ValueError):
                await run.agent(prompt, options, policy=Policy(attempts=3))

    in_virtual_time(job())

    assert seen == [('["p"]', '{"model": "m"}')] * 3
    assert (prompt, options) == (["p"], {"model": "m"})
