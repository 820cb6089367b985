"""One payment, with its lines in the journal: begun, then the answer or the end without one."""

from contextlib import suppress

from bencher.orchestration.attempt import Runner, attempt
from bencher.orchestration.flight import Flight, Landed
from bencher.orchestration.memory import Memory
from bencher.orchestration.record import BEGUN, ENDED, is_another_wording, payload_of
from bencher.orchestration.report import Failed, Report


async def paid(flight: Flight, *, runner: Runner, journal: Memory, report: Report, run_id: str) -> Landed | Failed:
    """Ask the agent once. The key is claimed; an answer is in the journal when this returns. OSError: the journal cannot be written."""
    key, place = flight.question.key, flight.place.digest
    records = journal.records
    was_in_flight, before = key in records.in_flight, records.places.get(place, key)
    if before != key and not is_another_wording(records.answers[before], flight.question):
        before = key  # of another program
    journal.write(key, place, BEGUN)  # a full disk shows before anything is paid
    flight.attempts += 1
    report.count_attempt(key, before=before, was_in_flight=was_in_flight, is_retry=flight.attempts > 1)
    outcome: str | Failed | None = None
    try:
        outcome = await attempt(runner, flight.question, flight.policy)
    finally:
        if not isinstance(outcome, str):
            with suppress(OSError):
                journal.write(key, place, ENDED)
    if isinstance(outcome, Failed):
        return outcome
    assert outcome is not None
    report.answered.add(key)  # whatever becomes of the writing
    payload = payload_of(flight.question, outcome, place=str(flight.place), run_id=run_id)
    journal.write(key, place, payload)
    return Landed(payload, "paid")
