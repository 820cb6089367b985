"""SAM's connectors: who may do what with whom, said outright.

https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/reference-sam-connector.html
"""

from collections.abc import Iterator, Mapping

from context_graph.manifests.node import Link, Node
from context_graph.manifests.relations import is_called, is_published
from gonogo.resource import Relation

_SOURCES = {"aws.sqs.queue", "aws.sns.topic", "aws.events.rule", "aws.s3.bucket", "aws.dynamodb.table", "aws.kinesis.stream"}
"""What calls a function by itself when it may."""


def connector_links(entries: Mapping[str, Node], kinds: Mapping[str, str], *, file: str, prefix: str) -> Iterator[Link]:
    """The edges of connectors that are resources and of those inside a resource. `kinds` has the kind of each logical id."""
    for logical, entry in entries.items():
        kind = entry.get("Type")
        if kind is not None and kind.string() == "AWS::Serverless::Connector":
            properties = entry.get("Properties")
            source = _id(properties.get("Source") if properties is not None else None)
            if properties is not None and source:
                yield from _links(source, properties, kinds, file, prefix)
            continue
        inside = entry.get("Connectors")
        for connector in (inside.entries() if inside is not None else {}).values():
            properties = connector.get("Properties")
            if properties is not None:
                yield from _links(logical, properties, kinds, file, prefix)


def _links(source: str, properties: Node, kinds: Mapping[str, str], file: str, prefix: str) -> Iterator[Link]:
    destination, listed = properties.get("Destination"), properties.get("Permissions")
    allowed = {item.string() for item in (listed.items() if listed is not None else ())}
    for item in destination.items() if destination is not None else ():
        target = _id(item)
        if source not in kinds or target not in kinds:
            continue
        for relation in sorted(_relations(kinds[source], kinds[target], allowed)):
            yield Link(prefix + source, prefix + target, relation, file, item.line, "connector", file)


def _relations(source: str, target: str, allowed: set[str | None]) -> set[Relation]:
    found: set[Relation] = set()
    if "Write" in allowed:
        if is_called(target):
            found.add(Relation.TRIGGERS if source in _SOURCES else Relation.INVOKES)
        else:
            found.add(Relation.PUBLISHES_TO if is_published(target) else Relation.WRITES_TO)
    if "Read" in allowed and not is_called(target):
        found.add(Relation.READS_FROM)
    return found


def _id(node: Node | None) -> str:
    name = node.get("Id") if node is not None else None
    return (name.string() if name is not None else None) or ""
