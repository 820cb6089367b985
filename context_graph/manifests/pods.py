"""Settings of a pod: the main container's without a prefix, other containers' under `container.NAME.`."""

from dataclasses import replace

from context_graph.manifests.environment import environment_settings, variables_of
from context_graph.manifests.node import Node
from context_graph.normal_form import cores, mebibytes

_SIMPLE = {
    "image": "image",
    "command": "command",
    "args": "args",
    "imagePullPolicy": "image_pull_policy",
    "workingDir": "working_dir",
}
_PROBES = {"livenessProbe": "liveness", "readinessProbe": "readiness", "startupProbe": "startup"}
_PROBE = {
    "initialDelaySeconds": "initial_delay_s",
    "periodSeconds": "period_s",
    "timeoutSeconds": "timeout_s",
    "failureThreshold": "failure_threshold",
    "successThreshold": "success_threshold",
    "httpGet.path": "path",
    "httpGet.port": "port",
    "tcpSocket.port": "port",
    "exec.command": "command",
    "grpc.port": "port",
}
_POD = {
    "terminationGracePeriodSeconds": "termination_grace_s",
    "serviceAccountName": "service_account",
    "priorityClassName": "priority_class",
    "imagePullSecrets": "image_pull_secrets",
    "restartPolicy": "restart_policy",
    "hostNetwork": "host_network",
    "dnsPolicy": "dns_policy",
    "tolerations": "tolerations",
    "nodeName": "node_name",
    "activeDeadlineSeconds": "active_deadline_s",
}


def pod_settings(pod: Node, *, main: str | None) -> dict[str, Node]:
    """All settings of the pod. The main container is the one named like the workload, else the first."""
    settings = {ours: found for theirs, ours in _POD.items() if (found := pod.get(theirs)) is not None}
    selector = pod.get("nodeSelector")
    settings |= {f"node_selector.{name}": value for name, value in (selector.entries().items() if selector is not None else ())}
    wanted = pod.get("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
    if wanted is not None:
        settings["node_affinity"] = wanted
    listed = pod.get("containers")
    containers = listed.items() if listed is not None else []
    chosen = next((c for c in containers if _name(c) == main), containers[0] if containers else None)
    if chosen is not None and _name(chosen) not in (main, "?"):
        settings["main_container"] = Node(_name(chosen), chosen.line, text=_name(chosen))
    for container in containers:
        settings |= container_settings(container, prefix="" if container is chosen else f"container.{_name(container)}.")
    first = pod.get("initContainers")
    for container in first.items() if first is not None else []:
        settings |= container_settings(container, prefix=f"init_container.{_name(container)}.")
    volumes = pod.get("volumes")
    for volume in volumes.items() if volumes is not None else []:
        settings[f"volume.{_name(volume)}"] = volume.without("name")
    return settings


def container_settings(container: Node, *, prefix: str = "") -> dict[str, Node]:
    """The settings of one container, also as Helm values and kustomize patches write them."""
    settings = {ours: found for theirs, ours in _SIMPLE.items() if (found := container.get(theirs)) is not None}
    settings |= resource_settings(container.get("resources"))
    for theirs, ours in _PROBES.items():
        probe = container.get(theirs)
        if probe is not None:
            settings |= {f"{ours}_{key}": v for path, key in _PROBE.items() if (v := probe.get(*path.split("."))) is not None}
            settings[ours] = Node(value=True, line=probe.line, text=theirs)
    stop = container.get("lifecycle", "preStop")
    if stop is not None:
        settings["pre_stop"] = stop
    variables = container.get("env")
    if variables is not None:
        settings |= environment_settings(variables_of(variables), line=variables.line)
    sources = container.get("envFrom")
    for source in sources.items() if sources is not None else []:
        for label, reference in source.entries().items():
            name = reference.get("name") if label != "prefix" else None
            if name is not None:
                called = name.string() or name.text
                settings[f"environment_from.{label}/{called}"] = Node(called, source.line, text=f"{label}: {called}")
    ports = container.get("ports")
    for number, port in enumerate(ports.items() if ports is not None else []):
        found = port.get("containerPort")
        if found is not None:
            settings["container_port" if number == 0 else f"container_port.{number}"] = found
    security = container.get("securityContext")
    if security is not None:
        settings |= {f"security_context.{key}": value for key, value in security.entries().items()}
    mounts = container.get("volumeMounts")
    for mount in mounts.items() if mounts is not None else []:
        settings[f"volume_mount.{_name(mount)}"] = mount.get("mountPath") or mount
    return {prefix + key: node for key, node in settings.items()} if prefix else settings


def resource_settings(resources: Node | None) -> dict[str, Node]:
    """Requests and limits, CPU in cores and memory in MiB."""
    settings: dict[str, Node] = {}
    for group, suffix in (("limits", "limit"), ("requests", "request")):
        block = resources.get(group) if resources is not None else None
        cpu, memory = (block.get("cpu"), block.get("memory")) if block is not None else (None, None)
        if cpu is not None:
            settings[f"cpu_{suffix}"] = _converted(cpu, cores(cpu.json()))
        if memory is not None:
            settings[f"memory_{suffix}_mib"] = _converted(memory, mebibytes(memory.json()))
        storage = block.get("ephemeral-storage") if block is not None else None
        if storage is not None:
            settings[f"ephemeral_storage_{suffix}_mib"] = _converted(storage, mebibytes(storage.json()))
    return settings


def _converted(node: Node, value: object) -> Node:
    known = isinstance(value, int | float | str) and node.is_known
    return replace(node, value=value if isinstance(value, int | float | str) else node.value) if known else node


def _name(node: Node) -> str:
    found = node.get("name")
    return (found.string() if found is not None else None) or "?"
