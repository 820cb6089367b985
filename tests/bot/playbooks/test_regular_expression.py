import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "regular-expression"]


def a_shop(*, rate=8.0):
    production = MemoryProduction("github:acme/coupons")
    pods = production.resource("kubernetes:prod/shop/deployment/coupons", "kubernetes.deployment", "coupons", is_deployed=True)
    if rate is not None:
        production.metric(pods, "http_requests_per_second", "Count/Second", rate)
    return production


NODE = 'const CODE = /{}/;\nconst app = require("express")();\napp.post("/redeem", (req, res) => {{\n  {}\n  res.json(CODE.test(req.body.code));\n}});\n'
PYTHON = 'import re\nfrom flask import Flask\n\napp = Flask(__name__)\nCODE = re.compile(r"{}")\n\n\n@app.post("/redeem")\ndef redeem():\n    {}\n    return str(CODE.match(code))\n'
BAD, GOOD = "^([A-Z0-9]+-?)+$", "^[A-Z0-9]+(-[A-Z0-9]+)*$"


@pytest.mark.parametrize(
    ("path", "text", "check"),
    [("a.js", NODE, "if (req.body.code.length > 16) return;"), ("a.py", PYTHON, "if len(code) > 16: abort(422)")],
)
@pytest.mark.parametrize(
    ("pattern", "is_checked", "rate", "answer"),
    [
        (BAD, False, 8.0, ["plausible"]),
        (BAD, False, None, ["plausible"]),
        (BAD, True, 8.0, ["refuted"]),
        (BAD, False, 0.0, ["refuted"]),
        (GOOD, False, 8.0, []),
    ],
)
def test_a_nested_quantifier_is_asked_about(path, text, check, pattern, is_checked, rate, answer) -> None:
    nothing = "pass" if path.endswith(".py") else ""

    evaluation = evaluation_of(
        {path: text.format("^[A-Z0-9]{8}$", nothing)},
        {path: text.format(pattern, check if is_checked else nothing)},
        a_shop(rate=rate),
    )

    assert told(evaluation) == answer


def test_a_pattern_that_only_moves_is_silent() -> None:
    text = NODE.format(BAD, "")

    assert told(evaluation_of({"a.js": text}, {"a.js": "\n\n" + text}, a_shop())) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.go", 'package a\n\nimport "regexp"\n\nvar code = regexp.MustCompile(`^([A-Z0-9]+-?)+$`)\n'),
        ("a.rs", 'fn a() { let code = Regex::new(r"^([A-Z0-9]+-?)+$").unwrap(); }\n'),
        ("test/a.test.js", "const CODE = /^([A-Z0-9]+-?)+$/;\n"),
        ("b.py", 'import re2\nCODE = re2.compile(r"^([A-Z0-9]+-?)+$")\n'),
    ],
)
def test_engines_that_do_not_backtrack_and_tests_are_silent(path, text) -> None:
    assert told(evaluation_of({path: "\n"}, {path: text}, a_shop())) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("A.java", 'class A { static final Pattern CODE = Pattern.compile("^([A-Z0-9]+-?)+$"); }\n'),
        ("A.cs", 'class A { Regex code = new Regex(@"^([A-Z0-9]+-?)+$"); }\n'),
        ("a.php", "<?php\n$ok = preg_match('/^([A-Z0-9]+-?)+$/i', $code);\n"),
        ("a.rb", "CODE = /^([A-Z0-9]+-?)+$/\n"),
        ("a.kt", 'val code = Regex("^([A-Z0-9]+-?)+$")\n'),
    ],
)
def test_other_languages_with_backtracking_engines_are_read(path, text) -> None:
    assert told(evaluation_of({path: "\n" if path != "a.php" else "<?php\n"}, {path: text}, a_shop())) == ["plausible"]


LOGGED = 'import re\nfrom flask import Flask\n\napp = Flask(__name__)\nCODE = re.compile(r"{}")\n\n\n@app.post("/redeem")\ndef redeem():\n    code = request.json["code"]\n    {}\n    if not CODE.match(code):\n        log.warning("rejected code=%s", code)\n    return "ok"\n'
LONG = "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOP"


