"""Images that workloads run from now on, by repository, tag and digest."""

from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import SettingChange
from heuristics.code import is_ci_path
from heuristics.rule import RuleContext
from heuristics.runtime.declared import production_settings

_KEY = pattern(r"(?:(?:init_)?container\.[^.]+\.)?image|image_uri")
_IMAGE = pattern(
    r"(?P<repository>(?:[\w.-]+(?::\d+)?/)?[\w./-]+?)(?::(?P<tag>[\w][\w.-]{0,127}))?(?:@(?P<digest>sha256:[0-9a-f]{8,64}))?"
)
_BUILDS = pattern(r"(?i)docker(?:\s+buildx)?\s+build|build-push-action|kaniko|\bjib\b|\bko\s+(?:build|publish|apply)|buildpacks?|pack\s+build|buildah|podman\s+build|skaffold|docker\s+push|nix\s+build")  # fmt: skip
_DOCKERFILE = pattern(r"(?i)(?:^|/)(?:dockerfile|containerfile)[\w.-]*$|\.dockerfile$")
_MOVING = ("latest", "stable", "main", "master", "edge")


class NewImage(Record):
    """A workload whose image has another tag or digest."""

    change: SettingChange
    repository: str
    """Without the registry's host: `shop/web`."""
    version: str
    """The digest where there is one, else the tag."""
    is_built_here: bool
    """This repository builds images, so the tag may come to be by merging."""


def new_images(context: RuleContext) -> Iterator[NewImage]:
    """Every one whose version the manifest says."""
    for change in production_settings(context):
        if _KEY.fullmatch(change.key) is None or change.old is None or change.new is None:
            continue
        found = _IMAGE.fullmatch(str(change.new.value)) if isinstance(change.new.value, str) else None
        version = (found["digest"] or found["tag"]) if found is not None else None
        if found is None or version is None or version in _MOVING:
            continue
        repository = found["repository"]
        host, slash, path = repository.partition("/")
        is_host = bool(slash) and ("." in host or ":" in host)
        yield NewImage(change, path if is_host else repository, version, is_built_here=_is_built(context))


def _is_built(context: RuleContext) -> bool:
    if any(_DOCKERFILE.search(path) for path in context.head.paths()):
        return True
    flows = [p for p in context.head.paths() if is_ci_path(p) or p.rpartition("/")[2] in ("Makefile", "Jenkinsfile", "justfile")]
    return any(_BUILDS.search((context.head.text(p) or "")[:200_000]) for p in flows[:200])
