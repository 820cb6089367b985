"""An alarm that goes while another live one does, or does not, ring for the same."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

CLOUDFORMATION = """\
Resources:
  Jobs:
    Type: AWS::SQS::Queue
    Properties:
      QueueName: jobs
  Old:
    Type: AWS::CloudWatch::Alarm
    Properties:
      AlarmName: jobs-age
      Namespace: AWS/SQS
      MetricName: ApproximateAgeOfOldestMessage
      Dimensions:
        - Name: QueueName
          Value: !GetAtt Jobs.QueueName
      Statistic: Maximum
      Period: 300
      EvaluationPeriods: 3
      Threshold: 900
      ComparisonOperator: GreaterThanThreshold
      AlarmActions: [!Ref Pager]
"""
TERRAFORM = """\
resource "aws_sqs_queue" "jobs" {
  name = "jobs"
}

resource "aws_cloudwatch_metric_alarm" "old" {
  alarm_name          = "jobs-age"
  namespace           = "AWS/SQS"
  metric_name         = "ApproximateAgeOfOldestMessage"
  dimensions          = { QueueName = aws_sqs_queue.jobs.name }
  statistic           = "Maximum"
  period              = 300
  evaluation_periods  = 3
  threshold           = 900
  comparison_operator = "GreaterThanThreshold"
  alarm_actions       = [aws_sns_topic.pager.arn]
}
"""
AWS_FORMS = {"template.yaml": (CLOUDFORMATION, "  Old:"), "alarms.tf": (TERRAFORM, 'resource "aws_cloudwatch_metric_alarm"')}
QUEUE, PAGER = "arn:aws:sqs:eu-west-1:1:jobs", "arn:aws:sns:eu-west-1:1:pager"
OLD: dict[str, Any] = {
    "namespace": "AWS/SQS", "metric_name": "ApproximateAgeOfOldestMessage", "dimensions": {"QueueName": "jobs"}, "statistic": "Maximum", "period_s": 300,
    "evaluation_periods": 3, "threshold": 900, "comparison_operator": "GreaterThanThreshold", "alarm_actions": [PAGER], "actions_enabled": True,
}  # fmt: skip


def _alarms(*others: Mapping[str, Any], has_old: bool = True) -> MemoryProduction:
    production = MemoryProduction()
    production.resource(QUEUE, "aws.sqs.queue", "jobs", is_deployed=True)
    every = [("jobs-age", OLD)] if has_old else []
    for name, attributes in (*every, *((f"slo/jobs/{at}", one) for at, one in enumerate(others))):
        alarm = production.resource(f"arn:aws:cloudwatch:eu-west-1:1:alarm:{name}", "aws.cloudwatch.alarm", name, **attributes)
        production.edge(alarm, QUEUE, "reads_from")
        if name == "jobs-age":
            production.edge(production.repository, alarm, "deploys_to")
    return production


def _statuses(base: dict[str, str], head: Mapping[str, str | None], production: MemoryProduction) -> list[Status]:
    said = evaluation_of(base, head, production)
    return [e.status for e in said.ledger if e.trajectory.playbook == "removed-alarm"]


def _removed(production: MemoryProduction, path: str = "template.yaml") -> list[Status]:
    text, start = AWS_FORMS[path]
    return _statuses({path: text}, {path: text[: text.index(start)]}, production)


@pytest.mark.parametrize("path", AWS_FORMS)
@pytest.mark.parametrize("has_old", [True, False])
def test_a_stricter_alarm_on_the_same_metric_refutes_it(path: str, *, has_old: bool) -> None:
    other = {**OLD, "threshold": 600, "evaluation_periods": 2}

    assert _removed(_alarms(other, has_old=has_old), path) == [Status.REFUTED]


@pytest.mark.parametrize(
    "differs",
    [
        {"threshold": 900},
        {"threshold": 600, "comparison_operator": "GreaterThanOrEqualToThreshold"},
        {"dimensions": [{"Name": "QueueName", "Value": "jobs"}], "threshold": 600},
        {"period_s": 60, "evaluation_periods": 15, "threshold": 600},
        {"comparison_operator": None, "threshold": 600},
        {"alarm_actions": [PAGER, "arn:aws:sns:eu-west-1:1:chat"], "threshold": 300},
    ],
)
def test_as_strict_in_other_words_refutes_it_too(differs: dict[str, Any]) -> None:
    assert _removed(_alarms({**OLD, **differs})) == [Status.REFUTED]


@pytest.mark.parametrize(
    "differs",
    [
        {"threshold": 1200},
        {"actions_enabled": False},
        {"alarm_actions": []},
        {"alarm_actions": ["arn:aws:sns:eu-west-1:1:chat"]},
        {"dimensions": {"QueueName": "mails"}},
        {"metric_name": "NumberOfMessagesSent"},
        {"namespace": "Custom"},
        {"statistic": "Minimum"},
        {"comparison_operator": "LessThanThreshold"},
        {"evaluation_periods": 12},
        {"threshold": None},
    ],
)
def test_one_that_rings_later_or_elsewhere_or_not_at_all_leaves_the_question(differs: dict[str, Any]) -> None:
    assert _removed(_alarms({**OLD, **differs})) == [Status.PLAUSIBLE]


def test_without_another_alarm_it_is_a_question_and_does_not_block() -> None:
    assert _removed(_alarms()) == [Status.PLAUSIBLE]


def test_two_alarms_that_go_together_do_not_stand_in_for_each_other() -> None:
    second = (
        CLOUDFORMATION[CLOUDFORMATION.index("  Old:") :]
        .replace("Old", "New")
        .replace("jobs-age", "slo/jobs/0")
        .replace("900", "600")
    )
    text = CLOUDFORMATION + second

    assert _statuses({"t.yaml": text}, {"t.yaml": text[: text.index("  Old:")]}, _alarms({**OLD, "threshold": 600})) == [
        Status.PLAUSIBLE,
        Status.PLAUSIBLE,
    ]


def test_an_alarm_that_goes_with_what_it_watches_is_silent() -> None:
    assert _statuses({"t.yaml": CLOUDFORMATION}, {"t.yaml": "Resources: {}\n"}, _alarms()) == []


def test_an_alarm_that_only_gets_another_name_or_file_is_silent() -> None:
    start = CLOUDFORMATION.index("  Old:")
    renamed = CLOUDFORMATION.replace("  Old:", "  New:")
    moved = "Resources:\n" + CLOUDFORMATION[start:]

    assert _statuses({"t.yaml": CLOUDFORMATION}, {"t.yaml": renamed}, _alarms()) == []
    assert _statuses({"t.yaml": CLOUDFORMATION}, {"t.yaml": CLOUDFORMATION[:start], "u.yaml": moved}, _alarms()) == []


DATADOG = 'resource "datadog_monitor" "old" {\n  name    = "old"\n  type    = "metric alert"\n  query   = "max(last_5m):max:aws.sqs.age{queue:jobs} > 900"\n  message = "@pagerduty-jobs"\n}\n'
GOOGLE = """\
resource "google_monitoring_alert_policy" "old" {
  display_name          = "old"
  notification_channels = ["projects/p/notificationChannels/1"]
  conditions {
    display_name = "age"
    condition_threshold {
      filter          = "metric.type=\\"pubsub.googleapis.com/subscription/oldest_unacked_message_age\\" resource.label.subscription_id=\\"jobs\\""
      comparison      = "COMPARISON_GT"
      threshold_value = 900
      duration        = "300s"
    }
  }
}
"""
RULE = """\
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: old, namespace: watch}
spec:
  groups:
    - name: jobs
      rules:
        - alert: Late
          expr: max(job_age_seconds{queue="jobs"}) > 900
          for: 15m
