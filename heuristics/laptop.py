"""Changed files that only developers' machines run: compose files and the like that nothing deploys."""

from collections.abc import Mapping

from gonogo.change import ChangeSet, Side
from gonogo.context import ProductionContext
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.resource import Relation
from gonogo.word import ResourceId
from heuristics.code import is_ci_path

_ALWAYS = pattern(
    r"(?i)(^|/)(\.devcontainer/|vagrantfile$|tiltfile$|procfile\.dev$|(docker-)?compose\.(override|dev|local|test|ci|e2e)[\w.-]*\.ya?ml$"
    r"|(docker-)?compose[-_](dev|local|test|ci|e2e)[\w.-]*\.ya?ml$|kind(-config|-cluster)?\.ya?ml$)"
)
_COMPOSE = pattern(r"(?i)(^|/)(docker-)?compose\.ya?ml$")
_DEPLOYED_FROM = pattern(
    r"(?i)(^|[/_.-])(prod|production|deploy|deployment|deployments|stack|swarm|server|hosts?|vps|ansible)([/_.-]|$)"
)
_HOSTS = ("docker", "compose", "host", "swarm", "portainer", "podman", "vm")
_MACHINES = ("aws.ec2.instance", "aws.lightsail", "gcp.compute", "google.compute", "azure.compute", "hetzner", "digitalocean")
_DEPLOYS = pattern(
    r"(?i)docker stack deploy|\b(ssh|rsync|scp)\b.{0,200}compose|docker --(host|context)\b.{0,80}compose|compose.{0,120}\b(--context|-H ssh)|ecs-cli compose"
    r"|DOCKER_HOST\s*[=:]|compose[\w.-]*\.ya?ml.{0,120}@"
)
_SCRIPT = pattern(
    r"(?i)(^|/)(makefile|justfile|fabfile\.py|procfile|[\w.-]{0,60}\.sh|deploy[\w.-]{0,60}|[\w.-]{0,60}deploy[\w.-]{0,20}\.ya?ml)$"
)


def local_files(
    changes: ChangeSet, trees: Mapping[Side, SourceTree], production: ProductionContext, repository: ResourceId
) -> frozenset[str]:
    """Paths of changed files that no production runs from; a compose file counts only when this repository is deployed otherwise."""
    paths = [p for f in changes.files for p in (f.head_path, f.base_path) if p]
    found = {p for p in paths if _ALWAYS.search(p) and not _DEPLOYED_FROM.search(p)}
    plain = {p for p in paths if _COMPOSE.search(p) and not _DEPLOYED_FROM.search(p)}
    if plain and _is_deployed_otherwise(production, repository) and not _is_shipped(trees["head"]):
        found |= plain
    return frozenset(found)


def _is_deployed_otherwise(production: ProductionContext, repository: ResourceId) -> bool:
    """Production was read, this repository deploys to something there, and nothing of it is a machine that runs containers by itself."""
    mine = {e.target for e in production.edges if e.source == repository and e.relation is Relation.DEPLOYS_TO}
    kinds = [r.kind for r in production.resources if r.id in mine]
    if any(r.kind.startswith(_HOSTS) for r in production.resources):
        return False
    return bool(kinds) and not any(kind.startswith(_MACHINES) for kind in kinds)


def _is_shipped(tree: SourceTree) -> bool:
    """Whether continuous integration or a script of the repository brings a compose file to a machine."""
    for path in tree.paths():
        if (is_ci_path(path) or _SCRIPT.search(path)) and _DEPLOYS.search((tree.text(path) or "")[:100_000]):
            return True
    return False
