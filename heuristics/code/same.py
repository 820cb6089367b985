"""Whether two versions of a file mean the same: they differ in comments, blank space and layout only."""

import re
import tomllib
from collections.abc import Callable, Iterator
from itertools import zip_longest

from gonogo.pattern import pattern
from heuristics.code.directives import is_directive
from heuristics.code.paths import language_of
from heuristics.code.syntax import PARSED, Node, has_errors, parse
from heuristics.code.yaml_events import YamlUnreadable, yaml_events

_YAML_LIMIT = 400_000
_TEXT_LIMIT = 1_500_000


def same_code(path: str, base_text: str, head_text: str) -> bool | None:
    """True when both sides parse and only comments, blank space and layout differ; None when we can't say.

    Whoever asks treats None as code. Python docstrings count as comments unless something reads them.
    """
    if base_text == head_text:
        return True
    language = language_of(path, head_text.split("\n", 1)[0])
    if language is None:
        return None
    reader = _READERS.get(language)
    if reader is None and language in PARSED:
        return _same_trees(base_text, head_text, language)
    if reader is None:
        return None
    base, head = reader(base_text), reader(head_text)
    return None if base is None or head is None else base == head


def _same_trees(base_text: str, head_text: str, language: str) -> bool | None:
    base, head = parse(base_text, language), parse(head_text, language)
    if base is None or head is None or has_errors(base) or has_errors(head):
        return None
    end = object()
    return all(a == b for a, b in zip_longest(_tokens(base, language), _tokens(head, language), fillvalue=end))


def _tokens(root: Node, language: str) -> Iterator[str]:
    """Every token and where every node opens and closes, in order; text that no leaf covers is a token too."""
    docstrings = _docstrings(root) if language == "python" else frozenset[int]()
    keeps_comments = language == "go" and 'import "C"' in root.source
    source, at = root.source, root.start
    optional: set[int] = set()
    pending: list[tuple[Node, bool]] = [(root, False)]
    while pending:
        node, is_closing = pending.pop()
        if is_closing:
            yield ")"
            continue
        if id(node) in optional:
            at = node.end
            continue
        is_comment = node.is_named and "comment" in node.kind and node.kind != "comment_content"
        is_atom = is_comment or not node.children or node.kind in ("string", "template_string", "heredoc_body")
        if not is_atom:
            if node.is_named:
                yield "(" + node.kind
                pending.append((node, True))
            optional.update(_optional(node, language))
            pending.extend((child, False) for child in reversed(node.children))
            continue
        if source[at : node.start].strip():
            yield source[at : node.start].strip()
        at = max(at, node.end)
        if node.start in docstrings:
            continue
        if not is_comment:
            yield _spelling(node, language)
        elif keeps_comments or is_directive(node.text, language):
            yield node.text.strip()
    if source[at:].strip():
        yield source[at:].strip()


def _optional(node: Node, language: str) -> Iterator[int]:
    """The children that may be left out: a comma before a closing bracket, a semicolon that ends a statement."""
    is_script = language in ("typescript", "tsx", "javascript") and not node.kind.startswith("for")
    for before, child, after in zip(node.children, node.children[1:], node.children[2:], strict=False):
        if child.kind == "," and after.kind in ")]}" and before.is_named:
            yield id(child)
    if is_script and node.children and node.children[-1].kind == ";":
        yield id(node.children[-1])


def _spelling(node: Node, language: str) -> str:
    text = node.text
    if node.kind == "string" and language in ("python", "typescript", "tsx", "javascript"):
        inner = text[1:-1]
        if text[:1] in "'\"" and text[:1] == text[-1:] and not set("\\'\"\n") & set(inner):
            return f'"{inner}"'
    return text.strip() if node.is_named else text


_READS_DOCSTRINGS = pattern(
    r"__doc__|docopt|getdoc\b|\bdspy\b|docstring|typer|click|fire\.Fire|function_tool|@tool|\.tool\b|@agent"
)


def _docstrings(root: Node) -> frozenset[int]:
    """The offsets of the docstrings; empty where programs read them (help texts of commands, descriptions of tools)."""
    if _READS_DOCSTRINGS.search(root.source):
        return frozenset()
    found: set[int] = set()
    for body in (node for node in root.walk() if node.kind in ("block", "module")):
        first = next(iter(body.named), None)
        if first is not None and first.kind == "expression_statement" and [c.kind for c in first.named] == ["string"]:
            found.add(first.named[0].start)
    return frozenset(found)


def _yaml_meaning(text: str) -> list[str] | None:
    if len(text) > _YAML_LIMIT:
        return None
    try:
        return [f"{event.kind} {event.value} {event.details}" for event in yaml_events(text)]
    except YamlUnreadable:
        return None


def _toml_values(text: str) -> object:
    try:
        return repr(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _lines_of_settings(text: str) -> list[str]:
    lines = (line.strip() for line in text.split("\n"))
    return [line for line in lines if line and not line.startswith(("#", "!", ";"))]


_TOKEN = pattern(
    r"""\s+|(?P<quoted>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`[^`]*`)|(?P<dollar>\$\w*\$)|(?P<line>--[^\n]*|//[^\n]*|\#[^\n]*)|(?P<block>/\*)|\w+|.""",
    re.DOTALL,
)


def _scanner(language: str, line_comments: tuple[str, ...], *, blocks: bool) -> Callable[[str], list[str] | None]:
    def read(text: str) -> list[str] | None:
        found: list[str] = []
        at = 0
        if len(text) > _TEXT_LIMIT:
            return None
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                return None
            token, at = match[0], match.end()
            if token in ("'", '"', "`"):
                return None  # a quote that nothing closes
            if match["dollar"] and language == "sql":
                close = text.find(token, at)
                if close < 0:
                    return None
                token, at = token + text[at : close + len(token)], close + len(token)
            elif match["block"] and blocks:
                close = text.find("*/", at)
                if close < 0:
                    return None
                token, at = text[match.start() : close + 2], close + 2
                if not is_directive(token, language):
                    continue
            elif match["line"] and token.startswith(line_comments):
                if not is_directive(token, language):
                    continue
            elif match["line"]:
                token, at = token[:1], match.start() + 1
            if token.strip():
                found.append(token.strip())
        return found

    return read


def _json_tokens(text: str) -> list[str] | None:
    """JSON, with comments and trailing commas where the reader allows them."""
    tokens = _scanner("json", ("//",), blocks=True)(text)
    if tokens is None:
        return None
    return [part for part, after in zip_longest(tokens, tokens[1:]) if part != "," or after not in ("}", "]")]


def _dockerfile(text: str) -> list[str]:
    lines = text.split("\n")
    if "<<" in text:
        return [line.rstrip() for line in lines]
    kept = (line.strip() for line in lines)
    return [line for line in kept if line and (not line.startswith("#") or is_directive(line, "dockerfile"))]


_READERS: dict[str, Callable[[str], object]] = {
    "yaml": _yaml_meaning,
    "toml": _toml_values,
    "properties": _lines_of_settings,
    "env": _lines_of_settings,
    "procfile": _lines_of_settings,
    "sql": _scanner("sql", ("--",), blocks=True),
    "json": _json_tokens,
    "proto": _scanner("proto", ("//",), blocks=True),
    "graphql": _scanner("graphql", ("#",), blocks=False),
    "nginx": _scanner("nginx", ("#",), blocks=False),
    "conf": _scanner("conf", ("#",), blocks=False),
    "dockerfile": _dockerfile,
}
