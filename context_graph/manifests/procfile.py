"""Procfile: one process a line, `release` included."""

from context_graph.manifests.node import Draft, Node, Reading
from gonogo.pattern import pattern

_LINE = pattern(r"([A-Za-z0-9_-]{1,60}):\s*(\S.*)")


def read_procfile(text: str, file: str) -> Reading:
    """The processes of the file."""
    reading = Reading()
    for number, line in enumerate(text.split("\n"), start=1):
        match = _LINE.fullmatch(line.strip())
        if match is not None:
            command = Node(match.group(2), number, text=match.group(2))
            reading.drafts.append(
                Draft("procfile.process", f"process/{match.group(1)}", file, number, number, Node({}, number), match.group(1), scope=file,
                      extra={"command": command})
            )  # fmt: skip
    return reading
