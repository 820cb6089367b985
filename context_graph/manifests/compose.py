"""docker-compose: services with their image, environment, limits, health check and what they depend on."""

import posixpath
import re
from collections.abc import Callable, Mapping

from context_graph.manifests.environment import environment_settings, variables_of
from context_graph.manifests.hosts import MAX_VALUE, hosts_in, hosts_of
from context_graph.manifests.node import Draft, Link, Node, Reading
from context_graph.manifests.sam import with_defaults
from context_graph.normal_form import cores, mebibytes, seconds
from gonogo.pattern import pattern
from gonogo.resource import Relation

ANY_COMPOSE = "@compose"
"""Scope of a service that is named only: this file's, or the one's that this file adds to."""
MAX_EXTENDS = 8
MAX_LINKS = 20_000
"""Uses of one file that are looked at."""
MAX_ENV_FILE = 200_000
_STORED = {"volumes": "compose.volume", "secrets": "compose.secret", "configs": "compose.config", "models": "compose.model"}
_STORED_NAME = pattern(r"[A-Za-z0-9][\w.-]{0,200}")
INCLUDES = "@includes"
"""Relation of a file of Compose to one that it takes in; no edge of the graph."""
_VARIABLE = pattern(r"\$(?:\{([A-Za-z_]\w{0,100})(?::?[-?]([^{}]{0,500}))?\}|([A-Za-z_]\w{0,100}))")
_SIMPLE = {
    "image": "image", "command": "command", "entrypoint": "entrypoint", "restart": "restart", "scale": "replicas",
    "deploy.replicas": "replicas", "deploy.mode": "mode", "deploy.update_config.order": "strategy",
    "deploy.update_config.parallelism": "max_unavailable", "healthcheck.test": "liveness_command",
    "healthcheck.retries": "liveness_failure_threshold", "ports": "ports", "container_name": "container_name",
}  # fmt: skip
_SECONDS = {
    "stop_grace_period": "termination_grace_s", "healthcheck.interval": "liveness_period_s",
    "healthcheck.timeout": "liveness_timeout_s", "healthcheck.start_period": "liveness_initial_delay_s",
}  # fmt: skip
_MEMORY = {
    "mem_limit": "memory_limit_mib", "mem_reservation": "memory_request_mib",
    "deploy.resources.limits.memory": "memory_limit_mib", "deploy.resources.reservations.memory": "memory_request_mib",
}  # fmt: skip
_CORES = {"cpus": "cpu_limit", "deploy.resources.limits.cpus": "cpu_limit", "deploy.resources.reservations.cpus": "cpu_request"}


def is_compose(root: Node, file: str) -> bool:
    """True when the document has services with an image, a build or an extension, or is named as Compose's files are."""
    services = root.entries().get("services")
    is_named = file.rpartition("/")[2].startswith(("docker-compose", "compose."))
    if services is None or "apiVersion" in root.entries() or "provider" in root.entries():
        return services is None and is_named and "include" in root.entries()
    if is_named:
        return any(service.entries() for service in services.entries().values())
    return any({"image", "build", "extends"} & service.entries().keys() for service in services.entries().values())


def read_compose(
    root: Node, file: str, *, given: Mapping[str, str] | None = None, text_of: Callable[[str], str | None] = lambda _: None
) -> Reading:
    """The services and what they use. `given` are the variables of the `.env` file beside it; `text_of` opens other files of the tree."""
    reading = Reading(links=_included(root, file))
    listed = root.entries().get("services")
    services = {name: _extended(service, root, 0) for name, service in (listed.entries() if listed is not None else {}).items()}
    for name, service in services.items():
        draft = Draft(
            "compose.service", f"services.{name}", file, service.line, service.end_line, service, name, scope=file,
            is_conditional=service.get("profiles") is not None,
            ready=("environment", "mem_limit", "mem_reservation", "cpus", "deploy", "healthcheck", *_SIMPLE, "stop_grace_period"),
        )  # fmt: skip
        draft.extra = _settings(service)
        reading.drafts.append(draft)
        reading.links += _started_after(draft, service)
        if len(reading.links) <= MAX_LINKS:
            reading.links += _called(draft, service, given or {})
            reading.links += _called_by_files(draft, service, given or {}, text_of)
            reading.links += _kept(draft, service)
    for section, kind in _STORED.items():
        listed = root.entries().get(section)
        for name, entry in (listed.entries() if listed is not None else {}).items():
            stored = Draft(kind, f"{section}.{name}", file, entry.line, max(entry.line, entry.end_line), entry, name, scope=file)
            reading.drafts.append(stored)
    if len(reading.links) > MAX_LINKS:
        reading.not_read.append((file, None, f"more than {MAX_LINKS} uses of other services; the rest is not drawn"))
        reading.links = reading.links[:MAX_LINKS]
    return reading


