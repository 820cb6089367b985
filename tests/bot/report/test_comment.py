"""The one comment: verdict and number first, proof with links, the rest folded, never too long."""

import html
import re
from datetime import UTC, datetime, timedelta

import pytest
from markdown_it import MarkdownIt

from bot.report.comment import MAX_LENGTH, comment_text, marker_of
from bot.report.conclusions import Outcome
from bot.report.published import BASE_COPY_NOTE, EVERYTHING, Acknowledged, BenchmarkRow, Earlier, Other
from bot.report.sparkline import sparkline
from gonogo.evaluation import Conclusion, Coverage, Evaluation, Failure, ModelUse, Telemetry
from gonogo.forecast import Backtest, Forecast
from gonogo.live import LiveNote
from gonogo.policy import Policy
from gonogo.trajectory import trajectory_id
from gonogo.verdict import Verdict

AT = datetime(2026, 5, 11, 9, 30, tzinfo=UTC)
PLACE = "migrations/0114_order_search_trgm.sql:3"
OURS = {
    "h3",
    "h4",
    "p",
    "strong",
    "em",
    "details",
    "summary",
    "sub",
    "span",
    "ol",
    "ul",
    "li",
    "code",
    "pre",
    "a",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}
PAGE = "https://gonogo.acme.example/evaluations/e1"


def the_id(evaluation: Evaluation) -> str:
    return trajectory_id(evaluation.blockers()[0].trajectory)


def folds(text: str) -> list[tuple[str, str]]:
    return re.findall(r"<details><summary>(.*?)</summary>(.*?)</details>", text, re.DOTALL)


def test_the_first_line_says_no_go_and_the_impact_with_the_number_that_matters(no_go, published):
    first = comment_text(published(no_go)).splitlines()[0]

    assert first.startswith("### 🔴 **no-go**: Merging this pull request may degrade production (high impact). ")
    assert "38 per second" in first
    assert re.search(r"at least [\d,]+ requests", first)


def test_then_the_line_of_the_change_its_mechanism_and_what_makes_it_safe(no_go, published):
    _, _, starts, _, safe, *_ = comment_text(published(no_go)).splitlines()

    assert starts.startswith(
        f"[`{PLACE}`](https://github.com/acme/shop/blob/{no_go.head}/migrations/0114_order_search_trgm.sql#L3)"
    )
    assert "blocks writes to orders" in starts
    assert "it holds SHARE on orders" in starts
    assert safe.startswith("**To make this safe:** Build it with `CREATE INDEX CONCURRENTLY`")


def test_the_marker_is_in_the_last_line_and_only_there(no_go, published):
    lines = comment_text(published(no_go)).splitlines()

    assert lines[-1] == "<!-- gonogo:114 -->" == marker_of(114)
    assert sum("<!--" in line for line in lines) == 1


def test_each_link_of_a_chain_leads_to_its_lines_at_the_head_and_to_its_reading(no_go, published):
    text = comment_text(published(no_go, dashboard_url=PAGE))

    assert re.search(rf"\d\. \*\*trigger\*\*: .*\n   - \\\[1\] \[`{re.escape(PLACE)}`\]\(\S+/blob/{no_go.head}/\S+#L3\)", text)
    assert f"]({PAGE}#reading-{the_id(no_go)}-2)" in text
    assert re.search(r"\[`database shop-pg: orders [^`]*writes_per_second = 38`\]\(", text)


def test_it_says_how_it_is_undone_what_would_turn_it_and_how_it_is_taken_knowingly(no_go, published):
    text = comment_text(published(no_go))

    assert "**To undo:** Cancel the statement" in text
    assert "**Go if**" in text
    assert f"comment `/gonogo ack {the_id(no_go)} <reason>`" in text


def test_a_go_says_what_was_looked_at_and_nothing_about_other_checks(go, published):
    text = comment_text(published(go))

    assert text.startswith("### 🟢 **go**: 1 suspicion looked at and refuted: ")
    assert not re.search(r"(?i)\b(ci|tests?|safe)\b", text.splitlines()[0])
    assert [name for name, _ in folds(text)] == ["1 suspicion looked at and refuted"]


