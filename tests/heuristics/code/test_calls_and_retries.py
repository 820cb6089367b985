"""Calls that a change adds, calls in loops, and code that tries again."""

import pytest

from heuristics.code import added_calls, call_sites, retry_shape

LOOPS = [
    ("python", "def f(ids):\n    return [db.query(i) for i in ids]\n", "db.query", "database", True),
    ("python", "def f(ids):\n    for i in db.query(ids):\n        pass\n", "db.query", "database", False),
    (
        "typescript",
        "await Promise.all(xs.map(async (x) => prisma.user.findUnique({ where: x })));",
        "prisma.user.findUnique",
        "database",
        True,
    ),
    ("go", "package m\nfunc f() { for _, x := range xs { db.QueryContext(ctx, q) } }", "db.QueryContext", "database", True),
    ("java", "class A { void f() { xs.forEach(x -> repo.findById(x)); } }", "repo.findById", "database", True),
    ("ruby", "orders.each { |o| Item.find(o.id) }", "Item.find", "database", True),
    ("php", "<?php foreach ($xs as $x) { User::find($x); }", "User::find", "database", True),
    ("elixir", "Enum.map(xs, fn x -> Repo.get(U, x) end)", "Repo.get", "database", True),
    ("kotlin", "fun f() { xs.forEach { repo.findById(it) } }", "repo.findById", "database", True),
    ("python", "requests.get(u)\n", "requests.get", "http", False),
    ("python", "cache.get('x')\n", "cache.get", "cache", False),
    ("python", "sqs.send_message(QueueUrl=q)\n", "sqs.send_message", "queue", False),
]


@pytest.mark.parametrize(("language", "text", "callee", "kind", "in_loop"), LOOPS)
def test_a_call_knows_its_kind_and_whether_it_is_in_a_loop(
    language: str, text: str, callee: str, kind: str, in_loop: bool
) -> None:
    (site,) = [s for s in call_sites(text, language) if s.callee == callee]

    assert (site.kind, site.in_loop) == (kind, in_loop)


def test_a_query_that_moved_into_a_loop_is_added_there() -> None:
    base = "def f(ids):\n    return db.query(ids)\n"
    head = "def f(ids):\n    for i in ids:\n        db.query(i)\n"

    (call,) = added_calls("a.py", base, head)

    assert (call.callee, call.in_loop, call.was_outside_loop, call.line) == ("db.query", True, True, 3)


def test_calls_that_moved_to_another_function_are_not_added() -> None:
    assert added_calls("a.py", "def f():\n    db.query(1)\n", "def g():\n    db.query(1)\n") == ()


def test_a_local_function_that_makes_the_call_is_followed() -> None:
    text = "def one(i):\n    return session.execute(i)\n\ndef all(ids):\n    return [one(i) for i in ids]\n"

    (call,) = [c for c in call_sites(text, "python") if c.callee == "one"]

    assert (call.kind, call.in_loop, call.through) == ("database", True, "one")


RETRIES = [
    (
        "typescript",
        "const N = 6;\nfor (let i = 0; i < N; i++) { try { return await fetch(u); } catch (e) { last = e; } }",
        ("loop", 6, False, False),
    ),
    (
        "python",
        "for attempt in range(4):\n    try:\n        r = get(u)\n        break\n    except E:\n        time.sleep(2 ** attempt + random.random())\n",
        ("loop", 4, True, True),
    ),
    ("python", "@retry(stop=stop_after_attempt(5), wait=wait_exponential())\ndef f(): ...\n", ("tenacity", 5, True, False)),
    ("python", "s = Retry(total=3, backoff_factor=0.5)\n", ("urllib3", 4, True, False)),
    ("javascript", "axiosRetry(client, { retries: 3 });", ("axios-retry", 4, False, False)),
    ("javascript", "await pRetry(run, { retries: 5 });", ("p-retry", 6, True, False)),
    (
        "go",
        "package m\nfunc f() error {\n for i := 0; i < 3; i++ {\n  err := g()\n  if err == nil { return nil }\n }\n return x\n}",
        ("loop", 3, False, False),
    ),
    ("java", "class A { @Retryable(maxAttempts = 4) void f() {} }", ("spring-retry", 4, False, False)),
    ("ruby", "class W\n sidekiq_options retry: 5\nend\n", ("sidekiq", 6, True, True)),
    ("ruby", "begin\n n += 1\n get(x)\nrescue E\n retry if n < 3\nend\n", ("loop", 3, False, False)),
    ("php", "<?php retry(3, function () { x(); }, 100);", ("laravel", 3, True, False)),
    ("kotlin", "fun f() { repeat(3) { try { g(); return } catch (e: E) { delay(100) } } }", ("loop", 3, True, False)),
]


@pytest.mark.parametrize(("language", "text", "expected"), RETRIES)
def test_a_retry_has_its_attempts_backoff_and_jitter(language: str, text: str, expected: tuple[object, ...]) -> None:
    (retry,) = retry_shape(text, language)

    assert (retry.library, retry.attempts, retry.has_backoff, retry.has_jitter) == expected


def test_the_line_of_the_attempts_is_where_the_constant_stands() -> None:
    text = "const N = 6;\n\nfor (let i = 0; i < N; i++) { try { return await get(u); } catch (e) {} }"

    (retry,) = retry_shape(text, "typescript")

    assert (retry.line, retry.attempts_line) == (3, 1)


def test_a_loop_over_items_is_no_retry() -> None:
    assert retry_shape("for x in xs:\n    try:\n        y(x)\n        break\n    except E:\n        pass\n", "python") == ()


def test_deep_nesting_ends_in_time() -> None:
    assert call_sites("x = " + "f(" * 3_000 + ")" * 3_000, "python")
    assert retry_shape("for i in range(3):\n  " + "(" * 3_000, "python") == ()
