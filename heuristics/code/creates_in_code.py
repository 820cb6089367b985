"""Names that infrastructure code creates: `environment: { NAME: ... }` of CDK, Pulumi and SST programs."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code.prefilter import Look, holds_any
from heuristics.code.syntax import parse
from heuristics.code.views import calls_in, key_text
from heuristics.code.word_sets import words

INFRASTRUCTURE_LANGUAGES = words("typescript javascript python")
_LOOKS = (Look(("aws-cdk", "aws_cdk", "@pulumi", "pulumi_", "import pulumi", "cdktf", 'from "sst', "sst.aws", "sst/constructs")),)
_HOLDERS = pattern(r"(?i)environment(_?variables)?|env|variables|secrets|container_?env")


def names_in_infrastructure(text: str, language: str) -> Iterator[tuple[str, int, str]]:
    """Name, line and holder of every variable that a program for CDK, Pulumi or SST gives to what it deploys."""
    if not holds_any(text, _LOOKS):
        return
    root = parse(text, language)
    if root is None:
        return
    for pair in root.find("pair"):
        name = key_text(pair.named[0]) if pair.named else ""
        holder = pair.parent.parent if pair.parent is not None else None
        if (
            re.fullmatch(r"[A-Z][A-Z0-9_]*", name)
            and holder is not None
            and holder.kind in ("pair", "keyword_argument")
            and holder.named
        ):
            owner = key_text(holder.named[0])
            if _HOLDERS.fullmatch(owner):
                yield name, pair.line, owner
    for call in calls_in(root):
        name = call.first_string() if call.name in ("addEnvironment", "add_environment") else None
        if name:
            yield name, call.line, call.name