def _extended(service: Node, root: Node, depth: int) -> Node:
    """What `extends` takes from another service of this file is the service's own too."""
    base = service.get("extends", "service") or service.get("extends")
    name = base.string() if base is not None else None
    other = root.entries()["services"].entries().get(name or "")
    if other is None or service.get("extends", "file") is not None or depth > MAX_EXTENDS:
        return service
    inherited = _extended(other, root, depth + 1).without("depends_on", "links", "volumes_from", "profiles")
    return with_defaults(service, inherited)


def _started_after(draft: Draft, service: Node) -> list[Link]:
    found: list[Link] = []
    for key in ("depends_on", "links", "volumes_from"):
        listed = service.get(key)
        names = [(n, v) for n, v in listed.entries().items()] if listed is not None else []
        names += [(item.string() or "", item) for item in (listed.items() if listed is not None and not names else [])]
        for other, where in names:
            found.append(_link(draft, other.partition(":")[0], Relation.DEPENDS_ON, where.line, key))
    for key in ("network_mode", "pid", "ipc"):
        mode = service.get(key)
        kind, _, other = ((mode.string() if mode is not None else None) or "").partition(":")
        if mode is not None and kind == "service" and other:
            found.append(_link(draft, other, Relation.DEPENDS_ON, mode.line, key))
    return found


def _called(draft: Draft, service: Node, given: Mapping[str, str]) -> list[Link]:
    """Hosts in variables, in what is passed through from `.env`, and in the command line."""
    found: list[Link] = []
    aliases = _aliases(service)
    for variable, value in variables_of(service.get("environment")):
        written = value.string()
        written = given.get(variable, "") if written is None and not value.is_known else written or ""
        for host in hosts_in(variable, filled(written, given)):
            found.append(_link(draft, aliases.get(host, host), Relation.CONNECTS_TO, value.line, variable))  # noqa: PERF401
    for key in ("command", "entrypoint"):
        said = service.get(key)
        for item in said.items() if said is not None else []:
            for host in hosts_of(filled(item.string() or "", given), only_addresses=True):
                found.append(_link(draft, host, Relation.CONNECTS_TO, item.line, key))  # noqa: PERF401
    return found


def _called_by_files(draft: Draft, service: Node, given: Mapping[str, str], text_of: Callable[[str], str | None]) -> list[Link]:
    """Hosts in the variables that `env_file` brings, as far as the file is in the tree."""
    files = service.get("env_file")
    found: list[Link] = []
    aliases = _aliases(service)
    for item in files.items() if files is not None else []:
        path = item.get("path") if item.entries() else item
        written = path.string() if path is not None else None
        text = text_of(posixpath.normpath(posixpath.join(posixpath.dirname(draft.file), written))) if written else None
        for variable, value in read_variables(text or "").items():
            for host in hosts_in(variable, filled(value, given)):
                found.append(_link(draft, aliases.get(host, host), Relation.CONNECTS_TO, item.line, f"{variable} of {written}"))  # noqa: PERF401
    return found


def _aliases(service: Node) -> dict[str, str]:
    """What the service itself calls others: `links: ["db:database"]`."""
    listed = service.get("links")
    pairs = [(item.string() or "").partition(":") for item in (listed.items() if listed is not None else [])]
    return {alias: name for name, _, alias in pairs if alias}


