"""A trajectory has a name that people can write, and that stays when the code around it moves."""

import re

from gonogo.evidence import FileEvidence
from gonogo.redaction import redacted
from gonogo.trajectory import Impact, Link, Role, Trajectory, trajectory_id


def a_trajectory(
    *, line: int = 3, quote: str = "CREATE INDEX i ON orders (a);", title: str = "Building i blocks orders", **more
) -> Trajectory:
    trigger = Link(role=Role.TRIGGER, claim="it is built", evidence=(FileEvidence(file="db/1.sql", line=line, quote=quote),))
    fields = {
        "impact": Impact.HIGH,
        "resource": "orders-db",
        "metric": "Connections",
        "make_safe": "",
        "playbook": "lock-on-live-table",
    }
    return Trajectory(title=title, links=(trigger,), **(fields | more))


def test_it_is_eight_hex_digits_and_the_same_every_time():
    name = trajectory_id(a_trajectory())

    assert re.fullmatch(r"[0-9a-f]{8}", name)
    assert name == trajectory_id(a_trajectory())


def test_it_stays_when_lines_move_and_measured_numbers_change():
    assert trajectory_id(a_trajectory(line=3)) == trajectory_id(a_trajectory(line=90))
    assert trajectory_id(a_trajectory(title="CPU at 81.5 %")) == trajectory_id(a_trajectory(title="CPU at 97 %"))
    assert trajectory_id(a_trajectory(impact=Impact.LOW, make_safe="x")) == trajectory_id(a_trajectory())


def test_another_resource_metric_playbook_line_or_object_is_another_trajectory():
    names = {
        trajectory_id(a_trajectory(**change))
        for change in (
            {},
            {"resource": "other-db"},
            {"metric": "CPU"},
            {"playbook": "dropped-index"},
            {"quote": "CREATE INDEX j ON orders (a);"},
            {"title": "Building j blocks orders"},
        )
    }

    assert len(names) == 6


def test_it_is_the_same_with_and_without_its_secrets_and_unseen_signs():
    quote = 'password = "hunter2-hunter2"'
    seen, stored = a_trajectory(quote=f"{quote}\u200b"), a_trajectory(quote=redacted(quote))

    assert redacted(quote) != quote
    assert trajectory_id(seen) == trajectory_id(stored)
