"""Which live resource of Cloudflare a Wrangler file means: Cloudflare's own id settles it, else account, place and name."""

import pytest

from context_graph.graph import MemoryGraph
from context_graph.joining import join_live
from context_graph.manifests import read_manifests
from context_graph.testing import MemoryTree
from gonogo.word import ResourceId

ACME, OTHER = "0a" * 16, "0b" * 16
KV, HYPERDRIVE, DATABASE = "aa" * 16, "dd" * 16, "11111111-2222-3333-4444-555555555555"
WORKER = 'name = "edge"\nmain = "index.ts"\ncompatibility_date = "2026-05-01"\n'


def live(what: str, own: str, account: str = ACME) -> ResourceId:
    return ResourceId(f"cloudflare:{what}:{account}/{own}")


def joined(wrangler: str, *known: tuple[ResourceId, str, str]) -> set[str]:
    declared = read_manifests(MemoryTree({"wrangler.toml": WORKER + wrangler})).resources
    return set(join_live(declared, MemoryGraph((), {at: (kind, name) for at, kind, name in known}), ()).values())


EDGE = (live("worker", "edge"), "cloudflare.worker", "edge")
ELSEWHERE = (live("worker", "edge", OTHER), "cloudflare.worker", "edge")
SESSIONS = (live("kv_namespace", KV), "cloudflare.kv_namespace", "sessions")


def test_a_namespace_is_found_by_its_id_in_the_account_of_the_worker() -> None:
    found = joined(f'kv_namespaces = [{{ binding = "S", id = "{KV}" }}]\n', EDGE, SESSIONS)

    assert found == {EDGE[0], SESSIONS[0]}


def test_a_new_worker_that_names_its_account_finds_what_is_there_already() -> None:
    found = joined(f'account_id = "{ACME}"\nhyperdrive = [{{ binding = "L", id = "{HYPERDRIVE}" }}]\n',
                   (live("hyperdrive", HYPERDRIVE), "cloudflare.hyperdrive", "ledger"))  # fmt: skip

    assert found == {live("hyperdrive", HYPERDRIVE)}


def test_the_account_of_the_file_tells_workers_of_one_name_apart() -> None:
    assert joined("", EDGE, ELSEWHERE) == set()
    assert joined(f'account_id = "{OTHER}"\n', EDGE, ELSEWHERE) == {ELSEWHERE[0]}


def test_a_worker_of_another_account_is_not_the_one_that_is_declared() -> None:
    assert joined(f'account_id = "{OTHER}"\n', EDGE) == set()


@pytest.mark.parametrize(("own", "is_joined"), [(DATABASE, True), ("99999999-2222-3333-4444-555555555555", False)])
def test_a_database_of_the_same_name_with_another_id_is_another(own: str, is_joined: bool) -> None:
    wrangler = f'd1_databases = [{{ binding = "DB", database_name = "shop", database_id = "{DATABASE}" }}]\n'
    database = (live("d1_database", own), "cloudflare.d1_database", "shop")

    assert (database[0] in joined(wrangler, EDGE, database)) is is_joined


def test_a_bucket_of_a_jurisdiction_is_another_than_the_one_outside() -> None:
    inside, outside = live("r2_bucket", "eu/files"), live("r2_bucket", "files")
    known = ((inside, "cloudflare.r2_bucket", "files"), (outside, "cloudflare.r2_bucket", "files"))

    assert joined('r2_buckets = [{ binding = "F", bucket_name = "files", jurisdiction = "eu" }]\n', *known) == {inside}
    assert joined('r2_buckets = [{ binding = "F", bucket_name = "files" }]\n', *known) == {outside}


def test_queues_and_classes_are_found_by_name_and_each_environment_finds_its_worker() -> None:
    wrangler = """
[[durable_objects.bindings]]
name = "CARTS"
class_name = "Cart"
[[queues.producers]]
binding = "Q"
queue = "orders"
[env.production]
"""
    known = (
        EDGE,
        (live("worker", "edge-production"), "cloudflare.worker", "edge-production"),
        (live("queue", "orders"), "cloudflare.queue", "orders"),
        (live("durable_object_namespace", "cc" * 16), "cloudflare.durable_object_namespace", "Cart"),
    )

    assert joined(wrangler, *known) == {at for at, _, _ in known}


def test_a_snapshots_ids_say_nothing_about_accounts_and_still_join_by_name() -> None:
    snapshot = ResourceId("cloudflare:d1:shop")
    wrangler = f'd1_databases = [{{ binding = "DB", database_name = "shop", database_id = "{DATABASE}" }}]\n'

    assert snapshot in joined(wrangler, (snapshot, "cloudflare.d1_database", "shop"))
