"""Resources of production, the edges between them, and resources as a manifest declares them."""

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field

from gonogo.change import Side
from gonogo.word import Json, ResourceId, Word


class Relation(StrEnum):
    """How one resource depends on another. Direction: source → target."""

    DEPLOYS_TO = "deploys_to"
    TRIGGERS = "triggers"
    CONNECTS_TO = "connects_to"
    INVOKES = "invokes"
    PUBLISHES_TO = "publishes_to"
    ROUTES_TO = "routes_to"
    READS_FROM = "reads_from"
    WRITES_TO = "writes_to"
    OWNED_BY = "owned_by"
    DEPENDS_ON = "depends_on"


class Origin(StrEnum):
    """Where an edge was seen. Only a live edge is production evidence."""

    LIVE = "live"
    MANIFEST = "manifest"


class Resource(Word):
    """One thing that runs, stores or routes. `kind` is `provider.service.type`.

    Attributes stand in the normal form of spec 00 (snake_case, unit in the name). A missing attribute is
    unknown; the values of secrets never appear, their names do.
    """

    id: ResourceId
    kind: str
    name: str
    account: str = ""
    region: str = ""
    attributes: Mapping[str, Json] = Field(default_factory=dict)


class Edge(Word):
    """A typed, directed edge; parallel edges of different relations stay apart."""

    source: ResourceId
    target: ResourceId
    relation: Relation
    origin: Origin = Origin.LIVE
    evidence: str = ""


class AffectedResource(Word):
    """A resource that the change can reach, with the path that says so.

    `path` starts at the repository, ends at the resource, and every step of it is an edge of the graph.
    """

    resource: ResourceId
    kind: str
    path: tuple[ResourceId, ...]
    why: str
    distance: int = 0
    is_named: bool = False
    """True when a changed manifest or migration names this very resource."""


class Place(Word):
    """A line of a file on one side of the change; 1-based."""

    file: str
    line: int
    side: Side = "head"


class Setting(Word):
    """One setting of a declared resource, in normal form, with the line its value stands on.

    `value` is None when the manifest has an expression that its own text does not settle.
    """

    value: Json
    line: int
    text: str = ""
    """The value as it is written, for the reader."""
    file: str | None = None
    """Where the value stands when it is another file than the resource's: a variable's default, a `.tfvars`, a caller."""


class Declared(Word):
    """A resource as a manifest declares it.

    `name` is the explicit physical name, or None when the provider will make one up; `address` is the name
    inside the manifest (`aws_sqs_queue.orders`, `Resources.AuditEvents`, `deployment/shop/basket`).
    """

    kind: str
    address: str
    name: str | None
    file: str
    line: int
    end_line: int
    settings: Mapping[str, Setting] = Field(default_factory=dict)
    is_conditional: bool = False
    environment: str | None = None
    """The deploy environment that this declaration is for, where the manifest has several."""
    part_of: str | None = None
    """Address of the resource that this is only a part of (an event of a function, an index of a table); a graph has no node for it."""

    @property
    def key(self) -> str:
        """Its identity within one side of a repository: kind, address and environment."""
        return f"{self.kind}|{self.address}|{self.environment or ''}"

    def place(self, setting: Setting | None = None, side: Side = "head") -> Place:
        """The line to cite for a setting; the declaration's own first line without one."""
        if setting is None:
            return Place(file=self.file, line=max(1, self.line), side=side)
        return Place(file=setting.file or self.file, line=max(1, setting.line), side=side)


class DeclaredEdge(Word):
    """An edge between two addresses of one manifest tree, with the line that says so."""

    source: str
    target: str
    relation: Relation
    file: str
    line: int
    evidence: str = ""


class SettingChange(Word):
    """One setting that differs between base and head; an absent side is None.

    `before` and `after` are the declarations, so that a rule can look at the settings around it.
    """

    key: str
    before: Declared | None
    after: Declared | None
    old: Setting | None
    new: Setting | None

    @property
    def declared(self) -> Declared:
        """The declaration on the head side, else on the base side."""
        found = self.after or self.before
        if found is None:
            raise ValueError("a setting change has a declaration on at least one side")
        return found

    @property
    def place(self) -> Place:
        """The line of the new value, else of the old one on the base side; without either, of the declaration."""
        if self.after is not None and self.new is not None:
            return self.after.place(self.new)
        if self.before is not None and self.old is not None:
            return self.before.place(self.old, "base")
        return self.after.place() if self.after is not None else self.declared.place(None, "base")
