"""A planted set of secrets: none of them is in anything that is published, wherever it stood; names are."""

import json
import re

import pytest

from bot.report import annotations
from bot.report.check_run import check_output
from bot.report.comment import comment_text
from bot.report.json import json_report
from bot.report.markdown import markdown_report
from bot.report.published import EVERYTHING, Acknowledged, BenchmarkRow, Earlier, Published
from bot.report.sarif import sarif_report
from bot.report.shown import shown
from bot.report.text import text_report
from gonogo.context import Gap
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.evidence import ConfigEvidence, FileEvidence, Outcome, Verification
from gonogo.finding import Finding
from gonogo.go_if import Edit, GoIf
from gonogo.policy import Policy
from gonogo.redaction import SHAPES
from gonogo.trajectory import Impact, Link, Role, Status, Trajectory, trajectory_id
from gonogo.verdict import LedgerEntry, Verdict

A, H, D = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA", "0123456789abcdef0123456789abcdef", "1234567890"
PLANTED = {
    "AWS access key": "AKIAIOSFODNN7EXAMPLE",
    "AWS session key": "ASIAIOSFODNN7EXAMPLE",
    "GitHub token": f"ghp_{A}abcd",
    "GitHub server token": f"ghs_{A}abcd",
    "GitHub fine-grained token": f"github_pat_{A}",
    "GitLab token": f"glpat-{A[:20]}",
    "Slack bot token": f"xoxb-{D}-{A[:12]}",
    "Slack webhook": f"hooks.slack.com/services/T0/B0/{A[:24]}",
    "Discord webhook": f"discord.com/api/webhooks/{D}/{A}",
    "Stripe live key": f"sk_live_{A[:24]}",
    "Stripe webhook secret": f"whsec_{A}",
    "Anthropic key": f"sk-ant-api03-{A}",
    "OpenAI key": f"sk-proj-{A}",
    "Google API key": f"AIza{A}abc",
    "Google OAuth token": f"ya29.{A}",
    "JSON Web Token": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx{A[:6]}fQ.{A}",
    "npm token": f"npm_{A}abcd",
    "PyPI token": f"pypi-{A}",
    "SendGrid key": f"SG.{A[:22]}.{A}",
    "Twilio key": f"SK{H}",
    "Mailgun key": f"key-{H}",
    "DigitalOcean token": f"dop_v1_{H}{H}",
    "Databricks token": f"dapi{H}",
    "Hugging Face token": f"hf_{A}",
    "Telegram bot token": f"{D[:9]}:AA{A}a",
    "Vault token": f"hvs.{A}",
    "Shopify token": f"shpat_{H}",
    "Grafana token": f"glsa_{A}",
    "Linear key": f"lin_api_{A}",
    "Postman key": f"PMAK-{H[:24]}-{H}{H[:2]}",
    "Sentry token": f"sntrys_{A}{A}",
    "password of an address": "postgres://shop:pw-Zq9-hunter2@db.internal/shop",
    "assigned password": 'DB_PASSWORD = "correct-horse-9-battery"',
    "authorization header": f"Authorization: Bearer {A}",
    "private key block": f"-----BEGIN RSA PRIVATE KEY-----{A}{A}",
}
BARE = {
    "password of an address": "pw-Zq9-hunter2",
    "assigned password": "correct-horse-9-battery",
    "authorization header": A,
    "private key block": f"{A}{A}",
}
"""What must not be seen where the secret is only a part of what was planted."""


def annotations_of(evaluation: Evaluation):
    return annotations.annotations_of(evaluation, shown(evaluation))


