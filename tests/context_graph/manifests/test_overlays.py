"""What takes effect after kustomize's patches: a value that holds from another layer is a change, one that is replaced is none."""

import pytest

from context_graph.manifests import read_manifests, setting_changes
from context_graph.testing import MemoryTree

BASE = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: search}}
spec:
  replicas: 1
  template:
    spec:
      containers:
        - name: {container}
          image: search:1
          resources:
            limits: {{memory: {memory}}}
"""
PATCH = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: search}}
spec:
  replicas: {replicas}
  template:
    spec:
      containers:
        - name: {container}
          resources:
            limits: {{memory: {memory}}}
"""
LISTED = "kind: Kustomization\nresources: [deployment.yaml]\n"
INLINE = "patches:\n  - patch: |-\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: {name: search}\n      spec:\n        template:\n          spec:\n            containers:\n              - name: search\n                resources: {limits: {memory: 2Gi}}\n"
OPERATIONS = "- op: replace\n  path: /spec/template/spec/containers/0/resources/limits/memory\n  value: 2Gi\n"
INLINE_OPERATIONS = (
    "patches:\n  - target: {kind: Deployment, name: search}\n    patch: |-\n      "
    + OPERATIONS.replace("\n", "\n      ").rstrip()
    + "\n"
)
WAYS = {
    "a patch in a file": ("patches:\n  - path: memory.yaml\n", {}),
    "a strategic merge": ("patchesStrategicMerge:\n  - memory.yaml\n", {}),
    "a patch with a target": ("patches:\n  - path: memory.yaml\n    target: {kind: Deployment}\n", {}),
    "a patch inside": (INLINE, {}),
    "operations inside": (INLINE_OPERATIONS, {}),
    "operations in a file": (
        "patches:\n  - path: ops.yaml\n    target: {kind: Deployment, name: search}\n",
        {"overlays/prod/ops.yaml": OPERATIONS},
    ),
    "operations as they were listed before": (
        "patchesJson6902:\n  - path: ops.yaml\n    target: {kind: Deployment, name: search}\n",
        {"overlays/prod/ops.yaml": OPERATIONS},
    ),
}


def tree(patches="", *, base="768Mi", stage="prod", more=None, container="search"):
    files = {
        "base/deployment.yaml": BASE.format(memory=base, container=container),
        "base/kustomization.yaml": LISTED,
        f"overlays/{stage}/kustomization.yaml": f"kind: Kustomization\nnamespace: web\nresources:\n  - ../../base\n{patches}",
        f"overlays/{stage}/memory.yaml": PATCH.format(replicas=4, memory="2Gi", container=container),
    }
    return read_manifests(MemoryTree(files | (more or {})))


def told(base, head):
    return [
        (c.key, c.old.value if c.old else None, c.new.value if c.new else None)
        for c in setting_changes(base, head)
        if c.declared.kind != "kustomize.overlay"
    ]


@pytest.mark.parametrize(("listed", "more"), WAYS.values(), ids=WAYS)
def test_without_a_patch_the_value_of_the_base_holds(listed, more) -> None:
    found = told(tree(listed, more=more), tree())

    assert ("memory_limit_mib", 2048, 768) in found


@pytest.mark.parametrize(("listed", "more"), WAYS.values(), ids=WAYS)
def test_with_a_new_patch_its_own_value_holds(listed, more) -> None:
    assert ("memory_limit_mib", 768, 2048) in told(tree(), tree(listed, more=more))


def test_the_line_of_the_value_that_holds_is_the_place() -> None:
    (found,) = [c for c in setting_changes(tree("patches:\n  - path: memory.yaml\n"), tree()) if c.key == "memory_limit_mib"]

    assert (found.place.file, found.place.line) == ("base/deployment.yaml", 12)
    assert found.old is not None
    assert (found.old.file, found.old.line) == ("overlays/prod/memory.yaml", 11)


def test_the_last_of_two_patches_holds_so_their_order_is_a_change() -> None:
    more = {"overlays/prod/small.yaml": PATCH.format(replicas=4, memory="1Gi", container="search")}
    before, after = (f"patches:\n  - path: {a}.yaml\n  - path: {b}.yaml\n" for a, b in (("small", "memory"), ("memory", "small")))

    assert told(tree(before, more=more), tree(after, more=more)) == [("memory_limit_mib", 2048, 1024)]


def test_a_replica_count_of_the_overlay_that_goes_leaves_that_of_the_base() -> None:
    assert ("replicas", 6, 1) in told(tree("replicas:\n  - name: search\n    count: 6\n"), tree())


def test_a_value_of_the_base_that_production_replaces_is_no_change() -> None:
    listed = "patches:\n  - path: memory.yaml\n"

    assert told(tree(listed), tree(listed, base="256Mi")) == []


def test_a_value_of_the_base_that_production_lets_through_is_a_change() -> None:
    assert told(tree(), tree(base="256Mi")) == [("memory_limit_mib", 768, 256)]


def test_a_patch_of_another_stage_says_nothing_of_production() -> None:
    listed = "patches:\n  - path: memory.yaml\n"
    prod = {"overlays/prod/kustomization.yaml": "kind: Kustomization\nresources: [../../base]\n"}

    assert told(tree(listed, stage="staging", more=prod), tree(stage="staging", more=prod)) == []


def test_a_component_lays_its_patches_over_too() -> None:
    component = {
        "components/big/kustomization.yaml": "kind: Component\npatches:\n  - path: big.yaml\n",
        "components/big/big.yaml": PATCH.format(replicas=3, memory="3Gi", container="search"),
    }

    assert ("memory_limit_mib", 3072, 768) in told(
        tree("components: [../../components/big]\n", more=component), tree(more=component)
    )


def test_a_patch_of_a_sidecar_is_none_of_the_program() -> None:
    two = (
        BASE.format(memory="768Mi", container="search")
        + "        - name: proxy\n          resources:\n            limits: {memory: 64Mi}\n"
    )
    patch = {
        "base/deployment.yaml": two,
        "overlays/prod/memory.yaml": PATCH.format(replicas=1, memory="128Mi", container="proxy"),
    }

    assert told(tree("patches:\n  - path: memory.yaml\n", more=patch), tree(more=patch)) == [
        ("container.proxy.memory_limit_mib", 128, 64)
    ]


def test_a_container_that_is_not_called_like_its_object_is_patched_too() -> None:
    found = told(tree("patches:\n  - path: memory.yaml\n", container="main"), tree(container="main"))

    assert ("memory_limit_mib", 2048, 768) in found


def test_kustomizations_that_name_each_other_come_to_an_end() -> None:
    files = {f"{a}/kustomization.yaml": f"kind: Kustomization\nresources: [../{b}]\n" for a, b in ("ab", "ba")}
    files["c/kustomization.yaml"] = "kind: Kustomization\nresources: [../a]\n"

    assert setting_changes(read_manifests(MemoryTree(files)), read_manifests(MemoryTree(files))) == ()