"""
AZURE = """\
resource "azurerm_monitor_metric_alert" "old" {
  name        = "old"
  window_size = "PT5M"
  criteria {
    metric_namespace = "Microsoft.ServiceBus/namespaces"
    metric_name      = "ActiveMessages"
    aggregation      = "Average"
    operator         = "GreaterThan"
    threshold        = 900
  }
  action {
    action_group_id = "pager"
  }
}
"""
OTHERS: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "monitors.tf": (
        DATADOG,
        "datadog.monitor",
        {"query": "max(last_5m):max:aws.sqs.age{queue:jobs} > 600", "message": "@pagerduty-jobs"},
        {"query": "max(last_5m):max:aws.sqs.age{queue:jobs} > 1600", "message": "@pagerduty-jobs"},
    ),
    "policy.tf": (
        GOOGLE,
        "google.monitoring.alert_policy",
        {
            "conditions": [{"condition_threshold": {"filter": 'metric.type="pubsub.googleapis.com/subscription/oldest_unacked_message_age" resource.label.subscription_id="jobs"',
                                                    "comparison": "COMPARISON_GT", "threshold_value": 600, "duration": "300s"}}],
            "notification_channels": ["projects/p/notificationChannels/1"],
        },
        {
            "conditions": [{"condition_threshold": {"filter": 'metric.type="other"', "comparison": "COMPARISON_GT", "threshold_value": 600, "duration": "300s"}}],
            "notification_channels": ["projects/p/notificationChannels/1"],
        },
    ),
    "rule.yaml": (
        RULE,
        "kubernetes.prometheusrule",
        {"rules": [{"alert": "Later", "expr": 'max( job_age_seconds{queue="jobs"} ) >= 600', "for": "5m"}]},
        {"rules": [{"alert": "Later", "expr": 'max(job_age_seconds{queue="mails"}) > 600', "for": "5m"}]},
    ),
    "azure.tf": (
        AZURE,
        "azure.monitor.metric_alert",
        {"metric_namespace": "Microsoft.ServiceBus/namespaces", "metric_name": "ActiveMessages", "aggregation": "Average", "operator": "GreaterThan", "threshold": 500, "window_size": "PT5M", "action_group_id": "pager", "enabled": True},
        {"metric_namespace": "Microsoft.ServiceBus/namespaces", "metric_name": "ActiveMessages", "aggregation": "Average", "operator": "GreaterThan", "threshold": 500, "window_size": "PT5M", "action_group_id": "pager", "enabled": False},
    ),
}  # fmt: skip


@pytest.mark.parametrize("path", OTHERS)
@pytest.mark.parametrize(("which", "expected"), [("stricter", Status.REFUTED), ("another", Status.PLAUSIBLE)])
def test_other_services_of_alarms_are_read_alike(path: str, which: str, expected: Status) -> None:
    text, kind, stricter, other_attributes = OTHERS[path]
    attributes = stricter if which == "stricter" else other_attributes
    production = MemoryProduction()
    watched = production.resource("x:jobs", "service.queue", "jobs", is_deployed=True)
    other = production.resource("x:other", kind, "other", is_deployed=False, **attributes)
    production.edge(other, watched, "reads_from")

    assert _statuses({path: text, "README.md": "x"}, {path: None}, production) == [expected]


def test_the_manifest_tells_the_direction_that_the_live_alarms_leave_out() -> None:
    production = _alarms({**OLD, "comparison_operator": None, "threshold": 600})
    production.resource(
        "arn:aws:cloudwatch:eu-west-1:1:alarm:jobs-age",
        "aws.cloudwatch.alarm",
        "jobs-age",
        is_deployed=False,
        **{**OLD, "comparison_operator": None},
    )

    assert _removed(production) == [Status.REFUTED]


TWO_RULES = RULE + '        - alert: Many\n          expr: sum(jobs_waiting{queue="jobs"}) > 5000\n          for: 10m\n'


@pytest.mark.parametrize(("limit", "expected"), [("4000", Status.REFUTED), ("9000", Status.PLAUSIBLE)])
def test_a_rule_that_goes_from_a_list_is_looked_for_at_the_other_rules(limit: str, expected: Status) -> None:
    production = MemoryProduction()
    production.resource("k:old", "kubernetes.prometheusrule", "old", is_deployed=True)
    watched = production.resource("x:jobs", "service.queue", "jobs", is_deployed=True)
    rule = {"alert": "ManyJobs", "expr": f'sum(jobs_waiting{{queue="jobs"}}) > {limit}', "for": "10m"}
    other = production.resource("k:slo", "kubernetes.prometheusrule", "slo", rules=[rule])
    production.edge(other, watched, "reads_from")

    assert _statuses({"r.yaml": TWO_RULES}, {"r.yaml": RULE}, production) == [expected]


def test_a_rule_with_another_threshold_is_no_removed_one() -> None:
    assert _statuses({"r.yaml": TWO_RULES}, {"r.yaml": TWO_RULES.replace("5000", "4000")}, MemoryProduction()) == []
