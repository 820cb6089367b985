"""What Prometheus reads."""

from datetime import UTC, datetime, timedelta

from bot.storage.app_rows import Outcome, PullRequestFacts, RepositoryFacts, Result
from bot.storage.app_store import AppStore


def test_every_outcome_is_counted_from_the_start(client):
    text = client.get("/metrics").text

    for outcome in ("go", "no-go", "nothing", "could-not", "cancelled"):
        assert f'gonogo_evaluations_total{{outcome="{outcome}"}} 0.0' in text


def test_the_counts_are_those_of_the_store(client, engine):
    store = AppStore(engine)
    store.upsert_repository(RepositoryFacts(id=1, installation_id=1, owner="acme", name="shop"))
    for number, outcome in enumerate((Outcome.GO, Outcome.NO_GO, Outcome.NO_GO), 1):
        facts = PullRequestFacts(
            id=number,
            repository_id=1,
            number=number,
            head_sha="a" * 40,
            base_ref="main",
            base_sha="b" * 40,
            updated_at=datetime.now(UTC),
        )
        store.see_pull_request(facts)
        raised = store.raise_generation(number, head_sha="a" * 40, base_ref="main", base_sha="b" * 40, trigger="opened")
        store.claim(raised.evaluation.id, "w", timedelta(seconds=15))
        assert store.conclude(raised.evaluation.id, "w", Result(outcome=outcome, cost=0.25, input_tokens=10))
    text = client.get("/metrics").text

    assert 'gonogo_evaluations_total{outcome="no-go"} 2.0' in text
    assert 'gonogo_evaluations_total{outcome="go"} 1.0' in text
    assert "gonogo_model_cost_dollars_total 0.75" in text
    assert 'gonogo_model_tokens_total{direction="input"} 30.0' in text
    assert "gonogo_evaluation_seconds_count 3.0" in text
    assert 'gonogo_writes_waiting{has_failed="false"} 4.0' in text
    assert "acme" not in text


def test_what_waits_in_the_queue_is_told(client, sender):
    sender.deliver(guid="one")
    sender.deliver(guid="two")

    text = client.get("/metrics").text

    assert 'gonogo_queue_jobs{queue="events"} 2.0' in text
    assert "gonogo_workers 0.0" in text