def an_evaluation(secret: str) -> Evaluation:
    """The secret in every text of it."""
    cited = FileEvidence(file="app.py", line=3, quote=f"x = f({secret})")
    read = ConfigEvidence(resource="function:shop", key="environment", value=f"it is {secret}")
    links = tuple(
        Link(
            role=role,
            claim=f"it is {secret} here",
            evidence=(cited, read),
            question=f"why {secret} ?",
            query=f"SELECT {secret} ;",
        )
        for role in Role
    )
    trajectory = Trajectory(
        title=f"it leaks {secret} now", impact=Impact.HIGH, resource="function:shop", metric=f"Errors {secret} x", links=links,
        make_safe=f"Leave {secret} out.\n```\nuse {secret} here\n```", undo=f"Take {secret} back.", asked=(f"asked {secret} for",),
    )  # fmt: skip
    held = tuple(Verification(evidence=e, outcome=Outcome.HOLDS, observed=f"saw {secret} there") for e in (cited, read))
    entries = [LedgerEntry(trajectory=trajectory, verifications=held, status=status) for status in Status]
    return Evaluation(
        repository="github:acme/shop", base="b" * 40, head="a" * 40, title=f"a title {secret} of it", verdict=Verdict.NO_GO,
        conclusion=Conclusion.EVALUATED, summary=f"sum {secret} up", ledger=tuple(entries), notes=(f"note {secret} it",),
        findings=(Finding(rule="a/rule", file="b.py", line=1, message=f"see {secret} here", safe_alternative=f"no {secret} here"),),
        gaps=(Gap(stage="context", what=f"what {secret} is", why=f"why {secret} is"),),
        go_if=(GoIf(kind="rewrite", says=f"line 1 has no {secret} in it", edits=(Edit(file="b.py", replaces=1, lines=(f"no {secret} here",)),)),),
    )  # fmt: skip


def every_rendering(secret: str) -> dict[str, str]:
    evaluation = an_evaluation(secret)
    published = Published(
        number=1, head_sha="a" * 40, evaluation=evaluation, why=f"because {secret} of", policy=Policy(shadow=True),
        policy_note=f"settings {secret} note", policy_error=f"line 3: {secret} is no setting",
        acknowledgements=[Acknowledged(trajectory=t, login="x", reason=f"I know {secret} well") for t in (EVERYTHING, trajectory_id(evaluation.ledger[0].trajectory))],
        history=[Earlier(head_sha="c" * 40, outcome="go", summary=f"was {secret} then")],
        benchmarks=[BenchmarkRow(benchmark=f"b {secret} b", metric=f"m {secret} m", base=1, head=2)],
    )  # fmt: skip
    output = check_output(published)
    return {
        "comment": comment_text(published),
        "title": output.title,
        "summary": output.summary,
        "text of the check": output.text,
        "annotations": "\n".join(f"{a.title}\n{a.message}" for a in annotations_of(evaluation)),
        "markdown": markdown_report(evaluation),
        "terminal": text_report(evaluation, width=400),
        "JSON": json_report(evaluation),
        "SARIF": sarif_report(evaluation),
    }


@pytest.mark.parametrize("kind", PLANTED)
def test_no_rendering_holds_a_planted_secret(kind):
    hidden = BARE.get(kind, PLANTED[kind])

    for name, text in every_rendering(PLANTED[kind]).items():
        plain = text.replace("\\", "").replace("&#8203;", "").replace("\u200b", "")
        assert hidden not in plain, name
        assert hidden[: len(hidden) // 2 + 4] not in plain, name


@pytest.mark.parametrize("hiding", ["{}\u200b{}", "{}\u00ad{}", "{}\u2060{}"])
def test_a_sign_that_nobody_sees_does_not_hide_one(hiding):
    secret = PLANTED["GitHub token"]

    for name, text in every_rendering(hiding.format(secret[:9], secret[9:])).items():
        if name != "JSON":
            assert secret not in text, name


def test_an_entity_does_not_hide_one():
    secret = PLANTED["GitHub token"]

    for name, text in every_rendering(secret.replace("_", "&#95;")).items():
        assert secret not in text.replace("\\", ""), name


def test_the_planted_set_is_large_and_covers_what_is_known_by_its_shape():
    shapes = [re.compile(shape) for _, shape in SHAPES]

    assert len(PLANTED) >= 30
    assert sum(any(shape.search(secret) for shape in shapes) for secret in PLANTED.values()) >= 30


def test_the_names_of_secrets_stay():
    arn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop/stripe-a1B2c3"
    evaluation = an_evaluation("LEDGER_TOKEN and STRIPE_API_KEY").model_copy(update={"title": arn, "notes": (arn,)})

    report = json.loads(json_report(evaluation))
    assert report["notes"] == [arn]
    assert "LEDGER_TOKEN and STRIPE_API_KEY" in report["trajectories"][0]["title"]
    assert "LEDGER" in markdown_report(evaluation)
