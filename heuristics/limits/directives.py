"""Numbers of proxies whose configuration is a list of directives: HAProxy, Caddy, and what nginx calls by several words."""

from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.limits.changed import Changed
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere

_FILES = pattern(
    r"(?i)(^|/)(haproxy[\w.-]*|[\w.-]*\.haproxy|[\w.-]+\.cfg|Caddyfile[\w.-]*|[\w.-]+\.caddy|[\w./-]*nginx[\w./-]*\.conf[\w.-]*|[\w./-]+\.conf)$"
)
_DIRECTIVE = pattern(
    r"^\s*(?P<name>timeout\s+(?:server|tunnel|client|http-request)|read_timeout|write_timeout|response_header_timeout|(?:grpc|scgi|proxy|fastcgi|uwsgi)_read_timeout)"
    r"\s+(?P<value>\d{1,9})\s*(?P<unit>ms|s|m|h|d|us)?\s*;?\s*(?:#.*)?$"
)
_SCALE = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def directives(context: RuleContext) -> Iterator[Changed]:
    """Time-outs that differ, each removed line with the added one of the same name in its hunk."""
    for file in context.changes.files:
        if (
            file.is_binary
            or not file.head_path
            or not file.base_path
            or not _FILES.search(file.head_path)
            or is_elsewhere(file.head_path)
        ):
            continue
        # HAProxy counts in milliseconds where no unit stands, the others in seconds
        plain = "ms" if "haproxy" in file.head_path.lower() or file.head_path.endswith(".cfg") else "s"
        removed = [(n, found) for n, text in file.removed_lines().items() if (found := _DIRECTIVE.match(text[:300]))]
        added = [(n, found) for n, text in file.added_lines().items() if (found := _DIRECTIVE.match(text[:300]))]
        for base_line, old in removed:
            near = [(n, new) for n, new in added if new["name"].split() == old["name"].split()]
            if not near:
                continue
            head_line, new = min(near, key=lambda pair: abs(pair[0] - file.head_line_after_which(base_line)))
            added.remove((head_line, new))
            sides = [float(m["value"]) * _SCALE[m["unit"] or plain] for m in (old, new)]
            name = " ".join(new["name"].split())
            yield Changed(
                name.replace(" ", "."), name, file.head_path, base_line, head_line, float(old["value"]), float(new["value"]),
                old["value"] + (old["unit"] or ""), new["value"] + (new["unit"] or ""), sides[0], sides[1],
            )  # fmt: skip
