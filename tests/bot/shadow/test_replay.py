"""Statements on a throw-away database: the locks they take, what they write anew, and how they fail."""

import pytest

from gonogo.errors import ShadowUnavailable


def seen(shadow, *statements):
    return [(each.locks, each.sqlstate) for each in shadow.replay(statements).statements]


@pytest.mark.parametrize(
    ("statement", "locks"),
    [
        ("CREATE INDEX i ON orders (customer_id)", ("Share on orders",)),
        ("DROP INDEX orders_note", ("AccessExclusive on orders",)),
        ("ALTER TABLE orders ADD COLUMN z int", ("AccessExclusive on orders",)),
        ("ALTER TABLE orders ADD FOREIGN KEY (customer_id) REFERENCES customers (id)", ("ShareRowExclusive on customers", "ShareRowExclusive on orders")),
        ("CREATE TRIGGER t BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()", ("ShareRowExclusive on orders",)),
        ("UPDATE orders SET note = ''", ("RowExclusive on orders",)),
        ("SELECT count(*) FROM orders", ("AccessShare on orders",)),
        ("LOCK TABLE orders IN EXCLUSIVE MODE", ("Exclusive on orders",)),
        ("TRUNCATE orders", ("AccessExclusive on orders",)),
        ("ANALYZE orders", ("ShareUpdateExclusive on orders",)),
        ("CREATE TABLE fresh (id bigint)", ()),
        ("CREATE INDEX CONCURRENTLY i ON orders (customer_id)", ("ShareUpdateExclusive on orders",)),
        ("DROP INDEX CONCURRENTLY orders_note", ("ShareUpdateExclusive on orders",)),
        ("REINDEX TABLE CONCURRENTLY orders", ("ShareUpdateExclusive on orders",)),
        ("VACUUM FULL orders", ("AccessExclusive on orders",)),
    ],
    ids=lambda value: value[:44] if isinstance(value, str) else "",
)  # fmt: skip
def test_the_strongest_lock_on_each_table_is_seen(shadow, statement, locks):
    assert seen(shadow, statement) == [(locks, None)]


def test_a_lock_that_is_held_already_is_told_once_and_a_stronger_one_again(shadow):
    told = seen(shadow, "SELECT 1 FROM orders", "CREATE INDEX i ON orders (note); ALTER TABLE orders ADD COLUMN z int", "COMMIT", "DROP TABLE orders")  # fmt: skip

    assert told == [
        (("AccessShare on orders",), None),
        (("Share on orders",), None),
        (("AccessExclusive on orders",), None),
        (("AccessExclusive on orders",), None),
    ]


def test_a_table_that_is_written_anew_is_named(shadow):
    kept, rewritten = shadow.replay(["ALTER TABLE orders ADD COLUMN z int", "ALTER TABLE orders ALTER COLUMN id TYPE numeric"]).statements  # fmt: skip

    assert (kept.rewrites, rewritten.rewrites) == ((), ("orders",))


@pytest.mark.parametrize(
    ("statement", "sqlstate"),
    [
        ("ALTER TABLE orders ADD COLUMN note text", "42701"),
        ("DROP TABLE nowhere", "42P01"),
        ("ALTER TABLE orders ADD CONSTRAINT orders_pkey PRIMARY KEY (id)", "42P16"),
        ("CREATE INDEX orders_note ON orders (id)", "42P07"),
        ("SELEC 1", "42601"),
    ],
    ids=["a column twice", "no such table", "a second key", "an index twice", "no SQL"],
)
def test_what_the_server_refuses_is_told_with_its_sqlstate_and_ends_the_replay(shadow, statement, sqlstate):
    told = seen(shadow, statement, "ALTER TABLE orders ADD COLUMN never int")

    assert told == [((), sqlstate)]


def test_each_replay_begins_with_production_as_it_is(shadow):
    for _ in range(2):
        assert seen(shadow, "ALTER TABLE orders ADD COLUMN z int") == [(("AccessExclusive on orders",), None)]


def test_tables_that_production_does_not_tell_of_come_from_the_migrations_at_the_base(own_shadow):
    base = {"migrations/0001_carts.sql": "CREATE TABLE carts (id bigint PRIMARY KEY, total numeric NOT NULL);\n"}
    shadow = own_shadow(base=base)

    assert seen(shadow, "ALTER TABLE carts ADD COLUMN total int") == [((), "42701")]


def test_what_is_not_as_in_production_is_noted(own_shadow):
    notes = own_shadow(constraints=None).replay(["DROP TABLE orders", "DROP TABLE nowhere"]).notes

    assert notes == ("production's list of constraints was not read: a key that a statement needs may be missing here only",)


def test_statements_for_another_engine_are_not_tried(own_shadow):
    with pytest.raises(ShadowUnavailable, match="mysql, not PostgreSQL"):
        own_shadow(engine="mysql").replay(["ALTER TABLE orders ADD COLUMN z int"])


@pytest.mark.parametrize("statements", [[], ["-- nothing"], ["SELECT 1;" * 21], ["SELECT 1" + " " * 60_000]], ids=["none", "a comment", "many", "long"])  # fmt: skip
def test_too_much_and_too_little_are_refused_before_a_server_starts(context, statements):
    from bot.shadow.throw_away import ThrowAwayDatabase

    with pytest.raises(ShadowUnavailable):
        ThrowAwayDatabase(context()).replay(statements)


def test_after_the_evaluation_nothing_is_replayed(context):
    from bot.shadow.throw_away import ThrowAwayDatabase

    shadow = ThrowAwayDatabase(context())
    shadow.close()

    with pytest.raises(ShadowUnavailable, match="over"):
        shadow.replay(["SELECT 1"])