@pytest.mark.parametrize(
    ("message", "check", "answer"),
    [
        (f"rejected code={LONG}!x", "pass", ["confirmed"]),
        (f'{{"code": "{LONG}?"}}', "pass", ["confirmed"]),
        (f"rejected code={LONG}", "pass", ["plausible"]),
        (f"rejected code={LONG}, 12 ms", "pass", ["plausible"]),
        (f"rejected code={LONG}|status=400", "pass", ["plausible"]),
        ("rejected code=ABC!x", "pass", ["plausible"]),
        (f"session={LONG}!x", "pass", ["plausible"]),
        (f"rejected code={LONG}!x", "if len(code) > 30: abort(422)", ["plausible"]),
        (f"rejected code={LONG}!x", "if len(code) > 16: abort(422)", ["refuted"]),
    ],
)
def test_logged_texts_of_the_field_that_take_too_many_steps_confirm(message, check, answer) -> None:
    production = a_shop()
    production.log("kubernetes:prod/shop/deployment/coupons", message)

    evaluation = evaluation_of({"a.py": LOGGED.format("^[A-Z0-9]{8}$", check)}, {"a.py": LOGGED.format(BAD, check)}, production)

    assert told(evaluation) == answer


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        ("if len(code) < 3: abort(422)", "confirmed"),
        ("if len(code) < 3 or len(code) > 64: abort(422)", "confirmed"),
        ("if len(code) >= 2 and code: pass", "confirmed"),
        ("if len(code) > 16 or not code: abort(422)", "refuted"),
        ("if not 3 <= len(code) <= 16: abort(422)", "confirmed"),
        ("code = code[:16]", "refuted"),
        ("if len(code) > LONGEST: abort(422)", "refuted"),
    ],
)
def test_a_least_length_is_no_bound_and_a_named_one_is(check, answer) -> None:
    production = a_shop()
    production.log("kubernetes:prod/shop/deployment/coupons", f"rejected code={LONG}!x")
    text = "LONGEST = 16\n" + LOGGED

    evaluation = evaluation_of({"a.py": text.format("^[A-Z0-9]{8}$", check)}, {"a.py": text.format(BAD, check)}, production)

    assert told(evaluation) == [answer]


SERVER = 'import express from "express";\nconst NAME = /{}/{};\nconst app = express();\napp.post("/names", (req, res) => {{\n  const {{ name }} = req.body;\n  if (!({} && NAME.test(name))) {{\n    console.warn(`rejected name=${{JSON.stringify(name)}}`);\n    return res.status(422).end();\n  }}\n  res.end();\n}});\n'


@pytest.mark.parametrize(
    ("pattern", "flags", "check", "name", "answer"),
    [
        (r"^([\p{L}\d]+[ '_-]?)+$", "u", "name.length >= 2 && name.length <= 64", "TheOriginalBicycleRepairman99!", "confirmed"),
        (r"^(\p{Letter}+-?)+$", "v", "name.length <= 64", "TheOriginalBicycleRepairmanship!", "confirmed"),
        (r"^([\p{L}\d]+[ '_-]?)+$", "", "name.length <= 64", "TheOriginalBicycleRepairman99!", "plausible"),
        (r"^([\p{L}\d]+[ '_-]?)+$", "u", "name.length <= 64", "TheOriginalBicycle99!", "plausible"),
        (r"^([\p{L}\d]+[ '_-]?)+$", "u", "name.length <= 64", "The Original Bicycle Repairman!", "plausible"),
        (r"^([\p{L}\d]+[ '_-]?)+$", "u", "name.length >= 2 && name.length <= 20", "TheOriginalBicycleRepairman99!", "refuted"),
        (r"^([a-z]+[ '_-]?)+$", "i", "name.length <= 64", "TheOriginalBicycleRepairmanship!", "confirmed"),
    ],
)
def test_a_short_name_that_blocks_the_event_loop_for_seconds_is_enough(pattern, flags, check, name, answer) -> None:
    production = a_shop()
    production.log("kubernetes:prod/shop/deployment/coupons", f'rejected name="{name}"')
    base, head = (SERVER.format(p, flags, check) for p in ("^[a-z]+$", pattern))

    assert told(evaluation_of({"a.js": base}, {"a.js": head}, production)) == [answer]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.js", 'import RE2 from "re2";\nconst CODE = new RE2("^([A-Z0-9]+-?)+$");\n'),
        ("a.ts", 'import RE2 from "re2-wasm";\nconst CODE = new RE2("^([A-Z0-9]+-?)+$", "u");\n'),
        ("a.py", 'import re2 as re\nCODE = re.compile(r"^([A-Z0-9]+-?)+$")\n'),
        ("A.java", 'import com.google.re2j.Pattern;\nclass A { Pattern p = Pattern.compile("^([A-Z0-9]+-?)+$"); }\n'),
        ("A.cs", 'class A { Regex code = new Regex(@"^([A-Z0-9]+-?)+$", RegexOptions.NonBacktracking); }\n'),
        ("a.rb", 'require "re2"\nCODE = RE2::Regexp.new("^([A-Z0-9]+-?)+$")\n'),
        ("a.go", 'package a\n\nimport "github.com/wasilibs/go-re2"\n\nvar code = re2.MustCompile(`^([A-Z0-9]+-?)+$`)\n'),
    ],
)
def test_engines_in_linear_time_are_silent(path, text) -> None:
    assert told(evaluation_of({path: "\n"}, {path: text}, a_shop())) == []


def test_a_match_that_is_given_up_after_a_time_is_refuted() -> None:
    text = 'class A { Regex code = new Regex(@"^([A-Z0-9]+-?)+$", RegexOptions.None, TimeSpan.FromMilliseconds(50)); }\n'

    assert told(evaluation_of({"A.cs": "\n"}, {"A.cs": text}, a_shop())) == ["refuted"]