def test_a_go_with_a_risk_shows_its_chain_and_the_question_that_would_settle_it(risky, published):
    text = comment_text(published(risky))

    assert text.startswith("### 🟢 **go**: 1 risk could not be settled without production facts: Building orders\\_search")
    assert "How many rows and bytes has orders" in text
    assert "<details open><summary>The chain: what is known of each link, and what is not</summary>" in text


def test_what_could_not_be_evaluated_says_so_first_and_what_the_check_does(published):
    failed = Evaluation(
        repository="github:acme/shop", base="b" * 40, head="a" * 40, verdict=None, conclusion=Conclusion.COULD_NOT_EVALUATE,
        summary="x", failures=(Failure(stage="context", why="no source answered", what_to_do="check the credentials"),),
    )  # fmt: skip

    said = {mode: comment_text(published(failed, policy=Policy(on_error=mode))).splitlines() for mode in ("open", "closed")}

    assert said["open"][0] == "### ⚪ **could not evaluate**: no source answered (context). Check the credentials."
    assert "The check is neutral and does not stop the merge (`on_error: open`)." in said["open"][2]
    assert "The check asks for action and stops the merge (`on_error: closed`)." in said["closed"][2]


def test_shadow_mode_says_that_nothing_is_blocked_and_what_would_have_been(no_go, published):
    text = comment_text(published(no_go, policy=Policy(shadow=True)))

    assert text.startswith("### 🔴 **no-go** (shadow mode: nothing is blocked): Merging this pull request may degrade")
    assert "**Shadow mode:** gonogo reports here and never blocks. The check would have said **no-go**" in text


def test_an_override_names_who_why_and_until_when_and_pings_nobody(no_go, published):
    given = Acknowledged(trajectory=the_id(no_go), login="octocat", reason="archived tonight, see #99", at=AT)
    text = comment_text(published(no_go, acknowledgements=[given]))

    assert text.startswith("### 🟡 **no-go**, acknowledged by @&#8203;octocat: ")
    assert "**Acknowledged by @&#8203;octocat:** archived tonight, see #&#8203;99, until the next change (Building" in text


def test_an_acknowledgement_that_ended_is_told_and_overrides_nothing(no_go, published):
    ended = Acknowledged(trajectory=EVERYTHING, login="octocat", reason="it is fine", at=AT, expired_because="new commit abc1234")
    shown = published(no_go, acknowledgements=[ended])

    assert shown.concluded.conclusion == "failure"
    assert (
        "**No longer acknowledged:** everything here was acknowledged by @&#8203;octocat (it is fine); that ended: new commit abc1234."
        in comment_text(shown)
    )


def test_one_acknowledged_risk_of_two_does_not_lift_the_other(no_go, published):
    first = no_go.ledger[0]
    other = first.model_copy(update={"trajectory": first.trajectory.model_copy(update={"title": "another", "metric": "CPU"})})
    two = no_go.model_copy(update={"ledger": (first, other), "blocking": ()})
    one = Acknowledged(trajectory=trajectory_id(other.trajectory), login="x", reason="y")

    assert published(two, acknowledgements=[one]).concluded.conclusion == "failure"
    assert published(two, acknowledgements=[one, Acknowledged(trajectory=the_id(no_go), login="x", reason="y")]).is_acknowledged
    assert published(two, acknowledgements=[Acknowledged(trajectory=EVERYTHING, login="x", reason="y")]).is_acknowledged


def test_other_pull_requests_with_the_same_head_are_named_with_their_answers(no_go, published):
    text = comment_text(
        published(no_go, others=[Other(number=115, outcome=Outcome.GO), Other(number=116, outcome=Outcome.COULD_NOT)])
    )

    assert "The check shows the worst of them: #114: no-go; #115: go, #116: could not evaluate." in text


def test_settings_that_the_change_edits_and_settings_with_mistakes_are_told(no_go, published):
    text = comment_text(
        published(no_go, policy_note=BASE_COPY_NOTE, policy_error="line 3: 'block_onn' is not a setting\nline 7: x")
    )

    assert "This pull request edits `.github/gonogo.yml`. It was evaluated with the base's copy" in text
    assert (
        "**`.github/gonogo.yml` has mistakes; it was evaluated with the defaults:**\n\n```\nline 3: 'block_onn' is not a setting\nline 7: x\n```"
        in text
    )


