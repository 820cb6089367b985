"""A program that finds an empty directory where its data lay."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

POD = """apiVersion: apps/v1
kind: {kind}
metadata: {{name: pg, namespace: shop}}
spec:
  template:
    spec:
      volumes: [{{name: d, {volume}}}]
      containers:
        - name: pg
          image: {image}
          volumeMounts: [{{name: d, mountPath: {path}}}]
"""
CLAIM = "persistentVolumeClaim: {claimName: data}"
OTHER = "persistentVolumeClaim: {claimName: data2}"
DATA = "/var/lib/postgresql/data"
NEW_CLAIM = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data2, namespace: shop}\nspec: {resources: {requests: {storage: 10Gi}}}\n"
COMPOSE = "services:\n  pg:\n    image: postgres:16\n    volumes:\n      - {mount}\nvolumes:\n{volumes}"


def _pod(volume: str, *, kind: str = "Deployment", image: str = "postgres:16", path: str = DATA) -> str:
    return POD.format(kind=kind, volume=volume, image=image, path=path)


def _cluster(*, stored: float | None = 30e9, connections: float | None = 20.0, kind: str = "deployment") -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    pg = production.resource(
        f"kubernetes:c/shop/{kind}/pg", f"kubernetes.{kind}", "pg", is_deployed=True, namespace="shop", replicas=1
    )
    if stored is not None:
        production.metric(pg, "kubelet_volume_stats_used_bytes", "Bytes", stored)
    if connections is not None:
        production.metric(pg, "connections", "Count", connections)
    return production


def _told(base: dict[str, str], head: dict[str, str | None], production: MemoryProduction) -> list[str]:
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "stateful-replacement"]


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet"])
def test_a_claim_that_gives_way_to_a_directory_of_the_pod_is_confirmed(kind: str) -> None:
    production = _cluster(kind=kind.lower())

    assert _told({"pg.yaml": _pod(CLAIM, kind=kind)}, {"pg.yaml": _pod("emptyDir: {}", kind=kind)}, production) == ["confirmed"]


def test_use_of_a_database_is_enough_when_its_size_was_not_read() -> None:
    assert _told({"pg.yaml": _pod(CLAIM)}, {"pg.yaml": _pod("emptyDir: {}")}, _cluster(stored=None)) == ["confirmed"]


def test_a_program_that_may_only_cache_stays_a_question() -> None:
    base, head = _pod(CLAIM, image="acme/thumbs:2"), _pod("emptyDir: {}", image="acme/thumbs:2")

    assert _told({"pg.yaml": base}, {"pg.yaml": head}, _cluster(stored=None)) == ["plausible"]
    assert _told({"pg.yaml": base}, {"pg.yaml": head}, _cluster(stored=0.0)) == ["refuted"]


def test_a_claim_that_this_change_adds_is_empty() -> None:
    head: dict[str, str | None] = {"pg.yaml": _pod(OTHER), "claim.yaml": NEW_CLAIM}

    assert _told({"pg.yaml": _pod(CLAIM)}, head, _cluster()) == ["confirmed"]


@pytest.mark.parametrize(
    "claim",
    [
        None,
        NEW_CLAIM.replace("spec: {", "spec: {dataSource: {name: snap, kind: VolumeSnapshot}, "),
        NEW_CLAIM.replace("spec: {", "spec: {volumeName: pv-restored, "),
    ],
)
def test_a_claim_that_may_hold_something_stays_a_question(claim: str | None) -> None:
    head: dict[str, str | None] = {"pg.yaml": _pod(OTHER), **({"claim.yaml": claim} if claim else {})}

    assert _told({"pg.yaml": _pod(CLAIM)}, head, _cluster()) == ["plausible"]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        (_pod("emptyDir: {}"), _pod(CLAIM)),
        (_pod(CLAIM), _pod(CLAIM).replace("name: d,", "name: data,")),
        (_pod(CLAIM, image="postgres:15"), _pod(CLAIM)),
        (_pod(CLAIM), _pod(CLAIM, path="/data")),
    ],
)
def test_the_same_storage_is_silent(base: str, head: str) -> None:
    assert _told({"pg.yaml": base}, {"pg.yaml": head}, _cluster()) == []


def _host(**metrics: float) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    pg = production.resource("docker:h1/pg", "docker.container", "pg", is_deployed=True)
    for name, value in metrics.items():
        production.metric(pg, name, "Bytes" if "bytes" in name else "Count", value)
    return production


def _compose(mount: str, *volumes: str) -> str:
    return COMPOSE.format(mount=mount, volumes="".join(f"  {v}\n" for v in volumes))


OLD = _compose(f"pgdata:{DATA}", "pgdata: {}")


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (_compose(f"pgdata16:{DATA}", "pgdata16: {}"), ["confirmed"]),
        (_compose(f"pgdata16:{DATA}", "pgdata: {}", "pgdata16:"), ["confirmed"]),
        (_compose(DATA, "pgdata: {}"), ["confirmed"]),
        (_compose(f"restored:{DATA}", "restored: {external: true}"), ["plausible"]),
        (_compose(f"db:{DATA}", "db: {name: pgdata}"), []),
        (_compose(f"pgdata:{DATA}", "pgdata: {driver: local}"), []),
    ],
)
def test_a_volume_of_compose_is_known_by_its_name(head: str, status: list[str]) -> None:
    assert _told({"docker-compose.yml": OLD}, {"docker-compose.yml": head}, _host(disk_used_bytes=3e10, connections=9)) == status


def test_files_of_the_repository_are_no_data() -> None:
    base = "services:\n  web:\n    image: nginx\n    volumes:\n      - ./conf:/etc/nginx\n"

    assert (
        _told({"docker-compose.yml": base}, {"docker-compose.yml": base.replace("./conf", "./nginx")}, _host(connections=9)) == []
    )
