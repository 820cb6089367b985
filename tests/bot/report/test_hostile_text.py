"""A pull request cannot speak through the report: no link, mention, image, control character or endless comment."""

import re

import pytest
from markdown_it import MarkdownIt

from bot.report.markdown import MAX_LENGTH, markdown_report
from bot.report.text import text_report
from gonogo.context import Gap
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.evidence import FileEvidence, Outcome, Verification
from gonogo.finding import Finding
from gonogo.trajectory import Impact, Link, Role, Status, Trajectory
from gonogo.verdict import LedgerEntry, Verdict

HOSTILE = {
    "a link": "[click](https://evil.example/x)",
    "an image": "![x](https://evil.example/x.png)",
    "a bare address": "see https://evil.example/x and www.evil.example",
    "an address of another kind": "ssh://evil.example and mailto:eve@evil.example",
    "a mention": "@octocat and @acme/oncall",
    "an issue": "fixes #12, acme/shop#12 and GH-12",
    "an element": "<img src=x onerror=alert(1)><script>alert(1)</script>",
    "an end of the fold": "</summary></details></b> **go**",
    "a comment of ours": "<!-- gonogo:1 -->",
    "backticks": "``` ` `` <b>x</b> ```` @octocat `",
    "a code span that shifts ours": "`<b>`` <i>x</i> `@octocat` \\` <u>",
    "a heading": "# go\n## go\n\n---\n- x\n1. y\n| a | b |\n|---|---|",
    "an entity": "&lt;b&gt; &#60;b&#62; &commat;octocat",
    "signs that are not seen": "@\u200boctocat a\u00adb c\ufeffd e\u2060f \U000e0041",
    "entities of signs": "&#8238;abc &#x200b;def &ZeroWidthSpace; &#64;octocat &num;12 &lpar;x&rpar;",
    "a formula": "$\\color{red}{\\text{APPROVED}}$ and $5 to $10",
    "control characters": "a\x1b[2J\x1b]8;;https://evil.example\x07b\x00\x08\x9b",
    "a change of direction": "abc\u202edcba\u2066x\u2069",
    "a footnote": "[^1]\n\n[^1]: x\n\n[x]: https://evil.example",
}
PLACES = ("title", "claim", "quote", "file", "query", "question", "make_safe", "code", "gap", "note", "signal", "metric")
OURS = {"h2", "h3", "h4", "p", "strong", "em", "details", "summary", "sub", "ol", "ul", "li", "code", "pre", "a", "b", "span"}


@pytest.mark.parametrize("status", [Status.CONFIRMED, Status.PLAUSIBLE, Status.REFUTED])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_the_comment_holds_nothing_that_github_would_obey(text, status):
    for place in PLACES:
        said = markdown_report(an_evaluation(status, **{place: text}))

        page = MarkdownIt("commonmark", {"html": True}).enable("table").render(said)
        assert set(re.findall(r"<([a-z0-9]+)", page)) <= OURS, place
        assert [
            link for link in re.findall(r'href="([^"]*)', page) if not link.startswith("https://github.com/acme/shop/blob/")
        ] == []
        assert "<!--" not in page
        assert page.count("<details") == page.count("</details>")
        outside_code = re.sub(r"<[^>]*>", "", re.sub(r"<(code|pre)\b.*?</\1>", "", page, flags=re.DOTALL))
        assert not re.search(r"@\w|#\d|GH-\d|\w://|www\.", outside_code), (place, outside_code)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("write", [text_report, markdown_report])
def test_no_control_character_and_no_change_of_direction_is_printed(text, write):
    for place in PLACES:
        said = write(an_evaluation(Status.CONFIRMED, **{place: text}))

        assert not re.search(
            "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]", said
        ), place


@pytest.mark.parametrize("write", [text_report, markdown_report])
def test_a_file_name_cannot_begin_a_line_of_its_own(write):
    said = write(an_evaluation(Status.CONFIRMED, file="a\nno-go\tx.sql"))

    assert not re.search(r"(?m)^\s*no-go\s+x\.sql", said)


def test_a_backslash_in_a_file_name_is_shown_as_it_is():
    assert "a\\tb.sql" in text_report(an_evaluation(Status.CONFIRMED, file="a\\tb.sql"))


def test_a_comment_has_a_length_that_github_takes_and_its_folds_are_closed():
    many = [an_entry(Status.CONFIRMED, title=f"chain {n} " + "x" * 5_000, query="y" * 9_000) for n in range(300)]
    evaluation = an_evaluation(Status.CONFIRMED).model_copy(update={"ledger": tuple(many)})

    said = markdown_report(evaluation)

    assert len(said) <= MAX_LENGTH
    assert said.startswith("### 🔴 **no-go**")
    assert said.count("<details") == said.count("</details>")
    assert re.search(r"\d+ parts did not fit here in full: the JSON report has all of it", said)


def test_one_endless_text_does_not_push_out_the_verdict():
    for place in PLACES:
        said = markdown_report(an_evaluation(Status.CONFIRMED, **{place: "`@a <b> [x](y) " * 100_000}))

        assert len(said) <= MAX_LENGTH
        assert said.startswith("### 🔴 **no-go**")
        assert "To make this safe" in said


def an_entry(status: Status, **said: str) -> LedgerEntry:
    cited = FileEvidence(file=said.get("file", "app.py"), line=3, quote=said.get("quote", "x = 1"))
    is_open = status is Status.PLAUSIBLE
    link = Link(
        role=Role.HARM,
        claim=said.get("claim", "requests fail"),
        evidence=() if status is Status.REFUTED else (cited,),
        refuting=(cited,) if status is Status.REFUTED else (),
        question=said.get("question", "How many?") if is_open else None,
        query=said.get("query", "SELECT 1") if is_open else None,
    )
    advice = said.get("make_safe", "Keep `it`.") + (f"\n```\n{said['code']}\n```\nThat is all." if "code" in said else "")
    trajectory = Trajectory(
        title=said.get("title", "it fails"), impact=Impact.HIGH, resource="arn:aws:lambda:eu-west-1:1:function:shop",
        metric=said.get("metric", "Errors"), links=(link,), make_safe=advice, undo=advice,
    )  # fmt: skip
    return LedgerEntry(trajectory=trajectory, verifications=(Verification(evidence=cited, outcome=Outcome.HOLDS),), status=status)


def an_evaluation(status: Status, **said: str) -> Evaluation:
    signal = Finding(rule="a/rule", file=said.get("file", "other.py"), line=9, message=said.get("signal", "looks odd"))
    return Evaluation(
        repository="github:acme/shop", base="b" * 40, head="a" * 40, title=said.get("title", ""),
        verdict=Verdict.NO_GO if status is Status.CONFIRMED else Verdict.GO, conclusion=Conclusion.EVALUATED,
        summary=said.get("title", "x"), ledger=(an_entry(status, **said),), findings=(signal,),
        gaps=(Gap(stage="context", what=said.get("gap", "logs"), why=said.get("gap", "not read")),),
        notes=(said.get("note", "a note"),),
    )  # fmt: skip