def test_what_was_looked_at_is_counted(no_go, published):
    counts = Coverage(
        files_changed=214, files_read=213, patches_rebuilt=2, binaries_not_read=1, resources_touched=7, resources_mapped=3,
        telemetry=Telemetry(resources=4, series=12, log_lines=1, databases=1),
    )  # fmt: skip
    text = comment_text(published(no_go.model_copy(update={"coverage": counts})))

    assert (
        "read 213/214 files, 2 patches rebuilt, 1 binary not readable, 3 of 7 touched resources mapped, production as of" in text
    )
    assert "4 configurations, 12 metrics, 1 log line, 1 database)." in text


def test_time_steps_and_cost_are_told(no_go, published):
    asked = ModelUse(id="claude-x-1", input_tokens=41_000, output_tokens=2_000, cost=0.314)
    by_model = comment_text(published(no_go.model_copy(update={"model": asked}), took_s=64.21, rest_calls=9, generation=4))

    assert (
        "Took 64.2 s, 0 of 30 steps of claude-x-1, <span>$</span>0.31 (43,000 tokens), 9 calls of GitHub's interface" in by_model
    )
    assert "generation 4" in by_model
    assert "rules and playbooks, no model, no cost" in comment_text(published(no_go))


def test_forecasts_are_drawn_and_come_with_their_band_and_their_backtest(no_go, published):
    course = tuple(float(n) for n in range(64))
    forecast = Forecast(
        resource="arn:aws:sqs:eu-west-1:1:orders", metric="Visible", step_s=900, horizon_s=57_600, unit="Count",
        p10=course, p50=tuple(v + 1 for v in course), p90=tuple(v + 9 for v in course), backtest=Backtest(mase=0.82, coverage=0.81),
    )  # fmt: skip
    text = comment_text(published(no_go.model_copy(update={"forecasts": (forecast,)})))

    (fold,) = [items for name, items in folds(text) if name == "1 forecast of the coming day"]
    assert "`▁▁▁▁▂▂▂▂▃▃▃▃▄▄▄▄▅▅▅▅▆▆▆▆▇▇▇▇████`" in fold
    assert "1 now, 64 at its highest (p50), between 0 and 72 (p10 to p90) within 16 hours" in fold
    assert "backtest: scaled error 0.82 (MASE), the band held 81% of past points" in fold


@pytest.mark.parametrize(("values", "drawn"), [((), ""), ((3.0, 3.0), "▁▁"), ((0.0, float("nan"), 7.0), "▁█"), (range(3), "▁▅█")])
def test_a_sparkline_runs_from_the_lowest_to_the_highest(values, drawn):
    assert sparkline([float(v) for v in values]) == drawn


def test_a_benchmark_has_a_table_only_where_one_ran_and_a_failed_gate_is_unfolded(no_go, published):
    rows = [
        BenchmarkRow(benchmark="support", metric="accuracy", base=0.91, head=0.84, interval=(-0.12, -0.02), gate=False),
        BenchmarkRow(benchmark="support", metric="cost", base=1.2, head=None, unit="USD"),
    ]
    text = comment_text(published(no_go, benchmarks=rows))

    assert "<details open><summary>Agent benchmark: 1 gate failed</summary>" in text
    assert "| support | accuracy | 0.91 | 0.84 | -0.07 (-0.12 to -0.02) | **dropped too far** |" in text
    assert "| support | cost | 1.2 USD | — | — |  |" in text
    assert "benchmark:" not in comment_text(published(no_go))


def test_history_is_folded_with_its_commits(no_go, published):
    older = [Earlier(head_sha=f"{n}" * 40, outcome=Outcome.NO_GO, at=AT - timedelta(hours=n), url=f"{PAGE}{n}") for n in (1, 2)]
    (fold,) = [items for name, items in folds(comment_text(published(no_go, history=older))) if name == "2 earlier evaluations"]

    assert f"- `11111111` [no-go]({PAGE}1) (2026-05-11 08:30 UTC)" in fold
    assert "- `22222222`" in fold


