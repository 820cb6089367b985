"""What becomes of a verdict after the merge: a prevented incident is counted with its proof, production is compared."""

import json
import shutil
from datetime import UTC, datetime

from tests.app.watching import rows
from tests.github.story import PRODUCTION, SAFE

DATABASE = "arn:aws:rds:eu-central-1:440011223344:db:rides-db"
QUICK = {"GONOGO_SWEEP_INTERVAL": "1", "GONOGO_DEPLOYS_WITHIN": "1", "GONOGO_WATCHES_FOR": "4"}


def test_a_risk_that_was_flagged_changed_found_gone_and_merged_is_a_prevented_incident(story):
    pull = story.open()
    assert story.wait_for_verdict(pull).conclusion == "failure"
    flagged_head = pull.head_sha
    story.push(pull, SAFE)
    assert story.wait_for_verdict(pull).conclusion == "success"
    assert rows(story, "SELECT * FROM prevented") == []

    story.github.pulls.merge(pull)

    story.until(lambda: rows(story, "SELECT * FROM prevented"), "the prevented incident")
    (counted,) = rows(story, "SELECT * FROM prevented")
    trajectory, evidence = json.loads(counted["trajectory"]), json.loads(counted["evidence"])
    assert counted["pull_request_id"] == pull.id
    assert trajectory["playbook"] == "lock-on-live-table"
    assert (evidence["flagged_head"], evidence["cleared_head"]) == (flagged_head, pull.head_sha)
    assert any(cited["verified"] for link in evidence["links"] for cited in link["evidence"])


def test_a_no_go_that_was_merged_as_it_stands_prevented_nothing(story):
    pull = story.open()
    story.wait_for_verdict(pull)

    story.github.pulls.merge(pull)

    story.until(lambda: rows(story, "SELECT * FROM merge_outcome"), "the merge to be noted")
    assert rows(story, "SELECT * FROM prevented") == []


def test_an_alarm_after_the_deployment_says_that_the_go_was_wrong(start_story, tmp_path):
    production = tmp_path / "production"
    shutil.copytree(PRODUCTION, production)
    story = start_story(settings=QUICK, production=production)
    pull = story.open(SAFE)
    assert story.wait_for_verdict(pull).conclusion == "success"
    story.github.pulls.merge(pull)
    deployment = story.github.repositories.deploy(story.repository, sha=pull.merge_commit_sha)
    story.github.repositories.deployment_status(deployment, "success")
    story.until(lambda: rows(story, "SELECT * FROM merge_outcome WHERE deployed_at IS NOT NULL"), "the deployment to be noted")

    with (production / "alarms.jsonl").open("a") as file:
        now = datetime.now(UTC).isoformat()
        file.write(json.dumps({"since": now, "resource": DATABASE, "name": "writes fail", "state": "ALARM"}) + "\n")

    story.until(lambda: rows(story, "SELECT * FROM merge_outcome WHERE state = 'done'"), "the comparison")
    (outcome,) = rows(story, "SELECT * FROM merge_outcome")
    assert outcome["was_right"] == 0
    assert json.loads(outcome["detail"])["alarms"] == [f"writes fail on {DATABASE}"]


def test_a_quiet_production_without_a_forecast_for_the_time_is_nothing_to_watch(start_story):
    story = start_story(settings=QUICK)
    pull = story.open(SAFE)
    story.wait_for_verdict(pull)

    story.github.pulls.merge(pull)

    story.until(lambda: rows(story, "SELECT * FROM merge_outcome WHERE state = 'nothing-to-watch'"), "the watch to end")
    (outcome,) = rows(story, "SELECT * FROM merge_outcome")
    assert outcome["was_right"] is None
