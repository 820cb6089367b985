"""What a change may be about, by its paths and lines alone: playbooks of manifests load only for such a change. In doubt it may."""

import re
from collections.abc import Iterator

from gonogo.change import ChangeSet
from gonogo.pattern import pattern

_OF_MANIFESTS = pattern(
    r"(?i)(?:^|[/_.-])(?:charts?|helm|values|k8s|kube\w*|deploy\w*|manifests?|kustom\w*|overlays?|infra\w*|templates?|terraform|cdk|stacks?|gitops|argo\w*|flux|apps?|envs?|services?|prod\w*)(?:[/_.-]|$)|\.(?:tf|tofu|hcl|tfvars)$"
)
_PORT = pattern(
    r"(?i)port|listen|bind|serve|addr|expose|entrypoint|\bcmd\b|command|useurls|(?:\b|\W):\d{2,5}\b|\b(?:0\.0\.0\.0|::)\b"
)
_POD = pattern(
    r"(?i)selector|toleration|affinity|taint|node_?name|node|cpu|memory|pool|\barch\b|operator|values|requests|topology"
)
_IMAGE = pattern(r"(?i)image|\btag\b|digest|sha256:|newTag|version")
_BALANCER = pattern(r"(?i)internal|scheme|\bname|type|balancer|\blb\b")


def mentions_ports(changes: ChangeSet) -> bool:
    """Whether a changed line may say where something listens or is sent to."""
    return any(_PORT.search(line) for line in _lines(changes))


def mentions_pods(changes: ChangeSet) -> bool:
    """Whether a changed manifest may ask for other nodes."""
    return _of_manifests(changes, _POD)


def mentions_images(changes: ChangeSet) -> bool:
    """Whether a changed manifest may name another image."""
    return _of_manifests(changes, _IMAGE)


def mentions_balancers(changes: ChangeSet) -> bool:
    """Whether a changed manifest may replace a balancer."""
    return _of_manifests(changes, _BALANCER)


def _of_manifests(changes: ChangeSet, words: re.Pattern[str]) -> bool:
    return any(_OF_MANIFESTS.search(p) for f in changes.files for p in (f.path, f.base_path or f.path)) or any(
        words.search(line) for line in _lines(changes)
    )


def _lines(changes: ChangeSet) -> Iterator[str]:
    for file in changes.files:
        for hunk in file.hunks:
            yield from (line[:2_000] for line in (*hunk.added, *hunk.removed))
