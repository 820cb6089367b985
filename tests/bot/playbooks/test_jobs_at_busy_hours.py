"""A job that moves to other hours or days: what its last runs added, on top of what is there then."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

JOB = "kubernetes:umoja/ledger/cronjob/ledger-rollup"
DB = "arn:aws:rds:af-south-1:1:db:coop-ledger"


def a_week(quiet, busy, during, *, at=2, weekend=None):
    """Values of a week from Monday on, every five minutes: `busy` from 08:00 to 16:00, `during` in the 45 minutes from `at`:20."""
    values = []
    for day in range(7):
        for step in range(288):
            minute = step * 5
            level = (weekend if weekend is not None and day > 4 else busy) if 480 <= minute < 960 else quiet
            values.append(during if at * 60 + 20 <= minute < at * 60 + 65 else level)
    return values


def a_production(
    metric="CPUUtilization", unit="Percent", values=(), *, done="INSERT 0 418200 | rollup done in 2700 s", **attributes
):
    production = MemoryProduction("github:acme/ledger")
    production.resource(JOB, "kubernetes.cronjob", "ledger-rollup", is_deployed=True)
    production.resource(DB, "aws.rds.instance", "coop-ledger", **attributes)
    production.edge(JOB, DB, "writes_to")
    production.metric(DB, metric, unit, list(values))
    if done:
        production.log(JOB, *[done] * 7)
    return production


CRONJOB = """apiVersion: batch/v1
kind: CronJob
metadata: {name: ledger-rollup, namespace: ledger}
spec:
  schedule: "#S"#Z
  jobTemplate: {spec: {template: {spec: {containers: [{name: rollup, image: "rollup:1"}]}}}}
"""


def told(production, old="20 2 * * *", new="0 10 * * 1-5", zone="", path="cron.yaml", text=CRONJOB):
    zoned = text.replace("#Z", f"\n  timeZone: {zone}" if zone else "")
    evaluation = evaluation_of({path: zoned.replace("#S", old)}, {path: zoned.replace("#S", new)}, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "schedule"]


LOADS = [
    ("CPUUtilization", "Percent", 1, {}),
    ("CPUUtilization.average", "Percent", 1, {}),
    ("cpu_utilization", "Ratio", 0.01, {}),
    ("DatabaseConnections", "Count", 2, {"max_connections": 200}),
    ("read_iops_utilization", "Percent", 1, {}),
    ("dtu_consumption_percent", "Percent", 1, {}),
]


@pytest.mark.parametrize(("metric", "unit", "factor", "attributes"), LOADS, ids=[m[0] for m in LOADS])
def test_a_run_in_busy_hours_is_held_against_what_is_left(metric, unit, factor, attributes) -> None:
    for levels, status in (((11, 72, 68), "confirmed"), ((11, 30, 40), "refuted"), ((11, 50, 55), "plausible")):
        values = [v * factor for v in a_week(*levels)]

        assert told(a_production(metric, unit, values, **attributes)) == [status]


def test_calls_are_held_against_the_rate_that_is_allowed() -> None:
    values = a_week(11 * 300, 72 * 300, 68 * 300)

    assert told(a_production("RequestCount", "Count", values, rate_limit_per_second=100)) == ["confirmed"]


def test_only_the_days_of_the_new_schedule_count() -> None:
    busy_weekdays = a_week(11, 72, 68, weekend=9)

    assert told(a_production(values=busy_weekdays), new="0 10 * * 1-5") == ["confirmed"]
    assert told(a_production(values=busy_weekdays), new="0 10 * * 6") == ["refuted"]


def test_another_day_at_the_same_hour_counts_too() -> None:
    values = [
        68.0 if day == 6 and 120 <= step < 132 else 72.0 if day < 5 and 96 <= step < 192 else 9.0
        for day in range(7)
        for step in range(288)
    ]

    assert told(a_production(values=values), old="0 10 * * 0", new="0 10 * * 1") == ["confirmed"]


def test_a_schedule_in_a_time_zone_runs_at_its_own_hours() -> None:
    values = a_week(11, 72, 68, at=0)

    assert told(a_production(values=values), old="20 2 * * *", new="0 10 * * *", zone="Africa/Johannesburg") == ["confirmed"]
    assert told(a_production(values=values), old="20 2 * * *", new="30 19 * * *", zone="Africa/Johannesburg") == ["refuted"]


def test_a_run_of_unknown_length_is_judged_by_its_highest_moment() -> None:
    assert told(a_production(values=a_week(11, 72, 68), done="")) == ["confirmed"]


def test_a_job_without_runs_in_the_window_is_not_confirmed() -> None:
    assert told(a_production(values=a_week(11, 72, 68)), old="20 2 1 * *") == ["refuted"]


FORMS = [
    ("k8s/cron.yaml", CRONJOB.replace("#Z", ""), "20 2 * * *", "0 10 * * 1-5"),
    ("app/schedule.py", 'scheduler.add_job(rollup, CronTrigger.from_crontab("#S"))\n', "20 2 * * *", "0 10 * * 1-5"),
    ("src/jobs.ts", 'cron.schedule("#S", () => rollup());\n', "20 2 * * *", "0 10 * * 1-5"),
    ("src/Rollup.java", 'class Rollup {\n  @Scheduled(cron = "#S")\n  void run() {}\n}\n', "0 20 2 * * *", "0 0 10 * * MON-FRI"),
    ("config/schedule.yml", 'rollup:\n  cron: "#S"\n  class: Rollup\n', "20 2 * * *", "0 10 * * 1-5"),
    ("cmd/main.go", 'package main\n\nfunc main() { c.AddFunc("#S", rollup) }\n', "20 2 * * *", "0 10 * * 1-5"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "old", "new"), FORMS, ids=[f[0] for f in FORMS])
def test_the_hour_is_read_wherever_it_is_written(path, text, old, new) -> None:
    assert told(a_production(values=a_week(11, 72, 68)), old=old, new=new, path=path, text=text) == ["confirmed"]


@pytest.mark.parametrize(
    "metric", ["buffer_cache_hit_ratio", "memory_utilization", "FreeStorageSpacePercent", "http_error_ratio"]
)
def test_shares_of_what_a_job_does_not_use_up_say_nothing(metric) -> None:
    assert told(a_production(metric, "Percent", a_week(11, 72, 68))) == []
