"""A workload that is to run an image which its registry does not have."""

from collections.abc import Iterator

from bot.investigator.asking import config, lists_name, number, quote_changes
from bot.investigator.case import Case
from bot.investigator.chain import exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.rollout_shared import id_of, in_use, who
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.trajectory import Certainty, Impact, Link, Role, Trajectory
from heuristics.rule import RuleContext
from heuristics.runtime.images import NewImage, new_images

INFO = PlaybookInfo(id="missing-image", question="Does the registry have the image that is to run?")

_REGISTRY = pattern(r"(?i).*(ecr|registry|artifact|container_?image|image_?repository|docker|quay|harbor|ghcr|package).*")
_LISTS = ("image_tags", "tags", "images", "image_ids", "versions", "available_tags", "digests", "image_digests")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain an image whose registry was read; of others nothing is known that a reader would want to hear."""
    for found in case.diff.once(_all):
        registry = _registry(case, found)
        listed = _listed(case, registry, found) if registry is not None else None
        if registry is not None and listed is not None:
            yield _chain(case, found, registry, listed)


def _all(context: RuleContext) -> tuple[NewImage, ...]:
    return tuple(new_images(context))


def _registry(case: Case, found: NewImage) -> Resource | None:
    """The repository of images of that name, by all of its path or its last part where only one has it."""
    known = [r for r in case.production.resources if _REGISTRY.fullmatch(r.kind)]
    whole = [r for r in known if r.name == found.repository or r.id.endswith(f"/{found.repository}")]
    last = found.repository.rpartition("/")[2]
    alike = whole or [r for r in known if r.name.rpartition("/")[2] == last]
    return alike[0] if len(alike) == 1 else None


def _listed(case: Case, registry: Resource, found: NewImage) -> ConfigEvidence | None:
    """Whether a list of the registry has the version; what lists digests says nothing of a tag."""
    is_digest = found.version.startswith("sha256:")
    for key in _LISTS:
        if is_digest == ("digest" in key) or key in ("images", "image_ids"):
            cited = lists_name(case, registry.id, key, found.version)
            if cited is not None:
                return cited
    return None


def _chain(case: Case, found: NewImage, registry: Resource, listed: ConfigEvidence) -> Trajectory:
    resource, name = who(case, found.change)
    lines = quote_changes(case, found.change)
    own = id_of(case, resource)
    running = number(case, resource.id, "available_replicas", "replicas", "desired_count") if resource is not None else None
    claim = f"{registry.name} has no image {found.version}"
    last: Link
    if not listed.absent:
        last = harm(claim, refuting=(listed,))
    elif found.is_built_here:
        question = f"Is {registry.name}:{found.version} pushed before the roll-out begins?"
        query = f"list the tags of {registry.name} and look for {found.version}"
        last = unknown(Role.HARM, f"{claim} yet, and this repository builds images", question, query, listed)
    else:
        last = harm(f"{claim}: the pull fails, and new copies never start", listed)
    exists = running or (config(case, resource.id, "image", *sorted(resource.attributes)) if resource is not None else None)
    return Trajectory(
        title=f"{name} is to run an image that is not there",
        impact=Impact.HIGH,
        resource=own,
        metric="kube_deployment_status_replicas_unavailable",
        certainty=Certainty.NAME_ABSENT,
        links=(
            trigger(f"{name} runs `{found.change.new.text if found.change.new else found.version}` from now on", *lines),
            mechanism("an image that cannot be pulled starts no copy: the roll-out stands still, and nothing replaces a copy that dies", *lines[-1:]),
            exposure(f"{name} runs in production", exists) if exists is not None else in_use(case, resource, name, None),
            last,
        ),
        make_safe="Push the image first, or name a tag that the registry lists.",
        path=tuple(dict.fromkeys((own, registry.id))),
        undo="Set the tag back; the copies that run keep their image.",
    )  # fmt: skip
