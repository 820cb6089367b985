"""Programs that find other storage, or none, where their data lay: pods and services of compose whose volume changes."""

from collections.abc import Iterator, Mapping
from typing import cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, Setting
from gonogo.word import Json
from heuristics.rule import Declarations, RuleContext
from heuristics.stages import is_for_production

DURABLE = pattern(
    r"(?i)(^|[/_-])(postgres(ql)?|postgis|timescaledb|mysql|mariadb|percona|mongo(db)?|elasticsearch|opensearch|cassandra|scylla(db)?|clickhouse(-server)?|influxdb"
    r"|rabbitmq|kafka|redpanda|nats|minio|etcd|neo4j|couchdb|cockroach(db)?|prometheus|victoria-?metrics|vault|gitea|registry)(?=$|[:@/_-])"
)
"""Images of programs that keep what they are given."""
_MOUNT = pattern(r"(?P<container>(?:container\.[^.]+\.)?)volume_mount\.(?P<volume>.+)")
_COMPOSE = pattern(r"volumes(?:\.(?P<n>\d+))?(?:\.(?P<part>source|target|type))?")
_TEMPLATE = pattern(r"spec\.volume_claim_templates\.\d+\.metadata\.name")


class Storage(Record):
    """What is mounted. `kind` is claim, template, volume, host, share or none; the last goes with the container."""

    kind: str
    name: str
    line: int

    @property
    def lasts(self) -> bool:
        """Whether it outlives the container."""
        return self.kind != "none"


class LostMount(Record):
    """A path whose storage is another one from now on. `is_new`: nothing can be in what is there instead."""

    workload: Declared
    path: str
    before: Storage
    after: Storage | None
    is_new: bool
    place: Place
    image: str


def lost_mounts(context: RuleContext) -> tuple[LostMount, ...]:
    """Every path of a program that stays, and whose lasting storage does not."""
    return tuple(_lost(context))


def _lost(context: RuleContext) -> Iterator[LostMount]:
    base, head = context.declared["base"], context.declared["head"]
    if not any("volume" in c.key for c in context.settings):
        return
    old = {(d.kind, d.address): d for d in base.resources}
    for workload in head.resources:
        before = old.get((workload.kind, workload.address))
        if before is None or not (is_for_production(context, workload) or _runs_on_a_host(context, workload)):
            continue
        found, now = dict(_storages(before, base)), dict(_storages(workload, head))
        kept = {(s.kind, s.name) for s in now.values()}
        for path, storage in found.items():
            after = now.get(path)
            if not storage.lasts or (after is not None and (after.kind, after.name) == (storage.kind, storage.name)):
                continue
            if (storage.kind, storage.name) in kept or (storage.kind == "host" and not DURABLE.search(_image(workload))):
                continue  # mounted elsewhere in the program, or files that come with the repository
            place = (
                Place(file=workload.file, line=after.line, side="head")
                if after
                else Place(file=before.file, line=storage.line, side="base")
            )
            yield LostMount(workload, path, storage, after, _is_new(after, base, head), place, _image(workload))


def _runs_on_a_host(context: RuleContext, service: Declared) -> bool:
    """Whether production runs a container of this name: then the file of compose is not just a developer's."""
    return service.kind == "compose.service" and any(
        r.kind.startswith(("docker.", "compose.")) and r.name == service.name for r in context.production.resources
    )


def _is_new(after: Storage | None, base: Declarations, head: Declarations) -> bool:
    if after is None or not after.lasts:
        return True
    kinds = {"claim": "kubernetes.persistentvolumeclaim", "volume": "compose.volume"}
    kind = kinds.get(after.kind)
    added = [d for d in head.resources if d.kind == kind and _name_of_volume(d) == after.name]
    was = any(d.kind == kind and _name_of_volume(d) == after.name for d in base.resources)
    return bool(added) and not was and not any(_is_filled(d) for d in added)


def _is_filled(declared: Declared) -> bool:
    """A volume of another owner, and one made from a snapshot, may hold something."""
    return any(
        word in key.lower().replace("_", "") for key in declared.settings for word in ("external", "datasource", "volumename")
    )


def _storages(workload: Declared, side: Declarations) -> Iterator[tuple[str, Storage]]:
    if workload.kind == "compose.service":
        yield from _of_compose(workload, side)
        return
    templates = {str(s.value) for key, s in workload.settings.items() if _TEMPLATE.fullmatch(key)}
    for key, setting in workload.settings.items():
        mount = _MOUNT.fullmatch(key)
        if mount is None or not isinstance(setting.value, str):
            continue
        name = mount["volume"]
        volume = workload.settings.get(f"volume.{name}")
        if volume is not None:
            found = _of_volume(volume)
        else:
            found = Storage("template", name, setting.line) if name in templates else None
        if found is not None:
            yield setting.value.rstrip("/"), found


def _of_volume(volume: Setting) -> Storage | None:
    value = cast("Mapping[str, Json]", volume.value) if isinstance(volume.value, Mapping) else dict[str, Json]()
    for key, kind, inner in (
        ("persistentVolumeClaim", "claim", "claimName"),
        ("hostPath", "host", "path"),
        ("nfs", "share", "path"),
    ):
        found = value.get(key)
        if isinstance(found, Mapping):
            name = cast("Mapping[str, Json]", found).get(inner)
            return Storage(kind, str(name), volume.line) if isinstance(name, str) and "{{" not in name else None
    return Storage("none", "emptyDir", volume.line) if "emptyDir" in value else None


def _of_compose(service: Declared, side: Declarations) -> Iterator[tuple[str, Storage]]:
    parts: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    for key, setting in service.settings.items():
        found = _COMPOSE.fullmatch(key)
        if found is None:
            continue
        for at, written in enumerate(cast("list[object]", setting.value) if isinstance(setting.value, list) else [setting.value]):
            if not isinstance(written, str):
                continue
            number = f"{found['n'] or at}"
            lines.setdefault(number, setting.line)
            if found["part"]:
                parts.setdefault(number, {})[found["part"]] = written
            else:
                source, _, rest = written.partition(":")
                parts[number] = {"source": source, "target": rest.partition(":")[0]} if rest else {"target": source}
    for number, mount in parts.items():
        source, target = mount.get("source", ""), mount.get("target", "")
        if not target or "$" in source:
            continue
        if not source:
            yield target.rstrip("/"), Storage("none", "a volume without a name", lines[number])
        elif source.startswith((".", "/", "~")):
            yield target.rstrip("/"), Storage("host", source, lines[number])
        else:
            named = next(
                (
                    d
                    for d in side.resources
                    if d.kind == "compose.volume" and d.file == service.file and d.address == f"volumes.{source}"
                ),
                None,
            )
            yield target.rstrip("/"), Storage("volume", _name_of_volume(named) if named is not None else source, lines[number])


def _name_of_volume(declared: Declared) -> str:
    explicit = declared.settings.get("name")
    if explicit is not None and isinstance(explicit.value, str):
        return explicit.value
    return declared.name or declared.address.rpartition(".")[2]


def _image(workload: Declared) -> str:
    return " ".join(str(s.value) for key, s in workload.settings.items() if key.rpartition(".")[2] == "image")
