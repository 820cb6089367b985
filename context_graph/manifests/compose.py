"""docker-compose: services with their image, environment, limits, health check and what they depend on."""

from context_graph.manifests.environment import environment_settings, variables_of
from context_graph.manifests.hosts import host_of
from context_graph.manifests.node import Draft, Link, Node, Reading
from context_graph.normal_form import cores, mebibytes, seconds
from gonogo.resource import Relation

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


def is_compose(root: Node) -> bool:
    """True when the document has services with an image, a build or an extension."""
    services = root.entries().get("services")
    if services is None or "apiVersion" in root.entries() or "provider" in root.entries():
        return False
    return any({"image", "build", "extends"} & service.entries().keys() for service in services.entries().values())


def read_compose(root: Node, file: str) -> Reading:
    """The services and how they depend on each other."""
    reading = Reading()
    services = root.entries()["services"].entries()
    for name, service in services.items():
        draft = Draft(
            "compose.service", f"services.{name}", file, service.line, service.end_line, service, name, scope=file,
            ready=("environment", "mem_limit", "mem_reservation", "cpus", "deploy", "healthcheck", *_SIMPLE, "stop_grace_period"),
        )  # fmt: skip
        draft.extra = _settings(service)
        reading.drafts.append(draft)
        for key in ("depends_on", "links"):
            listed = service.get(key)
            names = [(n, v) for n, v in listed.entries().items()] if listed is not None else []
            names += [(item.string() or "", item) for item in (listed.items() if listed is not None and not names else [])]
            for other, where in names:
                target = other.partition(":")[0]
                if target in services:
                    reading.links.append(
                        Link(draft.address, f"services.{target}", Relation.DEPENDS_ON, file, where.line, f"{key}: {target}", file)
                    )
        for variable, value in variables_of(service.get("environment")):
            host = host_of(value.string() or "")
            if host in services and host != name:
                evidence = f"{variable} names {host}"
                reading.links.append(
                    Link(draft.address, f"services.{host}", Relation.CONNECTS_TO, file, value.line, evidence, file)
                )
    return reading


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
