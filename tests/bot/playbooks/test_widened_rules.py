"""A rule that deletes old things reaches more of them than before."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

RULE = 'resource "aws_s3_bucket" "docs" {{\n  bucket = "docs"\n}}\nresource "aws_s3_bucket_lifecycle_configuration" "docs" {{\n  bucket = aws_s3_bucket.docs.id\n  rule {{\n    id     = "tidy"\n    status = "{status}"\n{filter}    expiration {{\n      days = 30\n    }}\n  }}\n}}\n'
INSIDE = 'resource "aws_s3_bucket" "docs" {{\n  bucket = "docs"\n  lifecycle_rule {{\n    id      = "tidy"\n    enabled = {status}\n{filter}    expiration {{\n      days = 30\n    }}\n  }}\n}}\n'
TEMPLATE = "Resources:\n  Docs:\n    Type: AWS::S3::Bucket\n    Properties:\n      BucketName: docs\n      LifecycleConfiguration:\n        Rules:\n          - Id: tidy\n            Status: {status}\n{filter}            ExpirationInDays: 30\n"
GOOGLE = 'resource "google_storage_bucket" "docs" {{\n  name = "docs"\n  lifecycle_rule {{\n    action {{\n      type = "{status}"\n    }}\n    condition {{\n      age = 30\n{filter}    }}\n  }}\n}}\n'


def rule(filter_="", status="Enabled"):
    return {"a.tf": RULE.format(filter=filter_, status=status)}


def inside(filter_="", status="true"):
    return {"a.tf": INSIDE.format(filter=filter_, status=status)}


def template(filter_="", status="Enabled"):
    return {"template.yaml": TEMPLATE.format(filter=filter_, status=status)}


def google(filter_="", status="Delete"):
    return {"a.tf": GOOGLE.format(filter=filter_, status=status)}


WIDENED = {
    "an empty filter": (rule('    filter {\n      prefix = "tmp/"\n    }\n'), rule("    filter {}\n")),
    "no filter": (rule('    filter {\n      prefix = "tmp/"\n    }\n'), rule()),
    "an empty prefix": (rule('    filter {\n      prefix = "tmp/"\n    }\n'), rule('    filter {\n      prefix = ""\n    }\n')),
    "a filter of several": (rule('    filter {\n      and {\n        prefix = "tmp/"\n        object_size_greater_than = 1\n      }\n    }\n'), rule("    filter {}\n")),
    "a prefix of the rule": (rule('    prefix = "tmp/"\n'), rule('    prefix = ""\n')),
    "a tag": (rule('    filter {\n      tag {\n        key = "temporary"\n        value = "yes"\n      }\n    }\n'), rule("    filter {}\n")),
    "a rule that is switched on": (rule(status="Disabled"), rule()),
    "inside the bucket": (inside('    prefix = "tmp/"\n'), inside()),
    "inside the bucket, switched on": (inside(status="false"), inside()),
    "cloudformation": (template("            Prefix: tmp/\n"), template()),
    "cloudformation, another prefix": (template("            Prefix: tmp/\n"), template("            Prefix: reports/\n")),
    "google": (google('      matches_prefix = ["tmp/"]\n'), google()),
    "google, one prefix more": (google('      matches_prefix = ["tmp/"]\n'), google('      matches_prefix = ["tmp/", "reports/"]\n')),
}  # fmt: skip
NARROWED = {
    "a filter that comes": (rule("    filter {}\n"), rule('    filter {\n      prefix = "tmp/"\n    }\n')),
    "a longer prefix": (template("            Prefix: tmp/\n"), template("            Prefix: tmp/a/\n")),
    "a rule that is switched off": (rule(), rule(status="Disabled")),
    "a filter of a rule that is off": (rule('    filter {\n      prefix = "tmp/"\n    }\n', "Disabled"), rule(status="Disabled")),
    "a rule that moves things to a colder class": (google('      matches_prefix = ["tmp/"]\n', "SetStorageClass"), google(status="SetStorageClass")),
}  # fmt: skip


def docs(*lines, objects: float | None = 18e6, is_google=False):
    production = MemoryProduction("github:acme/archive")
    kind, name = ("google.storage.bucket", "google:bucket:docs") if is_google else ("aws.s3.bucket", "arn:aws:s3:::docs")
    bucket = production.resource(name, kind, "docs", is_deployed=True, versioning=False)
    app = production.resource("arn:aws:ecs:1:service/docs-app", "aws.ecs.service", "docs-app", is_deployed=True)
    production.edge(app, bucket, "reads_from")
    if objects is not None:
        production.metric(bucket, "NumberOfObjects", "Count", objects)
    for line in lines:
        production.log(app, line)
    return production


def told(change, production):
    evaluation = evaluation_of(*change, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "retention"]


OLD = [f"GET reports/{n}.pdf 200 age_days={400 + 10 * n}" for n in range(40)]
YOUNG = [f"GET reports/{n}.pdf 200 age_days={n % 9}" for n in range(40)]


@pytest.mark.parametrize("form", WIDENED)
def test_what_is_read_long_after_that_age_is_lost(form) -> None:
    assert told(WIDENED[form], docs(*OLD, is_google="google" in form)) == ["confirmed"]


@pytest.mark.parametrize("form", WIDENED)
def test_what_is_read_at_a_young_age_only_is_not_missed(form) -> None:
    assert told(WIDENED[form], docs(*YOUNG, is_google="google" in form)) == ["refuted"]


@pytest.mark.parametrize("form", WIDENED)
def test_without_the_age_of_what_is_read_the_question_stays(form) -> None:
    assert told(WIDENED[form], docs(is_google="google" in form)) == ["plausible"]


@pytest.mark.parametrize("form", NARROWED)
def test_a_rule_that_deletes_no_more_than_before_is_silent(form) -> None:
    assert told(NARROWED[form], docs(*OLD, is_google="google" in form or "colder" in form)) == []


def test_an_empty_bucket_loses_nothing() -> None:
    assert told(WIDENED["an empty filter"], docs(objects=0)) == ["refuted"]


def test_reads_under_the_old_prefix_say_nothing_of_the_rest() -> None:
    lines = [f"GET tmp/{n}.pdf 200 age_days=90" for n in range(40)]

    assert told(WIDENED["an empty filter"], docs(*lines)) == ["plausible"]