def test_an_alarm_that_rings_is_in_the_text_and_holds_a_gated_pull_request(go, published):
    note = LiveNote(
        kind="alarm",
        resource="arn:aws:rds:eu-west-1:1:db:shop-pg",
        name="cpu-high",
        state="ALARM",
        since=AT,
        source="live",
        read_at=AT,
    )
    rings = go.model_copy(update={"live": (note,)})
    held = rings.model_copy(update={"is_held": True, "verdict": Verdict.NO_GO})

    told, gated = comment_text(published(rings)), comment_text(published(held, policy=Policy(live_gate=True)))

    assert told.startswith("### 🟢 **go**")
    assert (
        "- Alarm cpu-high rings on shop-pg since 2026-05-11 09:30 UTC (`alarms of live, read 2026-05-11 09:30 UTC: cpu-high of"
        in told
    )
    assert gated.startswith("### 🟠 **no-go for now**: production is not settled. Alarm cpu-high rings on shop-pg since")
    assert published(held).concluded.title == "no-go for now, production is not settled"


@pytest.mark.parametrize(
    ("outcome", "first"),
    [
        (Outcome.RUNNING, "### ⏳ **evaluating** `aaaaaaaa`…"),
        (Outcome.CANCELLED, "### ⚪ **cancelled**: `aaaaaaaa` was not evaluated to the end. A newer commit came."),
        (Outcome.COULD_NOT, "### ⚪ **could not evaluate**: A newer commit came."),
    ],
)
def test_without_an_evaluation_it_says_how_things_stand(published, outcome, first):
    why = "" if outcome is Outcome.RUNNING else "A newer commit came."

    assert comment_text(published(None, outcome=outcome, why=why)).splitlines()[0] == first


def test_too_much_of_everything_is_cut_by_what_matters_least(no_go, published):
    entry = no_go.ledger[0]
    many = tuple(
        entry.model_copy(
            update={"trajectory": entry.trajectory.model_copy(update={"title": f"risk {'abcdefghij'[n % 10] * n} " + "ü" * 900})}
        )
        for n in range(80)
    )
    older = [Earlier(head_sha="1" * 40, outcome=Outcome.GO, summary="x" * 3_000)] * 400
    everything = no_go.model_copy(update={"ledger": many, "blocking": (), "notes": ("n" * 1_900,) * 60})

    text = comment_text(published(everything, history=older, dashboard_url=PAGE))

    assert len(text) <= len(text.encode()) <= MAX_LENGTH
    assert text.startswith("### 🔴 **no-go**: Merging this pull request may degrade production")
    assert "**To make this safe:**" in text
    assert "read 1/1 file" in text
    assert re.search(
        rf"_\d+ parts did not fit here in full: \[the page of this evaluation\]\({PAGE}\) has all of it\._\n\n<!-- gonogo:114 -->\n$",
        text,
    )
    assert text.count("<details") == text.count("</details>")
    assert "earlier evaluations</summary>" not in text


def test_what_a_person_wrote_cannot_speak_for_us(no_go, published):
    evil = "@octocat closes #1 acme/shop#2 </details> <img src=x> ![i](https://evil.example/i) &#64;hubot \u202eabc\u200b $x$ GH-3 www.evil.example"
    shown = published(
        no_go,
        acknowledgements=[Acknowledged(trajectory=evil, login=evil, reason=evil, expired_because=evil), Acknowledged(trajectory=EVERYTHING, login=evil, reason=evil)],
        history=[Earlier(head_sha=evil, outcome=Outcome.GO, summary=evil)],
        benchmarks=[BenchmarkRow(benchmark=evil, metric=evil, base=1, head=2, unit=evil)],
        policy_note=evil,
    )  # fmt: skip

    text = comment_text(shown)

    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(text.replace(marker_of(114), ""))
    page_without_code = re.sub(r"<(code|pre)\b.*?</\1>", "", page, flags=re.DOTALL)
    visible = html.unescape(re.sub(r"<[^>]*>", "", page_without_code))
    assert set(re.findall(r"<([a-z0-9]+)", page)) <= OURS
    assert all(link.startswith("https://github.com/acme/shop/") for link in re.findall(r'href="([^"]*)', page))
    assert not re.search(r"@\w|(?<!l)#\d|GH-\d|www\.|[\u202a-\u202e]", visible)
    assert "$x$" not in page_without_code
    assert page.count("<details") == page.count("</details>")
