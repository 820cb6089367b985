"""Pods whose selector, affinity, tolerations or size change, against the labels, taints and free room of live nodes."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: reader, namespace: docs}}
spec:
  replicas: 6
  strategy: {{rollingUpdate: {{maxSurge: 2, maxUnavailable: 0}}}}
  selector: {{matchLabels: {{app: reader}}}}
  template:
    metadata: {{labels: {{app: reader}}}}
    spec:
{pod}
      containers:
        - name: reader
          image: reader:1
          resources: {{requests: {{cpu: {cpu}, memory: {memory}}}}}
"""
AFFINITY = """      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
              - matchExpressions:
                  - {{key: pool, operator: {}, values: [{}]}}
"""
TOLERATION = "      tolerations: [{key: dedicated, operator: Equal, value: docs, effect: NoSchedule}]\n"
ROOMY = {
    "allocatable": {"cpu_m": 7910, "memory_mib": 30720, "pods": 110},
    "requested": {"cpu_m": 2400, "memory_mib": 10240, "pods": 14},
}


def manifest(pod="      nodeSelector: {pool: mixed}", *, cpu="1000m", memory="2Gi"):
    return {"deploy/reader.yaml": DEPLOYMENT.format(pod=pod.rstrip("\n"), cpu=cpu, memory=memory)}


def selecting(pool):
    return f"      nodeSelector: {{{pool}}}"


def cluster(*nodes, kind="kubernetes.node"):
    facts = MemoryProduction()
    app = facts.resource("kubernetes:hel/docs/deployment/reader", "kubernetes.deployment", "reader", is_deployed=True, replicas=6, cluster="hel", namespace="docs")  # fmt: skip
    for number, node in enumerate(nodes):
        one = facts.resource(f"kubernetes:hel/-/node/n{number}", kind, f"n{number}", cluster="hel", **node)
        facts.edge(app, one, "connects_to")
    return facts


def node(pool="mixed", *, room=None, **more):
    return {"labels": {"pool": pool, "kubernetes.io/arch": "amd64"}, "taints": [], **(ROOMY if room is None else room), **more}


def told(base, head, facts):
    evaluation = evaluation_of(base, head, facts)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "scheduling"]


MIXED = (node(), node())


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        ((*MIXED, node("batch"), node("gpu")), "confirmed"),
        ((*MIXED, node("steady"), node("steady"), node("steady")), "refuted"),
        ((*MIXED, node("steady", room={})), "plausible"),
        ((*MIXED, node("steady", room={**ROOMY, "requested": {"cpu_m": 7900, "memory_mib": 10240, "pods": 14}})), "plausible"),
        (MIXED, "plausible"),
        ((*MIXED, node("steady", unschedulable=True), node("batch")), "confirmed"),
        ((*MIXED, node("steady", ready=False)), "confirmed"),
        ((*MIXED, node("steady", taints=[{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}])), "confirmed"),
        ((*MIXED, node("steady", taints=["dedicated=gpu:NoSchedule"])), "confirmed"),
        ((*MIXED, node("steady", taints=["old=yes:PreferNoSchedule"]), node("steady")), "refuted"),
        ((), "plausible"),
    ],
)
def test_another_pool_is_held_against_the_nodes_that_have_it(nodes, expected) -> None:
    assert told(manifest(), manifest(selecting("pool: steady")), cluster(*nodes)) == [expected]


@pytest.mark.parametrize(
    ("old", "new", "nodes", "expected"),
    [
        (selecting("pool: mixed"), AFFINITY.format("In", "steady"), (*MIXED, node("batch")), "confirmed"),
        ("", AFFINITY.format("In", "steady, calm"), (*MIXED, node("batch")), "confirmed"),
        ("", AFFINITY.format("In", "steady, mixed"), (node(), node(), node("batch")), "refuted"),
        (selecting("pool: mixed"), selecting("pool: mixed, kubernetes.io/arch: arm64"), (*MIXED, node("batch")), "confirmed"),
        (TOLERATION, "", (node(taints=["dedicated=docs:NoSchedule"]),), "confirmed"),
        (TOLERATION, "", (node(), node(), node(taints=["dedicated=docs:NoSchedule"])), "refuted"),
    ],
)
def test_affinities_architectures_and_tolerations_are_read_as_well(old, new, nodes, expected) -> None:
    assert told(manifest(old), manifest(new), cluster(*nodes)) == [expected]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ({"cpu": "16"}, ["confirmed"]),
        ({"memory": "64Gi"}, ["confirmed"]),
        ({"cpu": "2500m"}, []),
        ({"cpu": "1500m"}, ["refuted"]),
        ({"cpu": "500m"}, []),
    ],
)
def test_a_bigger_pod_is_held_against_the_biggest_node_and_the_room_of_all(size, expected) -> None:
    three = (node(), node(), node("batch"))
    plain = "      terminationGracePeriodSeconds: 30"

    assert told(manifest(plain), manifest(plain, **size), cluster(*three)) == expected


def test_a_pool_that_makes_nodes_leaves_it_open() -> None:
    facts = cluster(*MIXED, node("batch"))
    pool = facts.resource("eks:steady", "aws.eks.nodegroup", "steady", cluster="hel", labels={"pool": "steady"}, taints=[])
    facts.edge("kubernetes:hel/docs/deployment/reader", pool, "connects_to")

    assert told(manifest(), manifest(selecting("pool: steady")), facts) == ["plausible"]


@pytest.mark.parametrize("name", ["karpenter", "cluster-autoscaler"])
def test_something_that_makes_nodes_on_demand_leaves_it_open(name) -> None:
    facts = cluster(*MIXED, node("batch"))
    maker = facts.resource(f"kubernetes:hel/kube-system/deployment/{name}", "kubernetes.deployment", name)
    facts.edge("kubernetes:hel/docs/deployment/reader", maker, "depends_on")

    assert told(manifest(), manifest(selecting("pool: steady")), facts) == ["plausible"]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        (manifest(), manifest("      terminationGracePeriodSeconds: 30")),
        (manifest(), manifest("      nodeSelector: {pool: mixed}", cpu="500m")),
        ({"envs/staging/reader.yaml": manifest()["deploy/reader.yaml"]}, {"envs/staging/reader.yaml": manifest(selecting("pool: x"))["deploy/reader.yaml"]}),
    ],
)  # fmt: skip
def test_what_asks_for_less_or_is_for_another_stage_is_not_spoken_of(base, head) -> None:
    assert told(base, head, cluster(*MIXED, node("batch"))) == []


def test_without_production_the_label_is_a_question() -> None:
    evaluation = evaluation_of(manifest(), manifest(selecting("pool: steady")))

    (entry,) = [e for e in evaluation.ledger if e.trajectory.playbook == "scheduling"]
    assert entry.status.value == "plausible"
    assert any("kubectl get nodes -l pool=steady" in (link.query or "") for link in entry.trajectory.links)