def _link(draft: Draft, other: str, relation: Relation, line: int, where: str) -> Link:
    """To a service by name; whether there is one, here or in the file that this one adds to, is seen later."""
    evidence = f"{where} names {other}" if relation is Relation.CONNECTS_TO else f"{where}: {other}"
    return Link(draft.address, f"services.{other}", relation, draft.file, line, evidence[:200], draft.scope, ANY_COMPOSE)


def _kept(draft: Draft, service: Node) -> list[Link]:
    """The volumes that the service mounts, the secrets and configurations that it takes."""
    found: list[Link] = []
    for section in _STORED:
        listed = service.get(section)
        items = [(name, item) for name, item in (listed.entries() if listed is not None else {}).items()]
        for item in listed.items() if listed is not None and not items else []:
            written = item.string()
            source = item.get("source")
            items.append(
                (
                    written.partition(":")[0] if written is not None else (source.string() if source is not None else None) or "",
                    item,
                )
            )
        for name, item in items:
            if _STORED_NAME.fullmatch(name) is not None:
                evidence = f"{section}: {item.string() or name}"[:200]
                found.append(
                    Link(
                        draft.address,
                        f"{section}.{name}",
                        Relation.DEPENDS_ON,
                        draft.file,
                        item.line,
                        evidence,
                        draft.scope,
                        ANY_COMPOSE,
                    )
                )
    return found


def _included(root: Node, file: str) -> list[Link]:
    listed = root.entries().get("include")
    found: list[Link] = []
    for item in listed.items() if listed is not None else []:
        paths = item.get("path") if item.entries() else item
        for path in paths.items() if paths is not None else []:
            there = posixpath.normpath(posixpath.join(posixpath.dirname(file), path.string() or ""))
            found.append(Link(file, there, INCLUDES, file, item.line, scope=file, target_scope=ANY_COMPOSE))
    return found


def filled(written: str, given: Mapping[str, str], depth: int = 0) -> str:
    """`${NAME}`, `${NAME:-default}` and `$NAME` replaced as Compose does; an unknown one is left out."""
    if "$" not in written or depth > 4:
        return written

    def value(match: re.Match[str]) -> str:
        name, default = match.group(1) or match.group(3), match.group(2) or ""
        return filled(given.get(name) or default, given, depth + 1)[:MAX_VALUE]

    return _VARIABLE.sub(value, written[:MAX_VALUE])


def read_variables(text: str) -> dict[str, str]:
    """The assignments of a `.env` file."""
    found: dict[str, str] = {}
    for line in text[:MAX_ENV_FILE].split("\n"):
        name, sign, value = line.strip().removeprefix("export ").partition("=")
        if sign and not name.startswith("#"):
            bare = value.strip()
            found[name.strip()] = bare[1:].partition(bare[0])[0] if bare[:1] in ("'", '"') else bare.partition(" #")[0].rstrip()
    return found


def _settings(service: Node) -> dict[str, Node]:
    settings: dict[str, Node] = {}
    for table, convert in ((_SIMPLE, None), (_SECONDS, seconds), (_MEMORY, _docker_memory), (_CORES, cores)):
        for path, key in table.items():
            found = service.get(*path.split("."))
            if found is not None:
                settings[key] = found if convert is None else _converted(found, convert(found.json()))
    variables = service.get("environment")
    if variables is not None:
        settings |= environment_settings(variables_of(variables), line=variables.line)
    files = service.get("env_file")
    for item in files.items() if files is not None else []:
        path = item.get("path") if item.entries() else item
        if path is not None and path.string():
            settings[f"environment_from.{path.string()}"] = path
    return settings


def _converted(node: Node, value: object) -> Node:
    return Node(value, node.line, text=node.text) if isinstance(value, int | float | str) else node


def _docker_memory(value: object) -> object:
    """Docker's units are binary, whatever their case: `512M` is 512 MiB."""
    return mebibytes(value.lower() if isinstance(value, str) else value)
